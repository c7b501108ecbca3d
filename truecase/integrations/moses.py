"""Words, tags and sentences of a tokenised line, as Moses' truecaser sees them.

Behaviour after ``truecase.perl``, ``detruecase.perl`` and ``train-truecaser.perl`` of Moses
(Koehn et al. 2007) and their port in sacremoses. The interpreter's own case mappings are used,
not the tables of this package: so do they, and a letter can come out as two, such as ß at the
start of a sentence.

What the scripts of Moses' truecaser do: ``python -m`` this module runs them.

Text is tokenised, its words stand between white space. As there, the words of a line come out
with one space between them, and a tag stands right behind the word before it.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterable, Iterator

from truecase.rules.moses import MosesModel

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


_SPLITTER = Splitter(perl=True)
_TRAINING_SPLITTER = Splitter(perl=True, factors=False)


def train(blocks: Iterable[bytes], possibly_use_first_token: bool = False) -> MosesModel:
    """Count the forms of words in tokenised text, as ``train-truecaser.perl`` does.

    Parameters
    ----------
    blocks : iterable of bytes
        Whole lines of UTF-8.
    possibly_use_first_token : bool
        The first word of a sentence counts, too: one that is not capitalised like any other, one
        that is the only word of its line by a tenth.

    Returns
    -------
    MosesModel
        Words by first occurrence; of forms that are as frequent, the first one is the best.
    """
    # In tenths, so that sums are exact.
    tenths: dict[str, dict[str, int]] = {}
    for block in blocks:
        for line in _lines(block):
            for word, weight in _counted(line, possibly_use_first_token):
                forms = tenths.setdefault(_lower(word), {})
                forms[word] = forms.get(word, 0) + weight
    return MosesModel(_by_count(forms) for forms in tenths.values())


def _counted(line: str, possibly_use_first_token: bool) -> Iterator[tuple[str, int]]:
    """The words of a line that count, each with how many tenths."""
    if "<" in line or ">" in line:
        pieces = _TRAINING_SPLITTER.pieces(line)
        words = [piece for piece, is_tag in pieces if not is_tag]
    else:
        words = _TRAINING_SPLITTER.words(line)
    start = 0
    while start < len(words) and words[start] in DELAYS_START:
        start += 1
    is_first = True
    for i in range(start, len(words)):
        word = words[i]
        # Only where a word with letters follows at once: a quotation mark ends the sentence start.
        is_first = is_first or words[i - 1] in SENTENCE_END
        if not has_case(word):
            is_first = False
            continue
        if not is_first:
            yield word, 10
        elif possibly_use_first_token:
            if _lower(word[0]) == word[0]:
                yield word, 10
            elif len(words) == 1:
                yield word, 1
        is_first = False


def _by_count(forms: dict[str, int]) -> tuple[float, list[tuple[bytes, float]]]:
    ordered = sorted(forms.items(), key=lambda form: -form[1])
    return sum(forms.values()) / 10, [(_bytes(word), count / 10) for word, count in ordered]


class Truecase:
    """Truecases tokenised lines as ``truecase.perl`` does.

    May be used by any number of threads at once.

    Parameters
    ----------
    model : MosesModel
    asr : bool
        The case of the input means nothing: words are lowercased first, and take their best
        form wherever they are.
    """

    def __init__(self, model: MosesModel, asr: bool = False) -> None:
        self._best: dict[str, str] = {}
        self._known: set[str] = set()
        self._asr = asr
        for _, forms in model:
            words = [_text(surface) for surface, _ in forms]
            self._best[_lower(words[0])] = words[0]
            if not asr:
                self._known.update(words)

    def __call__(self, block: bytes) -> bytes:
        """Truecase whole lines of UTF-8; bytes that are none stay."""
        return _bytes("".join(self.line(line) + "\n" for line in _lines(block)))

    def line(self, line: str) -> str:
        """Truecase one line, without its line feed."""
        if "<" not in line and ">" not in line:
            return " ".join(self._words(_SPLITTER.words(line)))
        pieces = _SPLITTER.pieces(line)
        words = iter(self._words([piece for piece, is_tag in pieces if not is_tag]))
        out = ""
        after_tag = True
        for piece, is_tag in pieces:
            if is_tag:
                out += piece + " "
            else:
                out += ("" if after_tag else " ") + next(words)
            after_tag = is_tag
        return out[:-1] if after_tag else out

    def _words(self, words: list[str]) -> list[str]:
        best, known = self._best, self._known
        out = []
        is_first = True
        for given in words:
            word, factors = given, ""
            if "|" in given and given[0] != "|":
                end = given.index("|")
                word, factors = given[:end], given[end:]
            if self._asr:
                word = _lower(word)
            written = word
            if is_first or word not in known:
                written = best.get(_lower(word), word)
            out.append(written + factors)
            if word in SENTENCE_END:
                is_first = True
            elif word not in DELAYS_START:
                is_first = False
        return out


class Detruecase:
    """Capitalises first words of sentences as ``detruecase.perl`` does.

    Parameters
    ----------
    headlines : sequence of bool, optional
        Whether each line in turn is a headline, whose words are all capitalised but for articles,
        prepositions and the like. Lines are counted through all calls.
    """

    def __init__(self, headlines: Iterable[bool] = ()) -> None:
        self._headlines = array("b", headlines)
        self._n_lines = 0

    def __call__(self, block: bytes) -> bytes:
        """Detruecase whole lines of UTF-8, which follow those of the last call."""
        return _bytes("".join(self.line(line) + "\n" for line in _lines(block)))

    def line(self, line: str) -> str:
        """Detruecase the next line, without its line feed."""
        number = self._n_lines
        self._n_lines += 1
        words = detruecased(_SPLITTER.words(line))
        if number < len(self._headlines) and self._headlines[number]:
            words = headline(words)
        return " ".join(words)


def headlines_of(lines: Iterable[bytes]) -> Iterator[bool]:
    """Whether each segment of an SGML file of NIST stands between ``<hl>`` and ``</hl>``."""
    inside = False
    for line in lines:
        if b"<hl>" in line:
            inside = True
        if b"</hl>" in line:
            inside = False
        if line.startswith(b"<seg"):
            yield inside


def _lines(block: bytes) -> list[str]:
    """Lines without their line feeds, which alone end a line."""
    lines = _text(block).split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _lower(word: str) -> str:
    # Python alone has another sigma at the end of a word.
    return word.lower() if "Σ" not in word else "".join(letter.lower() for letter in word)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


if __name__ == "__main__":
    import sys

    from truecase.integrations.moses_command import main

    sys.exit(main())
