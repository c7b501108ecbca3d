"""What a command tells on standard error besides errors: how far it is, and what it found."""

from __future__ import annotations

import argparse
import sys


def add_quiet(parser: argparse.ArgumentParser) -> None:
    """Whether it tells anything."""
    parser.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="no progress and no notes on standard error; errors and warnings stay",
    )


def shows_progress(arguments: argparse.Namespace) -> bool | None:
    """What `Progress` takes as `enabled`: no, or only if standard error is a terminal."""
    return False if arguments.quiet else None


def note(arguments: argparse.Namespace, text: str) -> None:
    """Tell whole lines, the last of which may lack its line feed, unless there is --quiet."""
    if text and not arguments.quiet and sys.stderr is not None:
        sys.stderr.write(text if text.endswith("\n") else text + "\n")
