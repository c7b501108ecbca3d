"""Titles to sentence case."""

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

import truecase
from truecase import SentenceCaser, sentence_case
from truecase.errors import TruecaseError, WrongTypeError
from truecase.kernels._unicode import lower
from truecase.truecaser import sentence_case as titles

TITLE = "A Survey of Deep Neural Networks for Mandarin Tone Recognition in the United States"
CASED = "A survey of deep neural networks for Mandarin tone recognition in the United States"

PIECES = [
    "A", "the", "Survey", "of", "BERT", "iPhone", "mRNA", "Paris", "South-African", "GPT-2", "SVMs",
    "$k$", "$", "\\LaTeX{}", "\\", "{", "}", "{NASA}", "{M}arkov", "{\\'E}tude", '\\"o', "\\v{c}",
    "{\\O}re", "\\emph{Old Norse}", "\\&", "https://A.b/C", "<i>", "</i>", "<sup>",
    '<span class="nocase">', "</span>", "snake_Case", ":", "?", ". ",
    "!", "(", "-", "—", " ", " ", "  ", "\t", "\r", "\n", "ß", "İ", "ǆ", "ﬁ", "Ⅷ", "日本", "É",
    "ΣΑΣ", "\x00", "\ud800", "\u0301",
]  # fmt: skip
TITLES = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=20).map("".join), st.text(max_size=40)
)


@pytest.fixture(scope="module")
def caser():
    return SentenceCaser()


@pytest.mark.parametrize(
    "title, expected",
    [
        (TITLE, CASED),
        (TITLE.title(), CASED),
        (TITLE.upper(), CASED),
        (CASED, CASED),
        ("The BERT of the Future: iPhones and mRNA", "The BERT of the future: iPhones and mRNA"),
        ("Walking in Paris and South-African Towns", "Walking in Paris and South-African towns"),
        ("fairlib: A Library of Fair Methods", "fairlib: A library of fair methods"),
        ("on the growth of trees in France", "On the growth of trees in France"),
        ("Studies of old trees with data from the Biobank",) * 2,
        ("Who Pays? A Study of U.S. Hospitals", "Who pays? A study of U.S. hospitals"),
        ("10 Ways to Grow Your Own Trees", "10 ways to grow your own trees"),
        ("From $5 to $10 in the Old Days", "From $5 to $10 in the old days"),
        ("", ""),
        ("  ", "  "),
        ("1984", "1984"),
    ],
)
def test_titles(caser, title, expected):
    assert caser(title) == expected


@pytest.mark.parametrize(
    "title, expected",
    [
        ("Roles of Vitamin A in a Diet of Children", "Roles of vitamin A in a diet of children"),
        ("Factor V and Hepatitis B in Old Age", "Factor V and hepatitis B in old age"),
        ("Roles Of A Diet In Old Age", "Roles of a diet in old age"),
        ("Roots of Arabidopsis Thaliana at Night", "Roots of Arabidopsis thaliana at night"),
        ("Wings of Drosophila Melanogaster", "Wings of Drosophila melanogaster"),
        ("Cells of Xylella Fastidiosa at Night", "Cells of Xylella fastidiosa at night"),
        ("The Oxford Handbook of Music", "The Oxford handbook of music"),
        pytest.param(
            "The Oxford Handbook of Rural Music",
            "The Oxford handbook of rural music",
            marks=pytest.mark.xfail(reason="the embedded model takes Rural Music", strict=True),
        ),
        ("FELIS CATUS IN THE GARDEN", "Felis catus in the garden"),
        ("Farms of Ovis Aries in Norway", "Farms of Ovis aries in Norway"),
        ("Nests of Pica Pica in Oslo", "Nests of Pica pica in Oslo"),
        ("A PARASITE OF ESOX LUCIUS", "A parasite of Esox lucius"),
        ("The Pocket Manual of Logic", "The pocket manual of logic"),
        ("Oxides (A = Ca, Sr) in Zn-Rich Soils", "Oxides (A = Ca, Sr) in Zn-rich soils"),
        ("A Dose of 5 Mg of Iron", "A dose of 5 mg of iron"),
        ("Theorie der reinen Zahlen",) * 2,
        ("The Rise of Linear Algebra", "The rise of linear algebra"),
        ("Part II: The Fall of Rome", "Part II: The fall of Rome"),
        ("Old Barns: The Complete Guide", "Old barns: The complete guide"),
        ("Poetry in the Cold War", "Poetry in the Cold War"),
        ("CRISPR-Cas9 in Old Barns", "CRISPR-Cas9 in old barns"),
        ("Myasthenia Gravis in Old Age", "Myasthenia gravis in old age"),
        ("CTAN", "CTAN"),
        ("ABSTRACT", "Abstract"),
        # Other languages stay.
        ("Das Haus am See und die Kinder",) * 2,
        ("Les arbres de la ville: une histoire",) * 2,
        ("Una Historia de los Ríos",) * 2,
        ("A Casa e o Rio: a vida na aldeia de São Tomé",) * 2,
        ("Los Andes: A Guide to the Rivers", "Los Andes: A guide to the rivers"),
        # Words in braces and capitals.
        ("{OLD} {TREES} {OF} {PARIS}", "{Old} {trees} {of} {Paris}"),
        ("{Old} {Trees}",) * 2,
        ("{Old} {Trees} {Of} {Paris}", "{Old} {trees} {of} {Paris}"),
        ("{Paris}: {A} {Small} {Forest}", "{Paris}: {A} {small} {forest}"),
        ("{Old} {Trees} {of} {Paris}", "{Old} {trees} {of} {Paris}"),
        ("E-Books and T-Shirts of the Year", "E-books and T-shirts of the year"),
        ("The Rise of E-Books", "The rise of e-books"),
        ("The Loss of O3 and Q7 in Old Trees", "The loss of O3 and Q7 in old trees"),
    ],
)
def test_letters_species_and_languages(caser, title, expected):
    assert caser(title) == expected


