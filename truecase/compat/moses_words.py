"""Words, tags and sentences of a tokenised line, as Moses' truecaser sees them.

Behaviour after ``truecase.perl``, ``detruecase.perl`` and ``train-truecaser.perl`` of Moses
(Koehn et al. 2007) and their port in sacremoses. The interpreter's own case mappings are used,
not the tables of this package: so do they, and a letter can come out as two, such as ß at the
start of a sentence.
"""

from __future__ import annotations

import re
import unicodedata

#: What ends a sentence.
SENTENCE_END = frozenset(". : ? !".split())

#: What may stand before the first word of a sentence.
DELAYS_START = frozenset("( [ \" ' &apos; &quot; &#91; &#93;".split())

#: Words that detruecasing does not raise in a headline. The two with a pattern in them are
#: compared as they stand, there as here.
ALWAYS_LOWER = frozenset(
    "a after against al-.+ and any as at be because between by during el-.+ for from his in is "
    "its last not of off on than the their this to was were which will with".split()
)

#: A tag, perhaps with something before or behind it.
TAG = re.compile(r"<\S[^>]*>")

# White space of Perl, which has no separators of ASCII in it.
_PERL_SPACE = r"[^\S\x1c-\x1f]"
_PERL_INK = r"[\S\x1c-\x1f]"
_CASED_CATEGORIES = frozenset(("Ll", "Lu", "Lt"))
_ASCII_LETTER = re.compile("[A-Za-z]")


def _pieces(space: str, ink: str, with_tags: bool) -> re.Pattern[str]:
    """White space, and then a tag, a word, or what has ``<`` or ``>`` in it and is no tag."""
    word = rf"(?P<word>(?:(?![<>]){ink})+)"
    tag = rf"(?P<tag><{ink}[^>]*>)|" if with_tags else ""
    return re.compile(rf"{space}*(?:{tag}{word}|(?P<other>{ink}+))")


class Splitter:
    """Cuts a line into words and tags.

    Parameters
    ----------
    perl : bool
        By Perl's white space, instead of Python's.
    factors : bool
        A tag right behind a word that ends in a bar is a factor of that word.
    """

    def __init__(self, perl: bool, factors: bool = True) -> None:
        space, ink = (_PERL_SPACE, _PERL_INK) if perl else (r"\s", r"\S")
        self._tagged = _pieces(space, ink, True)
        self._plain = _pieces(space, ink, False)
        self._words = re.compile(f"{ink}+")
        self._perl = perl
        self._factors = factors

    def words(self, line: str) -> list[str]:
        """What stands between white space."""
        if not self._perl or not _HAS_SEPARATORS.search(line):
            return line.split()
        return self._words.findall(line)

    def pieces(self, line: str) -> list[tuple[str, bool]]:
        """Words and tags in order, each with whether it is a tag."""
        out: list[tuple[str, bool]] = []
        # Behind the last one, no tag can end: looking for one again and again takes long.
        last_end = line.rfind(">")
        last_word = -1
        at = 0
        while True:
            match = (self._tagged if at <= last_end else self._plain).match(line, at)
            if match is None:
                return out
            kind, start = match.lastgroup or "", match.start(match.lastgroup or 0)
            text = match[kind]
            at = match.end()
            if kind != "tag":
                last_word = len(out)
                out.append((text, False))
                continue
            owner = self._owner(out, last_word) if start == match.start() else None
            if owner is None:
                out.append((text, True))
                continue
            n_bars = 0
            while line.startswith("|", at + n_bars):
                n_bars += 1
            out[owner] = (out[owner][0] + text + "|" * n_bars, out[owner][1])
            at += n_bars

    def _owner(self, before: list[tuple[str, bool]], last_word: int) -> int | None:
        """The place of what a tag can be a factor of: in Perl, the last word."""
        if not self._factors:
            return None
        last = last_word if self._perl else len(before) - 1
        return last if last >= 0 and before[last][0].endswith("|") else None


_HAS_SEPARATORS = re.compile("[\x1c-\x1f]")


def has_tag(word: str) -> bool:
    """Whether there is a tag in it; behind the last end of one, none can begin."""
    return TAG.search(word, 0, word.rfind(">") + 1) is not None


def has_case(word: str) -> bool:
    """Whether there is an upper, lower or titlecase letter in it."""
    if word.isascii():
        return _ASCII_LETTER.search(word) is not None
    return any(unicodedata.category(character) in _CASED_CATEGORIES for character in word)


def raised(word: str) -> str:
    """The word with its first letter in upper case, whatever that makes of it."""
    return word[:1].upper() + word[1:]


def detruecased(words: list[str]) -> list[str]:
    """First words of sentences raised."""
    out = []
    is_first = True
    for word in words:
        written = raised(word) if is_first else word
        out.append(written)
        if written in SENTENCE_END:
            is_first = True
        elif written not in DELAYS_START:
            is_first = False
    return out


def headline(words: list[str]) -> list[str]:
    """All words raised but those of `ALWAYS_LOWER`."""
    return [word if word in ALWAYS_LOWER else raised(word) for word in words]
