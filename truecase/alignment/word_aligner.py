"""Word alignment of a bitext in both directions, joined by grow-diag-final-and.

Truecasing does not need it: any aligner that writes Pharaoh's form will do.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from truecase.alignment.lines import AlignedLines, BadLines, Phrases, running_sum
from truecase.alignment.link_formats import format_pharaoh, links_of_words, parse_pharaoh
from truecase.base.atomic import atomic_write, scratch_folder
from truecase.base.read import display_name
from truecase.base.spool import Int32s, Int64s
from truecase.errors import AlignerError, ReadError
from truecase.kernels._segment import count_words, token_spans
from truecase.kernels.text import split_lines

# White space to Python, but not where words of an alignment are split.
_OTHER_SPACE = re.compile(r"[^\S\t\n\v\f\r ]")


#: Called with each step and, if known, the share of it that is done.
Report = Callable[..., None]

_LETTER = (
    "[\u0e01-\u0e5b\u0e81-\u0edf\u1000-\u109f\u1780-\u17dd"
    "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_OF_SCRIPT = re.compile(_LETTER)
# No word of these scripts has so many letters: it is a clause without spaces.
_CLAUSE = re.compile(_LETTER + "{12,}")
# A segmented text has a smaller share of them, which are long names and errors of the segmenter.
_MOST_CLAUSES = 0.1
#: Tools that segment such text.
SEGMENTERS = "jieba for Chinese, fugashi for Japanese, PyThaiNLP for Thai, PyICU for any of them"


_WORD = re.compile(rb"[^\t-\r ]+")
_NO_SPACE = bytes.maketrans(b"\t\v\f\r ", b"_____")


def split_tokens(
    block: bytes, segmentation: str = "raw", language: str = ""
) -> tuple[bytes, Int64s, Int32s]:
    """Tokenise lines.

    Returns
    -------
    text : bytes
        As many lines, each ended by a line feed; white space within a token becomes ``_``.
    line_offsets : int64 ndarray, shape (n_lines + 1,)
        First token of each line, counted over the block.
    word : int32 ndarray, shape (n_tokens,)
        Index of each token's word in its line. Words are runs of bytes other than ASCII white
        space; a token of several words belongs to the first.
    """
    lines: list[bytes] = []
    n_tokens: list[int] = []
    words: list[int] = []
    for line in split_lines(block):
        spans = token_spans(line, segmentation, language)
        ends = [word.end() for word in _WORD.finditer(line)]
        shown = line.translate(_NO_SPACE)
        lines.append(b" ".join([shown[start:end] for start, end in spans]) + b"\n")
        n_tokens.append(len(spans))
        # White space at the end of a line may be a token.
        last = max(len(ends) - 1, 0)
        words += [min(bisect_right(ends, start), last) for start, _ in spans]
    return b"".join(lines), running_sum(np.array(n_tokens, np.int64)), np.array(words, np.int32)


@dataclass
class TokenSide:
    """One side of a bitext as tokens, a block of lines at a time."""

    segmentation: str
    language: str
    text: list[bytes] = field(default_factory=list)
    words: list[Int32s] = field(default_factory=list)
    tokens_per_line: list[Int32s] = field(default_factory=list)
    words_per_line: list[Int32s] = field(default_factory=list)
    # Words of scripts without spaces between words, and those of them that are whole clauses.
    n_unspaced: int = 0
    n_clauses: int = 0

    def add(self, block: bytes) -> None:
        """Add lines."""
        tokens, offsets, words = split_tokens(block, self.segmentation, self.language)
        self.text.append(tokens)
        self.words.append(words)
        self.tokens_per_line.append(np.diff(offsets).astype(np.int32))
        self.words_per_line.append(count_words(block))
        if not block.isascii():
            all_words = block.decode("utf-8", "replace").split()
            unspaced = [word for word in all_words if _OF_SCRIPT.search(word)]
            self.n_unspaced += len(unspaced)
            self.n_clauses += sum(_CLAUSE.search(word) is not None for word in unspaced)

    @property
    def n_tokens(self) -> Int32s:
        """Tokens of each line."""
        return joined(self.tokens_per_line)

    def lines(self) -> Iterator[str]:
        """Yield each line as lowercased tokens between spaces."""
        for block in self.text:
            text = block.decode("utf-8", "surrogateescape").lower()
            yield from _OTHER_SPACE.sub("_", text).split("\n")[:-1]


def joined(parts: list[Int32s]) -> Int32s:
    """Concatenate arrays."""
    return np.concatenate([np.zeros(0, np.int32), *parts])


def import_library(names: Sequence[str] = ("eflomal", "sil-thot")) -> tuple[str, Any]:
    """Import the first installed library, or raise AlignerError; return its name and module."""
    for name in names:
        try:
            return name, importlib.import_module(_MODULES[name])
        except ModuleNotFoundError:
            pass
    what = _NEEDS.get(tuple(names), "word alignment")
    raise AlignerError(f"{what} needs {' or '.join(names)}: pip install {names[0]}")


_NEEDS: dict[tuple[str, ...], str] = {
    ("sil-thot",): "word alignment with a seed",
    ("eflomal",): "a saved aligner",
}
_MODULES = {"eflomal": "eflomal", "sil-thot": "thot.alignment"}


def align_with_eflomal(
    library: Any,
    source: TokenSide,
    target: TokenSide,
    sweeps: tuple[int, int, int] | None,
    report: Report,
    priors: str | None = None,
) -> tuple[Phrases, Phrases]:
    """Links of both directions by eflomal, whose random numbers differ each time.

    `priors` are counts of another text.
    """
    report("aligning both ways")
    with scratch_folder() as folder:
        paths = [os.path.join(folder, name) for name in ("forward", "reverse")]
        known: dict[str, Any] = {}
        if priors is not None:
            known["priors_input"] = priors.split("\n")[:-1]
        known["links_filename_fwd"], known["links_filename_rev"] = paths
        library.Aligner(n_iterations=sweeps).align(source.lines(), target.lines(), **known)
        report("reading links")
        return _read_links(paths[0], source, target), _read_links(paths[1], source, target)


def priors_of(
    library: Any, source: TokenSide, target: TokenSide, forward: Phrases, reverse: Phrases
) -> str:
    """Counts of the links of both directions, as lines that eflomal reads."""
    counted = library.calculate_priors(
        source.lines(),
        target.lines(),
        format_pharaoh(forward).decode("ascii").split("\n"),
        format_pharaoh(reverse).decode("ascii").split("\n"),
    )
    lines = io.StringIO()
    library.write_priors(lines, *counted)
    return lines.getvalue()


def _read_links(path: str, source: TokenSide, target: TokenSide) -> Phrases:
    try:
        with open(path, "rb") as file:
            return parse_pharaoh(
                file.read(), source.n_tokens, target.n_tokens, bad=BadLines("eflomal")
            )
    except (OSError, ValueError) as error:
        raise AlignerError(f"eflomal has failed: {error}") from None


def align_with_thot(
    library: Any, source: TokenSide, target: TokenSide, options: AlignerOptions, report: Report
) -> tuple[Phrases, Phrases]:
    """Links of both directions by sil-thot, the same for the same seed."""
    lines, sweeps = running_sum(target.n_tokens), options.sweeps

    def align(source: TokenSide, target: TokenSide, direction: str) -> Int32s:
        """For each target token its source token, from 1, or 0."""
        model = library.EflomalAlignmentModel()
        model.seed = 1 if options.seed is None else options.seed
        model.deterministic = True
        model.emit_training_alignments = True
        if sweeps is not None:
            model.set_iterations(*sweeps)
        for source_line, target_line in zip(source.lines(), target.lines(), strict=True):
            model.add_sentence_pair(source_line.split(), target_line.split(), 1)
        model.start_training()
        n_sweeps = sum(sweeps) if sweeps else int(model.scheduled_iterations)
        for sweep in range(n_sweeps):
            report(f"aligning {direction}", sweep / n_sweeps)
            model.train()
        model.end_training()
        n_tokens = target.n_tokens
        linked = np.zeros(int(n_tokens.sum()), np.int32)
        start = 0
        for line, n in enumerate(n_tokens.tolist()):
            found = model.get_training_alignment(line)[1].to_list()
            # Lines that are too long have no entry.
            if len(found) == n:
                linked[start : start + n] = found
            start += n
        model.clear()
        return linked

    forward, reverse = align(source, target, "forwards"), align(target, source, "backwards")
    unaligned = np.zeros(len(lines) - 1, np.uint8)
    return (
        Phrases(lines, running_sum(forward > 0), forward[forward > 0] - 1, unaligned),
        _turned(reverse, source.n_tokens, lines),
    )


def _turned(linked: Int32s, n_source: Int32s, lines: Int64s) -> Phrases:
    """Convert target tokens of source tokens into source tokens of target tokens."""
    line = np.repeat(np.arange(len(n_source)), n_source)
    place = np.arange(len(linked)) - np.repeat(running_sum(n_source)[:-1], n_source)
    has_link = np.flatnonzero(linked > 0)
    token = lines[line[has_link]] + linked[has_link] - 1
    # Stable: the source tokens of a target token stay in their order.
    order = np.argsort(token, kind="stable")
    offsets = running_sum(np.bincount(token, minlength=int(lines[-1])))
    source = place[has_link][order].astype(np.int32)
    return Phrases(lines, offsets, source, np.zeros(len(n_source), np.uint8))


_FORMAT = "truecase aligner 1"
_SETTINGS = ("segmentation", "source_language", "target_language")
_FIELDS = {"LEX": 4, "FERF": 4, "FERR": 4, "HMMF": 3, "HMMR": 3}


@dataclass(frozen=True)
class AlignerOptions:
    """How a bitext is aligned.

    Attributes
    ----------
    segmentation : {"raw", "space"}
        How lines are tokenised; ``space`` for tokenised text. Links of tokens become links of
        words.
    source_language, target_language : str
        For segmentation.
    seed : int, optional
        The same seed gives the same alignment; sil-thot is used.
    sweeps : tuple of int, optional
        Sampling sweeps of the three models; by default fewer for larger texts.
    """

    segmentation: str = "raw"
    source_language: str = ""
    target_language: str = ""
    seed: int | None = None
    sweeps: tuple[int, int, int] | None = None

    @property
    def libraries(self) -> tuple[str, ...]:
        """Suitable libraries, the best one first."""
        return ("eflomal", "sil-thot") if self.seed is None else ("sil-thot",)


#: Libraries that can align with priors from another text.
SAVING_LIBRARIES = ("eflomal",)


@dataclass(frozen=True)
class SavedAligner:
    """A text's alignment as counts, `priors`, in lines as eflomal reads them.

    `options` are those that other text is tokenised by.
    """

    options: AlignerOptions
    priors: str = field(repr=False)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file atomically."""
        body = self.priors.encode("utf-8", "surrogateescape")
        about = {key: getattr(self.options, key) for key in _SETTINGS}
        head = {"format": _FORMAT, **about, "sha256": hashlib.sha256(body).hexdigest()}
        with atomic_write(path) as file:
            file.write(json.dumps(head).encode("ascii") + b"\n" + body)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SavedAligner:
        """Read a file and check all of it; ReadError if it is not a saved aligner, or damaged."""
        name = display_name(path)
        line, _, body = Path(path).read_bytes().partition(b"\n")
        try:
            head = json.loads(line)
            is_known = head["format"] == _FORMAT
            settings = [head[key] for key in _SETTINGS]
            checksum = head["sha256"]
        except (ValueError, KeyError, TypeError, RecursionError):
            is_known = False
        if not is_known or not all(isinstance(value, str) for value in settings):
            raise ReadError(f"{name}: is no file that `truecase align --save` has written")
        options = AlignerOptions(*settings)
        digest = hashlib.sha256(body).hexdigest()
        if digest != checksum or options.segmentation not in ("raw", "space"):
            raise ReadError(f"{name}: is damaged: make it again with `truecase align --save`")
        text = body.decode("utf-8", "surrogateescape")
        for number, line_of_text in enumerate(text.split("\n")[:-1], 2):
            fields = line_of_text.split("\t")
            if _FIELDS.get(fields[0]) != len(fields):
                raise ReadError(f"{name}: line {number}: is damaged: {line_of_text[:40]!r}")
        return cls(options, text)


