"""Segmentation, keys and rendering: against the plain twin, and what must always hold."""

import re

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from reference import casing as casing_twin
from reference import segment as twin
from truecase_testing import form_identity, hash_of, render, segment

from truecase.kernels import _unicode as casing

languages = st.sampled_from(["", "", "", "tr"])
segmentations = st.sampled_from(["raw", "raw", "space"])

# Rendered in upper case where the segmentation takes them for marks.
BRACKET_ESCAPE = re.compile(rb"-[lr][rsc]b-", re.IGNORECASE)

# Pieces that the rules of `raw` are made of; strung together with and without spaces.
PIECES = (
    """
' ’ ‘ “ ” " `` '' ` - -- --- – — … . .. ... , ; : ! ? ( ) [ ] { } / // \\ & &apos; &quot; &amp; &lt;
&#91; &bar; @ @-@ @/@ # % $ € + ++ = == * ** ~ _ | < > « » ‐ ‑ -LRB- -rsb- s t d m re ve ll n't N'T
don can't l d dell qu aujourd hui O Brien tis em n rock Ankara da İstanbul ığdır I i a J U.S. u.s
e.g. Ph.D. M.Sc. Mr company homme arte word Word WORD McDonald iPhone the and or 1 10 1990s 3.5
1,000 10:30 1/2 .5 com org example.com www. http:// https://x.y/z a@b.co /usr/lib ./a ../b ~/c C:\\
C++ C# .NET AT&T R&D foo_bar main.py os.path.join x.y.z a/b a/b/c ß ẞ ΟΔΟΣ ς σ ǆ ǅ Ǆ ﬁ ʼ é É
e\u0301 Пушкин 日本語 カナ हिन्दी \u0301 \u200d \u00ad \u00a0 \u2028 \u3000
\x00 \x1c \x7f 😀 © ² ½ Ⅷ ა Ა K Å
""".split()
    + [" ", " ", " ", "\t", "\v", "\u00a0"]
)
pieces = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)
spaced = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join)
texts = st.one_of(pieces, spaced, st.text(max_size=30)).map(str.encode)
# Words with bytes in them that are no UTF-8, as Latin-1 has them.
broken = st.lists(
    st.sampled_from(
        [b"\xe9", b"\xc9", b"\xff", b"\xc3", b"\xe2\x80", b"al", b"T", b"a", b".", b"'", b"-", b" ",
         b"l'", b"_", b"1", b"/", b"@", "é".encode(), "É".encode(), b"\xef\xbb\xbf"]
    ),
    max_size=12,
).map(b"".join)  # fmt: skip
lines = st.one_of(
    texts,
    broken,
    st.binary(max_size=30),
    st.tuples(texts, st.binary(max_size=4), texts).map(b"".join),
    st.text("abIS .,'’-/&@", max_size=24).map(str.encode),
)


def described(token):
    return twin.Piece(
        token.start,
        token.end,
        token.key,
        token.tag,
        token.upper_mask,
        token.word_class,
        token.flags,
        token.surface,
    )


def words_of(text, language=""):
    data = text.encode()
    return [data[token.start : token.end].decode() for token in segment(data, "raw", language)]


def keys_of(text, language=""):
    return [token.key for token in segment(text.encode(), "raw", language)]


