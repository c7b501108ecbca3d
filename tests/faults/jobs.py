"""Commands that write a file, what they need, and what they write when nothing disturbs them."""

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from small_bitext import bitext, pharaoh
from small_model import training_text

COMMAND = [sys.executable, "-W", "ignore", "-m", "truecase"]

#: What stands under the name of the output before a command begins.
OLD = b"what was there before\n"

#: After which a command is taken to be stuck: each takes a few when nothing disturbs it.
SECONDS = 120.0

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Job:
    """A command.

    Attributes
    ----------
    name : str
    arguments : tuple of str
        Files are in the folder of the materials; the output, named by ``-o``, is in the working
        directory.
    output : str
        Its name.
    """

    name: str
    arguments: tuple[str, ...]
    output: str

    @property
    def is_program(self) -> bool:
        """Whether it is no command, but somebody's program."""
        return self.arguments[0].endswith(".py")


@dataclass
class Run:
    """A command that has ended.

    Attributes
    ----------
    code : int
        Its exit code, or minus the signal.
    said : str
        On standard error.
    output : bytes or None
        The file; None if there is none.
    left : list of str
        Names beside the output, in its folder and in that of temporary files.
    is_stuck : bool
        It did not end by itself; what it said ends with the Python functions that it was in.
    """

    code: int
    said: str
    output: bytes | None
    left: list[str] = field(default_factory=list)
    is_stuck: bool = False


def jobs_in(folder: Path, n_lines: int = 3000) -> list[Job]:
    """The commands, after their materials have been made.

    Parameters
    ----------
    folder : Path
        Where the materials go.
    n_lines : int
        Of the text to train on.
    """
    materials = _Materials(folder, n_lines)
    here = {name: str(folder / name) for name in os.listdir(folder)}
    text, lower, dev = here["text.txt"], here["lower.txt"], here["dev.txt"]
    model, base, words = here["ngram.truecase"], here["neural.truecase"], here["all.words"]
    parts = [here[name] for name in materials.ngram_parts]
    aligned = ["--source", here["source.txt"], "--alignment", here["links.txt"]]

    def job(name: str, *arguments: str, output: str = "out") -> Job:
        return Job(name, (*arguments, "-o", output), output)

    neural = ["--preset", "crf-neural", "--folds", "2", "--epochs", "1"]
    return [
        job("train", "train", text),
        job("train, spools", "train", text, "--memory", "64M", "-j", "2"),
        job("train, portage", "train", text, "--preset", "portage", "--keep-ngrams"),
        job("train, crf", "train", dev, "--preset", "crf"),
        job("train, crf-neural", "train", dev, *neural, "-j", "2"),
        job("train, bilingual", "train", "--preset", "bilingual", *aligned,
            "--target", here["target.txt"]),
        job("train of counts", "train", "--counts", here["all.counts"]),
        job("count words", "train", "count", text),
        job("count n-grams", "train", "count", text, "--words", words),
        job("merge words", "train", "merge", *(here[name] for name in materials.word_parts)),
        job("merge n-grams", "train", "merge", *parts[:4]),
        job("merge many", "train", "merge", *parts),
        job("adapt", "train", "adapt", base, "--corpus", dev),
        job("adapt, names", "train", "adapt", base, "--names", here["names.txt"]),
        job("train marks", "train", "marks", base, here["said.txt"],
            "--units", "16", "--passes", "1"),
        job("calibrate", "train", "calibrate", base, dev),
        job("apply", "-i", lower, "-m", model),
        job("apply, gz", "-i", lower, "-m", model, "-j", "2", output="out.gz"),
        job("apply, tags", "-i", lower, "-m", model, "--confidence"),
        job("apply, documents", "-i", dev, "-m", base, "--context", "document"),
        job("apply, source", "-i", here["target.txt"], "-m", model, *aligned),
        job("punctuate", "punctuate", "-i", lower),
        job("marks", "text", "marks", "shift", "-i", text),
        job("table, csv", "table", here["t.csv"], "-m", model, "--column", "text", output="o.csv"),
        job("table, jsonl", "table", here["t.jsonl"], "-m", model, "--column", "text",
            output="o.jsonl"),
        job("table, parquet", "table", here["t.parquet"], "-m", model, "--column", "text",
            "-j", "2", output="o.parquet"),
        job("table, arrow", "table", here["t.arrow"], "-m", model, "--column", "text",
            output="o.arrow"),
        job("file, srt", "file", here["t.srt"], "-m", model),
        job("file, marks", "file", here["t.srt"], "--punctuate"),
        job("file, json", "file", here["t.json"], "-m", model, "--target-language", "en"),
        job("sentence-case", "text", "sentence-case", here["t.bib"], "-m", model,
            "--format", "bibtex"),
        job("review", "review", dev, "-m", model, output="page.html"),
        job("normalize", "text", "normalize", "--train", text, "-i", text),
        job("capitalize", "text", "capitalize", "-i", text),
        Job("save", (str(_HERE / "save.py"), base, "saved.truecase"), "saved.truecase"),
    ]  # fmt: skip


