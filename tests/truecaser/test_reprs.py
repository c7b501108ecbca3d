"""What objects show of themselves: what they are, in one line."""

import pickle
import re

import pytest

from truecase import CaseBridge, SentenceCaser, Truecaser
from truecase.alignment.lines import Phrases
from truecase.errors import ModelError, TruecaseError, WrongTypeError
from truecase.integrations import TrueCaser
from truecase.rules.moses import MosesModel, MosesTruecaser

MODEL = r"<Model: lexicon \+ lm( \+ \w+)*, [\d,]+ bytes(, language \w+)?>"


def pushed(session, text):
    session.push(text)
    return session


def test_reprs(model_file):
    model = Truecaser.load(model_file)
    moses = MosesModel([(3.0, [(b"the", 2.0), (b"The", 1.0)])])
    for thing, pattern in (
        (model.model, MODEL),
        (model, f"<Truecaser: style sentence, {MODEL}>"),
        (CaseBridge(model), f"<CaseBridge: <Truecaser: style sentence, {MODEL}>>"),
        (CaseBridge(), "<CaseBridge: the embedded English model>"),
        (SentenceCaser(model), f"<SentenceCaser: capital after a colon, <Truecaser: .*{MODEL}>>"),
        (pushed(model.session(), "the bridge"), "<Session: pending 'The bridge'>"),
        (TrueCaser(model_file), f"<TrueCaser: <Truecaser: style sentence, {MODEL}>>"),
        (model.model.lexicon, r"<Lexicon: .*, [\d,]+ bytes>"),
        (moses, "<MosesModel: 1 words, 2 forms>"),
        (MosesTruecaser(moses), "<MosesTruecaser: <MosesModel: .*>>"),
        (Phrases.from_lines([[[0], []]]), "<Phrases: 1 lines, 2 words, 1 links>"),
        (model.explain("the bridge"), "<Explanation: 'the bridge' to 'The bridge', preset ngram>"),
        (
            model.evaluate(["The bridge"]),
            r"<Evaluation: 2 words, token accuracy [\d.]+ %, F1 [\d.]+ %>",
        ),
    ):
        assert re.fullmatch(pattern, repr(thing)), repr(thing)


@pytest.mark.parametrize("kind", [TruecaseError, ModelError, WrongTypeError])
@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("plain: ΟΔΟΣ 'ß' \\ \"中\"", "plain: ΟΔΟΣ 'ß' \\ \"中\""),
        ("a name\nof two lines", "a name\\nof two lines"),
        ("\x1b[2Jcleared\x9b\r", "\\x1b[2Jcleared\\x9b\\r"),
        ("\u2028 \u202e \udc80", "\\u2028 \\u202e \\udc80"),
    ],
)
def test_an_error_that_quotes_a_file_is_one_line(kind, message, shown):
    error = kind(message)
    assert str(error) == shown
    assert str(pickle.loads(pickle.dumps(error))) == shown
