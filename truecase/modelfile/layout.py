"""What is inside a model file.

A model file is a safetensors container: named vectors of little-endian numbers and one metadata
entry, ``truecase``, whose value is a JSON object:

========== ===========================================================================
key        value
========== ===========================================================================
format     version of this layout, an integer
package    version of the package that wrote the file
checksum   SHA-256 over names, types and bytes of all arrays
sections   settings: of the text, and of each component that the model has, by its name
notes      what is told of the model, and nothing depends on: recipe, corpus, licence
========== ===========================================================================

The array NAME of a component is called ``COMPONENT/NAME``:

================= ================================================================
section           arrays and settings: see
================= ================================================================
``text``          settings alone: `truecase.model.text_settings.TextSettings`
``lexicon``       `truecase.lexicon._model_lexicon.Lexicon`
``lm``            `truecase.ngram._language_model.LanguageModel`
``dense``         `truecase.features._dense_features.DenseFeatures`
``sparse``        `truecase.features._sparse_features.SparseFeatures`
``source``        `truecase.features._source_features.SourceFeatures`
``tables``        `truecase.source._translation_table.TranslationTables`
``portage``       `truecase.portage._case_models.CaseModels`
``domain``        `truecase.decode._domain.Domain`
``sparse_domain`` `truecase.features._added_features.AddedFeatures`
``titles``        `truecase.styles.title_weights.TitleWeights`
``words``         `truecase.ngram.kept_words.KeptWords`
``names``         `truecase.names._name_list.NameList`
``context``       `truecase.context._context.ContextLayer`
``calibration``   `truecase.decode._calibration.Calibration`
================= ================================================================

Files of format 1 had all settings in one section, ``decoder``, and other names:
`truecase.model.format1`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from truecase.modelfile.byte_order import little_endian

if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    #: A view of a file, or an array of NumPy's.
    Buffer = memoryview[Any] | npt.NDArray[Any]
    #: Vectors by name.
    Buffers = Mapping[str, Buffer]

#: Version of the layout that this package writes, and the newest that it reads.
FORMAT = 2

#: The only entry of the container's own metadata.
METADATA_KEY = "truecase"

#: Types that the container may hold, by their safetensors names.
DTYPES = {"U8": "uint8", "U32": "uint32", "U64": "uint64", "F32": "float32"}

#: How buffers name these types, the name that a view gets first; and the bytes of an entry.
FORMATS = {
    "uint8": ("B", 1),
    "uint32": ("IL", 4),
    "uint64": ("QL", 8),
    "float32": ("f", 4),
}


def type_of(view: memoryview[Any]) -> str:
    """Of a view of a file, the type of its entries."""
    return next(name for name, (formats, _) in FORMATS.items() if view.format in formats)


def checksum(arrays: Buffers) -> str:
    """SHA-256 over names, types and contents of `arrays`, in order of their names."""
    import hashlib

    import numpy as np

    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = little_endian(np.asarray(arrays[name]))
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.view(np.uint8).data)
    return digest.hexdigest()
