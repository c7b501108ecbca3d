"""The French model of truecase: `truecase -l fr`, `Truecaser.load("fr")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "fr.truecase")