# One line each: the text, and its tokens separated by " | ".
EXAMPLES = """
The company's CEO didn't go. => The | company | 's | CEO | did | n't | go | .
company 's => company | 's
do n't => do | n't
can't won't ain't => ca | n't | wo | n't | ai | n't
DON'T Don't => DO | N'T | Do | n't
cannot => cannot
couldn't've he'd've => could | n't | 've | he | 'd | 've
I'm you're we've they'll she'd => I | 'm | you | 're | we | 've | they | 'll | she | 'd
O'Brien's => O'Brien | 's
O’Brien => O’Brien
company’s don’t => company | ’s | do | n’t
dogs' => dogs | '
'Tis 'twas 'em => 'Tis | 'twas | 'em
rock 'n' roll => rock | 'n' | roll
rock'n'roll => rock'n'roll
the 'quoted' word => the | ' | quoted | ' | word
the ‘quoted’ word => the | ‘ | quoted | ’ | word
o'clock y'all ma'am => o'clock | y'all | ma'am
's-Hertogenbosch => 's-Hertogenbosch
'90s => ' | 90s
1990's => 1990 | 's
5'10 => 5 | ' | 10
l'homme => l' | homme
l' homme => l' | homme
L'Homme => L' | Homme
dell'arte => dell' | arte
dell' arte => dell' | arte
qu'il s'est => qu' | il | s' | est
c'est-à-dire => c' | est-à-dire
aujourd'hui => aujourd'hui
d'aujourd’hui => d' | aujourd’hui
l’homme => l’ | homme
quest'anno un'altra => quest' | anno | un' | altra
U.S. => U.S.
in the U.S. => in | the | U.S.
the U.S., e.g. => the | U.S. | , | e.g.
U.S.'s => U.S. | 's
U.S => U.S
u.s.-based non-U.S. => u.s.-based | non-U.S.
a.m. p.m. D.C. => a.m. | p.m. | D.C.
Ph.D. M.Sc. B.A.Sc. => Ph.D. | M.Sc. | B.A.Sc.
PhD Ph.D, => PhD | Ph.D | ,
J. Smith => J. | Smith
J.R.R.Tolkien => J.R.R. | Tolkien
J.R.R. Tolkien => J.R.R. | Tolkien
М.Ю. Лермонтов => М.Ю. | Лермонтов
vitamin C. => vitamin | C | .
plan B.) => plan | B | . | )
plan B. Then => plan | B. | Then
I... => I | ...
Mr. Smith => Mr | . | Smith
Mr. => Mr | .
etc., => etc | . | ,
end.The => end | . | The
No.5 => No | . | 5
20-year-old => 20-year-old
Ein-/Aus-Gang -/a => Ein | - | / | Aus-Gang | - | / | a
(`bar.com` ?Ab.de) => ( | ` | bar.com | ` | ? | Ab.de | )
Jean-Luc => Jean-Luc
pre- and post-war => pre | - | and | post-war
-5 => - | 5
word--word => word | -- | word
a – b—c => a | – | b | — | c
1939–45 1939-45 => 1939 | – | 45 | 1939-45
1,000.50 3.5% => 1,000.50 | 3.5 | %
10:30 1990s 21st 5km => 10:30 | 1990s | 21st | 5km
$5.30 .5 US$10 => $ | 5.30 | .5 | US | $ | 10
1/2 9/11 24/7 10/11/2012 => 1/2 | 9/11 | 24/7 | 10/11/2012
Win 3. => Win | 3 | .
3DTV mp3 A4 => 3DTV | mp3 | A4
and/or => and | / | or
he/she/it violin/viola/ => he | / | she | / | it | violin | / | viola | /
src/lib64/x a/b/ 2010/MI/3/ => src/lib64/x | a | / | b | / | 2010/MI/3 | /
TCP/IP km/h => TCP | / | IP | km | / | h
/usr/lib ./a ../b ~/c => /usr/lib | ./a | ../b | ~/c
src/main.cpp... docs/index.html => src/main.cpp | ... | docs/index.html
C:\\Users\\x \\\\server\\share => C:\\Users\\x | \\\\server\\share
http://example.com/foo_(bar). => http://example.com/foo_(bar) | .
(see http://example.com/) => ( | see | http://example.com/ | )
<https://a.b/c?d=e,f>, => < | https://a.b/c?d=e,f | > | ,
www.example.org, => www.example.org | ,
"www.x.org" => " | www.x.org | "
example.com. google.com's => example.com | . | google.com | 's
example.com/path?q=1! localhost:80 => example.com/path?q=1 | ! | localhost | : | 80
README.md main.py: main.c => README.md | main.py | : | main | . | c
os.path.join => os.path.join
a@b.co.uk! first.last+tag@mail.example.com. => a@b.co.uk | ! | first.last+tag@mail.example.com | .
mailto:me@x.org => mailto | : | me@x.org
#hashtag, #1 @user: => #hashtag | , | #1 | @user | :
#winning! => #winning | !
C++ C# F# .NET AT&T R&D => C++ | C# | F# | .NET | AT&T | R&D
C++11 Notepad++, => C++11 | Notepad++ | ,
foo_bar __init__ => foo_bar | __init__
foo() a[1] => foo | ( | ) | a | [ | 1 | ]
Hello, world! => Hello | , | world | !
What?! => What | ? | !
... .. -- --- ==== => ... | .. | -- | --- | ====
wait...what => wait | ... | what
He said "yes." => He | said | " | yes | . | "
``quoted'' => `` | quoted | ''
`quoted' => ` | quoted | '
-LRB- x -RRB- -lsb- => -LRB- | x | -RRB- | -lsb-
x-LRB- => x-LRB | -
company &apos;s => company | &apos;s
l&apos; homme => l&apos; | homme
&quot;hi&quot; AT &amp; T => &quot; | hi | &quot; | AT | &amp; | T
&#91; 1 &#93; a &lt; b => &#91; | 1 | &#93; | a | &lt; | b
solid @-@ state => solid | @-@ | state
“Text,” he said… => “ | Text | , | ” | he | said | …
«Oui» => « | Oui | »
Ελλάδα Москва 日本語 => Ελλάδα | Москва | 日本語
日本語。はい => 日本語 | 。 | はい
हिन्दी نیم\u200cفاصله => हिन्दी | نیم\u200cفاصله
cafe\u0301 so\u00adft => cafe\u0301 | so\u00adft
✌️👍 => ✌️ | 👍
a\u00a0b\u2009c => a | b | c
"""
EXAMPLES = [line.split(" => ") for line in EXAMPLES.strip().splitlines()]