def align_bitext(
    blocks: Iterable[AlignedLines],
    options: AlignerOptions = AlignerOptions(),
    report: Report = lambda *_: None,
    *,
    known: SavedAligner | None = None,
) -> Phrases:
    """Align the words of a bitext, in memory.

    Parameters
    ----------
    blocks : iterable of AlignedLines
    options : AlignerOptions, optional
    report : callable
        Called with each step.
    known : SavedAligner, optional
        Priors from another text, whose segmentation is used; with eflomal only.

    Returns
    -------
    Phrases
        Lines with an empty side, or of more than about 1,000 tokens, have no links.

    Raises
    ------
    AlignerError
        The library is not installed, or has failed; or the text is in a script without spaces
        between words and has not been segmented.
    """
    if known is not None:
        options = replace(known.options, sweeps=options.sweeps)
    names = options.libraries if known is None else SAVING_LIBRARIES
    name, library = import_library(names)
    source, target = _read(blocks, options, report)
    if not (source.n_tokens.any() and target.n_tokens.any()):
        words = joined(target.words_per_line)
        return Phrases.from_lines([[]] * n for n in words.tolist())
    if name == "eflomal":
        priors = None if known is None else known.priors
        both = align_with_eflomal(library, source, target, options.sweeps, report, priors)
    else:
        both = align_with_thot(library, source, target, options, report)
    return _joined_links(both, source, target, report)


