"""``--after-colon``: the same bytes as from Python, in every command that cases text."""

import json

import pytest

from truecase import Truecaser

TEXT = 'he had one wish: to go.\nthe sign said: "no dogs."\nnote: this is new.\n'


@pytest.mark.parametrize("style", ["as-learned", "capital", "lower"])
def test_like_python(truecase, tmp_path, style):
    option = ("--after-colon", style)
    model = Truecaser.load(after_colon=style)
    block = TEXT.encode()
    done = truecase("apply", *option, text=block)
    assert done.stdout == model.case_block(block)
    assert (b": To go" in done.stdout) == (style == "capital")
    assert (b'"no dogs' in done.stdout) == (style == "lower")
    if style == "as-learned":
        assert done.stdout == truecase("apply", text=block).stdout
    done = truecase("apply", "--confidence", *option, text=block)
    assert done.stdout == model.table_block(block, with_posteriors=True)
    source = tmp_path / "source.txt"
    source.write_text('Il voulait: partir.\nElle dit: "Nous partons."\nNote: neuf.\n')
    done = truecase("apply", "--source", source, *option, text=block)
    assert done.stdout == model.case_block(block, source=source.read_bytes())
    line = TEXT.splitlines()[0]
    done = truecase("explain", "--json", *option, line)
    assert json.loads(done.stdout) == json.loads(json.dumps(model.explain(line).to_dict()))
    reference = tmp_path / "reference.txt"
    reference.write_text('He had one wish: To go.\nThe sign said: "no dogs."\nNote: new.\n')
    evaluation = model.evaluate(reference.read_text().splitlines()).to_dict()
    done = truecase("evaluate", "--json", *option, reference)
    assert json.loads(done.stdout) == json.loads(json.dumps(evaluation))
    done = truecase("file", "-q", *option, text=f'msgid "Y"\nmsgstr "{line}"\n'.encode())
    assert done.stdout == f'msgid "Y"\nmsgstr "{model(line)}"\n'.encode()
    rows = f"text\n{line}\n".encode()
    done = truecase("table", "--format", "csv", "--column", "text", *option, text=rows)
    assert model(line).encode() in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("apply", "-m", "MODEL"), "Moses' truecaser knows no rule but its own"),
        (("file", "-m", "MODEL"), "Moses' truecaser knows no rule but its own"),
        (("apply", "--style", "upper"), "--style upper raises all letters"),
        (("evaluate", "--hypothesis", "REFERENCE", "REFERENCE"), "no model is run"),
    ],
)
def test_where_it_has_no_effect(truecase, model, tmp_path, arguments, message):
    (tmp_path / "reference.txt").write_text("A\n")
    names = {"MODEL": model, "REFERENCE": tmp_path / "reference.txt"}
    arguments = [names.get(argument, argument) for argument in arguments]
    done = truecase(*arguments, "--after-colon", "lower", text=b'msgid "a"\nmsgstr "b"\n')
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
