"""Loads a model and saves it under another name, as a program of somebody's would.

python save.py MODEL OUTPUT
"""

import sys

from truecase import Truecaser

if __name__ == "__main__":
    Truecaser.load(sys.argv[1]).save(sys.argv[2])
