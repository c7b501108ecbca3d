"""Plain twin of the Pharaoh kernel: one regular expression and dictionaries."""

import re

LINK = re.compile(rb"(\d+)([-?])(\d+)(?:[:/](.*))?", re.DOTALL)
PROBABILITY = re.compile(rb"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def words(line):
    """Words of a line: runs of bytes other than ASCII white space."""
    return re.findall(rb"[^\t\n\v\f\r ]+", line)


def lines_of(block):
    """Lines that end at line feeds."""
    lines = block.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def parse_line(line, n_source, n_target, threshold=0.0, possible=True):
    """Source words of each target word, or what is wrong: a word and the link."""
    sources = [set() for _ in range(n_target)]
    for link in words(line):
        match = LINK.fullmatch(link)
        if match is None:
            return "form", link
        source, kind, target, tail = match.groups()
        probability = 1.0
        if tail is not None:
            if PROBABILITY.fullmatch(tail) is None or float(tail) > 1.001:
                return "probability", link
            probability = float(tail)
        if int(source) >= n_source:
            return "source", link
        if int(target) >= n_target:
            return "target", link
        if probability >= threshold and (possible or kind == b"-"):
            sources[int(target)].add(int(source))
    return [sorted(numbers) for numbers in sources]
