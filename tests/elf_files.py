"""What an ELF file says of itself: segments, the dynamic section, symbols of other libraries."""

import struct
from collections.abc import Iterator
from pathlib import Path

LOADED, DYNAMIC, STACK, RELRO = 1, 2, 0x6474E551, 0x6474E552
EXECUTABLE = 1
# Tags of the dynamic section, and the bits that say that all is bound at the start.
NEEDED, STRINGS, SYMBOLS, FLAGS, RELR, FLAGS_1 = 1, 5, 6, 30, 36, 0x6FFFFFFB
BIND_NOW, NOW = 8, 1


class ElfFile:
    """A shared object of a 64-bit machine.

    Attributes
    ----------
    data : bytes
    segments : dict of int to int
        Of each kind of segment, its flags.
    binds_now : bool
    packed_relocations : bool
        Whether some are in the form that glibc reads from 2.36 on, and musl from 1.2.4 on.
    imports : set of str
        Names of functions and variables that it has from other libraries.
    libraries : set of str
        The names of those.
    """

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        assert self.data[:5] == b"\x7fELF\x02"
        self._order = "<" if self.data[5] == 1 else ">"
        (table,) = self._read("Q", 32)
        size, n = self._read("HH", 54)
        headers = [self._read("IIQQQQ", table + i * size) for i in range(n)]
        self.segments = {kind: flags for kind, flags, *_ in headers}
        self._loaded = [
            (at, address, n) for kind, _, at, address, _, n in headers if kind == LOADED
        ]
        (start, end) = next((at, at + n) for kind, _, at, _, _, n in headers if kind == DYNAMIC)
        entries = [self._read("QQ", at) for at in range(start, end, 16)]
        tags = dict(entries)
        self.binds_now = bool(tags.get(FLAGS, 0) & BIND_NOW or tags.get(FLAGS_1, 0) & NOW)
        self.packed_relocations = RELR in tags
        names = self._place(tags[STRINGS])
        self.libraries = {self._name(names + value) for tag, value in entries if tag == NEEDED}
        self.imports = set(self._imports(self._place(tags[SYMBOLS]), self._place(tags[STRINGS])))

    def _read(self, format: str, at: int) -> tuple[int, ...]:
        return struct.unpack_from(self._order + format, self.data, at)

    def _place(self, address: int) -> int:
        """Where in the file is what an address will hold."""
        return next(
            at + address - start for at, start, n in self._loaded if 0 <= address - start < n
        )

    def _imports(self, symbols: int, strings: int) -> Iterator[str]:
        # Linkers write the names right behind the symbols.
        for at in range(symbols, strings, 24):
            name, _, _, section = self._read("IBBH", at)
            if name and section == 0:
                yield self._name(strings + name)

    def _name(self, begin: int) -> str:
        return self.data[begin : self.data.index(b"\0", begin)].decode()
