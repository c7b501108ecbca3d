"""Which line ends stand inside a paragraph, in plain Python: `truecase/truecaser/line_ends.py`.

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


def is_marked(line):
    return line.rstrip()[-1] in ".!?:;\"')]"


def line_ends_inside(text, begins, may_begin):
    lines = text.split("\n")
    inside = [False] * (len(lines) - 1)
    for run in paragraphs(lines):
        pairs = list(zip(run, run[1:], strict=False))
        may = [not begins(lines[after]) for _, after in pairs]
        could_be = [
            may_be and not may_begin(lines[after])
            for may_be, (_, after) in zip(may, pairs, strict=True)
        ]
        lengths = {number: len(lines[number].rstrip()) for number in run}
        width = max(lengths.values())
        had_room = [
            lengths[line] + 1 + len(lines[after].split()[0]) <= width for line, after in pairs
        ]
        n_short = sum(
            room and could and not is_marked(lines[line])
            for room, could, (line, _) in zip(had_room, could_be, pairs, strict=True)
        )
        most = 0.34 * sum(could_be)
        n_marks = sum(word[-1] in ".!?" for line in run for word in lines[line].split())
        if n_marks > 0.1 * sum(could_be):
            most = min(most, 1 + 0.16 * sum(could_be))
        is_filled = len(run) >= 3 and width >= 25 and n_short <= most
        for (line, _), may_be, could, room in zip(pairs, may, could_be, had_room, strict=True):
            goes_on = could or (may_be and not is_marked(lines[line]))
            inside[line] = goes_on and not room if is_filled else could
    return inside
