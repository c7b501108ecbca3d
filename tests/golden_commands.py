"""Checksums of what the command writes, to be compared with those of another commit or machine.

    python tests/golden_commands.py > tests/golden/commands.json
    python tests/golden_commands.py --texts FOLDER    # the embedded models on real texts

Each line of `COMMANDS` runs in a folder of small files that this program writes. Its checksum
covers standard output and the files that it makes. With ``--texts`` every ``*.txt.xz`` of FOLDER is
lowercased and cased: ``NAME.en.txt.xz`` by ``fr-en`` if ``NAME.fr.txt.xz`` is beside it, others by
``en``.
"""

import argparse
import hashlib
import json
import lzma
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "fuzz")]

import commands  # noqa: E402
from format_samples import SAMPLES  # noqa: E402
from small_bitext import bitext, pharaoh  # noqa: E402
from small_model import training_text  # noqa: E402

#: A command a line: the files that it makes, if any, behind ``->``.
COMMANDS = """
apply < lower.txt
apply -j 2 --input-case auto < upper.txt
apply --tags < lower.txt
apply --confidence < lower.txt
apply --min-odds 20 < cased.txt
apply --report-changes changes.tsv < cased.txt -> changes.tsv
apply --style title < lower.txt
apply --style auto-ap --title-pattern '^[a-z]+ing' < lower.txt
apply --context document < lower.txt
apply --after-colon lower --offices lower < lower.txt
apply --sentence-start learned --decode-with whole < lower.txt
apply --decode-with ngram --names names.txt < lower.txt
apply --decode-with unigram < lower.txt
apply -m fr-en --source fr.txt < lower-en.txt
apply -m fr-en --source fr.txt --alignment en.align --confidence < lower-en.txt
apply -m moses.model < lower.txt
punctuate < words.txt
punctuate --lines sentences --marks .? < words.txt
train corpus.txt -q --keep-ngrams -o ngram.truecase -> ngram.truecase
train corpus.txt -q --preset unigram -o unigram.truecase -> unigram.truecase
train corpus.txt -q --preset portage --variant powers -o portage.truecase -> portage.truecase
train count corpus.txt -q -o corpus.words -> corpus.words
train count corpus.txt -q --words corpus.words -o corpus.counts -> corpus.counts
train count cased.txt -q -o cased.words
train merge corpus.words cased.words -q -o twice.words -> twice.words
train -q --counts corpus.counts -o counted.truecase -> counted.truecase
apply -m ngram.truecase < lower.txt
evaluate -q -m ngram.truecase corpus.txt
evaluate -q --json -m ngram.truecase -m unigram.truecase corpus.txt
explain -m ngram.truecase "the bridge of london"
explain --json "us pacific command: the president said"
explain --punctuate "so how are you i am fine"
explain -m fr-en --source "Cliquez sur OK" "click ok"
text normalize --model moses.model < cased.txt
text normalize --train corpus.txt --save-model made.model < cased.txt -> made.model
text capitalize < lower.txt
text marks off < cased.txt
text marks shift < cased.txt
text sentence-case < titles.txt
text sentence-case refs.bib --braces
bridge before --records in.case < upper.txt -> in.case
bridge after --records in.case < upper.txt
file sample.srt
file sample.po --style source
file sample.json
file sample.vtt --punctuate
file sample.html
file sample.md
file sample.xliff
file sample.tmx --target-language en
table rows.csv --column text -o cased.csv -> cased.csv
table rows.jsonl --column text -o cased.jsonl -> cased.jsonl
review lower.txt -q -o review.html -> review.html
info twice.words
arpa estimate corpus.txt -q --order 3 -o corpus.arpa -> corpus.arpa
arpa export ngram.truecase -o ngram.arpa -> ngram.arpa
truecase.integrations.moses train --model truecase-model --corpus corpus.txt -> truecase-model
truecase.integrations.moses truecase --model moses.model < cased.txt
truecase.integrations.moses detruecase < cased.txt
truecase.integrations.opennmt to-markup < cased.txt
"""

