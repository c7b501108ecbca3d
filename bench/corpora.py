"""The texts of the benchmarks, named by checksum so that figures say what they were taken on."""

import hashlib
import random
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from truecase.errors import ReadError

GENERATED = Path("generated")
GENERATED_WORDS = 400_000

# Templates of the fallback text: anything real needs --corpus.
SUBJECTS = "the minister|our neighbour|mary o'brien|dr. okafor|nobody|the bbc|a spokeswoman for ibm"
VERBS = "said that|doubted whether|wrote to the guardian that|could not explain why|was told that"
THINGS = "the bridge|a parcel from lyon|her iphone|the 3.15 train|every e-mail|the new york office"
ENDS = "would be late on friday .|cost $ 4.50 in may|didn't work !|belonged to unesco , didn't it ?"
SYLLABLES = "ka lo mi ren sta vu del bor ith an que os tra pel gund wy che fa zor el mun dri"


@dataclass(frozen=True)
class Corpus:
    """A text, as it was written and lowercased.

    Attributes
    ----------
    name : str
        File name, or ``generated`` for the fallback text.
    text : bytes
        Whole lines of UTF-8.
    """

    name: str
    # Kept out of repr, and so out of the JSON that pytest-benchmark writes: it may be large, or not
    # ours to publish.
    text: bytes = field(repr=False)

    @cached_property
    def lower(self) -> bytes:
        """The same text lowercased, as decoders get it."""
        return (
            self.text.decode("utf-8", "surrogateescape").lower().encode("utf-8", "surrogateescape")
        )

    @cached_property
    def checksum(self) -> str:
        """First eight hex digits of the SHA-256 of the text."""
        return hashlib.sha256(self.text).hexdigest()[:8]

    @cached_property
    def spoken(self) -> "Corpus":
        """The same lines without marks, as speech has none."""
        from truecase.rules.punctuation import take_off_marks

        text = take_off_marks(self.text.decode("utf-8", "surrogateescape"))
        return Corpus(f"{self.name}, no marks", text.encode("utf-8", "surrogateescape"))

    @property
    def label(self) -> str:
        """Name and checksum."""
        return f"{self.name}-{self.checksum}"

    def head(self, n_words: int) -> "Corpus":
        """First lines with at least `n_words` words between them."""
        seen, end = 0, 0
        for line in self.text.splitlines(keepends=True):
            if seen >= n_words:
                break
            seen += len(line.split())
            end += len(line)
        return Corpus(self.name, self.text[:end])

    def settings(self) -> dict[str, object]:
        """What ``extra_info`` says about the text."""
        facts = {"corpus": self.label, "words": len(self.text.split()), "bytes": len(self.text)}
        if self.name == "generated":
            facts["note"] = "generated text with a small vocabulary: use --corpus for real figures"
        return facts


@dataclass(frozen=True)
class Bitext:
    """A text, the sentences that it is a translation of, and the links of their words."""

    target: Corpus
    source: bytes = field(repr=False)
    alignment: bytes = field(repr=False)


def read_bitext(source: Path, target: Path, alignment: Path) -> Bitext:
    """The three files, as they are."""
    return Bitext(
        Corpus(target.name, target.read_bytes()), source.read_bytes(), alignment.read_bytes()
    )


def same_on_both_sides(corpus: Corpus) -> Bitext:
    """A text as its own source, each word aligned with itself."""
    lines = corpus.text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    alignment = "".join(
        " ".join(f"{i}-{i}" for i in range(len(line.split()))) + "\n" for line in lines
    )
    return Bitext(corpus, corpus.text, alignment.encode())


def generated(n_words: int = GENERATED_WORDS) -> Corpus:
    """Make the fallback text: templates with invented names, the same in every run."""
    draw = random.Random(4)
    names = ["".join(draw.choices(SYLLABLES.split(), k=draw.randint(2, 4))) for _ in range(20_000)]
    lists = [part.split("|") for part in (SUBJECTS, VERBS, THINGS, ENDS)]
    lines, n = [], 0
    while n < n_words:
        subject, verb, thing, end = map(draw.choice, lists)
        name = names[min(int(draw.paretovariate(0.5)), len(names)) - 1]
        line = f"{subject} {verb} {thing} of {name.capitalize()} {end}"
        lines.append(line[0].upper() + line[1:])
        n += len(line.split())
    return Corpus("generated", "\n".join(lines).encode() + b"\n")


def read(paths: list[Path], megabytes: float) -> list[Corpus]:
    """Read the texts (``*.txt`` of a folder, or files), each to at most `megabytes`.

    Parameters
    ----------
    paths : list of Path
        Empty, or ``generated`` among them: the generated text.
    megabytes : float
        Longer texts are cut after the last whole line within it.

    Raises
    ------
    OSError, ReadError
        A file is missing or has no words, or a folder has no files.
    """
    own = [path for path in paths if path != GENERATED]
    limit = int(megabytes * 1e6)
    corpora = []
    for path in own:
        files = sorted(path.glob("*.txt")) if path.is_dir() else [path]
        if not files:
            raise ReadError(f"{path}: there is no *.txt in this folder")
        for file in files:
            with file.open("rb") as stream:
                text = stream.read(limit)
                end = text.rfind(b"\n") + 1 if stream.read(1) else len(text)
            if not text.split():
                raise ReadError(f"{file}: there is no word in it")
            corpora.append(Corpus(file.stem, text[:end] or text))
    return corpora if own and own == paths else [*corpora, generated()]
