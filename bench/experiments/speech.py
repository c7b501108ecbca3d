"""Errors in speech by kind: fillers, short forms, spelled letters, the rest.

    python bench/experiments/speech.py TEXT... [-m MODEL] [--keep-marks] [--no-apostrophes]
        [--sure NATS] [--likely NATS]

Each text is cased, an utterance per line. The script lowercases it, removes its marks, because a
recogniser writes none, and cases it again. `--sure` and `--likely` are the bonuses that the rule
for words of English speech gives their case (truecase/rules/en.toml); far below 0 they almost
switch it off.
"""

import re
from collections import Counter

from frame import header, n_words, parser_of, read_lines, row, run_script, without_punctuation

from truecase.rules import _language
from truecase.rules.language import read_rules
from truecase.truecaser import Truecaser

RULES = read_rules("en")
SPEECH = RULES["speech"]
SHORT_FORM = re.compile(r"(im|id|ill|yall|\w+(nt|ve|ll|re|es|yd|ud|td|ws))")


def is_listed(word: str, *lists: str) -> bool:
    return any(word in str(SPEECH[name]).split() for name in lists)


def kind_of(word: str) -> str:
    """What a word of speech is."""
    bare = re.sub(r"[^\w'-]", "", word.lower())
    if len(bare) == 1 and bare not in "ai":
        return "letters"
    if is_listed(bare, "i_will", "i_am"):
        return "short forms"
    if is_listed(bare, "lower", "likely_lower"):
        return "short forms" if SHORT_FORM.fullmatch(bare) else "fillers"
    return "others"


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--keep-marks", action="store_true")
    parser.add_argument("--no-apostrophes", action="store_true")
    parser.add_argument("--sure", type=float, default=SPEECH["sure"])
    parser.add_argument("--likely", type=float, default=SPEECH["likely"])
    args = parser.parse_args()
    SPEECH.update(sure=args.sure, likely=args.likely)
    _language.read_rules = lambda _: RULES  # which the kernels read with the first model
    model = Truecaser.load(args.model)
    kinds = ("fillers", "short forms", "letters", "others")
    header("text", "words", "wrong", *kinds)
    for path in args.texts:
        lines = read_lines(path)
        if not args.keep_marks:
            lines = [without_punctuation(line) for line in lines]
        if args.no_apostrophes:
            lines = [re.sub(r"['’]", "", line) for line in lines]
        lines = [line for line in lines if line.strip()]
        wrong: Counter[str] = Counter()
        for line, output in zip(lines, model.batch([s.lower() for s in lines]), strict=True):
            for right, word in zip(line.split(), output.split(), strict=True):
                wrong[kind_of(right)] += right != word
        row(path.name, n_words(lines), wrong.total(), *(wrong[kind] for kind in kinds))


if __name__ == "__main__":
    run_script(main)