def test_braces_are_not_doubled():
    assert sentence_case("{OLD} {TREES} {OF} {PARIS}", braces=True) == "{Old} {trees} {of} {Paris}"


@pytest.mark.parametrize(
    "title, expected",
    [
        # Mathematics, commands and braces stay.
        (r"The $O(N)$ Growth of Old Trees", r"The $O(N)$ growth of old trees"),
        (r"Growing \(K\) Trees in {My Own} Garden", r"Growing \(K\) trees in {My Own} garden"),
        (r"The Joy of \LaTeX{} for Old Writers", r"The joy of \LaTeX{} for old writers"),
        (r"Wings of \emph{Apis Mellifera} at Rest", r"Wings of \emph{Apis Mellifera} at rest"),
        (r"Old Trees\textsuperscript{2} of Paris", r"Old trees\textsuperscript{2} of Paris"),
        ("Levels of CO$_2$ in Old Trees$^3$", "Levels of CO$_2$ in old trees$^3$"),
        ("{M}ARKOV MODELS OF THE WORLD", "{M}arkov models of the world"),
        # Accents are over letters of words.
        (r"Three Short {\'E}tudes for the Young", r"Three short {\'e}tudes for the young"),
        (r"THREE SHORT \'{E}TUDES FOR THE YOUNG", r"Three short \'{e}tudes for the young"),
        (r"The Cat of Schr{\"o}dinger in Winter", r"The cat of Schr{\"o}dinger in winter"),
        # Braces that nothing closes.
        ("The Growth of {Old Trees", "The growth of {Old Trees"),
        ("The Growth of Old} Trees", "The growth of old} trees"),
        ("The Growth of Old Trees\\", "The growth of old trees\\"),
        ("See https://Example.org/Trees for Trees", "See https://Example.org/Trees for trees"),
    ],
)  # fmt: skip
def test_latex(caser, title, expected):
    assert caser(title) == expected


@pytest.mark.parametrize(
    "title, expected",
    [
        ("BERT in the United States: A Review", "{BERT} in the {United} {States}: A review"),
        ("iPhones in the U.S. and O'Neill's Bag", "{iPhones} in the {U.S.} and {O'Neill}'s bag"),
        ("GPT-2-Based Growth of Trees", "{GPT}-2-based growth of trees"),
        ("The {BERT} of Old Trees", "The {BERT} of old trees"),
        (r"The Cat of Schr{\"o}dinger in Winter", r"The cat of {Schr{\"o}dinger} in winter"),
        ("Files at https://Example.org/Trees", "Files at {https://Example.org/Trees}"),
        ("Growing Old", "Growing old"),
    ],
)  # fmt: skip
def test_braces(title, expected):
    assert sentence_case(title, braces=True) == expected
    # What has its braces needs no others.
    assert sentence_case(expected, braces=True) == expected


@pytest.mark.parametrize(
    "title, expected",
    [
        ("<i>Old Norse</i> Trees in Paris", "<i>Old Norse</i> trees in Paris"),
        ("<b>Old</b> Trees: <i>A</i> Review", "<b>Old</b> trees: <i>A</i> review"),
        ("<i>Trees</i> in <sc>NASA</sc> Data", "<i>Trees</i> in <sc>NASA</sc> data"),
        ("Old Trees<sup>2</sup> of CO<sub>2</sub>", "Old trees<sup>2</sup> of CO<sub>2</sub>"),
        ("OLD <i>TREES</i> OF PARIS", "Old <i>trees</i> of Paris"),
        (
            'Trees of <span class="nocase">Old <span>Woods</span> At</span> Rest',
            'Trees of <span class="nocase">Old <span>Woods</span> At</span> rest',
        ),
        (
            '<span style="font-variant:small-caps;">Old Trees</span> at Rest',
            '<span style="font-variant:small-caps;">Old trees</span> at rest',
        ),
        # Nothing ends it.
        ('The <span class="nocase">Old Woods', 'The <span class="nocase">old woods'),
        ("Where x < y and y > z for Trees", "Where x < y and y > z for trees"),
    ],
)
def test_tags(caser, title, expected):
    assert caser(title) == expected


