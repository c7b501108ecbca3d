"""What named entities of a spaCy pipeline are worth on text without case, and with it restored.

    python bench/experiments/spacy_entities.py PIPELINE TEXT [--model MODEL] [--json OUT]

The reference is what the pipeline itself finds in the text as it is, correctly cased: no marks of
people. So the figures tell how much of its own output it keeps, not how good that is. An entity is
right if its first and last character and its label are. Lines that change their length when they
are lowercased or raised are left out.
"""

import argparse
import json
import sys

from truecase.base.read import open_text
from truecase.integrations.spacy import truecase_first

OTHER_STEPS = ["tagger", "parser", "attribute_ruler", "lemmatizer"]


def entities(nlp, lines):
    """Each entity of all lines: line, first and last character, label."""
    return {
        (number, entity.start_char, entity.end_char, entity.label_)
        for number, doc in enumerate(nlp.pipe(lines, batch_size=256))
        for entity in doc.ents
    }


def score(found, reference):
    right = len(found & reference)
    precision = right / len(found) if found else 0.0
    recall = right / len(reference)
    f1 = 2 * right / (len(found) + len(reference))
    return {"precision": precision, "recall": recall, "f1": f1, "entities": len(found)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pipeline")
    parser.add_argument("text")
    parser.add_argument("--model")
    parser.add_argument("--json", metavar="OUT")
    args = parser.parse_args()

    import spacy

    nlp = spacy.load(args.pipeline, disable=OTHER_STEPS)
    with open_text(args.text) as file:
        lines = [line.decode().rstrip("\n") for line in file]
    lines = [line for line in lines if len(line) == len(line.lower()) == len(line.upper())]
    lower, upper = [line.lower() for line in lines], [line.upper() for line in lines]
    reference = entities(nlp, lines)
    rows = {
        "lowercased": score(entities(nlp, lower), reference),
        "capitals": score(entities(nlp, upper), reference),
    }
    truecase_first(nlp, args.model)
    rows["lowercased, truecased"] = score(entities(nlp, lower), reference)
    rows["capitals, truecased"] = score(entities(nlp, upper), reference)
    print(f"{len(lines):,} lines, {len(reference):,} entities in the text as it is")
    print(f"{'text':24} {'P':>6} {'R':>6} {'F1':>6} {'found':>7}")
    for name, row in rows.items():
        figures = " ".join(f"{100 * row[key]:6.1f}" for key in ("precision", "recall", "f1"))
        print(f"{name:24} {figures} {row['entities']:7,}")
    if args.json:
        meta = {"pipeline": args.pipeline, "version": nlp.meta["version"], "lines": len(lines)}
        result = {**meta, "entities": len(reference), "rows": rows}
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
