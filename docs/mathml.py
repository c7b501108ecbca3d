"""Formulas as MathML, which browsers draw without a script."""

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.writers.html5 import HTML5Translator


def _render(writer: HTML5Translator, node: nodes.Element, display: str) -> None:
    try:
        formula = convert(node.astext(), display=display)
    except Exception as error:
        raise ExtensionError(f"not a formula: {node.astext()}", error) from None
    # What the converter does not know it leaves as it is.
    if "\\" in formula:
        raise ExtensionError(f"unknown command in the formula {node.astext()}")
    writer.body.append(formula)
    raise nodes.SkipNode


def _inline(writer: HTML5Translator, node: nodes.Element) -> None:
    _render(writer, node, "inline")


def _block(writer: HTML5Translator, node: nodes.Element) -> None:
    _render(writer, node, "block")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
