"""What has been put around a word."""


def added(word: str, marked: str) -> tuple[str, str]:
    """What stands in front of a word and behind it in what became of it."""
    before, _, behind = marked.partition(word)
    return before, behind
