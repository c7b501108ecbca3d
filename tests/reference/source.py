"""What the source sentence tells, in plain Python: phrases, GEN (iii), columns.

Wang, Knight & Marcu (2006), 4.3 and 4.4 (iii), and what `truecase/kernels` and
`truecase/kernels` add to them.
Tokens are pieces of `reference.segment`, the candidates' translation columns the caller's.
"""

import re
import unicodedata
from typing import NamedTuple

from truecase_testing import segment as tokens_of

from reference import casing
from reference.segment import CANONICAL, SPACE_BEFORE, VARIANT, describe, segment
from reference.translation import first_tokens
from reference.translation import phrase as tokens_of_words
from truecase.kernels import text as lists

MAX_SAME = 4


def text_of(piece):
    return piece.surface.decode("utf-8", "surrogateescape")


def is_word(piece):
    return piece.tag != "AN" or piece.word_class != "other"


def begins_upper(tag, mask):
    return tag in ("IU", "AU") or (tag == "MX" and bool(mask & 1))


def forms_of(piece, turkic=False):
    """The word in AL, IU and AU, which are the same if its first letter has no capital."""
    text = text_of(piece)
    if casing.begins_broken(text, turkic):
        return [text] * 3
    return [casing.render(text, tag, 0, turkic) for tag in ("AL", "IU", "AU")]


def one_letter(piece, turkic=False):
    """Whether the word's capital is all that upper case changes: A, d'."""
    _, first, upper = forms_of(piece, turkic)
    return first == upper


def is_lone_upper(piece, turkic=False):
    return piece.tag == "IU" and one_letter(piece, turkic)


def script_of(letter):
    if casing.is_cased(letter) or casing.is_without_capital(letter):
        return "cased"
    return "caseless" if letter.isalpha() and ord(letter) >= 0x590 else None


def letters_of(piece):
    """Whether a word's first letter is a Latin one."""
    if piece.word_class == "quantity" or not is_word(piece):
        return None
    letters = [c for c in text_of(piece) if casing.is_letter(c)]
    if not letters:
        return None
    return "latin" if "LATIN" in unicodedata.name(letters[0], "") else "other"


def split_scripts(line, pieces, turkic=False):
    """Pieces cut between letters with case and those of a script without."""
    # An address is one word, whatever its letters; which those are has a twin of its own.
    held = {token.start for token in tokens_of(line) if token.held}
    found = []
    for piece in pieces:
        if piece.tag == "AN" or piece.flags & CANONICAL or piece.start in held:
            found.append(piece)
            continue
        runs, kinds = [""], [None]
        text = line[piece.start : piece.end].decode("utf-8", "surrogateescape")
        for letter in text:
            kind = script_of(letter)
            if kind and kinds[-1] and kind != kinds[-1]:
                runs.append("")
                kinds.append(kind)
            runs[-1] += letter
            kinds[-1] = kinds[-1] or kind
        if len(runs) == 1:
            found.append(piece)
            continue
        start, flags = piece.start, piece.flags & SPACE_BEFORE
        kind = "word" if piece.flags & VARIANT else "mark"
        for run in runs:
            found.append(describe(run, None, kind, flags, start, turkic))
            start, flags = found[-1].end, 0
    return found


class Sentence(NamedTuple):
    first_tag: str
    all_upper: bool
    upper_share: int
    first_token: int
    kind: str = "unknown"


def sentence_case(pieces, turkic=False):
    cased = [i for i, piece in enumerate(pieces) if piece.tag != "AN"]
    if not cased:
        return Sentence("AN", False, 0, -1)
    others = [pieces[i] for i in cased[1:]]
    n_upper = sum(begins_upper(p.tag, p.upper_mask) for p in others)
    # Words of a script without case: a name in Latin letters among them says nothing of them.
    caseless = [
        i
        for i, piece in enumerate(pieces)
        if piece.tag == "AN" and piece.word_class not in ("other", "quantity")
    ]
    has_case = len(others) >= len(caseless)
    upper = [pieces[i] for i in cased if pieces[i].tag == "AU"]
    shouts = [p for p in upper if len(text_of(p)) >= 5 and p.word_class == "alphabetic"]
    return Sentence(
        "AN" if caseless and caseless[0] < cased[0] else pieces[cased[0]].tag,
        not caseless
        and (len(upper) > 1 or bool(shouts))
        and all(pieces[i].tag == "AU" or is_lone_upper(pieces[i], turkic) for i in cased),
        int(4 * n_upper / len(others) + 0.5) if others and has_case else 0,
        cased[0],
    )


