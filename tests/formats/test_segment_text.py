"""Segments cased many at once, and one by one, where a corrector looks at each: the same file.

The second way, in Python, is the twin of `truecase.formats._contents`.
"""

import itertools

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from truecase.formats._contents import XML, SegmentTexts
from truecase.formats.file_caser import FileCaser
from truecase.formats.format import ReadOptions
from truecase.formats.languages import Languages
from truecase.formats.registry import read_document
from truecase.formats.segments import Segments, Span
from truecase.kernels._unicode import upper
from truecase.truecaser import Truecaser


class Raising:
    """Raises letters as a row of yes and no says, and remembers what it was given."""

    def __init__(self, choices, takes_source):
        self.given = []
        self._choices = choices
        self.takes_source = takes_source

    def case_block(self, block, threads=1, input_case="ignore", source=b""):
        self.given.append((block, source))
        choices = itertools.cycle(self._choices)
        text = block.decode("utf-8")
        return "".join(upper(c) if next(choices) else c for c in text).encode("utf-8")


def results(data, choices, takes_source, corrector=None, threads=1, format=None):
    document = read_document(data, "file", format, options=ReadOptions(Languages(None, "en")))
    model = Raising(choices, takes_source)
    caser = FileCaser(document, model, corrector=corrector)
    out = b"".join(caser.output(threads))
    return out, caser.summary, model.given


def assert_same_both_ways(data, choices=(True,), takes_source=True, format=None):
    data = data.encode("utf-8")
    at_once = results(data, choices, takes_source, format=format)
    one_by_one = results(data, choices, takes_source, lambda i, text: text, format=format)
    assert at_once == one_by_one
    return at_once


TEXTS = st.text(
    st.one_of(
        st.sampled_from("abcdß éıİŉǆﬁ日🙂\u2028\u00a0\x85 \t\n\r.'\"5_~$`-[]\\;:#"),
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="<>&\ufffe\uffff"),
    ),
    max_size=8,
)
XML_PARTS = st.one_of(
    TEXTS.map(lambda text: text.replace("\x85", "")),
    st.sampled_from(
        """
        &amp; &lt; &gt; &quot; &apos; &#10; &#13; &#39; &#160; &#xA9; &#8217; &#x2019; &#37; &#65;
        &#xe9; &#60;b&#62; &amp;nbsp; &amp;#39; &lt;b&gt; &lt;/b&gt; &#0000000000097; a&#x1f600;b
        %s %d 5% %% {0} {name} {{a}} $a $5 50&#37; `` :ref:`a` <!--a--> <!----> <?b?>
        <![CDATA[a<b>%s&]]> <![CDATA[a]]> <ph/> <ph>%s</ph> <ph>{0}</ph> <ph>{a.b}</ph> HH:mm EE
        <ph>&lt;br/&gt;</ph> <ph>&#37;s</ph> <ph>a<sub>b</sub></ph> <ph>a<ph>%s</ph></ph>
        <ph>%1$s</ph> <ph>%sa</ph> <ph><!--%s--></ph> <ph><it/></ph> <bpt>&lt;b></bpt> <ept/>
        <it>a<x/>b</it> <ut>{0}</ut> <ut/> <x:ph>%d</x:ph> <cp/> <x/> <x>a</x> <g>a</g>
        <g><bpt>a</bpt></g> <hi>a<hi>b</hi></hi> <mrk>a</mrk> <phx>a</phx> <x:x/> <sm/> <em/>
        """.split()
        + [
            "<ph x='1'>%s</ph >", "<hi>a</hi >", "<ph equiv='%s'/>", "<x equiv-text='{a}'/>",
            "<ph disp='&lt;' />", "<x a='>' b=\"'\"/>", "<mrk mtype='protected'>a</mrk>",
            "<mrk translate='no'>a</mrk>", "<mrk x:translate = 'yes'>a</mrk>",
            "<sm translate='no' id='1'/>a<em startRef='1'/>", "5 % of", "100% a", "5%s", "a % b",
            "a\n\nb", "a\r\n \r\nb", "a\n b", "\\'", "\\n", "\\@a", "\\u00e9", "\\", "\\\\",
            "\\&amp;", "x_y", "_a", "&amp;a", "~ a", "a &lt; b",
        ]
    ),
)  # fmt: skip
CONTENTS = st.lists(XML_PARTS, max_size=6).map("".join)
PAIRS = st.lists(st.tuples(st.one_of(st.none(), CONTENTS), CONTENTS), min_size=1, max_size=5)
CHOICES = st.lists(st.booleans(), min_size=1, max_size=9)


