"""Phrases, GEN (iii) and the columns of the source against their plain twins."""

import numpy as np
import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from parts import compiled
from reference import source as twin
from reference.segment import CANONICAL
from small_model import training_text
from small_tables import MENU, described, smooth_quietly, word_counts
from truecase_testing import KINDS, kind_of_line, look_at_source, table_features

from truecase import Truecaser
from truecase.alignment.lines import Phrases
from truecase.base.model_file import read_weights
from truecase.kernels import text as lists
from truecase.kernels._components import TranslationTables
from truecase.kernels.schema import SOURCE_COLUMNS, columns
from truecase.training.dense import source_features, weights_of
from truecase.training.translation_tables import pack_tables

TRANSLATIONS = ("translation", "tag_translation")

WORDS = sorted(set(training_text(40).split()))
WORDS += [
    "Cliquez", "cliquez", "CLIQUEZ", "OK", "ok", "/HOME/DOC.", "/home/doc", "A", "a", "D'", "d'",
    "d'Ivanov", "D'IVANOV", "(", "«", ",", "...", "3", "3D", "Mary-Ahmed", "mary-ahmed", "iphone",
    "IPHONE", "Iphone", "max_size", "MAX_SIZE", "qxv", "Qxv", "QXV", "qXv", "qxV", "QXv", "日本",
    "与NBA签署了协议", "日本のNATO加盟", "iPhone用户", "עם-NBA", "2ºNBA", "Hawaiʻi",
    "x中Y中Z.com", "ไทยBBC",
    "und", "Die", "das", "im", "Größe", "Мария", "Ελλάδα", "naïve", "the", "Hotel",
    "Ǆ", "ǅ", "ﬁn", "É", "é", "ß", "http://X.y/Z", "http://x.y/z", "\u00a0x", "\x0b",
]  # fmt: skip
SIDES = st.lists(
    st.sampled_from(WORDS) | st.text("aAbB,' é中ת1’", max_size=4), min_size=1, max_size=8
)


@st.composite
def pairs(draw):
    """Target line, source line, and links of each target word or None."""
    target = " ".join(draw(SIDES)).lower().encode()
    source = " ".join(draw(SIDES)).encode()
    if draw(st.integers(0, 3)) == 0:
        source = source.upper() if source.isascii() else source.decode().upper().encode()
    if not target.strip() or draw(st.integers(0, 3)) == 0:
        return target, source, None
    numbers = st.lists(st.integers(0, 9), max_size=3)
    return target, source, [sorted(set(draw(numbers))) for _ in target.split()]


def phrases_of(links):
    return None if links is None else Phrases.from_lines([links])


def compared(model, target, source, links):
    """The compiled sentence and words, and the twin."""
    plain = twin.Source(source, target, links)
    sentence, words = look_at_source(compiled(model), target, source, phrases_of(links))
    assert len(words) == len(plain.targets)
    return sentence, words, plain


@pytest.fixture(scope="module")
def bare(model_file):
    """A model that has learned nothing of a source."""
    return Truecaser.load(model_file)


def random_weights(seed):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=len(columns())) for _ in range(2)]


@pytest.fixture(scope="module")
def tables():
    return pack_tables(smooth_quietly(word_counts(MENU)), 1 << 30)


