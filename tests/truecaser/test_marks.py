"""Marks between words: the plain twin, and what must not change."""

import itertools
import pickle
import re
import threading
import unicodedata

import numpy as np
import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from mark_models import punctuating, random_marks, random_pairs, random_words
from reference import marks as plain

from truecase import Truecaser
from truecase.errors import ModelError, WrongTypeError
from truecase.kernels._punctuation_network import Marks, read_words
from truecase.kernels._punctuation_stream import MarkStream, lay_out
from truecase.truecaser.punctuation import Punctuation

SIGNS = {",": 1, ".": 2, "?": 3, "!": 2}
WORDS = "so how are you today i am fine thanks dr smith u.s 12 3.5 don't été ok well maybe".split()
TEXTS = st.lists(
    st.one_of(
        st.sampled_from(WORDS),
        st.sampled_from(
            ["yes,", "no.", "really?", "mr.", "wow!", "-", "&", "...", "“quoted”", "a…"]
        ),
        st.text(min_size=1, max_size=5).filter(lambda word: not re.search(r"\s", word)),
    ),
    max_size=60,
)
SPACES = st.sampled_from([" ", "  ", "\n", "\r\n", "\t", "\u3000", "\n\n", " \n \n"])


@st.composite
def texts(draw):
    words = draw(TEXTS)
    return draw(st.sampled_from(["", " ", "\n"])) + "".join(word + draw(SPACES) for word in words)


@pytest.fixture(scope="module")
def small(model_file):
    return Truecaser.load(model_file)


@examples(30)
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=8),
    seed=st.integers(0, 50),
    n_units=st.sampled_from([16, 48]),
    scale=st.sampled_from([0.1, 1.0]),
    openings=st.sampled_from(["", "¿", "¿¡"]),
    n_rows=st.sampled_from([0, 4, 8, 40]),
)
def test_probabilities_are_the_twins(words, seed, n_units, scale, openings, n_rows):
    text = " ".join(words).encode()
    keys, endings, labels, _, _ = read_words(text, SIGNS)
    rows = random_words(seed, keys, n_rows), random_pairs(seed, keys, n_rows)
    marks = random_marks(seed, n_units, scale, (",", ".", "?", "!"), openings, *rows, alike={})
    ends = [end * 20 >> 32 for end in endings.tolist()]
    read = list(zip(keys.tolist(), ends, labels.tolist(), strict=True))
    wanted = plain.probabilities(marks, read)
    stream = MarkStream(marks, probabilities=True)
    stream.feed(text)
    stream.finish()
    assert np.allclose(stream.take_probabilities(), wanted, rtol=1e-4, atol=1e-5)
    first = stream.take_sentences().decode()[0]
    assert first == ("", *openings)[plain.first_opening(marks, read)] or first == words[0][0]
    assert (first in openings) == (openings != "" and plain.first_opening(marks, read) > 0)


def test_words_before_do_not_count_in_another_text():
    """Of more words than sums are kept for, some take the place of others."""
    marks = random_marks(3, scale=0.3, n_units=32)
    words = [f"{i // 676 * 'x'}{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}" for i in range(10_000)]
    came = []
    for before in (0, 9000):
        stream = MarkStream(marks, probabilities=True)
        stream.feed(" ".join([*words[:before], "\n\n", *words[9000:]]).encode())
        stream.finish()
        came.append(stream.take_probabilities()[-1000:])
    assert np.array_equal(*came)


def test_the_ending_of_a_word_of_many_signs_is_its_own():
    # Its last letters come when no more bytes are hashed.
    word = "t" + 100 * "\N{COPYRIGHT SIGN}" + "ook"
    alone, behind = (read_words(text.encode(), SIGNS)[1] for text in (word, "abcdefghi " + word))
    assert alone[-1] == behind[-1]


