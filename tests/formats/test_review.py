"""Pages for review hold what the model says, and corrections go where they belong."""

import contextlib
import json
import re

import pytest
from docx_files import docx, members_of, paragraph, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from review_pages import corrections_of, data_of, place_of

import truecase
from truecase.errors import FormatError, ReviewError
from truecase.formats.lines import Flow
from truecase.formats.placeholders import Protected
from truecase.formats.review import Corrections, ReviewSettings
from truecase.formats.segments import Piece

TEXT = """\
mary took the bill to london on monday .
the post of london was never seen by dr. chen again

the bridge of 𐐨𐐩 and the POST of łukasz 3.50 .
"""
PO = 'msgid ""\nmsgstr "Language: en\\n"\n\nmsgid "a"\nmsgstr "the post of %s in london"\n'
SRT = "1\n00:00:01,000 --> 00:00:02,000\nthe bridge\nof <i>london</i>\n\n"

WORDS = st.lists(
    st.sampled_from("mary the bill post bridge london of dr. 3.50 𐐨x ßa us , . ! \n".split(" ")),
    min_size=1,
    max_size=60,
)
NO_RESET = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


def words_of(data, form):
    """Numbers of the words of a page that are written so."""
    return [i for i in range(len(data["start"])) if place_of(data, i)[3] == form]


def test_words_are_those_of_the_model(reviewed, reviewer):
    _, data = reviewed(TEXT)
    cased = reviewer(TEXT).split("\n")
    expected = [
        [(w.start, w.text, round(1e6 * w.posterior)) for w in words if w.tag != "AN"]
        for text in TEXT.split("\n")
        for words in [[word for line in reviewer.posteriors(text) for word in line]]
    ]
    found = {}
    for i in range(len(data["start"])):
        line = data["line"][i] - 1
        _, start, end, form = place_of(data, i)
        assert cased[line][start:end] == form
        found.setdefault(line, []).append((start, form, data["certainty"][i]))
        others = data["others"][i] or []
        forms = [form, *(data["forms"][number] for number in others[::2])]
        word = next(w for w in reviewer.posteriors(TEXT.split("\n")[line])[0] if w.start == start)
        assert forms == [one.text for one in word.candidates[:7]]
    for line, words in enumerate(expected):
        assert found.get(line, []) == words
    assert data["words"] == len(data["start"])
    assert "".join(data["texts"]) == "".join(cased)


def test_without_corrections_it_is_the_text_as_the_model_cases_it(reviewed, corrected, reviewer):
    path, data = reviewed(TEXT)
    assert corrected(path, corrections_of(data, {})) == reviewer(TEXT).encode()
    path, data = reviewed(TEXT, context="document")
    lines = reviewer.document(TEXT.split("\n"))
    assert corrected(path, corrections_of(data, {})) == "\n".join(lines).encode()


@NO_RESET
@given(words=WORDS, draw=st.data())
def test_corrections_are_replacements(words, draw, reviewed, corrected, reviewer):
    text = " ".join(words)
    try:
        path, data = reviewed(text)
    except ReviewError:
        assert not any(map(str.isalpha, text))
        return
    lines = reviewer(text).split("\n")
    chosen = {}
    for i in draw.draw(st.lists(st.integers(0, len(data["start"]) - 1), unique=True)):
        form = place_of(data, i)[3]
        cases = [form.lower(), form.upper(), form.capitalize(), form.swapcase()]
        chosen[i] = draw.draw(st.sampled_from([c for c in cases if len(c) == len(form)]))
        line = data["line"][i] - 1
        _, start, end, _ = place_of(data, i)
        lines[line] = lines[line][:start] + chosen[i] + lines[line][end:]
    threads = draw.draw(st.sampled_from([1, 2]))
    assert corrected(path, corrections_of(data, chosen), threads=threads).decode() == "\n".join(
        lines
    )


def test_the_text_may_have_been_cased_since(reviewed, corrected, reviewer):
    path, data = reviewed(TEXT)
    chosen = {words_of(data, "London")[0]: "LONDON"}
    expected = reviewer(TEXT).replace("London", "LONDON", 1).encode()
    assert corrected(path, corrections_of(data, chosen)) == expected
    path.write_text(reviewer(TEXT), encoding="utf-8")
    assert corrected(path, corrections_of(data, chosen)) == expected


