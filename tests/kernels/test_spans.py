"""Spans of addresses, code and markup: against the plain twin, by example, on hostile lines."""

# The tables are easier to read in lines of their own.
# ruff: noqa: E501

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from reference import spans as twin
from truecase_testing import segment

from truecase.kernels._spans import find_spans

# One line each: the text, and its spans, separated by blanks unless by " | "; ? after the unsure.
EXAMPLES = r"""
see https://youtu.be/dQw4w9WgXcQ now => https://youtu.be/dQw4w9WgXcQ
begin with https:// or "Git+ssh://", HTTP://. => https:// | Git+ssh:// | HTTP://
mended in Owner/Project#12, not and/or, he/she#x or C#7 => Owner/Project#12
(https://a.org/Foo_(Bar)). <http://A.b> => https://a.org/Foo_(Bar) | <http://A.b>
www.Example.com/Path?Q=1, youtu.be/X => www.Example.com/Path?Q=1 | youtu.be/X
Example.com:8080/X and GitHub.com. => Example.com:8080/X | GitHub.com
mailto:Me@X.org Me.You+Z@Example.COM git@github.com:User/Repo.git => mailto:Me@X.org | Me.You+Z@Example.COM | git@github.com:User/Repo.git
@RealName, #MeToo #1 C# @Scope/pkg => @RealName | #MeToo | @Scope/pkg
C:\Windows\System32. C:\Program Files\Foo Bar\x.exe now => C:\Windows\System32 | C:\Program Files\Foo Bar\x.exe
\\Server\Share /home/Doc. ~/Foo ./Bar ../Baz => \\Server\Share | /home/Doc | ~/Foo | ./Bar | ../Baz
README.md, main.c .gitignore src/Foo.cpp => README.md | main.c | .gitignore | src/Foo.cpp
src/Foo/bar_baz a/B/9 Docs/ => src/Foo/bar_baz | a/B/9 | Docs/ ?
use --Flag, --key=Value -la -X -name => --Flag | --key=Value | -la | -X | -name ?
getUserName() snake_case __a__ a.b.c() os.path.Join => getUserName() | snake_case | a.b.c() | os.path.Join
std::Vector a->B Foo#bar MAX_SIZE Foo.Bar => std::Vector | a->B | Foo#bar | MAX_SIZE | Foo.Bar ?
`Back Quoted` and ``Two ` of`` it, `Foo`s => `Back Quoted` | ``Two ` of`` | `Foo`
`foo' or `bar', don`t can`t, `` quoted '' =>
%s %1$s %-5.2f %(Name)s %PATH% %@ 5% 100%s => %s | %1$s | %-5.2f | %(Name)s | %PATH% | %@
{name} ${Var} {{ page.Title }} {% If a %} {0} => {name} | {Var} | {{ page.Title }} | {% If a %} | {0}
{\an8}Text {y:i} \emph{Word} {not this} => {\an8} | {y:i} | \emph{
[[Some Link|text]] [Text](Foo/Bar.md "T") [a] => [[Some Link|text]] | ](Foo/Bar.md
[!NOTE] Use it [!tip], not [!], [!a b] or [!A => [!NOTE] | [!tip]
\n Line\nNext $Var $US5 US$ => \n | \nNext | $Var
&nbsp; &#160; &#xA0; AT&T; a & b; => &nbsp; | &#160; | &#xA0;
<i>Text</i> <a href="X y">T</a> <br/> a < b => <i> | </i> | <a href="X y"> | </a> | <br/>
aGVsbG8gV29ybGQxMjM0NTY3ODk= d670460b4b4aece5 e5b6726 => aGVsbG8gV29ybGQxMjM0NTY3ODk= | d670460b4b4aece5 | e5b6726
9F6A9B4C-1B2C-4D5E-8F90-0123456789AB => 9F6A9B4C-1B2C-4D5E-8F90-0123456789AB
{base}/Docs/a ({{ site.Repo }}/Issues/9) x}/Y => {base} | /Docs/a | {{ site.Repo }} | /Issues/9 | /Y
localhost:3000/Api Localhost:80 10.0.0.1:8080/X, 1.2.3:4/X => localhost:3000/Api | 10.0.0.1:8080/X
arn:aws:S3:::Bucket/Key, urn:A => arn:aws:S3:::Bucket/Key | urn:A
doi 10.1000/Xyz.12(A)b, 10.12/Abcde 0xDEADbeef 0xBAG1234 => 10.1000/Xyz.12(A)b | 0xDEADbeef
// --Snip-- => --Snip--
in 2.7.1+Ds-3 or 4.1~RC2, not 12+DS or v2.1 => 2.7.1+Ds-3 | 4.1~RC2
he left --Naturally-- at once, --so-- => --so--
--naturally-- he left --a--b-- =>
text/HTML, Image/svg+XML multipart/form-data. application/x-Tar => text/HTML | Image/svg+XML | multipart/form-data | application/x-Tar
application/vnd.ms-Excel, audio/a.B. text/b. => application/vnd.ms-Excel | audio/a.B
audio/video text/image image/pngs x-text/html =>
AND/OR w/o him/her TCP/IP 24/7 km/h he/she/it =>
C# C++ a.m. U.S. e.g. Ph.D. U.S.-based J.R.R.Tolkien =>
don't O'Brien state-of-the-art 1990s 10,000BC 3.5 20-year-old =>
-Hello. -No, - Yes. -- And 5 -- pre- and post- -LRB- x -RRB- =>
`` Yes , '' he said . `` No . '' =>
end.The Mr.Smith No.5 => end.The ? | Mr.Smith ?
1234567 defaced 10000000ad A1234567 =>
$P = mv$ of $n$ in $R^d$ $$ a_i $$ => $P = mv$ | $n$ | $R^d$ | $$ a_i $$
$5 or $10, A$ or C$, $q = 1; $w, $x and y$ $k$-fold $3$ => $q | $w | $x | $k$
\cite[p. 3]{Elm:99} \citep{A}, \AutoRef{Fig:B} \label x \Emph{C} => \cite[p. 3]{Elm:99} | \citep{A} | \AutoRef{Fig:B} | \label | \Emph{
\(A_{ij}\) \[ B \] \(C \[D\) \section*{The X} \alpha{E} => \(A_{ij}\) | \[ B \] | \(C \[D\) | \section*{ | \alpha{E}
\olimport{vn}, \C{c} \Term[a]{Two} \term{two words} => \olimport{vn} | \C | \Term[a]{Two} | \term
\begin{align*} \Alpha &= b \end{Align*}, \input{C/d} => \begin{align*} | \Alpha | \end{Align*} | \input{C/d}
\Section{The X} \Cite[A => \Section{ | \Cite
:smile: :Sad_Face:, 10:30:15 a:b:c ::d: :e => :smile: | :Sad_Face:
:net:Elm_2, :a:b: => :net:Elm_2 | :a:b
"/home/Doc" “/home/Doc” (see Foo.html#Bar) => /home/Doc | /home/Doc | Foo.html#Bar
"""
EXAMPLES = [line.split(" =>") for line in EXAMPLES.strip().splitlines()]


