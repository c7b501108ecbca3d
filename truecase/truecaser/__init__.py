"""`Truecaser`: a model, and what can be done with it."""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from truecase._core import CompiledModel
from truecase.errors import ModelError, WrongTypeError
from truecase.model.model import Model
from truecase.options import ColonStyle, DecodeWith, InputCase, OfficeStyle, SentenceStart, Style
from truecase.runtime.shares import ONE_THREAD_BYTES, bytes_for_a_thread
from truecase.runtime.threads import ordered_map
from truecase.text.lines import line_slices
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
    from typing_extensions import Buffer

    from truecase.alignment.alignment_file import AlignmentFile
    from truecase.alignment.errors import SkippedLines
    from truecase.alignment.phrases import Phrases
    from truecase.evaluate.metrics import Evaluation
    from truecase.files.progress import Progress
    from truecase.names._name_list import NameList
    from truecase.styles.styles import Styler
    from truecase.training.material import AlignedText, Bitext, Text
    from truecase.training.recipe import Adaptation, ContextRecipe, MarksRecipe, Recipe

Path = str | os.PathLike[str]


class Truecaser:
    """Restores the case of text with a trained model.

    Made by `Truecaser.load` or `Truecaser.train`, or of a `Model`. One object may be used by any
    number of threads at once: they share the model.

    Parameters
    ----------
    model : Model
    style : str
        How text comes out, of `truecase.options.Style`: as sentences; as titles; in upper case; or
        each line as what the model's title detector takes it for. Titles are by a guide or by the
        length of words if it says so. See `truecase.styles.styles`.
    after_colon : {"as-learned", "capital", "lower"}
        The case of a word that a colon introduces (``one wish: to go home``): as the model has it;
        with a capital, like the first word of a sentence; or as it would be inside one, so that
        names keep theirs. Labels (``Note:``), times, addresses and code are not meant.
    offices : {"as-learned", "capital", "lower"}
        The case of offices and bodies that stand alone (``the president said``), in English: as the
        model has it; with a capital behind *the*; or in lower case. Names beside them
        (``President Obama``, ``the Security Council``) leave it to the model.

    Attributes
    ----------
    model : Model

    Raises
    ------
    ModelError
        If the model breaks an invariant of the kernels, or with `offices` is not of English.
    StyleError
        If there is no such style, or it is ``auto`` and the model detects no titles.
    """

    def __init__(
        self,
        model: Model,
        style: Style = "sentence",
        after_colon: ColonStyle = "as-learned",
        offices: OfficeStyle = "as-learned",
    ) -> None:
        if not isinstance(model, Model):
            raise WrongTypeError(
                f"model: expected a Model, found {type(model).__name__}; Truecaser.load opens files"
            )
        self.model = model
        self._compiled = CompiledModel(model, after_colon, offices)
        self.after_colon: ColonStyle = after_colon
        self.offices: OfficeStyle = offices
        self._styler: Styler | None = None
        self.style: Style = "sentence"
        if style != "sentence":
            self.style = self._checked_style(style)

    def __repr__(self) -> str:
        return f"<Truecaser: style {self.style}, {self.model!r}>"

    def __copy__(self, memo: object = None) -> "Truecaser":
        return self._with(self.model)

    __deepcopy__ = __copy__

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.model, self.style, self.after_colon, self.offices)

    def _with(self, model: Model) -> "Truecaser":
        """The same with another model."""
        return type(self)(model, self.style, self.after_colon, self.offices)

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
        path: Path | None = None,
        verify: bool = False,
        style: Style = "sentence",
        decode_with: DecodeWith | None = None,
        copy: bool | None = None,
        names: "Path | Iterable[Path] | NameList | None" = None,
        after_colon: ColonStyle = "as-learned",
        offices: OfficeStyle = "as-learned",
    ) -> "Truecaser":
        """Load a model: a file is read, one that a package brings is mapped.

        What happens to a file that was read changes nothing. One that is mapped must not be written
        to: put another model in its place by renaming, as `save` does it. Of one that is cut short
        the process dies (SIGBUS), of one that is rewritten it makes nonsense.

        Parameters
        ----------
        path : path-like, optional
            A file, or the name of an embedded model: ``en``, the default, or ``fr-en``, for
            software documentation and user interfaces in English that were translated from
            French, with their source; for any other text ``en`` is the better one. A file of
            such a name is given with its folder, ``./en``.
        verify : bool
            Also compare the file's checksum, of what is read; a mapped file might change later.
        style : str
            How text comes out, of `truecase.options.Style`.
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
        after_colon, offices : {"as-learned", "capital", "lower"}
            As for the class.

        Raises
        ------
        WrongTypeError
            If the path is none.
        ReadError
            If a list of names is none.
        ModelError
            If the file is no model, damaged, of a newer format, or, with `offices`, not of English.
        OSError
            If it cannot be read.
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
        self, names: "Path | Iterable[Path] | NameList", *, encoding: str | None = None
    ) -> "Truecaser":
        """A truecaser that also knows names in their right case, without training.

        A name that is no common word to the model is right wherever it stands, with a plural s
        or a possessive, too. One that is (``Apple``, ``New Deal``) is favoured, and its context
        decides. One with ``!`` in front is right in any context.

        Parameters
        ----------
        names : path-like, iterable of path-like, or NameList
            Files: a name a line, TBX, CSV; see `truecase.names.read.read_names`. Names that are in
            Python are made a list by `truecase.name_list`. They come to those that the model has.
        encoding : str, optional
            How the characters of the files are written.

        Raises
        ------
        OSError, ReadError
            A file cannot be read, or is not what it should be.
        """
        from truecase.names._name_list import NameList
        from truecase.names.names import join_lists
        from truecase.names.read import read_names

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
        """A truecaser that tells probabilities as the model's scores have them; it cases alike."""
        if self.model.calibration is None:
            return self
        return self._with(self.model.replace(calibration=None))

    @classmethod
    def train(
        cls,
        text: "Text | AlignedText" = (),
        recipe: "Recipe | str" = "ngram",
        *,
        counts: Path | None = None,
        source: Path | None = None,
        alignment: "Path | AlignmentFile | None" = None,
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

        Parameters
        ----------
        text : path-like, sequence of path-like, or callable
            Cased text, a sentence or segment per line, plain or compressed.
        recipe : Recipe or str
            Of `truecase.training.recipe`, or the name of a preset.
        counts, source, alignment, more, development, skipped, threads, memory, progress
            As for `truecase.training.train.train`.
        encoding, marks
            As for `truecase.training.train.train`, which also tells what training found out.

        Raises
        ------
        TrainingError
            The recipe does not get what it needs, or gets what it has no use for; or the text
            cannot give a model.
        OSError, ValueError
            A file cannot be read, or is not what it should be; the message names it.
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

        Parameters
        ----------
        text : path-like, sequence of path-like, or callable
            Cased text of the domain.
        recipe : Adaptation, optional
            Of `truecase.training.recipe`.
        general, development, threads, progress, encoding
            As for `truecase.training.adapt.adapt`, which also tells how many words are wrong
            before and after. So do the notes of the model.

        Raises
        ------
        ModelError
            If the model cannot be adapted, or was already.
        TrainingError
            If an option has no effect, or the text is too short.
        OSError, ValueError
            A file cannot be read, or is not what it should be; the message names it.
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
        """Make one that reads whole sentences where it is in doubt, as ``truecase train refine``.

        Parameters
        ----------
        text : path-like, sequence of path-like, or callable
            Cased text that the model was not trained on.
        recipe : ContextRecipe, optional
            Of `truecase.training.recipe`.
        unseen : sequence of (Truecaser, text), optional
            Parts of the text that the model was trained on, each with a truecaser that was trained
            alike on all but this part.
        threads, progress, encoding
            As for `truecase.training.context.refine.refine`, which also tells how many words are
            wrong before and after. So do the notes of the model.

        Raises
        ------
        ModelError
            If the model cannot be refined.
        TrainingError
            If the text is too short.
        OSError, ValueError
            A file cannot be read, or is not what it should be; the message names it.
        """
        from truecase.training.context.refine import DEFAULT, refine

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
        """A truecaser that can also punctuate, as ``truecase train marks`` makes it.

        Parameters
        ----------
        text : path-like, sequence of path-like, or callable
            Punctuated and cased text, such as transcripts, in its order.
        recipe : MarksRecipe, optional
            Of `truecase.training.recipe`.
        progress, encoding
            As for `train`.

        Raises
        ------
        TrainingError
            If the text is too short, or some mark never occurs.
        OSError, ValueError
            A file cannot be read, or is not what it should be; the message names it.
        """
        from truecase.training.marks.train_marks import DEFAULT, train_marks

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
        """Make one that is right as often as it says: the bytes of ``truecase train calibrate``.

        It cases as before. Only the probabilities change that `posteriors`, `column` and
        `table_block` tell.

        Parameters
        ----------
        texts : sequence of (path-like, sequence of path-like, or callable)
            Cased text that training has not seen, a text for each kind of it.
        threads, progress, encoding
            As for `truecase.training.calibration.calibrate`, which also tells how sure the model
            is of each text before and after. So do the notes of the model, of all together.

        Raises
        ------
        TrainingError
            If there is no text, or one is too short.
        OSError, ValueError
            A file cannot be read, or is not what it should be; the message names it.
        """
        from truecase.training.calibration import calibrate

        calibrated = calibrate(
            self.model, texts, threads=threads, progress=progress, encoding=encoding
        )
        return self._with(calibrated.model)

    def save(self, path: Path) -> None:
        """Write the model to `path`, whole or not at all."""
        self.model.save(path)

    def __call__(
        self,
        text: str,
        input_case: InputCase = "ignore",
        style: Style | None = None,
        *,
        source: str | None = None,
        alignment: str | None = None,
        sentence_start: SentenceStart = "always",
    ) -> str:
        """Case one text; line ends in it separate sentences.

        Parameters
        ----------
        text : str
        input_case : {"ignore", "keep", "auto"}
            What the case of the input means; see `case_block`.
        style : str, optional
            As for the class; the truecaser's own if not given.
        source : str, optional
            The sentence, cased, that the text is a translation of; as many lines.
        alignment : str, optional
            Which of their words are aligned, in Pharaoh's form: ``0-0 1-2``, the source's word
            first, words being what stands between white space, from 0. Without it,
            every source word is considered for every word.
        sentence_start : {"always", "learned"}
            Whether the first word of a sentence, and the English I, has a capital by rule, or
            where the model gives it one; see `case_block`.

        Raises
        ------
        AlignmentError
            `alignment` is broken, or not of these words.
        ValueError
            There is an alignment, but no source, or not as many lines of them.
        WrongTypeError
            One of them is no str.
        """
        if (
            (self.style if style is None else style) == "sentence"
            and source is None
            and alignment is None
        ):
            return case_text(self._compiled, text, input_case, sentence_start)
        block = encode(checked_text(text, "text"))
        lines = source_lines(
            block,
            None if source is None else encode(checked_text(source, "source")),
            None if alignment is None else encode(checked_text(alignment, "alignment")),
        )
        cased = self.case_block(block, 1, input_case, style, **lines, sentence_start=sentence_start)
        return decode(cased)

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
        input_case: InputCase = "ignore",
        style: Style | None = None,
        *,
        source: "Buffer | None" = None,
        phrases: "Phrases | None" = None,
        sentence_start: SentenceStart = "always",
    ) -> bytes:
        """Case a block of newline-separated lines.

        Parameters
        ----------
        block : bytes-like
            Anything with a buffer: bytes, memoryview, array, mmap. UTF-8; invalid bytes and NULs
            pass unchanged.
        threads : int
        input_case : {"ignore", "keep", "auto"}
            ``ignore``: the case of the input is dropped first. ``keep``: a word that has
            upper case stays as it is and serves as context. ``auto``: a line that is all
            upper or all lower case is treated as by ``ignore``; of any other line only the
            first word is.
        style : str, optional
            As for the class; the truecaser's own if not given.
        source : bytes-like, optional
            As many lines: the sentences, cased, that these are translations of.
        phrases : Phrases, optional
            The source words that each word is aligned with. Without, all words of its line's
            source are its phrase.
        sentence_start : {"always", "learned"}
            ``always``: the first word of a line, and the first after a mark that surely ends a
            sentence, has a capital whatever the model's weights say, and so has I in models
            trained for English (``language``). Left to the model are words with inner
            capitals, digits or signs in or right beside them, what follows a closing quote
            after ? or !, an ellipsis or a closing bracket, and lines whose source begins in
            lower case. ``learned``: the model decides everywhere.

        Returns
        -------
        bytes
            As many lines in the same order, the same but for case.

        Raises
        ------
        ValueError
            If `threads` is below 1, `input_case` or `sentence_start` unknown, or `source` or
            `phrases` are of another number of lines or words.
        StyleError
            If there is no such style, or it is ``auto`` and the model detects no titles.
        WrongTypeError
            If `block` or `source` is no bytes-like object.
        """
        block = checked_bytes(block, "block")
        source = None if source is None else checked_bytes(source, "source")
        threads = checked_threads(threads)
        style = self.style if style is None else self._checked_style(style)
        if phrases is not None and source is None:
            raise ValueError("phrases need the source that they belong to")
        if threads == 1 or len(block) <= ONE_THREAD_BYTES:
            return self._case_part(block, input_case, style, source, phrases, sentence_start)
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
                    lambda part: self._case_part(
                        part.target, input_case, style, part.source, part.phrases, sentence_start
                    ),
                    lines.parts(size),
                    threads,
                )
            )
        return b"".join(
            ordered_map(
                lambda part: self._case_part(
                    part, input_case, style, sentence_start=sentence_start
                ),
                (memoryview(text)[part] for part in line_slices(text, size)),
                threads,
            )
        )

    def _case_part(
        self,
        block: bytes | bytearray | memoryview,
        input_case: InputCase,
        style: Style,
        source: bytes | bytearray | memoryview | None = None,
        phrases: "Phrases | None" = None,
        sentence_start: SentenceStart = "always",
    ) -> bytes:
        if style == "sentence":
            return self._compiled.case_block(block, input_case, source, phrases, sentence_start)
        given = bytes(block)
        cased = given
        if style != "upper":
            cased = self._compiled.case_block(given, input_case, source, phrases, sentence_start)
        return self.styler.apply(style, given, cased)

    @property
    def styler(self) -> "Styler":
        """Writes the styles other than ``sentence``; with the model's title detector, if any."""
        if self._styler is None:
            from truecase.styles.styles import Styler

            text = self.model.text
            titles = self.model.titles
            detector = (
                None if titles is None else titles.detector(text.segmentation, text.casing_language)
            )
            self._styler = Styler(text.segmentation, text.writing_language, detector)
        return self._styler

    def _checked_style(self, style: str, styler: "Styler | None" = None) -> Style:
        from truecase.styles.style_names import check_style, detected

        checked = check_style(style)
        if detected(checked) is not None:
            (self.styler if styler is None else styler).titles(b"")
        return checked

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
        sentence_start: SentenceStart = "always",
    ) -> "Evaluation":
        """Lowercase `reference`, case it again, and compare.

        Parameters
        ----------
        reference : iterable of str
            Correctly cased lines.
        threads : int
        sentence_start : {"always", "learned"}

        Raises
        ------
        EvaluationError
            There is no word in it.
        """
        from truecase.evaluate.metrics import evaluate_lines
        from truecase.text._casing import lower

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
