"""How commands ended, and what was not as it should be, counted for a table."""

from collections import Counter
from collections.abc import Sequence

from jobs import Job, Run

_LINES_SHOWN = 12


class Tally:
    """Of all commands.

    Attributes
    ----------
    ends : Counter of (str, str)
        By a command's name and what befell it.
    troubles : Counter of str
    """

    def __init__(self) -> None:
        self.ends: Counter[tuple[str, str]] = Counter()
        self.troubles: Counter[str] = Counter()

    def note(self, job: Job, what: str, moment: str, troubles: Sequence[str], run: Run) -> None:
        """Count what went wrong, and print what the command said when it does so the first time.

        Parameters
        ----------
        job : Job
        what : str
            Was done to it.
        moment : str
            The same with what is not told apart in the table, such as a size.
        troubles : sequence of str
            What stands behind a colon in one is not told apart either.
        run : Run
        """
        for trouble in troubles:
            name = f"{job.name}: {what}: {trouble.split(':')[0]}"
            if name not in self.troubles:
                said = run.said.splitlines()[-_LINES_SHOWN:]
                print(f"--- {job.name}: {moment}: {trouble}", *said, sep="\n", flush=True)
            self.troubles[name] += 1

    def print_table(self, jobs: Sequence[Job], columns: Sequence[str]) -> None:
        """A row for each command, and below what went wrong how often."""
        print(f"{'command':22}", *(f"{one:>9}" for one in columns))
        for job in jobs:
            print(f"{job.name:22}", *(f"{self.ends[job.name, one]:9}" for one in columns))
        totals = [sum(self.ends[job.name, one] for job in jobs) for one in columns]
        print(f"{'all':22}", *(f"{one:9}" for one in totals))
        print(f"troubles: {self.troubles.total()}")
        for trouble, times in self.troubles.most_common():
            print(f"{times:4}  {trouble}")
