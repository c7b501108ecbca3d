"""What aligning one text has told, in a file, to align other text with.

The file has one line of JSON, then what eflomal calls priors: how often words were linked, how many
words each was linked with, and how far links jump (Östling & Tiedemann 2016).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from truecase.base.atomic import atomic_write
from truecase.base.read import display_name
from truecase.errors import ReadError
from truecase.options import StrPath

_FORMAT = "truecase aligner 1"
_SETTINGS = ("segmentation", "source_language", "target_language")
_FIELDS = {"LEX": 4, "FERF": 4, "FERR": 4, "HMMF": 3, "HMMR": 3}


@dataclass(frozen=True)
class SavedAligner:
    """A text's alignment as counts.

    Attributes
    ----------
    segmentation, source_language, target_language : str
        How the text was cut into tokens; other text is cut in the same way.
    priors : str
        Lines as eflomal reads them.
    """

    segmentation: str
    source_language: str
    target_language: str
    priors: str = field(repr=False)

    def save(self, path: StrPath) -> None:
        """Write the file; it appears whole or not at all."""
        body = self.priors.encode("utf-8", "surrogateescape")
        about = {key: getattr(self, key) for key in _SETTINGS}
        head = {"format": _FORMAT, **about, "sha256": hashlib.sha256(body).hexdigest()}
        with atomic_write(path) as file:
            file.write(json.dumps(head).encode("ascii") + b"\n" + body)

    @classmethod
    def load(cls, path: StrPath) -> SavedAligner:
        """Read a file and check all of it.

        Raises
        ------
        ReadError
            It is none, or damaged; the message names it.
        OSError
            It cannot be read.
        """
        name = display_name(path)
        line, _, body = Path(path).read_bytes().partition(b"\n")
        try:
            head = json.loads(line)
            is_known = head["format"] == _FORMAT
            segmentation, source, target = (head[key] for key in _SETTINGS)
            checksum = head["sha256"]
        except (ValueError, KeyError, TypeError, RecursionError):
            is_known = False
        if not is_known or not all(isinstance(head[key], str) for key in _SETTINGS):
            raise ReadError(f"{name}: is no file that `truecase align --save` has written")
        if hashlib.sha256(body).hexdigest() != checksum or segmentation not in ("raw", "space"):
            raise ReadError(f"{name}: is damaged: make it again with `truecase align --save`")
        text = body.decode("utf-8", "surrogateescape")
        for number, line_of_text in enumerate(text.split("\n")[:-1], 2):
            fields = line_of_text.split("\t")
            if _FIELDS.get(fields[0]) != len(fields):
                raise ReadError(f"{name}: line {number}: is damaged: {line_of_text[:40]!r}")
        return cls(segmentation, source, target, text)