RULES = {
    "one_word": 1.5, "again": 0.8, "echo": 1.0, "asks": 2.0,
    "joins": "und", "open": "der und", "echoes": "auch", "auxiliary": "bin auch",
    "question": 1.5, "tail": 1.1,
    "questions": "haus der", "subjects": "ich und", "clause": 1.4, "clauses": "ich haus",
    "starts": "haus auch", "inside": 0.25, "place": 1.3, "tag": 1.6, "digits": 1.2,
    "asking": "bin haus und", "tags": "ich der", "denies": "auch haus", "says": "bin auch",
    "numbers": "haus der", "years": "der", "speech": "ich bin", "speech_share": 0.375,
    "speech_start": 0.0078125,
    "gains": """before , -0.75 und bin
before . 0.5 haus und
behind ? 0.75 bin""",
    "gains_in_speech": """before , 1.25 und ich
behind . -0.5 und haus""",
}  # fmt: skip


@examples(60)
@given(
    words=st.lists(st.sampled_from("und der auch bin haus ich".split()), min_size=1, max_size=12),
    seed=st.integers(0, 50),
    scale=st.sampled_from([0.1, 0.3, 1.0]),
    amounts=st.sampled_from([0.1, 1.0]),
    marks=st.sampled_from([",.?", ".,!?", ",", "?."]),
)
def test_the_best_marks_are_the_twins(words, seed, scale, amounts, marks):
    component = random_marks(seed, scale=scale, marks=tuple(marks), alike={})
    keys, endings, labels, _, _ = read_words(" ".join(words).encode(), SIGNS)
    ends = [end * 20 >> 32 for end in endings.tolist()]
    scores = plain.gap_scores(component, list(zip(keys.tolist(), ends, labels, strict=True)))[1:]
    rules = {a: b if isinstance(b, str) else amounts * b for a, b in RULES.items()}
    lists = {a: b.split() for a, b in rules.items() if isinstance(b, str)}
    kinds = [{name for name, those in lists.items() if word in those} for word in words]
    wanted = plain.best_labels(component, scores, words, kinds, rules)
    stream = MarkStream(component, rules=rules)
    stream.feed(" ".join(words).encode())
    stream.finish()
    came = stream.take_words().decode().split()
    assert came == [word + ("", *marks)[n] for word, n in zip(words, wanted, strict=True)]


PARTS = ["'m", "n't", "\N{RIGHT SINGLE QUOTATION MARK}s"]
NO_HEADS = ["yes,", "-", "a" * 65]


def joined_parts(words):
    """Words with the part behind them, if there is one: lists of one or two."""
    joined = []
    for word in words:
        is_part = word.lower() in PARTS and joined and len(joined[-1]) == 1
        if is_part and joined[-1][0] not in NO_HEADS:
            joined[-1].append(word)
        else:
            joined.append([word])
    return joined


@examples(100)
@given(
    words=st.lists(st.sampled_from([*WORDS, *PARTS, "'M", "'mm", "n'", *NO_HEADS]), max_size=40),
    seed=st.integers(0, 50),
    latency=st.sampled_from([None, 0, 3]),
    cuts=st.lists(st.integers(0, 300), max_size=8),
)
def test_a_part_of_a_word_is_read_with_it(words, seed, latency, cuts):
    marks = random_marks(seed, scale=0.3, alike={})
    joined = joined_parts(words)
    pauses = np.random.default_rng(seed).random(len(joined)).astype(np.float32)
    twin = MarkStream(marks, latency=latency, probabilities=True, rules=RULES)
    twin.feed(" ".join(map("".join, joined)).encode(), pauses)
    twin.finish()
    stream = MarkStream(
        marks, latency=latency, probabilities=True, rules={**RULES, "parts": " ".join(PARTS)}
    )
    text = " ".join(words).encode()
    # What is said of the gap in front of a part does not count.
    pairs = zip(pauses.tolist(), joined, strict=True)
    stream.feed(text, np.array([x for pause, one in pairs for x in (9, pause)[-len(one) :]], "f"))
    stream.finish()
    wanted = [
        " ".join(one) + came[len("".join(one)) :]
        for came, one in zip(twin.take_words().decode().split(), joined, strict=True)
    ]
    assert stream.take_words().decode().split() == " ".join(wanted).split()
    ends = np.cumsum([len(one) for one in joined], dtype=int) - 1
    told = stream.take_probabilities()
    assert np.array_equal(told[ends], twin.take_probabilities())
    assert (np.delete(told, ends, 0) == [1, 0, 0, 0]).all()
    # No more white space than there was, and the same words in pieces.
    whole, in_pieces = (
        MarkStream(marks, latency=latency, rules={**RULES, "parts": " ".join(PARTS)})
        for _ in range(2)
    )
    whole.feed(text)
    bounds = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    for a, b in zip(bounds, bounds[1:], strict=False):
        in_pieces.feed(text[a:b])
    came = []
    for one in (whole, in_pieces):
        one.finish()
        came.append(lay_out(one.take_words(), one.take_spaces()))
    assert came[0] == came[1]
    assert re.sub(rb"[,.?]+", b"", came[0]) == re.sub(rb"[,.?]+", b"", text)


