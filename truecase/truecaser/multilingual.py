"""Case each line, or document, with the model of its language.

The language of a line is the one whose model finds the line's words likeliest. A word's probability
is its share of a model's training text, whatever its case. Unknown words share the probability of
the model's word classes, and are less likely if the language lacks one of their letters.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from truecase.base.argument_types import check_arguments, check_threads
from truecase.base.model_file import read_weights
from truecase.base.threads import ordered_map
from truecase.errors import LanguagesError, ModelError, ReadError, WrongTypeError, named
from truecase.kernels.text import line_slices, lines_of, split_lines
from truecase.model.embedded import EMBEDDED, installed_models
from truecase.truecaser import Truecaser, arguments
from truecase.truecaser.document import (
    CasesParts,
    between_separators,
    case_documents,
    checked_separator,
    document_blocks,
)

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Buffer, Unpack

    from truecase.evaluation.words import WordPosterior
    from truecase.options import Casing, CasingOptions, DecodeWith, InputCase, SentenceStart, Style
    from truecase.truecaser.column import CasedColumn, Column
    from truecase.truecaser.punctuation import LineBreaks

#: Letters of languages beyond a to z: the main exemplar characters of CLDR. A language that is not
#: here may have any letter.
ALPHABETS: dict[str, str] = read_weights("languages")["letters"]


def letters_of(language: str) -> frozenset[str] | None:
    """Letters of a language (``de``, ``pt-BR``) beyond a to z, in both cases; None: any letter."""
    letters = ALPHABETS.get(language.partition("-")[0])
    return None if letters is None else frozenset(letters + letters.upper())


#: The share of one unknown word in the probability of all of them; found on development text of
#: ten languages (docs/experiments/languages.md).
ONE_UNKNOWN = 3e-6
#: A line is undecided unless a language is likelier than any other by so many nats.
LEAST_MARGIN = 3.0
#: A line is undecided if its language's model knows a smaller share of its words.
LEAST_KNOWN = 1 / 3
#: Nats by which an unknown word is less likely if the language lacks one of its letters; found in
#: the same way.
OTHER_LETTER = 6.0

_WORDS = re.compile(r"[^\W\d_]+|\n")
_ASCII = re.compile("[A-Za-z]+")


@dataclass(frozen=True)
class LineLanguages:
    """The languages of some lines.

    Attributes
    ----------
    best : int ndarray
        The index of each line's likeliest language.
    is_sure : bool ndarray
        Whether the words of the line decide its language.
    """

    best: npt.NDArray[np.intp]
    is_sure: npt.NDArray[np.bool_]


class LanguageIdentifier:
    """Identifies languages by the words of their models. Any number of threads may use it.

    Parameters
    ----------
    truecasers : mapping of str to Truecaser
        By the names of their languages.

    Raises
    ------
    ModelError
        A model does not say how many words it was trained on.
    """

    def __init__(self, truecasers: Mapping[str, Truecaser]) -> None:
        self._truecasers = list(truecasers.values())
        self._letters = [letters_of(name) for name in truecasers]
        self._n_words = []
        self._unknown = []
        for name, truecaser in truecasers.items():
            n_words = truecaser.about()["tokens"]
            if not isinstance(n_words, int) or n_words < 1:
                raise ModelError(
                    f"{name}: this model does not say how much text it was trained on, so that "
                    "its language cannot be told from others"
                )
            classes = truecaser.model.lexicon.arrays["classes.probability_ln"]
            unknown = float(np.exp(classes.astype(np.float64)).sum())
            self._n_words.append(n_words)
            # A model that leaves nothing to unknown words would rule its language out.
            self._unknown.append(ONE_UNKNOWN * max(unknown, 1e-4))

    def identify(self, lines: Sequence[str]) -> LineLanguages:
        """Identify the language of each line by itself; its case and line feeds are ignored."""
        if not lines:
            return LineLanguages(np.empty(0, np.intp), np.empty(0, np.bool_))
        number: dict[str, int] = {"\n": 0}
        words = _WORDS.findall("".join(line.replace("\n", " ") + "\n" for line in lines))
        ids = np.array([number.setdefault(word, len(number)) for word in words], np.intp)
        likely, known = self._of_words(list(number)[1:])
        ends = np.flatnonzero(ids == 0)
        scores = _line_sums(likely, ids, ends)
        n_known = _line_sums(known, ids, ends)
        n_words = np.diff(ends, prepend=-1) - 1
        best = scores.argmax(axis=0)
        places = np.arange(len(lines))
        # The best score is the last of the sorted ones.
        second = np.partition(scores, -2, axis=0)[-2] if len(scores) > 1 else -np.inf
        margin = scores[best, places] - second
        knows = n_known[best, places] >= LEAST_KNOWN * n_words
        return LineLanguages(best, (margin >= LEAST_MARGIN) & knows & (n_words > 0))

    def _of_words(
        self, words: list[str]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Log-probability of the line end and each word by each model; 1 where a word is known."""
        shape = (len(self._truecasers), 1 + len(words))
        likely, known = np.zeros(shape), np.zeros(shape)
        block = " ".join(words).encode()
        # All words have few combinations of letters beyond a to z.
        number: dict[str, int] = {}
        odds = _ASCII.sub("", "\n".join(words)).split("\n")
        odd = np.array([number.setdefault(one, len(number)) for one in odds], np.intp)
        seen = [frozenset(letters) for letters in number]
        for place, truecaser in enumerate(self._truecasers):
            counts = truecaser.training_counts(block)
            if len(counts) != len(words):
                # Letters of several scripts may be several words.
                counts = [truecaser.training_count(word) for word in words]
            share = np.array(counts, np.float64) / self._n_words[place]
            known[place, 1:] = share > 0
            letters = self._letters[place]
            is_other = [letters is not None and not one <= letters for one in seen]
            other = np.array(is_other, np.bool_)[odd] & (share == 0)
            likely[place, 1:] = np.log(np.maximum(share, self._unknown[place]))
            likely[place, 1:] -= OTHER_LETTER * other
        return likely, known


