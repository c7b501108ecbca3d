"""What its neighbours say about the case of a word, word by word."""

import math

BOUNDARY = "boundary"


def codes(value):
    return int(min(255, max(0, round(16 * value) + 128)))


def upper(tag):
    return tag in (1, 2, 3)


def neighbours(lines, counts, prior):
    """Tables by word (`BOUNDARY` beside the words): four shifts, four odds beside a case.

    `lines` hold (word, tag) pairs, tag 4 for words without case; `counts` is, by word, how often
    it is (lower, upper) away from the first words of lines; `prior` the share of upper case of
    words seen once.
    """
    shift, beside = {}, {}
    for line in lines:
        cased = [i for i, (_, tag) in enumerate(line) if tag != 4]
        for i in cased[1:]:
            word, tag = line[i]
            for side, j in enumerate((i - 1, i + 1)):
                case = "none"
                if 0 <= j < len(line) and line[j][1] != 4 and j != cased[0]:
                    case = "upper" if upper(line[j][1]) else "lower"
                key = (word, side, case, upper(tag))
                beside[key] = beside.get(key, 0) + 1
            lower_count, upper_count = counts[word]
            others = lower_count + upper_count - 1
            p = (max(upper_count - upper(tag), 0) + 0.5 * prior) / (max(others, 0) + 0.5)
            weight = 4 * p * (1 - p)
            if weight <= 0.01:
                continue
            for place, offset in enumerate((-2, -1, 1, 2)):
                j = i + offset
                near = line[j][0] if 0 <= j < len(line) else BOUNDARY
                sums = shift.setdefault(near, [[0.5] * 4 for _ in range(4)])[place]
                sums[0] += weight * upper(tag)
                sums[1] += weight * p
                sums[2] += weight * (not upper(tag))
                sums[3] += weight * (1 - p)
    words = set(counts) | {BOUNDARY}
    found = {}
    for word in words:
        sums = shift.get(word, [[0.5] * 4] * 4)
        row = [codes(math.log(a / b) - math.log(c / d)) for a, b, c, d in sums]
        n = {
            is_upper: sum(beside.get((word, 0, c, is_upper), 0) for c in ("none", "lower", "upper"))
            for is_upper in (False, True)
        }
        own = (n[True] + 0.5) / (n[True] + n[False] + 1)
        for side in range(2):
            for case in ("upper", "lower"):
                odds = (beside.get((word, side, case, True), 0) + 3 * own) / (
                    beside.get((word, side, case, False), 0) + 3 * (1 - own)
                )
                row.append(codes(math.log(odds) - math.log(own / (1 - own))))
        found[word] = row
    return found