@examples(20)
@given(seed=st.integers(0, 50), gap=st.sampled_from(["  ", "\t", "\n", "\r\n", "\u3000"]))
def test_behind_other_white_space_a_part_is_a_word(seed, gap):
    marks = random_marks(seed, scale=0.3, alike={})
    came = []
    for rules in (RULES, {**RULES, "parts": " ".join(PARTS)}):
        stream = MarkStream(marks, rules=rules)
        stream.feed(gap.join(["i", "'m", "fine", "do", "n't"]).encode())
        stream.finish()
        came.append(stream.take_words())
    assert came[0] == came[1]


SPOKEN = [
    # One word is a sentence only if that is sure.
    ("hello this is martha i have a question about my bill",
     "Hello, this is Martha. I have a question about my bill."),
    ("thanks i will call back", "Thanks, I will call back."),
    # A question is not cut before its last word.
    ("how else can we help you", "How else can we help you?"),
    ("what do they need the van for", "What do they need the van for?"),
    # Echoes ask nothing, and belong to what they echo.
    ("my aunt sings and so do her daughters", "My aunt sings, and so do her daughters."),
    ("he was late and so were we", "He was late, and so were we."),
    ("they left early so did we", "They left early. So did we."),
    ("so are you ready", "So are you ready?"),
    ("he won't sing and nor will she", "He won't sing, and nor will she."),
    # What begins like a question is one, where a text begins.
    ("did they pay you for the work you did in june",
     "Did they pay you for the work you did in June?"),
    ("and what is your expected arrival time", "And what is your expected arrival time?"),
    ("was the food good", "Was the food good?"),
    ("are eggs good for you", "Are eggs good for you?"),
    ("which bus goes to the airport", "Which bus goes to the airport?"),
    ("how lovely to see you again", "How lovely to see you again."),
    ("which is why we left early", "Which is why we left early."),
    ("had i known i would have called", "Had I known, I would have called."),
    # A subordinate clause is no sentence.
    ("because it was late we took a taxi", "Because it was late, we took a taxi."),
    ("where i live it snows a lot", "Where I live, it snows a lot."),
    ("where there is smoke there is fire", "Where there is smoke, there is fire."),
    ("while you were out your sister called", "While you were out your sister called."),
    ("she said i am not coming", "She said, I am not coming."),
    # Nor are the last words of a text.
    ("call me at nine on tuesday", "Call me at nine on Tuesday."),
    ("he went to paris and london last year", "He went to Paris and London last year."),
    ("the meeting is at ten please be on time", "The meeting is at ten. Please be on time."),
    ("they have a dog so do we", "They have a dog. So do we."),
    # A tag belongs to the sentence before it.
    ("you locked the door didn't you", "You locked the door, didn't you?"),
    ("turn the music down will you", "Turn the music down, will you?"),
    ("they weren't invited were they", "They weren't invited, were they?"),
    ("she can drive can't she", "She can drive, can't she?"),
    ("there isn't any milk is there", "There isn't any milk, is there?"),
    ("nobody called did they", "Nobody called, did they?"),
    ("why don't they", "Why don't they?"),
    ("i can't do it", "I can't do it."),
    # Numbers side by side are a time, not a list, but for dates.
    ("the train leaves at 5 30 pm", "The train leaves at 5 30 pm."),
    ("on may 5 2019 we opened the second shop", "On May 5, 2019, we opened the second shop."),
    ("have a nice day", "Have a nice day."),
    ("do your homework before dinner", "Do your homework before dinner."),
    ("i was late because the bus was full and slow",
     "I was late because the bus was full and slow."),
    # Text that is split into tokens.
    ("do n't worry i 'm sure they 'll wait", "Do n't worry. I 'm sure they 'll wait."),
    # A cause needs no comma.
    ("he smiled because we won", "He smiled because we won."),
    # In text that reads as speech, "and" rather begins a sentence.
    ("i think we know that you're tired and i know that we were late so what we did is we took the "
     "long road home and then we stopped at the farm because it's quiet and i said you know what "
     "let's stay",
     "I think we know that you're tired. And I know that we were late. So what we did is we took "
     "the long road home, and then we stopped at the farm because it's quiet. And I said, you "
     "know what, let's stay."),
    # What cannot end ends nothing.
    ("nobody came because", "Nobody came because"),
    ("he drove to the", "He drove to the"),
    ("i am here and", "I am here and"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), SPOKEN)
