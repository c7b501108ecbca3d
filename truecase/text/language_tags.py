"""Tags of languages such as ``en`` and ``en-US``."""

from __future__ import annotations

from collections.abc import Iterable


def normal(tag: str) -> str:
    """A tag for comparison: ``en_US`` is ``en-us``."""
    return tag.strip().replace("_", "-").lower()


def primary(tag: str) -> str:
    """The language of a tag without region or script."""
    return normal(tag).partition("-")[0]


def matches(wanted: str, tag: str) -> bool:
    """Whether a tag is the wanted one, or a variety of it: ``en`` wants ``en-US`` as well."""
    wanted, tag = normal(wanted), normal(tag)
    return tag == wanted or tag.startswith(wanted + "-")


def listed(tags: Iterable[str]) -> str:
    """Tags for a message, a few of many."""
    names = list(dict.fromkeys(tag for tag in tags if tag))
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return (", ".join(name[:40] for name in names[:10]) or "none") + more
