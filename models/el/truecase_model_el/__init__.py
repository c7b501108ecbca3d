"""The Greek model of truecase: `truecase -l el`, `Truecaser.load("el")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "el.truecase")