def test_rules_of_english(text, wanted):
    truecaser = Truecaser.load()
    assert truecaser.punctuate(text) == wanted
    assert truecaser.punctuate(text.upper()) == wanted
    session = truecaser.session(50, punctuate=True)
    assert session.push(text) + session.close() == wanted


@examples(100)
@given(text=texts(), seed=st.integers(0, 5), lines=st.sampled_from(["keep", "sentences"]))
def test_nothing_but_marks_and_case_changes(small, text, seed, lines):
    truecaser = punctuating(small, seed)
    came = truecaser.punctuate(text, lines=lines)
    given_words, words = (list(filter(None, split(one))) for one in (text, came))
    assert len(words) == len(given_words)
    for word, before in zip(words, given_words, strict=True):
        assert word.lower() == before.lower() or word[:-1].lower() == before.lower(), (word, before)
        assert len(word) <= len(before) or word[-1] in ",.?"
    if lines == "keep":
        assert spaces(came) == spaces(text)


SECONDS = [0.0, 0.1, 0.25, 0.4, 0.65, 1.0, 1.6, 2.5]
NATS = {
    ",": [-0.9, -0.3, 0.5, 0.8, 1.8, 1.8, 1.2, 1.0],
    ".": [-2.1, -0.6, 0.3, 0.9, 1.8, 2.3, 2.6, 2.9],
}


@examples(50)
@given(
    pauses=st.lists(st.floats(-1, 4, width=32) | st.just(float("nan")), min_size=1, max_size=40),
    seed=st.integers(0, 20),
    openings=st.sampled_from(["", "¿"]),
)
def test_pauses_move_marks_by_what_they_say(pauses, seed, openings):
    marks = random_marks(seed, scale=0.2, openings=openings)
    text = " ".join(WORDS[n % 15] for n in range(len(pauses))).encode()
    plain_stream = MarkStream(marks, probabilities=True)
    plain_stream.feed(text)
    plain_stream.finish()
    stream = MarkStream(marks, probabilities=True)
    stream.feed(text, np.array(pauses, np.float32))
    stream.finish()
    wanted = plain_stream.take_probabilities().astype(float)
    for row, pause in zip(wanted, pauses, strict=True):
        if pause >= 0:
            for label, (mark, _) in enumerate(marks.pairs):
                if mark:
                    row[label] *= np.exp(
                        np.interp(pause, SECONDS, NATS["," if mark == "," else "."])
                    )
    wanted /= wanted.sum(1, keepdims=True)
    assert np.allclose(stream.take_probabilities(), wanted, rtol=1e-3, atol=1e-5)


