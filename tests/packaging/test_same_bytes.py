"""What releases are built with: archives of the same bytes, and the list of what is inside."""

import hashlib
import json
import os
import runpy
import tarfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
TOOLS = CHECKOUT / "tools"

pytestmark = pytest.mark.skipif(not TOOLS.is_dir(), reason="the tests are not in a checkout")


def test_an_archive_depends_on_names_and_contents_alone(tmp_path, monkeypatch):
    write = runpy.run_path(str(TOOLS / "same_archive.py"))["write_archive"]
    archives = []
    for place, time, names in (("a", 1_000_000_000, "xyz"), ("b", 1_700_000_000, "zyx")):
        folder = tmp_path / place / "package-1"
        for name in names:
            (folder / name).mkdir(parents=True)
            (folder / name / "file").write_text(name)
        for path in [folder, *folder.rglob("*")]:
            os.utime(path, (time, time))
        (folder / "x" / "file").chmod(0o600 if place == "a" else 0o664)
        monkeypatch.chdir(folder.parent)
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1234567890")
        name = write(Path("out", "package-1.tar.gz"), Path("package-1"))
        archives.append(Path(name).read_bytes())
    assert archives[0] == archives[1]
    with tarfile.open(tmp_path / "b" / "out" / "package-1.tar.gz") as archive:
        members = {member.name: member for member in archive}
        assert archive.extractfile(members["package-1/y/file"]).read() == b"y"
    assert {member.mtime for member in members.values()} == {1234567890}
    assert members["package-1/x/file"].mode == 0o644


def test_list_of_what_is_inside_names_every_model():
    pytest.importorskip("Cython", reason="it is there where wheels are built")
    sbom = runpy.run_path(str(TOOLS / "sbom.py"))["sbom"]
    text = sbom("1.2.3")
    assert text == sbom("1.2.3")
    listed = json.loads(text)
    assert (listed["bomFormat"], listed["specVersion"]) == ("CycloneDX", "1.6")
    whole = listed["metadata"]["component"]
    assert whole["purl"] == "pkg:pypi/truecase-crf@1.2.3"
    sums = {
        entry["value"]: part["hashes"][0]["content"]
        for part in listed["components"]
        for entry in part.get("properties", ())
    }
    files = [*CHECKOUT.glob("truecase/data/*.truecase"), CHECKOUT / "truecase/kernels/unicode.txt"]
    assert sums == {
        path.relative_to(CHECKOUT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
    assert all(part["licenses"] for part in listed["components"])
    (depends,) = listed["dependencies"]
    assert depends["dependsOn"] == [part["bom-ref"] for part in listed["components"]]
