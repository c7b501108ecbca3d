"""``python -m truecase`` is the command ``truecase``."""

import sys

from truecase.cli import main

if __name__ == "__main__":
    sys.exit(main())
