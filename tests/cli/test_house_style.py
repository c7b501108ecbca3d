"""``--after-colon`` and ``--offices``: the same bytes as from Python, in each command."""

import json

import pytest
from review_pages import corrections_of, data_of

from truecase import CaseBridge, ReviewSettings, Truecaser, review_file

TEXT = {
    "after_colon": 'he had one wish: to go.\nthere it stood: "nobody knows."\nnote: this is new.\n',
    "offices": "we met the prime minister.\ntoday the secretary-general spoke.\nthe sea.\n",
}
SOURCE = {
    "after_colon": 'Il voulait: partir.\nElle dit: "Nous partons."\nNote: neuf.\n',
    "offices": "Nous avons vu le ministre.\nHier il a parlé.\nLa mer.\n",
}
REFERENCE = {
    "after_colon": 'He had one wish: To go.\nThere it stood: "nobody knows."\nNote: new.\n',
    "offices": "We met the prime minister.\nThe President spoke.\nThe sea.\n",
}
# What tells that a style is followed.
SHOWN = {
    ("after_colon", "capital"): b": To go",
    ("after_colon", "lower"): b'"nobody',
    ("offices", "capital"): b"the Secretary-General spoke",
    ("offices", "lower"): b"the secretary-general spoke",
}
CASES = [
    (name, style)
    for name in ("after_colon", "offices")
    for style in ("as-learned", "capital", "lower")
]
MOSES = "models of Moses' truecaser have a rule of their own"


def option_of(name):
    return f"--{name.replace('_', '-')}"


@pytest.mark.parametrize(("name", "style"), CASES)
def test_like_python(truecase, tmp_path, name, style):
    option = (option_of(name), style)
    model = Truecaser.load(**{name: style})
    block = TEXT[name].encode()
    done = truecase("apply", *option, text=block)
    assert done.stdout == model.case_block(block)
    for (other, shown), text in SHOWN.items():
        if other == name and "as-learned" not in (style, shown):
            assert (text in done.stdout) == (shown == style)
    if style == "as-learned":
        assert done.stdout == truecase("apply", text=block).stdout
    done = truecase("apply", "--confidence", *option, text=block)
    assert done.stdout == model.table_block(block, with_posteriors=True)
    source = tmp_path / "source.txt"
    source.write_text(SOURCE[name])
    done = truecase("apply", "--source", source, *option, text=block)
    assert done.stdout == model.case_block(block, source=source.read_bytes())
    line = TEXT[name].splitlines()[0]
    done = truecase("explain", "--json", *option, line)
    assert json.loads(done.stdout) == json.loads(json.dumps(model.explain(line).to_dict()))
    reference = tmp_path / "reference.txt"
    reference.write_text(REFERENCE[name])
    evaluation = model.evaluate(reference.read_text().splitlines()).to_dict()
    done = truecase("evaluate", "--json", *option, reference)
    assert json.loads(done.stdout) == json.loads(json.dumps(evaluation))
    done = truecase("file", "-q", *option, text=f'msgid "Y"\nmsgstr "{line}"\n'.encode())
    assert done.stdout == f'msgid "Y"\nmsgstr "{model(line)}"\n'.encode()
    rows = f"text\n{line}\n".encode()
    done = truecase("table", "--format", "csv", "--column", "text", *option, text=rows)
    assert model(line).encode() in done.stdout


@pytest.mark.parametrize(("name", "style"), CASES)
def test_around_a_translation_system(truecase, tmp_path, name, style):
    records = tmp_path / "records"
    block = TEXT[name].upper().encode() + b"Old Trees: a Review of the President\n"
    done = truecase("bridge", "before", "--records", records, option_of(name), style, text=block)
    bridge = CaseBridge(Truecaser.load(**{name: style}))
    assert (done.stdout, records.read_bytes()) == bridge.before_block(block)
    if (name, style) in SHOWN:
        assert SHOWN[name, style] in done.stdout


@pytest.mark.parametrize(("name", "style"), CASES)
def test_pages_and_corrections(truecase, tmp_path, name, style):
    text, page, file = (tmp_path / part for part in ("in.txt", "page.html", "c.json"))
    text.write_text(TEXT[name])
    done = truecase("review", option_of(name), style, text)
    review_file(text, page, settings=ReviewSettings(**{name: style}))
    assert done.stdout == page.read_bytes()
    data = data_of(done.stdout.decode())
    assert data["settings"] == ({} if style == "as-learned" else {name: style})
    file.write_text(json.dumps(corrections_of(data, {}, [])))
    done = truecase("review", "--apply", file, text)
    assert done.stdout == Truecaser.load(**{name: style}).case_block(text.read_bytes())
    done = truecase("review", "--apply", file, option_of(name), style, text)
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"{option_of(name)}: leave it out: --apply uses the options" in done.stderr.decode()


@pytest.mark.parametrize("name", ["after_colon", "offices"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("apply", "-m", "MODEL"), MOSES),
        (("file", "-m", "MODEL"), MOSES),
        (("bridge", "before", "--records", "RECORDS", "-m", "MODEL"), MOSES),
        (("review", "-m", "MODEL"), MOSES),
        (("apply", "--style", "upper"), "--style upper raises all letters"),
        (("file", "--style", "upper"), "--style upper raises all letters"),
        (("apply", "-l", "auto"), "-l auto does not go together with OPTION"),
        (("evaluate", "--hypothesis", "REFERENCE", "REFERENCE"), "no model is run"),
    ],
)
def test_where_it_has_no_effect(truecase, model, tmp_path, name, arguments, message):
    (tmp_path / "reference.txt").write_text("A\n")
    names = {
        "MODEL": model, "REFERENCE": tmp_path / "reference.txt", "RECORDS": tmp_path / "records"
    }  # fmt: skip
    arguments = [names.get(argument, argument) for argument in arguments]
    done = truecase(*arguments, option_of(name), "lower", text=b'msgid "a"\nmsgstr "b"\n')
    assert (done.returncode, done.stdout) == (2, b"")
    assert message.replace("OPTION", option_of(name)) in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_offices_are_english(truecase, tmp_path):
    english = Truecaser.load().model
    path = tmp_path / "de.truecase"
    english.replace(text=english.text.replace(language="de")).save(path)
    done = truecase("apply", "-m", path, "--offices", "lower", text=b"x\n")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"de.truecase: offices 'lower': the words of offices are English" in done.stderr
    assert done.stderr.count(b"\n") == 1