class Phrase(NamedTuple):
    tags: frozenset
    inner_tags: frozenset
    main_tag: str
    is_aligned: bool
    starts_upper: bool
    all_upper: bool
    same: tuple
    copy_is_first: bool
    copy_is_in_run: bool


class Source:
    """A source line beside a target line.

    `links` has the source words of each target word, or is None: nothing is known of the line.
    """

    def __init__(self, source, target, links=None, turkic=False, target_turkic=False):
        # A key in lower case says nothing of case.
        if re.fullmatch(rb"[^\x00-\x20A-Z_]*_[^\x00-\x20A-Z]*\r?", source):
            source, links = b"", None
        self.turkic, self.links = turkic, links
        self.pieces = split_scripts(source, segment(source, turkic=turkic), turkic)
        self.targets = segment(target, turkic=target_turkic)
        self.first_token = first_tokens(source, [(p.start, p.end) for p in self.pieces])
        starts = first_tokens(target, [(p.start, p.end) for p in self.targets])
        self.word_of = [
            next((w for w in range(len(starts) - 1) if starts[w] <= i < starts[w + 1]), None)
            for i in range(len(self.targets))
        ]
        self.sentence = sentence_case(self.pieces, turkic)._replace(kind=self.kind())
        if links is not None and (not any(links) or self.contradicts_itself()):
            self.links = None

    def contradicts_itself(self):
        """Whether most words that both sides have once are not aligned with each other."""
        keys, others = ([p.key for p in pieces] for pieces in (self.targets, self.pieces))
        n = n_linked = 0
        for i, key in enumerate(keys):
            if self.word_of[i] is not None and keys.count(key) == others.count(key) == 1:
                n += 1
                word = self.word_of_source(others.index(key))
                n_linked += word is not None and word in self.links[self.word_of[i]]
        return 2 * n_linked < n

    def word_of_source(self, k):
        """The word of the source that a token of it is of, or None."""
        starts = self.first_token
        words = (w for w in range(len(starts) - 1) if starts[w] <= k < starts[w + 1])
        return next(words, None)

    def tokens_of(self, i, everywhere=False):
        """Source tokens that target token i may be a translation of."""
        if everywhere or self.links is None:
            words = list(range(len(self.first_token) - 1))
        else:
            words = [] if self.word_of[i] is None else self.links[self.word_of[i]]
        kinds = [is_word(piece) for piece in self.pieces]
        return tokens_of_words(self.first_token, kinds, words, is_word(self.targets[i]))

    def copies(self, i, everywhere):
        """Those of them that are the same word, with case, or have it as a part: QZip-Tool."""
        found = []
        for k in self.tokens_of(i, everywhere):
            same = (p for p in self.with_parts(k) if p.key == self.targets[i].key)
            if (piece := next(same, None)) is not None and piece.tag != "AN":
                found.append((k, piece))
        return found

    def with_parts(self, k):
        """A token, and its parts with inner capitals."""
        piece = self.pieces[k]
        yield piece
        if piece.word_class != "hyphenated" or piece.tag != "MX" or piece.end - piece.start > 63:
            return
        for text in text_of(piece).split("-"):
            part = describe(text, None, "mark", 0, 0, self.turkic) if text else piece
            if text and part.tag in ("AU", "MX"):
                yield part

    def is_spelt_out(self, i, k):
        """Whether a neighbour is aligned with the same word of the source, an acronym, too."""
        piece, word = self.pieces[k], self.word_of[i]
        if self.links is None or self.sentence.all_upper or piece.tag != "AU" or word is None:
            return False
        if len(text_of(piece)) >= 5 and piece.word_class == "alphabetic":
            return False
        of_source = self.word_of_source(k)
        return any(
            of_source in self.links[w] for w in (word - 1, word + 1) if 0 <= w < len(self.links)
        )

    def is_same(self, i, k):
        """Whether target token i is the word that source token k is; False where there is none."""
        if not (0 <= i < len(self.targets) and 0 <= k < len(self.pieces)):
            return False
        return self.targets[i].key == self.pieces[k].key and is_word(self.pieces[k])

    def is_in_run(self, i, k):
        """Whether the words around both are the same, too: one that starts upper, or two."""
        near = [step for step in (-1, 1) if self.is_same(i + step, k + step)]
        pieces = [self.pieces[k + step] for step in near]
        return (
            len(near) == 2
            or any(begins_upper(piece.tag, piece.upper_mask) for piece in pieces)
            or any(self.is_same(i + 2 * step, k + 2 * step) for step in near)
        )

    def letters(self):
        """Whose letters most of the source's text has."""
        sizes = {"latin": 0, "other": 0, None: 0}
        for piece in self.pieces:
            sizes[letters_of(piece)] += piece.end - piece.start
        if sizes["latin"] == sizes["other"]:
            return None
        return max("latin", "other", key=sizes.get)

    def kind(self):
        """Whether the line is in a language whose nouns have a capital."""
        words = [p for p in self.pieces if p.word_class in ("alphabetic", "hyphenated")]
        words = [text_of(p).lower() for p in words if p.tag != "AN"]
        letters = {c for word in words for c in word if c > "\x7f" and casing.is_letter(c)}
        likely = set(words) & set(lists.LIKELY_GERMAN_WORDS) | (
            {"letter"} if letters & set("äöüß") else set()
        )
        if self.letters() == "other":
            return "other"
        if set(words) & lists.GERMAN_WORDS or len(likely) > 1:
            return "noun-capitals"
        if letters - set("äöüß") or len(words) >= lists.FEWEST_FOREIGN_WORDS[len(likely)]:
            return "other"
        return "unknown"

    def phrase(self, i):
        target, sentence = self.targets[i], self.sentence
        places = self.tokens_of(i)
        cased = [k for k in places if self.pieces[k].tag != "AN"]
        # Where it is aligned with others only, the same word counts wherever it stands.
        found = self.copies(i, False) or self.copies(i, True)
        same, firsts = [], []
        for k, piece in found:
            form = piece.tag, piece.upper_mask
            if form not in same and len(same) == MAX_SAME:
                continue
            firsts.append(k == sentence.first_token and piece.tag == "IU")
            if form not in same:
                same.append(form)
        is_first = len(same) == 1 and all(firsts)
        in_run = any(self.is_in_run(i, k) for k, _ in found)
        if self.links is None:
            none = frozenset()
            return Phrase(
                none, none, "AN", False, False, sentence.all_upper, tuple(same), is_first, in_run
            )
        spelt_out = [
            k for k in cased if self.pieces[k].key != target.key and self.is_spelt_out(i, k)
        ]
        cased = [k for k in cased if k not in spelt_out]
        tags = frozenset(self.pieces[k].tag for k in cased) | frozenset("MX" for _ in spelt_out)
        main = self.pieces[cased[0]] if cased else None
        return Phrase(
            tags,
            frozenset(self.pieces[k].tag for k in cased if k != sentence.first_token),
            main.tag if main else "AN",
            bool(places),
            main is not None and begins_upper(main.tag, main.upper_mask),
            "AU" in tags
            and not spelt_out
            and all(
                self.pieces[k].tag == "AU" or is_lone_upper(self.pieces[k], self.turkic)
                for k in cased
            ),
            tuple(same),
            is_first,
            in_run,
        )


