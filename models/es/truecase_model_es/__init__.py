"""The Spanish model of truecase: `truecase -l es`, `Truecaser.load("es")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "es.truecase")
