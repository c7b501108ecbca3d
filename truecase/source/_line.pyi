from collections.abc import Sequence

__all__ = ["source_line"]

def source_line(
    text: bytes,
    segmentation: int,
    turkic: bool,
    words: Sequence[int] | None = None,
    of_words: bool = True,
    place: int = 0,
    n_target: int = 1,
) -> tuple[list[bytes], list[int], list[int], list[int]]: ...