def test_text_that_is_cased_already(reviewed, corrected, reviewer):
    given = "the POST of london was never Seen by dr. chen again .\n"
    path, data = reviewed(given, keep_case=True)
    assert data["texts"] == [given.rstrip("\n")]
    forms = {place_of(data, i)[3]: i for i in range(len(data["start"]))}
    # What the model would not write is uncertain, and its own form is offered.
    assert data["certainty"][forms["Seen"]] < 10
    assert data["forms"][data["others"][forms["Seen"]][0]] == "seen"
    done = corrected(path, corrections_of(data, {forms["london"]: "London"}))
    assert done.decode() == given.replace("london", "London")


def test_a_document_in_an_archive(reviewed, corrected):
    path, data = reviewed(docx(paragraph(run("the post of lon"), run("don"))), "a.docx")
    place = next(i for i in range(len(data["start"])) if place_of(data, i)[3].lower() == "london")
    done = members_of(corrected(path, corrections_of(data, {place: "LONDON"})))
    assert b" of LON<" in done["word/document.xml"]
    assert b">DON<" in done["word/document.xml"]


def test_a_configuration_is_refused_unless_it_is_asked_for(reviewed):
    text = '{"name": "the post of london", "dependencies": {}}'
    with pytest.raises(FormatError, match=r"is a package\.json"):
        reviewed(text, "package.json")
    _, data = reviewed(text, "package.json", format="json")
    assert len(data["start"]) > 0


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("m.po", PO, b"london"),
        ("talk.srt", SRT, b"london"),
        ("a.md", "# `london`\n\nof *oslo* in [london](http://london.example)\n", b"oslo"),
        # Of an escaped letter, the number changes.
        ("s.json", '{"a": "the post of \\u006condon"}', b"\\u006condon"),
    ],
)
def test_files(name, content, word, reviewed, corrected, reviewer, tmp_path):
    path, data = reviewed(content, name)
    plain = tmp_path / "plain"
    truecase.case_file(path, plain, reviewer)
    assert corrected(path, corrections_of(data, {})) == plain.read_bytes()
    letters = word.replace(b"\\u006c", b"l").decode()
    place = next(i for i in range(len(data["start"])) if place_of(data, i)[3].lower() == letters)
    done = corrected(path, corrections_of(data, {place: letters.upper()}))
    upper = word.upper().replace(b"\\U006C", b"\\u004c")
    as_cased = re.compile(re.escape(word) + b"|" + re.escape(upper), re.IGNORECASE)
    assert done == as_cased.sub(upper.replace(b"\\", rb"\\"), plain.read_bytes(), count=1)


def test_only_the_least_certain_words_if_there_are_too_many(tmp_path, reviewer):
    path, page = tmp_path / "in.txt", tmp_path / "page.html"
    path.write_text(TEXT, encoding="utf-8")
    posteriors = [
        word.posterior for line in reviewer.posteriors(TEXT) for word in line if word.tag != "AN"
    ]
    assert truecase.review_file(path, page, reviewer, n_words=5) == 5
    data = data_of(page.read_text(encoding="utf-8"))
    assert sorted(data["certainty"]) == sorted(round(1e6 * p) for p in sorted(posteriors)[:5])
    assert data["words"] == len(posteriors)


def test_long_lines_are_cut_into_contexts(reviewed, corrected, reviewer):
    text = "the post of 𐐨 london " * 400
    path, data = reviewed(text)
    assert len(data["texts"]) > 5
    assert max(map(len, data["texts"])) < 1000
    last = words_of(data, "London")[-1]
    done = corrected(path, corrections_of(data, {last: "LONDON"})).decode()
    assert done == "LONDON".join(reviewer(text).rsplit("London", 1))


