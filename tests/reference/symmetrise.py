"""Plain twin of grow-diag-final-and, on sets of links."""

from collections import deque

NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def by_target(links):
    return sorted(links, key=lambda link: (link[1], link[0]))


def grow_diag_final_and(forward, reverse):
    """Links, pairs of a source and a target word, from those of both directions."""
    union = forward | reverse
    queue = deque(by_target(forward & reverse))
    chosen = set(queue)

    def has_source(link):
        return any(link[0] == s for s, _ in chosen)

    def has_target(link):
        return any(link[1] == t for _, t in chosen)

    while queue:
        s, t = queue.popleft()
        for ds, dt in NEIGHBOURS:
            link = (s + ds, t + dt)
            free = not has_source(link) or not has_target(link)
            if link in union and link not in chosen and free:
                chosen.add(link)
                queue.append(link)
    for links in (forward, reverse):
        for link in by_target(links):
            if not has_source(link) and not has_target(link):
                chosen.add(link)
    return chosen
