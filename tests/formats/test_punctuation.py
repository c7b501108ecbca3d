"""Marks put into transcripts and subtitles: behind their words, wherever these are told."""

import json
import re

import pytest
from mark_models import punctuating

from truecase import Truecaser
from truecase.cli import main
from truecase.errors import FormatError, ModelError
from truecase.formats.file_caser import case_file
from truecase.formats.format import ReadOptions
from truecase.formats.punctuation import put_marks
from truecase.formats.registry import read_document


def every_third(texts, pauses):
    """A full stop behind each third word."""
    return [[("", "." if n % 3 == 2 else "") for n, _ in enumerate(text.split())] for text in texts]


def put(data, format):
    return put_marks(read_document(data.encode(), "f", format), every_third).decode()


def test_subtitles_keep_their_cues():
    data = (
        "1\n00:00:01,000 --> 00:00:02,000\nso how <i>are</i> you\n\n"
        "2\n00:00:02,100 --> 00:00:03,000\n[music plays here] fine\nthanks\n\n"
        "3\n00:00:09,000 --> 00:00:10,000\na b c\n"
    )
    assert put(data, "srt") == (
        "1\n00:00:01,000 --> 00:00:02,000\nso how <i>are.</i> you\n\n"
        "2\n00:00:02,100 --> 00:00:03,000\n[music plays here] fine\nthanks.\n\n"
        "3\n00:00:09,000 --> 00:00:10,000\na b c.\n"
    )


def test_vtt():
    data = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>so how are\n"
    assert put(data, "vtt").endswith("<v Ann>so how are.\n")


def test_ctm():
    data = "a 1 0.0 0.3 so\na 1 0.3 0.2 how\na 1 0.5 0.2 are 0.9\n"
    assert put(data, "ctm") == "a 1 0.0 0.3 so\na 1 0.3 0.2 how\na 1 0.5 0.2 are. 0.9\n"


def test_ttml():
    begin = '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">so how'
    data = f'{begin}<br/>are &amp; you</p><p begin="2s" end="3s">fine</p></div></body></tt>'
    came = put(data, "ttml")
    assert (
        came == f'{begin}<br/>are. &amp; you</p><p begin="2s" end="3s">fine.</p></div></body></tt>'
    )


def test_manifests():
    """Parts of a recording are one text, other lines are texts of their own."""
    parts = [
        {"audio_filepath": "a.wav", "offset": 0.0, "duration": 1.0, "text": "so how"},
        {"audio_filepath": "a.wav", "offset": 1.0, "duration": 1.0, "text": "are you fine"},
        {"audio_filepath": "b.wav", "duration": 1.0, "text": "a b c"},
    ]
    data = "".join(f"{json.dumps(part)}\n" for part in parts)
    came = [json.loads(line)["text"] for line in put(data, "manifest").splitlines()]
    assert came == ["so how", "are. you fine", "a b c."]
    document = read_document(
        data.replace('"text"', '"said"').encode(), "f", "manifest", ReadOptions(field="said")
    )
    came = put_marks(document, every_third).decode().splitlines()
    assert json.loads(came[2])["said"] == "a b c."


def test_marks_in_front_of_words():
    def around(texts, pauses):
        return [
            [("¿", "") if n == 1 else ("", "?") for n in range(len(text.split()))] for text in texts
        ]

    words = [{"word": word} for word in ("so", "qué")]
    data = json.dumps({"segments": [{"start": 0, "end": 1, "text": " so qué", "words": words}]})
    came = json.loads(put_marks(read_document(data.encode(), "f", "transcript"), around))
    assert came["segments"][0]["text"] == " so? ¿qué"
    assert [word["word"] for word in came["segments"][0]["words"]] == ["so?", "¿qué"]


def told_pauses(data, format):
    found = []

    def keep(texts, pauses):
        found.extend(pauses)
        return [[("", "")] * len(text.split()) for text in texts]

    put_marks(read_document(data.encode(), "f", format), keep)
    return [[None if s is None else round(s, 3) for s in one] for one in found]


