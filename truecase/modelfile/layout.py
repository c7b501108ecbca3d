"""What is inside a model file.

A model file is a safetensors container: named vectors and one metadata entry, ``truecase``,
whose value is a JSON object:

========== ===========================================================================
key        value
========== ===========================================================================
format     version of this layout, an integer
package    version of the package that wrote the file
decoder    settings that `truecase._core.CompiledModel` reads (see below)
training   the options it was trained with
corpus     counts of lines, tokens, forms and n-grams in the training text
origin     where the training text comes from
licence    its licence
checksum   SHA-256 over names, types and bytes of all arrays
========== ===========================================================================

Arrays: ``lexicon.slots``, ``lexicon.records`` (see `truecase/lexicon/_lexicon.pxd`),
``lexicon.probability_ln``, ``lexicon.backoff_ln``, ``classes.probability_ln``,
``classes.backoff_ln``, ``classes.word_given_class_ln``, and for each order k from 2 up
``ngramk.slots``, ``ngramk.probability_ln``, ``ngramk.backoff_ln`` (see
`truecase/ngram/_table.pxd`). Models of preset ``portage`` have those of
`truecase.portage.case_models`, and any model may have ``titles.weights``, bytes, the title detector
(`truecase.styles.styles`).

Models of preset ``crf`` have, of n form records:

======================= =========== ====================================================
``crf.weights``         float32     one per name in the setting ``crf.columns``
``crf.unknown_tag_ln``  float32, 20 log P(tag | class) of unknown words
``crf.shift``           uint8       4 (n + 6) codes: what words do to their neighbours
``crf.beside``          uint8       4 (n + 6) codes: what neighbours' case does to words
``crf.suffixes``        uint8       the table of `truecase/features/_suffix.pxd`
======================= =========== ====================================================

The last three may be missing (`truecase/features/neighbours.py` says what the codes mean). An
adapted model has ``domain.NAME`` for each array NAME of the domain's own model, a trigram; its
settings are ``domain.decoder``, its share ``domain.mixture_weight``.

Those of preset ``crf-sparse`` have the sparse weights ``fine.TAG.slots`` and ``fine.TAG.weight`` of
the tags iu, au and mx, the hidden layer ``fine.hidden.rows``, ``.fields``, ``.bias`` and ``.out``,
and ``fine.templates``, ``fine.prior`` and ``fine.transition`` (see
`truecase/features/_sparse.pxd`).

Models of the presets ``bilingual`` and ``bilingual-sparse`` have the same as ``crf`` and
``crf-sparse``. Any model but of ``unigram`` and ``portage`` may have, for lines with a source:

========================== ======= ====================================================
``source.weights``         float32 one per name in ``source.columns`` for lines with an
                                   alignment, and again for lines without
``source.crf_weights``     float32 one per name in ``source.crf_columns``: what the
                                   columns of ``crf`` weigh where there is a source
``translation.…``                  tables of `truecase/source/_translation_table.pxd`
========================== ======= ====================================================
"""

import hashlib
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

Arrays = dict[str, npt.NDArray[np.generic]]

#: Version of the layout that this package writes, and the newest that it reads.
FORMAT = 1

#: The only entry of the container's own metadata.
METADATA_KEY = "truecase"

#: Types that the container may hold, by their safetensors names.
DTYPES = {"U8": np.uint8, "U32": np.uint32, "U64": np.uint64, "F32": np.float32}


def checksum(arrays: Mapping[str, npt.NDArray[np.generic]]) -> str:
    """SHA-256 over names, types and contents of `arrays`, in order of their names."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.view(np.uint8).data)
    return digest.hexdigest()
