"""Gives a translation the case of its source line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from truecase.bridge.records import CaseRecord
from truecase.bridge.words import Line, changed, read_line
from truecase.styles._styles import StyleWriter
from truecase.styles.style_names import TITLE_GUIDES
from truecase.styles.styles import CLITICS
from truecase.text._casing import lower, upper
from truecase.text.language_tags import primary

# Without an alignment and a style guide, words of more letters than this get a capital.
_SMALL_WORD_LENGTH = 3

# The letter that begins a word, and the one after an elided article: l'utilisateur.
_INITIAL = re.compile(r"^\W*\w")
_ELIDED = re.compile(r"^\W*\w{1,2}['’](?=\w{4})(\w)")

#: For each target word, the source words that it is linked to.
Links = Sequence[Sequence[int]]


class Recaser:
    """Gives lines of one language the case of records; any number of threads may use it.

    Parameters
    ----------
    language : str
        As `target_language` of `CaseBridge`.
    """

    def __init__(self, language: str = "") -> None:
        self._language = language
        guide = TITLE_GUIDES["title"]
        self._english_titles = (
            StyleWriter(
                "raw",
                language,
                [word.encode() for word in guide.small_words],
                [word.encode() for word in CLITICS],
                guide.raises_last,
            )
            if primary(language) == "en"
            else None
        )

    def __call__(
        self, text: str, record: CaseRecord, source: str | None = None, links: Links | None = None
    ) -> str:
        """Give a translation the case that its source had."""
        if record.style == "cased" and not (record.words and links):
            return text
        line = read_line(text, self._language)
        if record.style == "lower":
            return changed(line, self._lower)
        if record.style == "title":
            return self._title(line, record, links)
        if record.style == "upper":
            return self._upper(line, record, source, links)
        assert links is not None
        emphasised = set(record.words)
        return changed(line, self._raise, lambda i: _mostly(links[i], emphasised))

    def _upper(
        self, line: Line, record: CaseRecord, source: str | None, links: Links | None
    ) -> str:
        if not record.words:
            return changed(line, self._raise)
        others = set(record.words)
        if links is not None:
            return changed(
                line, self._raise, lambda i: not (links[i] and others.issuperset(links[i]))
            )
        if source is None:
            return changed(line, self._raise)
        # A word that the system copied is written alike.
        words = read_line(source, self._language).words
        copied = {source[words[i].start : words[i].end] for i in record.words if i < len(words)}
        return changed(
            line,
            self._raise,
            lambda i: line.text[line.words[i].start : line.words[i].end] not in copied,
        )

    def _title(self, line: Line, record: CaseRecord, links: Links | None) -> str:
        if links is None and self._english_titles is not None:
            data = line.text.encode("utf-8", "surrogateescape")
            return self._english_titles.title(data).decode("utf-8", "surrogateescape")
        small = set(record.words)
        n_linked = Counter(j for of_word in links or () for j in of_word)
        letters = list(line.text)
        begins = True
        for i, word in enumerate(line.words):
            if word.tag == "AN":
                continue
            text = line.text[word.start : word.end]
            linked = links[i] if links is not None else ()
            is_raised = sum(map(str.isalpha, text)) > _SMALL_WORD_LENGTH
            if linked:
                # An article that belongs to a noun's translation is not a small word.
                alone = all(n_linked[j] == 1 for j in linked)
                is_raised = (is_raised or alone) and not small.issuperset(linked)
            elided = _ELIDED.match(text)
            if elided and is_raised:
                place = word.start + elided.start(1)
                letters[place] = self._raise(letters[place])
            if begins or (is_raised and not elided):
                initial = _INITIAL.match(text)
                if initial:
                    place = word.start + initial.end() - 1
                    letters[place] = self._raise(letters[place])
            begins = False
        return "".join(letters)

    def _raise(self, text: str) -> str:
        return upper(text, self._language)

    def _lower(self, text: str) -> str:
        return lower(text, self._language)


def _mostly(linked: Sequence[int], words: set[int]) -> bool:
    """Whether one of the linked words, and at least half of them, are among `words`."""
    n_among = len(words.intersection(linked))
    return n_among > 0 and 2 * n_among >= len(linked)
