"""Options that exclude or need each other: one table, and its check."""

from collections.abc import Mapping
from typing import NamedTuple

from truecase.errors import UsageError


class Rule(NamedTuple):
    """Options that exclude others, or need one of them.

    Options are named as on the command line, without dashes, or with a value: ``context=document``.

    Attributes
    ----------
    options, others : str
        Each of `others` excludes each of `options`; or, if `needs`, one of them must be given.
    message : str
        A template with ``{option}`` and ``{other}``.
    needs : bool
    commands : tuple of str
        The commands with this rule; empty: every command with these options.
    """

    options: str
    others: str
    message: str = "{option} does not go together with {other}"
    needs: bool = False
    commands: tuple[str, ...] = ()


def _needs(options: str, others: str, message: str = "", *commands: str) -> Rule:
    return Rule(options, others, message or "{option} needs {other}", True, commands)


_ALIGNMENT = "alignment threshold subwords source-subwords target-subwords soft-alignment"
_BILINGUAL = "preset=bilingual preset=bilingual-sparse"
_TEXT_RULES = "input-case decode-with sentence-start after-colon offices names"

RULES = (
    Rule("file", "input", "FILE and --input FILE are the same: give one"),
    Rule("lang", "model", "{option}: not allowed with argument {other}"),
    Rule("tags", "confidence", "{option}: not allowed with argument {other}"),
    Rule("title-pattern", "source"),
    _needs(
        "title-pattern",
        "style=auto style=auto-ap style=auto-apa style=auto-chicago style=auto-long-words",
        "{option}: only --style auto looks for titles",
        "apply",
    ),
    Rule(
        f"source source-column {_TEXT_RULES} restore-sharp-s one-sense context=document",
        "style=upper",
        "{name}: {other} raises all letters whatever it says",
        commands=("apply", "table"),
    ),
    _needs(
        "document-separator",
        "context=document one-sense",
        "{option}: only --context document has documents",
    ),
    Rule("restore-sharp-s one-sense context=document lang=auto", "source tags confidence"),
    Rule("one-sense", "line-buffered=True title-pattern"),
    Rule("lang=auto", "names title-pattern one-sense after-colon offices restore-sharp-s"),
    # Sources and alignments
    _needs(
        f"source target {_ALIGNMENT} dev-source dev-alignment dev-source-subwords "
        "dev-target-subwords skip-bad-alignments",
        _BILINGUAL,
        "{option}: only the bilingual presets use it",
        "train",
    ),
    _needs("moses-trace", "source"),
    _needs(_ALIGNMENT, "source", "", "apply", "evaluate", "explain"),
    _needs("skip-bad-alignments", "source", "", "apply"),
    _needs(
        "skip-bad-alignments",
        "moses-trace alignment",
        "{option}: there is no --alignment whose lines could be bad",
        "apply",
    ),
    Rule("moses-trace", "alignment", "{option} has the alignment in the text; leave {other} out"),
    _needs("threshold", "alignment", "{option}: only an {other} has probabilities of links"),
    _needs("source-subwords target-subwords soft-alignment", "subwords"),
    _needs("subwords", "alignment", "{option}: there is no {other} over subwords"),
    *(
        _needs(
            "subwords", other, "{option} needs --source, --source-subwords and --target-subwords"
        )
        for other in ("source", "source-subwords", "target-subwords")
    ),
    Rule("seed", "save with", "{option}: needs sil-thot, but --save and --with need eflomal"),
    Rule("save", "with", "{option} does not go together with {other}: one text makes a file"),
    Rule(
        "segmentation source-language target-language",
        "with",
        "{option}: with {other} it is that of the file",
    ),
    # Training
    Rule("counts", _BILINGUAL, "{option}: the preset needs aligned text"),
    _needs("dev-source", "dev", "{other} and {option}: each needs the other"),
    _needs("dev-alignment", "dev", "{option} needs {other} and --dev-source"),
    *(
        _needs(
            "dev-source-subwords dev-target-subwords",
            other,
            "{option} needs --subwords and --dev-alignment",
        )
        for other in ("subwords", "dev-alignment")
    ),
    Rule(
        "segmentation language clean",
        "counts",
        "{option}: the counts say how their text was read",
        commands=("train",),
    ),
    Rule(
        "folds",
        "counts",
        "{option}: weights are learned on text that was not counted: one is enough",
    ),
    _needs("general", "corpus", "{option}: is beside {other}, which is missing"),
    _needs(
        "passes min-count max-size",
        "corpus",
        "{option}: is about {other}, which is missing",
        "train adapt",
    ),
    _needs("sigma", "corpus dev", "{option}: is about text, which is missing", "train adapt"),
    _needs("variant search", "map", "{option}: only a model with a {other} has it", "arpa import"),
    # Files
    _needs("marks", "punctuate", "{option}: marks are put only with {other}", "file"),
    Rule(
        "words decode-with format encoding field source-language target-language input-case "
        "sentence-start after-colon offices context keep-case",
        "apply",
        "{option}: with {other} it is as it was when the page was made",
    ),
    Rule(
        "input-case",
        "keep-case",
        "{option} and {other}: each tells what the case of the text means",
    ),
    # Judging and explaining
    Rule("input", "hypothesis", "{option}: not allowed with argument {other}"),
    Rule(
        "source",
        "input hypothesis",
        "{option}: goes with one REFERENCE, without --input or --hypothesis",
        commands=("evaluate",),
    ),
    Rule("sentence-start", "hypothesis", "{option}: {other} is judged as it is"),
    Rule(
        "decode-with threads after-colon offices",
        "hypothesis",
        "{option}: no model is run with {other}",
    ),
    Rule("json", "html=-", "{option} and --html -: only one of them can be standard output"),
    Rule("json", "html", "{option} and {other}: expected one of them", commands=("explain",)),
    _needs("learning-curve", "html", "{option}: is part of the report; add --html FILE"),
    Rule(
        "source sentence-start",
        "punctuate",
        "{option}: not with {other}, which finds the sentences by itself",
        commands=("explain",),
    ),
    # Text
    Rule("model", "train", "{option}: not allowed with argument {other}"),
    _needs("model-only", "save-model", "{option} needs {other} MODEL: where should the model go?"),
    Rule(
        "input output line-buffered threads",
        "model-only",
        "{option}: nothing is normalised with {other}",
    ),
)


def check_rules(given: Mapping[str, object], command: str) -> None:
    """Raise UsageError for options that exclude each other, or would do nothing.

    `given` has the values of the options that were given, by their names with underscores.
    """
    for rule in RULES:
        if rule.commands and command not in rule.commands:
            continue
        for option in rule.options.split():
            if not _is_given(option, given):
                continue
            others = rule.others.split()
            found = [other for other in others if _is_given(other, given)]
            if bool(found) != rule.needs:
                other = (found or others)[0]
                raise UsageError(
                    rule.message.format(
                        option=_typed(option),
                        other=_typed(other),
                        name=_typed(option.split("=")[0]),
                    )
                )


def _is_given(option: str, given: Mapping[str, object]) -> bool:
    name, _, value = option.partition("=")
    found = given.get(name.replace("-", "_"))
    # Another option may name the model, and a place the file.
    return str(found) == value if value else found is not None and found is not False


def _typed(option: str) -> str:
    name, _, value = option.partition("=")
    if name == "lang":
        return f"-l {value}".strip()
    return f"--{name} {value}".strip() if value != "True" else f"--{name}"
