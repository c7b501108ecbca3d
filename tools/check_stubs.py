"""Compare the stubs of compiled modules with the installed modules.

`tools/stubs_allowed.txt` lists the complaints of stubtest that are allowed; it should shrink.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main() -> int:
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in sorted(ROOT.glob("truecase/**/*.pyx"))
    ]
    # A module that only other compiled modules import has nothing to describe to Python.
    python = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("truecase/**/*.py"))
    modules = [name for name in modules if f"from {name} import" in python or stub(name).exists()]
    without = [name for name in modules if not stub(name).exists()]
    if without:
        print(f"compiled modules without a stub: {', '.join(without)}")
    modules = [name for name in modules if name not in without]
    allowed = ROOT / "tools" / "stubs_allowed.txt"
    command = ["-m", "mypy.stubtest", "--allowlist", str(allowed), "--ignore-unused-allowlist"]
    # from an empty folder, so that the installed package is compared, not the checkout
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run([sys.executable, *command, *modules], cwd=empty)
    return done.returncode or bool(without)


def stub(module: str) -> Path:
    return ROOT / (module.replace(".", "/") + ".pyi")


if __name__ == "__main__":
    sys.exit(main())
