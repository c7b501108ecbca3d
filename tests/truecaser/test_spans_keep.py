"""Addresses, code and markup keep their case: every kind, model, style; Python and the shell."""

import commands
import pytest
from recipes import estimated
from small_bitext import bitext

import truecase
from truecase.rules._lines import TitleDetector
from truecase.rules.styles import TitleWeights
from truecase.truecaser import Truecaser

SPANS = r"""
https://youtu.be/dQw4w9WgXcQ http://Example.com www.Example.com/Path?Q=1 example.COM/Path GitHub.com
Some.One@Example.COM @RealName #MeToo C:\Windows\System32 /home/Doc ./Foo ~/Bar src/Foo/bar_Baz
text/HTML image/Svg+xml
README.md index.HTML main.c .Xauthority --Flag --key=Value -la -X getUserName() snake_case MAX_SIZE
a.b.c() os.Path.join std::Vector a->B Foo#Bar `Back` ``Quoted`` %s %1$S %(Name)s {Name} ${Var}
{{Var}} [[LINK]] \n \Alpha $Var &nbsp; &NBSP; <i> </B> <a_b> {\an8} aGVsbG8gV29ybGQxMjM0NTY3ODk=
d670460B4b4aece5915caf5c68d12f560a9fe3e4 e5b6726 9F6A9B4C-1B2C-4D5E-8F90-0123456789AB
""".split()
FRAMES = [
    "{}", "{} the end of it", "He saw {} in Paris.", "it is {}", "the end. {} is there.",
    "({}) the", "it's “{}”, the end", "THE end of {}", "the END\t{}",
]  # fmt: skip


def cases():
    """Lines with letters of both cases, each with a span."""
    for span in SPANS:
        for frame in FRAMES:
            line = frame.format(span)
            shown = line.replace(span, "")
            if shown.upper() != shown != shown.lower() or span.upper() != span != span.lower():
                yield span, line


LINES = list(cases())


def wrong(spans_and_lines, cased):
    """Lines whose span did not come out as it went in, and what only case may do."""
    for (span, line), out in zip(spans_and_lines, cased, strict=True):
        assert out.lower() == line.lower()
        start = line.index(span)
        if out[start : start + len(span)] != span:
            yield line, out


@pytest.fixture(scope="module")
def models(model_file, crf_model_file, neural_model_file):
    text = bitext(300, seed=31).target * 2 + b"READ THE README.TXT\n" * 30 + b"La -La LS Md\n" * 40
    return {
        "embedded": Truecaser.load(),
        "embedded n-grams": Truecaser.load(decode_with="ngram"),
        "embedded unigram": Truecaser.load(decode_with="unigram"),
        "embedded fr-en": Truecaser.load("fr-en"),
        "ngram": Truecaser.load(model_file),
        "crf": Truecaser.load(crf_model_file),
        "crf-neural": Truecaser.load(neural_model_file),
        "portage": estimated(text, "portage", min_count=1),
        "space": estimated(text, min_count=1, segmentation="space"),
    }


@pytest.mark.parametrize("style", ["sentence", "title", "upper"])
@pytest.mark.parametrize("input_case", ["ignore", "keep", "auto"])
def test_every_kind_in_every_model_and_style(models, style, input_case):
    lines = [line for _, line in LINES]
    for name, model in models.items():
        cased = model.batch(lines, style=style, input_case=input_case)
        assert list(wrong(LINES, cased)) == [], name


def test_style_auto(models):
    detector = TitleDetector("raw", "en")
    detector.learn(b"The House by the Sea\nHe went home by the sea .\n" * 50)
    titles = TitleWeights.of(detector)
    model = Truecaser(models["embedded"].model.replace(titles=titles), style="auto")
    assert list(wrong(LINES, model.batch([line for _, line in LINES]))) == []


@pytest.mark.parametrize(
    "options",
    [[], ["--decode-with", "ngram"], ["--style", "title"], ["--style", "upper"], ["-j", "3"]],
)
def test_the_command_line_does_the_same(options):
    block = "".join(f"{line}\n" for _, line in LINES).encode()
    keywords = dict(
        zip([o[2:].replace("-", "_") for o in options[::2]], options[1::2], strict=True)
    )
    keywords.pop("", None)
    done = commands.run(*options, text=block)
    decode_with = keywords.pop("decode_with", None)
    assert done.stdout == Truecaser.load(decode_with=decode_with, **keywords).case_block(block)
    assert list(wrong(LINES, done.stdout.decode().split("\n")[:-1])) == []


