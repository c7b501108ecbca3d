"""Markdown and HTML: what the model is shown, and that nothing but case changes."""

import sys

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from plain_models import Nothing, Upper
from reference.casing import fold

from truecase.errors import FormatError
from truecase.formats.file_caser import FileCaser
from truecase.formats.registry import read_document

MARKDOWN = """---
title: a page
---
# the bridge #

it is **very**
old, [as anna
says](http://a.b/c "d") in `e f` and ``g ` h``; see [it][i], <http://j.k> \\*not\\* l_m_n _now_.

- [x] one
  goes on
- ![two](u.png) is
  1. three

> quoted ~~text~~
> goes on

setext {/* q */}
======

    code

```python
code
```

| name | of a\\|b | city |
|---|---|---|
| anna | `c` | rome |

<details><summary>more <b>of</b> it</summary>
<pre>code</pre>
</details>

::: note
inside[^1]
:::

[i]: http://o.p "q"
"""
MARKDOWN_LINES = [
    "the bridge",
    "it is very old, as anna says in `e f` and ``g ` h``; see it, *not* l_m_n now.",
    "one goes on",
    "two is",
    "three",
    "quoted text goes on",
    "setext",
    "name",
    "city",
    "anna",
    "rome",
    "more of it",
    "inside",
]
MARKDOWN_KEPT = [
    "title: a page", "http://a.b/c", '"d"', "`e f`", "``g ` h``", "][i]", "<http://j.k>", "[x]",
    "(u.png)", "    code", "python\ncode", "`c`", "<details><summary>", "<pre>code</pre>",
    "{/* q */}", "::: note", "[^1]", '[i]: http://o.p "q"', "a\\|b",
]  # fmt: skip

HTML = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>the page</title>
<script>a = "<p>b</p>";</script><style>p { color: red }</style></head>
<body><!-- c --><h1 class="d">about</h1><p>it is <b>ve</b>ry<br>old &amp; <a href="e>f">anna</a>
says <code>g <i>h</i> <code>i</code></code> caf&eacute;<br><br>next</p>
<ul><li>one<li>two <span translate="no">three</span></ul><pre>j <b>k</b></pre>
<textarea>l</textarea><p class="notranslate">m</p>n < o
</body></html>
"""
HTML_LINES = [
    "the page",
    "about",
    "it is very old & anna says g h i café",
    "next",
    "one",
    "two three",
    "n < o",
]
HTML_KEPT = [
    '<p>b</p>";', "color: red", "c", 'class="d"', 'href="e>f"', "g <i>h</i> <code>i</code>",
    "&eacute;", "three", "j <b>k</b>", "l</textarea>", 'lang="en"', ">m<",
]  # fmt: skip


def squeezed(lines):
    return [" ".join(line.split()) for line in lines]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("text", "format", "lines", "kept"),
    [(MARKDOWN, "markdown", MARKDOWN_LINES, MARKDOWN_KEPT), (HTML, "html", HTML_LINES, HTML_KEPT)],
)
def test_sentences_run_through_markup(cased, lines_of, text, format, lines, kept, end):
    text = text.replace("\n", end)
    assert squeezed(lines_of(text, format=format)) == lines
    out = cased(text, format=format)
    assert out.lower() == text.lower()
    assert [part for part in kept if part.replace("\n", end) not in out] == []
    for word in " ".join(lines).split():
        if word.isalpha() and word not in ("café", "e", "f", "g", "h", "i", "very", "three"):
            assert word.upper() in out


def test_formats_by_name_and_content():
    assert read_document(MARKDOWN.encode(), "a.md").format == "Markdown"
    assert read_document(HTML.encode(), "a").format == "HTML"
    assert read_document(b"<p>a", "a.htm").format == "HTML"
    assert read_document(b"\xff\xfe" + HTML.encode("utf-16-le"), "a").format == "HTML"


def test_letters_before_a_page_are_no_byte_order_mark():
    with pytest.raises(FormatError, match="neither the name nor the content shows"):
        read_document("ÿÿ<html><p>a".encode("cp1252"), "a", encoding="cp1252")


def test_character_set_of_a_page(cased):
    page = '<html><meta charset="iso-8859-1"><p>où'
    assert cased(page.encode("latin-1")) == page.replace("où", "OÙ").encode("latin-1")
    with pytest.raises(FormatError, match="line 2: the character set 'x-none' is not known"):
        cased('<html>\n<meta charset="x-none"><p>a')


def test_tags_that_are_not_closed(lines_of):
    assert squeezed(lines_of("<p title=it's>a</p>b <c", format="html")) == ["a", "b <c"]
    assert squeezed(lines_of("<p " + "a" * 9999 + " b", format="html"))[0].startswith("<p a")


def test_front_matter_of_its_own_kind(lines_of):
    assert squeezed(lines_of("+++\na = 1\n+++\nb\n", format="markdown")) == ["b"]
    assert squeezed(lines_of("---\n\nb\n\n---\nc\n", format="markdown")) == ["c"]
    assert squeezed(lines_of("a\n\n---\nb\n", format="markdown")) == ["a", "b"]


SIGNS = [
    "a", "É", "ß.", " ", "\n", "\n\n", "\r\n", "\t", "- ", "1. ", "> ", "# ", "|", "---", "`",
    "```\n", "*", "_", "[", "](", ")", "<b>", "</b>", "<p>", "<pre>", "</pre>", "<!--", "-->", "&",
    "&amp;", "\\", "$", "<br>", "    ", "\0", "<code>", "</code>", "<script>", "\x0b", "\u2028",
    '"', "!!! a", "=== \"", "::: ", "[!a] ", ": ", "{{<", "<math>", "</math>", "```{note} a\n",
    "~~~{b}\n", "<button>", "</button>",
]  # fmt: skip


def folded(text):
    return "".join(map(fold, text))


NO_TEXT = r"""import Ham from 'ham'

