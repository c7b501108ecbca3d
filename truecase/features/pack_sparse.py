"""Sparse weights of a model: which are worth their bytes, and the arrays that hold them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.base.model_file import Arrays
from truecase.features.templates import (
    MONOLINGUAL,
    TemplateSet,
    encode_templates,
    field_number,
)
from truecase.packed._slots import pack
from truecase.packed.quantise import quantise

#: Tags with a table of weights, in the order of `_weights.pxd`.
TABLES = ("iu", "au", "mx")

#: Width of a weight's code, of a slot's fingerprint, and the share of filled slots.
WEIGHT_BITS = 6
FINGERPRINT_BITS = 11
LOAD = 0.85

_N_STATES = 8

# Entries of the hidden layer's rows may be so many times as large as 9,999 of 10,000 of them.
_WIDEST = 6.0
_Floats = npt.NDArray[np.float32]


@dataclass
class Sparse:
    """Weights of hashed features for one tag.

    Attributes
    ----------
    hashes : uint64 ndarray
    weights : float32 ndarray
    losses : float32 ndarray
        What leaving a feature out would cost the training text, about, in nats.
    """

    hashes: npt.NDArray[np.uint64]
    weights: _Floats
    losses: _Floats

    @classmethod
    def empty(cls) -> "Sparse":
        """No features."""
        none = np.zeros(0, np.float32)
        return cls(np.zeros(0, np.uint64), none, none)


@dataclass
class SparseWeights:
    """All that sparse training learns.

    Attributes
    ----------
    tables : list of Sparse
        For each of `TABLES`.
    rows, out, bias : float32 ndarray
        The hidden layer, (n_rows, n_units), (3, n_units) and (n_units,); without rows: none.
    lm_weight : float
    transitions : float32 ndarray, shape (64,)
        Weights of neighbouring tags, [state before, state].
    templates : TemplateSet
        What the weights are of.
    """

    tables: list[Sparse] = field(default_factory=lambda: [Sparse.empty() for _ in TABLES])
    rows: _Floats = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    out: _Floats = field(default_factory=lambda: np.zeros((len(TABLES), 0), np.float32))
    bias: _Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    lm_weight: float = 1.0
    transitions: _Floats = field(
        default_factory=lambda: np.zeros(_N_STATES * _N_STATES, np.float32)
    )
    templates: TemplateSet = MONOLINGUAL


def select_features(tables: list[Sparse], n_bytes: float) -> list[Sparse]:
    """The features of all tables that cost most to leave out and fit into `n_bytes`."""
    bits = WEIGHT_BITS + FINGERPRINT_BITS
    n_kept = max(0, int(n_bytes * 8 * LOAD / bits))
    losses = np.concatenate([table.losses for table in tables])
    if len(losses) <= n_kept:
        return tables
    threshold = np.inf
    if n_kept:
        threshold = np.partition(losses, len(losses) - n_kept)[len(losses) - n_kept]
    selected = []
    for table in tables:
        keep = table.losses > threshold
        selected.append(Sparse(table.hashes[keep], table.weights[keep], table.losses[keep]))
    return selected


def pack_sparse(model: SparseWeights) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and decoder settings of sparse features, all but ``prior``."""
    always, rare = model.templates.always, model.templates.rare
    encoded = encode_templates(always, rare)
    arrays: Arrays = {
        "templates": encoded.ravel(),
        "transition": np.asarray(model.transitions, np.float32),
    }
    settings: dict[str, Any] = {
        "n_templates": len(always),
        "n_templates_with_rare": len(encoded),
        "templates": [*always, *rare],
        "hidden": _pack_hidden(model, arrays),
    }
    packed, of_tables = pack_weights(model.tables)
    return {**arrays, **packed}, {**settings, **of_tables}


def pack_weights(tables: list[Sparse]) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and settings of the weights of `TABLES`, without what they are weights of."""
    arrays: Arrays = {}
    settings: dict[str, Any] = {}
    for name, table in zip(TABLES, tables, strict=True):
        order = np.argsort(table.hashes, kind="stable")
        codes, book = quantise(table.weights[order], WEIGHT_BITS, 1)
        slots, n_slots, max_probes = pack(
            np.ascontiguousarray(table.hashes[order]),
            codes.astype(np.uint64),
            FINGERPRINT_BITS,
            WEIGHT_BITS,
            (1 << WEIGHT_BITS) - 1,
            LOAD,
        )
        arrays[f"{name}.slots"] = slots
        arrays[f"{name}.weight"] = book
        settings[name] = {
            "n_entries": len(order),
            "n_slots": n_slots,
            "max_probes": max_probes,
            "fingerprint_bits": FINGERPRINT_BITS,
            "weight_bits": WEIGHT_BITS,
        }
    return arrays, settings


def _pack_hidden(model: SparseWeights, arrays: Arrays) -> dict[str, Any]:
    """Add the hidden layer's arrays, its rows in steps of one byte; its settings."""
    hidden = model.templates.hidden
    n_rows, n_units = model.rows.shape
    if n_rows == 0:
        return {"n_units": 0}
    # A few entries far beyond all others are cut; finer steps for these are worth it. Not more than
    # that: the largest entries are those of the rows that most words choose.
    sizes = np.abs(model.rows)
    largest = min(float(sizes.max()), _WIDEST * float(np.quantile(sizes, 0.9999)))
    scale = largest / 127 or 1.0
    steps = np.clip(np.rint(model.rows / scale), -128, 127) + 128
    arrays["hidden.rows"] = steps.astype(np.uint8).ravel()
    arrays["hidden.bias"] = np.asarray(model.bias, np.float32)
    arrays["hidden.out"] = np.ascontiguousarray(model.out, np.float32).ravel()
    arrays["hidden.fields"] = np.array([field_number(name) for name in hidden], np.uint8)
    return {
        "n_units": n_units,
        "n_rows": n_rows,
        "n_fields": len(hidden),
        "scale": scale,
        "fields": list(hidden),
    }
