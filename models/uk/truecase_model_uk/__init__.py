"""The Ukrainian model of truecase: `truecase -l uk`, `Truecaser.load("uk")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "uk.truecase")
