"""``--sentence-start``: the same bytes as from Python, in every command that cases text."""

import json

import pytest

from truecase import Truecaser

TEXT = "- she smiled.\ni saw mr. smith. he waved.\nok? fine.\n"


def options(start):
    return ("--sentence-start", start) if start else ()


@pytest.mark.parametrize("start", [None, "always", "learned"])
def test_like_python(truecase, tmp_path, start):
    model = Truecaser.load()
    wanted = {} if start is None else {"sentence_start": start}
    block = TEXT.encode()
    done = truecase("apply", *options(start), text=block)
    assert done.stdout == model.case_block(block, **wanted)
    assert (done.stdout == b"- She smiled.\nI saw Mr. Smith. He waved.\nOK? Fine.\n") == (
        start != "learned"
    )
    done = truecase("apply", "--confidence", *options(start), text=block)
    assert done.stdout == model.table_block(block, with_posteriors=True, **wanted)
    source = tmp_path / "source.txt"
    source.write_text("- elle a souri.\nJ'ai vu M. Smith.\nBien ? Oui.\n")
    done = truecase("apply", "--source", source, *options(start), text=block)
    assert done.stdout == model.case_block(block, source=source.read_bytes(), **wanted)
    done = truecase("explain", "--json", *options(start), "she smiled.")
    assert json.loads(done.stdout) == json.loads(
        json.dumps(model.explain("she smiled.", **wanted).to_dict())
    )
    reference = tmp_path / "reference.txt"
    reference.write_text("She smiled.\nI saw Mr. Smith. He waved.\nOK? Fine.\n")
    lines = reference.read_text().splitlines()
    evaluation = model.evaluate(lines, **wanted).to_dict()
    done = truecase("evaluate", "--json", *options(start), reference)
    assert json.loads(done.stdout) == json.loads(json.dumps(evaluation))
    done = truecase("evaluate", "--json", "--input", reference, *options(start), reference)
    assert json.loads(done.stdout)["f1"] == evaluation["f1"]
    done = truecase("file", "-q", *options(start), text=b'msgid "Y"\nmsgstr "she smiled."\n')
    assert done.stdout == b'msgid "Y"\nmsgstr "%s"\n' % model.case_block(b"she smiled.", **wanted)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("apply", "-m", "MODEL"), "models of Moses' truecaser have a rule of their own"),
        (("file", "-m", "MODEL"), "models of Moses' truecaser have a rule of their own"),
        (("apply", "--style", "upper"), "--style upper raises all letters"),
        (("file", "--style", "upper"), "--style upper raises all letters"),
        (("evaluate", "--hypothesis", "REFERENCE", "REFERENCE"), "judged as it is"),
    ],
)
def test_where_it_has_no_effect(truecase, model, tmp_path, arguments, message):
    (tmp_path / "reference.txt").write_text("A\n")
    names = {"MODEL": model, "REFERENCE": tmp_path / "reference.txt"}
    arguments = [names.get(argument, argument) for argument in arguments]
    done = truecase(*arguments, "--sentence-start", "learned", text=b'msgid "a"\nmsgstr "b"\n')
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