def texts_of(line):
    data = line.encode()
    return [data[s.start : s.end].decode() + (" ?" if s.unsure else "") for s in find_spans(data)]


@pytest.mark.parametrize(("text", "expected"), EXAMPLES, ids=[text for text, _ in EXAMPLES])
def test_examples(text, expected):
    assert texts_of(text) == [span.strip() for span in expected.split(" | ") if span.strip()]
    assert find_spans(text.encode()) == [tuple(span) for span in twin.find_spans(text.encode())]


PIECES = r"""
text image/ /png + /svg+xml /x- application
https:// http:// www. mailto: example .com .org .md .c .txt .be me you@ @ # / // \ \\ ./ ../ ~/ C:\ C:/ : ::
-> --flag -la -x - -- = () ( ) [ ] [[ ]] ]( { } {{ }} {% %} {\ <i> </i> < > <a / > href="x" <x:y &nbsp; &# ;
& % %s %d %1$ %( hh 5 0 .5 $ $Var US { name } _ snake_case __ ` `` ``` ' '' " “ ” « a b A B I the The AND
OR U.S. e.g. word Word WORD é É 日本 e\u0301 \u00a0 \u2028 … – . .. ... , ! ? ; 1 12 99 ab12cd34 DEADBEEF 0xDEADBE localhost :80/ 10.0.0.1 10.1000/ 10.
\cite \begin \end {equation} {align*} \section \item \( \) \[ \] $$ $x$ $A_i$ :smile: cite ref \emph \Textbf{ \(x\)
aGVsbG8gV29ybGQx 0123abcd- 9F6A9B4C-1B2C-4D5E-8F90-0123456789AB s + ++ * | ^ ~ İ ı ǅ 𐐀 \n \t
""".split() + [" ", " ", " ", "\t", "\\n", "Program Files\\", "\v"]  # fmt: skip
pieces = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
spaced = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join)
texts = st.one_of(pieces, spaced, st.text(max_size=30)).map(str.encode)
broken = st.lists(
    st.sampled_from([piece.encode() for piece in PIECES])
    | st.sampled_from(
        [b"\xff", b"\xe2\x80", b"\x93", b"\xc3", b"\xf0\x9f", b"\xc2", b"\xa0", b"\x85"]
    ),
    max_size=12,
).map(b"".join)
lines = st.one_of(
    texts,
    broken,
    st.text("abC1 ._-/\\:@#%${}[]()<>&;`'=+~\"é“", max_size=24).map(str.encode),
    st.text("ab1 `.-/", max_size=40).map(str.encode),
)


