"""Check that wheels run where their names say: make check-wheels, after make wheels.

    python tools/check_wheels.py WHEEL [WHEEL …]

auditwheel finds the versions of the C library that a wheel for Linux needs; its name may promise no
older ones. Each wheel is for one Python: no name may promise the stable ABI (abi3), which the
compiled modules do not follow. For wheels for other systems, the script checks only the names.
"""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

#: Of each C library, the newest version that a release may need.
NEWEST = {"manylinux": (2, 28), "musllinux": (1, 2)}

_TAG = re.compile(r"(manylinux|musllinux)_(\d+)_(\d+)_(\w+)")


def said_of(wheel: Path) -> dict[str, Any]:
    """What auditwheel finds."""
    command = [sys.executable, "-m", "auditwheel", "show", "--json", str(wheel)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def wrongs(name: str, members: list[str], said: dict[str, Any] | None) -> list[str]:
    """What a wheel promises and does not keep.

    Parameters
    ----------
    name : str
        Of the file.
    members : list of str
        Names of what is in it.
    said : dict, optional
        By auditwheel; None for another system.
    """
    python, abi, platforms = name.removesuffix(".whl").split("-")[-3:]
    found = []
    if abi.removesuffix("t") != python or not re.fullmatch(r"cp3\d+", python):
        found.append(f"is of {python}-{abi}: expected one Python, and its own ABI")
    found += [f"{member} is named as of the stable ABI" for member in members if ".abi3." in member]
    if said is None:
        return found
    if said["unsupported_isa"]:
        found.append("needs a newer processor than its name says")
    kind, *needed, machine = _parts(said["overall_tag"])
    if kind not in NEWEST:
        return [*found, f"depends on what no Linux promises: {said['overall_tag']}"]
    if tuple(needed) > NEWEST[kind]:
        found.append(f"needs {said['overall_tag']}, newer than releases may")
    for tag in _TAG.finditer(platforms):
        named, *version, of = _parts(tag[0])
        if (named, of) != (kind, machine) or version < needed:
            found.append(f"promises {tag[0]}, and needs {said['overall_tag']}")
    return found


def _parts(tag: str) -> list[Any]:
    match = _TAG.fullmatch(tag)
    return [match[1], int(match[2]), int(match[3]), match[4]] if match else [tag, 0, 0, ""]


def main() -> int:
    wheels = [Path(name) for name in sys.argv[1:]]
    if not wheels or not all(wheel.is_file() for wheel in wheels):
        sys.exit(
            "usage: check_wheels.py WHEEL [WHEEL …], of files that are there: make wheel first"
        )
    bad = 0
    for wheel in wheels:
        said = said_of(wheel) if "linux" in wheel.name.split("-")[-1] else None
        with zipfile.ZipFile(wheel) as archive:
            found = wrongs(wheel.name, archive.namelist(), said)
        needs = f"needs {said['overall_tag']}" if said else "not of Linux"
        print(f"{wheel.name}: {needs}", *(f"  {one}" for one in found), sep="\n")
        bad += bool(found)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
