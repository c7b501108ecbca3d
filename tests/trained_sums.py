"""Checksums of models that are trained here, to be compared with those of other machines.

    python tests/trained_sums.py > tests/golden/trained.json

A model's line holds the checksum of its file, in which the package's version is left out, and those
of its arrays, which tell where files differ.
"""

import hashlib
import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from recipes import SMALL_NETWORK, trained
from small_bitext import bitext
from small_model import training_text

from truecase import Truecaser
from truecase.base.model_file import METADATA_KEY, checksum, container_bytes
from truecase.model.model import Model


def _text(n_lines: int = 600) -> bytes:
    return training_text(n_lines).encode()


#: How each model is trained: those of every preset, and what is done to models.
MODELS: dict[str, Callable[[], Truecaser]] = {
    "unigram": lambda: trained(_text(), "unigram"),
    "ngram": lambda: trained(_text()),
    "ngram, order 5": lambda: trained(_text(), order=5, candidates="full", min_count=1),
    "ngram, 11,000 bytes": lambda: trained(_text(), max_size=11_000),
    "portage": lambda: trained(_text(300), "portage", keep_ngrams=True),
    "portage, powers": lambda: trained(_text(300), "portage", variant="powers"),
    "crf": lambda: trained(_text(), "crf"),
    "bilingual": lambda: trained(bitext(600), "bilingual"),
    "crf-neural": lambda: trained(_text(300), "crf-neural", **SMALL_NETWORK),
    "bilingual-neural": lambda: trained(bitext(600), "bilingual-neural", **SMALL_NETWORK),
}


def sums_of(model: Model) -> dict[str, Any]:
    """Checksums of a model's file and of its arrays."""
    arrays, metadata = model.to_arrays()
    text = json.dumps({**metadata, "checksum": checksum(arrays)}, sort_keys=True)
    return {
        "file": _sum(container_bytes(arrays, {METADATA_KEY: text})),
        # As they are written: with the lowest byte first.
        "arrays": {
            name: _sum(array.astype(array.dtype.newbyteorder("<")).tobytes())[:12]
            for name, array in sorted(arrays.items())
        },
    }


def sums(name: str) -> dict[str, Any]:
    """Train a model; its checksums."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sums_of(MODELS[name]().model)


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    json.dump({name: sums(name) for name in MODELS}, sys.stdout, indent=1)
    print()
