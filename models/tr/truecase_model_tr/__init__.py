"""The Turkish model of truecase: `truecase -l tr`, `Truecaser.load("tr")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "tr.truecase")
