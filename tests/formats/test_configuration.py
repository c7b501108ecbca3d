"""JSON and YAML given by mistake: what is refused, and which catalogues are not."""

import json

import pytest

from truecase.base.read import read_blocks
from truecase.errors import FormatError, ReadError
from truecase.formats.registry import read_document

REFUSED = {
    "package.json": ('{"name": "a", "dependencies": {"b": "^1.0.0"}}', "a package.json"),
    "root.json": ('{"private": true, "scripts": {"build": "a b"}}', "a package.json"),
    "jest.json": ('{"testEnvironment": "node", "reporters": ["default"]}', "settings of Jest"),
    "release.yml": (
        "changelog:\n  categories:\n    - title: New\n      labels: [new]\n",
        "settings of",
    ),
    "photo.json": ('[{"SourceFile": "a.heic", "FileSize": "2 MB"}]', "metadata of ExifTool"),
    "Contents.json": ('{"info": {"author": "xcode"}}', "an asset catalogue of Xcode"),
    "firebase.json": ('{"GOOGLE_APP_ID": "1:ios"}', "identifiers of Firebase"),
    "lefthook.yml": ("pre-commit:\n  commands:\n    a:\n      run: dart\n", "settings of Lefthook"),
    "package-lock.json": ('{"name": "a", "lockfileVersion": 3}', "a lock file"),
    "tsconfig.json": ('{"compilerOptions": {"module": "es6"}}', "the settings of TypeScript"),
    "schema.json": ('{"$schema": "http://a.b/c", "title": "of a b"}', "schema 'http://a.b/c'"),
    "openapi.json": (
        '{"openapi": "3.1.0", "info": {"title": "the api of a"}}',
        "an OpenAPI description",
    ),
    "notebook.json": ('{"cells": [], "nbformat": 4}', "a notebook"),
    "zotero.json": ('{"items": [{"itemType": "book", "title": "a"}]}', "an export of Zotero"),
    "rich.json": (
        '{"type": "doc", "content": [{"type": "text", "text": "the egg"}]}',
        "a document of nodes",
    ),
    "tree.json": ('[{"type": "p", "children": [{"a": "an egg"}]}]', "a document of nodes"),
    "draft.json": ('{"blocks": [{"text": "an egg"}], "entityMap": {}}', "a document of Draft.js"),
    "dom.json": ('{"nodeName": "p", "children": [{"x": "an egg"}]}', "a tree of elements"),
    "ids.json": ('{"list": [{"id": "egg", "type": "food", "value": "ham"}]}', "3 of 3 values"),
    "paths.json": ('{"a": "b/c", "d": "1.2", "e": ["f.g", true, 1]}', "5 of 5 values"),
    "few.json": ('{"of": "egg", "in": ["ham/**/*[sE]gg.js"], "on": false}', "2 of 3 values"),
    "refs.json": (
        '[{"id": "a", "type": "book", "title": "the book of b"}]',
        "CSL-JSON: its titles are for truecase text sentence-case",
    ),
    "one.json": (
        '{"type": "book", "title": "the book of b", "author": [{"family": "c"}]}',
        "CSL-JSON: its titles are for truecase text sentence-case",
    ),
    "items.json": (
        '{"items": [{"id": "a", "type": "chapter", "title": "of b", "issued": {}}]}',
        "CSL-JSON: its titles are for truecase text sentence-case",
    ),
    "docker-compose.yml": ("services:\n  web:\n    image: a\n", "a Compose file"),
    "compose.yaml": ("services:\n  web: {a: b}\nvolumes:\n  c:\n", "a Compose file"),
    "ci.yml": ("on: push\njobs:\n  a:\n    name: the tests\n", "a workflow of GitHub"),
    "pod.yaml": ("apiVersion: v1\nkind: Pod\n", "a Kubernetes object"),
    "two.yaml": ("a: b c\n---\napiVersion: v1\n", "a Kubernetes object"),
    "play.yml": ("- hosts: all\n  tasks:\n  - name: do it\n", "an Ansible playbook"),
    "tasks.yml": ("- name: do it\n  command: ls\n", "tasks of Ansible"),
    "styles.json": (
        '{".egg": {"color": "red", "fontFamily": "open sans", "border": "1px solid red"},'
        ' ".ham a": {"display": "inline-block", "margin": "0 auto"}}',
        "styles of CSS",
    ),
    "tokens.yaml": ("size:\n  s: 4px\n  m: 1.5rem\nink:\n  a: rgba(0, 0, 0, 1)\n", "styles of CSS"),
    "words.json": (
        json.dumps({"a": "a ham"} | {f"b{i}": "egg" for i in range(1001)}),
        "a list of words",
    ),
    "codes.json": ('["af", "da", "de", "el", "en", "eo"]', "a list of words"),
    "keys.json": (
        json.dumps({f"key{i}": f"an-egg-{name}" for i, name in enumerate("abcde")}),
        "mostly numbers and identifiers (5 of 5 values)",
    ),
    "environment.yml": ("name: a\nchannels: [b]\ndependencies: [c=1]\n", "a Conda environment"),
    "dark.theme.json": (
        '{"name": "An egg", "ui": {}, "icons": {}, "colors": {}}',
        "a theme of IntelliJ",
    ),
    "CMakePresets.json": ('{"version": 3, "configurePresets": []}', "presets of CMake"),
    "tasks.json": ('{"version": "2", "tasks": [{"command": "npm start"}]}', "of Visual Studio"),
    "ast.json": ('{"pandoc-api-version": [1], "blocks": []}', "a document of Pandoc"),
    "common.yaml": ("filters:\n- an-egg\ninput-file: b/c\n", "defaults of Pandoc"),
    "_config.yml": ("title: An egg\nmarkdown: ham\nbaseurl: /a\n", "settings of Jekyll"),
    "_toc.yml": (
        "format: jb-book\nroot: intro\nchapters:\n- file: a\n",
        "a table of contents of Jupyter Book",
    ),
    "egg.yaml": ("interactions:\n- request: {body: an egg}\n", "a recording of HTTP"),
    "a.json": ('{"log": {"creator": {"name": "a ham"}, "entries": []}}', "a recording of HTTP"),
    "bitbucket.yml": ("image: a\npipelines:\n  default: [{step: go on}]\n", "of Bitbucket"),
    "action.yml": ("name: an egg\nruns:\n  using: composite\n", "an action of GitHub"),
    "pubspec.yaml": ("name: a\nversion: 1.0.0\nrepository: b\nenvironment: {}\n", "a pubspec.yaml"),
    "pre.yaml": ("repos:\n- repo: a\n  hooks:\n  - id: b\n", "settings of pre-commit"),
}
CATALOGUES = {
    "a.json": '{"name": "name", "version": "version", "title": "the title"}',
    "b.json": '{"services": {"title": "our services"}, "dependencies": {"none": "no such thing"}}',
    "c.json": '{"$schema": "https://a.b/message-format", "hello": "hello you"}',
    "d.json": '{"a.b": "%s of {{count}}", "c": "{name}", "d": "$t(e.f)", "g": "no", "h": "ok it"}',
    "e.json": '["one text", "two"]',
    "f.json": "{}",
    "few.json": '{"a": "an egg", "b": 1, "c": "d/e"}',
    "g.json": '{"name": "your name", "register": "sign up", "copy": "copy it"}',
    "h.json": '{"type": "type", "properties": "the properties", "updates": "new", "version": "of"}',
    "i.json": '{"type": "type of egg", "content": "content", "children": "children"}',
    "j.json": '{"list": [{"id": "egg", "label": "an egg"}], "locale": "en"}',
    "k.json": '[{"name": "the egg", "tags": ["ham"], "file": "an egg"}]',
    "e.arb": '{"@@locale": "en", "a": "a text", "@a": {"type": "b.c/d", "x": {"y": 1, "z": 2}}}',
    "f.arb": '{"interactions": {"title": "their talks"}, "log": {"entries": "no log"}}',
    "en.yml": 'en:\n  jobs:\n    title: the jobs\n  on: "on"\n  n: 2\n',
    "css.json": '{"border": "a border of 2px", "color": "the color", "size": "the size of it"}',
    "list.yml": "- one text\n- two\n",
    "format.yml": 'en:\n  date:\n    formats: {a: "%Y-%m-%d", b: "%b %d"}\n    n: [1, x, y z]\n',
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_catalogue_is_refused(name):
    text, message = REFUSED[name]
    format = "json" if name.endswith("json") else "yaml"
    with pytest.raises(FormatError) as caught:
        read_document(text.encode(), name)
    assert str(caught.value).startswith(f"{name}: is ")
    assert message in str(caught.value)
    assert str(caught.value).endswith(f"--format {format} cases all its strings")
    assert read_document(text.encode(), name, format).format == format.upper()


@pytest.mark.parametrize("name", CATALOGUES)
def test_catalogues_are_none_of_these(name):
    document = read_document(CATALOGUES[name].encode(), name)
    assert len(document.segments) == len(
        read_document(CATALOGUES[name].encode(), name, document.format.lower()).segments
    )


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.stl", b"850STL25.01", "is EBU STL, which is not read: convert it to SubRip"),
        ("a.odt", b"PK\3\4", "is an OpenDocument, which is not read: save it as DOCX"),
        ("a.pdf", b"", "is a PDF, which is not read: extract its text"),
        ("a.csv", b"a,b\n", "is a table, which is not read: truecase table cases it"),
        ("a.eml", b"a: b\n", "is an e-mail, which is not read: --format text cases its lines"),
        ("a.ftl", b"a = b\n", "is Fluent, which is not read: convert its texts to PO or JSON"),
        ("a.cff", b"title: b\n", "is a CITATION.cff, which is not read: --format yaml cases"),
        ("a.ris", b"TY  - JOUR\n", "is RIS, which is not read: truecase text sentence-case"),
        ("a.php", b"<?php", "is PHP, which is not read: convert its texts to PO or JSON"),
        ("a.bib", b"@a{b}", "is BibTeX, which is not read: truecase text sentence-case"),
        ("a.strings", b"bplist00\xd1", "is a binary property list: plutil"),
        ("a.strings", b"<?xml", "expected .*; plutil -convert json makes JSON of a property list"),
        ("a.sub", b"\0\0\1\xba\x44", "is pictures of subtitles: read them by OCR"),
        ("a.ipynb", b'{"cells": []}', "is a notebook, which is not read: jupytext makes Mark"),
        ("a.asc", b"[[egg]]\n== ham\n", "is AsciiDoc, which is not read"),
        ("a", b"{% egg %}\n{% ham %}\n", "neither the name nor the content shows"),
        ("a", b"[[egg]]\nham\n", "neither the name nor the content shows"),
        ("a", b"[a]\nb = c\n", "neither the name nor the content shows the format"),
    ],
)
def test_what_is_not_read_is_named(name, data, message):
    with pytest.raises((FormatError, ReadError), match=f"^{name}: line 1: {message}"):
        read_document(data, name)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\3\4\24\0\6\0", "an archive, as office documents are: truecase file cases DOCX"),
        (b"\xd0\xcf\x11\xe0\xa1", "a document of Word 97 or its kin: save it as DOCX"),
        (b"%PDF-1.7\n", "a PDF: extract its text"),
        (b"{\\rtf1 a}", "RTF: save it as DOCX"),
        (b"PAR1\x15\4", "a table: truecase table cases it"),
        (b"ARROW1\0\0", "a table: truecase table cases it"),
        (b"bplist00\xd1\1\2", "a binary property list: plutil"),
        (b"\xde\x12\4\x95\0\0", "a compiled catalogue: msgunfmt makes PO of it"),
        (b"<\xb8d\x18\xca\xef", "compiled by Qt: lconvert makes a file of translations"),
    ],
)
def test_what_is_no_text_is_named(data, message, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(ReadError, match=rf"a\.txt: line 1: is {message}"):
        list(read_blocks([path]))
    if not data.startswith(b"PK"):
        with pytest.raises(ReadError, match=rf"^a: line 1: is {message}"):
            read_document(data, "a", otherwise="text")


def test_text_is_text_where_there_is_another_way():
    assert read_document(b"a: b\n", "a.eml", otherwise="text").format == "plain text"
    for name, data in (("a.bib", b"@a{b}"), ("a.pdf", b"%PDF-1.7")):
        with pytest.raises(FormatError, match="which is not read"):
            read_document(data, name, otherwise="text")
