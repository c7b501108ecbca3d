"""Alignments as translation systems write them: over subwords, hard or soft."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from truecase.alignment.errors import AlignmentError, SkippedLines
from truecase.alignment.fold import links_of_words
from truecase.alignment.pharaoh import parse_pharaoh
from truecase.alignment.phrases import Phrases
from truecase.alignment.soft import SOFT_THRESHOLD, parse_soft
from truecase.alignment.subwords import subwords_of_lines
from truecase.options import SubwordForm
from truecase.text._words import count_words


@dataclass(frozen=True)
class SystemAlignment:
    """How the alignment of a system is written.

    Attributes
    ----------
    subwords : {"sentencepiece", "bpe", "wordpiece"}
        How the subwords are marked that its links or rows are over.
    is_soft : bool
        Whether lines are matrices of attention; else links in Pharaoh's form.
    threshold : float, optional
        Links of smaller probability are left out; by default none, and 0.3 for soft alignments.
    names : tuple of str
        Of the files of the alignment and of the subwords of source and target, for messages.
    """

    subwords: SubwordForm
    is_soft: bool = False
    threshold: float | None = None
    names: tuple[str, str, str] = ("alignment", "source subwords", "target subwords")

    def links(
        self,
        alignment: bytes,
        source: bytes,
        target: bytes,
        source_subwords: bytes,
        target_subwords: bytes,
        *,
        first_line: int = 1,
        skipped: SkippedLines | None = None,
    ) -> Phrases:
        """Links of the words of some lines.

        Parameters
        ----------
        alignment : bytes
            A line for each line of text.
        source, target : bytes
            The text, words between white space.
        source_subwords, target_subwords : bytes
            The same as subwords between spaces.
        first_line : int
            Number of the first line, for messages.
        skipped : SkippedLines, optional
            As for `truecase.alignment.pharaoh.parse_pharaoh`; lines whose subwords are not of their
            text count, too.

        Raises
        ------
        AlignmentError
            Links or rows are broken or not of their line, or subwords not of their text; names
            file and line.
        """
        name, *part_names = self.names
        source_word, n_source, in_source = subwords_of_lines(source_subwords, source, self.subwords)
        target_word, n_target, in_target = subwords_of_lines(target_subwords, target, self.subwords)
        bad = sorted(in_source.keys() | in_target.keys())
        for i in bad:
            side = 0 if i in in_source else 1
            problem = (in_source, in_target)[side][i]
            message = f"{part_names[side]}: line {first_line + i}: {problem}"
            if skipped is None:
                raise AlignmentError(message)
            skipped.add(1, message)
        if bad:
            alignment = _without_lines(alignment, bad)
        if self.is_soft:
            found = parse_soft(
                alignment,
                source_word,
                target_word,
                n_source,
                n_target,
                count_words(target),
                threshold=SOFT_THRESHOLD if self.threshold is None else self.threshold,
                name=name,
                first_line=first_line,
                skipped=skipped,
            )
        else:
            parts = parse_pharaoh(
                alignment,
                n_source,
                n_target,
                threshold=self.threshold or 0.0,
                name=name,
                first_line=first_line,
                skipped=skipped,
                unit="subword",
            )
            found = links_of_words(parts, source_word, target_word, n_source, count_words(target))
        if not bad:
            return found
        unaligned = found.unaligned.copy()
        unaligned[bad] = 1
        return replace(found, unaligned=unaligned)


def _without_lines(block: bytes, numbers: Sequence[int]) -> bytes:
    """The same lines, but some of them empty."""
    lines = block.split(b"\n")
    for number in numbers:
        lines[number] = b""
    return b"\n".join(lines)