def tmx(pairs):
    def variant(language, text):
        return "" if text is None else f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>'

    units = "".join(f"<tu>{variant('fr', a)}{variant('en', b)}</tu>\n" for a, b in pairs)
    return f'<tmx xmlns:x="x"><header srclang="fr"/><body>{units}</body></tmx>'


def qt(pairs):
    def message(source, target):
        source = "" if source is None else f"<source>{source}</source>"
        return f"<message>{source}<translation>{target}</translation></message>"

    units = "".join(message(a, b) for a, b in pairs)
    return f'<TS xmlns:x="x" language="en"><context>{units}</context></TS>'


def android(pairs):
    units = "".join(f'<string name="{i}">{b}</string>' for i, (_, b) in enumerate(pairs))
    return f'<resources xmlns:x="x" xmlns:xliff="l">{units}</resources>'


@examples(300)
@given(pairs=PAIRS, choices=CHOICES, takes_source=st.booleans())
@example(pairs=[("a", "a<x/>b&#65;")], choices=[True], takes_source=True)
@example(pairs=[("a", "ıi"), ("a", "&amp;a i")], choices=[True, False], takes_source=False)
@example(pairs=[("a\n\nb", "a\n\nb"), ("a\n\nb", "c")], choices=[True], takes_source=True)
def test_xml(pairs, choices, takes_source):
    assert_same_both_ways(tmx(pairs), choices, takes_source)


@examples(300)
@given(pairs=PAIRS, choices=CHOICES, takes_source=st.booleans())
@example(pairs=[("_a", "_b"), ("a_b", "c~d"), (None, "&amp;a")], choices=[True], takes_source=True)
def test_marks_of_keys(pairs, choices, takes_source):
    assert_same_both_ways(qt(pairs), choices, takes_source)


@examples(300)
@given(pairs=PAIRS, choices=CHOICES)
@example(pairs=[(None, "a\\'b \\n c"), (None, "<xliff:g>a</xliff:g>b")], choices=[True])
@example(pairs=[(None, "a\\<x/>nb"), (None, "<![CDATA[a\\nb]]>\\t")], choices=[True])
def test_android(pairs, choices):
    assert_same_both_ways(android(pairs), choices)


PO_STRINGS = st.lists(
    st.one_of(
        st.text(
            st.one_of(
                st.sampled_from("abß é日%s{}<>&_~$5.:[]@-*/"),
                st.characters(exclude_categories=["Cs", "Cc"], exclude_characters='"\\'),
            ),
            max_size=8,
        ),
        st.sampled_from(
            [
                "\\n",
                "\\t",
                '\\"',
                "\\\\",
                "\\r",
                "\\x41",
                "\\101",
                "\\q",
                "\\n\\n",
                '"\n"',
                '" "',
                '"\n\t "',
            ]
        ),
    ),
    max_size=5,
).map(lambda parts: '"' + "".join(parts) + '"')


@examples(300)
@given(
    entries=st.lists(st.tuples(PO_STRINGS, PO_STRINGS), min_size=1, max_size=4),
    choices=CHOICES,
    takes_source=st.booleans(),
)
@example(entries=[('"a\\n"\n"b"', '"c\\"\\n"\n""\n"d"')], choices=[True], takes_source=True)
def test_po(entries, choices, takes_source):
    data = "".join(f'msgctxt "c"\nmsgid {a}\nmsgstr {b}\n\n' for a, b in entries)
    assert_same_both_ways(data, choices, takes_source)


