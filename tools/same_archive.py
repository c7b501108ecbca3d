"""Write a .tar.gz that depends only on names and contents of files.

It does not depend on times, owners and the order of folders in a checkout. All files get the time
of SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/).
"""

import gzip
import io
import os
import tarfile
from pathlib import Path

# 1980-01-01, the first day that zip archives, and so wheels, know.
FIRST_DAY = 315_532_800


def write_archive(archive: Path, folder: Path) -> str:
    """Put a folder into an archive; returns its name."""
    time = int(os.environ.get("SOURCE_DATE_EPOCH", FIRST_DAY))
    archive.parent.mkdir(parents=True, exist_ok=True)
    with (
        open(archive, "wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=time) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as members,
    ):
        for path in sorted([folder, *folder.rglob("*")]):
            member = tarfile.TarInfo(path.as_posix())
            member.mtime = time
            if path.is_dir():
                member.type, member.mode = tarfile.DIRTYPE, 0o755
                members.addfile(member)
                continue
            data = path.read_bytes()
            member.size = len(data)
            member.mode = 0o755 if os.access(path, os.X_OK) and os.name != "nt" else 0o644
            members.addfile(member, io.BytesIO(data))
    return str(archive)