LOWER = (HERE.parent / "demo" / "lower.txt").read_text(encoding="utf-8")
EXTENSIONS = {"srt": "srt", "po": "po", "json": "json", "vtt": "vtt", "html": "html", "md": "md"}
EXTENSIONS |= {"xliff": "xliff", "tmx": "tmx"}


def write_inputs() -> None:
    """Write the small files that the commands read into the working folder."""
    cased = training_text(200, seed=21)
    lines = bitext(200)
    french, english = lines.source.decode(), lines.target.decode()
    texts = {
        "lower.txt": LOWER + cased.lower(),
        "upper.txt": LOWER.upper(),
        "cased.txt": cased,
        "corpus.txt": training_text(),
        "words.txt": "so how are you today i am fine do you think nasa is ready\n" * 3,
        "names.txt": "OpenAI\nvan der Berg\n!Bridge\n",
        "titles.txt": "A Survey Of Tone Recognition For Mandarin\nBERT in the US: A Review\n",
        "refs.bib": "@article{a,\n  title = {A Survey Of Tone Recognition},\n  year = 2001\n}\n",
        "fr.txt": french,
        "en.txt": english,
        "lower-en.txt": english.lower(),
        "en.align": pharaoh(lines).decode(),
        "moses.model": "the (9/10) The (1)\nLondon (5/5)\nbridge (3/4) Bridge (1)\n",
        "rows.csv": 'id,text\n1,born in new jersey\n2,"the ceo, of ibm"\n',
        "rows.jsonl": '{"id": 1, "text": "born in new jersey"}\n{"text": "caf\\u00e9 in paris"}\n',
    }
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8", newline="")
    for name, extension in EXTENSIONS.items():
        kind = {"md": "markdown"}.get(name, name)
        Path(f"sample.{extension}").write_bytes(SAMPLES[kind][0])


def checksum(line: str, renamed: dict[str, str]) -> str:
    """SHA-256 of what a command writes, or its exit code and its message."""
    line, _, made = line.partition(" -> ")
    call, _, given = line.partition(" < ")
    for new, old in renamed.items():
        if f"{call} ".startswith(f"{new} "):
            call = old + call[len(new) :]
    words = shlex.split(call)
    text = Path(given).read_bytes() if given else b""
    if words[0].startswith("truecase."):
        done = commands.run_anew([sys.executable, "-m", *words], text=text)
    else:
        done = commands.run(*words, text=text)
    if done.returncode:
        return f"exit {done.returncode}: {done.stderr.decode().strip()[-200:]}"
    digest = hashlib.sha256(done.stdout)
    for name in made.split():
        digest.update(Path(name).read_bytes())
    return digest.hexdigest()


def texts_of(folder: Path) -> dict[str, str]:
    """SHA-256 of each text, lowercased and cased by the embedded models."""
    found = {}
    for path in sorted(folder.rglob("*.txt.xz")):
        words = ["-m", "en"]
        source = path.with_name(path.name.replace(".en.txt", ".fr.txt"))
        if source != path and source.exists():
            words = ["-m", "fr-en", "--source", str(source)]
        lower = lzma.decompress(path.read_bytes()).decode("utf-8").lower().encode()
        for more in ([], ["--decode-with", "ngram"]):
            done = subprocess.run(
                [sys.executable, "-m", "truecase", *words, *more], input=lower, capture_output=True,
                check=True,
            )  # fmt: skip
            name = " ".join([path.relative_to(folder).as_posix(), words[1], *more])
            found[name] = hashlib.sha256(done.stdout).hexdigest()
    return found


def main() -> None:
    """Print the checksums as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--texts", type=Path, help="a folder of texts, NAME.txt.xz")
    parser.add_argument("--old", nargs="*", default=[], metavar="NEW=OLD", help="names of commands")
    arguments = parser.parse_args()
    if arguments.texts:
        print(json.dumps(texts_of(arguments.texts), indent=1))
        return
    renamed = dict(pair.split("=") for pair in arguments.old)
    os.environ["COLUMNS"] = "80"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_inputs()
        lines = COMMANDS.strip().splitlines()
        print(json.dumps({line: checksum(line, renamed) for line in lines}, indent=1))


if __name__ == "__main__":
    main()