@examples(80)
@given(pair=pairs())
@example((b"click ok", "CLIQUEZ SUR D'OK É".encode(), None))
@example((b"qxv qxv", b"Qxv qXv QXV qxV QXv Qxv qxv", [[0, 1, 2, 3, 4, 5, 6], [0]]))
@example((b"qxv , qxv", b"Qxv , qxv Qxv", [[0], [0, 1, 9], [2, 3]]))
@example((b"qxv", b"", None))
@example((b"click ok", "按下 OK 键 即 可 保存 NASA 的".encode(), None))
@example((b"click ok", "OK NASA BBC 键 Mary".encode(), None))
@example((b"the nba and nato", "腾讯与NBA签署了NATO的协议。".encode(), None))
@example((b"the nba", "签署NBA的 协议 NBA".encode(), [[0], [0, 1, 2]]))
@example((b"!", '"THE A’ת'.encode(), [[1]]))
@example((b"!", "ﬁn".encode(), None))
@example((b"!", "A’中".encode(), None))
@example((b"!", "CLIQUEZ ǅ".encode(), None))
@example((b"accra", "X中Y中Z.COM".encode(), None))
@example((b"united states", b"USA", None))
@example((b"united states of", b"les USA D'", [[1], [1], [2]]))
@example((b"faq asked questions", b"la FAQ", [[1], [1], [1]]))
@example((b"welcome to", b"Mary BIENVENUE", [[1], [1]]))
@example((b"it , it", b"Mary IT IT,", None))
@example((b"it it", b"Mary IT,", None))
@example((b"the qxv tool , qxv", b"das qXv-Werkzeug QXV-UN", None))
@example((b"un qxv", b"das Open-UN-qXv", [[1], [0]]))
@example((b"it on", b"Mary IT,", [[0], [1]]))
@example((b"it it", b"Mary IT,", [[0], [0]]))
@example((b"it on", b"Mary IT,", [[], []]))
@example((b"on ok, it 3", b"3 Mary ok IT", [[1], [0], [3], [2]]))
@example((b"the tower hamlets", b"de Tower Hamlets .", None))
@example((b"in the public interest", b"im in the Public interest", [[1], [2], [3], [4]]))
@example((b"public the the", b"le Public le", None))
@example((b"the echo", "«Эхо» Echo".encode(), [[0], [1]]))
@example((b"the echo", "«Эхо» Echo радио".encode(), None))
@example((b"welcome", b"BIENVENUE", None))
@example((b"welcome", b"BIENVENUE-2", None))
@example((b"qxv", b"", [[0]]))
@example((b"qxv", b"1 2 ,", [[0, 2]]))
def test_phrases_and_sentences_like_the_twin(bare, pair):
    sentence, words, plain = compared(bare, *pair)
    assert sentence == plain.sentence
    for i, word in enumerate(words):
        assert word.phrase == plain.phrase(i), i


@examples(80)
@given(pair=pairs())
@example((b"click on /home/doc. qxv", b"CLIQUEZ /HOME/DOC. Qxv", None))
@example(("ﬁn".encode(), b"ACCRA", None))
def test_candidates_like_the_twin(bare, pair):
    target, source, links = pair
    # The same words beside a source that proposes nothing.
    given_forms = look_at_source(compiled(bare), target, b"")[1]
    _, words, plain = compared(bare, target, source, links)
    for i, (word, before) in enumerate(zip(words, given_forms, strict=True)):
        expected = twin.candidates(
            [(c.tag, c.upper_mask if c.tag == "MX" else 0) for c in before.candidates],
            plain.targets[i],
            plain.phrase(i),
        )
        found = [
            (c.tag, c.upper_mask if c.tag == "MX" else 0, c.is_of_source) for c in word.candidates
        ]
        if plain.targets[i].tag == "AN" or plain.targets[i].flags & CANONICAL:
            assert not any(of_source for _, _, of_source in found)
        else:
            assert found == expected


