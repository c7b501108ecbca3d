"""The Catalan model of truecase: `truecase -l ca`, `Truecaser.load("ca")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "ca.truecase")
