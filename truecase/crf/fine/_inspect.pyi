from typing import Any

from truecase._core import CompiledModel

__all__ = ["look_at"]

def look_at(model: CompiledModel, line: bytes) -> list[dict[str, Any]]: ...
