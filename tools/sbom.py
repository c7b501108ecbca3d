"""Write a software bill of materials in CycloneDX: the files from other projects in a wheel.

    python tools/sbom.py > truecase-crf.cdx.json

setup.py puts it into wheels (PEP 770). It has neither the time nor a random number, so that a wheel
can be built again byte for byte. The wheel's metadata lists the packages that pip installs with it.
"""

import hashlib
import json
import re
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[1]
DATA = CHECKOUT / "truecase" / "data"
UNICODE_TABLE = CHECKOUT / "truecase" / "kernels" / "unicode.txt"


def licensed(name: str) -> list[dict[str, Any]]:
    return [{"license": {"id": name}}]


def of_file(path: Path) -> dict[str, Any]:
    """Where a component lies in the wheel, and its checksum."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {
        "hashes": [{"alg": "SHA-256", "content": digest}],
        "properties": [{"name": "path", "value": path.relative_to(CHECKOUT).as_posix()}],
    }


def sbom(package_version: str) -> str:
    """The whole file.

    Parameters
    ----------
    package_version : str
        Of this package.
    """
    purl = f"pkg:pypi/truecase-crf@{package_version}"
    models = [
        {
            "type": "machine-learning-model",
            "bom-ref": f"model-{path.stem}",
            "name": path.name,
            "version": package_version,
            "licenses": licensed("CC-BY-SA-4.0"),
            **of_file(path),
        }
        for path in sorted(DATA.glob("*.truecase"))
    ]
    unicode_version = re.search(r"^unicode (\S+)$", UNICODE_TABLE.read_text("utf-8"), re.M)
    assert unicode_version is not None
    tables = {
        "type": "data",
        "bom-ref": "unicode",
        "name": "Unicode Character Database, parts of it",
        "version": unicode_version[1],
        "licenses": licensed("Unicode-DFS-2016"),
        **of_file(UNICODE_TABLE),
    }
    cython = version("cython")
    runtime = {
        "type": "library",
        "bom-ref": "cython",
        "name": "Cython",
        "version": cython,
        "description": "what it adds to each compiled module",
        "licenses": licensed("Apache-2.0"),
        "purl": f"pkg:pypi/cython@{cython}",
    }
    parts = [*models, tables, runtime]
    whole = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": purl,
                "name": "truecase-crf",
                "version": package_version,
                "licenses": licensed("Apache-2.0"),
                "purl": purl,
            }
        },
        "components": parts,
        "dependencies": [{"ref": purl, "dependsOn": [part["bom-ref"] for part in parts]}],
    }
    return json.dumps(whole, indent=2) + "\n"


def main() -> None:
    project = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    written = re.search(r'^version = "(.+)"$', project, re.M)
    assert written is not None
    sys.stdout.write(sbom(written[1]))


if __name__ == "__main__":
    main()
