"""Build sdist and wheel twice, in folders of different names and times, and compare their bytes.

    python tools/reproducible.py FOLDER

Files in both get the time of SOURCE_DATE_EPOCH. FOLDER must be new.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]


def build(source: Path, out: Path) -> dict[str, Path]:
    """Build both; the files by their names."""
    # Without a cache of compiled files, which would make the comparison one with itself.
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    command = [sys.executable, "-m", "build", "--no-isolation", "--sdist", "--wheel"]
    command += ["--outdir", str(out), str(source)]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return {path.name: path for path in sorted(out.iterdir())}


def contents(archive: Path) -> dict[str, str]:
    """Checksums of what is in an archive, by name."""
    found = {}
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                found[name] = hashlib.sha256(wheel.read(name)).hexdigest()
        return found
    with tarfile.open(archive) as members:
        for member in members:
            file = members.extractfile(member)
            found[member.name] = hashlib.sha256(file.read()).hexdigest() if file else ""
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True)
    command = [sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir"]
    subprocess.run([*command, str(folder / "sdist"), str(CHECKOUT)], check=True)
    (sdist,) = (folder / "sdist").iterdir()
    built = []
    for name, time in (("one", 1_000_000_000), ("another/of-a-longer-name", 1_700_000_000)):
        with tarfile.open(sdist) as archive:
            archive.extractall(folder / name, filter="data")
        (source,) = (folder / name).iterdir()
        for path in source.rglob("*"):
            os.utime(path, (time, time))
        built.append(build(source, folder / name / "out"))
    one, other = built
    differing = 0
    for name in sorted(one.keys() | other.keys()):
        files = [files[name].read_bytes() if name in files else b"" for files in built]
        sums = [hashlib.sha256(data).hexdigest() for data in files]
        print(name, *dict.fromkeys(sums))
        if files[0] == files[1]:
            continue
        differing += 1
        inside = [contents(files[name]) if name in files else {} for files in built]
        for member in sorted(inside[0].keys() | inside[1].keys()):
            if inside[0].get(member) != inside[1].get(member):
                print("  differs:", member)
    print("not the same bytes" if differing else "the same bytes twice")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
