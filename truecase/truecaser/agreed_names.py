"""One name, one form throughout a text: of words that a model has not seen, and defined terms."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import log
from typing import TYPE_CHECKING

from truecase.kernels._unicode import lower, upper
from truecase.model.names import join_lists, name_list

if TYPE_CHECKING:
    from truecase.evaluation.words import WordPosterior
    from truecase.truecaser import Truecaser

_ENDS_SENTENCE = re.compile(r"[.!?:…]+")
# A word behind one in lower case, and perhaps a comma. One of 100 letters or more is no name.
_INSIDE = re.compile(r" (?:(?<=[^\W\d_A-Z] )|(?<=[^\W\d_A-Z], ))([^\W\d_](?:[\w'’-]{0,98}\w)?)")
# Not a part of an address or of code: com.netgoat.app.
_WORD = re.compile(r"(?<![^\s(\"'“‘*_-])[^\W_]+(?![^\s)\"'’”*_.,;:!?-])")
# So often a term stands in a text that is proofread.
_OFTEN = 3
# Trust in the case of a text shows in a fourth of the lines, and about so many characters at most.
# This share of the words changes in usual text; so many words of it are added.
_JUDGED = 24_000
_USUAL, _ADDED = 0.006, 500


def with_agreed_names(truecaser: Truecaser, blocks: Iterable[str]) -> Truecaser:
    """A truecaser that writes a text's unknown words alike in all their places.

    `blocks` are whole lines. A word that training has not seen, and that stands in the text twice
    or more, gets the form of the place inside a sentence where the model is surest, as if it stood
    in a list of names. A word that came in several forms, in lines whose case says something, or in
    another form in code, keeps them. Of text that is proofread, the terms that always have capitals
    inside its sentences (``the Licensor``) keep them, and so do words in capitals that it repeats.
    """
    parts = list(blocks)
    proofreads = truecaser.casing.input_case == "proofread"
    whole = "\n".join(parts) if proofreads else ""
    terms, stressed = _meant(whole)
    if proofreads:
        truecaser = truecaser._with(truecaser.model.replace(trust=_trust(truecaser, whole)))
    lines_of = _lines_of_unknown_words(truecaser, parts)
    lines = dict.fromkeys(chain.from_iterable(lines_of.values()))
    mixed = dict.fromkeys(line for line in lines if lower(line) != line != upper(line))
    # A heading such as `git add`, of a text that is proofread, may be meant so.
    kept = mixed if proofreads else lines
    certainty: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    written: dict[str, set[str]] = defaultdict(set)
    given: dict[str, set[str]] = defaultdict(set)
    in_code: dict[str, set[str]] = defaultdict(set)
    first: dict[str, set[str]] = defaultdict(set)
    text = "\n".join(kept)
    rows = truecaser.without_calibration().posteriors(text) if kept else []
    for line, words in zip(kept, rows, strict=True):
        for word, is_first in zip(words, _first_words(words), strict=True):
            key = lower(word.text)
            if key not in lines_of:
                continue
            if len(word.candidates) == 1:
                in_code[key].add(word.text)
                continue
            written[key].add(word.text)
            form = text[word.start : word.end]
            # A first word has a capital anyway.
            if line in mixed and not (is_first and lower(form[1:]) == form[1:]):
                given[key].add(form)
            if is_first:
                first[key].add(form)
                continue
            # Rounded: the last bits are not the same on all machines.
            certainty[key][word.text] = max(round(word.posterior, 6), certainty[key][word.text])
    surest = {key: max(sorted(forms), key=forms.__getitem__) for key, forms in certainty.items()}
    # Also at the beginning of a sentence, where a known word may be likelier with one capital, and
    # where a name may always be in lower case: npm.
    agreed = [
        f"!{form}" if form[:1].isupper() or (proofreads and first[key] == {form}) else form
        for key, form in sorted(surest.items())
        if len(given[key]) < 2 <= len(written[key]) and in_code[key] <= {form} and key not in terms
    ]
    agreed += [f"!{form}" for form in terms.values()]
    if not agreed and not stressed:
        return truecaser
    names = name_list([*stressed, *agreed])
    names.arrays["forced"][: len(stressed)] = 2
    if truecaser.model.names is not None:  # the user's own names take precedence
        names = join_lists([names, truecaser.model.names])
    return truecaser._with(truecaser.model.replace(names=names))


def _trust(truecaser: Truecaser, text: str) -> float:
    """How far the case of a text is to be trusted, by what proofreading changes in some lines.

    A text of slips gains most if its words' input forms get less, a careful one if they get more.
    What changes in several places alike is hardly a slip, and counts once.
    """
    given = "\n".join(text.split("\n")[:: 4 + len(text) // _JUDGED])
    block = given.encode("utf-8", "surrogateescape")
    words = block.split()
    cased = truecaser._compiled.case_block(block, truecaser.casing).split()
    changes = {pair for pair in zip(words, cased, strict=True) if pair[0] != pair[1]}
    trust = log(_USUAL * (len(words) + _ADDED) / (len(changes) + _USUAL * _ADDED))
    # Rounded: the last bits are not the same on all machines.
    return round(min(max(trust, -2.0), 1.0), 2)


def _meant(text: str) -> tuple[dict[str, str], list[str]]:
    """Words whose capitals inside sentences are meant: terms by lowercase form, and other words.

    Terms often stand in one form with capitals, and in no other. The other words stand in capitals
    throughout twice or more, and less often otherwise: a state that is called RUNNING.
    """
    inside = Counter(_INSIDE.findall(text))
    raised = {form: n for form, n in inside.items() if n > 1 and form != lower(form)}
    words, forms = Counter(_WORD.findall(text)), Counter(map(lower, inside))
    small = {*words, *inside}
    often = {lower(form): form for form, n in raised.items() if n >= _OFTEN}
    terms = {key: form for key, form in often.items() if forms[key] == 1 and key not in small}
    capitals = (form for form in raised if len(form) > 1 and form.isupper() and form.isalnum())
    others = {form: words[lower(form)] + words[form.capitalize()] for form in capitals}
    return terms, [form for form, n in others.items() if n < raised[form]]


def _lines_of_unknown_words(truecaser: Truecaser, blocks: Iterable[str]) -> dict[str, list[str]]:
    """The lines of each word that training has not seen and that stands in two places or more."""
    places: dict[str, list[str]] = defaultdict(list)
    for text in blocks:
        block = text.encode("utf-8", "surrogateescape")
        line, line_end = "", -1
        for start, end in truecaser._compiled.unknown_words(block):
            if start > line_end:
                line_start = block.rfind(b"\n", 0, start) + 1
                line_end = block.find(b"\n", end)
                line_end = line_end if line_end >= 0 else len(block)
                line = block[line_start:line_end].decode("utf-8", "surrogateescape")
            places[lower(block[start:end].decode("utf-8", "surrogateescape"))].append(line)
    return {word: of for word, of in places.items() if len(of) > 1 and len(word) < 100}


def _first_words(line: Sequence[WordPosterior]) -> Iterator[bool]:
    """Whether each word is the first of its sentence."""
    is_first = True
    for word in line:
        yield is_first and word.tag != "AN"
        if word.tag != "AN":
            is_first = False
        elif not is_first:
            is_first = _ENDS_SENTENCE.fullmatch(word.text) is not None