def _line_sums(
    of_words: npt.NDArray[np.float64], ids: npt.NDArray[np.intp], ends: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """Sums over the words of each line, which end at `ends`, for each model."""
    sums = np.cumsum(of_words[:, ids], axis=1)[:, ends]
    return np.diff(sums, axis=1, prepend=0.0)


#: Bytes of lines whose languages are identified at a time.
_PART = 1 << 18
# Names of models that are codes of languages: de, pt-BR; but not minutes-de.
_CODE = re.compile(r"[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?")


_Item = TypeVar("_Item")
_Made = TypeVar("_Made")


class MultilingualTruecaser:
    """Restores the case of text whose lines are in several languages.

    A line gets the language whose model finds its words likeliest. A line that is too short to
    decide, or in a language without a model, gets the language of the line before; the first lines
    of a text get their likeliest language. Any number of threads may use it.

    Parameters
    ----------
    truecasers : mapping of str to Truecaser
        By the codes of their languages, two or more.

    Raises
    ------
    LanguagesError
        There are fewer than two.
    ModelError
        A model does not say how many words it was trained on.
    """

    def __init__(self, truecasers: Mapping[str, Truecaser]) -> None:
        check_arguments(MultilingualTruecaser.__init__, locals())
        if len(truecasers) < 2:
            raise LanguagesError(
                f"languages: expected two or more to choose from, found {len(truecasers)}"
            )
        self._names = tuple(truecasers)
        self._truecasers = tuple(truecasers.values())
        self._identifier = LanguageIdentifier(truecasers)

    def __repr__(self) -> str:
        return f"<MultilingualTruecaser: {', '.join(self._names)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (dict(zip(self._names, self._truecasers, strict=True)),)

    @classmethod
    def load(
        cls,
        languages: Iterable[str] | None = None,
        *,
        decode_with: DecodeWith | None = None,
        copy: bool | None = None,
    ) -> MultilingualTruecaser:
        """Load the models of languages.

        Parameters
        ----------
        languages : iterable of str, optional
            Names of models; by default English and all installed models named by the code of a
            language.
        decode_with, copy
            As for `Truecaser.load`.

        Raises
        ------
        LanguagesError
            There are fewer than two.
        FileNotFoundError, ModelError, WrongTypeError
            A model is not installed, or is broken; `languages` is a single str.
        """
        given = installed_languages() if languages is None else languages
        names = list(dict.fromkeys(arguments.checked_texts(given, "languages")))
        if languages is None and len(names) < 2:
            raise LanguagesError(
                "no model but the English one is installed, so there is no language to choose: "
                "truecase info --languages says how to get others"
            )
        return cls({n: Truecaser.load(n, decode_with=decode_with, copy=copy) for n in names})

    @property
    def language(self) -> str:
        """The usual mapping between cases: the languages may have different ones."""
        return ""

    @property
    def languages(self) -> tuple[str, ...]:
        """The names of the models."""
        return self._names

    @property
    def casing(self) -> Casing:
        """The options of the first model, and of all of them after `with_casing`."""
        return self._truecasers[0].casing

    def languages_of(self, lines: Iterable[str]) -> list[str]:
        """Identify the language of each line of a text; a line may get that of the line before."""
        places, _ = self._follow(arguments.checked_texts(lines, "lines"), None)
        return [self._names[place] for place in places]

    def with_casing(self, **options: Unpack[CasingOptions]) -> MultilingualTruecaser:
        """Make a truecaser of these languages with other options; see `Truecaser.with_casing`."""
        return self._with(each.with_casing(**options) for each in self._truecasers)

    def with_names(
        self, files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
    ) -> MultilingualTruecaser:
        """Make a truecaser whose languages know the names of files, or of their columns."""
        casers = list(self._truecasers)
        for file in [files] if isinstance(files, str | os.PathLike) else files:
            refusals = []
            for place, caser in enumerate(casers):
                try:
                    casers[place] = caser.with_names(file)
                except ReadError as error:
                    refusals.append(error)
            if len(refusals) == len(casers):
                raise refusals[0]
        return self._with(casers)

    def with_agreed_names(self, blocks: Iterable[str]) -> MultilingualTruecaser:
        """Make a truecaser that writes the unknown words of a text alike, by its languages."""
        lines: list[list[str]] = [[] for _ in self._truecasers]
        for text in blocks:
            found = split_lines(text)
            for line, place in zip(found, self._follow(found, None)[0], strict=True):
                lines[place].append(line)
        return self._with(map(Truecaser.with_agreed_names, self._truecasers, lines))

    def _with(self, truecasers: Iterable[Truecaser]) -> MultilingualTruecaser:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._truecasers = tuple(truecasers)
        return made

    def __call__(
        self,
        text: str,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        sentence_start: SentenceStart | None = None,
    ) -> str:
        """Case one text, line by line, as `case_block` does."""
        block = arguments.encode(arguments.checked_text(text, "text"))
        cased = self.case_block(block, 1, input_case, style, sentence_start=sentence_start)
        return arguments.decode(cased)

    def batch(
        self,
        lines: Iterable[str],
        threads: int = 1,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        sentence_start: SentenceStart | None = None,
    ) -> list[str]:
        """Case many texts, as `Truecaser.batch`; a text may get the language of the text before."""
        casers = self.with_casing(
            input_case=input_case, style=style, sentence_start=sentence_start
        )._truecasers
        texts = arguments.checked_texts(lines, "lines")
        check_threads(threads)
        places, _ = self._follow(texts, None)
        return _by_place(
            places, texts, lambda place, of_place: casers[place].batch(of_place, threads)
        )

    def column(
        self,
        column: object,
        threads: int = 1,
        *,
        source: object = None,
        alignment: object = None,
        language: object = None,
        confidence: bool = False,
        **casing: Unpack[CasingOptions],
    ) -> Column | CasedColumn:
        """Case a column of text, as `Truecaser.column`, each row by the model of its language.

        A row whose `language` is null or empty gets the language in whose model its words are
        likeliest, whatever the rows before it.
        """
        from truecase.truecaser.column import truecase_column

        casers = self.with_casing(**casing)._truecasers
        return truecase_column(
            casers[0],
            column,
            threads,
            {"source": source, "alignment": alignment, "language": language},
            confidence=confidence,
            of_texts=lambda texts: [casers[i] for i in self._identifier.identify(texts).best],
        )

    def posteriors(self, text: str, **casing: Unpack[CasingOptions]) -> list[list[WordPosterior]]:
        """Return the words of each line by the model of its language, as `Truecaser.posteriors`."""
        check_arguments(MultilingualTruecaser.posteriors, locals())
        casers = self.with_casing(**casing)._truecasers
        lines = [line + "\n" for line in split_lines(text)]
        starts = list(accumulate(map(len, lines), initial=0))
        places, _ = self._follow(lines, None)

        def words(place: int, rows: list[int]) -> list[list[WordPosterior]]:
            found = casers[place].posteriors("".join(lines[i] for i in rows))
            begins = accumulate((len(lines[i]) for i in rows), initial=0)
            moves = [starts[i] - begin for i, begin in zip(rows, begins, strict=False)]
            return [
                [word._replace(start=word.start + by, end=word.end + by) for word in line]
                for line, by in zip(found, moves, strict=True)
            ]

        return _by_place(places, list(range(len(lines))), words)

    def punctuate_block(
        self,
        block: Buffer,
        *,
        lines: LineBreaks = "keep",
        marks: Iterable[str] | None = None,
        input_case: InputCase | None = None,
        threads: int = 1,
    ) -> bytes:
        """Punctuate texts, each by the model of its language; a blank line ends a text.

        Parameters and errors are those of `Truecaser.punctuate_block`; ModelError names the
        language whose model cannot punctuate.
        """
        given = bytes(arguments.checked_bytes(block, "block"))
        how = {"lines": lines, "marks": marks, "input_case": input_case, "threads": threads}
        return b"".join(self.punctuated([given], how))

    def punctuated(self, blocks: Iterable[bytes], how: dict[str, Any]) -> Iterator[bytes]:
        """Punctuate blocks of whole texts by the options of `punctuate_block`."""
        is_later = False
        for text in document_blocks(block[at] for block in blocks for at in line_slices(block, 0)):
            place = self._place(text)
            with named(self._names[place]):
                made = self._truecasers[place].punctuate_block(text, **how)
            # As in one stream, a blank line stands between texts.
            if is_later and made and how["lines"] == "sentences":
                yield b"\n"
            is_later = is_later or bool(made)
            yield made

    def missing_marks(
        self,
        texts: Iterable[str],
        marks: Iterable[str] | None = None,
        pauses: Sequence[Sequence[float | None]] | None = None,
    ) -> list[list[tuple[str, str]]]:
        """Do `Truecaser.missing_marks`, each text by the model of its language."""
        given = arguments.checked_texts(texts, "texts")
        if pauses is not None and len(pauses) != len(given):
            raise ValueError("pauses: expected one for each word of each text")
        places, _ = self._follow(given, None)

        def missing(place: int, rows: list[int]) -> list[list[tuple[str, str]]]:
            some = None if pauses is None else [pauses[i] for i in rows]
            with named(self._names[place]):
                return self._truecasers[place].missing_marks([given[i] for i in rows], marks, some)

        return _by_place(places, list(range(len(given))), missing)

    def case_block(
        self,
        block: Buffer,
        threads: int = 1,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        sentence_start: SentenceStart | None = None,
    ) -> bytes:
        """Case newline-separated lines, each in its language, as `Truecaser.case_block`."""
        functions = self.line_function(
            input_case=input_case, style=style, sentence_start=sentence_start
        )
        return _cased(functions, block, threads)

    def case_documents(
        self,
        block: Buffer,
        threads: int = 1,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        sentence_start: SentenceStart | None = None,
        separator: str | None = None,
    ) -> bytes:
        """Case a block of documents, each in its language, with sentences that run over line ends.

        The same bytes as by ``truecase apply -l auto --context document``.

        Parameters
        ----------
        block, threads, input_case, style, sentence_start
            As for `case_block`.
        separator : str, optional
            As for `Truecaser.document`.
        """
        functions = self.document_function(
            checked_separator(separator),
            input_case=input_case,
            style=style,
            sentence_start=sentence_start,
        )
        return _cased(functions, block, threads)

    def identified(self, blocks: Iterable[bytes]) -> Iterator[IdentifiedLines]:
        """Identify the languages of a text's lines, however they are cut into blocks."""
        before: int | None = None
        for block in blocks:
            lines = lines_of(block)
            places, before = self._follow(
                [line.decode("utf-8", "surrogateescape") for line in lines], before
            )
            yield IdentifiedLines(self._truecasers, lines, places)

    def line_function(self, **options: Unpack[CasingOptions]) -> CasesParts:
        """Make a function that cases lines of known languages, and one that identifies these."""
        return IdentifiedLines.cased, self.with_casing(**options).identified

    def document_function(
        self, separator: bytes | None, **options: Unpack[CasingOptions]
    ) -> CasesParts:
        """Make a function that cases blocks of documents, and one that cuts a text into these.

        Each document has one language; its sentences run over line ends, and a blank line ends it.

        Parameters
        ----------
        separator : bytes, optional
            A line that also ends a document.
        """
        casers = self.with_casing(**options)

        def case(text: bytes) -> bytes:
            texts = document_blocks(text[line] for line in line_slices(text, 0))
            return b"".join(map(casers._document, texts))

        return between_separators(case, separator)

    def _document(self, document: bytes) -> bytes:
        return case_documents(self._truecasers[self._place(document)].case_block, document)

    def _place(self, text: bytes) -> int:
        """Index of the likeliest language of a text as a whole."""
        found = self._identifier.identify([text.decode("utf-8", "surrogateescape")])
        return int(found.best[0])

    def _follow(self, lines: list[str], before: int | None) -> tuple[list[int], int | None]:
        """Index of each line's language, and of that of the last line that was decided."""
        found = self._identifier.identify(lines)
        places = []
        for best, is_sure in zip(found.best.tolist(), found.is_sure.tolist(), strict=True):
            if is_sure:
                before = best
            places.append(best if before is None else before)
        return places, before


class IdentifiedLines(NamedTuple):
    """Lines of a text, with their ends, and the index of each line's truecaser."""

    truecasers: tuple[Truecaser, ...]
    lines: list[bytes]
    places: list[int]

    def cased(self) -> bytes:
        """Case each line by the truecaser of its language."""
        cased: list[bytes] = _by_place(self.places, self.lines, self._case)
        return b"".join(cased)

    def _case(self, place: int, lines: list[bytes]) -> list[bytes]:
        # The last line of a text may have no end; its case must not depend on that.
        block = b"".join(line.removesuffix(b"\n") + b"\n" for line in lines)
        cased = lines_of(self.truecasers[place].case_block(block))
        if not lines[-1].endswith(b"\n"):
            cased[-1] = cased[-1][:-1]
        return cased


def _by_place(
    places: list[int], items: list[_Item], case: Callable[[int, list[_Item]], list[_Made]]
) -> list[_Made]:
    """Case the items of each place at once, and put them back in order."""
    cased: list[Any] = list(items)
    for place in dict.fromkeys(places):
        chosen = [i for i, other in enumerate(places) if other == place]
        for i, item in zip(chosen, case(place, [items[i] for i in chosen]), strict=True):
            cased[i] = item
    return cased


def loaded(model: Any) -> Any:
    """Load a model by its path or name, or by ``auto``; return any other truecaser as it is."""
    if isinstance(model, str) and model == "auto":
        return MultilingualTruecaser.load()
    if model is None or isinstance(model, str | os.PathLike):
        return Truecaser.load(model)
    if not hasattr(model, "case_block"):
        raise WrongTypeError(f"model: expected a truecaser or a path, found {type(model).__name__}")
    return model


def installed_languages() -> list[str]:
    """List English, and the languages whose models other packages bring."""
    return [EMBEDDED[0], *filter(_CODE.fullmatch, installed_models())]


def _cased(functions: CasesParts, block: Buffer, threads: int) -> bytes:
    check_threads(threads)
    function, regroup = functions
    text = bytes(arguments.checked_bytes(block, "block"))
    parts = regroup(text[part] for part in line_slices(text, _PART))
    return b"".join(ordered_map(function, parts, threads))