def test_another_language(tmp_path, reviewer):
    # The small model does not say its language; the embedded one does.
    path = tmp_path / "m.po"
    path.write_text(PO.replace("Language: en", "Language: fr"), encoding="utf-8")
    english = truecase.Truecaser.load()
    with pytest.raises(ReviewError, match=r"trained for en, the targets are in fr.*; give another"):
        truecase.review_file(path, tmp_path / "page.html", english)
    asked = ReviewSettings(target_language="fr")
    assert truecase.review_file(path, tmp_path / "page.html", english, asked) == 5
    assert truecase.review_file(path, tmp_path / "page.html", reviewer) == 5


def test_another_text_and_another_model(reviewed, corrected, model_file):
    path, data = reviewed(TEXT, input_case="ignore")
    chosen = corrections_of(data, {words_of(data, "London")[0]: "LONDON"})
    other = truecase.Truecaser.load(model_file)
    with pytest.raises(ReviewError, match="the model"):
        corrected(path, chosen, other)
    path.write_text(TEXT.replace("again", "twice"), encoding="utf-8")
    with pytest.raises(ReviewError, match=r"not the one that was reviewed, .*in\.txt"):
        corrected(path, chosen)
    path.write_text(TEXT.replace("london", "oslo"), encoding="utf-8")
    with pytest.raises(ReviewError, match="line 1 has 'Oslo o' where 'London' was corrected"):
        corrected(path, chosen)
    assert not (path.parent / "output").exists()


