"""Steps of training, as a progress bar and the log have them."""

from truecase.base.light import log
from truecase.base.progress import Progress
from truecase.training.fit_to_size import Report


def reporter(progress: Progress | None) -> Report:
    """Tells a progress bar of steps and of the share of each that is done; the log of steps."""
    last = ""

    def report(step: str, share: float | None) -> None:
        nonlocal last
        if step != last:
            log("info", __name__, step)
            last = step
        if progress is not None:
            progress.phase(step if share is None else f"{step} {share:.0%}")

    return report