@given(lines)
@examples(300)
@example(b"`a `b` c")
@example(b"\xe2\x80--flag")
@example(b"\xe2\x80\\\\https://")
@example(b"\xe2\x80/home a\x93/home")
@example(b"%hh %hhd %5.x %l")
@example(b"text/x-")
@example("é\udce2\udc80/a".encode("utf-8", "surrogateescape"))
def test_like_the_twin(line):
    assert find_spans(line) == [tuple(span) for span in twin.find_spans(line)]


@given(lines, st.sampled_from(["raw", "space"]))
@example(b"`0`:0/", "space")
@example(b"0l.C. ..", "raw")
@example(b"3.5+x `b`", "raw")
@examples(200)
def test_tokens_are_flagged_like_the_twin(line, segmentation):
    tokens = segment(line, segmentation)
    assert [(token.held, token.markup) for token in tokens] == twin.held(line, tokens)


@given(lines)
def test_letters_count_alike_in_either_case(line):
    # Base64 is told by its case; letters whose other case has another length move the spans.
    if not line.isascii():
        return
    found = [span for span in find_spans(line) if not is_base64(line, span)]
    again = [span for span in find_spans(line.upper()) if not is_base64(line, span)]
    assert found == again


def is_base64(line, span):
    piece = line[span.start : span.end].decode().rstrip("=")
    return twin.Scan(piece).is_base64(piece)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("see /home/Doc", "keeps"), ("see /home/doc", "lowers"), ("SEE /HOME/DOC", "lowers"),
        ("/HOME/DOC", "lowers"), ("disk.reader", "lowers"), ("MAX_SIZE", "keeps"), ("SET MAX_SIZE", "lowers"),
        ("See end.The", "keeps"), ("see end.the", ""), ("I 9 MAX_SIZE", "keeps"), ("日本 /a", "lowers"),
    ],
)  # fmt: skip
def test_what_the_line_says_of_case(text, held):
    assert segment(text.encode())[-1].held == held


@pytest.mark.parametrize(
    "unit",
    [
        "`", "` ", "`a", "`a ", "``a`", "` `` ``` ", "{", "{ ", "{{", "{a", "{\\", "}", "[", "[[", "[[a", "](", "](a[]", "[!", "[!a",
        "<", "<a", "<a ", "</", "&", "&a", "&#", "%", "%(", "%(a", "%a", "%1$", "\\", "\\\\", "\\a", "C:\\", "C:\\a b",
        "$", "$a", "@", "@a", "#", "#a-", "-", "--", " -a", " -a-", " --a=", "/", "/.", "/../", " /", "~", "~/", ".", ".a",
        "a.", "a.b", "a/", "a/b", "a@", "a:", "a::", "a-", "a->", "a_", "a://", "http://", "a()", "a(", "a1", "aA1",
        "\xe9", "\xff", "a b ", "=" , "a=", " a:", "mailto:", "www.",
        "$$", "$a ", "\\(", "\\cite{", "\\cite[", "\\begin{align}", "\\end{", ":a", " :a",
    ],
)  # fmt: skip
def test_long_lines(unit):
    # Nothing asserts a time here; were it quadratic, the test would not end.
    line = unit.encode("latin-1") * (400_000 // len(unit))
    last = 0
    for span in find_spans(line):
        assert last <= span.start < span.end <= len(line)
        last = span.end
    tokens = segment(line, "space")
    assert tokens[-1].end <= len(line)
