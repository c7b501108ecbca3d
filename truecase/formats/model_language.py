"""Whether a model was trained for the language of a file's targets."""

from __future__ import annotations

from truecase.formats.document import Document
from truecase.formats.file_caser import CasesBlocks
from truecase.text.language_tags import primary


def language_of(model: CasesBlocks) -> str:
    """The language that a model says it was trained for; empty if it says none."""
    about = getattr(model, "about", None)
    return "" if about is None else str(about().get("language", ""))


def other_language(model: CasesBlocks, document: Document) -> str | None:
    """What is said of a model of another language than the targets; None if it is not one."""
    target = document.languages.target
    language = language_of(model)
    if not target or not language or primary(target) == primary(language):
        return None
    return f"the model was trained for {language}, the targets are in {target}"
