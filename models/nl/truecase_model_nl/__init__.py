"""The Dutch model of truecase: `truecase -l nl`, `Truecaser.load("nl")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "nl.truecase")