JSON_STRINGS = st.lists(
    st.one_of(
        TEXTS.map(lambda text: "".join(c for c in text if c >= " " and c not in '"\\')),
        st.sampled_from(
            ["\\n", "\\t", '\\"', "\\\\", "\\/", "\\r\\n", "\\n\\n", "\\u00e9", "\\u00DF",
             "\\ud83d\\ude00",
             "\\ud800", "%s", "{a}", "<b>", "&amp;", " :a", "@:a.b", "@.a:b", "[b]", "[/b]", "<1>",
             "</1>", "<0 />", "<code>a</code>", "\\n- ", "\\n\\t2. ", "\\n•", "\\n "]
        ),
    ),
    max_size=6,
).map("".join)  # fmt: skip


@examples(300)
@given(values=st.lists(JSON_STRINGS, min_size=1, max_size=5), choices=CHOICES)
@example(values=["\\u00e9a", "a\\nb", "\\n", "²", ""], choices=[True])
def test_json(values, choices):
    entries = ",\n".join(f'"k{i}": "{value}"' for i, value in enumerate(values))
    assert_same_both_ways(f'{{"a": {{{entries}}}, "@b": "c"}}', choices, format="json")
    entries = "".join(f'"k" = "{value}";\n' for value in values)
    assert_same_both_ways(f"/* a */\n{entries}// b\n", choices, format="strings")


def test_fuzzy_entries_of_po():
    data = '#, fuzzy\n#| msgid "_Old\\n"\n#| "one"\nmsgid "new"\nmsgstr "_a\\n"\n"b"\n'
    _, _, given = assert_same_both_ways(data)
    assert given == [(b"a b", b"Old one")]


def test_blocks_and_threads():
    """Some segments of each kind in each of many blocks."""
    pairs = [
        ("Source &amp; <x/>", f"a {i} <ph>%s</ph> %s &#39;b&#39; " + "c " * (i % 50))
        for i in range(4500)
    ]
    data = tmx(pairs)
    out, summary, given = assert_same_both_ways(data)
    assert len(given) > 3
    assert summary.n_segments == summary.n_changed == 4500
    assert results(data.encode(), (True,), True, threads=2)[0] == out


def test_words_and_changes_are_counted():
    data = tmx([(None, "a b&#160;c 1 2"), (None, "1\u20282"), (None, "a %s b"), (None, " ")])
    _, summary, _ = assert_same_both_ways(data)
    assert (summary.n_segments, summary.n_changed) == (4, 2)
    assert (summary.n_words, summary.n_changed_words) == (10, 5)


class Wrong:
    """Gives what it is told."""

    def __init__(self, given):
        self._given = given

    def case_block(self, block, threads=1, input_case="ignore"):
        return self._given.encode("utf-8")


@pytest.mark.parametrize(
    "wrong", ["", "ab", "ab\nc", "ab\nc0\n", "ab\nc00", "a\nb\nc0", "ab c0", "abc\n0", "a\nbc0"]
)
@pytest.mark.parametrize("target", ["cd", "c%s"])
def test_a_model_that_changes_more_than_case(wrong, target):
    data = tmx([(None, "ab"), (None, target)]).encode()
    document = read_document(data, "f", options=ReadOptions(Languages(None, "en")))
    with pytest.raises(ValueError, match="the model has changed more than the case"):
        b"".join(FileCaser(document, Wrong(wrong)).output())


def test_segments_within_each_other():
    """As no file should have them; each is cased in its turn, as ever."""
    data = (
        '<xliff version="1.2"><file source-language="fr" target-language="en"><body><trans-unit>'
        "<target>a<trans-unit><target>b</target></trans-unit>c</target></trans-unit></body></file>"
        "</xliff>"
    )
    assert_same_both_ways(data)