export const eggs = {
  of: 'spain'
}

# on eggs <!-- toc: no -->

we fry $x_i =
y$ eggs, `a
b`, as \(e^x\) or \autoref{fig:a-b} in [@key:a-b; -@{c-d}] say. @key2 is :thumbs_up: and
[[egg|the egg]] or [[ham]]

$$
e = \sum_i h_i
- k
$$ {#eq:one}

for one

$$
R = a
$$ (eq:ham)

of $ a_i^k $ it

\begin{align}
  a &= b.
\end{align}

for two

\[ a \]

$
S = T
$

For three
~~~
$$ x
~~~
"""


def test_comments_roles_and_terms_with_maths_are_no_text(cased, lines_of):
    text = "`|` of [egg-a1](http://x.y/egg-a1/) [..b].c, [ham-a](z) is\n"
    assert squeezed(lines_of(text, format="markdown")) == ["3,000 of egg-a1 [..b].c, ham-a is"]
    expected = text.replace("of", "OF").replace("ham-a", "HAM-A").replace("is", "IS")
    assert cased(text, format="markdown") == expected
    text = "we fry\n\n% an egg\n%% or ham %%\n\nsee {ref}`a-b` and {doc}`c d`, $P$-a.s. it is\n"
    assert squeezed(lines_of(text, format="markdown")) == [
        "we fry",
        "see 3,000 and 3,000, 3,000 it is",
    ]
    expected = text.replace("we fry", "WE FRY").replace("see", "SEE").replace(" and", " AND")
    assert cased(text, format="markdown") == expected.replace("it is", "IT IS")


def test_maths_keys_and_modules_are_no_text(cased, lines_of):
    lines = squeezed(lines_of(NO_TEXT, format="markdown"))
    assert lines == [
        "on eggs",
        "we fry 3,000 eggs, `a b`, as 3,000 or 3,000 in @key:a-b; -3,000 say. @key2 is and the egg "
        "or [[ham]] 3,000 for one 3,000 of 3,000 it",
        "for two",
        "For three",
    ]
    out = cased(NO_TEXT, format="markdown")
    assert out.lower() == NO_TEXT.lower()
    kept = "import Ham from 'ham'|of: 'spain'|toc: no|`a\nb`|x_i =\ny|e^x|fig:a-b|@key:a-b|c-d"
    kept += (
        "|:thumbs_up:|[[egg||[[ham]]|(eq:ham)|a_i^k|\\sum_i h_i\n- k|#eq:one|a &= b|\\[ a \\]|$$ x"
    )
    assert all(part in out for part in kept.replace("[[egg|", "[[egg").split("|") if part)
    assert "FOR ONE" in out and "|THE EGG]]" in out


def test_code_within_components_and_options_are_no_text(cased, lines_of):
    page = (
        "(the-top)=\n# the top\n\n<Tab of='a'>\n     ```js of='b'\n     egg\n\n     ham\n     ```\n"
        "</Tab>\nand on\n\n> ~~~\n> egg\n> ~~~\n\n:::{egg} the ham\n:name: ham-egg\n:class: b\n"
        ":ham: we fry\n:::\n\n```an egg```, or two\n\n```\nan open egg\n"
    )
    assert squeezed(lines_of(page, format="markdown")) == [
        "the top", "and on", "the ham", "we fry", "`3,000`, or two"
    ]  # fmt: skip


BOXES = r"""[TOC]

!!! note "note"
    an egg

        code

    - in spain

      - two

??? tip inline end
    !!! danger

        three

    and on
=== "the tab"

    four

> [!note]- five
> six

> [!TIP]
> seven

::: details of ham ::::
eight
:::

:::note[nine]{#a}
ten
:::

::: ham.Egg
    options: no

:::{figure} a/b.png
:::

{{< ham "Egg" >}}
eleven\
and on ++ctrl+x++ in [it](a){b="c"} or [it](d){ .e }
{{% /ham %}}

the egg
: is round
:   or so
"""
BOXES_LINES = [
    "note", "an egg", "in spain", "two", "and on", "three", "the tab", "four", "five", "six",
    "seven", "of ham", "eight", "nine", "ten", "eleven and on ++ctrl+x++ in it or it", "the egg",
    "is round", "or so",
]  # fmt: skip


def test_boxes_and_definitions(cased, lines_of):
    assert sorted(squeezed(lines_of(BOXES, format="markdown"))) == sorted(BOXES_LINES)
    out = cased(BOXES, format="markdown")
    assert out.lower() == BOXES.lower()
    kept = """!!! note "NOTE"|        code|options: no|[TOC]|++ctrl+x++|[!TIP]|a/b.png|{b="c"}|"""
    kept += '{ .e }|{{< ham "Egg" >}}|::: details OF HAM'
    assert [part for part in kept.split("|") if part not in out] == []


DIRECTIVES = """```{tip} the ham
---
class: egg
---
we fry
~~~{seealso}
two
~~~
```{code-cell} python
egg = "ham"
```
in a pan
```

- one

  ````{figure} a/b.png
  :name: the-egg
  three
  ````
> ```{note}
> four
> ```

:::{code-block} sh
ls the ham
:::
:::{prf:lemma} of the egg
five
:::

````{other} six
```{note}
seven
```
````
```{r}
eight
```
"""


def test_fences_of_directives_hold_text_or_code(cased, lines_of):
    assert sorted(squeezed(lines_of(DIRECTIVES, format="markdown"))) == sorted(
        ["the ham", "we fry", "two", "in a pan", "one", "three", "four", "of the egg", "five"]
    )
    out = cased(DIRECTIVES, format="markdown")
    assert out.lower() == DIRECTIVES.lower()
    kept = (
        "```{tip} THE HAM|class: egg|{code-cell} python|{figure} a/b.png|:name: the-egg|ls the ham"
    )
    assert [
        part for part in (kept + "|six|{note}\nseven|eight").split("|") if part not in out
    ] == []


def test_names_that_people_have_chosen_stay(cased):
    for host in ("https://github.com/", "https://www.gitlab.com/", "https://eggs.example/@"):
        page = f"by <a href='{host}egg_x/'><img src=a> <b>egg-x</b></a> and ham\n"
        assert ">EGG-X<" in cased(page, format="html")
        page = page.replace("egg_x", "egg-x")
        assert cased(page, format="html") == page.replace("by", "BY").replace("and ham", "AND HAM")
        text = f"by [egg]({host}egg) and [<b>@egg</b>]({host}egg), [ham]({host}egg)\n"
        wanted = text.replace("by", "BY").replace(" and", " AND").replace("[ham]", "[HAM]")
        assert cased(text, format="markdown") == wanted
    page = "<p><a href='https://eggs.example/ham'>ham</a></p>\n"
    assert cased(page, format="html") == page.replace(">ham", ">HAM")


def test_definitions_that_are_comments_stay(cased):
    page = "[comment]: # the egg of it\n\nham\n\n[//]: # (a ham in it)\n"
    assert cased(page, format="markdown") == page.replace("\nham", "\nHAM")


def test_cased_paragraphs_go_on_in_lower_case(lines_of):
    page = "We fry\n```\negg\n```\nand eat it:\n\nham, too.\n\nno\n\n# The end\n\nof it\n"
    assert squeezed(lines_of(page, format="markdown")) == [
        "We fry 3,000 and eat it: 3,000 ham, too.", "no", "The end", "of it"
    ]  # fmt: skip
    assert squeezed(lines_of("we fry\n\nand eat", format="markdown")) == ["we fry", "and eat"]


def test_comments_in_front_of_text_and_boxes_in_lists(cased, lines_of):
    page = "egg\n:   <!-- a:b --> is\n    round\n:   !!! tip\n\n        eat it\n\n:sort: egg\n"
    assert squeezed(lines_of(page, format="markdown")) == ["egg", "is round", "eat it"]
    assert "!!! tip\n\n        EAT IT\n\n:sort: egg\n" in cased(page, format="markdown")


@pytest.mark.parametrize("line", ["!!!" + "a" * 9999 + "?", "::: a" + " " * 9999 + "{", ":" * 9999])
def test_lines_like_boxes_take_little_time(cased, line):
    assert cased(line, format="markdown").lower() == line.lower()


def test_pictures_and_formulas_stand_within_a_sentence(cased, lines_of):
    page = "<p>an <svg><path/></svg> egg <math><mi>x</mi></math> is</p><p>two</p>"
    assert squeezed(lines_of(page, format="html")) == ["an egg 3,000 is", "two"]
    assert cased(page, format="html") == page.replace("an", "AN").replace("egg", "EGG").replace(
        "is<", "IS<"
    ).replace("two", "TWO")


def test_branches_of_templates_begin_alike(lines_of):
    page = "<p>{% if a %}egg{% elif b %}ham{% else %}an {{ a|b }}kg{% endif %}</p>"
    page += "{{#if a}}eat{{else}}fry{{/if}}<p>we {% if a %}eat{% else %} fry{% endif %}</p>"
    shown = squeezed(lines_of(page, format="html"))
    assert shown == ["egg", "ham", "an 7kg", "eat", "fry", "we eat fry"]


def test_statements_behind_an_at_sign_are_no_text(cased, lines_of):
    page = (
        "<ul>@for (egg of eggs(); track egg.id) { <li>fry @egg.name(1 + (2 * 3)) now</li> } "
        "@empty {}</ul><p>@if(pan.isHot(1)) {eat} @else if (a !== b) {cook} @else {fry}</p>"
        "<b>@foreach($a->all() as $b)</b><i>@(egg + 1) eggs</i><p>ask me @ham (or @(not</p>"
    )
    assert squeezed(lines_of(page, format="html")) == [
        "fry now", "} @empty {}", "eat}", "cook}", "fry}", "eggs", "ask me @ham (or @(not"
    ]  # fmt: skip
    out = cased(page, format="html")
    assert "(egg of eggs(); track egg.id) { <li>FRY @egg.name(1 + (2 * 3)) NOW" in out


@pytest.mark.parametrize("sign", ["@(", "@(a", "@if (", "@else if(b ", "@a(()", "@" * 9, "@a."])
def test_open_statements_take_little_time(cased, sign):
    assert cased(sign * 20_000, format="html").lower() == sign * 20_000


def test_buttons_stand_within_a_sentence_or_alone(lines_of):
    page = "<p>press <button class=a>fry</button> or <button>eat</button> for an egg</p>"
    page += "<div><button>one</button> <button>two</button></div><h1>ham <button>off</button></h1>"
    page += "<p><picture><img></picture> of <output>5</output> eggs</p>"
    assert squeezed(lines_of(page, format="html")) == [
        "press fry or eat for an egg", "one", "two", "ham", "off", "of 5 eggs"
    ]  # fmt: skip


@pytest.mark.parametrize("format", ["markdown", "html"])
@examples(200)
@given(parts=st.lists(st.one_of(st.sampled_from(SIGNS), st.text(max_size=2)), max_size=30))
def test_any_text_keeps_all_but_case(format, parts):
    data = "".join(parts).encode("utf-8", "replace")
    document = read_document(data, "file", format)
    assert b"".join(FileCaser(document, Nothing()).output()) == data
    out = b"".join(FileCaser(document, Upper()).output())
    assert folded(out.decode()) == folded(data.decode())


@pytest.mark.parametrize(
    ("package", "name", "message"),
    [
        ("markdown_it", "a.md", "a.md: Markdown needs markdown-it-py: pip install"),
        ("yaml", "a.yml", "a.yml: YAML needs PyYAML: pip install"),
    ],
)
def test_missing_packages_are_named(monkeypatch, package, name, message):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(FormatError, match=message):
        read_document(b"a: b\n", name)


def test_code_between_tags_is_no_text_in_markdown(cased):
    text = "we fry <code>eggs &#124; ham</code>, <kbd class='a'>b *c*</kbd>\n\n"
    text += "| a | b |\n| - | - |\n| <var>no</var> and | <code>egg</code> is |\n"
    wanted = text.upper()
    for kept in ("<code>eggs &#124; ham</code>", "<kbd class='a'>b *c*</kbd>", "<var>no</var>"):
        wanted = wanted.replace(kept.upper(), kept)
    assert cased(text, format="markdown") == wanted.replace("<CODE>EGG</CODE>", "<code>egg</code>")


def test_statements_of_templates_are_no_text(cased, lines_of):
    page = (
        "---\nlayout: egg\n---\n{% extends 'a' %}\n{% block b %}ham{% endblock %}\n{# a note #}"
        "<p>{% blocktrans trimmed %}\nlike an egg\n{% endblocktrans %} it {% trans 'is' %} so</p>"
        "{% comment %}\n<b>no</b>\n{% endcomment %}<?php if ($a > 3) echo 'b'; ?><% if c > 4 %>two"
        "<% end %>$if(toc-a)$<p {{ b }} c={d > {5}}>use `<Egg>` now</p>"
    )
    assert squeezed(lines_of(page, format="html")) == [
        "ham", "like an egg", "it so", "two", "use `<Egg>` now"
    ]  # fmt: skip
    out = cased(page, format="html")
    assert "{# a note #}<p>{% blocktrans trimmed %}\nLIKE AN EGG" in out
    assert "$if(toc-a)$<p {{ b }} c={d > {5}}>USE `<Egg>` NOW</p>" in out


@pytest.mark.parametrize(
    "part",
    ["{# ", "{% comment %} ", "<a {b", "<% ", "<?php ", "`a ", "^[a", "{{ a|", "<%= ", "{{{ |"]
    + ["{% schema %}", "{% doc %}{% schema %}", "<a <%", "{{< code >}}\n", "%%a ", "#a/", "![[a|"],
)
def test_statements_without_an_end_take_little_time(cased, part):
    page = part * 9999 + ">"
    for format in ("html", "markdown"):
        assert cased(page, format=format).lower() == page.lower()


def test_pairs_of_statements_hold_code_or_text(cased, lines_of):
    page = (
        "{% comment %}\nno {% render 'egg', a: b %}\n{% endcomment %}<p>an egg</p>{% schema %}\n"
        '{"name": "t:egg"}\n{% endschema %}{%- style -%}\n.a { b: {{ c }}; }\n{%- endstyle -%}'
        "{% raw %}ham{% endraw %}<p <%= a > 1 ? 'b' : 'c' %>>two</p><i <% d >>"
    )
    assert lines_of(page, format="html") == ["an egg", "ham", "two"]
    out = cased(page, format="html")
    assert out == page.replace(">an egg", ">AN EGG").replace("ham", "HAM").replace("two", "TWO")
    page = (
        "an egg\n\n{{< highlight go >}}\nno()\n\nnor()\n{{< /highlight >}}\n\n{{< code-toggle >}}\n"
        "[no]\n{{< /code-toggle >}}\n\n{% highlight sh %}\nno\n{% endhighlight %}\n\nham\n\n"
        '{{< img\n  src="no"\n  alt="no"\n>}}\n\n'
        "{{note {by: 'no'}\ntwo\nnote}}\n\n{{< code-pen a >}}\nopen\n"
    )
    assert squeezed(lines_of(page, format="markdown")) == ["an egg", "ham", "two", "open"]
    kept = page.replace("an egg", "AN EGG").replace("ham", "HAM").replace("two", "TWO")
    assert cased(page, format="markdown") == kept.replace("open", "OPEN")


def test_names_of_pictures_and_attributes_of_blocks_stay(cased, lines_of):
    page = (
        "<p>fry <i class='material-icons'>done</i> it</p>"
        "{% block a_attributes %}id='b'{% endblock %}"
        "<b class='Material-Symbols-Outlined'>egg_alt</b>"
    )
    assert squeezed(lines_of(page, format="html")) == ["fry done it"]
    assert cased(page, format="html") == page.replace("fry", "FRY").replace(" it<", " IT<")


def test_markup_of_markdown_within_components(cased, lines_of):
    page = "<Note>\n  see [`egg`][egg-a], [ham](./ham.md) and *one*\n</Note>\n"
    assert squeezed(lines_of(page, format="markdown")) == ["see `egg`, ham and one"]
    assert cased(page, format="markdown") == (
        "<Note>\n  SEE [`egg`][egg-a], [HAM](./ham.md) AND *ONE*\n</Note>\n"
    )


def test_exports_of_mdx_go_on_behind_blank_lines(cased, lines_of):
    page = "export const eggs = [\n  {of: 'no'},\n\n  {of: 'no'}\n]\n\nham\n\nexport it (\n"
    assert squeezed(lines_of(page, format="markdown")) == ["ham", "export it ("]
    assert cased(page, format="markdown") == page.replace("ham\n\nexport it", "HAM\n\nEXPORT IT")


def test_embedded_notes_comments_and_tags_of_obsidian_are_no_text(cased, lines_of):
    page = "![[an egg.png]] see ![[a|the ham]] and %%no%% 5% of it #a/b-c, #1/2\n\n* TOC\n{:toc}\n"
    assert squeezed(lines_of(page, format="markdown")) == [
        "![[an egg.png]] see the ham and 5% of it #a/b-c, #1/2"
    ]
    assert cased(page, format="markdown") == (
        "![[an egg.png]] SEE ![[a|THE HAM]] AND %%no%% 5% OF IT #a/b-c, #1/2\n\n* TOC\n{:toc}\n"
    )


def test_items_with_letters_and_lines_in_bold(cased, lines_of):
    page = "one:\n\na.  egg\nb.  ham\n\n(ii) two\n\nA.  three\n\nplan\na. is\n"
    assert squeezed(lines_of(page, format="markdown")) == [
        "one:", "egg", "ham", "two", "three", "plan a. is"
    ]  # fmt: skip
    assert cased(page, format="markdown").startswith("ONE:\n\na.  EGG\nb.  HAM\n\n(ii) TWO")
    page = "**To fry**\nAn egg\n\n**Ann Marsh**\nis here\n\nwe **fry**\nit\n"
    assert squeezed(lines_of(page, format="markdown")) == [
        "To fry", "An egg", "Ann Marsh is here", "we fry it"
    ]  # fmt: skip


def test_notes_and_references_of_pandoc(cased, lines_of):
    page = "---\na: b\n...\nan egg^[It is [so](c). See.] is in \\@ref(fig:a-b), `x = '.'` too\n"
    assert squeezed(lines_of(page, format="markdown")) == [
        "an egg is in 3,000, 3,000 too",
        "It is so. See.",
    ]
    assert cased(page, format="markdown") == (
        "---\na: b\n...\nAN EGG^[IT IS [SO](c). SEE.] IS IN \\@ref(fig:a-b), `x = '.'` TOO\n"
    )


def test_a_fence_ends_at_a_fence_without_a_name(cased, lines_of):
    page = "- one\n\n   ```sh\n   fry it\n\n- two\n\n   ```sh\n   eat it\n   ```\n\n- three\n"
    assert squeezed(lines_of(page, format="markdown")) == ["one", "three"]
    assert cased(page, format="markdown").endswith("   eat it\n   ```\n\n- THREE\n")


def test_a_capital_behind_a_line_break_begins_a_text(lines_of):
    page = "<p>libegg<br/>\n<b>By Ann<br>of ham<br>A fry<br>An egg</b></p><p>AN EGG<br>IS</p>"
    assert squeezed(lines_of(page, format="html")) == [
        "libegg", "By Ann of ham A fry", "An egg", "AN EGG IS"
    ]  # fmt: skip


def test_small_notes_of_cased_text_and_classes_of_templates_stay(lines_of):
    assert squeezed(lines_of("An egg^[see there].", format="markdown")) == ["An egg."]
    assert squeezed(lines_of("an egg^[see there].", format="markdown")) == ["an egg.", "see there"]
    page = "<p>{% block body_class %}wide{% endblock %}{% block title %}egg{% endblock %}</p>"
    assert lines_of(page, format="html") == ["egg"]


def test_numbers_of_items_are_no_text(lines_of):
    page = "- [[#81](a)] an egg\n- [#12] two\n- [3](b) ham\n- see [#4](c) now\n"
    assert squeezed(lines_of(page, format="markdown")) == ["an egg", "two", "ham", "see #4 now"]
    page = "- [NEW] an egg\n- [HAM](b) is [NEW]\n- [new] one\n"
    assert squeezed(lines_of(page, format="markdown")) == ["an egg", "HAM is NEW", "new one"]


def test_values_of_templates_stay_and_names_of_pages_with_templates_are_known(cased, lines_of):
    page = (
        "<p>an {{ egg({a: {b: 'c d'}}, e = false) }} is <%= t :fry, :as => it %> or {{ name }}</p>"
        "{% set a = '%b%'|c %}{{#if d}}two{{/if}}<?= $of ?>{# an # #}"
    )
    assert squeezed(lines_of(page, format="html")) == [
        "an 3,000 is 3,000 or {{ name }}",
        "two3,000",
    ]
    assert cased(page, format="html") == page.replace("<p>an", "<p>AN").replace(
        "is <", "IS <"
    ).replace("> or {{ name", "> OR {{ NAME").replace("two", "TWO")
    assert [read_document(b"<p>a", f"a{end}").kind.name for end in (".twig", ".html.erb")] == [
        "html", "html"
    ]  # fmt: skip


def test_footnotes_of_several_paragraphs(cased, lines_of):
    page = "egg[^a]\n\n[^a]: see ham\n\n    it is old\n\n        code\n\nnow\n\n    code\n"
    assert squeezed(lines_of(page, format="markdown")) == ["egg", "see ham", "it is old", "now"]
    assert "    IT IS OLD\n\n        code\n" in cased(page, format="markdown")


def test_a_blank_to_fill_in_is_read_at_once(lines_of):
    data = "Name: [" + "_" * 90 + "] and [a_b](x/a_b) of rome\n"
    assert len(lines_of(data, format="markdown")) == 1