def learn_aligner(
    blocks: Iterable[AlignedLines],
    options: AlignerOptions = AlignerOptions(),
    report: Report = lambda *_: None,
) -> tuple[Phrases, SavedAligner]:
    """Align a bitext, and keep its counts for other text; with eflomal only.

    Otherwise as `align_bitext`; AlignerError also if there is no text.
    """
    _, library = import_library(SAVING_LIBRARIES)
    source, target = _read(blocks, options, report)
    if not (source.n_tokens.any() and target.n_tokens.any()):
        raise AlignerError("there are no words to learn an aligner from")
    both = align_with_eflomal(library, source, target, options.sweeps, report)
    priors = priors_of(library, source, target, *both)
    saved = SavedAligner(replace(options, seed=None, sweeps=None), priors)
    return _joined_links(both, source, target, report), saved


def _read(
    blocks: Iterable[AlignedLines], options: AlignerOptions, report: Report
) -> tuple[TokenSide, TokenSide]:
    source = TokenSide(options.segmentation, options.source_language)
    target = TokenSide(options.segmentation, options.target_language)
    report("reading")
    for block in blocks:
        source.add(block.source)
        target.add(block.target)
    for side, tokens in (("source", source), ("target", target)):
        if tokens.n_clauses > _MOST_CLAUSES * tokens.n_unspaced:
            raise AlignerError(
                f"the {side} has no spaces between its words, and links are between words: segment "
                f"it first ({SEGMENTERS}), and use the segmented text with the links; a source "
                "without an alignment needs no segmentation"
            )
    return source, target


