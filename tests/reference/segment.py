"""Segmentation with regular expressions, one chunk (no white space) at a time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from reference.casing import fold, is_digit, is_letter, is_mark, tag, upper_mask

SPACES = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)
ENDS = ".!?…‼⁇⁈⁉。！？．｡؟۔।॥։።჻"
CLITICS = "s m d re ve ll".split()
LEADING = "s t m d re ve ll em tis twas twere twill til cause bout round neath n".split()
ELISIONS = (
    "c d j l m n s t v qu jusqu lorsqu puisqu quoiqu quelqu un all agl dall dagl dell degl nell"
    " negl sull sugl coll quell quegl quest bell begl sant tutt mezz anch com dov cos senz nient"
    " neanch nessun alcun ciascun qualcun ognun grand"
).split()
SUFFIXES = (
    "com org net edu gov mil int info biz io co uk us de fr es pt nl se dk fi pl cz ru ua eu ch"
    " ca br mx ar au nz jp cn kr tv fm ai ie gr hu ro tr az ly gg app dev xyz txt pdf doc docx"
    " xls xlsx ppt pptx odt csv tsv xml html htm css js ts json yaml yml toml ini cfg conf log md"
    " rst tex py pyx pxd ipynb java jar cpp cc hpp hxx cs vb ps psm psd php rb rs lua sh bat exe"
    " dll lib sql db zip tar gz bz xz rar iso png jpg jpeg gif svg bmp ico wav avi mov mkv flac"
    " ogg aspx asp jsp cgi"
).split()
ANYWHERE = {
    "``": '"', "''": '"', "`": "'", "&quot;": '"', "&apos;": "'", "&amp;": "&", "&#91;": "[",
    "&#93;": "]", "&bar;": "|", "&#124;": "|", "&lt;": "<", "&gt;": ">", "–": "--", "—": "--",
    "―": "--", "’": "'", "‘": "'", "‚": "'", "‛": "'", "”": '"', "“": '"', "„": '"', "‟": '"',
    "‐": "-", "‑": "-", "…": "...",
}  # fmt: skip
WHOLE_CHUNK = {
    "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}",
    "@-@": "-", "@/@": "/",
}  # fmt: skip
CLOSING_MARKS = {"''", "&quot;", "&apos;", "&#93;", "’", "”", "-rrb-", "-rsb-", "-rcb-"}

SPACE_BEFORE, ASCII, CANONICAL, ENDS_SENTENCE, CLOSES, VARIANT = 1, 2, 4, 8, 16, 32
WORD_MASK = (1 << 64) - 1


class Piece(NamedTuple):
    """A token: byte span and what the kernels say of it."""

    start: int
    end: int
    key: int
    tag: str
    upper_mask: int
    word_class: str
    flags: int
    surface: bytes


def to_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


# The hash.


def hash_bytes(data: bytes) -> int:
    state, n = 0x8A5CD789635D2DFF, len(data)
    while len(data) > 8:
        state = (state ^ int.from_bytes(data[:8], "little")) * 0xD6E8FEB86659FD93 & WORD_MASK
        state ^= state >> 32
        data = data[8:]
    state ^= int.from_bytes(data, "little") ^ (n * 0x9E3779B97F4A7C15 & WORD_MASK)
    for _ in range(2):
        state ^= state >> 32
        state = state * 0xD6E8FEB86659FD93 & WORD_MASK
    return state ^ state >> 32


# Patterns over str, where an invalid byte is a lone surrogate.


@lru_cache(maxsize=1)
def assigned() -> list[str]:
    """The characters that are any: unassigned and private ones have no case, and are no word's."""
    every = map(chr, range(0x110000))
    return [c for c in every if unicodedata.category(c) not in ("Cn", "Co")]


@cache
def character_set(belongs: Callable[[str], bool]) -> str:
    """A regular expression's set, as ranges."""
    ranges: list[list[int]] = []
    for character in assigned():
        if belongs(character):
            code_point = ord(character)
            if ranges and ranges[-1][1] == code_point - 1:
                ranges[-1][1] = code_point
            else:
                ranges.append([code_point, code_point])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


