"""`Truecaser`: restores the case of text with a model."""

import os
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, overload

from truecase._core import CompiledModel
from truecase.base.argument_types import check_arguments, check_threads, check_type
from truecase.base.threads import ONE_THREAD_BYTES, bytes_for_a_thread, ordered_map
from truecase.errors import DocumentError, ModelError, named
from truecase.kernels.text import line_slices
from truecase.model.embedded import SAMPLE, warn_of_language
from truecase.model.model import Model
from truecase.options import (
    DEFAULT_CASING,
    Casing,
    ColonStyle,
    DecodeWith,
    InputCase,
    OfficeStyle,
    SentenceStart,
    StrPath,
    Style,
)
from truecase.rules.language import rules_of
from truecase.truecaser import arguments
from truecase.truecaser._texts import case_text, lines_of_texts, parts_of_texts, texts_of_lines

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self, Unpack

    from truecase.alignment.lines import Phrases, SkippedLines
    from truecase.alignment.parallel import AlignmentFile
    from truecase.base.progress import Progress
    from truecase.evaluation.explanation import Explanation
    from truecase.evaluation.metrics import Evaluation
    from truecase.evaluation.words import CasedBlock, ChangedWord, TaggedWord, WordPosterior
    from truecase.kernels._names import NameList
    from truecase.options import CasingKeywords, CasingOptions, ColumnKeywords
    from truecase.rules.styles import Styler
    from truecase.training.material import AlignedText, Bitext, Text
    from truecase.training.recipe import Adaptation, MarksRecipe, Recipe
    from truecase.truecaser.column import CasedColumn, Column
    from truecase.truecaser.punctuation import LineBreaks, PunctuatedSession, Session

# Characters of a part of a batch, whose lines are still in the cache when they are read again.
_PART = 1 << 16
# Texts of a batch, and short texts that come one by one, that are looked at for their language;
# characters that are too few to tell it.
_FIRST = 100
_SHORT = 80


