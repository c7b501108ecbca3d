"""Log-likelihood and gradient of training lattices, path by path."""

import itertools
import math

LOWER, UPPER = 0, (1, 2, 3)


def log_sum(values):
    best = max(values)
    return best + math.log(sum(math.exp(value - best) for value in values))


def evaluate(arrays, order, weights, n_node_columns, pairs):
    """As `TrainingLattices.evaluate`: (log-likelihood, gradient).

    Weights and gradient are [lm, node columns…, transitions of `pairs`…, the two columns of
    neighbours' case].
    """
    total = 0.0
    gradient = [0.0] * len(weights)
    node = value = 0
    place = {pair: 1 + n_node_columns + i for i, pair in enumerate(pairs)}
    first_word = list(arrays["first_word"])
    for stretch in range(len(first_word) - 1):
        widths = [int(w) for w in arrays["width"][first_word[stretch] : first_word[stretch + 1]]]
        gold = [int(g) for g in arrays["gold"][first_word[stretch] : first_word[stretch + 1]]]
        features, states = [], []
        for width in widths:
            features.append([])
            states.append([])
            for _ in range(width):
                n = int(arrays["n_values"][node])
                features[-1].append(
                    [
                        (1 + int(arrays["column"][value + k]), float(arrays["value"][value + k]))
                        for k in range(n)
                    ]
                )
                states[-1].append(int(arrays["state"][node]))
                value += n
                node += 1
        first_edge = int(arrays["first_edge"][stretch])
        paths, right = [], []
        for path in itertools.product(*map(range, widths)):
            counts = {}
            edge, before = first_edge, int(arrays["state_before"][stretch])
            last = len(weights) - 1
            for i, c in enumerate(path):
                # The oldest word of the window varies slowest.
                index = n_edges = 0
                n_edges = 1
                for j in range(max(0, i - order + 1), i + 1):
                    index = index * widths[j] + path[j]
                    n_edges *= widths[j]
                counts[0] = counts.get(0, 0.0) + float(arrays["lm"][edge + index])
                edge += n_edges
                for column, x in features[i][c]:
                    counts[column] = counts.get(column, 0.0) + x
                pair = place.get((before, states[i][c]))
                if pair is not None:
                    counts[pair] = counts.get(pair, 0.0) + 1.0
                word = int(first_word[stretch]) + i
                codes = [
                    (int(code) - 128) / 16 for code in arrays["beside"][4 * word : 4 * word + 4]
                ]
                now = states[i][c]
                if now in UPPER and before in (LOWER, *UPPER):
                    x = codes[0 if before in UPPER else 1]
                    counts[last - 1] = counts.get(last - 1, 0.0) + x
                if before in UPPER and now in (LOWER, *UPPER):
                    x = codes[2 if now in UPPER else 3]
                    counts[last] = counts.get(last, 0.0) + x
                before = now
            score = sum(weights[column] * x for column, x in counts.items())
            paths.append((score, counts))
            if all(not g or g >> c & 1 for g, c in zip(gold, path, strict=True)):
                right.append((score, counts))
        log_z = log_sum([score for score, _ in paths])
        log_gold = log_sum([score for score, _ in right])
        total += log_gold - log_z
        for chosen, norm, sign in ((right, log_gold, 1.0), (paths, log_z, -1.0)):
            for score, counts in chosen:
                p = sign * math.exp(score - norm)
                for column, x in counts.items():
                    gradient[column] += p * x
    return total, gradient