@pytest.mark.parametrize(("text", "expected"), EXAMPLES, ids=[text for text, _ in EXAMPLES])
def test_examples(text, expected):
    assert words_of(text) == expected.split(" | ")
    assert [described(token) for token in segment(text.encode())] == twin.segment(text.encode())


@pytest.mark.parametrize(
    ("natural", "tokenised"),
    [
        ("the company's", "the company 's"),
        ("the company’s", "the company &apos;s"),
        ("I don't, can't", "I do n't , ca n't"),
        ("l'homme", "l' homme"),
        ("l’homme", "l&apos; homme"),
        ("dell'arte", "dell' arte"),
        ("“Hi,” he said.", "`` Hi , '' he said ."),
        ('"Hi," he said.', "&quot; Hi , &quot; he said ."),
        ("(a) [b] {c}", "-LRB- a -RRB- -LSB- b -RSB- -LCB- c -RCB-"),
        ("[b] | x < y & z", "&#91; b &#93; &#124; x &lt; y &amp; z"),
        ("Mr. Smith", "Mr . Smith"),
        ("Mr. Smith", "Mr. Smith"),
        ("the U.S. Army", "the U.S. Army"),
        ("vitamin C.", "vitamin C ."),
        ("He paid 3.5% or $5.", "He paid 3.5 % or $ 5 ."),
        ("wait… what—now", "wait ... what -- now"),
        ("‘tis O’Brien’s", "` tis O'Brien 's"),
        ("pre‑war", "pre-war"),
    ],
)
def test_tokenised_text_has_the_tokens_of_natural_text(natural, tokenised):
    assert keys_of(natural) == keys_of(tokenised)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ankara'da İstanbul’un", ["Ankara", "'da", "İstanbul", "’un"]),
        ("TDK'nin 1990'da", ["TDK", "'nin", "1990", "'da"]),
    ],
)
def test_turkish_suffixes(text, expected):
    assert words_of(text, "tr") == expected


@pytest.mark.parametrize(
    ("word", "word_class"),
    [
        ("10kV", "quantity"), ("rmb0.308", "quantity"), ("1990s", "quantity"), ("A4", "quantity"),
        ("u.s.", "acronym"), ("U.S.-south", "acronym"), ("e.g.", "acronym"),
        ("belarus-russian", "hyphenated"), ("jong-il", "hyphenated"), ("-il", "other"),
        ("badeshire", "alphabetic"), ("o'brien", "alphabetic"), ("日本", "alphabetic"),
        ("x_y", "other"), (".", "other"), ("foo.bar", "other"), ("a@b.com", "other"),
    ],
)  # fmt: skip
def test_word_classes(word, word_class):
    (token,) = segment(word.encode(), "space")
    assert token.word_class == word_class


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", 0xE357450C6F2DD10C),
        ("a", 0x59C4F2DA980276D2),
        ("the", 0x9D588CBBB7E32F09),
        ("washington", 0xFF6FB0C45FB5EC83),
        ("12345678", 0x66D29827CABBA520),
        ("123456789", 0xFDAE76B681E7C19E),
        ("straße", 0x360D1CD1DB0DB038),
    ],
)
def test_keys_are_part_of_the_file_format(text, value):
    assert hash_of(text.encode()) == value
    for token in segment(text.upper().encode() if text != "straße" else "STRAẞE".encode()):
        assert token.key == value


@given(st.binary(max_size=40))
def test_hash_like_the_twin(data):
    assert hash_of(data) == twin.hash_bytes(data)


