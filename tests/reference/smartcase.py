"""Where sentences begin for SmartCase, its counts and changes, in plain Python."""

from collections import Counter

from reference import spans
from reference.casing import is_broken, is_cased, is_digit, is_letter, lower, title
from reference.segment import CANONICAL, CLOSES, ENDS_SENTENCE, SPACE_BEFORE, Piece, segment

INSIDE, FIRST, UNCLEAR, UNKNOWN = "inside", "first", "unclear", "after an abbreviation"


def text_of(piece: Piece) -> str:
    return piece.surface.decode("utf-8", "surrogateescape")


def kind_of(piece: Piece) -> str:
    text = text_of(piece)
    if piece.tag != "AN":
        return "mark" if text[0] == "&" and text[-1] == ";" else "word"
    if piece.flags & CANONICAL:
        return "mark"
    if piece.word_class == "quantity":
        return "number"
    if is_letter(text[0]) and not is_broken(text[0]):
        return "word"
    return "number" if is_digit(text[0]) else "mark"


class Sentences:
    """Where each token of a line stands in its sentence."""

    def __init__(self, line: bytes, segmentation: str, turkic: bool, abbreviations: set[int]):
        # As written: the surface of an ellipsis is three periods.
        self.pieces = [
            piece._replace(surface=line[piece.start : piece.end])
            for piece in segment(line, segmentation, turkic)
        ]
        self.abbreviations = abbreviations
        self.next = FIRST  # place of the next word
        self.must_be_spaced = False  # for that: white space between the mark and the word
        self.is_spaced = True
        self.has_begun = False
        self.was_asked = False
        self.is_open = False  # a quotation
        self.counts_up = False  # the token before is a number where a word could be first
        self.places = [self.place(i) for i in range(len(self.pieces))]

    def place(self, i: int) -> str:
        piece = self.pieces[i]
        text = text_of(piece)
        kind = kind_of(piece)
        attached = not piece.flags & SPACE_BEFORE
        self.is_spaced = self.is_spaced or not attached
        counted_up, self.counts_up = self.counts_up, False
        if kind == "mark":
            self.mark(i, text, attached, counted_up)
            return INSIDE
        place = self.next if self.is_spaced or not self.must_be_spaced else INSIDE
        self.counts_up = kind == "number" and place == FIRST
        self.has_begun = True
        if kind == "word" and text[-1] == ".":
            self.wait(UNKNOWN)
        else:
            self.next = INSIDE
        return place

    def wait(self, place: str, spaced: bool = True) -> None:
        self.next, self.is_spaced, self.must_be_spaced = place, False, spaced

    def mark(self, i: int, text: str, attached: bool, counted_up: bool) -> None:
        flags = self.pieces[i].flags
        if counted_up and attached and text[0] in ".)":
            self.wait(FIRST)
        elif flags & ENDS_SENTENCE or text[0] in ".!?":
            self.is_spaced, self.must_be_spaced = False, text[0] < "\x80"
            self.was_asked = text[0] in "?!"
            if self.is_ellipsis(i, text):
                self.next = UNCLEAR
            elif self.has_begun:
                self.next = UNKNOWN if self.is_abbreviated(i, text, attached) else FIRST
        elif self.has_begun:
            if text[0] == ":":
                self.wait(UNCLEAR)
            elif text[0] in ",;":
                self.next = INSIDE
            elif self.was_asked and self.next == FIRST and self.closes(i, text):
                self.next = UNCLEAR
        if text[0] == '"':
            self.is_open = not self.is_open

    def is_ellipsis(self, i: int, text: str) -> bool:
        if self.pieces[i].flags & CANONICAL:
            return True
        after_dot = i > 0 and text_of(self.pieces[i - 1])[0] == "."
        return text[0] == "." and (len(text.encode("utf-8", "surrogateescape")) > 1 or after_dot)

    def is_abbreviated(self, i: int, text: str, attached: bool) -> bool:
        if text[0] != "." or not attached or i == 0 or kind_of(self.pieces[i - 1]) != "word":
            return False
        word = self.pieces[i - 1]
        return len(text_of(word)) == 1 or word.key in self.abbreviations or b"." in word.surface

    def closes(self, i: int, text: str) -> bool:
        piece = self.pieces[i]
        if not piece.flags & CLOSES:
            return False
        if text[0] not in "\"'&" or len(piece.surface) == 2 or not piece.flags & SPACE_BEFORE:
            return True
        if i + 1 < len(self.pieces) and not self.pieces[i + 1].flags & SPACE_BEFORE:
            return False
        return self.is_open


def with_first_letter(text: str, mapping, turkic: bool) -> str:
    for i, c in enumerate(text):
        if is_cased(c, turkic):
            return text[:i] + mapping(c, turkic) + text[i + 1 :]
    return text


def may_be_raised(piece: Piece, turkic: bool) -> bool:
    text = text_of(piece)
    if text[0] == "#" or any(c in "/@:_\\" for c in text):
        return False
    if "." in text[:-1] and piece.word_class != "acronym":
        return False
    for c in text:
        if is_digit(c):
            return False
        if is_letter(c):
            return is_cased(c, turkic)
    return True


class SmartCase:
    """Twin of the counts, of normalising and of capitalising, a line at a time."""

    def __init__(self, segmentation: str, language: str, abbreviations) -> None:
        self.segmentation = segmentation
        self.turkic = language != ""
        self.abbreviations = {segment(word, "space", self.turkic)[0].key for word in abbreviations}

    def sentences(self, line: bytes) -> Sentences:
        return Sentences(line, self.segmentation, self.turkic, self.abbreviations)

    def forms(self, lines) -> list[tuple[int, bytes, int, bool]]:
        """Key, surface, count and whether it is lowercase of each form within sentences."""
        surfaces: dict[tuple[int, str, int], bytes] = {}
        counts: Counter[tuple[int, str, int]] = Counter()
        for line in lines:
            parsed = self.sentences(line)
            for piece, place in zip(parsed.pieces, parsed.places, strict=True):
                if place == INSIDE and piece.tag != "AN":
                    form = piece.key, piece.tag, piece.upper_mask if piece.tag == "MX" else 0
                    surfaces.setdefault(form, piece.surface)
                    counts[form] += 1
        return [(form[0], surfaces[form], n, form[1] == "AL") for form, n in counts.items()]

    def changed(self, line: bytes, change) -> bytes:
        parsed = self.sentences(line)
        held = spans.held(line, self.tokens(line))
        out, copied = b"", 0
        for piece, place, (state, _) in zip(parsed.pieces, parsed.places, held, strict=True):
            mapping = None if state else change(piece, place)
            if mapping:
                text = with_first_letter(text_of(piece), mapping, self.turkic)
                out += line[copied : piece.start] + text.encode("utf-8", "surrogateescape")
                copied = piece.end
        return out + line[copied:]

    def tokens(self, line: bytes):
        from truecase_testing import segment as compiled

        return compiled(line, self.segmentation, "tr" if self.turkic else "")

    def normalize(self, line: bytes, mostly_lower: set[int]) -> bytes:
        def change(piece: Piece, place: str):
            if place in (FIRST, UNCLEAR) and piece.tag == "IU" and piece.key in mostly_lower:
                return lower
            return None

        return self.changed(line, change)

    def capitalize(self, line: bytes) -> bytes:
        def change(piece: Piece, place: str):
            if place == FIRST and piece.tag == "AL" and may_be_raised(piece, self.turkic):
                return title
            return None

        return self.changed(line, change)