LOWER = [span.lower() for span in SPANS if span.isascii() and "<" not in span]


def test_lowercase_lines_stay_but_for_what_training_saw(models):
    """Nothing is guessed about a span; of a word with signs, the lexicon may know the case."""
    pairs = [(span, frame.lower().format(span)) for span in LOWER for frame in FRAMES]
    for name, model in models.items():
        # The text of "space" has La and LS with a hyphen before them.
        if not name.startswith("embedded") and name != "space":
            held = [pair for pair in pairs if "." not in pair[0]]
            assert list(wrong(held, model.batch([line for _, line in held]))) == [], name


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("VISIT HTTPS://WWW.EXAMPLE.COM/FOO NOW", "https://www.example.com/foo"),
        ("HTTPS://WWW.EXAMPLE.COM/FOO", "https://www.example.com/foo"),
        ("MAIL ME@EXAMPLE.COM OR ELSE", "me@example.com"),
        ("SEE /HOME/DOC", "/home/doc"),
        ("&NBSP;GO HOME", "&nbsp;"),
        ("MAX_SIZE", "MAX_SIZE"),
        ("VISIT https://A.org/B NOW", "https://A.org/B"),
    ],
)
def test_lines_in_capitals(models, line, expected):
    for name, model in models.items():
        assert expected in model(line), name


@pytest.mark.parametrize("line", ["SEE HTTP://A.B", "SEE http://A.b", "MAX_SIZE IT"])
def test_input_case_keep_lowers_nothing(models, line):
    assert all(model(line, input_case="keep") == line for model in models.values())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("<i>paris in france.</i> <b>london</b>", "<i>Paris in France.</i> <b>London</b>"),
        ("{\\an8}paris and london", "{\\an8}Paris and London"),
        ("<i>she smiled.</i>", "<i>She smiled.</i>"),
        ("{\\an8}he laughed.", "{\\an8}He laughed."),
        ("&nbsp;she smiled.", "&nbsp;She smiled."),
        ("getusername() is in paris.", "getusername() is in Paris."),
        ("%s is in paris.", "%s is in Paris."),
        (":wave: she smiled.", ":wave: She smiled."),
        ("the force $F = ma$ of $n$ bodies", "The force $F = ma$ of $n$ bodies"),
        ("it costs $5 in paris and $10 here", "It costs $5 in Paris and $10 here"),
        ("as \\cite{Elm:us} and \\ref{Fig:us} say", "As \\cite{Elm:us} and \\ref{Fig:us} say"),
    ],
)
def test_what_begins_the_sentence(line, expected):
    assert truecase.truecase(line) == expected


def test_style_upper_raises_the_rest():
    assert truecase.truecase("see https://a.org/B <i>now</i>", style="upper") == (
        "SEE https://a.org/B <i>NOW</i>"
    )


def test_input_case_auto_goes_by_the_words():
    model = Truecaser.load()
    assert model("THE UN VOTES: https://a.org/B", input_case="auto") == (
        "The UN votes: https://a.org/B"
    )
    assert model("the un votes: https://a.org/B", input_case="auto") == (
        "The UN votes: https://a.org/B"
    )


def test_a_source_gives_its_form_where_the_line_says_nothing():
    model = Truecaser.load("fr-en")
    source = "Cliquez sur OK pour enregistrer vos modifications dans /home/DOC."
    assert model("click ok to save your changes to /home/doc.", source=source).endswith(
        "/home/DOC."
    )
    assert model("Click ok to save your changes to /home/doc.", source=source).endswith(
        "/home/doc."
    )


def test_explanation_tags_and_posteriors_say_the_same():
    model = Truecaser.load()
    line = "use getUserName() in README.md and ls -la."
    cased = model(line)
    assert "".join(word.text for word in model.tags(line)[0]) == cased.replace(" ", "")
    explained = "".join(
        word.output for sentence in model.explain(line).sentences for word in sentence.words
    )
    assert explained == cased.replace(" ", "")
    (words,) = model.posteriors(line)
    assert "".join(word.text for word in words) == cased.replace(" ", "")
    held = next(word for word in words if word.text == "getUserName")
    assert held.posterior == pytest.approx(1.0) and len(held.candidates) == 1


def test_capitalize_leaves_them(tmp_path):
    text = b"the end. https://a.org is there. --flag is there.\n"
    done = commands.run("text", "capitalize", text=text)
    assert done.stdout == b"The end. https://a.org is there. --flag is there.\n"
