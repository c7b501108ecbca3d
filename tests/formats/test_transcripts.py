"""Transcripts: what the model is shown, and that text, segments and words agree."""

import json

import pytest
from examples import examples
from formats_read import EDITS, check_read_or_refused, damaged, output, read
from hypothesis import given
from hypothesis import strategies as st
from plain_models import Upper
from reference.casing import fold

from truecase.errors import FormatError
from truecase.formats.format import ReadOptions
from truecase.formats.registry import read_document


def seen(lines):
    return [" ".join(line.split()) for line in lines]


def words_of(text):
    return [{"word": f" {word}", "start": 0.5} for word in text.split()]


def whisper(*texts, ascii=True, gap=0.1):
    segments = []
    for i, text in enumerate(texts):
        start = i * (1 + gap)
        segments.append(
            {"id": i, "start": start, "end": start + 1, "text": f" {text}", "words": words_of(text)}
        )
    root = {
        "text": " " + " ".join(texts),
        "segments": segments,
        "word_segments": words_of(" ".join(texts)),
        "language": "en",
    }
    return json.dumps(root, indent=1, ensure_ascii=ascii)


def texts_of(data):
    """All texts of a transcript, by where they are."""
    root = json.loads(data)
    return (
        root["text"].split(),
        " ".join(segment["text"] for segment in root["segments"]).split(),
        [word["word"].strip() for segment in root["segments"] for word in segment["words"]],
        [word["word"].strip() for word in root["word_segments"]],
    )


def test_texts_under_other_keys_are_not_passed_over(cased):
    for data in (
        b'{"segments": [{"start": 0}, {"said": "we fry eggs"}]}',
        b'[{"part": [{"id": "b c", "text": "an"}, {"text": "egg"}]}]',
    ):
        assert "segments with one, under text, transcript, display" in read(data, "transcript")
    for silence in (
        '{"results": [{"alternatives": [{}], "resultEndTime": "5s"}]}',
        '{"segments": []}',
        '{"text": "", "segments": [{"start": 0, "text": ""}]}',
    ):
        assert cased(silence, format="transcript") == silence


@pytest.mark.parametrize("ascii", [True, False])
def test_text_segments_and_words_agree(cased, lines_of, ascii):
    data = whisper("he went to rome.", "été à", 'paris "or\\ny"', ascii=ascii)
    assert seen(lines_of(data)) == ["he went to rome.", 'été à paris "or\\ny"']
    out = cased(data)
    expected = 'HE WENT TO ROME. ÉTÉ À PARIS "OR\\NY"'.split()
    assert texts_of(out) == (expected, expected, expected, expected)
    assert json.loads(out)["language"] == "en"
    assert folded(json.loads(out)) == json.loads(data)
    assert len(out) == len(data)


def test_escapes_stay_escapes(cased):
    data = r'{"text": "a\nb \u00e9\u00E9\u00e4 \ud801\udc28 \ud800 \t\"\/ \u2019 \u00df"}'
    assert (
        cased(data)
        == r'{"text": "A\nB \u00c9\u00C9\u00c4 \ud801\udc00 \ud800 \t\"\/ \u2019 \u00df"}'
    )


def test_words_that_differ_stay(cased):
    data = json.dumps(
        {"segments": [{"text": "it is two", "words": [{"word": w} for w in ("it", "is", "2a")]}]}
    )
    out = json.loads(cased(data))
    assert [word["word"] for word in out["segments"][0]["words"]] == ["IT", "IS", "2a"]


def test_words_behind_many_that_a_copy_lacks_are_cased(cased):
    words = [f"w{i}" for i in range(9000)]
    copy = [word for i, word in enumerate(words) if not 5000 <= i < 6500]
    out = cased(json.dumps({"text": " ".join(words), "words": [{"word": word} for word in copy]}))
    assert [word["word"] for word in json.loads(out)["words"]] == [word.upper() for word in copy]


