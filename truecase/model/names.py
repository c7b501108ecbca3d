"""Lists of names."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping

import numpy as np

from truecase.errors import NamesError, WrongTypeError
from truecase.kernels._names import NameList, scan_names


def name_list(names: Iterable[str], *, bonus: Mapping[str, float] | None = None) -> NameList:
    """Make a list of names in their right case.

    Parameters
    ----------
    names : iterable of str
        Words or phrases. A name after ``!`` always keeps its case, even as the first word of a
        sentence. Without ``!``, a name that is also a common word or phrase (``Apple``, ``New
        Deal``) gets a bonus, and its context decides. If two names differ in case alone, the later
        one counts.
    bonus : mapping, optional
        The bonus in nats; see `truecase.kernels._names.BONUS`.

    Raises
    ------
    WrongTypeError
        A name is not a str, or `names` is a single str.
    NamesError
        A name has a line end or a control character, or is longer than 1,000 bytes.
    """
    if isinstance(names, (str, bytes)):
        raise WrongTypeError(f"names: expected a list of str, found one {type(names).__name__}")
    lines = []
    for place, name in enumerate(names):
        if not isinstance(name, str):
            raise WrongTypeError(f"names[{place}]: expected a str, found {type(name).__name__}")
        if "\n" in name:
            raise NamesError(f"names[{place}]: {name!r} has a line end")
        lines.append(name)
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    arrays, n_uncased, first_uncased, fault = scan_names(text)
    if arrays is None:
        assert fault is not None
        line, reason = fault
        raise NamesError(f"names[{line - 1}]: {reason}")
    if n_uncased:
        warn_of_uncased("names", n_uncased, f"names[{first_uncased - 1}]")
    return NameList(arrays, None if bonus is None else {"bonus": dict(bonus)})


def warn_of_uncased(where: str, n: int, first: str) -> None:
    """Warn of entries without letters that have case."""
    entries = "1 entry has" if n == 1 else f"{n:,} entries have"
    warnings.warn(
        f"{where}: {entries} no letter that has case, and no effect: {first}", stacklevel=3
    )


def join_lists(lists: Iterable[NameList]) -> NameList:
    """Join lists of names; the last list's bonus applies, and later names override earlier ones."""
    parts = list(lists)
    ends = np.cumsum([0, *(int(part.arrays["starts"][-1]) for part in parts)])
    if int(ends[-1]) > np.iinfo(np.uint32).max:
        raise NamesError("the lists of names have 4 GiB or more together")
    text = [part.arrays["text"][: int(part.arrays["starts"][-1])] for part in parts]
    starts = [
        part.arrays["starts"][:-1].astype(np.int64) + end
        for part, end in zip(parts, ends, strict=False)
    ]
    return NameList(
        {
            "text": np.concatenate([*text, np.zeros(16, np.uint8)]),
            "starts": np.concatenate([*starts, ends[-1:]]).astype(np.uint32),
            "forced": np.concatenate(
                [*(part.arrays["forced"] for part in parts), np.zeros(0, np.uint8)]
            ),
        },
        parts[-1].settings if parts else None,
    )