@pytest.mark.parametrize(
    "title, expected",
    [
        ("A STUDY OF BERT AND LSTMS IN PARIS", "A study of BERT and LSTMs in Paris"),
        (
            "Old Trees In The Data Of XKQZT In Paris".upper(),
            "Old trees in the data of XKQZT in Paris",
        ),
        ("THE TREES OF DR. SMITH", "The trees of Dr. Smith"),
        ("THE UNIVERSAL DEPENDENCIES OF BASQUE", "The Universal Dependencies of Basque"),
    ],
)
def test_forms_in_titles_that_say_nothing(caser, title, expected):
    assert caser(title) == expected


def test_tags_and_braces():
    title = "The <i>H<sub>2</sub>O</i> of Paris"
    expected = "The <i>{H<sub>2</sub>O}</i> of {Paris}"
    assert sentence_case(title, braces=True) == expected


def test_after_colon():
    title = "Old Trees: Growth and Decay"
    assert sentence_case(title) == "Old trees: Growth and decay"
    assert sentence_case(title, after_colon="lower") == "Old trees: growth and decay"
    assert sentence_case("Old Trees: Paris", after_colon="lower") == "Old trees: Paris"


def test_one_and_many_are_alike(caser):
    titles = [TITLE, "Old Trees", "", TITLE.upper(), "Two\nLines Of One Title"] * 300
    many = caser.batch(titles)
    assert many[:5] == [caser(title) for title in titles[:5]]
    assert many == many[:5] * 300
    assert sentence_case(titles[:5]) == sentence_case(iter(titles[:5])) == many[:5]


def test_words_are_looked_up_again_once_too_many_are_kept(monkeypatch):
    monkeypatch.setattr(titles, "_MAX_KEPT", 8)
    caser = SentenceCaser()
    assert [caser(title) for title in (TITLE, TITLE.upper(), "Seeds")] == [CASED, CASED, "Seeds"]


def test_a_text_of_65_536_characters_is_no_title(caser):
    long = "Old Trees " * 6553
    titles = ["Old Trees " * 2000, "Old Trees", long + "Of Oslo", "", "Old Trees"] * 3
    cased = [one.text for one in caser.titles(titles)]
    assert cased == [one.text for title in titles for one in caser.titles([title])]
    assert cased[1:5] == ["Old trees", titles[2], "", "Old trees"]


def test_where_words_are_protected(caser):
    (title,) = caser.titles(["Walking in Paris with BERT"])
    assert title.text == "Walking in Paris with BERT"
    assert [title.text[start:end] for start, end in title.protected] == ["Paris", "BERT"]


def test_blocks_have_their_bytes(caser):
    block = b"Old \xff Trees of Paris\r\n\r\nOLD TREES OF PARIS"
    assert caser.case_block(block) == b"Old \xff trees of Paris\r\n\r\nOld trees of Paris"
    assert caser.case_block(b"") == b""


def test_a_model_of_ones_own():
    lines = ["they saw Anna near Port Ellis .", "the old trees grew ."] * 30
    model = truecase.Truecaser.train(lambda: iter([("\n".join(lines) + "\n").encode()]), "unigram")
    own = sentence_case("OLD TREES NEAR PORT ELLIS", truecaser=model)
    assert own == "Old trees near Port Ellis"


def test_wrong_arguments(caser):
    with pytest.raises(TruecaseError, match="expected 'capital' or 'lower'"):
        sentence_case("Old Trees", after_colon="upper")
    with pytest.raises(WrongTypeError, match=r"titles\[1\]: expected a str, found int"):
        caser.batch(["Old Trees", 5])
    with pytest.raises(WrongTypeError, match="found one str"):
        caser.batch("Old Trees")
    with pytest.raises(WrongTypeError, match="found bytes"):
        caser(b"Old Trees")


@examples(150)
@given(title=TITLES)
@example(title="GPT-2ΣΑΣ")
def test_only_case_changes(caser, title):
    cased = caser(title)
    assert len(cased) == len(title)
    assert lower(cased) == lower(title)


@examples(150)
@given(title=TITLES)
def test_braces_add_braces_alone(caser, title):
    plain, braced = caser.titles([title])[0], sentence_case(title, braces=True)
    assert len(braced) <= len(title) + 2 * len(plain.protected)
    assert braced.replace("{", "").replace("}", "") == plain.text.replace("{", "").replace("}", "")