def proposals(target, phrase, turkic=False):
    """Tag and mask of the forms that GEN (iii) adds where they are not there yet."""
    if target.tag == "AN":
        return []
    forms = list(phrase.same)
    if target.word_class == "other":
        return forms
    low, first, upper = forms_of(target, turkic)
    if "AL" in phrase.inner_tags or phrase.main_tag == "AL":
        forms.append(("AL", 0))
    if first != low and ("IU" in phrase.inner_tags or (phrase.all_upper and upper == first)):
        forms.append(("IU", 0))
    if upper != first and (phrase.all_upper or "AU" in phrase.tags):
        forms.append(("AU", 0))
    return forms


def candidates(given, target, phrase, turkic=False):
    """Tag, mask and whether the source alone proposes it, of each candidate.

    `given` are those of a word without a source, as (tag, mask).
    """
    found = [(tag, mask, False) for tag, mask in given]
    for tag, mask in proposals(target, phrase, turkic):
        mask = mask if tag == "MX" else 0
        if (tag, mask) not in [(t, m if t == "MX" else 0) for t, m, _ in found]:
            found.append((tag, mask, True))
    return found


#: Features of which `columns` has the value, in its order, and those of translation tables.
NAMES = (
    "source_upper",
    "same_form_lower",
    "same_form",
    "same_form_sentence_initial",
    "same_form_upper",
    "same_form_mixed",
    "same_form_initial",
    "same_form_run",
    "same_form_other_script",
    "source_form",
    "aligned_lower",
    "aligned_initial",
    "aligned_first",
    "aligned_upper",
    "aligned_not_upper",
    "aligned_caseless",
    "unaligned",
    "source_all_upper",
    "initial_source_upper",
    "initial_source_lower",
    "mark_source_upper",
    "mark_source_lower",
    "source_capitalised_share",
)
OF_TABLES = ("translation", "tag_translation")


