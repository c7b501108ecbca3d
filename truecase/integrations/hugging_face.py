"""Hugging Face: a step behind a pipeline of `transformers`, and a function for `datasets.map`.

Neither library is imported: what goes in and comes out are lists and dicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from truecase.errors import WrongTypeError
from truecase.integrations.model_by_name import ModelByName, PathLike
from truecase.options import InputCase, SentenceStart

#: Where pipelines have the text that they wrote.
TEXT_KEYS = ("text", "translation_text", "summary_text", "generated_text")


class TruecaseOutput:
    """Cases the text in what a pipeline gives back.

    It takes what pipelines of speech recognition, translation, summarisation and text generation
    give: a dict, a list of them, or lists in a list. All but the text stays; nothing is changed in
    place. With chunks, as of speech with timestamps, the whole text is cased, and each chunk has
    the case that its words have there.

    Parameters
    ----------
    model : path-like, optional
        File of a model, or the name of an embedded one; the English one if not given.
    input_case : {"ignore", "keep", "auto"}
        What the case of the output means: nothing, as of recognisers that write one case; or words
        with upper case stay.
    sentence_start : {"always", "learned"}
    """

    def __init__(
        self,
        model: PathLike | None = None,
        *,
        input_case: InputCase = "ignore",
        sentence_start: SentenceStart = "always",
    ) -> None:
        self._case = ModelByName(model, input_case=input_case, sentence_start=sentence_start)

    def __call__(self, output: Any) -> Any:
        """The output of a pipeline, cased.

        Parameters
        ----------
        output : dict, list, or iterator
            Of an iterator, as a pipeline gives for a data set, an iterator comes back.

        Raises
        ------
        WrongTypeError
            There is no text in it.
        """
        if isinstance(output, Mapping):
            return self._of_dict(output)
        if isinstance(output, (list, tuple)):
            return [self(part) for part in output]
        if isinstance(output, Iterator):
            return map(self, output)
        raise WrongTypeError(
            f"expected the output of a pipeline, a dict or a list of dicts, found "
            f"{type(output).__name__}"
        )

    def behind(self, pipeline: Callable[..., Any]) -> Callable[..., Any]:
        """A function that calls the pipeline and cases what it gives."""

        def run(*inputs: Any, **options: Any) -> Any:
            return self(pipeline(*inputs, **options))

        return run

    def _of_dict(self, output: Mapping[str, Any]) -> dict[str, Any]:
        found = [key for key in TEXT_KEYS if key in output]
        if not found:
            raise WrongTypeError(
                f"expected an output with one of {', '.join(TEXT_KEYS)}, found "
                f"{', '.join(map(str, output)) or 'an empty one'}"
            )
        cased = dict(output)
        for key in found:
            text = output[key]
            # The turns of a conversation, of which the pipeline wrote the assistant's.
            cased[key] = self._case(text) if isinstance(text, str) else self._turns(text)
        if "chunks" in output and isinstance(output.get("text"), str):
            cased["chunks"] = self._chunks(output["text"], cased["text"], output["chunks"])
        return cased

    def _turns(self, turns: Any) -> list[Any]:
        if not isinstance(turns, list):
            raise WrongTypeError(f"expected a str of text, found {type(turns).__name__}")
        return [
            {**turn, "content": self._case(turn["content"])}
            if turn.get("role") == "assistant" and isinstance(turn.get("content"), str)
            else turn
            for turn in turns
        ]

    def _chunks(
        self, text: str, cased: str, chunks: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Each chunk as its words are cased in the text; by itself if it is not there."""
        out = []
        at = 0
        for chunk in chunks:
            words = chunk["text"].strip()
            lead = len(chunk["text"]) - len(chunk["text"].lstrip())
            start = text.find(words, at)
            if start < 0:
                written = self._case(chunk["text"])
            else:
                at = start + len(words)
                written = (
                    chunk["text"][:lead] + cased[start:at] + chunk["text"][lead + len(words) :]
                )
            out.append({**chunk, "text": written})
        return out


class TruecaseColumn:
    """Cases a column of text: ``dataset.map(TruecaseColumn("text"), batched=True)``.

    It pickles by the name of its model and by its options, so `datasets` finds what it has cased
    before in its cache, and cases again when the options or the model's file change.

    Parameters
    ----------
    column : str
        Has text, or None where there is none.
    output : str, optional
        Where the cased text goes; in place of the other if not given.
    model : path-like, optional
        File of a model, or the name of an embedded one; the English one if not given.
    input_case : {"ignore", "keep", "auto"}
    sentence_start : {"always", "learned"}
    """

    def __init__(
        self,
        column: str,
        output: str | None = None,
        *,
        model: PathLike | None = None,
        input_case: InputCase = "ignore",
        sentence_start: SentenceStart = "always",
    ) -> None:
        self._column = column
        self._output = output or column
        self._case = ModelByName(model, input_case=input_case, sentence_start=sentence_start)

    def __call__(self, rows: Mapping[str, Any]) -> dict[str, Any]:
        """The new column of a batch of rows, or of one row.

        Raises
        ------
        KeyError
            There is no such column.
        WrongTypeError
            It has something else than text in it.
        """
        if self._column not in rows:
            raise KeyError(f"there is no column {self._column}: expected one of {', '.join(rows)}")
        texts = rows[self._column]
        if texts is None or isinstance(texts, str):
            return {self._output: None if texts is None else self._case(texts)}
        return {self._output: self._batch(texts)}

    def _batch(self, texts: Iterable[str | None]) -> list[str | None]:
        given = list(texts)
        cased = iter(self._case.batch([text for text in given if text is not None]))
        return [None if text is None else next(cased) for text in given]
