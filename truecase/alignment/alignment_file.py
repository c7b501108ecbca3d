"""The file of an alignment, and how it is to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from truecase.alignment.errors import AlignmentError
from truecase.alignment.system_alignment import SystemAlignment
from truecase.files.read import PathLike, display_name
from truecase.options import SubwordForm


@dataclass(frozen=True)
class AlignmentFile:
    """A file that tells which words of a text and its source are aligned, and how it is written.

    Parameters
    ----------
    path : path-like
        Lines of links in Pharaoh's form, ``0-0 1-2``, the source's word first.
    subwords : {"sentencepiece", "bpe", "wordpiece"}, optional
        The links are over subwords that are marked so, not over words.
    source_subwords, target_subwords : path-like, optional
        The files of these subwords, between spaces, line by line.
    is_soft : bool
        Lines are matrices of attention over subwords instead of links.
    threshold : float, optional
        Links of smaller probability are left out; by default none, and 0.3 for soft alignments.

    Raises
    ------
    AlignmentError
        The parts do not go together.
    """

    path: PathLike
    subwords: SubwordForm | None = None
    source_subwords: PathLike | None = None
    target_subwords: PathLike | None = None
    is_soft: bool = False
    threshold: float | None = None

    def __post_init__(self) -> None:
        files = (self.source_subwords, self.target_subwords)
        if self.subwords is None:
            if self.is_soft or files != (None, None):
                raise AlignmentError("subwords: say how they are marked, such as sentencepiece")
        elif self.subwords not in get_args(SubwordForm):
            forms = ", ".join(get_args(SubwordForm))
            raise AlignmentError(f"subwords {self.subwords!r}: expected one of {forms}")
        elif None in files:
            raise AlignmentError(
                "subwords: an alignment over them needs source_subwords and target_subwords"
            )

    @property
    def subword_files(self) -> tuple[PathLike, ...]:
        """The files of subwords of source and target, if it is over subwords."""
        if self.source_subwords is None or self.target_subwords is None:
            return ()
        return self.source_subwords, self.target_subwords

    @property
    def system(self) -> SystemAlignment:
        """How links over subwords are read."""
        assert self.subwords is not None
        source, target = self.subword_files
        names = (display_name(self.path), display_name(source), display_name(target))
        return SystemAlignment(self.subwords, self.is_soft, self.threshold, names)