@examples(100)
@given(pair=pairs(), seed=st.integers(0, 5))
@example((b"ok d' x a", "CLIQUEZ SUR D'OK É".encode(), None), 0)
@example((b'" bridge ( post', b"Bridge ( Post", [[], [0], [1], [2]]), 1)
@example((b'! "and', '! "THE "THE ! 日本'.encode(), [[1], [1, 2]]), 0)
@example((b'"the', b"max_size", None), 0)
@example((b"the accra", b"btn_size\r", [[0], []]), 1)
def test_columns_and_scores_like_the_twin(bare, crf_model_file, pair, seed):
    model = bare if seed % 2 else Truecaser.load(crf_model_file)
    weights = random_weights(seed)
    model = Truecaser(model.model.replace(source=source_features(model.model, *weights)))
    place = {name: i for i, name in enumerate(columns())}
    _, words, plain = compared(model, *pair)
    for i, word in enumerate(words):
        if plain.targets[i].tag == "AN":
            continue
        for candidate in word.candidates:
            expected = twin.columns(plain, i, candidate, word.is_initial)
            found = {k: v for k, v in candidate.columns.items() if k not in TRANSLATIONS}
            assert found == {name: float(value) for name, value in expected.items()}
            assert all(candidate.columns[name] == 0 for name in TRANSLATIONS)
            chosen = weights[plain.links is None]
            total = sum(chosen[place[name]] * value for name, value in expected.items())
            if len(word.candidates) == 1:
                total = 0.0
            assert candidate.score == pytest.approx(total, abs=1e-5)


@examples(80)
@given(data=st.data())
def test_columns_of_translation_tables(bare, tables, data):
    vocabulary = [w.decode() for pair in MENU for w in pair] + ["Zürich", "krzt"]
    side = st.lists(st.sampled_from(vocabulary), min_size=1, max_size=6)
    target = " ".join(data.draw(side)).lower().encode()
    source = " ".join(data.draw(side)).encode()
    links = None
    if data.draw(st.booleans()):
        numbers = st.lists(st.integers(0, 6), max_size=3)
        links = [sorted(set(data.draw(numbers))) for _ in target.split()]
    weights = random_weights(3)
    model = with_tables(bare, weights, tables)
    loaded = TranslationTables(*tables)
    _, words, plain = compared(model, target, source, links)
    for i, word in enumerate(words):
        piece = plain.targets[i]
        if piece.tag == "AN":
            continue
        rendered = [
            twin.casing.render(twin.text_of(piece), c.tag, c.upper_mask).encode()
            for c in word.candidates
        ]
        _, form, tag = described(rendered)
        wanted = None
        if plain.links is not None:
            wanted = [] if plain.word_of[i] is None else plain.links[plain.word_of[i]]
        by_form, by_tag, likeliest = table_features(
            loaded, source, 1, False, wanted, form, tag, piece.key
        )
        for k, candidate in enumerate(word.candidates):
            expected = twin.columns(
                plain, i, candidate, word.is_initial, None if likeliest < 0 else likeliest
            )
            expected = {"translation": by_form[k], "tag_translation": by_tag[k], **expected}
            assert candidate.columns == pytest.approx(
                {name: float(value) for name, value in expected.items()}, abs=1e-5
            )


def with_tables(bare, weights, tables):
    own = TranslationTables(*tables)
    model = bare.model.replace(tables=own)
    return Truecaser(model.replace(source=source_features(model, *weights)))


def test_every_column_is_finite_and_speaks_somewhere(bare, tables):
    model = with_tables(bare, random_weights(1), tables)
    draw = np.random.default_rng(7)
    spoken = set()
    for _ in range(900):
        source = " ".join(draw.choice(WORDS, draw.integers(0, 9)))
        if draw.random() < 0.3:
            source = source.upper()
        target = " ".join(draw.choice(WORDS, draw.integers(1, 9))).lower()
        links = None
        if draw.random() < 0.7:
            links = [sorted(set(draw.integers(0, 9, 2).tolist())) for _ in target.encode().split()]
        _, words = look_at_source(
            compiled(model), target.encode(), source.encode(), phrases_of(links)
        )
        for word in words:
            for candidate in word.candidates:
                assert np.isfinite(list(candidate.columns.values())).all()
                spoken |= {name for name, value in candidate.columns.items() if value}
    assert spoken == set(SOURCE_COLUMNS)


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        (
            "noun-capitals",
            "und|Das Haus ist alt|die Datei im Ordner|Größe der Datei|FÜR ALLE|Die Öffnung",
        ),
        (
            "other",
            "Open the file in Office|Ouvrez le fichier dans Office|Café|Открыть|ανοίξτε|"
            "请打开 Office|Het huis die aan de overkant staat is al heel lang verkocht",
        ),
        ("unknown", "Datei öffnen|Open file|die|das das Haus|||1 2 3|Het huis die aan de overkant"),
    ],
)
def test_the_kind_of_a_source_line(kind, lines):
    for line in lines.split("|"):
        assert kind_of_line(line.encode()) == twin.Source(line.encode(), b"").kind() == kind, line
    assert kind in KINDS


