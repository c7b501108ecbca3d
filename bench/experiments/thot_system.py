"""A phrase-based translation system with Thot (sil-thot), trained on one's own alignments.

    python bench/experiments/thot_system.py lexicon CORPUS SOURCE TARGET PREFIX
    python bench/experiments/thot_system.py train CORPUS SOURCE TARGET LEXICA SYSTEM
    python bench/experiments/thot_system.py tune CORPUS SOURCE TARGET SYSTEM [--start SYSTEM]
    python bench/experiments/thot_system.py translate CORPUS SOURCE TARGET SYSTEM SET...

Runs where `sil-thot` is installed; `machine_translation.py` calls it. CORPUS
has train, dev and test as ``train.LANGUAGE`` ..., one tokenised sentence a line, and
``train.align``, links of SOURCE and TARGET in Pharaoh form. Thot trains the word translation
models that smooth phrase probabilities (``fast_align``) and decodes; the phrase pairs come from
the alignments (`phrase_table`), the language model is Thot's interpolated trigram.
"""

import argparse
import json
import math
import re
import struct
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from minimum_error_rate import N_STATISTICS, Pool, best_weights, bleu, statistics
from phrase_table import SentencePair, extract

# Longer sentences say little about phrases and cost much.
MAX_WORDS = 80
ORDER = 3
LEXICON_ITERATIONS = 4
# Only smooths phrase probabilities: every third pair does.
LEXICON_EVERY = 3
MIN_TRANSLATION_LN = math.log(1e-4)
SETS = ("dev", "test")

# Components of Thot's score, in its order.
WEIGHTS = (
    "word penalty",
    "language model",
    "length of target phrases",
    "jumps in the source",
    "length of source phrases",
    "phrases, target given source",
    "phrases, source given target",
    "length of sentences",
)
FIRST_WEIGHTS = [0.0, 1.0, 0.0, 0.5, 0.0, 1.0, 1.0, 0.0]
# Those that tuning changes: lengths of sentences tell nothing here.
FREE = range(len(WEIGHTS) - 1)
N_BEST = 100
# Settings of the decoder, as sil-machine has them: stack size, translations tried for each span,
# words that a jump may span. The order within phrases is all the reordering there is.
STACK = 10
OPTIONS = 10
JUMPS = 0

