"""The Russian model of truecase: `truecase -l ru`, `Truecaser.load("ru")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "ru.truecase")