class Patterns:
    def __init__(self) -> None:
        letter = f"[{character_set(is_letter)}]"
        mark = f"[{character_set(is_mark)}]"
        word = f"[_{''.join(map(character_set, (is_letter, is_mark, is_digit)))}]"
        closing = character_set(lambda c: c in "\"'" or unicodedata.category(c) in ("Pe", "Pf"))
        lm = f"{letter}{mark}*"
        name = f"{word}+(?:-{word}+)*"
        alnum = "[A-Za-z0-9]"
        label = f"{alnum}+(?:-{alnum}+)*"

        def pattern(source: str) -> re.Pattern[str]:
            return re.compile(source, re.DOTALL)

        self.chunk = pattern(f"[^{SPACES}]+")
        self.letter = pattern(letter)
        self.word = pattern(word)
        self.run = pattern(f"{word}*")
        self.marks = pattern(f"{mark}*")
        self.starts_word = pattern(f"_|{letter}|[{character_set(is_digit)}]")
        self.doctorate = pattern(rf"[Pp][Hh]\.[Dd](?!{word})\.?")
        self.acronym = pattern(rf"{lm}\.(?:(?:{lm}){{1,2}}\.)*(?:{lm}(?!{word}))?")
        self.initial = pattern(rf"{lm}\.\Z")
        self.closing_rest = pattern(f"[{closing}]*\\Z")
        self.apostrophe = pattern("'|’|&apos;")
        self.hyphen = pattern("[-‐‑]")
        self.join = pattern(
            rf"(?P<hyphen>[-‐‑])(?={word})"
            r"|(?<=[0-9])[.,:/](?=[0-9])"
            r"|(?<=[A-Za-z])\+\+"
            r"|(?<=[A-Za-z])&(?=[A-Za-z])(?![A-Za-z]{1,9};)"
        )
        self.after_apostrophe = pattern(f"[A-Za-z]{{1,8}}(?!{word})")
        self.tagged = pattern(f"[@#]{word}+")
        self.www = pattern(r"[Ww]{3}\.(?=[A-Za-z0-9])")
        self.scheme = pattern(r"(?=[A-Za-z])[A-Za-z0-9+-]{1,16}://")
        self.url_stop = pattern('["<>`|^\u2000-\u203f«»]|\udce2\udc80(?=.)')
        self.email = pattern(rf"{alnum}[A-Za-z0-9._+%-]*@{label}(?:\.{label})+")
        self.dotted = pattern(rf"{name}(?:\.{name})+")
        self.dot_name = pattern(rf"\.({name})")
        self.windows = pattern(rf"[A-Za-z]:(?=[\\/]{word})|\\(?=\\{word})")
        self.rooted = pattern(rf"(?:\.{{0,2}}|~\.?)(?=/(?:{word}|\.))")
        self.path = pattern(rf"(?:{word}|[/._~%+\-@#$])*")
        self.windows_path = pattern(rf"(?:{word}|[/\\._~%+\-@#$])*")
        self.quantity = pattern(rf"\A[{character_set(is_digit)}]|[{character_set(is_digit)}]\Z")
        self.alphabetic = pattern(f"(?:'|’|{letter}|{mark})*")


@lru_cache(maxsize=1)
def patterns() -> Patterns:
    return Patterns()


# Addresses.


def url_body_end(chunk: str, p: int) -> int:
    stop = patterns().url_stop.search(chunk, p)
    body = chunk[p : stop.start() if stop else len(chunk)]
    while body:
        last = body[-1]
        if last in ")]}":
            opening = {")": "(", "]": "[", "}": "{"}[last]
            if body.count(last) <= body.count(opening):
                break
        elif last not in ".,;:!?'*":
            break
        body = body[:-1]
    return p + len(body)


def path_end(chunk: str, p: int) -> int:
    r = patterns()
    windows = r.windows.match(chunk, p)
    if windows:
        stop = r.windows_path.match(chunk, p + 2).end()
        rooted = True
    else:
        rooted = r.rooted.match(chunk, p) is not None
        if not rooted and chunk[p] in ".~":
            return 0
        stop = r.path.match(chunk, p).end()
    body = chunk[p:stop]
    kept = max(body.rfind("/"), body.rfind("\\") if windows else -1) + 1
    while len(body) > kept and body[-1] in ".~%+-@#$":
        body = body[:-1]
    if rooted:
        return p + len(body)
    parts = body.split("/")
    closed = parts[-1] == ""
    if closed:
        parts.pop()
    if len(parts) < 2 or "" in parts:
        return 0
    path = "/".join(parts)
    words_only = all(is_letter(c) or is_mark(c) or c in "/-" for c in path)
    if len(parts) > 2 and not words_only:
        return p + len(path)
    _stem, dot, suffix = parts[-1].rpartition(".")
    return p + len(path) if dot and not closed and suffix.lower() in SUFFIXES else 0


def dotted_end(chunk: str, p: int) -> int:
    r = patterns()
    if chunk[p] == ".":
        match = r.dot_name.match(chunk, p)
        return match.end() if match and match[1].lower() in SUFFIXES else 0
    match = r.dotted.match(chunk, p)
    if not match:
        return 0
    labels = match[0].split(".")
    known = labels[-1].isascii() and labels[-1].lower() in SUFFIXES
    if not known:
        long_enough = min(len(to_bytes(label)) for label in labels) >= 2
        if len(labels) < 3 or not long_enough or not re.match("[A-Za-z]", labels[-1]):
            return 0
    q = match.end()
    if known and re.match("/.|:[0-9]", chunk[q:], re.DOTALL):
        return url_body_end(chunk, q)
    return q


