"""Memory of this process, and how fast it grows."""

import ctypes
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

#: Means of this many equal stretches are compared: what memory is at one moment depends on what it
#: was the moment before, and readings by themselves would make a slope look surer than it is.
STRETCHES = 12

# Two-sided 95 % of Student's t with 10 degrees of freedom.
_T_95 = 2.228


def resident() -> int:
    """Bytes of this process that are in memory, of files that it has mapped, too."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * _PAGE


class _MallInfo(ctypes.Structure):
    _names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = tuple((name, ctypes.c_size_t) for name in _names.split())


def in_use() -> int:
    """Bytes that the C library's allocator has given out, 0 where it does not tell.

    What is resident is more: pages that are free stay with the process where something that lives
    lies between them.
    """
    tell = getattr(ctypes.CDLL(None), "mallinfo2", None)  # of glibc, since 2.33
    if tell is None:
        return 0
    tell.restype = _MallInfo
    told = tell()
    return int(told.uordblks + told.hblkhd)


def python_blocks() -> int:
    """Blocks that Python's own allocator has given out, for its objects."""
    return sys.getallocatedblocks()


@dataclass(frozen=True)
class Slope:
    """How fast something grows, and how sure that is.

    Attributes
    ----------
    each : float
        By one unit.
    margin : float
        Half of the interval that holds the truth 19 times in 20.
    """

    each: float
    margin: float

    @property
    def is_zero(self) -> bool:
        """Whether 0 is in the interval, or nothing has grown."""
        return self.each <= self.margin


def slope(points: Sequence[tuple[float, float]]) -> Slope:
    """A line through the means of stretches.

    Parameters
    ----------
    points : sequence of (float, float)
        What has been done, and how much memory there was; at least one for each stretch.
    """
    means = []
    for part in range(STRETCHES):
        here = points[part * len(points) // STRETCHES : (part + 1) * len(points) // STRETCHES]
        means.append(tuple(math.fsum(one[axis] for one in here) / len(here) for axis in (0, 1)))
    middle, height = (math.fsum(one[axis] for one in means) / STRETCHES for axis in (0, 1))
    spread = math.fsum((x - middle) ** 2 for x, _ in means)
    each = math.fsum((x - middle) * (y - height) for x, y in means) / spread
    rest = math.fsum((y - height - each * (x - middle)) ** 2 for x, y in means)
    return Slope(each, _T_95 * math.sqrt(rest / (STRETCHES - 2) / spread))
