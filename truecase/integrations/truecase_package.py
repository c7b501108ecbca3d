"""The names of PyPI's package ``truecase``, so that code written for it runs on this package.

Names, parameters and the meanings of options are the same. The model is this package's; white space
stays as it is, while the other package joins its tokens; an unknown option is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from truecase.base.argument_types import check_arguments
from truecase.kernels._segment import token_spans
from truecase.kernels._unicode import capitalize, lower
from truecase.kernels.text import spliced
from truecase.options import StrPath
from truecase.truecaser import Truecaser
from truecase.truecaser.arguments import checked_texts

OutOfVocabulary = Literal["title", "lower", "as-is"]


class TrueCaser:
    """Cases text, and out-of-vocabulary words by a rule.

    Parameters
    ----------
    dist_file_path : path-like, optional
        A model of this package, by its file or name; ``en`` by default. Distribution files of the
        other package are not read.

    Raises
    ------
    ModelError
        The file is not a model of this package.
    OSError
        It cannot be read.
    """

    def __init__(self, dist_file_path: StrPath | None = None) -> None:
        self._truecaser = Truecaser.load(dist_file_path)

    def __repr__(self) -> str:
        return f"<TrueCaser: {self._truecaser!r}>"

    def get_true_case(
        self, sentence: str, out_of_vocabulary_token_option: OutOfVocabulary = "title"
    ) -> str:
        """Case a text.

        Parameters
        ----------
        sentence : str
            One or more lines; only their case changes.
        out_of_vocabulary_token_option : {"title", "lower", "as-is"}
            How to write a word that the model does not know (`Truecaser.training_count` is 0).
            ``title``: the first letter, and the first one after each hyphen, in upper case, all
            others in lower case; ``lower``: in lower case, also at the start of a sentence;
            ``as-is``: as in the input. Words of addresses, code and markup, and words without
            case, are not meant. `truecase.truecase` leaves such words to the model, which goes by
            their spelling and their context.

        Raises
        ------
        ValueError
            The option is unknown.
        WrongTypeError
            `sentence` is not a str.
        """
        check_arguments(TrueCaser.get_true_case, locals())
        truecaser = self._truecaser
        cased = truecaser(sentence)
        unknown = []
        line_start = 0
        segmentation = truecaser.model.text.segmentation
        for line in sentence.split("\n"):
            data = line.encode("utf-8", "surrogatepass")
            end, start = 0, line_start
            for first, last in token_spans(data, segmentation, truecaser.language, cased=True):
                start += len(data[end:first].decode("utf-8", "surrogatepass"))
                end = first
                word = data[first:last].decode("utf-8", "surrogatepass")
                if not truecaser.training_count(word):
                    written = _written(word, out_of_vocabulary_token_option, truecaser.language)
                    unknown.append((start, start + len(word), written))
            line_start += len(line) + 1
        return spliced(cased, unknown)

    def get_true_case_from_tokens(
        self, tokens: Sequence[str], out_of_vocabulary_token_option: OutOfVocabulary = "title"
    ) -> list[str]:
        """Case the tokens of one sentence; the option and errors are those of `get_true_case`."""
        given = checked_texts(tokens, "tokens")
        # A line feed in a token would end the sentence.
        joined = " ".join(token.replace("\n", " ") for token in given)
        cased = self.get_true_case(joined, out_of_vocabulary_token_option)
        out = []
        start = 0
        for token in given:
            out.append(token if "\n" in token else cased[start : start + len(token)])
            start += len(token) + 1
        return out


@lru_cache(maxsize=1)
def _english() -> TrueCaser:
    return TrueCaser()


def get_true_case(sentence: str, out_of_vocabulary_token_option: OutOfVocabulary = "title") -> str:
    """Case English text with the embedded model, as `TrueCaser.get_true_case` does."""
    return _english().get_true_case(sentence, out_of_vocabulary_token_option)


def _written(word: str, option: OutOfVocabulary, language: str) -> str:
    if option == "as-is":
        return word
    if option == "lower":
        return lower(word, language)
    return "-".join(capitalize(part, language) for part in word.split("-"))
