"""What decoding reads of a model's tables, counted on a text."""

from typing import TYPE_CHECKING, Any

from truecase._core import CompiledModel

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["count_look_ups"]

def count_look_ups(
    model: CompiledModel,
    block: Buffer,
    second: tuple[int, int] = ...,
    third: tuple[int, int] = ...,
) -> dict[str, Any]: ...
