"""Case each line, or document, with the model of its language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, AnyStr, NamedTuple

from truecase.base.threads import ordered_map
from truecase.errors import LanguagesError
from truecase.kernels.text import line_slices, lines_of
from truecase.model.embedded import EMBEDDED, installed_models
from truecase.truecaser import Truecaser
from truecase.truecaser.arguments import (
    checked_bytes,
    checked_text,
    checked_texts,
    checked_threads,
    decode,
    encode,
)
from truecase.truecaser.document import (
    case_between,
    case_documents,
    checked_separator,
    document_blocks,
)
from truecase.truecaser.identify import LanguageIdentifier

if TYPE_CHECKING:
    from typing_extensions import Buffer, Unpack

    from truecase.options import CasingOptions, DecodeWith, InputCase, SentenceStart, Style


#: Bytes of lines whose languages are identified at a time.
_PART = 1 << 18
# Names of models that are codes of languages: de, pt-BR; but not minutes-de.
_CODE = re.compile(r"[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?")


#: A function that cases a part of a text, and one that cuts a text into such parts.
CasesParts = tuple[Callable[[Any], bytes], Callable[[Iterable[bytes]], Iterator[Any]]]


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
        chosen = (
            installed_languages() if languages is None else checked_texts(languages, "languages")
        )
        names = list(dict.fromkeys(chosen))
        if languages is None and len(names) < 2:
            raise LanguagesError(
                "no model but the English one is installed, so that there is no language to tell: "
                "scripts/train_language.py makes a package of one"
            )
        return cls({n: Truecaser.load(n, decode_with=decode_with, copy=copy) for n in names})

    @property
    def languages(self) -> tuple[str, ...]:
        """The names of the models."""
        return self._names

    def languages_of(self, lines: Iterable[str]) -> list[str]:
        """Identify the language of each line of a text; a line may get that of the line before."""
        places, _ = self._follow(checked_texts(lines, "lines"), None)
        return [self._names[place] for place in places]

    def with_casing(self, **options: Unpack[CasingOptions]) -> MultilingualTruecaser:
        """Make a truecaser of these languages with other options; see `Truecaser.with_casing`."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._truecasers = tuple(each.with_casing(**options) for each in self._truecasers)
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
        block = encode(checked_text(text, "text"))
        return decode(self.case_block(block, 1, input_case, style, sentence_start=sentence_start))

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
        texts = checked_texts(lines, "lines")
        threads = checked_threads(threads)
        places, _ = self._follow(texts, None)
        return _by_place(
            places, texts, lambda place, of_place: casers[place].batch(of_place, threads)
        )

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
            return b"".join(map(casers._document, document_blocks_of(text)))

        return (
            lambda block: case_between(case, block, separator),
            lambda blocks: document_blocks(blocks, separator),
        )

    def _document(self, document: bytes) -> bytes:
        found = self._identifier.identify([document.decode("utf-8", "surrogateescape")])
        return case_documents(self._truecasers[int(found.best[0])].case_block, document)

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
        return b"".join(_by_place(self.places, self.lines, self._case))

    def _case(self, place: int, lines: list[bytes]) -> list[bytes]:
        # The last line of a text may have no end; its case must not depend on that.
        block = b"".join(line.removesuffix(b"\n") + b"\n" for line in lines)
        cased = lines_of(self.truecasers[place].case_block(block))
        if not lines[-1].endswith(b"\n"):
            cased[-1] = cased[-1][:-1]
        return cased


def _by_place(
    places: list[int], items: list[AnyStr], case: Callable[[int, list[AnyStr]], list[AnyStr]]
) -> list[AnyStr]:
    """Case the items of each place at once, and put them back in order."""
    cased = list(items)
    for place in dict.fromkeys(places):
        chosen = [i for i, other in enumerate(places) if other == place]
        for i, item in zip(chosen, case(place, [items[i] for i in chosen]), strict=True):
            cased[i] = item
    return cased


def installed_languages() -> list[str]:
    """List English, and the languages whose models other packages bring."""
    return [EMBEDDED[0], *filter(_CODE.fullmatch, installed_models())]


def document_blocks_of(text: bytes) -> Iterator[bytes]:
    """Split a text into documents, each with the blank lines behind it."""
    begin = 0
    is_blank = True
    for line in line_slices(text, 0):
        blank = not text[line].strip()
        if is_blank and not blank and line.start > begin:
            yield text[begin : line.start]
            begin = line.start
        is_blank = blank
    if begin < len(text):
        yield text[begin:]


def _cased(functions: CasesParts, block: Buffer, threads: int) -> bytes:
    function, regroup = functions
    text = bytes(checked_bytes(block, "block"))
    parts = regroup(text[part] for part in line_slices(text, _PART))
    return b"".join(ordered_map(function, parts, checked_threads(threads)))
