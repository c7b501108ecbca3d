"""The Slovene model of truecase: `truecase -l sl`, `Truecaser.load("sl")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "sl.truecase")
