"""The lines of the harbour stories, as tests expect them back."""

from pathlib import Path

HARBOUR_LINES = (Path(__file__).parent / "data" / "harbour.txt").read_text().splitlines()
