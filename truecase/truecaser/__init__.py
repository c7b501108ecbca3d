"""`Truecaser`: a model, and what can be done with it."""

import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from truecase._core import CompiledModel
from truecase.base.threads import ONE_THREAD_BYTES, bytes_for_a_thread, ordered_map
from truecase.errors import ModelError, WrongTypeError
from truecase.kernels.text import line_slices
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
from truecase.rules.language import has_offices
from truecase.truecaser import columns, documents, punctuation, texts, words
from truecase.truecaser._texts import case_text
from truecase.truecaser.arguments import (
    checked_bytes,
    checked_text,
    checked_texts,
    checked_threads,
    decode,
    encode,
    source_lines,
)

if TYPE_CHECKING:
    from typing_extensions import Buffer, Unpack

    from truecase.alignment.lines import Phrases, SkippedLines
    from truecase.alignment.parallel import AlignmentFile
    from truecase.base.progress import Progress
    from truecase.evaluation.metrics import Evaluation
    from truecase.kernels._names import NameList
    from truecase.options import CasingOptions
    from truecase.rules.styles import Styler
    from truecase.training.material import AlignedText, Bitext, Text
    from truecase.training.recipe import Adaptation, ContextRecipe, MarksRecipe, Recipe


class Truecaser:
    """Restores the case of text with a trained model.

    Made by `Truecaser.load` or `Truecaser.train`, or of a `Model`. One object may be used by any
    number of threads at once: they share the model.

    Parameters
    ----------
    model : Model
    style, after_colon, offices : str, optional
        In place of those of `casing`.
    casing : Casing
        How text is cased, where a call does not ask for something else; see
        `truecase.options.Casing`, also for all options of this name below.

    Attributes
    ----------
    model : Model
    casing : Casing

    Raises
    ------
    CasingError
        The value of an option is unknown.
    ModelError
        The model breaks an invariant of the kernels, or `offices` is set and it is not English.
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
        if not isinstance(model, Model):
            raise WrongTypeError(
                f"model: expected a Model, found {type(model).__name__}; Truecaser.load opens files"
            )
        self.model = model
        self._compiled = CompiledModel(model)
        self._styler: Styler | None = None
        self._casings: dict[tuple[str | None, ...], Casing] = {}
        self.casing = self._check(casing.but(style=style, after_colon=after_colon, offices=offices))

    def __repr__(self) -> str:
        return f"<Truecaser: style {self.casing.style}, {self.model!r}>"

    def __copy__(self, memo: object = None) -> "Truecaser":
        return self._with(self.model)

    __deepcopy__ = __copy__

    def __reduce__(self) -> tuple[object, ...]:
        made = (
            type(self) if self.casing == DEFAULT_CASING else partial(type(self), casing=self.casing)
        )
        return made, (self.model,)

    def _with(self, model: Model) -> "Truecaser":
        """The same with another model."""
        return type(self)(model, casing=self.casing)

    def with_casing(self, **options: "Unpack[CasingOptions]") -> "Truecaser":
        """A truecaser that shares the model and cases by other options.

        Parameters
        ----------
        **options
            Of `truecase.options.Casing`; None: as this truecaser has it. `column` alone looks at
            ``context``.

        Raises
        ------
        CasingError, ModelError, StyleError
            As for the class.
        """
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.casing = self._check(self.casing.but(**options))
        made._casings = {}
        return made

    def _check(self, casing: Casing, styler: "Styler | None" = None) -> Casing:
        """The same casing, if the model can follow it."""
        if casing.offices != "as-learned" and not has_offices(self.model.text.language):
            raise ModelError(
                f"offices {casing.offices!r}: the words of offices are English, and the model is "
                "not"
            )
        if casing.style.startswith("auto"):
            (self.styler if styler is None else styler).titles(b"")
        return casing

    def _casing(
        self,
        input_case: InputCase | None,
        style: Style | None,
        sentence_start: SentenceStart | None,
    ) -> Casing:
        """The casing of a call, which is made and checked at the first call that asks for it."""
        asked = input_case, style, sentence_start
        casing = self._casings.get(asked)
        if casing is None:
            casing = self.casing.but(
                input_case=input_case, style=style, sentence_start=sentence_start
            )
            casing = self._casings[asked] = self._check(casing)
        return casing

    @property
    def language(self) -> str:
        """Language of the case mapping: ``tr``, or empty for the usual one."""
        return self.model.text.casing_language

    def about(self) -> dict[str, Any]:
        """What tables and pages say of the model; see `Model.about`."""
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
        after_colon: ColonStyle | None = None,
        offices: OfficeStyle | None = None,
    ) -> "Truecaser":
        """Load a model: a file is read, a model of a package is mapped.

        A file that was read may be changed afterwards. A mapped one must not be written to: replace
        it by renaming another file, as `save` does. If it is cut short, the process dies (SIGBUS);
        if it is rewritten, text is cased at random.

        Parameters
        ----------
        path : path-like, optional
            A file, or the name of an embedded model: ``en``, the default, or ``fr-en``, for
            software documentation and user interfaces in English that were translated from
            French, with their source; for any other text ``en`` is the better one. A file of
            such a name is given with its folder, ``./en``.
        verify : bool
            Also compare the file's checksum, of what is read; a mapped file might change later.
        style, after_colon, offices : str, optional
            As for the class.
        decode_with : {"whole", "words", "ngram", "unigram"}, optional
            Use only the model's n-grams, or only its lexicon: several times as fast, less
            accurate. ``words``: without the layer that reads the whole sentence of words in
            doubt, a seventh faster. By default all of the model, but of words that some of
            its features decide surely not the others; ``whole``: all features of every word,
            which is slower; fewer than one word in a thousand differs.
        copy : bool, optional
            Read the whole file, or, if false, map it: nothing of it is read before it is needed,
            and processes share its memory. By default models that are given by name are mapped,
            unless they are to be verified, and files are read.
        names : path-like, iterable of path-like, or NameList, optional
            Names in their right case, see `with_names`.

        Raises
        ------
        WrongTypeError
            `path` is no path.
        ReadError
            A file of names is not what it should be.
        ModelError
            The file is no model, damaged, or of a newer format; or `offices` is set, and the model
            is not English.
        OSError
            It cannot be read.
        """
        model = Model.load(path, verify=verify, copy=copy)
        try:
            decoding = model if decode_with is None else model.only(decode_with)
            made = cls(decoding, style, after_colon, offices)
        except ModelError as error:
            name = "the embedded model" if path is None else os.fspath(path)
            raise ModelError(f"{name}: {error}") from None
        return made if names is None else made.with_names(names)

    def with_names(
        self, names: "StrPath | Iterable[StrPath] | NameList", *, encoding: str | None = None
    ) -> "Truecaser":
        """A truecaser that also knows names in their right case, without training.

        A name that is no common word to the model is right wherever it stands, with a plural s
        or a possessive, too. One that is (``Apple``, ``New Deal``) is favoured, and its context
        decides. One with ``!`` in front is right in any context.

        Parameters
        ----------
        names : path-like, iterable of path-like, or NameList
            Files: a name a line, TBX, CSV; see `truecase.model.name_files.read_names`. Names that are in
            Python are made a list by `truecase.name_list`. They come to those that the model has.
        encoding : str, optional
            How the characters of the files are written.

        Raises
        ------
        OSError, ReadError
            A file cannot be read, or is not what it should be.
        """
        from truecase.kernels._names import NameList
        from truecase.model.name_files import read_names
        from truecase.model.names import join_lists

        if not isinstance(names, NameList):
            names = read_names(
                names,
                encoding=encoding,
                language=self.model.text.language,
                knows=lambda word: self.training_count(word) > 0,
            )
        if self.model.names is not None:
            names = join_lists([self.model.names, names])
        return self._with(self.model.replace(names=names))

    def without_calibration(self) -> "Truecaser":
        """A truecaser with the same output, whose probabilities are those of the model's scores."""
        if self.model.calibration is None:
            return self
        return self._with(self.model.replace(calibration=None))

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
        development: "Text | AlignedText | Bitext | None" = None,
        skipped: "SkippedLines | None" = None,
        threads: int = 1,
        memory: int | None = None,
        progress: "Progress | None" = None,
        encoding: str | None = None,
        marks: "MarksRecipe | None" = None,
    ) -> "Truecaser":
        """Train a model; the same bytes as by ``truecase train``.

        Parameters and errors are those of `truecase.training.train.train`, which also returns what
        training found out.
        """
        from truecase.training.train import train

        trained = train(
            text,
            recipe,
            counts=counts,
            source=source,
            alignment=alignment,
            more=more,
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
    ) -> "Truecaser":
        """A truecaser that also knows a domain; the same bytes as by ``truecase train adapt``.

        Parameters and errors are those of `truecase.training.adapt.adapt`, which also returns how
        many words are wrong before and after. The notes of the model have these figures, too.
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

    def refine(
        self,
        text: "Text" = (),
        recipe: "ContextRecipe | None" = None,
        *,
        unseen: "Sequence[tuple[Truecaser, Text]]" = (),
        threads: int = 1,
        progress: "Progress | None" = None,
        encoding: str | None = None,
    ) -> "Truecaser":
        """Refine the model to read whole sentences where it is in doubt: ``truecase train refine``.

        Parameters
        ----------
        unseen : sequence of (Truecaser, text), optional
            Parts of the text that the model was trained on, each with a truecaser that was trained
            alike on all other parts.
        text, recipe, threads, progress, encoding
            As for `truecase.training.context.refine`, with its errors. It also returns how
            many words are wrong before and after, as the notes of the model have it.
        """
        from truecase.training.context import DEFAULT, refine

        refined = refine(
            self.model,
            text,
            DEFAULT if recipe is None else recipe,
            unseen=[(other.model, part) for other, part in unseen],
            threads=threads,
            progress=progress,
            encoding=encoding,
        )
        return self._with(refined.model)

    def train_marks(
        self,
        text: "Text",
        recipe: "MarksRecipe | None" = None,
        *,
        progress: "Progress | None" = None,
        encoding: str | None = None,
    ) -> "Truecaser":
        """A truecaser that can also punctuate, as by ``truecase train marks``.

        Parameters and errors are those of `truecase.training.punctuation.train_marks`.
        """
        from truecase.training.punctuation import DEFAULT, train_marks

        trained = train_marks(
            self.model,
            text,
            DEFAULT if recipe is None else recipe,
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
    ) -> "Truecaser":
        """Calibrate the model: its probabilities become how often it is right.

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
        """Write the model to `path`, whole or not at all."""
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
            In place of those of the truecaser.
        source : str, optional
            The sentence, cased, that the text is a translation of; as many lines.
        alignment : str, optional
            Which of their words are aligned, in Pharaoh's form: ``0-0 1-2``, the source's word
            first, words being what stands between white space, from 0. Without it,
            every source word is considered for every word.

        Raises
        ------
        CasingError, StyleError
            The value of an option is unknown, or the model detects no titles.
        AlignmentError
            `alignment` is broken, or not of these words.
        ValueError
            There is an alignment, but no source, or not as many lines of them.
        WrongTypeError
            One of them is no str.
        """
        casing = self.casing
        if not (input_case is None and style is None and sentence_start is None):
            casing = self._casing(input_case, style, sentence_start)
        if casing.style == "sentence" and source is None and alignment is None:
            return case_text(self._compiled, text, casing)
        block = encode(checked_text(text, "text"))
        lines = source_lines(
            block,
            None if source is None else encode(checked_text(source, "source")),
            None if alignment is None else encode(checked_text(alignment, "alignment")),
        )
        return decode(self._case_part(block, casing, **lines))

    batch = texts.batch
    column = columns.column
    document = documents.document
    one_sense_block = documents.one_sense_block
    session = documents.session

    punctuate = punctuation.punctuate
    punctuate_block = punctuation.punctuate_block
    mark_probabilities = punctuation.mark_probabilities
    missing_marks = punctuation.missing_marks

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
            Anything with a buffer: bytes, memoryview, array, mmap. UTF-8; invalid bytes and NULs
            pass unchanged.
        threads : int
            The result does not depend on it.
        input_case, style, sentence_start : str, optional
            In place of those of the truecaser.
        source : bytes-like, optional
            As many lines: the sentences, cased, that these are translations of.
        phrases : Phrases, optional
            The source words that each word is aligned with. Without, all words of its line's
            source are its phrase.

        Returns
        -------
        bytes
            As many lines in the same order, the same but for case.

        Raises
        ------
        CasingError, StyleError
            The value of an option is unknown, or the model detects no titles.
        ValueError
            `threads` is below 1, or `source` or `phrases` have another number of lines or words.
        WrongTypeError
            `block` or `source` is no bytes-like object.
        """
        block = checked_bytes(block, "block")
        source = None if source is None else checked_bytes(source, "source")
        threads = checked_threads(threads)
        casing = self._casing(input_case, style, sentence_start)
        if phrases is not None and source is None:
            raise ValueError("phrases need the source that they belong to")
        if threads == 1 or len(block) <= ONE_THREAD_BYTES:
            return self._case_part(block, casing, source, phrases)
        # Bytes, and a view of them for each part: CPython 3.13 counts the users of a bytearray, and
        # those of a view's memory, as if there were one thread.
        text = bytes(block)
        size = min(1 << 20, bytes_for_a_thread(len(text), threads))
        if source is not None:
            from truecase.alignment.lines import AlignedLines

            lines = AlignedLines(text, bytes(source), phrases)
            lines.check()
            return b"".join(
                ordered_map(
                    lambda part: self._case_part(part.target, casing, part.source, part.phrases),
                    lines.parts(size),
                    threads,
                )
            )
        return b"".join(
            ordered_map(
                lambda part: self._case_part(part, casing),
                (memoryview(text)[part] for part in line_slices(text, size)),
                threads,
            )
        )

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

    @property
    def styler(self) -> "Styler":
        """Writes the styles other than ``sentence``; with the model's title detector, if any."""
        if self._styler is None:
            from truecase.rules.styles import Styler

            text = self.model.text
            titles = self.model.titles
            detector = (
                None if titles is None else titles.detector(text.segmentation, text.casing_language)
            )
            self._styler = Styler(text.segmentation, text.writing_language, detector)
        return self._styler

    tags = words.tags
    posteriors = words.posteriors
    table_block = words.table_block
    explain = words.explain

    @property
    def takes_source(self) -> bool:
        """Whether the model looks at a source: not with its lexicon alone, nor of ``portage``."""
        return self.model.takes_source

    def evaluate(
        self,
        reference: Iterable[str],
        threads: int = 1,
        *,
        sentence_start: SentenceStart | None = None,
    ) -> "Evaluation":
        """Lowercase `reference`, case it again, and compare.

        Parameters
        ----------
        reference : iterable of str
            Correctly cased lines.
        threads : int
        sentence_start : str, optional
            In place of that of the truecaser.

        Raises
        ------
        EvaluationError
            `reference` has no word.
        """
        from truecase.evaluation.metrics import evaluate_lines
        from truecase.kernels._unicode import lower

        lines = checked_texts(reference, "reference")
        bare = [lower(line, self.language) for line in lines]
        output = self.batch(bare, threads, sentence_start=sentence_start)
        return evaluate_lines(lines, output, self.training_count, self.language)

    def training_count(self, word: str) -> int:
        """How often `word` occurred in training, whatever its case (to about 5 %).

        0 for a word that did not occur, or that the model leaves to its word classes.
        """
        return self._compiled.training_count(checked_text(word, "word"))

    def training_counts(self, block: "Buffer") -> list[int]:
        """The same of each word of a block, as the model cuts it."""
        return self._compiled.counts(checked_bytes(block, "block"))
