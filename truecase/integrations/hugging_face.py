"""Hugging Face: a step behind a pipeline of `transformers`, and a function for `datasets.map`.

Neither library is imported: input and output are lists and dicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from truecase.base.argument_types import check_arguments, check_type
from truecase.errors import WrongTypeError
from truecase.options import StrPath as Path
from truecase.truecaser import Truecaser

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truecase.options import CasingOptions


#: Keys of the text that pipelines return.
TEXT_KEYS = ("text", "translation_text", "summary_text", "generated_text")


class TruecaseOutput:
    """Cases the text in the output of a pipeline.

    It takes the output of speech recognition, translation, summarisation and text generation: a
    dict, a list of dicts, or lists in a list. It returns a copy in which only text is changed. With
    chunks, as of speech with timestamps, the whole text is cased, and each chunk gets the case that
    its words have there. `model` is a path or a name; options are those of `Truecaser.with_casing`.
    """

    def __init__(self, model: Path | None = None, **casing: Unpack[CasingOptions]) -> None:
        self._case = Truecaser.load(model).with_casing(**casing)

    def __call__(self, output: Any) -> Any:
        """Case the output of a pipeline; an iterator, as for a data set, gives an iterator.

        Raises
        ------
        WrongTypeError
            `output` has no text.
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
        """Make a function that calls the pipeline and cases its output."""

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
            # The turns of a conversation; the pipeline wrote those of the assistant.
            cased[key] = self._case(text) if isinstance(text, str) else self._turns(text)
        if isinstance(output.get("chunks"), list) and isinstance(output.get("text"), str):
            cased["chunks"] = self._chunks(output["text"], cased["text"], output["chunks"])
        return cased

    def _turns(self, turns: Any) -> list[Any]:
        if not (isinstance(turns, list) and all(isinstance(turn, Mapping) for turn in turns)):
            raise WrongTypeError(f"expected a str of text, or turns, found {type(turns).__name__}")
        return [
            {**turn, "content": self._case(turn["content"])}
            if turn.get("role") == "assistant" and isinstance(turn.get("content"), str)
            else turn
            for turn in turns
        ]

    def _chunks(
        self, text: str, cased: str, chunks: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Give chunks the case of their words in the text; case a chunk that it lacks by itself."""
        out = []
        at = 0
        for chunk in chunks:
            given = chunk.get("text") or ""
            words = given.strip()
            start = text.find(words, at)
            if start < 0:
                written = self._case(given)
            else:
                at = start + len(words)
                written = given.replace(words, cased[start:at], 1)
            # Silence has no text.
            out.append({**chunk, "text": written} if words else dict(chunk))
        return out


class TruecaseColumn:
    """Cases a column of text: ``dataset.map(TruecaseColumn("text"), batched=True)``.

    It pickles by the name of its model and by its options, so that `datasets` finds cased columns
    in its cache, and cases again when the options or the model's file change.

    Parameters
    ----------
    column : str
        Holds text, or None.
    output : str, optional
        Name of the cased column; by default that of `column`, which it replaces.
    model, **casing
        As for `TruecaseOutput`.
    """

    def __init__(
        self,
        column: str,
        output: str | None = None,
        *,
        model: Path | None = None,
        **casing: Unpack[CasingOptions],
    ) -> None:
        check_arguments(TruecaseColumn.__init__, locals())
        self._column = column
        self._output = output or column
        self._case = Truecaser.load(model).with_casing(**casing)

    def __call__(self, rows: Mapping[str, Any]) -> dict[str, Any]:
        """Make the new column of a batch of rows, or of one row.

        Raises
        ------
        KeyError
            The column is missing.
        WrongTypeError
            It holds something else than text.
        """
        check_type("rows", rows, Mapping, "a row or a batch of rows")
        if self._column not in rows:
            raise KeyError(f"there is no column {self._column}: expected one of {', '.join(rows)}")
        texts = rows[self._column]
        if texts is None or isinstance(texts, str):
            return {self._output: None if texts is None else self._case(texts)}
        check_type(self._column, texts, Iterable, "text")
        given = list(texts)
        for text in given:
            check_type(self._column, text, (str, type(None)), "text")
        cased = iter(self._case.batch([text for text in given if text is not None]))
        return {self._output: [None if text is None else next(cased) for text in given]}
