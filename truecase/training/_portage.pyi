"""Observations for Ω's parameters: θ and Φ of every candidate, and which of them is right."""

from truecase._core import CompiledModel
from truecase.base.spool import Float32s, Int64s, UInt8s

def observe(
    compiled: CompiledModel, text: bytes
) -> tuple[Int64s, Int64s, UInt8s, Float32s, Float32s]:
    """θ and Φ of the words of a correctly cased text with several forms in the lexicon."""
