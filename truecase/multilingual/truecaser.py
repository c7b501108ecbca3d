"""`MultilingualTruecaser`: each line, or document, by the model of its language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from truecase.data import EMBEDDED
from truecase.data.installed import installed_models
from truecase.documents.by_document import CasesLines
from truecase.documents.document import (
    case_between,
    case_documents,
    checked_separator,
    document_blocks,
)
from truecase.errors import TruecaseError
from truecase.multilingual.telling import LanguageTeller
from truecase.runtime.threads import ordered_map
from truecase.text.lines import line_slices
from truecase.truecaser import Truecaser
from truecase.truecaser.arguments import (
    checked_bytes,
    checked_text,
    checked_texts,
    checked_threads,
    decode,
    encode,
)

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from truecase.options import DecodeWith, InputCase, SentenceStart, Style

#: So many bytes of lines are told at a time.
_PART = 1 << 18
# Names of models that are codes of languages: de, pt-BR; but not minutes-de.
_CODE = re.compile(r"[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?")


CasesTold = Callable[["ToldLines"], bytes]
Tells = Callable[[Iterable[bytes]], Iterator["ToldLines"]]


class LanguagesError(TruecaseError):
    """There are not two languages to choose from."""


class MultilingualTruecaser:
    """Restores the case of text whose lines are in several languages.

    The language of a line is the one in whose model its words are the likeliest. A line that does
    not decide it, since it is short, or in a language without a model, is cased as the line
    before; at the beginning of a text as its likeliest language has it. May be used by any
    number of threads.

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
        self._teller = LanguageTeller(truecasers)

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
            Names of models; by default English and all that are installed under the code of a
            language.
        decode_with, copy
            As for `Truecaser.load`.

        Raises
        ------
        LanguagesError
            There are fewer than two.
        FileNotFoundError
            One is not installed.
        WrongTypeError
            `languages` is a str by itself.
        ModelError
            One is broken.
        """
        chosen = there() if languages is None else checked_texts(languages, "languages")
        names = list(dict.fromkeys(chosen))
        if languages is None and len(names) < 2:
            raise LanguagesError(
                "no model but the English one is installed, so that there is no language to tell: "
                "pip install truecase-crf-de, for example"
            )
        return cls({n: Truecaser.load(n, decode_with=decode_with, copy=copy) for n in names})

    @property
    def languages(self) -> tuple[str, ...]:
        """The names of the models."""
        return self._names

    def languages_of(self, lines: Iterable[str]) -> list[str]:
        """The language by which each line of a text is cased.

        Parameters
        ----------
        lines : iterable of str
            In their order: what does not decide its language has that of the line before.
        """
        places, _ = self._follow(checked_texts(lines, "lines"), None)
        return [self._names[place] for place in places]

    def __call__(self, text: str, input_case: InputCase = "ignore", **options: Any) -> str:
        """Case one text, line by line; `options` are those of `case_block`."""
        block = encode(checked_text(text, "text"))
        return decode(self.case_block(block, 1, input_case, **options))

    def batch(
        self,
        lines: Iterable[str],
        threads: int = 1,
        input_case: InputCase = "ignore",
        style: Style | None = None,
        *,
        sentence_start: SentenceStart = "always",
    ) -> list[str]:
        """Case many texts, each of which is in one language; as many, in order.

        Parameters
        ----------
        lines : iterable of str
            In their order: what does not decide its language has that of the text before.
        threads, input_case, style, sentence_start
            As for `Truecaser.batch`.
        """
        texts = checked_texts(lines, "lines")
        threads = checked_threads(threads)
        places, _ = self._follow(texts, None)
        cased = [""] * len(texts)
        for place in dict.fromkeys(places):
            of_language = [i for i, other in enumerate(places) if other == place]
            done = self._truecasers[place].batch(
                [texts[i] for i in of_language],
                threads,
                input_case,
                style,
                sentence_start=sentence_start,
            )
            for i, text in zip(of_language, done, strict=True):
                cased[i] = text
        return cased

    def case_block(
        self,
        block: Buffer,
        threads: int = 1,
        input_case: InputCase = "ignore",
        style: Style | None = None,
        *,
        sentence_start: SentenceStart = "always",
    ) -> bytes:
        """Case a block of newline-separated lines, each in its language.

        Parameters
        ----------
        block, threads, input_case, style, sentence_start
            As for `Truecaser.case_block`.

        Returns
        -------
        bytes
            As many lines in the same order, the same but for case, for any number of threads.
        """
        text = bytes(checked_bytes(block, "block"))
        parts = (text[part] for part in line_slices(text, _PART))
        return b"".join(
            ordered_map(
                lambda told: told.cased(
                    input_case=input_case, style=style, sentence_start=sentence_start
                ),
                self.told(parts),
                checked_threads(threads),
            )
        )

    def case_documents(
        self,
        block: Buffer,
        threads: int = 1,
        input_case: InputCase = "ignore",
        style: Style | None = None,
        *,
        sentence_start: SentenceStart = "always",
        separator: str | None = None,
    ) -> bytes:
        """Case a block of documents, each in its language, with sentences that run over line ends.

        The same bytes as by ``truecase apply -l auto --context document``.

        Parameters
        ----------
        block, threads, input_case, style, sentence_start
            As for `case_block`.
        separator : str, optional
            A line that ends a document, as a blank line does, and stays as it is.
        """
        text = bytes(checked_bytes(block, "block"))
        function, regroup = self.document_function(
            checked_separator(separator),
            input_case=input_case,
            style=style,
            sentence_start=sentence_start,
        )
        parts = (text[part] for part in line_slices(text, _PART))
        return b"".join(ordered_map(function, regroup(parts), checked_threads(threads)))

    def told(self, blocks: Iterable[bytes]) -> Iterator[ToldLines]:
        """The lines of a text with their languages.

        Parameters
        ----------
        blocks : iterable of bytes
            Whole lines. How the text was cut into blocks makes no difference.
        """
        before: int | None = None
        for block in blocks:
            lines = _lines(block)
            places, before = self._follow(
                [line.decode("utf-8", "surrogateescape") for line in lines], before
            )
            yield ToldLines(self._truecasers, lines, places)

    def line_function(self, **options: Any) -> tuple[CasesTold, Tells]:
        """What cases lines whose languages are told, and what tells those of a text's blocks.

        Parameters
        ----------
        **options
            Of `Truecaser.case_block`.
        """
        return lambda told: told.cased(**options), self.told

    def document_function(
        self, separator: bytes | None, **options: Any
    ) -> tuple[CasesLines, Callable[[Iterable[bytes]], Iterator[bytes]]]:
        """What cases blocks of documents, and what makes such blocks of a text's.

        The language is told for each document, whose sentences run over line ends; a blank line
        ends it.

        Parameters
        ----------
        separator : bytes, optional
            A line that ends a document, too.
        **options
            Of `Truecaser.case_block`.
        """

        def case(text: bytes) -> bytes:
            return b"".join(self._document(part, options) for part in document_blocks_of(text))

        return (
            lambda block: case_between(case, block, separator),
            lambda blocks: document_blocks(blocks, separator),
        )

    def _document(self, document: bytes, options: dict[str, Any]) -> bytes:
        told = self._teller.tell([document.decode("utf-8", "surrogateescape")])
        truecaser = self._truecasers[int(told.best[0])]
        return case_documents(lambda lines: truecaser.case_block(lines, **options), document)

    def _follow(self, lines: list[str], before: int | None) -> tuple[list[int], int | None]:
        """The places of the lines' languages, and that of the last line which decided its own."""
        told = self._teller.tell(lines)
        places = []
        for best, is_sure in zip(told.best.tolist(), told.is_sure.tolist(), strict=True):
            if is_sure:
                before = best
            places.append(best if before is None else before)
        return places, before