def test_pauses_of_words_that_come_in_pieces(small):
    truecaser = punctuating(small, 3, scale=0.3)
    words = WORDS * 40
    pauses = np.random.default_rng(1).random(len(words)).astype(np.float32)
    wanted = truecaser.missing_marks([" ".join(words)], pauses=[pauses.tolist()])
    stream = MarkStream(truecaser.model.marks)
    for at in range(0, len(words), 7):
        stream.feed(f"{' '.join(words[at : at + 7])} ".encode(), pauses[at : at + 7].copy())
    stream.finish()
    came = stream.take_words().decode().split()
    assert [one[len(word) :] for one, word in zip(came, words, strict=True)] == [
        behind for _, behind in wanted[0]
    ]
    assert wanted != truecaser.missing_marks([" ".join(words)])
    with pytest.raises(ValueError, match="expected one for each word"):
        truecaser.missing_marks(["a b"], pauses=[[1.0]])


OPENING = {"marks": (",", ".", "?", "!"), "openings": ("¿", "¡")}


@examples(100)
@given(text=texts(), seed=st.integers(0, 5), latency=st.sampled_from([None, 0, 1, 5]))
@example(text="\u0300 ", seed=0, latency=None)
def test_marks_in_front_of_words(small, text, seed, latency):
    """They are put once, not in front of signs, and change nothing else."""
    truecaser = punctuating(small, seed, **OPENING)
    stream = Punctuation(truecaser, latency=latency)
    came = b"".join(stream.cased([text.encode()])).decode()
    for word, before in zip(*(list(filter(None, split(one))) for one in (came, text)), strict=True):
        assert re.fullmatch(rf"[¿¡]?{re.escape(before.lower())}[,.?!]?", word.lower()), before
        # An accent without its letter is no sign, nor is a soft hyphen.
        is_word = any(c == "_" or unicodedata.category(c)[0] not in "PS" for c in word)
        assert word[0] not in "¿¡" or word == before or is_word
    assert spaces(came) == spaces(text)


@examples(40)
@given(seed=st.integers(0, 8), sign=st.sampled_from("¿¡"))
def test_marks_in_front_of_words_stay(small, seed, sign):
    truecaser = punctuating(small, seed, **OPENING)
    came = truecaser.punctuate(f"so {sign}how are you? fine {sign}thanks {sign} well").lower()
    assert came.count(f"{sign}how") == came.count(f"{sign}thanks") == 1
    assert not re.search(r"[¿¡]{2}", came)
    assert f" {sign} " in came


def test_only_marks_in_front_that_are_asked_for(small):
    for seed in range(8):
        truecaser = punctuating(small, seed, **OPENING)
        came = truecaser.punctuate(" ".join(WORDS * 3), marks=".?¿")
        assert not set("¡!,") & set(came)
    with pytest.raises(ModelError, match=r"its marks are , \. \? ! ¿ ¡"):
        truecaser.punctuate("a", marks=";")


def test_too_many_marks():
    with pytest.raises(ModelError, match="7 behind words and 2 in front of them are too many"):
        random_marks(1, marks=tuple(",.?!;:-"), openings="¿¡")
    with pytest.raises(ModelError, match=r"'\?', which stands behind words"):
        random_marks(1, openings="?")


def split(text):
    """Words as the kernel has them: Python's own white space has four characters more."""
    return re.split(
        r"[ \t\n\v\f\r\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+", text
    )


def spaces(text):
    return re.findall(
        r"[ \t\n\v\f\r\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+", text
    )


@examples(60)
@given(
    n=st.integers(0, 900),
    seed=st.integers(0, 5),
    cuts=st.lists(st.integers(0, 5000), max_size=12),
    latency=st.sampled_from([None, 0, 1, 5]),
    threads=st.sampled_from([1, 2, 3]),
)
def test_pieces_and_threads_do_not_count(small, n, seed, cuts, latency, threads):
    truecaser = punctuating(small, seed, scale=0.3)
    draw = np.random.default_rng(n)
    text = " ".join(np.array([*WORDS, "été\n\n", "fin.\u3000"])[draw.integers(0, 19, n)]).encode()
    stream = Punctuation(truecaser, latency=latency)
    whole = b"".join(stream.cased([text]))
    bounds = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    stream = Punctuation(truecaser, latency=latency)
    parts = [text[a:b] for a, b in zip(bounds, bounds[1:], strict=False)]
    assert b"".join(stream.cased(parts, threads)) == whole
    if latency is None:
        assert truecaser.punctuate_block(text, threads=threads) == whole