# What has a meaning in Thot's files.
ESCAPES = {"|||": "<3bars>", "<s>": "<s_>", "</s>": "</s_>", "<unk>": "<unk_>"}
_WORD = re.compile(r"[^\t-\r ]+")
UNESCAPES = {escaped: word for word, escaped in ESCAPES.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("step", choices=["lexicon", "train", "tune", "translate"])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("where", nargs="+", type=Path)
    parser.add_argument("--pairs", type=int, default=sys.maxsize)
    parser.add_argument("--start", type=Path, metavar="SYSTEM")
    parser.add_argument("--sets", nargs="+", default=SETS, help="to find phrases of, for train")
    parser.add_argument("--lines", type=int, default=300, help="of dev, for tune")
    parser.add_argument("--rounds", type=int, default=3, help="of tune")
    args = parser.parse_args()
    started = time.process_time()
    if args.step == "lexicon":
        train_lexicon(args.corpus, args.source, args.target, args.where[0], args.pairs)
    elif args.step == "train":
        lexica, system = args.where
        train(args.corpus, args.source, args.target, lexica, system, args.pairs, args.sets)
    elif args.step == "tune":
        tune(args, args.where[0])
    else:
        translate(args.corpus, args.source, args.where[0], [str(name) for name in args.where[1:]])
    print(f"# {args.step}: {time.process_time() - started:.0f} s", flush=True)
    return 0


def words_of(line: str) -> list[str]:
    """What stands between ASCII white space, as alignments count it; escaped."""
    return [ESCAPES.get(word, word) for word in _WORD.findall(line)]


def read_words(path: Path) -> list[list[str]]:
    """Words of each line."""
    return [words_of(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def read_bitext(corpus: Path, source: str, target: str, n_pairs: int) -> Iterator[SentencePair]:
    """Sentence pairs of the training text that are not too long, with their links."""
    with (
        open(corpus / f"train.{source}", encoding="utf-8", newline="\n") as sources,
        open(corpus / f"train.{target}", encoding="utf-8", newline="\n") as targets,
        open(corpus / "train.align", encoding="utf-8") as alignments,
    ):
        # the language whose words come first in each link stands first in this file
        turned = (corpus / "languages").read_text().split() != [source, target]
        lines = zip(sources, targets, alignments, strict=True)
        for _, (source_line, target_line, alignment) in zip(range(n_pairs), lines, strict=False):
            source_words, target_words = words_of(source_line), words_of(target_line)
            if not (0 < len(source_words) <= MAX_WORDS and 0 < len(target_words) <= MAX_WORDS):
                continue
            links = []
            for link in alignment.split():
                one, other = link.split("-")
                links.append((int(other), int(one)) if turned else (int(one), int(other)))
            yield source_words, target_words, links


# --- training ---------------------------------------------------------------------------------


def train_lexicon(corpus: Path, source: str, target: str, prefix: Path, n_pairs: int) -> None:
    """Word translation probabilities P(target word | source word)."""
    import thot.alignment

    model = thot.alignment.FastAlignModel()
    bitext = read_bitext(corpus, source, target, n_pairs)
    for source_words, target_words, _ in islice(bitext, 0, None, LEXICON_EVERY):
        model.add_sentence_pair(source_words, target_words, 1)
    model.start_training()
    for _ in range(LEXICON_ITERATIONS):
        model.train()
    model.end_training()
    prefix.parent.mkdir(parents=True, exist_ok=True)
    model.print(str(prefix))
    prune_lexicon(Path(f"{prefix}.fa_lexnd"))


def prune_lexicon(path: Path) -> None:
    """Leave out improbable translations: most of the file, and of the time to load it."""
    # source word, target word, ln of the numerator and of the denominator
    record = struct.Struct("IIff")
    kept = [
        entry
        for entry in record.iter_unpack(path.read_bytes())
        if entry[2] - entry[3] >= MIN_TRANSLATION_LN
    ]
    path.write_bytes(b"".join(record.pack(*entry) for entry in kept))


def train(
    corpus: Path,
    source: str,
    target: str,
    lexica: Path,
    system: Path,
    n_pairs: int,
    sets: Sequence[str] = SETS,
) -> None:
    """Language model, phrase table and the rest of what Thot loads."""
    system.mkdir(parents=True, exist_ok=True)
    write_language_model(system / "lm", read_words(corpus / f"train.{target}"))
    sentences = [words for name in sets for words in read_words(corpus / f"{name}.{source}")]
    pairs, totals = extract(lambda: read_bitext(corpus, source, target, n_pairs), sentences)
    print(f"# {len(pairs):,} phrase pairs", flush=True)
    with (
        open(system / "tm.ttable", "w", encoding="utf-8") as table,
        open(system / "links.tsv", "w", encoding="utf-8") as links,
    ):
        for pair in pairs:
            table.write(
                f"{pair.target} ||| {pair.source} ||| {totals[pair.target]:.8f} {pair.count:.8f}\n"
            )
            links.write(f"{pair.source}\t{pair.target}\t{pair.links}\n")
    settings = {
        "lambda": "0.7 0.7",
        "srcsegmlentable": "Uniform",
        "trgcutstable": "0.999",
        "trgsegmlentable": "Geometric",
    }
    for name, value in settings.items():
        (system / f"tm.{name}").write_text(value)
    # Thot calls "inverse" the model of the target given the source.
    for ending, languages in (("invswm", (source, target)), ("swm", (target, source))):
        for path in lexica.glob("-".join(languages) + ".*"):
            link = system / f"tm_{ending}{path.suffix}"
            link.unlink(missing_ok=True)
            link.symlink_to(path.resolve())


def write_language_model(prefix: Path, sentences: Sequence[Sequence[str]]) -> None:
    """Counts as Thot reads them; a word's first occurrence counts as an unknown word."""
    counts: Counter[tuple[str, ...]] = Counter()
    known: set[str] = set()
    n_words = 0
    for sentence in sentences:
        words = ["<s>", *(word if word in known else "<unk>" for word in sentence), "</s>"]
        known.update(sentence)
        n_words += len(words)
        for order in range(1, ORDER + 1):
            counts.update(zip(*(words[i:] for i in range(order)), strict=False))
    with open(prefix, "w", encoding="utf-8") as file:
        for order in range(1, ORDER + 1):
            for ngram, count in counts.items():
                if len(ngram) == order:
                    total = n_words if order == 1 else counts[ngram[:-1]]
                    file.write(f"{' '.join(ngram)} {total} {count}\n")
    weights = " ".join(["0.5"] * 3 * ORDER)
    Path(f"{prefix}.weights").write_text(f"{ORDER} 3 10 {weights}\n")
    # only for what a user types, but it must be there
    Path(f"{prefix}.wp").write_text(" ".join(sentences[0]) + "\n", encoding="utf-8")


# --- translating ------------------------------------------------------------------------------


LinksOf = Mapping[tuple[str, str], Sequence[tuple[int, ...]]]


class Decoder:
    """Thot's stack decoder with a trained system."""

    def __init__(self, system: Path) -> None:
        import thot.alignment
        import thot.translation

        self.model = thot.translation.SmtModel(thot.alignment.AlignmentModelType.FAST_ALIGN)
        if not self.model.load_translation_model(str(system / "tm")):
            raise SystemExit(f"thot_system: {system}/tm.* cannot be loaded")
        if not self.model.load_language_model(str(system / "lm")):
            raise SystemExit(f"thot_system: {system}/lm cannot be loaded")
        self.model.non_monotonicity = JUMPS
        self.model.w = 0.4
        self.model.a = OPTIONS
        self.model.e = 2
        self.model.heuristic = 6
        self.decoder = thot.translation.SmtDecoder(self.model)
        self.decoder.s = STACK
        self.decoder.is_breadth_first = True


def tune(args: argparse.Namespace, system: Path) -> None:
    """Weights by BLEU on lines of dev: translate, choose among all seen so far, again; the best."""
    lines = (read_words(args.corpus / f"dev.{name}") for name in (args.source, args.target))
    pairs = [pair for pair in zip(*lines, strict=True) if all(pair)][: args.lines]
    sources = [source for source, _ in pairs]
    pool = Pool([target for _, target in pairs])
    weights = read_weights(args.start) if args.start else FIRST_WEIGHTS
    decoder = Decoder(system)
    best, best_bleu = weights, -1.0
    for round_ in range(args.rounds + 1):
        decoder.model.weights = weights
        sums = np.zeros(N_STATISTICS)
        for i, words in enumerate(sources):
            for rank, result in enumerate(decoder.decoder.translate_n(" ".join(words), N_BEST)):
                pool.add(i, result.target, result.score_components)
                if rank == 0:
                    sums += statistics(result.target, pool.references[i])
        print(f"# BLEU {bleu(sums):.2f}", flush=True)
        if bleu(sums) > best_bleu:
            best, best_bleu = weights, bleu(sums)
        if round_ < args.rounds:
            weights, reached = best_weights(pool, weights, FREE)
            print(f"# other weights, among what was seen: {reached:.2f}", flush=True)
    rounded = (round(weight, 4) for weight in best)
    named = dict(zip(WEIGHTS, rounded, strict=True))
    (system / "weights.json").write_text(json.dumps(named, indent=1) + "\n")


def read_weights(system: Path) -> list[float]:
    """Weights as `tune` left them, or the first ones."""
    path = system / "weights.json"
    return list(json.loads(path.read_text()).values()) if path.exists() else FIRST_WEIGHTS


def translate(corpus: Path, source: str, system: Path, names: Sequence[str]) -> None:
    """Translate sets; writes the text, Moses' trace with word alignments, and Pharaoh links."""
    decoder = Decoder(system)
    decoder.model.weights = read_weights(system)
    links_of = {}
    with open(system / "links.tsv", encoding="utf-8") as file:
        for line in file:
            phrase, target, links = line.rstrip("\n").split("\t")
            links_of[phrase, target] = [tuple(map(int, link.split("-"))) for link in links.split()]
    for name in names:
        started = time.process_time()
        texts, traces, alignments = [], [], []
        for words in read_words(corpus / f"{name}.{source}"):
            result = decoder.decoder.translate(" ".join(words)) if words else None
            trace, alignment = describe(words, result, links_of) if result else ("", "")
            texts.append(" ".join(plain(result.target)) if result else "")
            traces.append(trace)
            alignments.append(alignment)
        seconds = time.process_time() - started
        print(f"# {name}: {len(texts)} lines, {1000 * seconds / len(texts):.0f} ms each")
        for ending, lines in (("out", texts), ("trace", traces), ("align", alignments)):
            (system / f"{name}.{ending}").write_text("\n".join(lines) + "\n", encoding="utf-8")


def describe(words: Sequence[str], result: Any, links_of: LinksOf) -> tuple[str, str]:
    """Trace and alignment of a translation, from the links within its phrases."""
    trace, alignment, begin = [], [], 0
    spans = zip(result.source_segmentation, result.target_segment_cuts, strict=True)
    for (first, last), end in spans:
        # Thot counts source words from 1
        phrase, target = words[first - 1 : last], result.target[begin:end]
        links = links_of.get((" ".join(phrase), " ".join(target)))
        if links is None:
            # a word that the system does not know: copied
            links = [(i, j) for i in range(len(phrase)) for j in range(len(target))]
        inside = ",".join(f"{i}-{j}" for i, j in links)
        trace.append(f"{' '.join(plain(target))} |{first - 1}-{last - 1},wa={inside}|")
        alignment += [(first - 1 + i, begin + j) for i, j in links]
        begin = end
    return " ".join(trace), " ".join(f"{i}-{j}" for i, j in sorted(alignment))


def plain(words: Sequence[str]) -> list[str]:
    return [UNESCAPES.get(word, word) for word in words]


if __name__ == "__main__":
    sys.exit(main())