class ToldLines:
    """Some lines of a text, and whose language each is in.

    Parameters
    ----------
    truecasers : sequence of Truecaser
    lines : list of bytes
        With their ends.
    places : list of int
        Of each line's truecaser.
    """

    def __init__(
        self, truecasers: tuple[Truecaser, ...], lines: list[bytes], places: list[int]
    ) -> None:
        self._truecasers = truecasers
        self._lines = lines
        self._places = places

    def cased(self, **options: Any) -> bytes:
        """The lines, each cased by the truecaser of its language; `options` as of `case_block`."""
        cased = list(self._lines)
        for place in dict.fromkeys(self._places):
            of_language = [i for i, other in enumerate(self._places) if other == place]
            # The last line of a text may have no end, which is no matter of its case.
            ended = [self._lines[i].removesuffix(b"\n") for i in of_language]
            block = self._truecasers[place].case_block(
                b"".join(line + b"\n" for line in ended), **options
            )
            for i, line in zip(of_language, _lines(block), strict=True):
                cased[i] = line if self._lines[i].endswith(b"\n") else line[:-1]
        return b"".join(cased)


def there() -> list[str]:
    """The languages that there are models of: English, and those of other packages."""
    return [EMBEDDED[0], *filter(_CODE.fullmatch, installed_models())]


def document_blocks_of(text: bytes) -> Iterator[bytes]:
    """The documents of a text, each by itself with the blank lines behind it."""
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


def _lines(block: bytes) -> list[bytes]:
    """The lines of a block with their ends."""
    return [block[part] for part in line_slices(block, 0)]
