"""JSON and YAML given by mistake: what is refused, and which catalogues are not."""

import pytest

from truecase.errors import FormatError
from truecase.formats.registry import read_document

REFUSED = {
    "package.json": ('{"name": "a", "dependencies": {"b": "^1.0.0"}}', "a package.json"),
    "root.json": ('{"private": true, "scripts": {"build": "a b"}}', "a package.json"),
    "package-lock.json": ('{"name": "a", "lockfileVersion": 3}', "a lock file"),
    "tsconfig.json": ('{"compilerOptions": {"module": "es6"}}', "the settings of TypeScript"),
    "schema.json": ('{"$schema": "http://a.b/c", "title": "of a b"}', "schema 'http://a.b/c'"),
    "openapi.json": (
        '{"openapi": "3.1.0", "info": {"title": "the api of a"}}',
        "an OpenAPI description",
    ),
    "notebook.json": ('{"cells": [], "nbformat": 4}', "a notebook"),
    "paths.json": ('{"a": "b/c", "d": "1.2", "e": ["f.g", true, 1]}', "5 of 5 values"),
    "refs.json": (
        '[{"id": "a", "type": "book", "title": "the book of b"}]',
        "CSL-JSON: its titles are for truecase text sentence-case",
    ),
    "docker-compose.yml": ("services:\n  web:\n    image: a\n", "a Compose file"),
    "compose.yaml": ("services:\n  web: {a: b}\nvolumes:\n  c:\n", "a Compose file"),
    "ci.yml": ("on: push\njobs:\n  a:\n    name: the tests\n", "a workflow of GitHub"),
    "pod.yaml": ("apiVersion: v1\nkind: Pod\n", "a Kubernetes object"),
    "two.yaml": ("a: b c\n---\napiVersion: v1\n", "a Kubernetes object"),
    "play.yml": ("- hosts: all\n  tasks:\n  - name: do it\n", "an Ansible playbook"),
    "pre.yaml": ("repos:\n- repo: a\n  hooks:\n  - id: b\n", "settings of pre-commit"),
}
CATALOGUES = {
    "a.json": '{"name": "name", "version": "version", "title": "the title"}',
    "b.json": '{"services": {"title": "our services"}, "dependencies": {"none": "no such thing"}}',
    "c.json": '{"$schema": "https://a.b/message-format", "hello": "hello you"}',
    "d.json": '{"a.b": "%s of {{count}}", "c": "{name}", "d": "$t(e.f)", "g": "no", "h": "ok it"}',
    "e.json": '["one text", "two"]',
    "f.json": "{}",
    "e.arb": '{"@@locale": "en", "a": "a text", "@a": {"type": "b.c/d", "x": {"y": 1, "z": 2}}}',
    "en.yml": 'en:\n  jobs:\n    title: the jobs\n  on: "on"\n  n: 2\n',
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