BROKEN = [
    ({"truecase": "records"}, "no corrections of a review page"),
    ({"version": 2}, "corrections of version 2, expected 1"),
    ({"version": "1"}, "version '1'"),
    ({"of": 3}, "of is 3, expected a text"),
    ({"letters": None}, "letters is None"),
    ({"settings": []}, "settings are no object"),
    ({"settings": {"modle": "en"}}, "settings have 'modle'"),
    ({"settings": {"model": 3}}, "model: expected a str or None"),
    ({"settings": {"names": ["a", 1]}}, "names: expected a tuple of str"),
    ({"settings": {"input_case": "other"}}, "input_case 'other'"),
    ({"settings": {"keep_case": "yes"}}, "keep_case: expected True or False"),
    ({"names": "x"}, "names is no list"),
    ({"corrections": {}}, "no list of corrections"),
    ({"corrections": [3]}, "correction 1: no object"),
]
BROKEN_CORRECTIONS = [
    ({"segment": -1}, "segment is -1"),
    ({"segment": True}, "segment is True"),
    ({"segment": 77}, "the correction in line 1 lies outside the text"),
    ({"start": 9, "end": 9}, "from character 9 to 9"),
    ({"end": "x"}, "end is 'x'"),
    ({"end": 10**9}, "line 1 has"),
    ({"from": "Paris"}, "line 1 has 'London' where 'Paris'"),
    ({"from": 1}, "from is 1"),
    ({"to": "Londres"}, "'Londres' is not 'London' in another case"),
    ({"to": "Paris!"}, "'Paris!' is not 'London' in another case"),
    ({"to": None}, "to is None"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN)
def test_broken_files_of_corrections(change, message, reviewed, corrected):
    path, data = reviewed(TEXT)
    with pytest.raises(ReviewError, match=message) as found:
        corrected(path, {**corrections_of(data, {}), **change})
    assert "corrections.json: " in str(found.value)


@pytest.mark.parametrize(("change", "message"), BROKEN_CORRECTIONS)
def test_broken_corrections(change, message, reviewed, corrected):
    path, data = reviewed(TEXT)
    made = corrections_of(data, {words_of(data, "London")[0]: "LONDON"})
    made["corrections"][0].update(change)
    with pytest.raises(ReviewError, match=message):
        corrected(path, made)


def test_a_word_is_corrected_once(reviewed, corrected):
    path, data = reviewed(TEXT)
    made = corrections_of(data, {words_of(data, "London")[0]: "LONDON"})
    made["corrections"] *= 2
    with pytest.raises(ReviewError, match="'London' in line 1 is corrected twice"):
        corrected(path, made)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1]", b"{", b"[" * 100_000, b"null"])
def test_no_corrections(content, tmp_path, reviewer):
    path, file = tmp_path / "in.txt", tmp_path / "c.json"
    path.write_text(TEXT, encoding="utf-8")
    file.write_bytes(content)
    with pytest.raises(ReviewError, match=r"c\.json: no corrections of a review page"):
        truecase.apply_corrections(path, file, tmp_path / "out", reviewer)
    assert not (tmp_path / "out").exists()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    "truecase version of letters cased settings names corrections".split()
                ),
                inner,
                max_size=8,
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_is_in_the_file(content):
    with contextlib.suppress(ReviewError):
        Corrections("file", json.loads(json.dumps(content)))


def test_no_word_at_all(tmp_path, reviewer):
    path = tmp_path / "in.txt"
    path.write_text("3.50\n!\n", encoding="utf-8")
    with pytest.raises(ReviewError, match="no word in it that could be cased"):
        truecase.review_file(path, tmp_path / "page.html", reviewer)
    assert not (tmp_path / "page.html").exists()
    with pytest.raises(ReviewError, match=r"in\.txt: is also read: give the output another name"):
        truecase.review_file(path, f"{tmp_path}/./in.txt", reviewer)
    settings = ReviewSettings(format="nope")
    with pytest.raises(FormatError, match=r"^format 'nope': expected one of "):
        truecase.review_file(path, tmp_path / "page.html", reviewer, settings)
    (tmp_path / "c.json").write_bytes(b"{}")
    with pytest.raises(ReviewError, match=r"c\.json: is also read"):
        truecase.apply_corrections(path, tmp_path / "c.json", tmp_path / "c.json", reviewer)
    assert (tmp_path / "c.json").read_bytes() == b"{}"


@given(
    text=st.text("abcd", max_size=30),
    cuts=st.lists(st.tuples(st.integers(0, 30), st.integers(1, 5), st.text("XY", max_size=3))),
    length=st.integers(1, 6),
)
def test_spans_of_lines_are_those_of_texts(text, cuts, length):
    kept, end = [], 0
    for begin, n, stand_in in sorted(cuts):
        if begin >= end and begin + n <= len(text):
            kept.append(Protected(begin, begin + n, stand_in))
            end = begin + n
    flow = Flow([Piece(0, 0, len(text), text)], lambda _: kept)
    # where each character of the line comes from, None for stand-ins
    origin, position = [], 0
    for begin, after, stand_in in kept:
        origin += [*range(position, begin), *[None] * len(stand_in)]
        position = after
    origin += range(position, len(text))
    assert len(origin) == len(flow.line)
    spans = [(start, start + length) for start in range(len(origin) - length + 1)]
    for (start, end), found in zip(spans, flow.spans(spans), strict=True):
        places = origin[start:end]
        if None in places or places != list(range(places[0], places[0] + length)):
            assert found is None
        else:
            assert found == (places[0], places[0] + length)


@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        (
            "a.srt",
            "1\n00:00:01,000 --> 00:00:02,000\nthe bill\n[of oslo] is\n\n"
            "2\n00:00:02,100 --> 00:00:03,000\nin cork\n",
            {"the": 3, "bill": 3, "of": 4, "oslo": 4, "is": 4, "in": 8, "cork": 8},
        ),
        ("a.md", "the bill\n*of\noslo* is\n", {"the": 1, "bill": 1, "of": 2, "oslo": 3, "is": 3}),
        ("a.po", 'msgid "a"\nmsgstr "the "\n"bill"\n', {"the": 2, "bill": 3}),
        ("b.md", "é the *é\nbill* é of\noslo\n", {"é": 2, "the": 1, "bill": 2, "of": 2, "oslo": 3}),
    ],
)
def test_the_line_is_that_of_the_word(reviewed, name, content, lines):
    _, data = reviewed(content, name)
    found = {place_of(data, i)[3].lower(): data["line"][i] for i in range(len(data["start"]))}
    assert found == lines


def test_labels_are_as_in_the_file(reviewed, corrected):
    path, data = reviewed('msgid "Rn Cl"\nmsgstr "rn cl"\n\nmsgid "b"\nmsgstr "the bill"\n', "a.po")
    assert {place_of(data, i)[3] for i in range(2)} == {"Rn", "Cl"}
    assert b'msgstr "Rn Cl"' in corrected(path, corrections_of(data, {}))
