"""The Finnish model of truecase: `truecase -l fi`, `Truecaser.load("fi")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "fi.truecase")
