"""The Serbian model of truecase: `truecase -l sr`, `Truecaser.load("sr")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "sr.truecase")
