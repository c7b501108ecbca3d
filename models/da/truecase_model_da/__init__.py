"""The Danish model of truecase: `truecase -l da`, `Truecaser.load("da")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "da.truecase")