def address_end(chunk: str, p: int) -> int:
    r = patterns()
    if r.www.match(chunk, p):
        return url_body_end(chunk, p)
    scheme = r.scheme.match(chunk, p)
    if scheme and url_body_end(chunk, scheme.end()) > scheme.end():
        return url_body_end(chunk, scheme.end())
    email = r.email.match(chunk, p)
    if email and not r.word.match(chunk, email.end()):
        return email.end()
    return dotted_end(chunk, p) or path_end(chunk, p)


# Words.


def acronym_end(chunk: str, p: int, last_in_line: bool) -> int:
    r = patterns()
    match = r.doctorate.match(chunk, p) or r.acronym.match(chunk, p)
    if not match:
        return 0
    if r.initial.match(match[0]):
        rest = chunk[match.end() :]
        if rest.startswith(".") or (last_in_line and r.closing_rest.match(rest)):
            return 0
    return match.end()


def word_end(chunk: str, start: int, q: int, last_in_line: bool, turkic: bool) -> int:
    r = patterns()
    part_starts = q == start
    while True:
        acronym = acronym_end(chunk, q, last_in_line) if part_starts else 0
        part_starts = False
        if acronym:
            q = acronym
            if chunk[q - 1] == "." and not r.hyphen.match(chunk, q):
                return q
        else:
            q = r.run.match(chunk, q).end()
        join = r.join.match(chunk, q)
        if join:
            part_starts = bool(join["hyphen"])
            q = join.end()
            continue
        if re.match(r"[A-Za-z]#", chunk[start : q + 1]) and q == start + 1:
            return q if r.word.match(chunk, q + 1) else q + 1
        apostrophe = r.apostrophe.match(chunk, q)
        if not apostrophe or turkic:
            return q
        tail = r.after_apostrophe.match(chunk, apostrophe.end())
        tail_letters = tail[0].lower() if tail else ""
        if tail_letters == "t" and q > start and chunk[q - 1] in "nN":
            return q - 1 if q - 1 > start else tail.end()
        if tail_letters in CLITICS:
            return q
        elided = chunk[start:q].lower() in ELISIONS and chunk[start:q].isascii()
        if elided and not r.apostrophe.match(chunk, apostrophe.end()):
            return apostrophe.end()
        before = chunk[q - 1]
        if (before.isalpha() or not before.isascii()) and r.letter.match(chunk, apostrophe.end()):
            q = apostrophe.end()
            continue
        return q


def leading_end(chunk: str, p: int, after_word: bool, last_in_line: bool, turkic: bool) -> int:
    r = patterns()
    apostrophe = r.apostrophe.match(chunk, p)
    if not apostrophe or chunk.startswith("''", p):
        return 0
    q = apostrophe.end()
    if turkic and after_word:
        return r.run.match(chunk, q).end() if r.letter.match(chunk, q) else 0
    tail = r.after_apostrophe.match(chunk, q)
    if not tail or tail[0].lower() not in LEADING:
        return 0
    q = tail.end()
    if tail[0] in "nN":
        closing = r.apostrophe.match(chunk, q)
        return closing.end() if closing else q
    if not after_word and r.hyphen.match(chunk, q):
        return word_end(chunk, p, q, last_in_line, turkic)
    return q


# Chunks.


def mark_at(chunk: str, p: int) -> str:
    for length in (6, 5, 4, 2, 1):
        if chunk[p : p + length] in ANYWHERE:
            return chunk[p : p + length]
    dashes = re.compile("---+").match(chunk, p)
    return dashes[0] if dashes else ""