def _joined_links(
    both: tuple[Phrases, Phrases], source: TokenSide, target: TokenSide, report: Report
) -> Phrases:
    report("joining both directions")
    tokens = grow_diag_final_and(*both)
    per_line = joined(target.words_per_line)
    return links_of_words(
        tokens, joined(source.words), joined(target.words), source.n_tokens, per_line
    )


# Links as pairs of a target and a source word.
_Links = set[tuple[int, int]]
_NEIGHBOURS = ((0, -1), (-1, 0), (0, 1), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))


def grow_diag_final_and(forward: Phrases, reverse: Phrases) -> Phrases:
    """Join the links of both directions (Koehn, Och & Marcu 2003).

    Chosen are the links of both directions; then, repeatedly, links of either direction next to a
    chosen one, also diagonally, if one of their words has no chosen link; at last links of the
    forward, then of the reverse direction if both words have no chosen link.
    """
    target: list[int] = []
    source: list[int] = []
    both = zip(_links_of_lines(forward), _links_of_lines(reverse), strict=True)
    for first, links in zip(forward.line_offsets.tolist(), both, strict=False):
        chosen = _joined_line(*links)
        target += [first + word for word, _ in chosen]
        source += [word for _, word in chosen]
    pairs = np.array(target, np.int64), np.array(source, np.int64)
    return Phrases.of_pairs(forward.line_offsets, *pairs, forward.unaligned)


def _links_of_lines(phrases: Phrases) -> Iterator[_Links]:
    for start in range(0, phrases.n_lines, 1000):
        for line in phrases.select(start, min(start + 1000, phrases.n_lines)).to_lines():
            assert not isinstance(line, int)
            yield {(target, source) for target, word in enumerate(line) for source in word}


def _joined_line(forward: _Links, reverse: _Links) -> _Links:
    either, chosen = forward | reverse, forward & reverse
    has_target = {target for target, _ in chosen}
    has_source = {source for _, source in chosen}

    def choose(link: tuple[int, int]) -> None:
        chosen.add(link)
        has_target.add(link[0])
        has_source.add(link[1])

    queue = sorted(chosen)
    # Words only gain links, so a rejected link stays rejected: each is visited once.
    for target, source in queue:
        for down, right in _NEIGHBOURS:
            link = target + down, source + right
            if link not in either or link in chosen:
                continue
            if link[0] not in has_target or link[1] not in has_source:
                choose(link)
                queue.append(link)
    for links in (forward, reverse):
        for link in sorted(links - chosen):
            if link[0] not in has_target and link[1] not in has_source:
                choose(link)
    return chosen
