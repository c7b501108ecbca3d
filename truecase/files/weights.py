"""Weights that were learned once and come with the package; ``data/weights.md`` is their card."""

import json
import os
from typing import Any


def read_weights(name: str) -> Any:
    """The contents of ``truecase/data/NAME.json``."""
    folder = os.path.dirname(os.path.dirname(__file__))
    with open(os.path.join(folder, "data", f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)
