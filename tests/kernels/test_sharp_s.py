"""The German ß of words in capitals: by the lexicon, not by case."""

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from recipes import estimated
from reference import sharp_s as twin

from truecase import restore_sharp_s
from truecase.errors import ModelError, WrongTypeError
from truecase.truecaser import Truecaser

TEXT = (
    "Die Straße ist nass und groß . Der Fluss fließt durch Gießen , dass es Spaß macht .\n"
    "Die Masse isst Nüsse . Er weiß es . Die Maße stimmen , die Masse nicht . Fußball !\n"
    "Das Schloss schließt . Strasse ist Schweizer Deutsch . Die Straße , der Fuß , das Maß .\n"
) * 5
WORDS = (
    "STRASSE NASS FLUSS FLIESST GIESSEN DASS SPASS MASSE MASSEN WEISS FUSSBALL SCHLOSSSTRASSE "
    "FLUSSSTRASSE FUSSBALLPLATZ HAUPTSTRASSE SS USS SSS ASSESSSSS SCHLIESST Strasse strasse "
    "GROSSSTRASSENFLUSS NÜSSE GROSS-STRASSE MASSSTAB HTTP://STRASSE.DE"
).split()
LINES = st.lists(
    st.one_of(st.sampled_from(WORDS), st.text("SEITRAFÜ-", max_size=8)), max_size=8
).map(" ".join)


@pytest.fixture(scope="module")
def german():
    return estimated(TEXT.encode(), language="de", min_count=1)


@given(LINES)
@example("FLUSSSTRASSE GROSSSTRASSENFLUSS SPASSS")
@examples(400)
def test_words_are_those_of_the_twin(german, line):
    words = line.split(" ")
    given_back = restore_sharp_s(line, german).split(" ")
    assert len(given_back) == len(words)
    for word, found in zip(words, given_back, strict=True):
        if word.isalpha() and word.isupper():
            assert found == twin.restored(german.training_count, word)
        elif "-" not in word:
            assert found == word
        assert found.replace("ẞ", "SS") == word


@pytest.mark.parametrize(
    ("line", "cased"),
    [
        ("DIE STRASSE IST NASS .", "Die Straße ist nass ."),
        ("DER FLUSS FLIESST DURCH GIESSEN .", "Der Fluss fließt durch Gießen ."),
        ("DIE MASSE ISST NÜSSE .", "Die Masse isst Nüsse ."),
        ("DIE STRAẞE IST GROSS .", "Die Straße ist groß ."),
        ("die strasse ist nass .", "Die Strasse ist nass ."),
        ("Die Strasse ist nass .", "Die Strasse ist nass ."),
    ],
)
def test_what_comes_of_it(german, line, cased):
    assert german(restore_sharp_s(line, german)) == cased
    given = line.encode("latin-1", "ignore")
    if given.decode("latin-1") == line:
        back = restore_sharp_s(line.encode("utf-16"), german).decode("utf-16")
        assert back == restore_sharp_s(line, german)


def test_casing_alone_changes_no_letter(german):
    assert german("DIE STRASSE IST NASS .") == "Die Strasse ist nass ."
    assert german("STRAẞE", style="upper") == "STRAẞE"
    assert german("straße", style="upper") == "STRAßE"


def test_compounds_have_what_their_parts_have(german):
    assert restore_sharp_s("HAUPTSTRASSE FUSSBALLPLATZ", german) == "HAUPTSTRAẞE FUẞBALLPLATZ"


def test_lines_stay(german):
    for text in ("", "\n", "SPASS\r\n\r\nFUSSBALL", "SPASS\n" * 3):
        assert restore_sharp_s(text, german) == text.replace("SPASS", "SPAẞ").replace("FUSS", "FUẞ")


def test_other_languages_have_none(german):
    for language in ("de-CH", "en", ""):
        model = german.model.replace(text=german.model.text.replace(language=language))
        with pytest.raises(ModelError, match="ß is restored by models of German"):
            restore_sharp_s("STRASSE", Truecaser(model))
    with pytest.raises(WrongTypeError, match="text: expected a str or bytes"):
        restore_sharp_s(5, german)
