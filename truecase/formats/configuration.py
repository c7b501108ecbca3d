"""JSON and YAML that is plainly no catalogue of texts, but the settings or data of some program.

Casing its strings would break what reads it, so it takes a word from the user to do that.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from truecase.formats.errors import FormatError
from truecase.formats.protect import protected, shown


class Outline:
    """What tells what a file of values is; lists are taken for what is in them.

    Parameters
    ----------
    is_list : bool
        Whether the outermost value is a list.

    Attributes
    ----------
    keys : set of str
        Of the outermost mappings.
    inner_keys : set of str
        Of the mappings in these, and in them.
    n_texts, n_others : int
        Values that may be texts, and others: numbers, switches, paths, versions, identifiers.
    schema : str
        What ``$schema`` names; empty if it is not there.
    """

    def __init__(self, is_list: bool = False) -> None:
        self.is_list = is_list
        self.keys: set[str] = set()
        self.inner_keys: set[str] = set()
        self.n_texts = 0
        self.n_others = 0
        self.schema = ""
        self._key = ""

    def add_key(self, depth: int, key: str) -> None:
        """Take a key of a mapping in `depth` others."""
        self._key = key if depth == 0 else ""
        if depth == 0:
            self.keys.add(key)
        elif depth <= _INNER_DEPTH:
            self.inner_keys.add(key)

    def add_value(self, text: str | None) -> None:
        """Take a string, or None for any other value."""
        if self._key == "$schema":
            self.schema = text or "?"
        elif text is not None and may_be_text(text):
            self.n_texts += 1
        else:
            self.n_others += 1


class _Kind(NamedTuple):
    """Known by keys that are all there, and one or more of others, outermost or within these."""

    title: str
    keys: frozenset[str]
    one_of: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()


def _kind(title: str, keys: str, one_of: str = "", inner: str = "") -> _Kind:
    return _Kind(title, *(frozenset(part.split()) for part in (keys, one_of, inner)))


_KINDS = (
    _kind(
        "a package.json",
        "name",
        "dependencies devDependencies peerDependencies engines workspaces browserslist",
    ),
    _kind("a package.json", "name version", "scripts main license repository bin contributes"),
    _kind("a package.json", "private", "dependencies devDependencies scripts workspaces"),
    _kind("a lock file", "lockfileVersion"),
    _kind("a composer.json", "require", "autoload require-dev minimum-stability"),
    _kind("the settings of TypeScript", "compilerOptions"),
    _kind(
        "the settings of ESLint", "extends", "env overrides parser parserOptions plugins root rules"
    ),
    _kind("the settings of Babel", "presets", "env plugins"),
    _kind("a JSON Schema", "type properties"),
    _kind("JSON-LD", "@context"),
    _kind("GeoJSON", "type", "coordinates features geometry"),
    _kind("a notebook", "cells nbformat"),
    _kind("the manifest of an extension", "manifest_version"),
    _kind("the manifest of a web application", "name", "icons start_url"),
    _kind("an OpenAPI description", "info paths"),
    _kind("an OpenAPI description", "info", "openapi swagger asyncapi"),
    _kind("a Postman collection", "info item"),
    _kind("a Compose file", "services", "configs networks secrets volumes x-common"),
    _kind("a Compose file", "services", inner="build container_name depends_on entrypoint image"),
    _kind("a workflow of GitHub", "jobs", "on"),
    _kind("an action of GitHub", "runs", "inputs outputs"),
    _kind("a Kubernetes object", "apiVersion"),
    _kind("settings of pre-commit", "repos", inner="hooks"),
    _kind("settings of Dependabot", "updates version"),
    _kind("settings of Read the Docs", "version", "build sphinx mkdocs"),
    _kind("settings of CircleCI", "jobs workflows"),
    _kind("settings of AppVeyor", "environment", "build build_script install test_script"),
    _kind("a snapcraft.yaml", "parts", "apps base confinement"),
    _kind("a form of GitHub", "body", "assignees labels"),
    _kind("settings of Vercel", "rewrites"),
    _kind("settings of Vercel", "redirects"),
    _kind("settings of ASP.NET", "Logging", inner="LogLevel"),
    _kind("settings of GitLab", "stages", inner="script stage"),
    _kind("settings of Travis", "script", "addons before_install install jobs language matrix"),
    _kind("settings of MkDocs", "site_name"),
    _kind("a CITATION.cff", "cff-version"),
    _kind("a Conda environment", "channels dependencies"),
    _kind("a pubspec.yaml", "environment name"),
    _kind("a template of CloudFormation", "AWSTemplateFormatVersion"),
    _kind("a template of CloudFormation", "Resources", inner="Type"),
    _kind("an Ansible playbook", "hosts", "become roles tasks vars"),
    _kind(
        "tasks of Ansible",
        "name",
        "apt become command copy file notify register service shell tags template when yum",
    ),
)

# Variables of CSL, beside those that other data have as well.
_OF_REFERENCES = frozenset(
    "accessed author collection-title container-title DOI editor event ISBN issued note number "
    "page publisher title translator volume".split()
)

_BY_SCHEMA = "a file of the schema"
# Catalogues may name a schema, too.
_SCHEMA_OF_CATALOGUES = re.compile(r"i18n|l10n|inlang|locale|message|translation", re.IGNORECASE)

# Without white space: paths, addresses, versions, identifiers, patterns.
_NO_TEXT = re.compile(r"[/\\@=^~*_<>|$#{}]|\w[.:]\w|\d|^-|[a-z][A-Z]")
_MIN_VALUES = 5

_INNER_DEPTH = 2


def check_is_catalogue(name: str, format: str, outline: Outline) -> None:
    """Refuse what is no catalogue.

    Parameters
    ----------
    name : str
        For messages.
    format : str
        What to give as ``--format`` to have it cased all the same.
    outline : Outline

    Raises
    ------
    FormatError
    """
    if outline.is_list and outline.keys >= {"id", "type"} and outline.keys & _OF_REFERENCES:
        raise FormatError(
            f"{name}: is CSL-JSON: its titles are for truecase text sentence-case, "
            f"--format {format} cases all its strings"
        )
    found = _what(outline)
    if found is not None:
        raise FormatError(
            f"{name}: is {found}, no catalogue of texts: --format {format} cases all its strings"
        )


def _what(outline: Outline) -> str | None:
    if outline.schema and _SCHEMA_OF_CATALOGUES.search(outline.schema) is None:
        return f"{_BY_SCHEMA} {outline.schema[:60]!r}"
    for kind in _KINDS:
        if (
            kind.keys <= outline.keys
            and (not kind.one_of or kind.one_of & outline.keys)
            and (not kind.inner or kind.inner & outline.inner_keys)
        ):
            return kind.title
    if outline.n_others > outline.n_texts and outline.n_others >= _MIN_VALUES:
        n_values = outline.n_texts + outline.n_others
        return f"mostly numbers and identifiers ({outline.n_others:,} of {n_values:,} values)"
    return None


def may_be_text(value: str) -> bool:
    """Whether a value may be a text: it has white space, or is a mere word."""
    if len(value.split(None, 1)) > 1:
        return True
    return _NO_TEXT.search(shown(value, protected(value))) is None
