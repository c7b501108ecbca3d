"""spaCy: a component that sets the case of words as attributes, and a tokenizer that cases text.

The component ``truecase`` does not change the text. It sets ``Doc._.truecased``, the cased text,
and ``Token._.truecase``, the cased token. Taggers and entity recognisers read case: for them,
`truecase_first` makes the tokenizer case the text, so that all components see it cased;
``Doc._.original_text`` is the input text.

Offsets do not change: one character becomes one character. A letter with a longer case mapping in
Unicode (ß to SS, ŉ, İ to i and a dot, ligatures such as ﬁ) stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from truecase.options import InputCase, SentenceStart
from truecase.truecaser import Truecaser

try:
    from spacy.language import Language
    from spacy.tokens import Doc, Token
    from spacy.util import minibatch, registry
except ImportError:
    raise ImportError("truecase.integrations.spacy needs spaCy: pip install spacy") from None

_TOKENIZER = "truecase.tokenizer.v1"


def _add_extensions() -> None:
    for name in ("truecased", "original_text"):
        if not Doc.has_extension(name):
            Doc.set_extension(name, default=None)
    if not Token.has_extension("truecase"):
        Token.set_extension("truecase", getter=_cased_token)


def _cased_token(token: Token) -> str | None:
    cased: str | None = token.doc._.truecased
    return None if cased is None else cased[token.idx : token.idx + len(token)]


def make_component(
    nlp: Language,
    name: str,
    model: str | None,
    input_case: InputCase,
    sentence_start: SentenceStart,
) -> TruecaseComponent:
    """Make the component of ``nlp.add_pipe("truecase")``; the options are its ``config``."""
    return TruecaseComponent(_truecaser(model, input_case, sentence_start))


def _truecaser(
    model: str | None, input_case: InputCase, sentence_start: SentenceStart
) -> Truecaser:
    return Truecaser.load(model).with_casing(input_case=input_case, sentence_start=sentence_start)


class TruecaseComponent:
    """Sets ``Doc._.truecased`` and ``Token._.truecase``; the text stays.

    Parameters
    ----------
    truecaser : Truecaser
    """

    def __init__(self, truecaser: Truecaser) -> None:
        _add_extensions()
        self._truecaser = truecaser

    def __call__(self, doc: Doc) -> Doc:
        """Set the attributes of one document."""
        doc._.truecased = self._truecaser(doc.text)
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Set the attributes of many documents."""
        for docs in minibatch(stream, batch_size):
            docs = list(docs)
            for doc, cased in zip(
                docs, self._truecaser.batch([doc.text for doc in docs]), strict=True
            ):
                doc._.truecased = cased
                yield doc


def truecase_first(
    nlp: Language,
    model: str | None = None,
    *,
    input_case: InputCase = "evidence",
    sentence_start: SentenceStart = "always",
) -> Language:
    """Make the tokenizer of a pipeline case the text first; returns the pipeline.

    Parameters
    ----------
    nlp : Language
        It and its configuration are changed, so that it can be saved and loaded.
    model : str, optional
        File of a model, or the name of an embedded one; ``en`` by default.
    input_case, sentence_start : str
        See `truecase.options.Casing`.

    Raises
    ------
    ModelError, OSError, ValueError
        The model cannot be read, an option is unknown, or the tokenizer cases text already.
    """
    if isinstance(nlp.tokenizer, TruecasingTokenizer):
        raise ValueError("the tokenizer of this pipeline cases text already")
    truecaser = _truecaser(model, input_case, sentence_start)
    nlp.tokenizer = TruecasingTokenizer(nlp.tokenizer, truecaser)
    nlp.config["nlp"]["tokenizer"] = {
        "@tokenizers": _TOKENIZER,
        "model": model,
        "input_case": input_case,
        "sentence_start": sentence_start,
        "tokenizer": nlp.config["nlp"]["tokenizer"],
    }
    return nlp


def make_tokenizer(
    tokenizer: Callable[[Language], Any],
    model: str | None = None,
    input_case: InputCase = "evidence",
    sentence_start: SentenceStart = "always",
) -> Callable[[Language], TruecasingTokenizer]:
    """Make the tokenizer of a configuration file; it wraps `tokenizer`."""

    def make(nlp: Language) -> TruecasingTokenizer:
        truecaser = _truecaser(model, input_case, sentence_start)
        return TruecasingTokenizer(tokenizer(nlp), truecaser)

    return make


class TruecasingTokenizer:
    """Cases a text, and lets another tokenizer cut it.

    Parameters
    ----------
    tokenizer : callable
        Such as ``nlp.tokenizer``; all its attributes are available.
    truecaser : Truecaser
    """

    def __init__(self, tokenizer: Any, truecaser: Truecaser) -> None:
        _add_extensions()
        self.tokenizer = tokenizer
        self._truecaser = truecaser

    def __call__(self, text: str) -> Doc:
        """Case a text, and make its document."""
        doc = self.tokenizer(self._truecaser(text))
        doc._.original_text = text
        return doc

    def pipe(self, texts: Iterable[str], batch_size: int = 1000) -> Iterator[Doc]:
        """Yield the documents of many texts."""
        for text in texts:
            yield self(text)

    def __getattr__(self, name: str) -> Any:
        # Among others, methods that read and write files.
        if name.startswith("__") or name == "tokenizer":
            raise AttributeError(name)
        return getattr(self.tokenizer, name)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.tokenizer, self._truecaser)


Language.factory(
    "truecase",
    default_config={"model": None, "input_case": "evidence", "sentence_start": "always"},
    assigns=["doc._.truecased", "token._.truecase"],
    func=make_component,
)
registry.tokenizers(_TOKENIZER, func=make_tokenizer)