@pytest.mark.parametrize("latency", [None, 2])
@pytest.mark.parametrize("filling", [b"a", b" ", "\u3000".encode(), b"\xe3"])
def test_nothing_is_read_twice_for_want_of_an_end(small, filling, latency):
    # Without a mark of how far it was searched, this takes some minutes.
    truecaser = punctuating(small)
    text = b"so how are" + filling * (8_000_000 // len(filling)) + b"you today"
    stream = Punctuation(truecaser, latency=latency)
    out = b"".join(stream.cased([text]))
    assert re.sub(rb"[,.?!]", b"", out.lower()) == text


def test_a_long_word_in_a_session(small):
    session = punctuating(small).session(punctuate=True)
    given = "so how are " + "a" * 2_000_000 + " you today"
    out = "".join(session.push(given[i : i + 1000]) for i in range(0, 2_001_000, 1000))
    assert re.sub(r"[,.?!]", "", (out + session.close()).lower()) == given


def test_bytes_that_are_no_text_pass(small):
    truecaser = punctuating(small)
    block = b"a \xff\xfe b\0c \xe2\x82 d\n\xf0\x9f"
    came = truecaser.punctuate_block(block)
    assert re.sub(rb"[,.?]", b"", came).lower() == block


def test_marks_that_are_there_stay(small):
    for seed in range(8):
        truecaser = punctuating(small, seed)
        came = truecaser.punctuate("well, i see. do you? no! a - b so ... fine")
        for there in ("well,", "see.", "you?", "no!"):
            assert there in came.lower().split(), came
        assert re.search(r"\ba - b", came.lower()), came


def test_a_text_ends_with_a_mark_that_ends_sentences(small):
    for seed in range(8):
        came = punctuating(small, seed).punctuate("how are you\n\nfine\n")
        first, second = came.rstrip("\n").split("\n\n")
        assert first[-1] in ".?"
        assert second[-1] in ".?"


def test_only_marks_that_are_asked_for(small):
    for seed in range(8):
        truecaser = punctuating(small, seed)
        assert "," not in truecaser.punctuate(" ".join(WORDS * 3), marks=".?")
        assert not re.search(r"[.?](?!\w)", truecaser.punctuate(" ".join(WORDS[:8]), marks=","))
    with pytest.raises(ModelError, match=r"the model puts no ';': its marks are , \. \?"):
        truecaser.punctuate("a", marks=";")


def test_sentences_are_cased_as_lines(small):
    truecaser = punctuating(small, 3)
    came = truecaser.punctuate(" ".join(WORDS * 5), lines="sentences")
    lines = came.splitlines()
    assert len(lines) > 1
    assert small.case_block(came.encode()).decode() == came
    assert truecaser.punctuate(" ".join(WORDS * 5)).split() == came.split()


def test_a_long_stream_takes_no_memory(small):
    stream = Punctuation(punctuating(small, 2))
    most = 0
    for _ in stream.cased(itertools.repeat(b"so how are you today " * 100, 200)):
        most = max(most, len(stream._stream.pending))
    assert most < 20_000


@examples(60)
@given(
    n=st.integers(0, 80),
    seed=st.integers(0, 5),
    cuts=st.lists(st.integers(0, 500), max_size=12),
    latency=st.integers(0, 5),
)
def test_a_session_gives_the_words_as_they_come(small, n, seed, cuts, latency):
    truecaser = punctuating(small, seed, scale=0.3)
    draw = np.random.default_rng(n)
    text = " ".join(np.array([*WORDS, "été\n\n", "fin.\u3000"])[draw.integers(0, 19, n)])
    bounds = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    session = truecaser.session(latency, punctuate=True)
    out = []
    for a, b in zip(bounds, bounds[1:], strict=False):
        out.append(session.push(text[a:b]))
        came = "".join(out).split() + session.pending.split()
        assert len(came) == len(text[:b].split())
    out.append(session.close())
    came = "".join(out)
    assert spaces(came) == spaces(text)
    # Marks are those of the stream, and of final words no more is heard.
    whole = truecaser.session(latency, punctuate=True)
    marks = re.sub(r"[^,.?\s]", "", came)
    assert re.sub(r"[^,.?\s]", "", whole.push(text) + whole.close()) == marks
    assert [w.lower() for w in came.split()] == [
        w.lower() for w in (whole.push(text) + whole.close()).split()
    ]


def test_sessions_with_wrong_arguments(small):
    with pytest.raises(ValueError, match="only with punctuate=True"):
        small.session(marks=".")
    with pytest.raises(ModelError, match="cannot punctuate"):
        small.session(punctuate=True)
    with pytest.raises(ValueError, match="latency -1"):
        punctuating(small).session(-1, punctuate=True)


def test_models_without_marks_say_which_has_them(small):
    with pytest.raises(ModelError, match="use the embedded model `en`"):
        small.punctuate("a b")


def test_wrong_arguments(small):
    truecaser = punctuating(small)
    with pytest.raises(ValueError, match="lines 'x': expected 'keep' or 'sentences'"):
        truecaser.punctuate("a", lines="x")
    with pytest.raises(ValueError, match="input_case 'x'"):
        truecaser.punctuate("a", input_case="x")
    with pytest.raises(ValueError, match="latency -1"):
        Punctuation(truecaser, latency=-1)
    with pytest.raises(WrongTypeError, match="text: expected a str, found bytes"):
        truecaser.punctuate(b"a")
    with pytest.raises(ValueError, match="more or fewer words than were taken"):
        lay_out(b"a b", b"\0 \0")
    with pytest.raises(ValueError, match="more or fewer words than were taken"):
        lay_out(b"a", b"\0 \0\0")


def test_probabilities_are_told(small):
    told = punctuating(small, 1).mark_probabilities("so, how are you")
    assert [word for word, _ in told] == ["so,", "how", "are", "you"]
    assert told[0][1] == {"": 0.0, ",": 1.0, ".": 0.0, "?": 0.0}
    for _, of_marks in told:
        assert sum(of_marks.values()) == pytest.approx(1, abs=1e-5)


def test_saved_and_pickled(small, tmp_path):
    truecaser = punctuating(small, 4)
    text = " ".join(WORDS * 4)
    truecaser.save(tmp_path / "m.truecase")
    for other in (Truecaser.load(tmp_path / "m.truecase"), pickle.loads(pickle.dumps(truecaser))):
        assert other.punctuate(text) == truecaser.punctuate(text)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_units": 24}, "expected a multiple of 16"),
        ({"marks": []}, "expected 1 to 7"),
        ({"marks": ["a"]}, "'a' is no mark of one character"),
        ({"marks": ["", ".", "?"]}, "'' is no mark"),
        ({"ends": ["!"]}, "marks.ends names a mark that marks.marks has not"),
        ({"alike": {"!": ";"}}, "for no mark of the model"),
        ({"alike": 3}, "does not say what signs stand for"),
        ({"alike": {chr(0x2600 + k): "." for k in range(40)}}, "too many signs"),
        ({"n_words": 52}, "words has 0 entries"),
        ({"turkic": 2}, "outside 0"),
    ],
)
def test_settings_are_checked(settings, message):
    with pytest.raises(ModelError, match=message):
        random_marks(1, **settings)


def test_arrays_are_checked():
    marks = random_marks(1)
    for name in marks.arrays:
        arrays = dict(marks.arrays)
        del arrays[name]
        with pytest.raises(ModelError, match=f"marks/{name} is missing"):
            Marks(arrays, marks.settings)


def test_one_thread_at_a_time():
    stream = MarkStream(random_marks(1))
    text = b"so how are you " * 20_000
    refused = []

    def feed():
        try:
            stream.feed(text)
        except RuntimeError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=feed) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stream.finish()
    n_fed = 4 - len(refused)
    assert len(stream.take_words().split()) == 80_000 * n_fed
    assert set(refused) <= {"this stream of words is at work in another thread"}
