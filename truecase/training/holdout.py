"""Text held out from the language model, for the weights to be learned on.

A language model trusts the text that it was estimated from too much, and weights learned there
would trust it as much. Runs of neighbouring lines are held out, not single lines, because the
lines around a line share its names. The share is a tenth of a small text; of a large one, no
more than about `words` words are held out, evenly from all of it.
"""

from collections.abc import Iterable, Iterator

from truecase.errors import TrainingError

_LINES_PER_RUN = 64
_FIRST_STEP = 10


class Holdout:
    """Splits a stream of text in two, in one pass and constant memory.

    Parameters
    ----------
    blocks : iterable of bytes
        Whole lines.
    words : int
        Between a half and all of this many words are held out of a text that is large enough.

    Attributes
    ----------
    runs : list of bytes
        The text held out, once `training` has come to its end.
    """

    def __init__(self, blocks: Iterable[bytes], words: int = 1_500_000) -> None:
        self._blocks = blocks
        self._words = words
        self.runs: list[bytes] = []

    def training(self) -> Iterator[bytes]:
        """The rest of the text, in another order than it came."""
        step, n_runs, n_words = _FIRST_STEP, 0, 0
        for run in _runs(self._blocks):
            n_runs += 1
            # The middle run of each step: a text's first lines are often unlike the others.
            if n_runs % step != step // 2:
                yield run
                continue
            self.runs.append(run)
            n_words += len(run.split())
            if n_words > self._words:
                # Every second run goes back: those left are as far apart as the next ones.
                step *= 2
                kept = [run for number, run in enumerate(self.runs) if number % 2 == 0]
                yield from self.runs[1::2]
                self.runs = kept
                n_words = sum(len(run.split()) for run in kept)

    def text(self) -> bytes:
        """The text held out, in one piece.

        Raises
        ------
        TrainingError
            If the text was too short to hold some out.
        """
        if not self.runs:
            least = (_FIRST_STEP // 2 - 1) * _LINES_PER_RUN
            raise TrainingError(
                f"the text has {least} lines or fewer, too few to hold some of it out: give more "
                "text, or a development text"
            )
        return b"".join(self.runs)


def _runs(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a text, some at a time, however it is cut into blocks."""
    lines: list[bytes] = []
    for block in blocks:
        lines += bytes(block).splitlines(keepends=True)
        for start in range(0, len(lines) - _LINES_PER_RUN, _LINES_PER_RUN):
            yield b"".join(lines[start : start + _LINES_PER_RUN])
        rest = max(0, len(lines) - 1) // _LINES_PER_RUN * _LINES_PER_RUN
        lines = lines[rest:]
    if lines:
        # Another run may follow it after all.
        yield b"".join(lines).removesuffix(b"\n") + b"\n"
