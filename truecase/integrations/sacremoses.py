"""The truecaser and detruecaser of sacremoses 0.2.0 by their names, with the same results.

To replace them, write ``from truecase.integrations.sacremoses import MosesTruecaser``. Differences:
models may be compressed, and have fractions as counts; files are written atomically;
`MosesDetruecaser.detruecase_file` is new. In a text of several lines, line ends are white space;
sacremoses raises an exception.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import IO, Any, TypedDict

from truecase.base.argument_types import check_arguments, check_type
from truecase.integrations import moses
from truecase.options import StrPath
from truecase.rules.moses import MosesModel

__all__ = ["MosesDetruecaser", "MosesTruecaser"]

_SPLITTER = moses.Splitter(perl=False)


class Model(TypedDict):
    """The value of `MosesTruecaser.model`.

    ``best``: the most frequent form of each word, by its lowercase; ``known``: all other forms;
    ``casing``: the counts of all forms, by the word's lowercase.
    """

    best: dict[str, str]
    known: Counter[str]
    casing: dict[str, Counter[str]]


class MosesTruecaser:
    """Truecases tokenised text by the most frequent form of each word.

    Parameters
    ----------
    load_from : path-like, optional
        A model of Moses' truecaser.
    is_asr : bool, optional
        The case of the input means nothing: words are lowercased first.
    encoding : str
        Of models and texts.

    Attributes
    ----------
    model : dict
        See `Model`; missing before `train` or `load_from`.

    Raises
    ------
    OSError, ReadError
        The model cannot be read, or is broken; the message names file and line.
    """

    SENT_END = moses.SENTENCE_END
    DELAYED_SENT_START = moses.DELAYS_START

    model: Model

    def __init__(
        self, load_from: StrPath | None = None, is_asr: bool | None = None, encoding: str = "utf8"
    ) -> None:
        check_arguments(MosesTruecaser.__init__, locals())
        self.is_asr = is_asr
        self.encoding = encoding
        if load_from:
            self.model = self._loaded(MosesModel.read(load_from, encoding))

    def learn_truecase_weights(
        self, tokens: Iterable[str], possibly_use_first_token: bool = False
    ) -> list[tuple[str, str, float]]:
        """Return the words of a line that count: lowercase, word, weight.

        Parameters
        ----------
        tokens : iterable of str
        possibly_use_first_token : bool
            Also count the first word of a sentence, if it begins in lower case; and, by a tenth,
            if it is the second token of the line.
        """
        check_type("tokens", tokens, Iterable, "a list of str")
        counted = []
        is_first = True
        for place, token in enumerate(tokens):
            if moses.has_tag(token) or token in moses.DELAYS_START:
                continue
            if not is_first and token in moses.SENTENCE_END:
                is_first = True
                continue
            weight: float = 0 if is_first else 1
            if not moses.has_case(token):
                weight = 0
            elif is_first and possibly_use_first_token:
                weight = 1 if token[0].islower() else 0.1 if place == 1 else 0
            is_first = False
            if weight:
                counted.append((token.lower(), token, weight))
        return counted

    def train(
        self,
        documents: Iterable[Iterable[str]],
        save_to: StrPath | None = None,
        possibly_use_first_token: bool = False,
        processes: int = 1,
        progress_bar: bool = False,
    ) -> Model:
        """Count the forms of words, and return the new `model`.

        Parameters
        ----------
        documents : iterable of iterables of str
            The tokens of each line.
        save_to : path-like, optional
            File for the model.
        possibly_use_first_token : bool
            As for `learn_truecase_weights`.
        processes : int
            Ignored: one process counts, with the same result.
        progress_bar : bool
            Show on stderr how many lines are counted.
        """
        check_type("documents", documents, Iterable, "lists of tokens")
        if progress_bar:
            from tqdm import tqdm

            documents = tqdm(documents)
        casing: dict[str, Counter[str]] = {}
        for tokens in documents:
            for lower, token, weight in self.learn_truecase_weights(
                tokens, possibly_use_first_token
            ):
                forms = casing.setdefault(lower, Counter())
                # The type of a Counter has whole counts only.
                forms[token] += weight  # type: ignore[assignment]
        self.model = self._of(casing)
        if save_to:
            self.save_model(save_to)
        return self.model

    def train_from_file(
        self,
        filename: StrPath,
        save_to: StrPath | None = None,
        possibly_use_first_token: bool = False,
        processes: int = 1,
        progress_bar: bool = False,
    ) -> Model:
        """Count the forms of words in a file of tokenised lines; see `train`."""
        check_arguments(MosesTruecaser.train_from_file, {"filename": filename})
        with open(filename, encoding=self.encoding) as file:
            return self.train_from_file_object(
                file, save_to, possibly_use_first_token, processes, progress_bar
            )

    def train_from_file_object(
        self,
        file_object: IO[str],
        save_to: StrPath | None = None,
        possibly_use_first_token: bool = False,
        processes: int = 1,
        progress_bar: bool = False,
    ) -> Model:
        """Count the forms of words in an open file of tokenised lines; see `train`."""
        documents = map(str.split, file_object)
        return self.train(documents, save_to, possibly_use_first_token, processes, progress_bar)

    def save_model(self, filename: StrPath) -> None:
        """Write the model atomically, in the format of Moses; ValueError without a model."""
        check_arguments(MosesTruecaser.save_model, locals())
        words = map(moses.by_count, self._trained()["casing"].values())
        MosesModel(words).write(filename, self.encoding)

    def truecase(self, text: str, return_str: bool = False, use_known: bool = False) -> Any:
        """Truecase a line of tokenised text into a list of its tokens.

        Parameters
        ----------
        text : str
            Tags (``<b>``) and factors (``word|NN``) stay as they are.
        return_str : bool
            Return one str, with one space between tokens.
        use_known : bool
            A form that the model has seen stays, except at the start of a sentence.

        Raises
        ------
        ValueError
            There is no model yet.
        """
        model = self._trained()
        best, known = model["best"], model["known"]
        out = []
        is_first = True
        for token in self.split_xml(text):
            if token[0] == "|" or ("<" in token and moses.has_tag(token)):
                out.append(token)
                continue
            word, bar, factors = token.partition("|")
            if self.is_asr:
                word = word.lower()
            if is_first or not (use_known and word in known):
                # An empty form is ignored, as in sacremoses.
                word = best.get(word.lower()) or word
            token = word + bar + factors
            out.append(token)
            is_first = moses.begins_behind(token, is_first)
        return " ".join(out) if return_str else out

    def truecase_file(self, filename: StrPath, return_str: bool = True) -> Iterator[Any]:
        """Truecase and yield the lines of a file; see `truecase`."""
        check_arguments(MosesTruecaser.truecase_file, locals())
        with open(filename, encoding=self.encoding) as file:
            for line in file:
                yield self.truecase(line, return_str)

    @staticmethod
    def split_xml(line: str) -> list[str]:
        """Cut a line into words and tags."""
        check_type("text", line, str, "a str")
        if "<" not in line and ">" not in line:
            return _SPLITTER.words(line)
        return [piece for piece, _ in _SPLITTER.pieces(line.strip())]

    def _trained(self) -> Model:
        if getattr(self, "model", None) is None:
            raise ValueError(
                "there is no model: train one with train(), or load one with "
                "MosesTruecaser('modelfile')"
            )
        return self.model

    def _loaded(self, read: MosesModel) -> Model:
        casing: dict[str, Counter[str]] = {}
        for _, forms in read:
            for surface, count in forms:
                form = surface.decode(errors="surrogateescape")
                # As in sacremoses, a form that occurs twice has the later count.
                casing.setdefault(form.lower(), Counter())[form] = (
                    int(count) if count == int(count) else count  # type: ignore[assignment]
                )
        return self._of(casing)

    def _of(self, casing: dict[str, Counter[str]]) -> Model:
        best: dict[str, str] = {}
        known: Counter[str] = Counter()
        for lower, forms in casing.items():
            (first, _), *others = forms.most_common()
            best[lower] = first
            if not self.is_asr:
                known.update(form for form, _ in others)
        return {"best": best, "known": known, "casing": casing}


class MosesDetruecaser:
    """Capitalises the first words of sentences in tokenised text."""

    SENT_END = moses.SENTENCE_END
    DELAYED_SENT_START = moses.DELAYS_START
    ALWAYS_LOWER = moses.ALWAYS_LOWER

    def detruecase(self, text: str, is_headline: bool = False, return_str: bool = False) -> Any:
        """Capitalise the first word of each sentence of a line; return the list of its words.

        With `is_headline`, capitalise all words except articles, prepositions and the like
        (`ALWAYS_LOWER`); with `return_str`, return one str, with one space between tokens.
        """
        check_arguments(MosesDetruecaser.detruecase, locals())
        words = moses.detruecased(text.split())
        if is_headline:
            words = moses.headline(words)
        return " ".join(words) if return_str else words

    def detruecase_file(
        self,
        filename: StrPath,
        is_headline: bool = False,
        return_str: bool = True,
        encoding: str = "utf8",
    ) -> Iterator[Any]:
        """Detruecase and yield the lines of a file; see `detruecase`."""
        check_arguments(MosesDetruecaser.detruecase_file, locals())
        with open(filename, encoding=encoding) as file:
            for line in file:
                yield self.detruecase(line, is_headline, return_str=return_str)