class _Materials:
    """The files that commands read."""

    def __init__(self, folder: Path, n_lines: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        text = training_text(n_lines)
        lines = text.splitlines()
        dev = training_text(max(n_lines // 5, 400), seed=4)
        draw = random.Random(1)
        quoted = [json.dumps(line.lower()) for line in lines]
        pairs = bitext(max(n_lines // 5, 400))
        contents = {
            "text.txt": text,
            "lower.txt": text.lower() * 10,
            "dev.txt": dev,
            "said.txt": "Well, is it so? Yes, it is. They said that Mary knows.\n" * (n_lines // 2),
            "names.txt": "FooBar\nPost of Lyon\n!npm\n",
            "source.txt": pairs.source.decode(),
            "target.txt": pairs.target.decode(),
            "links.txt": pharaoh(pairs).decode(),
            "t.csv": "id,text\n"
            + "".join('{},"{}"\n'.format(i, x.replace('"', "'")) for i, x in enumerate(lines)),
            "t.jsonl": "".join(f'{{"text": {one}}}\n' for one in quoted),
            "t.json": "{" + ",\n".join(f'"k{i}": {one}' for i, one in enumerate(quoted)) + "}\n",
            "t.srt": "".join(
                f"{i}\n00:00:01,000 --> 00:00:02,000\n{line}\n\n" for i, line in enumerate(lines, 1)
            ),
            "t.bib": "".join(
                f"@book{{b{i}, title = {{The {draw.choice(('Post', 'Bridge'))} of Lyon}}}}\n"
                for i in range(n_lines // 5)
            ),
        }
        for name, content in contents.items():
            (folder / name).write_text(content, encoding="utf-8")
        self._tables(lines)
        self._models()
        self.word_parts, self.ngram_parts = self._counts(lines)

    def _tables(self, lines: list[str]) -> None:
        import pyarrow as pa
        import pyarrow.feather
        import pyarrow.parquet

        table = pa.table({"text": [line.lower() for line in lines]})
        pyarrow.parquet.write_table(table, self._folder / "t.parquet", row_group_size=1000)
        pyarrow.feather.write_feather(table, str(self._folder / "t.arrow"), compression="lz4")

    def _models(self) -> None:
        neural = ["--preset", "crf-neural", "--folds", "2", "--epochs", "1"]
        self._run("train", "text.txt", "-o", "ngram.truecase")
        self._run("train", "dev.txt", *neural, "-o", "neural.truecase")

    def _counts(self, lines: list[str]) -> tuple[list[str], list[str]]:
        """Counts of few long parts, and of more parts than are opened at a time."""
        from truecase.training.count_text import count_text, merge_counts

        words, ngrams = [], []
        for part in range(140):
            name = f"part{part}"
            with open(self._folder / name, "w", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines[part::140])
            words.append(f"{name}.words")
            count_text([self._folder / name], self._folder / words[-1])
        merge_counts([self._folder / name for name in words], self._folder / "all.words")
        for part in range(140):
            ngrams.append(f"part{part}.counts")
            count_text(
                [self._folder / f"part{part}"],
                self._folder / ngrams[-1],
                words=self._folder / "all.words",
            )
        merge_counts([self._folder / name for name in ngrams], self._folder / "all.counts")
        return words, ngrams

    def _run(self, *arguments: str) -> None:
        subprocess.run(
            [*COMMAND, *arguments], cwd=self._folder, check=True, stderr=subprocess.DEVNULL
        )


class Desk:
    """A folder in which commands work, one at a time.

    Parameters
    ----------
    folder : Path
        Has two folders afterwards: of the output, and of temporary files.
    """

    def __init__(self, folder: Path) -> None:
        self.here, self.temporary = folder / "here", folder / "temporary"
        for one in (self.here, self.temporary):
            one.mkdir(parents=True, exist_ok=True)

    def lay(self, job: Job) -> None:
        """Put the old file in its place."""
        (self.here / job.output).write_bytes(OLD)

    def command(self, job: Job) -> list[str]:
        if job.is_program:
            return [*COMMAND[:3], *job.arguments]
        return [*COMMAND, *job.arguments]

    def start(self, job: Job, **options: object) -> "subprocess.Popen[bytes]":
        """Begin a command; standard output is dropped."""
        environment = {
            **os.environ,
            "TMPDIR": str(self.temporary),
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
            # A crash tells where it was.
            "PYTHONFAULTHANDLER": "1",
        }
        return subprocess.Popen(
            self.command(job),
            cwd=self.here,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            **options,  # type: ignore[call-overload]
        )

    def ended(self, job: Job, process: "subprocess.Popen[bytes]", seconds: float = SECONDS) -> Run:
        """Wait for the end, or bring it about, and look at what there is."""
        is_stuck = False
        try:
            said = process.communicate(timeout=seconds)[1]
        except subprocess.TimeoutExpired:
            is_stuck = True
            process.send_signal(signal.SIGABRT)
            try:
                said = process.communicate(timeout=seconds)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                said = process.communicate()[1]
        output = self.here / job.output
        return Run(
            process.returncode,
            said.decode("utf-8", "replace"),
            output.read_bytes() if output.exists() else None,
            self.left(job),
            is_stuck,
        )

    def run(self, job: Job, seconds: float = SECONDS, **options: object) -> Run:
        """Start a command, and wait for its end."""
        return self.ended(job, self.start(job, **options), seconds)

    def left(self, job: Job) -> list[str]:
        """What is there besides the output."""
        return sorted(
            [name for name in os.listdir(self.here) if name != job.output]
            + [f"temporary/{name}" for name in os.listdir(self.temporary)]
        )

    def clear(self) -> None:
        """Take everything away."""
        import shutil

        for folder in (self.here, self.temporary):
            shutil.rmtree(folder)
            folder.mkdir()


def chosen(jobs: Sequence[Job], names: Sequence[str]) -> list[Job]:
    """Those whose name begins like one of `names`; all without names."""
    return [job for job in jobs if not names or any(job.name.startswith(name) for name in names)]