class Truecaser:
    """Restores the case of text with a trained model.

    `Truecaser.load` and `Truecaser.train` make one. Any number of threads may use it at once; they
    share the model.

    Parameters
    ----------
    model : Model
    style, after_colon, offices : str, optional
        Used instead of those of `casing`.
    casing : Casing
        How text is cased unless a call asks for something else. `truecase.options.Casing`
        describes all its options, also for the methods below.

    Attributes
    ----------
    model : Model
    casing : Casing

    Raises
    ------
    CasingError
        The value of an option is unknown.
    ModelError
        The model breaks an invariant of the kernels, or `offices` is set and it is not English, or
        ``min_odds`` and it has no n-grams.
    StyleError
        The style is ``auto``, and the model detects no titles.
    """

    def __init__(
        self,
        model: Model,
        style: Style | None = None,
        after_colon: ColonStyle | None = None,
        offices: OfficeStyle | None = None,
        *,
        casing: Casing = DEFAULT_CASING,
    ) -> None:
        check_type("model", model, Model, "a Model (Truecaser.load opens files)")
        check_type("casing", casing, Casing, "a Casing")
        self.model = model
        self._compiled = CompiledModel(model)
        self._casings: dict[tuple[str | None, ...], Casing] = {}
        self._n_looks = _FIRST
        self.casing = self._check(casing.but(style=style, after_colon=after_colon, offices=offices))

    def __repr__(self) -> str:
        return f"<Truecaser: style {self.casing.style}, {self.model!r}>"

    def __copy__(self, memo: object = None) -> "Self":
        return self._with(self.model)

    __deepcopy__ = __copy__

    def __reduce__(self) -> tuple[object, ...]:
        made = (
            type(self) if self.casing == DEFAULT_CASING else partial(type(self), casing=self.casing)
        )
        return made, (self.model,)

    def _with(self, model: Model) -> "Self":
        """Make a truecaser with the same casing of another model."""
        return type(self)(model, casing=self.casing)

    def with_casing(self, **options: "Unpack[CasingOptions]") -> "Self":
        """Make a truecaser that shares the model and cases by other options of `Casing`.

        None keeps this truecaser's own value. Only `column` reads ``context``. Errors are those of
        the class.
        """
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.casing = self._check(self.casing.but(**options))
        made._casings = {}
        return made

    def with_agreed_names(self, blocks: Iterable[str]) -> "Truecaser":
        """Make a truecaser that writes the unknown words of a text alike in all their places."""
        from truecase.truecaser.agreed_names import with_agreed_names

        return with_agreed_names(self, blocks)

    def _check(self, casing: Casing, styler: "Styler | None" = None) -> Casing:
        """Return the casing, or raise an error if the model cannot follow it."""
        if casing.offices != "as-learned" and "offices" not in rules_of(self.model.text.language):
            raise ModelError(
                f"offices {casing.offices!r}: the words of offices are English, and the model is "
                "not"
            )
        if casing.min_odds > 1 and self.model.lm is None:
            raise ModelError(
                "min_odds: a model without n-grams has one form for each word, and no odds"
            )
        if casing.style.startswith("auto"):
            (self.styler if styler is None else styler).titles(b"")
        return casing

    def _look_at(self, *texts: str) -> None:
        """Warn the caller's caller if texts are evidently in another language than the model's."""
        sample = "\n".join([text[:SAMPLE] for text in texts])
        if self.model.text.language and len(sample) > _SHORT:
            warn_of_language(sample, self.model.text.language, 3)

    def _casing(
        self,
        input_case: InputCase | None,
        style: Style | None,
        sentence_start: SentenceStart | None,
    ) -> Casing:
        """Return the casing of a call; the first call that asks for it makes and checks it."""
        asked = input_case, style, sentence_start
        try:
            casing = self._casings.get(asked)
        except TypeError:  # a list is no value, which `but` says
            casing = None
        if casing is None:
            casing = self.casing.but(
                input_case=input_case, style=style, sentence_start=sentence_start
            )
            casing = self._casings[asked] = self._check(casing)
        return casing

    @property
    def language(self) -> str:
        """The language of the case mapping: ``tr``, or empty for the usual one."""
        return self.model.text.casing_language

    def about(self) -> dict[str, Any]:
        """Return facts about the model; see `Model.about`."""
        return self.model.about()

    @classmethod
    def load(
        cls,
        path: StrPath | None = None,
        verify: bool = False,
        style: Style | None = None,
        decode_with: DecodeWith | None = None,
        copy: bool | None = None,
        names: "StrPath | Iterable[StrPath] | NameList | None" = None,
        **casing: "Unpack[CasingKeywords]",
    ) -> "Self":
        """Load a model: read a file, or map a model of a package.

        A mapped file must not be written to: replace it by renaming another file, as `save` does.
        If it is cut short, the process dies (SIGBUS); if it is rewritten, text is cased at random.

        Parameters
        ----------
        path : path-like, optional
            A file, or the name of a model: ``en``, the default; an installed one, such as ``de``;
            or ``fr-en``, for English software documentation and interfaces that were translated
            from French, with their source. ``en`` is better for any other English text. Give a
            file of such a name with its folder, ``./en``.
        verify : bool
            Also compare the checksum. The file is then read, because a mapped one might change.
        style, **casing
            As for `with_casing`.
        decode_with : {"whole", "ngram", "unigram"}, optional
            By default all of the model, but words that their neighbours settle skip its network.
            ``whole``: no word skips it; slower, and fewer than one word in a thousand differs.
            ``ngram``, ``unigram``: only its n-grams, or only its lexicon; faster, and less
            accurate.
        copy : bool, optional
            Read the whole file, or, if false, map it: processes share its memory, and nothing is
            read before it is needed. By default models that are given by name are mapped, unless
            `verify` is set, and files are read.
        names : path-like, iterable of path-like, or NameList, optional
            Names in their right case; see `with_names`.

        Raises
        ------
        WrongTypeError
            `path` is not a path.
        ReadError
            A file of names is broken.
        ModelError
            The file is not a model, is damaged, or has a newer format; or `offices` is set, and
            the model is not English.
        OSError
            It cannot be read.
        """
        model = Model.load(path, verify=verify, copy=copy)
        with named("the embedded model" if path is None else os.fspath(path)):
            decoding = model if decode_with is None else model.only(decode_with)
            made = cls(decoding, casing=DEFAULT_CASING.but(style=style, **casing))
        return made if names is None else made.with_names(names)

    def with_names(
        self, names: "StrPath | Iterable[StrPath] | NameList", *, encoding: str | None = None
    ) -> "Self":
        """Make a truecaser that also knows names in their right case, without training.

        A name that is not a common word to the model is right wherever it stands, also with a
        plural s or a possessive. The context decides about common words (``Apple``, ``New Deal``),
        in favour of the name. ``!`` in front makes a name right in any context.

        Parameters
        ----------
        names : path-like, iterable of path-like, or NameList
            Files (see `truecase.model.names.read_names`), or a list that
            `truecase.name_list` made. They are added to the names of the model.
        encoding : str, optional
            The encoding of the files.

        Raises
        ------
        OSError, ReadError
            A file cannot be read, or is broken.
        """
        from truecase.kernels._names import NameList
        from truecase.model.names import join_lists, read_names

        if not isinstance(names, NameList):
            try:
                names = read_names(
                    names,
                    encoding=encoding,
                    language=self.model.text.language,
                    knows=lambda word: self.training_count(word) > 0,
                )
            except FileNotFoundError as error:
                raise FileNotFoundError(
                    f"{error.filename}: No such file of names; in Python, truecase.name_list makes "
                    "a list of the names themselves"
                ) from None
        if self.model.names is not None:
            names = join_lists([self.model.names, names])
        return self._with(self.model.replace(names=names))

    def without_calibration(self) -> "Self":
        """Make a truecaser without calibration: probabilities come from the scores alone.

        No word skips the network, so all candidates have scores; hardly any form changes.
        """
        if self.model.calibration is None and self.model.network is None:
            return self
        return self._with(self.model.replace(calibration=None).only("whole"))

    @classmethod
    def train(
        cls,
        text: "Text | AlignedText" = (),
        recipe: "Recipe | str" = "ngram",
        *,
        counts: StrPath | None = None,
        source: StrPath | None = None,
        alignment: "StrPath | AlignmentFile | None" = None,
        more: "Text" = (),
        names: "Sequence[StrPath]" = (),
        development: "Text | AlignedText | Bitext | None" = None,
        skipped: "SkippedLines | None" = None,
        threads: int = 1,
        memory: float | None = None,
        progress: "Progress | None" = None,
        encoding: str | None = None,
        marks: "MarksRecipe | None" = None,
    ) -> "Self":
        """Train a model; the same bytes as by ``truecase train``.

        Parameters and errors are those of `truecase.training.train.train`, which also returns a
        report.
        """
        from truecase.training.train import train

        trained = train(
            text,
            recipe,
            counts=counts,
            source=source,
            alignment=alignment,
            more=more,
            names=names,
            development=development,
            skipped=skipped,
            threads=threads,
            memory=memory,
            progress=progress,
            encoding=encoding,
            marks=marks,
        )
        return cls(trained.model)

    def adapt(
        self,
        text: "Text",
        recipe: "Adaptation | None" = None,
        *,
        general: "Text" = (),
        development: "Text | None" = None,
        threads: int = 1,
        progress: "Progress | None" = None,
        encoding: str | None = None,
    ) -> "Self":
        """Adapt the model to a domain; the same bytes as by ``truecase train adapt``.

        Parameters and errors are those of `truecase.training.adapt.adapt`, which also returns the
        numbers of wrong words before and after; the notes of the model have them, too.
        """
        from truecase.training.adapt import DEFAULT, adapt

        adapted = adapt(
            self.model,
            text,
            DEFAULT if recipe is None else recipe,
            general=general,
            development=development,
            threads=threads,
            progress=progress,
            encoding=encoding,
        )
        return self._with(adapted.model)

    def train_marks(
        self,
        text: "Text",
        recipe: "MarksRecipe | None" = None,
        *,
        threads: int = 1,
        progress: "Progress | None" = None,
        encoding: str | None = None,
    ) -> "Self":
        """Teach the model to punctuate, as ``truecase train marks`` does.

        Parameters and errors are those of `truecase.training.punctuation.train_marks`.
        """
        from truecase.training.punctuation import DEFAULT, train_marks

        trained = train_marks(
            self.model,
            text,
            DEFAULT if recipe is None else recipe,
            threads=threads,
            progress=progress,
            encoding=encoding,
        )
        return self._with(trained)

    def calibrate(
        self,
        texts: "Sequence[Text]",
        *,
        threads: int = 1,
        progress: "Progress | None" = None,
        encoding: str | None = None,
    ) -> "Self":
        """Calibrate the model, so that a probability is the share of words that are right.

        It cases as before; the probabilities of `posteriors`, `column` and `table_block` change.
        Parameters and errors are those of `truecase.training.calibration.calibrate`, which also
        returns how sure the model is of each text before and after.
        """
        from truecase.training.calibration import calibrate

        calibrated = calibrate(
            self.model, texts, threads=threads, progress=progress, encoding=encoding
        )
        return self._with(calibrated.model)

    def save(self, path: StrPath) -> None:
        """Write the model to `path` atomically."""
        self.model.save(path)

    def __call__(
        self,
        text: str,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        source: str | None = None,
        alignment: str | None = None,
        sentence_start: SentenceStart | None = None,
    ) -> str:
        """Case one text; line ends in it separate sentences.

        Parameters
        ----------
        text : str
        input_case, style, sentence_start : str, optional
            Used instead of the truecaser's own, here and in all methods.
        source : str, optional
            The sentence, cased, that the text is a translation of; as many lines.
        alignment : str, optional
            Links in Pharaoh's form: ``0-0 1-2``. Each joins a source word and a word of the text,
            counted from 0 between white space. Without it, every source word is considered for
            every word.

        Raises
        ------
        CasingError, StyleError
            The value of an option is unknown, or the model detects no titles.
        AlignmentError
            `alignment` is broken, or names words that do not exist.
        ValueError
            `alignment` comes without `source`, or the numbers of lines differ.
        WrongTypeError
            An argument is not a str.
        """
        n = len(text) if isinstance(text, str) else 0
        if n > _SHORT and (self._n_looks or n > SAMPLE):
            self._n_looks = max(self._n_looks - 1, 0)
            self._look_at(text)
        casing = self.casing
        if not (input_case is None and style is None and sentence_start is None):
            casing = self._casing(input_case, style, sentence_start)
        if casing.style == "sentence" and source is None and alignment is None:
            return case_text(self._compiled, text, casing)
        block, of_source = arguments.encoded_lines(text, source, alignment)
        return arguments.decode(self._case_part(block, casing, **of_source))

    def batch(
        self,
        lines: Iterable[str],
        threads: int = 1,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        source: Iterable[str] | None = None,
        alignment: Iterable[str] | None = None,
        sentence_start: SentenceStart | None = None,
    ) -> list[str]:
        """Case many texts; returns as many, in order.

        Parameters
        ----------
        lines : iterable of str
            One sentence or segment each. WrongTypeError if it is a single str; other errors are
            those of a single text.
        threads : int
            The result does not depend on it.
        source, alignment : iterable of str, optional
            Those of each text.
        """
        if source is not None or alignment is not None:
            texts = arguments.checked_texts(lines, "lines")
            block, of_source = arguments.encoded_texts(texts, source, alignment)
            out = self.case_block(
                block, threads, input_case, style, sentence_start=sentence_start, **of_source
            )
            return texts_of_lines(texts, 0, len(texts), out)
        texts, size = arguments.counted_texts(lines, "lines")
        self._look_at(*texts[:_FIRST])
        check_threads(threads)
        casing = self._casing(input_case, style, sentence_start)
        if size <= ONE_THREAD_BYTES:
            threads = 1

        def cased(part: tuple[int, int]) -> list[str]:
            lines = lines_of_texts(texts, *part)
            return texts_of_lines(texts, *part, self._case_part(lines, casing))

        parts = parts_of_texts(texts, min(_PART, bytes_for_a_thread(size, threads)))
        return list(chain.from_iterable(ordered_map(cased, parts, threads)))

    @overload
    def column(
        self,
        column: object,
        threads: int = 1,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        source: object = None,
        alignment: object = None,
        confidence: Literal[False] = False,
        **options: "Unpack[ColumnKeywords]",
    ) -> "Column": ...

    @overload
    def column(
        self,
        column: object,
        threads: int = 1,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        source: object = None,
        alignment: object = None,
        confidence: Literal[True],
        **options: "Unpack[ColumnKeywords]",
    ) -> "CasedColumn": ...

    def column(
        self,
        column: object,
        threads: int = 1,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        source: object = None,
        alignment: object = None,
        confidence: bool = False,
        **options: "Unpack[ColumnKeywords]",
    ) -> "Column | CasedColumn":
        """Case a column of text from any library that exports Arrow columns.

        The rows are read in place and written to one new column of the same type, without a
        Python object for each. Line ends within a row are text, as in a call of the truecaser.

        Parameters
        ----------
        column : object
            Has ``__arrow_c_array__`` or ``__arrow_c_stream__``, as columns of pyarrow, polars,
            pandas 3, nanoarrow and datasets have. Its type is string, large_string, string_view,
            or a dictionary of these, whose texts are cased once.
        threads : int
        source, alignment : object, optional
            Columns of as many rows; null: none.
        language : object, optional
            A column of as many rows, with the tag or name of each row's language: ``pt-BR``,
            ``German``. Its installed model cases the row; this truecaser those that are null or
            empty, or in its own language. Names and ``offices`` are of this truecaser alone.
        confidence : bool
            Also give the probability of each row's least certain word.
        **options
            As for `with_casing`. In the context ``document``, each row is a document.

        Returns
        -------
        Column or CasedColumn
            It offers ``__arrow_c_stream__``, and, where `column` is in one piece,
            ``__arrow_c_array__``; with `confidence`, a pair of such columns.

        Raises
        ------
        WrongTypeError, ColumnError
            A column does not hold text, is broken, or has another length; the model of a language
            is not installed.
        AlignmentError
            A row of `alignment` is broken, or names words that do not exist.
        """
        from truecase.truecaser.column import truecase_column

        others = {"source": source, "alignment": alignment, "language": options.get("language")}
        casing: Any = {name: value for name, value in options.items() if name != "language"}
        caser = self.with_casing(input_case=input_case, style=style, **casing)
        return truecase_column(caser, column, threads, others, confidence=confidence)

    def document(
        self,
        lines: Iterable[str],
        threads: int = 1,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        separator: str | None = None,
        **casing: "Unpack[CasingKeywords]",
    ) -> list[str]:
        """Case lines whose sentences run over line ends: hard-wrapped text, subtitles, speech.

        The model decides where sentences begin. But a bullet, a number or a speaker begins one, and
        in text filled to a width, a line that had room for the next word ends one.

        Parameters
        ----------
        lines : iterable of str
            Without their line feeds. A blank line ends a document.
        threads : int
        separator : str, optional
            A line that also ends a document, and stays as it is.
        **casing
            As for `with_casing`; the context is ``document``.

        Raises
        ------
        DocumentError
            The separator is blank, or more than a line; the context is ``line``.
        ValueError
            A line has a line feed.
        WrongTypeError
            `lines` is one str, or not all of its items are str.
        """
        from truecase.truecaser.document import case_lines

        check_threads(threads)
        if casing.get("context") is None:
            casing["context"] = "document"
        caser = self.with_casing(input_case=input_case, style=style, **casing)
        if caser.casing.context == "line":
            raise DocumentError("context line: use batch to case lines one by one")
        lines = arguments.checked_texts(lines, "lines")
        self._look_at(*lines[:_FIRST])
        return case_lines(caser.case_block, lines, threads, separator)

    def session(
        self,
        latency: int = 2,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        sentence_start: SentenceStart | None = None,
        punctuate: bool = False,
        marks: Iterable[str] | None = None,
    ) -> "Session | PunctuatedSession":
        """Open a session for text that comes in pieces, such as live captions.

        Parameters
        ----------
        latency : int
            A word is final once so many words have come after it.
        punctuate : bool
            Also punctuate the words, as speech recognition gives them. A mark is final with the
            word that it follows.
        marks : iterable of str, optional
            With `punctuate`: the marks of the model that may be put; by default all.

        Raises
        ------
        DocumentError
            The latency is negative.
        ModelError
            With `punctuate`: the model has no marks, or not these.
        ValueError, WrongTypeError
            `marks` come without `punctuate`; the latency is not an int.
        """
        from truecase.truecaser.punctuation import new_session

        check_arguments(Truecaser.session, {"latency": latency, "punctuate": punctuate})
        caser = self.with_casing(input_case=input_case, style=style, sentence_start=sentence_start)
        return new_session(caser, latency, punctuate=punctuate, marks=marks)

    def punctuate(
        self,
        text: str,
        *,
        lines: "LineBreaks" = "keep",
        marks: Iterable[str] | None = None,
        input_case: InputCase | None = None,
    ) -> str:
        """Punctuate a text, and case its sentences.

        For words without marks and case, as speech recognition gives them, with any line breaks
        or none. Existing marks, words and their order stay.

        Other parameters and errors are those of `truecase.truecaser.punctuation.Punctuation`.
        """
        block = arguments.encode(arguments.checked_text(text, "text"))
        cased = self.punctuate_block(block, lines=lines, marks=marks, input_case=input_case)
        return arguments.decode(cased)

    def punctuate_block(
        self,
        block: "Buffer",
        *,
        lines: "LineBreaks" = "keep",
        marks: Iterable[str] | None = None,
        input_case: InputCase | None = None,
        threads: int = 1,
    ) -> bytes:
        """Do `punctuate` for UTF-8 bytes; invalid bytes pass unchanged.

        The result does not depend on the number of threads.
        """
        from truecase.truecaser.punctuation import Punctuation

        check_threads(threads)
        stream = Punctuation(self, lines, marks, input_case)
        text = memoryview(arguments.checked_bytes(block, "block"))
        size = bytes_for_a_thread(len(text), threads) if threads > 1 else max(1, len(text))
        pieces = (text[at : at + size] for at in range(0, len(text), size))
        return b"".join(stream.cased(pieces, threads))

    def mark_probabilities(self, text: str) -> list[tuple[str, dict[str, float]]]:
        """Estimate how likely each mark is behind each word.

        Returns
        -------
        list of (str, dict of str to float)
            The words between white space, each with the probability of each mark, and of none
            (``""``); 1 for a mark that the word carries. If the model has marks in front of words,
            the probability of each pair of a mark behind the word and one in front of the next,
            such as ``".¿"``.

        Raises
        ------
        ModelError
            The model cannot punctuate.
        """
        from truecase.truecaser.punctuation import mark_probabilities

        return mark_probabilities(self.model, arguments.checked_text(text, "text"))

    def missing_marks(
        self,
        texts: Iterable[str],
        marks: Iterable[str] | None = None,
        pauses: "Sequence[Sequence[float | None]] | None" = None,
    ) -> list[list[tuple[str, str]]]:
        """Find the marks that `punctuate` would add in front of and behind each word of each text.

        Parameters
        ----------
        texts : iterable of str
            Each ends a sentence.
        marks
            As for `session`.
        pauses : sequence of sequence of float or None, optional
            The seconds of silence behind each word of each text, where known: a pause makes marks
            likelier.

        Raises
        ------
        ModelError
            The model cannot punctuate, or not with these marks.
        ValueError, WrongTypeError
            The numbers of pauses and words differ; `texts` is not a list of str.
        """
        from truecase.truecaser.punctuation import missing_marks

        check_arguments(Truecaser.missing_marks, {"pauses": pauses})
        return missing_marks(self.model, texts, marks, pauses)

    def case_block(
        self,
        block: "Buffer",
        threads: int = 1,
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        source: "Buffer | None" = None,
        phrases: "Phrases | None" = None,
        sentence_start: SentenceStart | None = None,
    ) -> bytes:
        """Case a block of newline-separated lines.

        Parameters
        ----------
        block : bytes-like
            UTF-8; invalid bytes and NULs pass unchanged.
        threads : int
            The result does not depend on it.
        source : bytes-like, optional
            As many lines: the sentences, cased, that these are translations of.
        phrases : Phrases, optional
            The source words that each word is aligned with; by default all words of its line's
            source.

        Returns
        -------
        bytes
            As many lines in the same order, the same but for case.

        Raises
        ------
        CasingError, StyleError
            As for a call of the truecaser.
        ValueError
            `threads` is below 1, or the numbers of lines or words differ.
        WrongTypeError
            `block` or `source` is not a bytes-like object.
        """
        block = arguments.checked_bytes(block, "block")
        source = None if source is None else arguments.checked_bytes(source, "source")
        check_threads(threads)
        casing = self._casing(input_case, style, sentence_start)
        if phrases is not None and source is None:
            raise ValueError("phrases need the source that they belong to")
        if threads == 1 or len(block) <= ONE_THREAD_BYTES:
            return self._case_part(block, casing, source, phrases)
        # Bytes, and a view of them for each part: CPython 3.13 counts the users of a bytearray, and
        # those of a view's memory, as if there were one thread.
        text = bytes(block)
        size = min(1 << 20, bytes_for_a_thread(len(text), threads))
        parts: Iterable[tuple[Any, ...]]
        if source is None:
            parts = ((memoryview(text)[part], casing) for part in line_slices(text, size))
        else:
            from truecase.alignment.lines import AlignedLines

            lines = AlignedLines(text, bytes(source), phrases)
            lines.check()
            parts = ((part.target, casing, part.source, part.phrases) for part in lines.parts(size))
        return b"".join(ordered_map(lambda part: self._case_part(*part), parts, threads))

    def _case_part(
        self,
        block: bytes | bytearray | memoryview,
        casing: Casing,
        source: bytes | bytearray | memoryview | None = None,
        phrases: "Phrases | None" = None,
    ) -> bytes:
        if casing.style == "sentence":
            return self._compiled.case_block(block, casing, source, phrases)
        given = bytes(block)
        cased = given
        if casing.style != "upper":
            cased = self._compiled.case_block(given, casing, source, phrases)
        return self.styler.apply(casing.style, given, cased)

    @cached_property
    def styler(self) -> "Styler":
        """Writer of the styles other than ``sentence``, with the model's title detector, if any."""
        from truecase.rules.styles import Styler

        text, titles = self.model.text, self.model.titles
        how = text.segmentation, text.casing_language
        detector = None if titles is None else titles.detector(*how)
        return Styler(text.segmentation, text.writing_language, detector)

    def tags(
        self,
        text: str,
        *,
        source: str | None = None,
        alignment: str | None = None,
        **casing: "Unpack[CasingOptions]",
    ) -> list[list["TaggedWord"]]:
        """Case a text, and return its words with tags of their case.

        Parameters and errors are those of a call of the truecaser, and of `with_casing`.

        Returns
        -------
        list of list of TaggedWord
            The words of each line, in order, as the model cuts it. A word begins and ends at
            characters of `text` and comes out as ``truecaser(text)[word.start:word.end]``;
            together the words have all of the text except white space.
        """
        from truecase.evaluation.words import tagged_words

        words = self._cased_lines(text, source, alignment, casing)
        return tagged_words(self._compiled, words)

    def posteriors(
        self,
        text: str,
        *,
        source: str | None = None,
        alignment: str | None = None,
        **casing: "Unpack[CasingOptions]",
    ) -> list[list["WordPosterior"]]:
        """Return the words that `tags` returns, each with the posteriors of all its candidates.

        A calibrated model (`calibrate`) estimates how often such words come out right. It gives 1
        to words that it does not decide: those without case, those in addresses and code, which
        keep their case, and names of a list that are not common words. Candidates that a rule or a
        style writes alike are one, as probable as all of them together.
        """
        from truecase.evaluation.words import posteriors_of_words

        words = self._cased_lines(text, source, alignment, casing)
        return posteriors_of_words(self._compiled, words)

    def changes(
        self,
        text: str,
        *,
        source: str | None = None,
        alignment: str | None = None,
        **casing: "Unpack[CasingOptions]",
    ) -> list["ChangedWord"]:
        """Case a text, and return the words whose case changes.

        Parameters and errors are those of `posteriors`, whose words these are; the probability is
        that of the new form.
        """
        from truecase.evaluation.words import changed_words

        words = self._cased_lines(text, source, alignment, casing)
        return changed_words(self._compiled, words)[1]

    def changes_block(
        self,
        block: "Buffer",
        *,
        source: bytes | None = None,
        phrases: "Phrases | None" = None,
        styler: "Styler | None" = None,
        **casing: "Unpack[CasingOptions]",
    ) -> tuple[bytes, list["ChangedWord"]]:
        """Do `case_block`, and also return the words that have changed, as `changes` does.

        Invalid bytes in their texts are surrogates, by the error handler ``surrogateescape``.
        `styler` is as for `table_block`.
        """
        from truecase.evaluation.words import changed_words

        words = self._cased_block(block, self.casing.but(**casing), source, phrases, styler)
        text, changes = changed_words(self._compiled, words)
        return text.encode("utf-8", "surrogateescape"), changes

    def _cased_block(
        self,
        block: "Buffer",
        casing: Casing,
        source: bytes | None,
        phrases: "Phrases | None",
        styler: "Styler | None" = None,
        errors: str = "surrogateescape",
    ) -> "CasedBlock":
        from truecase.evaluation.words import CasedBlock

        lines = bytes(arguments.checked_bytes(block, "block"))
        if source is not None:
            source = bytes(arguments.checked_bytes(source, "source"))
        casing = self._check(casing, styler)
        if casing.style != "sentence" and styler is None:
            styler = self.styler
        return CasedBlock(lines, errors, casing, source, phrases, styler, self.language)

    def _cased_lines(
        self, text: str, source: str | None, alignment: str | None, casing: "CasingOptions"
    ) -> "CasedBlock":
        block, of_source = arguments.encoded_lines(text, source, alignment)
        wanted = self.casing.but(**casing)
        return self._cased_block(block, wanted, **of_source, errors="surrogatepass")

    def table_block(
        self,
        block: "Buffer",
        input_case: InputCase | None = None,
        style: Style | None = None,
        *,
        source: bytes | None = None,
        phrases: "Phrases | None" = None,
        with_posteriors: bool = False,
        styler: "Styler | None" = None,
        **casing: "Unpack[CasingKeywords]",
    ) -> bytes:
        """Case a block, and return its words as tab-separated values, one word a line.

        Parameters
        ----------
        block, input_case, style, source, phrases, **casing
            As for `case_block` and `with_casing`.
        with_posteriors : bool
            Also write the posterior of each word.
        styler : Styler, optional
            Used instead of the model's own, such as one with patterns of titles.

        Returns
        -------
        bytes
            The start and the end of each word in its line, in characters; the word as it comes
            out; its tag; its posterior. An empty line ends each line of the block.
        """
        from truecase.evaluation.words import table_of_words

        wanted = self.casing.but(input_case=input_case, style=style, **casing)
        words = self._cased_block(block, wanted, source, phrases, styler)
        return table_of_words(self._compiled, words, with_posteriors=with_posteriors)

    def explain(
        self,
        text: str,
        *,
        source: str | None = None,
        alignment: str | None = None,
        sentence_start: SentenceStart | None = None,
        punctuate: bool = False,
    ) -> "Explanation":
        """Case one line and explain why: candidates, features, posteriors, the best path.

        Parameters
        ----------
        text : str
            `source` and `alignment` are as for a call.
        punctuate : bool
            Punctuate the text first, and give the probability of each mark. It needs a text
            without a source.

        Raises
        ------
        ValueError
            The text has several lines, or more than 20,000 bytes; or `punctuate` comes with a
            source or a `sentence_start` other than ``always``.
        ModelError
            The model cannot punctuate.
        """
        from truecase.evaluation.explain import explain_line, explain_marked

        check_arguments(Truecaser.explain, {"punctuate": punctuate})
        if punctuate:
            from truecase.truecaser.punctuation import mark_stream

            if not (source is None and alignment is None and sentence_start in (None, "always")):
                raise ValueError("with punctuate, expected no source, alignment or sentence_start")
            casing = self.casing.but(sentence_start="always", min_odds=1)
            stream = mark_stream(self.model, probabilities=True)
            checked = arguments.checked_text(text, "text")
            return explain_marked(self._compiled, self.model, stream, checked, casing)
        _, of_source = arguments.encoded_lines(text, source, alignment)
        casing = self.casing.but(sentence_start=sentence_start, min_odds=1)
        return explain_line(self._compiled, self.model, text, casing, **of_source)

    @property
    def takes_source(self) -> bool:
        """Whether the model reads a source; a lexicon alone and ``portage`` models do not."""
        return self.model.takes_source

    def evaluate(
        self,
        reference: Iterable[str],
        threads: int = 1,
        *,
        sentence_start: SentenceStart | None = None,
    ) -> "Evaluation":
        """Lowercase lines that are cased correctly, case them again, and compare.

        Raises
        ------
        EvaluationError
            `reference` has no word.
        """
        from truecase.evaluation.metrics import evaluate_lines
        from truecase.kernels._unicode import lower

        lines = arguments.checked_texts(reference, "reference")
        bare = [lower(line, self.language) for line in lines]
        output = self.batch(bare, threads, sentence_start=sentence_start)
        return evaluate_lines(lines, output, self.training_count, self.language)

    def training_count(self, word: str) -> int:
        """Return how often `word` occurred in training, whatever its case (to about 5 %).

        0 for a word that did not occur, or that the model leaves to its word classes.
        """
        return self._compiled.training_count(arguments.checked_text(word, "word"))

    def training_counts(self, block: "Buffer") -> list[int]:
        """Return `training_count` of each word of a block, as the model cuts it."""
        return self._compiled.counts(arguments.checked_bytes(block, "block"))