def test_every_bit_of_the_key_depends_on_every_bit_of_the_word():
    flips = [[0] * 64 for _ in range(64)]
    samples = [f"{n:08x}".encode() for n in range(0, 1 << 20, 1 << 10)]
    for data in samples:
        value = int.from_bytes(data, "little")
        key = hash_of(data)
        for bit in range(64):
            changed = key ^ hash_of((value ^ 1 << bit).to_bytes(8, "little"))
            for place in range(64):
                flips[bit][place] += changed >> place & 1
    half, spread = len(samples) / 2, 6 * (len(samples) / 4) ** 0.5
    assert all(abs(count - half) < spread for row in flips for count in row)


@given(lines, segmentations, languages)
@examples(200)
@example(b"a" * 300 + b"B" * 70, "raw", "")
@example(b"ABCDEFGH" * 9 + b"'s", "raw", "")
@example("ΑΣ’ς".encode(), "raw", "")
def test_like_the_twin(line, segmentation, language):
    expected = twin.segment(line, segmentation, language == "tr")
    assert [described(token) for token in segment(line, segmentation, language)] == expected


@given(lines, languages)
def test_spans_cover_everything_but_white_space(line, language):
    inside = bytearray(line)
    last = 0
    for token in segment(line, "raw", language):
        assert last <= token.start < token.end
        last = token.end
        for place in range(token.start, token.end):
            inside[place] = 0x20
    assert last <= len(line)
    outside = inside.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    assert outside.strip(twin.SPACES) == ""
    for token in segment(line, "raw", language):
        piece = line[token.start : token.end].decode("utf-8", "surrogateescape")
        assert not set(piece) & set(twin.SPACES)


@given(lines, segmentations, languages, st.sampled_from(["AL", "IU", "AU", "MX", "AN"]), st.data())
@examples(150)
def test_rendering_changes_nothing_but_case(line, segmentation, language, tag, data):
    def fold(piece):
        return casing.fold(piece.decode("utf-8", "surrogateescape"), language)

    for token in segment(line, segmentation, language):
        given_bytes = line[token.start : token.end]
        span = (line, token.start, token.end)
        mask = data.draw(st.one_of(st.just(token.upper_mask), st.integers(0, (1 << 64) - 1)))
        rendered = render(*span, tag, mask, segmentation, language)
        assert fold(rendered) == fold(given_bytes)
        assert len(rendered) <= 2 * len(given_bytes)
        own = render(*span, token.tag, token.upper_mask, segmentation, language)
        if BRACKET_ESCAPE.fullmatch(given_bytes):
            assert own in (given_bytes, given_bytes.upper())
        else:
            assert own == given_bytes


@given(st.one_of(st.text(max_size=12), st.sampled_from(PIECES)), languages, st.data())
@examples(150)
def test_rendering_like_the_twin(word, language, data):
    line = word.encode()
    turkic = language == "tr"
    for token in segment(line, "space", language):
        piece = line[token.start : token.end].decode()
        for tag in ("AL", "IU", "AU", "MX", "AN"):
            mask = data.draw(st.one_of(st.just(token.upper_mask), st.integers(0, 4095)))
            rendered = render(line, token.start, token.end, tag, mask, "space", language)
            assert rendered.decode() == casing_twin.render(piece, tag, mask, turkic)


@given(broken, languages, st.data())
@examples(150)
@example(b"\xe9t\xe9", "", None)
@example(b"\xc9T\xc9", "", None)
def test_rendering_broken_words_like_the_twin(line, language, data):
    turkic = language == "tr"
    for token in segment(line, "space", language):
        piece = line[token.start : token.end].decode("utf-8", "surrogateescape")
        for tag in ("AL", "IU", "AU", "MX", "AN"):
            mask = token.upper_mask if data is None else data.draw(st.integers(0, 4095))
            rendered = render(line, token.start, token.end, tag, mask, "space", language)
            twin_has = casing_twin.render(piece, tag, mask, turkic)
            assert rendered == twin_has.encode("utf-8", "surrogateescape")
        low, first, upper = (
            casing_twin.render(piece, tag, 0, turkic) for tag in ("AL", "IU", "AU")
        )
        if casing_twin.begins_broken(piece, turkic):
            assert token.case_room == 0
            continue
        assert token.case_room == (
            0 if token.tag == "AN" else (first != low) + 2 * (upper != first)
        )


