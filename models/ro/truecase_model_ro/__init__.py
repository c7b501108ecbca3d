"""The Romanian model of truecase: `truecase -l ro`, `Truecaser.load("ro")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "ro.truecase")
