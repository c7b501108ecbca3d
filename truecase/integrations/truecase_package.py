"""The names of the package ``truecase`` of the index, so that code written for it runs on this one.

What is the same: names, parameters and the meaning of each option. What differs: cases are this
package's, with its model; white space stays as it is, where the other joins the tokens that it
cut; an option that does not exist is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, get_args

from truecase.errors import WrongTypeError
from truecase.kernels._segment import segment
from truecase.kernels._unicode import capitalize, lower
from truecase.options import StrPath
from truecase.truecaser import Truecaser

OutOfVocabulary = Literal["title", "lower", "as-is"]


class TrueCaser:
    """Cases text, out-of-vocabulary words by a rule.

    Parameters
    ----------
    dist_file_path : path-like, optional
        A model of this package, by its file or name; the embedded English model if not given.
        Distribution files of the package of the index are not read.

    Raises
    ------
    ModelError
        The file is no model of this package.
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
            How a word is written that the model did not see in training, or so seldom that it
            does not know it (`Truecaser.training_count` is 0): ``title``: its first letter, and
            each first one after a hyphen, in upper case, the others in lower case; ``lower``: in
            lower case, also at the start of a sentence; ``as-is``: as it was given. Words of
            addresses, code and markup are none of these, nor what has no letter with case.
            `truecase.truecase` instead leaves such words to the model, which goes by what they
            look like and by the words around them.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            There is no such option.
        WrongTypeError
            `sentence` is no str.
        """
        if out_of_vocabulary_token_option not in get_args(OutOfVocabulary):
            raise ValueError(
                f"out_of_vocabulary_token_option {out_of_vocabulary_token_option!r}: expected one "
                "of title, lower, as-is"
            )
        truecaser = self._truecaser
        cased = truecaser(sentence)
        out = []
        done = 0
        line_start = 0
        segmentation = truecaser.model.text.segmentation
        for line in sentence.split("\n"):
            data = line.encode("utf-8", "surrogatepass")
            end, start = 0, line_start
            for token in segment(data, segmentation, truecaser.language):
                if token.tag == "AN" or token.held or token.markup:
                    continue
                start += len(data[end : token.start].decode("utf-8", "surrogatepass"))
                end = token.start
                word = data[token.start : token.end].decode("utf-8", "surrogatepass")
                if truecaser.training_count(word):
                    continue
                out += [
                    cased[done:start],
                    _written(word, out_of_vocabulary_token_option, truecaser.language),
                ]
                done = start + len(word)
            line_start += len(line) + 1
        out.append(cased[done:])
        return "".join(out)

    def get_true_case_from_tokens(
        self, tokens: Sequence[str], out_of_vocabulary_token_option: OutOfVocabulary = "title"
    ) -> list[str]:
        """Case the tokens of one sentence.

        Parameters
        ----------
        tokens : sequence of str
        out_of_vocabulary_token_option : {"title", "lower", "as-is"}
            As for `get_true_case`.

        Returns
        -------
        list of str
            As many, in order.

        Raises
        ------
        ValueError
            There is no such option.
        WrongTypeError
            `tokens` is a str by itself, or has something in it that is none.
        """
        if isinstance(tokens, (str, bytes)):
            raise WrongTypeError(
                f"tokens: expected a list of str, found one {type(tokens).__name__}"
            )
        given = list(tokens)
        for place, token in enumerate(given):
            if not isinstance(token, str):
                raise WrongTypeError(
                    f"tokens[{place}]: expected a str, found {type(token).__name__}"
                )
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
    """Case English text with the embedded model, as `TrueCaser.get_true_case` does.

    Parameters
    ----------
    sentence : str
    out_of_vocabulary_token_option : {"title", "lower", "as-is"}
        How words are written that the model did not see in training; see
        `TrueCaser.get_true_case`.

    Returns
    -------
    str
    """
    return _english().get_true_case(sentence, out_of_vocabulary_token_option)


def _written(word: str, option: OutOfVocabulary, language: str) -> str:
    if option == "as-is":
        return word
    if option == "lower":
        return lower(word, language)
    return "-".join(capitalize(part, language) for part in word.split("-"))
