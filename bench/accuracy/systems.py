"""What is judged: the models of this package that are installed, and the peers that are there."""

import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from peers import PythonPeer

import truecase
from truecase.model.embedded import EMBEDDED, installed_models, model_file
from truecase.truecaser import Truecaser

#: A round takes at least so many words: few would be timed by chance.
WORDS_OF_A_ROUND = 50_000
ROUNDS = 3
# Words and marks apart, as trainable peers want them.
TOKEN = re.compile(r"\w+(?:[-'’.&]\w+)*|[^\w\s]")


class Ours:
    """A model of this package, or a part of it.

    Parameters
    ----------
    name : str
        Of its row.
    language : str
    model : str or None
        A file, or the name of a model; None is the embedded one.
    decode_with : {"ngram", "unigram"}, optional
    """

    def __init__(
        self, name: str, language: str, model: str | None, decode_with: str | None = None
    ) -> None:
        self.name = name
        self.language = language
        self._truecaser = Truecaser.load(model, decode_with=decode_with)
        self._file = Path(model_file(model))
        self._is_part = decode_with is not None
        self.version = truecase.__version__

    def size(self) -> int:
        """Bytes of a file with what decodes alone."""
        if not self._is_part:
            return self._file.stat().st_size
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "part.truecase"
            self._truecaser.save(path)
            return path.stat().st_size

    def case(self, lines: list[str]) -> tuple[list[str], float]:
        """The lines, cased, and words per second of CPU time."""
        block = ("\n".join(lines) + "\n").encode()
        n_words = sum(len(line.split()) for line in lines)
        times = max(1, WORDS_OF_A_ROUND // max(1, n_words))
        best = float("inf")
        for _ in range(ROUNDS):
            start = time.process_time()
            for _ in range(times):
                cased = self._truecaser.case_block(block)
            best = min(best, time.process_time() - start)
        return cased.decode().removesuffix("\n").split("\n"), times * n_words / max(best, 1e-9)

    def judged(self, lowered: list[str], right: list[str]) -> Iterator[tuple[float, bool]] | None:
        """Of each word how sure the model is, and whether it is right; None: it does not tell."""
        if self._truecaser.model.lm is None:
            return None
        return judged(self._truecaser, lowered, right)

    def close(self) -> None:
        """Nothing is left open."""


def judged(
    truecaser: Truecaser, lowered: Iterable[str], right: Iterable[str]
) -> Iterator[tuple[float, bool]]:
    """The posterior of each word as it comes out, and whether it is right.

    Parameters
    ----------
    truecaser : Truecaser
    lowered, right : iterable of str
        The same lines, character by character, without and with their case.
    """
    for given, line in zip(lowered, right, strict=True):
        for words in truecaser.posteriors(given):
            for word in words:
                yield word.posterior, word.text == line[word.start : word.end]


class Peer:
    """Another truecaser, in an environment of its own.

    Parameters
    ----------
    name : str
        Of its row.
    language : str
    key : str
        Of ``PEERS`` in peer_server.py.
    python : str
        Interpreter of the environment that has it.
    train : Path, optional
        Cased text that it learns from.
    """

    def __init__(
        self, name: str, language: str, key: str, python: str, train: Path | None = None
    ) -> None:
        self._peer = PythonPeer(key, python)
        self.name = name
        self.language = language
        self.version = self._peer.version
        if train is not None:
            with tempfile.TemporaryDirectory() as folder:
                tokenised = Path(folder) / "train.txt"
                with (
                    train.open(encoding="utf-8") as text,
                    tokenised.open("w", encoding="utf-8") as file,
                ):
                    file.writelines(tokens_of(line) + "\n" for line in text)
                self._peer.request("train", tokenised)

    def size(self) -> int:
        """Bytes of its model."""
        return self._peer.size()

    def case(self, lines: list[str]) -> tuple[list[str], float]:
        """The lines, cased, with the input's white space, and words per second of CPU time."""
        n_words = sum(len(line.split()) for line in lines)
        with tempfile.TemporaryDirectory() as folder:
            given, out = Path(folder) / "given", Path(folder) / "out"
            given.write_text("\n".join(map(tokens_of, lines)) + "\n", "utf-8", newline="\n")
            answer = self._peer.request("case", given, out)
            cased = out.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
        return cased, n_words / max(answer["cpu"], 1e-9)

    def judged(self, lowered: list[str], right: list[str]) -> None:
        """It does not tell how sure it is."""

    def close(self) -> None:
        """End its process."""
        self._peer.close()


def tokens_of(line: str) -> str:
    """Words and marks with a space between them."""
    return " ".join(TOKEN.findall(line))


def laid_out(given: str, cased: str) -> str | None:
    """What a system made of a line, with the line's own white space; None if letters are missing.

    Letters that are others than before are judged as they are: wrong, with the word they are in.
    """
    letters = "".join(cased.split())
    if len(letters) != sum(not c.isspace() for c in given):
        return None
    at = iter(letters)
    return "".join(c if c.isspace() else next(at) for c in given)


def models_of(languages: Iterable[str]) -> Iterator[Ours]:
    """The models of some languages that are there, whole and in parts."""
    there = {EMBEDDED[0], *installed_models()}
    for language in languages:
        if language not in there:
            print(f"left out: no model for {language} is installed", file=sys.stderr)
        else:
            yield Ours(f"truecase {language}", language, language)
            yield Ours(f"truecase {language}, its n-grams", language, language, "ngram")
            yield Ours(f"truecase {language}, its lexicon", language, language, "unigram")
