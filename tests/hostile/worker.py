"""Loads damaged models and decodes with those that load; a process of its own, as it may crash.

    python worker.py KIND MODEL TEXT FOLDER HOW...

Prints one JSON line before each case (so that the parent knows what killed this process) and one
after it.
"""

import functools
import json
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import damage
import numpy as np
from parts import of_arrays

import truecase
from truecase.alignment.lines import Phrases
from truecase.base.model_file import read_model
from truecase.errors import ModelError
from truecase.kernels._segment import count_words
from truecase.training.exchange import to_arpa, to_mapping


def load(path, how):
    """Load as users do, with the checksum compared, or with the arrays copied to the heap.

    A sanitizer sees reads outside an array on the heap, but not those in a mapped file.
    """
    if how != "copied":
        return truecase.Truecaser.load(path, verify=how == "verified")
    arrays, metadata = read_model(path)
    try:
        return of_arrays({k: np.array(v) for k, v in arrays.items()}, metadata)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from None


def outcome(path, text, how):
    """``refused: …`` with the error's message, ``loaded``, ``decoded``, or what is wrong.

    Verified, the arrays are those of a plain load, which has been decoded with.
    """
    try:
        model = load(path, how)
    except ModelError as error:
        message = str(error)
        if str(path) not in message or "\n" in message:
            return f"wrong: the message does not name the file on one line: {message!r}"
        return f"refused: {message}"
    except Exception as error:  # the point of the test
        return f"wrong: load raised {type(error).__name__}: {error}"
    if how == "verified":
        return "loaded"
    for input_case in ("ignore", "keep"):
        try:
            cased = model.case_block(text, input_case=input_case)
        except Exception as error:
            return f"wrong: case_block raised {type(error).__name__}: {error}"
        if cased.decode().lower() != text.decode().lower():
            return "wrong: more than case has changed"
    if model.model.words is not None:
        found = outcome_of_export(model.model, path.with_suffix(".export"))
        if found != "exported":
            return found
    return outcome_with_source(model, text)


def outcome_of_export(model, path):
    """``exported``, also if that is refused, or what is wrong."""
    for write in (to_arpa, to_mapping):
        try:
            write(model, path)
        except ModelError as error:
            if "\n" in str(error):
                return f"wrong: a message of several lines: {str(error)!r}"
        except Exception as error:
            return f"wrong: {write.__name__} raised {type(error).__name__}: {error}"
    return "exported"


@functools.cache
def links(text):
    """Links to the same word, to one that there may be, and to none."""
    return Phrases.from_lines([[[i, i + 3]] * n for i, n in enumerate(count_words(text))])


def outcome_with_source(model, text):
    """The same beside a source, where the model looks at one."""
    if model.model.preset in ("unigram", "portage"):
        return "decoded"
    for known in (None, links(text)):
        try:
            cased = model.case_block(text, source=text.upper(), phrases=known)
        except Exception as error:
            return f"wrong: case_block with a source raised {type(error).__name__}: {error}"
        if cased.decode().lower() != text.decode().lower():
            return "wrong: more than case has changed beside a source"
    return "decoded"


def main():
    kind, model, text, folder, *hows = sys.argv[1:]
    text, folder = Path(text).read_bytes(), Path(folder)
    warnings.simplefilter("ignore")  # overflow while nonsense is unpacked
    for number, (label, content) in enumerate(damage.KINDS[kind](Path(model).read_bytes())):
        # A new file each time: the one before may still be mapped.
        path = folder / f"{kind}-{number}.truecase"
        path.write_bytes(content)
        for how in hows:
            case = {"label": label, "how": how}
            print(json.dumps(case), flush=True)
            print(json.dumps({**case, "outcome": outcome(path, text, how)}), flush=True)
        path.unlink()


if __name__ == "__main__":
    main()