class TestHostile:
    def segments(self, *spans, source=(-1, -1)):
        segments = Segments()
        for start, end in spans:
            segments.add(Span(start, end), Span(*source))
        return segments

    def texts(self, segments, data=b"abcdef", block=None, **options):
        block = range(len(segments)) if block is None else block
        return SegmentTexts(data, segments, block, XML, lambda i: (b"", b""), **options)

    def test_spans_that_are_not_in_the_file(self):
        for spans in ([(0, 7)], [(-1, 2)], [(0, 1), (1, 1 << 40)]):
            with pytest.raises(IndexError, match="not in the file"):
                self.texts(self.segments(*spans))
        for source in ((0, 7), (3, 1 << 40), (4, 3), (-2, 3)):
            with pytest.raises(IndexError, match="not in the file"):
                self.texts(self.segments((0, 1), source=source), takes_source=True)
        for block in (range(0), range(2), range(-1, 1), range(1, 1)):
            with pytest.raises(IndexError, match="no such segments"):
                self.texts(self.segments((0, 1)), block=block)

    def test_columns_of_different_lengths(self):
        for column in ("target_end", "source_start", "source_end"):
            segments = self.segments((0, 1), (1, 2))
            getattr(segments, column).pop()
            with pytest.raises(IndexError, match="no such segments"):
                self.texts(segments)

    def test_markup_that_is_not_closed_is_somebody_else_s(self):
        for data in (b"<", b"a<!", b"<!--a", b"<![CDATA[a", b"<?a", b"</a", b"<a", b"<a b='", b"&",
                     b"&a",
                     b"<ph>", b"<ph>%", b"&#;", b"&#x;", b"&#xfffffffff;"):  # fmt: skip
            texts = self.texts(self.segments((0, len(data))), data)
            assert texts.lines in (b"", b" "), data

    def test_pieces_out_of_order(self):
        texts = self.texts(self.segments((1, 3)), b"a&b;c")
        for pieces in ([(2, 3, b"x"), (1, 2, b"y")], [(0, 9, b"x")], [(3, 2, b"x")]):
            with pytest.raises(IndexError, match="not in their order"):
                texts.put_back(b"", 1, lambda i, line, pieces=pieces: pieces)
        with pytest.raises(IndexError, match="not before the segments"):
            texts.put_back(b"", 4, lambda i, line: [])

    @pytest.mark.parametrize(
        ("spans", "expected"),
        [([], True), ([(0, 2), (2, 3), (5, 6)], True), ([(0, 2), (1, 3)], False)],
    )
    def test_which_follow_one_another(self, spans, expected):
        segments = Segments()
        for span in spans:
            segments.add(Span(*span))
        assert segments.follow_one_another() is expected


def test_values_and_their_units():
    """A letter right behind a value stays; words behind one do not look like a title."""
    strings = "%sK", "%1$sM views", "{n}B in London", "%d messages", "%d selected", "%s view"
    items = "".join(f'<string name="a">{text}</string>' for text in strings)
    data = f"<resources>{items}</resources>".encode()
    for content in (data, data.replace(b"London", b"london")):
        document = read_document(content, "strings.xml")
        assert b"".join(FileCaser(document, Truecaser.load()).output()) == data


def test_a_word_behind_a_value_of_qt_stays_whole():
    texts = "%1j%2h%3min", "%1día(s)%2hora(s)%3minuto(s)", "%5ld eggs", "Sold: %1Mins"
    items = "".join(f"<message><translation>{text}</translation></message>" for text in texts)
    data = f"<TS><context>{items}</context></TS>".encode()
    document = read_document(data, "a.ts")
    assert b"".join(FileCaser(document, Truecaser.load()).output()) == data


def test_forms_of_plurals_stay():
    data = b'{"a": "the tasks", "pluralForm": "nplurals=2; plural=(n%10==1 ? 0 : n%10>=2);"}'
    output = b"".join(FileCaser(read_document(data, "a.json"), Truecaser.load()).output())
    assert output == data.replace(b"the", b"The")


def test_patterns_of_dates_stay():
    patterns = (
        "MMM d, yyyy",
        "dd/MM/yyyy",
        "EEE d MMM",
        "h:mm a",
        "YYYY-MM-DD",
        "MMMM yyyy",
        "MMM jjjj",
    )
    texts = [*patterns, "d.M.yyyy", "TT.MM.JJJJ", "The date (HH:mm) of Mary"]
    items = "".join(f'<string name="a">{text}</string>' for text in texts)
    data = f"<resources>{items}</resources>".encode()
    document = read_document(data.replace(b"Mary", b"mary"), "strings.xml")
    assert b"".join(FileCaser(document, Truecaser.load()).output()) == data
