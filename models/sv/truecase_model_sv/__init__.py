"""The Swedish model of truecase: `truecase -l sv`, `Truecaser.load("sv")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "sv.truecase")
