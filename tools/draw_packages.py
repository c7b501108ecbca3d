"""Draw the packages of ``truecase`` and their imports, as docs/static/packages.svg.

    python tools/draw_packages.py [FILE.svg]

Packages and their order are those of ``pyproject.toml``, the bottom one below. A box has the name
of a package and its lines, blank ones left out. A dark arrow leads to a package that it imports or
cimports; a pale one, on the left, to a package that it also reaches by dark arrows. A box's tooltip
lists its imports. ``make packages`` runs this.
"""

import argparse
from collections import defaultdict
from pathlib import Path
from xml.sax.saxutils import escape

from check_house import PACKAGE, ROOT, imports_of, package_of, room_of, tomllib

WIDTH, HEIGHT, STEP, MARGIN = 170, 46, 72, 16
#: Colours of imports that longer ways imply, and of all others.
PALE, DARK = "#b4c0cc", "#33475b"
SUFFIXES = (".py", ".pyx", ".pxd")


def measure(names: list[str]) -> tuple[dict[str, int], dict[str, set[str]]]:
    """Lines of each package, and the packages that each imports."""
    lines: dict[str, int] = defaultdict(int)
    imports: dict[str, set[str]] = {name: set() for name in names}
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix not in SUFFIXES or room_of(path) not in imports:
            continue
        own = room_of(path)
        lines[own] += sum(
            1 for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
        )
        reached = {package_of(module) for _, module in imports_of(path)}
        imports[own] |= reached - {own}
    return lines, {name: found & imports.keys() for name, found in imports.items()}


def reachable(name: str, imports: dict[str, set[str]]) -> set[str]:
    """All packages that a package imports, also through others."""
    found: set[str] = set()
    waiting = list(imports[name])
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting.extend(imports[one])
    return found


def direct(imports: dict[str, set[str]]) -> dict[str, set[str]]:
    """The imports that no longer way implies."""
    return {
        name: {
            one
            for one in below
            if not any(one in reachable(other, imports) for other in below - {one})
        }
        for name, below in imports.items()
    }


def arc(middle: int, start: int, end: int, is_implied: bool) -> str:
    """An arrow from one box down to another, round the boxes between them."""
    side, colour = (-1, PALE) if is_implied else (1, DARK)
    if end == start + 1 and not is_implied:
        x, y = middle, MARGIN + start * STEP + HEIGHT
        way = f"M{x} {y}V{y + STEP - HEIGHT - 1}"
    else:
        x = middle + side * WIDTH // 2
        y, to_y = (
            MARGIN + row * STEP + HEIGHT // 2 + shift for row, shift in ((start, 7), (end, -7))
        )
        out = x + side * (24 + 15 * (end - start))
        way = f"M{x} {y}C{out} {y} {out} {to_y} {x} {to_y}"
    return f'<path d="{way}" fill="none" stroke="{colour}" marker-end="url(#{colour[1:]})"/>'


def draw(names: list[str], lines: dict[str, int], imports: dict[str, set[str]]) -> str:
    """The picture, as the text of an SVG file."""
    top_down = names[::-1]
    row = {name: number for number, name in enumerate(top_down)}
    arrows = direct(imports)
    middle = WIDTH // 2 + 40 + 12 * len(names)
    height = 2 * MARGIN + len(names) * STEP - STEP + HEIGHT
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * middle} {height}" '
        f'width="{2 * middle}" font-family="sans-serif" font-size="14" text-anchor="middle">',
        "<title>The packages of truecase and their imports</title>",
        "<defs>",
        *(
            f'<marker id="{colour[1:]}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
            f'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="{colour}"/></marker>'
            for colour in (PALE, DARK)
        ),
        "</defs>",
        f'<rect width="{2 * middle}" height="{height}" fill="#ffffff"/>',
    ]
    for name in top_down:
        for one in sorted(imports[name], key=row.__getitem__):
            out.append(arc(middle, row[name], row[one], one not in arrows[name]))
    for name in top_down:
        y = MARGIN + row[name] * STEP
        known = ", ".join(one for one in names if one in imports[name]) or "nothing"
        out.append(
            f"<g><title>{escape(name)} imports {escape(known)}</title>"
            f'<rect x="{middle - WIDTH // 2}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" '
            f'fill="#eef3f8" stroke="#33475b"/><text x="{middle}" y="{y + 20}" '
            f'font-weight="bold">{escape(name)}</text>'
            f'<text x="{middle}" y="{y + 37}" fill="#33475b">{lines[name]:,} lines</text></g>'
        )
    return "\n".join([*out, "</svg>"]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "docs/static/packages.svg")
    target = parser.parse_args().file
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = settings["tool"]["truecase"]["rooms"]
    names = [name for name in listed if not name.startswith("__")]
    lines, imports = measure(names)
    target.write_text(draw(names, lines, imports), encoding="utf-8")
    print(f"{target}: {len(names)} packages, {sum(map(len, imports.values()))} imports")


if __name__ == "__main__":
    main()