def chunk_tokens(
    chunk: str, last_in_line: bool, turkic: bool
) -> Iterator[tuple[str, str | None, str]]:
    """Yield (text, canonical text or None, its kind) of each token."""
    r = patterns()
    if chunk.lower() in WHOLE_CHUNK and chunk.isascii():
        yield chunk, WHOLE_CHUNK[chunk.lower()], "mark"
        return
    hinted = re.search(r"[./\\@]", chunk) is not None
    p, tries, after_word = 0, 0, False
    while p < len(chunk):
        q = 0
        kind = "address"
        may_start = not after_word and (p == 0 or chunk[p - 1] not in "/\\.@&#")
        starts = (r.word.match(chunk, p) and chunk[p] != "_") or chunk[p] in "/.~\\"
        may_start = may_start and chunk[p - 1 : p + 1] != "-/"
        if hinted and may_start and starts and tries < 4:
            tries += 1
            q = address_end(chunk, p)
        if not q:
            kind = "word"
            if r.starts_word.match(chunk, p):
                q = word_end(chunk, p, p, last_in_line, turkic)
            elif not after_word and re.compile(r"\.[0-9]").match(chunk, p):
                q = word_end(chunk, p, p + 1, last_in_line, turkic)
            elif not after_word and r.tagged.match(chunk, p):
                q = r.tagged.match(chunk, p).end()
            else:
                q = leading_end(chunk, p, after_word, last_in_line, turkic)
        if q:
            after_word = True
            yield chunk[p:q], None, kind
        else:
            after_word = False
            mark = mark_at(chunk, p)
            if mark:
                q = p + len(mark)
                yield mark, ANYWHERE.get(mark, "--"), "mark"
            else:
                q = p + 1
                if chunk[p] in ".-=*~#+":
                    q = re.compile(f"[{re.escape(chunk[p])}]+").match(chunk, p).end()
                q = r.marks.match(chunk, q).end()
                yield chunk[p:q], None, "mark"
        p = q


# Tokens.


def word_class(surface: str) -> str:
    r = patterns()
    if r.quantity.search(surface):
        return "quantity"
    bare = "".join(c for c in surface if not is_mark(c))
    single = re.compile(r"(.)\.", re.DOTALL)
    for match in single.finditer(bare):
        before = bare[match.start() - 1] if match.start() else " "
        alone = is_letter(match[1]) and not (is_letter(before) or is_digit(before))
        if alone and not re.search("[/@:]", surface):
            return "acronym"
    parts = re.split("[-‐‑]", surface)
    if all(r.alphabetic.fullmatch(part) and r.letter.search(part) for part in parts):
        return "hyphenated" if len(parts) > 1 else "alphabetic"
    return "other"


def describe(
    text: str, canonical: str | None, kind: str, flags: int, start: int, turkic: bool
) -> Piece:
    end = start + len(to_bytes(text))
    if text.isascii():
        flags |= ASCII
    if canonical is not None:
        flags |= CANONICAL
        if text.lower() in CLOSING_MARKS:
            flags |= CLOSES
        if text == "…":
            flags |= ENDS_SENTENCE
        surface = to_bytes(canonical)
        return Piece(start, end, hash_bytes(surface), "AN", 0, "other", flags, surface)
    word = text
    if kind == "word":
        word = re.sub("’|&apos;", "'", re.sub("[‐‑]", "-", text))
        if word != text:
            flags |= VARIANT
    if len(text) == 1:
        if text in ENDS:
            flags |= ENDS_SENTENCE
        if text in "\"'" or unicodedata.category(text) in ("Pe", "Pf"):
            flags |= CLOSES
    elif text.startswith("..") and kind == "mark":
        flags |= ENDS_SENTENCE
    key = hash_bytes(to_bytes("".join(fold(c, turkic) for c in word)))
    return Piece(
        start, end, key, tag(word, turkic), upper_mask(word, turkic), word_class(word), flags,
        to_bytes(word),
    )  # fmt: skip


def segment(line: bytes, segmentation: str = "raw", turkic: bool = False) -> list[Piece]:
    if segmentation == "space":
        return [
            describe_spaced(match[0], match.start(), turkic)
            for match in re.compile(rb"[^\0\t\n\r ]+").finditer(
                line, 3 * line.startswith(b"\xef\xbb\xbf")
            )
        ]
    text = line.decode("utf-8", "surrogateescape")
    pieces = []
    for match in patterns().chunk.finditer(text, text.startswith("\ufeff")):
        start = len(to_bytes(text[: match.start()]))
        flags = SPACE_BEFORE
        last_in_line = text[match.end() :].strip(SPACES) == ""
        for token, canonical, kind in chunk_tokens(match[0], last_in_line, turkic):
            pieces.append(describe(token, canonical, kind, flags, start, turkic))
            flags = 0
            start = pieces[-1].end
    return pieces


def describe_spaced(token: bytes, start: int, turkic: bool) -> Piece:
    """Nothing is canonical here, but marks are known for closing or ending a sentence."""
    text = token.decode("utf-8", "surrogateescape")
    piece = describe(text, None, "mark", SPACE_BEFORE, start, turkic)
    flags = piece.flags & ~ENDS_SENTENCE if text.strip(".") and len(text) > 1 else piece.flags
    if piece.word_class == "other" and (text in CLOSING_MARKS or text.lower() in CLOSING_MARKS):
        flags |= CLOSES
    if text == "…":
        flags |= ENDS_SENTENCE
    return piece._replace(flags=flags)
