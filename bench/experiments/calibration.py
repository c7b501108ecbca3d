"""How far a model's posteriors can be trusted: reliability table and plot on cased text.

    python bench/experiments/calibration.py --model MODEL --text FILE [--svg OUT.svg]

The text is lowercased, cased by the model, and each word's probability is set beside whether it
is right. Words without a choice (probability 1, no other candidate) are left out unless
--all is given; words whose right form is not among the candidates are wrong.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "accuracy"))

from sets import text_lines
from systems import judged

from truecase.evaluate.calibration import reliability
from truecase.text._casing import lower
from truecase.truecaser import Truecaser


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", metavar="MODEL")
    parser.add_argument("--text", required=True, metavar="FILE")
    parser.add_argument("--all", action="store_true", help="words without a choice, too")
    parser.add_argument("--svg", metavar="OUT")
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    right = list(text_lines(Path(args.text)))
    lowered = (lower(line, model.language) for line in right)
    bins, error = reliability(judged(model, lowered, right, args.all))
    print(f"{'probability':>15} {'words':>9} {'mean':>7} {'right':>7}")
    for b in bins:
        limits = f"{b.low:.3f}-{b.high:.3f}"
        print(f"{limits:>15} {b.n_words:9,} {b.confidence:7.4f} {b.accuracy:7.4f}")
    print(f"expected calibration error {error:.4f}, words {sum(b.n_words for b in bins):,}")
    if args.svg:
        Path(args.svg).write_text(plot(bins), encoding="utf-8")
    return 0


def plot(bins):
    """A reliability diagram as SVG; the area of a dot is the number of words."""
    side, margin = 320, 40
    most = max(b.n_words for b in bins)

    def x(value):
        return margin + value * side

    def y(value):
        return margin + (1 - value) * side

    size = side + 2 * margin
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        'font-family="sans-serif" font-size="11" fill="currentColor">',
        f'<rect x="{margin}" y="{margin}" width="{side}" height="{side}" fill="none" '
        'stroke="currentColor" opacity=".4"/>',
        f'<line x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}" stroke="currentColor" '
        'opacity=".4" stroke-dasharray="4"/>',
    ]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        parts.append(f'<text x="{x(tick) - 8}" y="{size - 22}">{tick:g}</text>')
        parts.append(f'<text x="8" y="{y(tick) + 4}">{tick:g}</text>')
    for b in bins:
        radius = 2 + 8 * (b.n_words / most) ** 0.5
        parts.append(
            f'<circle cx="{x(b.confidence):.1f}" cy="{y(b.accuracy):.1f}" r="{radius:.1f}" '
            f'fill="#3b7" opacity=".8"><title>{b.n_words} words: {b.confidence:.3f} sure, '
            f"{b.accuracy:.3f} right</title></circle>"
        )
    parts.append(f'<text x="{margin}" y="{size - 6}">probability given</text>')
    parts.append(f'<text x="{margin}" y="24">share that is right</text></svg>')
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
