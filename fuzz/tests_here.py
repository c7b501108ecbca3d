"""Makes the modules of the tests importable, whose texts and small models harnesses share."""

import sys
from pathlib import Path

#: The folder of the repository, or what was packed of it.
ROOT = Path(__file__).resolve().parent.parent

if str(ROOT / "tests") not in sys.path:
    sys.path.append(str(ROOT / "tests"))
