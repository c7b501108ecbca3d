"""Count the addresses, pieces of code and markup that change case in real pages.

    python bench/experiments/spans.py README.md docs/*.md site/*.html

The embedded model cases Markdown and HTML files line by line. The regular expressions below define
a span, independently of the package's own rules (they are stricter in some places, wider in
others). Lines without a lowercase letter are left out, because their case says nothing. The script
prints for each kind how many spans there are, how many changed, and some of these.
"""

import re
from collections import Counter, defaultdict

from frame import header, parser_of, read_lines, row, run_script

from truecase.truecaser import Truecaser

_END = r"(?=[\s\"'<>`)\]},;:!?]|\.\s|\.?$)"
KINDS = {
    "URL": r"\b[a-z][a-z0-9+]{1,9}://[^\s\"'<>`|)\]}]+",
    "www": r"\bwww\.[a-z0-9-]+\.[^\s\"'<>`|)\]}]+",
    "e-mail": r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "back-quoted": r"(?<![`\w])`[^`\s](?:[^`\n]*[^`\s])?`(?![`\w])",
    "tag": r"</?[a-z][a-z0-9-]*(?:\s[^<>\n]*)?/?>",
    "entity": r"&(?:[a-z][a-z0-9]+|#\d+|#x[0-9a-f]+);",
    "destination": r"(?<=\]\()[^\s()]+(?=\))",
    "placeholder": r"(?<![\w%])%(?:\d\$)?[sdif](?!\w)|\{\{[^{}\n]+\}\}|(?<![\w\\])\$?\{\w+\}",
    "path": r"(?<![\w./~])(?:\.{1,2}|~)?/[\w-]+(?:/[\w.-]*\w)+",
    "file": r"(?<![\w./@-])[\w-]+"
    r"\.(?:html?|css|js|json|md|txt|png|jpe?g|svg|py|rs|toml|ya?ml|xml)\b" + _END,
    "option": r"(?<![^\s(\[|`])--[a-z][\w-]*" + _END,
    "call": r"\b[a-z_][\w.]*\(\)",
    "identifier": r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b",
    "name": r"(?<![\w@/.])@[a-z][\w/-]+",
    "hash": r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{32,}\b",
}
_SPAN = re.compile(
    "|".join(f"(?P<k{i}>{pattern})" for i, pattern in enumerate(KINDS.values())), re.IGNORECASE
)
_NAMES = list(KINDS)


def main() -> None:
    parser = parser_of(__doc__, texts="FILE")
    parser.add_argument("--decode-with", help="only the model's ngram or unigram")
    parser.add_argument("--style", default="sentence")
    parser.add_argument("--shown", type=int, default=5, help="changed spans to print for each kind")
    args = parser.parse_args()
    truecaser = Truecaser.load(args.model, decode_with=args.decode_with, style=args.style)
    total: Counter[str] = Counter()
    changed: defaultdict[str, list[str]] = defaultdict(list)
    for path in args.texts:
        lines = [line for line in read_lines(path) if re.search(r"[^\W\d_]", line)]
        lines = [line for line in lines if line != line.upper()]
        for line, cased in zip(lines, truecaser.batch(lines), strict=True):
            for match in _SPAN.finditer(line):
                kind = _NAMES[int(match.lastgroup[1:])]
                if match[0].lower() == match[0].upper():
                    continue
                total[kind] += 1
                if cased[match.start() : match.end()] != match[0]:
                    changed[kind].append(f"{match[0]} -> {cased[match.start() : match.end()]}")
    header("kind", "spans", "changed", "for example")
    for kind in _NAMES:
        examples = list(dict.fromkeys(changed[kind]))[: args.shown]
        row(kind, total[kind], len(changed[kind]), "; ".join(examples))
    row("all", total.total(), sum(map(len, changed.values())), "")


if __name__ == "__main__":
    run_script(main)
