"""An older truecase and this one on the same text, each in a process of its own, in turn."""

import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import peers
import pytest

Answers = list[dict[str, float]]


def take_turns(
    benchmark: Any, where: str, settings: Mapping[str, object], lower: Path
) -> tuple[Answers, Answers, str]:
    """What ten rounds took of the older one and of this one, and the older one's version."""
    try:
        older = peers.older_truecase(where, settings)
    except peers.PeerMissing as missing:
        pytest.skip(str(missing))
    this = peers.this_truecase(settings)
    before: Answers = []
    now: Answers = []

    def turn() -> None:
        # Who is first changes.
        for peer, answers in ((older, before), (this, now))[:: 1 if len(now) % 2 else -1]:
            answers.append(peer.request("case", lower))

    benchmark.pedantic(turn, rounds=10)
    older.close()
    this.close()
    return before, now, older.version


def add_ratios(benchmark: Any, key: str, before: Answers, now: Answers) -> None:
    """Speed of this one, and the median of how many times as long the older one took."""
    ratios = [old["cpu"] / new["cpu"] for old, new in zip(before, now, strict=True)]
    words = benchmark.extra_info["words"]
    best = min(answer["seconds"] for answer in now)
    benchmark.extra_info[f"{key}ours_words_per_s"] = round(words / best)
    benchmark.extra_info[f"{key}times_peer"] = round(statistics.median(ratios), 3)
    benchmark.extra_info[f"{key}times_peer_between"] = [
        round(min(ratios), 3),
        round(max(ratios), 3),
    ]
