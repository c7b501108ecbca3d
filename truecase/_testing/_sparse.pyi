from typing import Any

from truecase._core import CompiledModel
from truecase.alignment.phrases import Phrases

__all__ = ["look_at"]

def look_at(
    model: CompiledModel,
    line: bytes,
    source: bytes | None = None,
    phrases: Phrases | None = None,
) -> list[dict[str, Any]]: ...