def test_words_that_tell_of_noun_capitals():
    assert not lists.GERMAN_WORDS & set(lists.LIKELY_GERMAN_WORDS)
    # The kernel has a bit for each, and one for letters.
    assert len(set(lists.LIKELY_GERMAN_WORDS)) == len(lists.LIKELY_GERMAN_WORDS) < 31


@pytest.mark.parametrize(
    ("language", "source", "kind"),
    [
        ("", b"Marie / / QXV , Pont", "any_pair"),
        ("en", b"Marie / / QXV , Pont", "any_pair"),
        ("en", b"Marie nimmt und QXV , Pont", "from_noun_capitals"),
        ("en", b"Marie prend le QXV , Pont", "from_others"),
        ("de", b"Marie prend le QXV , Pont", "noun_capitals"),
        ("de-AT", b"Marie nimmt und QXV , Pont", "noun_capitals"),
        ("lb_LU", b"Marie prend le QXV , Pont", "noun_capitals"),
        ("den", b"Marie prend le QXV , Pont", "from_others"),
    ],
)
def test_a_model_that_has_learned_nothing_has_weights_that_suit_any_pair(
    bare, language, source, kind
):
    weights = read_weights("source")[kind]
    text = bare.model.text.replace(language=language)
    bare = Truecaser(bare.model.replace(text=text))
    assert list(weights) == [name for name in SOURCE_COLUMNS if name not in TRANSLATIONS]
    line = b"mary took the qxv , bridge"
    for links, column in (([[0], [1], [2], [3], [4], [5]], 0), (None, 1)):
        _, words = look_at_source(compiled(bare), line, source, phrases_of(links))
        scored = 0
        for word in words:
            for candidate in word.candidates:
                if len(word.candidates) == 1:
                    continue
                expected = sum(
                    weights.get(name, (0, 0))[column] * value
                    for name, value in candidate.columns.items()
                )
                assert candidate.score == pytest.approx(expected, abs=1e-5)
                scored += expected != 0
        assert scored


def test_a_source_of_another_casing(bare):
    weights = weights_of(bare.model)
    source = source_features(bare.model, weights, weights, "turkic")
    model = Truecaser(bare.model.replace(source=source))
    for source in ("İSTANBUL IŞIK", "ISPARTA", "istanbul ıIiİ"):
        target = b"isparta istanbul qxv"
        plain = twin.Source(source.encode(), target, None, turkic=True)
        sentence, words = look_at_source(compiled(model), target, source.encode())
        # What a model has learned of a source holds for its language.
        assert sentence == plain.sentence._replace(kind="unknown")
        assert [word.phrase for word in words] == [plain.phrase(i) for i in range(len(words))]


def test_a_capital_alone_is_upper_case_in_a_source_that_is(bare):
    words = look_at_source(compiled(bare), b"d'ivanov x", b"D'IVANOV X")[1]
    for word in (words[0], words[2]):
        shown = {c.tag: c.columns["source_all_upper"] for c in word.candidates}
        assert shown["IU"] == 1 and shown["AL"] == 0


def test_what_cannot_be_looked_at_is_refused(bare, model_file):
    with pytest.raises(ValueError, match="not as many words"):
        look_at_source(compiled(bare), b"a b", b"A", Phrases.from_lines([[[0]]]))
    unigram = Truecaser.load(model_file, decode_with="unigram")
    with pytest.raises(ValueError, match="does not look at the source"):
        look_at_source(compiled(unigram), b"a", b"A")
