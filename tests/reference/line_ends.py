"""Which line ends stand inside a paragraph, in plain Python: `truecase/documents/line_ends.py`.

For ASCII text; what begins a paragraph is told by the caller.
"""


def paragraphs(lines):
    """Runs of lines that are not blank."""
    run = []
    for number, line in enumerate(lines):
        if line.strip():
            run.append(number)
        elif run:
            yield run
            run = []
    if run:
        yield run


def line_ends_inside(text, begins):
    lines = text.split("\n")
    inside = [False] * (len(lines) - 1)
    for run in paragraphs(lines):
        pairs = list(zip(run, run[1:], strict=False))
        could_be = [not begins(lines[after]) for _, after in pairs]
        lengths = {number: len(lines[number].rstrip()) for number in run}
        width = max(lengths.values())
        had_room = [
            lengths[line] + 1 + len(lines[after].split()[0]) <= width for line, after in pairs
        ]
        n_short = sum(short for short, could in zip(had_room, could_be, strict=True) if could)
        is_filled = len(run) >= 3 and width >= 25 and n_short <= 0.34 * max(sum(could_be), 1)
        for (line, _), could, short in zip(pairs, could_be, had_room, strict=True):
            inside[line] = could and not (is_filled and short)
    return inside
