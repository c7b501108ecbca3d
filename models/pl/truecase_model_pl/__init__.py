"""The Polish model of truecase: `truecase -l pl`, `Truecaser.load("pl")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "pl.truecase")
