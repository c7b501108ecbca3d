"""Review pages read back, and corrections as the script of a page writes them."""

import json
import re


def data_of(page):
    """What the script of a page works on."""
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(match[1])


def place_of(data, i):
    """Word `i` of a page: segment, characters in it, form; what the script computes."""
    text = data["texts"][data["text"][i]].encode("utf-16-le")
    n_before = len(text[: 2 * data["start"][i]].decode("utf-16-le"))
    start = data["base"][data["text"][i]] + n_before
    form = data["forms"][data["form"][i]]
    return data["segment"][data["text"][i]], start, start + len(form), form


def corrections_of(data, chosen, names=()):
    """The file of corrections for words of a page that get other forms, by number."""
    found = []
    for i, form in chosen.items():
        segment, start, end, before = place_of(data, i)
        line = data["line"][i]
        found.append(
            {
                "segment": segment,
                "line": line,
                "start": start,
                "end": end,
                "from": before,
                "to": form,
            }
        )
    return {
        "truecase": "corrections",
        "version": 1,
        **{key: data[key] for key in ("of", "settings", "letters", "cased")},
        "names": list(names),
        "corrections": found,
    }
