"""The Czech model of truecase: `truecase -l cs`, `Truecaser.load("cs")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "cs.truecase")
