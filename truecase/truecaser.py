"""`Truecaser`: a model, and what can be done with it."""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, Any, TypedDict

from truecase._core import CompiledModel
from truecase.corpus.line_slices import line_slices
from truecase.data import model_file
from truecase.modelfile.errors import ModelError
from truecase.modelfile.preset import as_preset
from truecase.modelfile.read import read_model

if TYPE_CHECKING:
    from truecase.bilingual.phrases import Phrases
    from truecase.confidence import WordPosterior
    from truecase.evaluate.metrics import Evaluation
    from truecase.explain.explanation import Explanation
    from truecase.modelfile.layout import Arrays
    from truecase.portage.styles import Styler
    from truecase.training.options import TrainingOptions

Path = str | os.PathLike[str]


# Work handed to one thread at a time: large enough that the GIL does not matter.
_THREAD_BLOCK = 1 << 15


class Truecaser:
    """Restores the case of text with a trained model.

    Made by `Truecaser.load`, `Truecaser.train` or `truecase.training`. One object may be
    used by any number of threads at once: they share the model.

    Parameters
    ----------
    arrays : dict of str to ndarray
    metadata : dict
        See `truecase.modelfile.layout`.
    style : {"sentence", "title", "upper", "auto"}
        How text comes out: as sentences; as titles; in upper case; or each line as what the
        model's title detector takes it for. See `truecase.portage.styles`.

    Raises
    ------
    ModelError
        If the arrays or settings break an invariant of the kernels.
    StyleError
        If there is no such style, or it is ``auto`` and the model detects no titles.
    """

    def __init__(self, arrays: "Arrays", metadata: dict[str, Any], style: str = "sentence") -> None:
        self.arrays = arrays
        self.metadata = metadata
        self._compiled = CompiledModel(arrays, metadata["decoder"])
        self._styler: Styler | None = None
        self.style = "sentence"
        if style != "sentence":
            self.style = self._checked_style(style)

    @classmethod
    def load(
        cls,
        path: Path | None = None,
        verify: bool = False,
        style: str = "sentence",
        preset: str | None = None,
    ) -> "Truecaser":
        """Load a model; its file is mapped, not read, so processes share its pages.

        Parameters
        ----------
        path : path-like, optional
            A file, or the name of an embedded model: ``en``, the default, or ``fr-en``, for
            English that was translated from French.
        verify : bool
            Also compare the file's checksum.
        style : {"sentence", "title", "upper", "auto"}
            How text comes out.
        preset : {"trigram", "unigram"}, optional
            Use only the model's n-grams, or only its lexicon: several times as fast, less
            accurate.

        Raises
        ------
        ModelError
            If the file is no model, damaged, or of a newer format.
        OSError
            If it cannot be read.
        """
        with model_file(path) as file:
            return cls._from_file(file, verify, style, preset)

    @classmethod
    def _from_file(cls, path: Path, verify: bool, style: str, preset: str | None) -> "Truecaser":
        arrays, metadata = read_model(path, verify)
        try:
            if preset is not None:
                metadata = as_preset(metadata, preset)
            return cls(arrays, metadata, style)
        except ModelError as error:
            raise ModelError(f"{os.fspath(path)}: {error}") from None

    @classmethod
    def train(
        cls,
        paths: Sequence[Path],
        options: "TrainingOptions | None" = None,
        development: Path | None = None,
    ) -> "Truecaser":
        """Train a model from text files (plain, .gz, .xz, .bz2 or .zst).

        Parameters
        ----------
        paths : sequence of path-like
            One sentence or segment per line, naturally cased.
        options : TrainingOptions, optional
        development : path-like, optional
            Cased text that the preset crf learns its weights on, other than `paths`; by
            default, some of `paths` is held out.
        """
        from truecase.corpus.read import read_blocks
        from truecase.training.options import TrainingOptions
        from truecase.training.train import train_arrays

        options = options or TrainingOptions()
        files = [os.fspath(path) for path in paths]
        if options.preset == "crf":
            from truecase.crf.model import train_crf

            text = None
            if development is not None:
                text = b"".join(read_blocks([os.fspath(development)]))
            trained, _ = train_crf(lambda: read_blocks(files), options, development=text)
            return trained
        arrays, metadata = train_arrays(read_blocks(files), options)
        return cls(arrays, metadata)

    def save(self, path: Path) -> None:
        """Write the model to `path`, whole or not at all."""
        from truecase.modelfile.write import write_model

        write_model(path, self.arrays, self.metadata)

    def __call__(
        self,
        text: str,
        input_case: str = "ignore",
        style: str | None = None,
        *,
        source: str | None = None,
        alignment: str | None = None,
    ) -> str:
        """Case one text; line ends in it separate sentences.

        Parameters
        ----------
        text : str
        input_case : {"ignore", "keep", "auto"}
            What the case of the input means; see `case_block`.
        style : {"sentence", "title", "upper", "auto"}, optional
            The truecaser's own if not given.
        source : str, optional
            The sentence, cased, that the text is a translation of; as many lines.
        alignment : str, optional
            Which of their words are aligned, in Pharaoh's form: ``0-0 1-2``, the source's word
            first, words being what stands between white space, from 0. Without, any
            source word may be the translation of any word.

        Raises
        ------
        AlignmentError
            `alignment` is broken, or not of these words.
        ValueError
            There is an alignment, but no source.
        """
        block = _encode(text)
        lines = _source_lines(
            block,
            None if source is None else _encode(source),
            None if alignment is None else _encode(alignment),
        )
        return _decode(self.case_block(block, 1, input_case, style, **lines))

    def batch(
        self,
        lines: Iterable[str],
        threads: int = 1,
        input_case: str = "ignore",
        style: str | None = None,
        *,
        source: Iterable[str] | None = None,
        alignment: Iterable[str] | None = None,
    ) -> list[str]:
        """Case many texts.

        Parameters
        ----------
        lines : iterable of str
            One sentence or segment each.
        threads : int
            Threads that work side by side; the result does not depend on it.
        input_case : {"ignore", "keep", "auto"}
        style : {"sentence", "title", "upper", "auto"}, optional
            The truecaser's own if not given.
        source, alignment : iterable of str, optional
            Of each text, as for one text.

        Returns
        -------
        list of str
            As many, in order.

        Raises
        ------
        AlignmentError
            An alignment is broken, or not of these words.
        ValueError
            There are not as many lines of `source` or `alignment`, or no source.
        """
        texts = list(lines)
        if not texts:
            return []
        block = _encode("\n".join(texts) + "\n")
        source_lines = _source_lines(
            block,
            None if source is None else _encode("".join(f"{line}\n" for line in source)),
            None if alignment is None else _encode("".join(f"{line}\n" for line in alignment)),
        )
        case = self.case_block(block, threads, input_case, style, **source_lines)
        cased = iter(_decode(case).split("\n"))
        return ["\n".join(islice(cased, text.count("\n") + 1)) for text in texts]

    def case_block(
        self,
        block: bytes | bytearray | memoryview,
        threads: int = 1,
        input_case: str = "ignore",
        style: str | None = None,
        *,
        source: bytes | bytearray | memoryview | None = None,
        phrases: "Phrases | None" = None,
    ) -> bytes:
        """Case a block of newline-separated lines.

        Parameters
        ----------
        block : bytes-like
            UTF-8; invalid bytes and NULs pass unchanged.
        threads : int
        input_case : {"ignore", "keep", "auto"}
            ``ignore``: the case of the input is dropped first. ``keep``: a word that has
            upper case stays as it is and serves as context. ``auto``: a line that is all
            upper or all lower case is treated as by ``ignore``; of any other line only the
            first word is.
        style : {"sentence", "title", "upper", "auto"}, optional
            The truecaser's own if not given.
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
        ValueError
            If `threads` is below 1, `input_case` unknown, or `source` or `phrases` are of
            another number of lines or words.
        StyleError
            If there is no such style, or it is ``auto`` and the model detects no titles.
        """
        if threads < 1:
            raise ValueError(f"threads {threads}: expected 1 or more")
        style = self.style if style is None else self._checked_style(style)
        if phrases is not None and source is None:
            raise ValueError("phrases are of a source: give it, too")
        if threads == 1 or len(block) <= _THREAD_BLOCK:
            return self._case_part(block, input_case, style, source, phrases)
        text = block if isinstance(block, (bytes, bytearray)) else bytes(block)
        view = memoryview(text)
        # Small enough to share the work evenly.
        size = max(_THREAD_BLOCK, min(1 << 20, len(text) // (4 * threads)))
        if source is not None:
            from truecase.bilingual.aligned_lines import AlignedLines

            lines = AlignedLines(bytes(text), bytes(source), phrases)
            lines.check()
            with ThreadPoolExecutor(threads) as pool:
                return b"".join(
                    pool.map(
                        lambda part: self._case_part(
                            part.target, input_case, style, part.source, part.phrases
                        ),
                        lines.parts(size),
                    )
                )
        with ThreadPoolExecutor(threads) as pool:
            return b"".join(
                pool.map(
                    lambda part: self._case_part(part, input_case, style),
                    (view[part] for part in line_slices(text, size)),
                )
            )

    def _case_part(
        self,
        block: bytes | bytearray | memoryview,
        input_case: str,
        style: str,
        source: bytes | bytearray | memoryview | None = None,
        phrases: "Phrases | None" = None,
    ) -> bytes:
        if style == "sentence":
            return self._compiled.case_block(block, input_case, source, phrases)
        given = bytes(block)
        cased = given
        if style != "upper":
            cased = self._compiled.case_block(given, input_case, source, phrases)
        return self.styler.apply(style, given, cased)

    @property
    def styler(self) -> "Styler":
        """Writes the styles other than ``sentence``; with the model's title detector, if any."""
        if self._styler is None:
            from truecase.portage.styles import Styler, detector_of

            decoder = self.metadata["decoder"]
            language = "tr" if decoder["casing"] == "turkic" else ""
            try:
                detector = detector_of(self.arrays, decoder["segmentation"], language)
            except ValueError as error:
                raise ModelError(f"the array titles.weights is damaged: {error}") from None
            self._styler = Styler(decoder["segmentation"], language, detector)
        return self._styler

    def _checked_style(self, style: str) -> str:
        from truecase.portage.styles import check_style

        check_style(style)
        if style == "auto":
            self.styler.titles(b"")
        return style

    def tags(self, text: str) -> list[tuple[str, str]]:
        """The words of `text` as the model cuts it, cased, each with its capitalisation tag."""
        from truecase.text._segment import segment

        cased = self._compiled.case_block(_encode(text), "ignore")
        decoder = self.metadata["decoder"]
        language = "tr" if decoder["casing"] == "turkic" else ""
        return [
            (_decode(cased[token.start : token.end]), token.tag)
            for token in segment(cased, decoder["segmentation"], language)
        ]

    def posteriors(self, text: str, input_case: str = "ignore") -> list["WordPosterior"]:
        """The words of `text` as the model cuts it, with the probability of each candidate.

        Parameters
        ----------
        text : str
        input_case : {"ignore", "keep"}

        Returns
        -------
        list of WordPosterior
        """
        from truecase._posteriors import word_posteriors
        from truecase.confidence import Candidate, WordPosterior

        words = []
        for line in word_posteriors(self._compiled, _encode(text), input_case):
            for forms in line:
                candidates = tuple(Candidate(_decode(form), tag, p) for form, tag, p in forms)
                words.append(WordPosterior(*candidates[0], candidates))
        return words

    def confidence_block(self, block: bytes, input_case: str = "ignore") -> bytes:
        """Cased words of newline-separated lines, one a line: word, tag, probability.

        Parameters
        ----------
        block : bytes
        input_case : {"ignore", "keep"}

        Returns
        -------
        bytes
            Tab-separated; an empty line ends each line of the block.
        """
        from truecase._posteriors import word_posteriors

        out = []
        for line in word_posteriors(self._compiled, block, input_case):
            out += [
                b"%s\t%s\t%.6f\n" % (forms[0][0], forms[0][1].encode(), forms[0][2])
                for forms in line
            ]
            out.append(b"\n")
        return b"".join(out)

    def explain(
        self, text: str, *, source: str | None = None, alignment: str | None = None
    ) -> "Explanation":
        """Case one line and tell why: candidates, features, posteriors, the best path.

        Parameters
        ----------
        text : str
            Its case is dropped first.
        source, alignment : str, optional
            As for a call of the truecaser.

        Raises
        ------
        ValueError
            If it has several lines, or more than 20,000 bytes.
        """
        from truecase.explain.explain import explain_line

        lines = _source_lines(
            _encode(text),
            None if source is None else _encode(source),
            None if alignment is None else _encode(alignment),
        )
        return explain_line(self._compiled, self.metadata, text, **lines)

    def evaluate(self, reference: Iterable[str], threads: int = 1) -> "Evaluation":
        """Lowercase `reference`, case it again, and compare.

        Parameters
        ----------
        reference : iterable of str
            Correctly cased lines.
        threads : int
        """
        from truecase.evaluate.metrics import evaluate_lines

        lines = list(reference)
        return evaluate_lines(lines, self.batch(lines, threads), self.training_count)

    def training_count(self, word: str) -> int:
        """How often `word` occurred in training, whatever its case (to about 5 %).

        0 for a word that did not occur, or that the model leaves to its word classes.
        """
        counts = self._compiled.counts(_encode(word))
        return min(counts, default=0)


class _SourceLines(TypedDict):
    source: bytes | None
    phrases: "Phrases | None"


def _source_lines(block: bytes, source: bytes | None, alignment: bytes | None) -> _SourceLines:
    """What `case_block` wants to know of the source."""
    if alignment is None:
        return {"source": source, "phrases": None}
    if source is None:
        raise ValueError("an alignment needs the source that it aligns")
    from truecase.bilingual._words import count_words
    from truecase.bilingual.pharaoh import parse_pharaoh

    phrases = parse_pharaoh(alignment, count_words(source), count_words(block))
    return {"source": source, "phrases": phrases}


def _encode(text: str) -> bytes:
    """UTF-8; lone surrogates survive the round trip."""
    return text.encode("utf-8", "surrogatepass")


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
