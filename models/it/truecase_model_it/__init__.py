"""The Italian model of truecase: `truecase -l it`, `Truecaser.load("it")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "it.truecase")