def columns(source, i, candidate, is_initial, likeliest=None):
    """Values by name, translation columns left out.

    `candidate` has tag, state (case of the identity), upper_mask, is_of_source and
    is_in_lexicon; `likeliest` is the source token that the word is likely a translation of,
    where tables tell.
    """
    phrase, sentence, target = source.phrase(i), source.sentence, source.targets[i]
    tag, cased = candidate.tag, candidate.state != "AL"
    starts_upper = begins_upper(tag, candidate.upper_mask)
    source_tag, source_upper = phrase.main_tag, phrase.starts_upper
    source_first = bool(phrase.tags) and not phrase.inner_tags
    if (
        likeliest is not None
        and (phrase.is_aligned or source.links is None)
        and (source.pieces[likeliest].key == target.key or not source.is_spelt_out(i, likeliest))
    ):
        piece = source.pieces[likeliest]
        source_tag, source_upper = piece.tag, begins_upper(piece.tag, piece.upper_mask)
        source_first = likeliest == sentence.first_token
    before = source.targets[i - 1] if i else None
    after_mark = before is not None and before.tag == "AN" and before.word_class == "other"
    is_same = any(
        form == tag and (form != "MX" or mask == candidate.upper_mask) for form, mask in phrase.same
    )
    capital = candidate.state in ("IU", "MX") and starts_upper
    of_capital = source_upper and source_tag != "AU"
    quiet = not sentence.all_upper
    share = sentence.upper_share / 4
    same_form = cased and is_same and quiet
    letters = {letters_of(target), source.letters()}
    return {
        "source_upper": tag == "AU" and phrase.all_upper,
        "same_form_lower": not cased and "AL" in [form for form, _ in phrase.same],
        "same_form": cased and is_same and not phrase.copy_is_first,
        "same_form_sentence_initial": cased and is_same and phrase.copy_is_first,
        "same_form_upper": tag == "AU" and is_same and quiet,
        "same_form_mixed": tag == "MX" and is_same,
        "same_form_initial": same_form and tag == "IU" and not phrase.copy_is_first,
        "same_form_run": same_form and phrase.copy_is_in_run,
        "same_form_other_script": same_form and letters == {"latin", "other"},
        "source_form": candidate.is_of_source
        or (cased and is_same and not candidate.is_in_lexicon),
        "aligned_lower": cased and source_tag == "AL",
        "aligned_initial": capital and of_capital and not source_first,
        "aligned_first": capital and of_capital and source_first and not is_initial,
        "aligned_upper": tag == "AU" and source_tag == "AU",
        "aligned_not_upper": tag == "AU" and source_tag not in ("AU", "AN"),
        "aligned_caseless": cased and phrase.is_aligned and not phrase.tags and quiet,
        "unaligned": cased and not phrase.is_aligned and source.links is not None and quiet,
        "source_all_upper": sentence.all_upper
        and (tag == "AU" or (tag == "IU" and one_letter(target))),
        "initial_source_upper": is_initial
        and starts_upper
        and quiet
        and sentence.first_tag in ("IU", "AU"),
        "initial_source_lower": is_initial and starts_upper and sentence.first_tag == "AL",
        "mark_source_upper": after_mark and starts_upper and source_upper and quiet,
        "mark_source_lower": after_mark and starts_upper and source_tag == "AL",
        "source_capitalised_share": share if cased and quiet else 0.0,
    }
