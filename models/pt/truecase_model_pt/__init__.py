"""The Portuguese model of truecase: `truecase -l pt`, `Truecaser.load("pt")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "pt.truecase")