@pytest.mark.parametrize("segmentation", ["raw", "space"])
@pytest.mark.parametrize("word", [b"montr\xe9al", b"\xe9t\xe9", b"caf\xe9", b"t\xc3", b"\x93a\x94"])
def test_a_letter_beside_a_broken_byte_is_not_a_word_of_its_own(word, segmentation):
    (token,) = segment(word, segmentation)
    assert (token.start, token.end, token.tag) == (0, len(word), "AL")
    assert token.word_class == "alphabetic"
    assert token.case_room == (
        0 if word.startswith((b"\xe9", b"\x93")) else 1 if word == b"t\xc3" else 3
    )
    (upper,) = segment(word.upper(), segmentation)
    assert upper.key == token.key
    assert render(word.upper(), 0, len(word), "AL", 0, segmentation) == word


def test_broken_bytes_by_themselves_have_no_case():
    tokens = segment(b"\xff\xfe anna \xc3")
    assert [token.tag for token in tokens] == ["AN", "AL", "AN"]


@pytest.mark.parametrize("segmentation", ["raw", "space"])
def test_a_byte_order_mark_is_no_word(segmentation):
    mark = "\ufeff".encode()
    first, second = segment(mark + b"she smiled", segmentation)
    assert (first.start, first.end, first.flags & twin.SPACE_BEFORE) == (3, 6, twin.SPACE_BEFORE)
    assert first.key == hash_of(b"she")
    assert second.start == 7
    assert segment(mark, segmentation) == []


@given(lines, segmentations, languages)
def test_tags_do_not_depend_on_the_way_there(line, segmentation, language):
    for token in segment(line, segmentation, language):
        if token.tag in ("IU", "AU"):
            for other in ("AL", "IU", "AU"):
                rendered = render(line, token.start, token.end, other, 0, segmentation, language)
                (again, *_) = segment(rendered, "space", language)
                assert token.flags & twin.VARIANT or again.key == token.key


def test_escaped_apostrophe_keeps_its_letters():
    line = b"COMPANY &apos;S O&apos;BRIEN"
    company, possessive, name = segment(line)
    assert render(line, possessive.start, possessive.end, "AL") == b"&apos;s"
    assert render(line, possessive.start, possessive.end, "IU") == b"&apos;S"
    assert possessive.key == hash_of(b"'s")
    assert name.surface == b"O'BRIEN"
    assert render(line, name.start, name.end, "MX", 0b101) == b"O&apos;Brien"
    assert company.upper_mask == 0b1111111


def test_masks_beyond_64_code_points():
    line = b"a" * 63 + b"bC" + b"d" * 200
    (token,) = segment(line)
    assert token.upper_mask == 1 << 63
    assert token.n_code_points == 255
    assert render(line, 0, len(line), "MX", token.upper_mask) == line
    assert render(line, 0, len(line), "MX", 1) == b"A" + line[1:].lower()


@pytest.mark.parametrize(
    ("text", "room"),
    [("a", 1), ("ab", 3), ("1", 0), ("ა", 2), ("აბ", 2), ("ǆ", 3), ("ß", 0), ("'s", 1), ("3d", 1)],
)
def test_room_for_case(text, room):
    (token,) = segment(text.encode())
    assert token.case_room == room


@pytest.mark.parametrize(
    ("text", "mask"),
    [("jean-luc", 0b100001), ("word", 0), ("1-a", 0), ("é-à-b", 0), ("é-à-bc", 0b10101)]
    + [("jean‑luc", 0b100001)],
)
def test_parts_of_hyphenated_words(text, mask):
    (token,) = segment(text.encode())
    assert token.hyphenated_parts == mask


def test_identity_of_forms():
    key = hash_of(b"mcdonald")
    assert form_identity(key, "AL") == form_identity(key, "AN") == key
    assert form_identity(key, "IU", 1) == form_identity(key, "IU", 0)
    forms = [("AL", 0), ("IU", 0), ("AU", 0), ("MX", 5), ("MX", 6), ("MX", 5 | 1 << 63)]
    assert len({form_identity(key, *form) for form in forms}) == len(forms)


@pytest.mark.parametrize("segmentation", ["raw", "space"])
@pytest.mark.parametrize(
    "unit", [b"a", b"(", b"a/", b"/", b"-", b"a-", b"'", b"a'", b".", b"a.", b"@", b"&", b"\xff"]
)
def test_long_chunks(unit, segmentation):
    line = unit * 20_000
    tokens = segment(line, segmentation)
    assert sum(token.end - token.start for token in tokens) == len(line)


def test_empty_and_unknown():
    assert segment(b"") == segment(b" \t ") == segment(b"", "space") == []
    with pytest.raises(ValueError, match="expected 'space' or 'raw'"):
        segment(b"a", "words")