def test_pauses_are_told():
    ctm = "a 1 0.0 0.3 so\na 1 0.3 0.2 how\na 1 1.0 0.2 are\n"
    assert told_pauses(ctm, "ctm") == [[0.0, 0.5, None]]
    cues = (
        "1\n00:00:01,000 --> 00:00:02,000\nso how\n\n"
        "2\n00:00:02,900 --> 00:00:03,000\nare <i>you</i>\n\n"
        "3\n00:00:03,050 --> 00:00:04,000\nfine\n"
    )
    assert told_pauses(cues, "srt") == [[None, 0.9, None, 0.05, None]]
    words = [(0.0, 0.2, "so"), (0.2, 0.4, "how"), (1.2, 1.4, "are"), (1.5, 2.0, "you")]
    said = [{"word": word, "start": start, "end": end} for start, end, word in words]
    data = json.dumps(
        {"segments": [{"start": 0, "end": 2, "text": "so how are you", "words": said}]}
    )
    assert told_pauses(data, "transcript") == [[0.0, 0.8, 0.1, None]]
    contiguous = [{**one, "end": round(one["start"] + 0.2, 1)} for one in said[:2]]
    data = json.dumps({"segments": [{"start": 0, "end": 1, "text": "so how", "words": contiguous}]})
    assert told_pauses(data, "transcript") == [[None, None]]


def test_words_with_times_follow():
    words = [
        {"word": word, "start": n / 10} for n, word in enumerate(("so", "how", "\u00e9t\u00e9"))
    ]
    root = {
        "text": "so how été",
        "segments": [{"start": 0, "end": 1, "text": " so how été", "words": words}],
    }
    came = json.loads(put(json.dumps(root), "transcript"))
    assert came["text"] == "so how été."
    assert came["segments"][0]["text"] == " so how été."
    assert [word["word"] for word in came["segments"][0]["words"]] == ["so", "how", "été."]
    assert [word["start"] for word in came["segments"][0]["words"]] == [0, 0.1, 0.2]


def test_words_that_disagree_are_named():
    root = {"segments": [{"start": 0, "end": 1, "text": "so how", "words": [{"word": "so"}]}]}
    with pytest.raises(
        FormatError, match=r"f: line 1: text and words disagree at word 2: how in .*nothing among"
    ):
        put(json.dumps(root), "transcript")


def test_other_files_are_refused():
    with pytest.raises(FormatError, match="marks are put into transcripts and subtitles"):
        put("# a\n", "markdown")


@pytest.fixture(scope="module")
def marked(model_file, tmp_path_factory):
    path = tmp_path_factory.mktemp("marked") / "m.truecase"
    punctuating(Truecaser.load(model_file), 3).save(path)
    return path


CUES = (
    "1\n00:00:01,000 --> 00:00:02,000\nso how are you mary\n\n"
    "2\n00:00:02,100 --> 00:00:03,000\ni am fine\n"
)


@pytest.mark.parametrize("marks", [None, "?"])
def test_the_command_and_its_twin(marked, tmp_path, marks):
    given, out, twin = (tmp_path / name for name in ("a.srt", "b.srt", "c.srt"))
    given.write_text(CUES)
    options = [] if marks is None else ["--marks", marks]
    arguments = ["file", "-m", str(marked), "--punctuate", *options, str(given)]
    assert main([*arguments, "-o", str(out)]) == 0
    case_file(given, twin, marked, punctuate=True, marks=marks)
    came = out.read_text()
    assert came == twin.read_text()
    assert came.rstrip()[-1] in ".?"
    assert re.sub(r"(?<=[a-z])[,.?]", "", came.lower()) == CUES.lower()


def test_wrong_arguments(marked, model_file, tmp_path):
    given, out = tmp_path / "a.srt", tmp_path / "b.srt"
    given.write_text(CUES)
    with pytest.raises(FormatError, match="only with punctuate=True"):
        case_file(given, out, marked, marks="?")
    with pytest.raises(ModelError, match="cannot punctuate"):
        case_file(given, out, model_file, punctuate=True)
    assert main(["file", "-m", str(marked), "--marks", "?", str(given)]) == 2
    assert not out.exists()