@pytest.mark.parametrize(
    ("root", "lines"),
    [
        ({"text": "he left. she did"}, ["he left. she did"]),
        ([{"start": 0, "end": 1, "text": "he"}, {"start": 1, "text": "left"}], ["he left"]),
        ({"segments": [{"end": 1, "text": "a"}, {"start": 9, "text": "b"}]}, ["a", "b"]),
        (
            {"segments": [{"text": n, "speaker": n} for n in ("a", "b", 1, 2)][:2]
             + [{"text": "c", "speaker": n} for n in (0, 1, 1)] + [{"text": "d", "who": "ann"}]},
            ["a", "b", "c", "c c", "d"],
        ),
        (
            {"text": "he left", "chunks": [{"timestamp": [0, 1.5], "text": " he"},
                                           {"timestamp": [1.5, None], "text": " left"}]},
            ["he left"],
        ),
        (
            {"transcription": [{"offsets": {"from": 0, "to": 1000}, "text": " he"},
                               {"offsets": {"from": 3500, "to": 4000}, "text": " left"}]},
            ["he", "left"],
        ),
    ],
)  # fmt: skip
def test_relatives(cased, lines_of, root, lines):
    data = json.dumps(root)
    assert seen(lines_of(data)) == lines
    out = cased(data)
    assert out.lower() == data.lower()
    assert "LEFT" in out or "B" in out


def words(key, text, **more):
    return [{key: word, **more} for word in text.split()]


