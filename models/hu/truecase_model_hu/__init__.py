"""The Hungarian model of truecase: `truecase -l hu`, `Truecaser.load("hu")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "hu.truecase")
