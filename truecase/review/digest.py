"""Whether a text, and what a model makes of it, is what a page was made of."""

from __future__ import annotations

import hashlib
import threading

from truecase.text._casing import fold

_BYTES = 16
_MODULUS = 1 << (8 * _BYTES)


class Digests:
    """Checksums over the segments of a file, in any order, by any number of threads.

    The checksum of `letters` leaves case out: it tells whether the text is the same. That of
    `cased` tells whether the same was made of it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._letters = 0
        self._cased = 0

    def add(self, segment: int, cased: str) -> None:
        """Count a segment of the text in, as the model cases it."""
        letters, whole = (_number(segment, text) for text in (fold(cased), cased))
        with self._lock:
            self._letters = (self._letters + letters) % _MODULUS
            self._cased = (self._cased + whole) % _MODULUS

    @property
    def letters(self) -> str:
        """Of the text without its case, in hexadecimal digits."""
        return f"{self._letters:0{2 * _BYTES}x}"

    @property
    def cased(self) -> str:
        """Of the text as the model cases it."""
        return f"{self._cased:0{2 * _BYTES}x}"


def _number(segment: int, text: str) -> int:
    data = f"{segment}:{text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=_BYTES).digest(), "little")
