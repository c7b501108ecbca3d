"""The German model of truecase: `truecase -l de`, `Truecaser.load("de")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "de.truecase")
