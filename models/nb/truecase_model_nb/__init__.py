"""The Norwegian model of truecase: `truecase -l nb`, `Truecaser.load("nb")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "nb.truecase")
