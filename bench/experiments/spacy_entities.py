"""What named entities of a spaCy pipeline are worth on text without case, and with it restored.

    python bench/experiments/spacy_entities.py PIPELINE TEXT [-m MODEL] [--json OUT]

The reference is what the pipeline itself finds in the text as it is, correctly cased: no marks of
people. So the figures tell how much of its own output it keeps, not how good that is. An entity is
right if its first and last character and its label are. Lines that change their length when they
are lowercased or raised are left out.
"""

from frame import header, parser_of, read_lines, row, run_script, save

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


def main() -> None:
    parser = parser_of(__doc__, texts="", json_out=True)
    parser.add_argument("pipeline")
    parser.add_argument("text")
    args = parser.parse_args()

    import spacy

    nlp = spacy.load(args.pipeline, disable=OTHER_STEPS)
    lines = read_lines(args.text)
    lines = [line for line in lines if len(line) == len(line.lower()) == len(line.upper())]
    changed = {"lowercased": str.lower, "capitals": str.upper}
    texts = {name: [change(line) for line in lines] for name, change in changed.items()}
    reference = entities(nlp, lines)
    rows = {name: score(entities(nlp, text), reference) for name, text in texts.items()}
    truecase_first(nlp, args.model)
    for name, text in texts.items():
        rows[f"{name}, truecased"] = score(entities(nlp, text), reference)
    print(f"{len(lines):,} lines, {len(reference):,} entities in the text as it is")
    header("text", "precision", "recall", "F1", "found")
    for name, found in rows.items():
        figures = (f"{100 * found[key]:.1f}" for key in ("precision", "recall", "f1"))
        row(name, *figures, found["entities"])
    about = {"pipeline": args.pipeline, "version": nlp.meta["version"], "lines": len(lines)}
    save(args.json, {**about, "entities": len(reference), "rows": rows})


if __name__ == "__main__":
    run_script(main)
