"""Reading pages back."""

import re
from html.parser import HTMLParser

import pytest

VOID = {"br", "col", "hr", "link", "meta", "wbr"}

BLOCKS = {"p", "div", "table", "ul", "details", "figure", "h1", "h2", "h3", "section"}


class Page(HTMLParser):
    """Checks that elements are nested, and gathers what a page holds."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.elements = []
        self.ids = set()
        self.text = []
        # text of elements of these kinds, in order of the page
        self.texts_of = {"text": [], "h1": [], "td": [], "title": [], "span": []}
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), (tag, names)
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if "id" in attributes:
            assert attributes["id"] not in self.ids
            self.ids.add(attributes["id"])
        # A browser ends a paragraph where a block begins.
        assert not ("p" in self.open and tag in BLOCKS), tag
        if tag in self.texts_of:
            self.texts_of[tag].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.text.append(data)
        for tag in self.texts_of.keys() & set(self.open):
            self.texts_of[tag][-1] += data

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def read_page():
    """Parse a page, and check what holds of all."""

    def read(text):
        page = Page(text)
        assert text.startswith("<!DOCTYPE html>\n")
        for _, attributes in page.elements:
            # Nothing is fetched, and no handler stands in an attribute.
            assert not {"src", "href", "srcset", "action", "xlink:href"} & set(attributes)
            assert not any(name.startswith("on") for name in attributes)
        assert not re.search(r"url\(|@import|https?://", text)
        assert len(page.of("script")) == 1
        assert len(page.of("h1")) == 1
        # The script makes tab stops of regions that scroll, and of those only.
        assert not any("tabindex" in a for a in page.of("div") if a.get("role") == "region")
        policy = next(a["content"] for a in page.of("meta") if "http-equiv" in a)
        assert policy.startswith("default-src 'none'")
        assert "script-src 'unsafe-inline'" not in policy
        return page

    return read