VOSK = {"result": words("word", "he left", start=0.5, end=0.6), "text": "he left"}
LEFT = {"lexical": "he left", "itn": "he left", "maskedITN": "he left", "display": "he left."}
CLOUD = {
    "vosk": (VOSK, ["he left"]),
    "vosk, several": ({"alternatives": [VOSK, {"text": "she left"}]}, ["she left", "he left"]),
    "aws": (
        {
            "jobName": "he", "status": "completed", "results": {
                "transcripts": [{"transcript": "he left. she did"}],
                "items": [
                    {"start_time": "0.1", "end_time": "0.2", "type": "pronunciation",
                     "alternatives": [{"confidence": "0.9", "content": word}]}
                    for word in ("he", "left")
                ] + [{"alternatives": [{"content": "."}], "type": "punctuation"}]
                + [{"alternatives": [{"content": word}], "type": "pronunciation"}
                   for word in ("she", "did")],
            },
        },
        ["he left. she did"],
    ),
    "aws, by segments": (
        {"results": {"transcripts": [{"transcript": "he left it"}], "audio_segments": [
            {"transcript": "he left", "start_time": "0.0", "end_time": "1.5", "items": [0, 1]},
            {"transcript": "it", "start_time": "4.0", "end_time": "4.5", "items": [2]}]}},
        ["he left", "it"],
    ),
    "google": (
        {"response": {"results": [
            {"alternatives": [
                {"transcript": "he left",
                 "words": words("word", "he left", startTime={"seconds": "1", "nanos": 5e8})},
                {"transcript": "she left"}], "languageCode": "en-us"},
            {"alternatives": [{"transcript": " again"}], "resultEndTime": "2s"}, {}]}},
        ["she left", "he left again"],
    ),
    "azure": (
        {"timestamp": "t", "combinedRecognizedPhrases": [LEFT],
         "recognizedPhrases": [{"recognitionStatus": "success", "offsetInTicks": 7e5,
                                "durationInTicks": 9e6, "offset": "pt0.07s",
                                "nBest": [{**LEFT, "words": words("word", "he left")}]}]},
        ["he left."],
    ),
    "azure, short": (
        {"RecognitionStatus": "success", "DisplayText": "he left.", "Offset": 3, "Duration": 5,
         "NBest": [{"Lexical": "he left", "ITN": "he left", "MaskedITN": "he left",
                    "Display": "he left.", "Words": words("Word", "he left")}]},
        ["he left."],
    ),
    "azure, fast": (
        {"combinedPhrases": [{"text": "he left. she did"}], "phrases": [
            {"offsetMilliseconds": 0, "durationMilliseconds": 9, "text": "he left.",
             "words": words("text", "he left."), "locale": "en-US"},
            {"offsetMilliseconds": 9, "durationMilliseconds": 9, "text": "she did"}]},
        ["he left.", "she did"],
    ),
    "deepgram": (
        {"metadata": {"id": "he"}, "results": {"channels": [{"alternatives": [
            {"transcript": "he left", "words": words("word", "he left"),
             "paragraphs": {"paragraphs": [{"sentences": [{"text": "he left"}]}]}}]}]}},
        ["he left"],
    ),
    "deepgram, by speakers": (
        {"results": {"channels": [{"alternatives": [{"transcript": "he left"}]}],
                     "utterances": [{"transcript": "he left", "words": words("word", "he left")}]}},
        ["he left"],
    ),
    "assemblyai": (
        {"id": "he", "text": "he left", "words": words("text", "he left", start=1, end=2),
         "utterances": [{"speaker": "A", "text": "he left", "start": 1, "end": 2}]},
        ["he left"],
    ),
    "gladia": (
        {"transcription": {"full_transcript": "he left", "utterances": [
            {"text": "he left", "start": 0, "words": words("word", "he left")}]}},
        ["he left"],
    ),
    "elevenlabs": (
        {"language_code": "eng", "text": "he left", "words": [
            {"text": word, "start": 0.1, "type": "word"} for word in ("he", " ", "left")]},
        ["he left"],
    ),
    "podcast": (
        {"segments": [{"speaker": "ann", "startTime": 1, "endTime": 2, "body": "he left"}]},
        ["he left"],
    ),
    "rev": (
        {"monologues": [{"speaker": 0, "elements": [
            {"type": "text", "value": "he"}, {"type": "punct", "value": " "},
            {"type": "text", "value": "left"}, {"type": "punct", "value": "."}]}]},
        ["he left."],
    ),
    "youtube": (
        {"events": [
            {"tStartMs": 0, "dDurationMs": 900, "segs": [{"utf8": "he "}, {"utf8": "left"}]},
            {"tStartMs": 9000, "dDurationMs": 900, "segs": [{"utf8": "she did"}]}]},
        ["he left", "she did"],
    ),
    "speechmatics": (
        {"format": "2.7", "results": [
            {"type": "word", "start_time": 0.1, "alternatives": [{"content": "he"}]},
            {"type": "word", "start_time": 0.3, "alternatives": [{"content": "left"}]},
            {"type": "punctuation", "start_time": 0.4, "alternatives": [{"content": "."}]}]},
        ["he left."],
    ),
    "google video": (
        {"annotationResults": [{"inputUri": "/a/b", "speechTranscriptions": [
            {"alternatives": [{"transcript": "he left", "words": [{"word": "he"}]}]}]}]},
        ["he left"],
    ),
    "google files": (
        {"results": {"gs://a/b.wav": {"uri": "a", "transcript": {"results": [
            {"alternatives": [{"transcript": "he left"}], "languageCode": "en-us"}]}}}},
        ["he left"],
    ),
    "aws call": (
        {"JobStatus": "DONE", "LanguageCode": "en-US", "Transcript": [
            {"Content": "he left", "ParticipantRole": "AGENT", "BeginOffsetMillis": 10,
             "EndOffsetMillis": 900, "Items": [{"Content": "he", "Type": "pronunciation"},
                                               {"Content": "left", "Type": "pronunciation"}]},
            {"Content": "she did", "ParticipantRole": "CALLER", "BeginOffsetMillis": 950}]},
        ["he left", "she did"],
    ),
    "aws live": (
        {"Transcript": {"Results": [{"ResultId": "a-b", "Alternatives": [
            {"Transcript": "he left", "Items": [{"Content": "he", "Type": "pronunciation"}]}]}]}},
        ["he left"],
    ),
    "watson": (
        [{"results": [{"alternatives": [
            {"transcript": "he left ", "timestamps": [["he", 0.1], ["left", 0.2], []]}]}]}],
        ["he left"],
    ),
    "watson job": (
        {"created": "2018-12-18T22:40:38Z", "id": "a", "results": [{"result_index": 0, "results": [
            {"alternatives": [{"transcript": "he left ", "timestamps": [["he", 0.1, 0.2]]}]}]}]},
        ["he left"],
    ),
    "broadcaster": (
        {"action": "transcribe", "retval": {"status": True, "punct": "he left.", "words": [
            {"word": "he", "punct": "he", "start": 0.1}, {"word": "left", "punct": "left."}]}},
        ["he left."],
    ),
    "meeting": (
        [{"speaker": "s", "words": words("text", "he left", start_timestamp=0.1)},
         {"speaker": "t", "words": words("text", "she did", start_timestamp=0.9)}],
        ["he left", "she did"],
    ),
    "speechmatics, old": (
        {"speakers": [], "words": words("name", "he left", time="0.1", duration="0.2")},
        ["he left"],
    ),
    "meeting in an object": (
        {"name": "a b", "transcript": [
            {"speaker": "s", "words": words("text", "he left", start_timestamp=0.1)}]},
        ["he left"],
    ),
    "gladia, whole": (
        {"status": "done", "result": {"metadata": {"x": 1}, "transcription": {
            "full_transcript": "he left", "utterances": [
                {"text": "he left", "start": 0.1, "words": words("word", "he left")}]}}},
        ["he left"],
    ),
    "autoEdit": (
        [{"speaker": name, "paragraph": [{"line": words("text", said, startTime=0.1)}]}
         for name, said in (("a", "he left"), ("b", "she did"))],
        ["he left", "she did"],
    ),
    "turns": (
        {"title": "a b", "transcript": [
            {"speaker": "s", "text": "he left", "start": "00:00:01"},
            {"speaker": "t", "text": "she did", "start": "00:00:02"}]},
        ["he left", "she did"],
    ),
    "whisper.cpp": (
        {"result": {"language": "en"}, "transcription": [{"text": " he left", "tokens": [
            {"text": " he"}, {"text": " l"}, {"text": "eft"}, {"text": "[_TT_9]"}]}]},
        ["he left"],
    ),
    "paragraphs": (
        {"transcript": "he left\n\nshe did\n", "words": [
            {"case": "success", "word": word, "start": 0.1} for word in ("he", "left", "she")]},
        ["he left", "she did"],
    ),
}  # fmt: skip
SPOKEN = {"he", "left", "left.", "l", "eft", "she", "did", "it", "again", ".", "left. she did"}


def strings(value, key=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from strings(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, key)
    elif isinstance(value, str):
        yield key, value


@pytest.mark.parametrize("name", CLOUD)
def test_results_of_recognisers(cased, lines_of, name):
    """What was said is cased wherever it stands, and nothing else is."""
    root, lines = CLOUD[name]
    data = json.dumps(root)
    assert seen(lines_of(data, format="transcript")) == lines
    if name != "watson":
        assert read_document(data.encode(), "file").kind.name == "transcript"
    out = json.loads(cased(data, format="transcript"))
    for (key, before), (_, after) in zip(strings(root), strings(out), strict=True):
        is_said = set(before.split()) <= SPOKEN and key not in ("jobName", "id")
        assert after == (before.upper() if is_said else before)


def test_blank_lines_part_texts_and_segments_do_not(lines_of):
    root = {"segments": [{"text": "he left", "end": 1}, {"text": "it\n\nshe did", "start": 1}]}
    assert seen(lines_of(json.dumps(root))) == ["he left it", "she did"]


def test_results_one_after_the_other(cased, lines_of):
    several = json.dumps(VOSK, indent=1) + '\n{"partial": ""}\n{"text": "she did"}'
    assert seen(lines_of(several)) == ["he left", "she did"]
    assert '"HE"' in cased(several) and "SHE" in cased(several)
    assert seen(lines_of(f"[{json.dumps(VOSK)}, {json.dumps(VOSK)}]")) == ["he left"] * 2
    assert cased('{"partial": "he"}\n{"text": "he"}\n', format="manifest").count("HE") == 1
    rows = (json.dumps(VOSK) + "\n") * 2
    assert read_document(rows.encode(), "file").kind.name == "manifest"
    assert cased(rows).count('"HE"') == 2


def test_manifest(cased, lines_of):
    data = (
        '{"audio_filepath": "a.wav", "duration": 1.0, "text": "he went"}\n'
        '{"audio_filepath": "b.wav", "duration": 1.0, "text": "home"}\r\n'
    )
    assert seen(lines_of(data)) == ["he went", "home"]
    assert cased(data) == data.replace("he went", "HE WENT").replace("home", "HOME")
    parts = data.replace("b.wav", "a.wav").replace('"duration"', '"offset": 1.0, "duration"')
    assert seen(lines_of(parts)) == ["he went home"]
    other = data.replace('"text"', '"pred_text"')
    assert cased(other, field="pred_text") == cased(data).replace('"text"', '"pred_text"')


CTM = """;; he
a 1 0.00 0.20 he 0.9
a 1 0.30 0.20 <unk> 0.9
a 1 0.60 0.20 left 0.9
a 1 5.00 0.20 she
a 1 * * <ALT_BEGIN>
a 1 5.20 0.20 ran
a 1 * * <ALT_END> 0.9
b 1 5.20 0.20 did
"""
STM = """;; label
a 1 ann 0.00 1.00 <o,f0,male> he went
a 1 ann 1.00 2.00 <o,f0,male> home <unk> again
a 1 bo 2.00 3.00 <o,f0,male> ignore_time_segment_in_scoring
a 1 bo 3.00 4.00 yes { so / it } is
"""


def test_columns(cased, lines_of):
    assert seen(lines_of(CTM, format="ctm")) == ["he left", "she ran", "did"]
    assert "* * <ALT_END> 0.9" in cased(CTM, format="ctm")
    assert "0.20 LEFT 0.9" in cased(CTM, format="ctm")
    assert cased(CTM, format="ctm").lower() == CTM.lower()
    assert seen(lines_of(STM, format="stm")) == ["he went home again", "yes so it is"]
    out = cased(STM, format="stm")
    assert out.lower() == STM
    assert "<o,f0,male> HE WENT\n" in out
    assert "ignore_time" in out
    kaldi = "utt-a  he left\nutt-b\nutt-c yes \n"
    assert seen(lines_of(kaldi, format="kaldi")) == ["he left", "yes"]
    assert cased(kaldi, format="kaldi") == "utt-a  HE LEFT\nutt-b\nutt-c YES \n"


KALDI = [
    ("data/train/text", "utt1 he left\nutt2 she did\n", True),
    ("TEXT.gz", "utt2 he left\n\nutt1\n", True),
    ("text", "utt1 he left\nutt1 she did\n", False),
    ("text", "this is a text\nhe left\n", False),
    ("text", "\n", False),
    ("context", "utt1 he left\nutt2 she did\n", False),
    ("hyp.txt", "ann-01 he left\nann-02 she did\nbo_3-ü1\n", False),
    ("hyp.txt", "ann-01 he left\nann-02 she did\nbo_3-u1\n", True),
    ("hyp.txt", "ann-02 he left\nann-01 she did\n", False),
    ("hyp.txt", "ann-02 he left\n", False),
    ("list.txt", "1. he left\n2. she did\n", False),
]


@pytest.mark.parametrize(("name", "text", "is_kaldi"), KALDI)
def test_kaldi_is_known_by_its_name_and_its_lines(name, text, is_kaldi):
    if is_kaldi:
        assert read_document(text.encode(), name).format == "Kaldi text"
    else:
        with pytest.raises(FormatError, match="give --format"):
            read_document(text.encode(), name)


@pytest.mark.parametrize(
    ("data", "format", "message"),
    [
        (b'{"a": 1}', "transcript", "line 1: expected a transcript"),
        (b'{"text":\n "a}', "transcript", "line 1: broken JSON: expected a value"),
        (b'{"text": "a"\n "b"}', "transcript", "line 2: broken JSON: expected a comma"),
        (b'{"text" "a"}', "transcript", "line 1: broken JSON: expected a colon"),
        (b'{"text": "a"}\n]', "transcript", "line 2: broken JSON: ] is not expected here"),
        (b'{"text": ["a"', "transcript", "line 1: broken JSON: the text ends too early"),
        (b"[" * 200, "transcript", "line 1: broken JSON: values are nested"),
        (b'{"text": "a"}\n{"a": "b"}', "manifest", "line 2: has no text in a field 'text'"),
        (b"a 1 2\n", "ctm", "line 1: expected at least 5 columns"),
        (b";;\na 1 x 1 b\n", "ctm", "line 2: expected seconds in columns 3 and 4"),
        (b"a 1 b c 1 d\n", "stm", "line 1: expected seconds in columns 4 and 5"),
    ],
)
def test_broken_files(data, format, message):
    with pytest.raises(FormatError) as error:
        read_document(data, "file", format)
    assert str(error.value).startswith("file: " + message)


def test_only_manifests_have_fields():
    with pytest.raises(FormatError, match="only manifests in JSON lines have a named field"):
        read_document(b'{"text": "a"}', "file", options=ReadOptions(field="b"))


TEXTS = st.lists(
    st.text(
        st.one_of(st.sampled_from('aß. ?"\\\n\t[](♪-:é'), st.characters(exclude_categories=["Cs"])),
        max_size=9,
    ),
    min_size=1,
    max_size=4,
)


def folded(value):
    if isinstance(value, str):
        return "".join(map(fold, value))
    if isinstance(value, list):
        return [folded(item) for item in value]
    return {k: folded(v) for k, v in value.items()} if isinstance(value, dict) else value


@examples(60)
@given(texts=TEXTS, ascii=st.booleans())
def test_any_text_keeps_all_but_case(texts, ascii):
    for data, format in (
        (whisper(*texts, ascii=ascii), "transcript"),
        (json.dumps({"text": texts[0]}, ensure_ascii=ascii), "manifest"),
    ):
        out = output(read(data.encode(), format), Upper()).decode()
        assert folded(json.loads(out)) == folded(json.loads(data))


WHOLE = [
    ("transcript", whisper("he went", "é home").encode()),
    ("manifest", b'{"audio_filepath": "a", "offset": 1, "text": "a b"}\n{"text": "\\u00e9"}\n'),
    ("ctm", CTM.encode()),
    ("stm", STM.encode()),
    ("kaldi", b"a b c\nd \xc3\xa9\n"),
    *(("transcript", json.dumps(root).encode()) for root, _ in CLOUD.values()),
]


@pytest.mark.parametrize(("format", "data"), WHOLE)
@examples(60)
@given(edits=EDITS)
def test_damaged_files_are_read_or_refused(format, data, edits):
    check_read_or_refused(damaged(data, edits), format)


def test_a_cased_transcript_has_small_letters_in_brackets(lines_of):
    data = json.dumps({"segments": [
        {"text": "The egg[s] of Ann.", "start": 0, "end": 1},
        {"text": "[music]", "start": 4, "end": 5}, {"text": "[Ham]", "start": 8, "end": 9},
    ]})  # fmt: skip
    assert lines_of(data) == ["The egg[s] of Ann. ", "Ham"]
