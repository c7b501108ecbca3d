"""`train` and `arpa` as commands, on a small text."""

import gzip
import json
import os
import threading
from pathlib import Path

import pytest

from truecase import Truecaser
from truecase.cli import main
from truecase.cli.commands import read_arguments
from truecase.cli.train import recipe_from
from truecase.training.recipe import (
    PRESETS,
    Filters,
    LexiconRecipe,
    NgramRecipe,
    Recipe,
    TextRecipe,
    option_fields,
)

TEXT = Path(__file__).parents[1] / "data" / "harbour.txt"


def test_train_apply_evaluate_info(truecase, tmp_path):
    model, corpus = tmp_path / "m.truecase", tmp_path / "corpus.gz"
    corpus.write_bytes(gzip.compress(TEXT.read_bytes()))
    done = truecase("train", corpus, "-o", model, "--dev", TEXT, "--licence", "of our own")
    assert done.returncode == 0, done.stderr
    assert done.stdout == b""
    assert b"token accuracy" in done.stderr
    cased = truecase("-m", model, "-i", TEXT, "-j", 2)
    assert cased.returncode == 0
    assert cased.stdout.lower() == TEXT.read_bytes().lower()
    figures = json.loads(truecase("evaluate", "-m", model, TEXT, "--json").stdout)
    about = json.loads(truecase("info", "--json", model).stdout)
    assert about["licence"] == "of our own"
    assert about["dev"]["accuracy"] == pytest.approx(figures["accuracy"], abs=1e-6)
    assert about["training"]["preset"] == "ngram"
    assert b"of our own" in truecase("info", model).stdout
    again = tmp_path / "again.truecase"
    truecase("train", corpus, "-o", again, "--dev", TEXT, "--licence", "of our own")
    assert again.read_bytes() == model.read_bytes()


def test_neural_preset(truecase, tmp_path):
    model, again = tmp_path / "m.truecase", tmp_path / "again.truecase"
    options = ["--preset", "crf-neural", "--folds", 2, "--epochs", 1]
    options += ["--drop-punctuation", 0.3, "--dev", TEXT]
    for path in (model, again):
        done = truecase("train", TEXT, "-o", path, *options)
        assert done.returncode == 0, done.stderr
    assert again.read_bytes() == model.read_bytes()
    cased = truecase("-m", model, "-i", TEXT)
    assert cased.stdout.lower() == TEXT.read_bytes().lower()
    about = json.loads(truecase("info", "--json", model).stdout)
    assert about["training"]["network"]["drop_punctuation"] == 0.3
    assert about["components"]["network"]["units"] == 64
    assert "network/joined" in about["arrays"]
    assert truecase("info", model).returncode == 0
    done = truecase("train", TEXT, "-o", model, *options, "--max-size", "20K")
    assert done.returncode == 2
    assert b"leave nothing of a model of 20,480" in done.stderr


def test_standard_input(truecase, tmp_path):
    model = tmp_path / "m.truecase"
    done = truecase("train", "-", "--preset", "unigram", "-o", model, text=TEXT.read_bytes())
    assert done.returncode == 0, done.stderr
    assert model.exists()


def test_development_text_from_standard_input(truecase, tmp_path):
    models = [tmp_path / "a.truecase", tmp_path / "b.truecase"]
    done = [
        truecase("train", TEXT, "--dev", dev, "-o", model, text=TEXT.read_bytes())
        for dev, model in zip((TEXT, "-"), models, strict=True)
    ]
    assert [each.returncode for each in done] == [0, 0], done
    assert models[0].read_bytes() == models[1].read_bytes()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are Unix's")
def test_a_development_text_from_a_pipe(truecase, tmp_path):
    dev, pipe = tmp_path / "dev", tmp_path / "pipe"
    dev.write_bytes(b"Anna met the iPhone .\n")
    os.mkfifo(pipe)
    models = [tmp_path / "a.truecase", tmp_path / "b.truecase"]
    writer = threading.Thread(target=pipe.write_bytes, args=(dev.read_bytes(),))
    writer.start()
    for each, model in zip((dev, pipe), models, strict=True):
        done = truecase("train", TEXT, "--dev", each, "-o", model)
        assert done.returncode == 0, done.stderr
    writer.join()
    assert models[0].read_bytes() == models[1].read_bytes()


def test_no_command_writes_over_what_it_reads(truecase, tmp_path):
    text, other = tmp_path / "text", tmp_path / "other"
    for arguments in (
        ["train", text, "-o", text],
        ["train", other, "--dev", text, "-o", text],
        ["train", "adapt", "en", "--dev", text, "-o", text],
        ["align", text, other, "-o", text],
        ["arpa", "estimate", other, text, "-o", text],
        ["arpa", "import", text, "-o", text],
        ["arpa", "export", text, "-o", text],
        ["evaluate", text, "--html", text],
        ["learning-curve", other, "--test", text, "-o", text],
        ["text", "normalize", "--train", text, "--save-model", text],
    ):
        for path in (text, other):
            path.write_bytes(b"Anna\n")
        done = truecase(*arguments)
        assert (done.returncode, text.read_bytes()) == (1, b"Anna\n"), arguments
        assert b": is also read: give the output another name\n" in done.stderr
    other.unlink()
    other.hardlink_to(text)
    done = truecase("train", other, "-o", text)
    assert (done.returncode, text.read_bytes()) == (1, b"Anna\n")


def test_trouble_is_found_before_the_work(truecase, tmp_path):
    for arguments in (
        ["train", "missing.txt", "-o", "none/m"],
        ["arpa", "estimate", "missing.txt", "-o", "none/m"],
        ["text", "normalize", "--train", "missing.txt", "-o", "none/m", "-i", "x"],
    ):
        done = truecase(*arguments)
        assert done.returncode == 1
        assert b"none/m" in done.stderr
    done = truecase("train", TEXT, "-o", "m", "--dev", "missing.txt")
    assert done.returncode == 1
    assert b"missing.txt" in done.stderr
    done = truecase("train", "missing.txt", "-o", "m")
    assert done.returncode == 1
    assert b"truecase: missing.txt: No such file" in done.stderr


def test_text_without_words(truecase, tmp_path):
    done = truecase("train", "-", "-o", "m", text=b"\n\n")
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1


def options_of(command):
    _, arguments = read_arguments(["train", *command.split()])
    return recipe_from(arguments)


def test_options_from_arguments():
    recipe = options_of(
        "corpus -o m --order 4 --segmentation space --language tr --no-smartcase --prune 0 1 2 "
        "--min-count 3 --min-share 0.1 --max-size 12M --keep-ngrams --clean --titles drop "
        "--title-pattern ^a --title-pattern b$ --title-detector --licence L --origin O"
    )
    assert recipe == Recipe(
        text=TextRecipe("space", "tr"),
        filters=Filters(True, "drop", ("^a", "b$"), True),
        lexicon=LexiconRecipe(min_count=3, min_share=0.1, smartcase=False),
        lm=NgramRecipe(4, (0, 1, 2), keep_ngrams=True),
        max_size=12 << 20,
        origin="O",
        licence="L",
    )
    assert options_of("corpus -o m --candidates full").lexicon.candidates == "full"


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_not_given_is_as_the_preset_has_it(preset):
    assert options_of(f"corpus -o m --preset {preset}") == PRESETS[preset]


# Where recipes have each option of the command, by its name: in one part or several.
OPTIONS = {}
for path, field in option_fields(Recipe):
    if "flag" in field.metadata:
        OPTIONS.setdefault(field.metadata["flag"][2:].replace("-", "_"), []).append(path)


def test_each_option_of_a_preset_has_a_path():
    paths = {path for recipe in PRESETS.values() for path in recipe.options()}
    assert {path for places in OPTIONS.values() for path in places} <= paths
    assert all(
        field.metadata["help"] for _, field in option_fields(Recipe) if "flag" in field.metadata
    )
    _, arguments = read_arguments(["train", "corpus", "-o", "m"])
    assert set(OPTIONS) <= set(vars(arguments))


# A value of each option that does not belong to every preset.
VALUES = {
    "order": "2", "prune": "1", "keep_ngrams": None, "sigma": "1",
    "folds": "3", "epochs": "2", "drop_punctuation": "0.1", "source_language": "fr",
    "phrases": "words", "table_size": "1M", "variant": "powers", "search": "viterbi",
    "max_size": "1M",
}  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", VALUES)
def test_options_that_do_not_belong_to_a_preset_are_refused(preset, name, capsys):
    flag = f"--{name.replace('_', '-')}"
    value = [] if VALUES[name] is None else [VALUES[name]]

    def has_option(recipe):
        return any(map(recipe.has_option, OPTIONS[name]))

    if has_option(PRESETS[preset]):
        return
    # Nothing is read: there is no such corpus.
    assert main(["train", "missing.txt", "-o", "m", "--preset", preset, flag, *value]) == 2
    message = capsys.readouterr().err
    assert (
        message.startswith(f"truecase: {flag}: only these presets have it")
        and message.count("\n") == 1
    )
    for other, recipe in PRESETS.items():
        named = other in message.replace(",", "").split()
        assert named == has_option(recipe), (other, message)


def test_arpa_estimate(truecase, tmp_path):
    out = tmp_path / "m.arpa"
    done = truecase("arpa", "estimate", TEXT, "--order", 2, "-o", out)
    assert done.returncode == 0, done.stderr
    lines = out.read_text().splitlines()
    assert lines[0] == "\\data\\"
    assert lines[-1] == "\\end\\"
    assert "\\2-grams:" in lines
    packed = tmp_path / "m.arpa.gz"
    done = truecase("arpa", "estimate", "-", "--order", 2, "-o", packed, text=TEXT.read_bytes())
    assert done.returncode == 0, done.stderr
    assert gzip.decompress(packed.read_bytes()) == out.read_bytes()


def test_arpa_import(truecase, tmp_path):
    arpa, model = tmp_path / "m.arpa", tmp_path / "m.truecase"
    assert truecase("arpa", "estimate", TEXT, "-o", arpa).returncode == 0
    done = truecase("arpa", "import", arpa, "-o", model)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    cased = truecase("-m", model, "-i", TEXT).stdout
    assert cased.lower() == TEXT.read_bytes().lower()
    assert cased != cased.lower()
    arpa.write_bytes(arpa.read_bytes()[:-200])
    done = truecase("arpa", "import", arpa, "-o", model)
    assert done.returncode == 1
    assert str(arpa).encode() in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_arpa_export(truecase, tmp_path):
    model, arpa = tmp_path / "m.truecase", tmp_path / "m.arpa"
    assert truecase("train", TEXT, "-o", model, "--keep-ngrams").returncode == 0
    done = truecase("arpa", "export", model, "-o", arpa)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert b"\\3-grams:" in arpa.read_bytes()
    assert truecase("train", TEXT, "-o", model).returncode == 0
    done = truecase("arpa", "export", model, "-o", tmp_path / "none")
    assert done.returncode == 1
    assert done.stderr.startswith(f"truecase: {model}: ".encode())
    assert b"--keep-ngrams" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_full_disk_names_the_file(truecase):
    for arguments in (
        ["train", TEXT],
        ["arpa", "estimate", TEXT],
        ["text", "normalize", "--train", TEXT, "--save-model", "/dev/full", "-i", TEXT],
    ):
        done = truecase(*arguments, "-o", "/dev/full")
        assert done.returncode == 1
        assert b"truecase: /dev/full: No space left on device\n" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="/dev/stdout")
def test_model_to_standard_output(truecase):
    done = truecase("arpa", "estimate", TEXT, "-o", "/dev/stdout")
    assert done.stdout.startswith(b"\\data\\\n")
    done = truecase(
        "text", "normalize", "--train", TEXT, "--save-model", "/dev/stdout", "--model-only"
    )
    assert done.stdout.count(b"/") > 10


def test_crf_train_confidence_adapt(truecase, tmp_path):
    lines = TEXT.read_bytes().splitlines(keepends=True)
    corpus, dev, model = tmp_path / "corpus.txt", tmp_path / "dev.txt", tmp_path / "m.truecase"
    corpus.write_bytes(b"".join(lines[: len(lines) // 2]))
    dev.write_bytes(b"".join(lines[len(lines) // 2 :]))
    done = truecase("train", corpus, "--preset", "crf", "--dev", dev, "-o", model)
    assert done.returncode == 0, done.stderr
    assert b"log-likelihood" in done.stderr and b"gradient norm" in done.stderr
    assert b"case_given_word" in done.stderr and b"token accuracy" in done.stderr
    about = json.loads(truecase("info", "--json", model).stdout)
    assert about["crf"]["sigma"] == 0.5 and about["training"]["preset"] == "crf"
    assert about["components"]["dense"]["features"] > 1

    done = truecase("-m", model, "--confidence", text=b"the harbour\n\nof anna")
    assert done.returncode == 0, done.stderr
    rows = done.stdout.decode().split("\n")
    assert [row.count("\t") for row in rows] == [4, 4, 0, 0, 4, 4, 0, 0]

    adapted = tmp_path / "a.truecase"
    done = truecase("train", "adapt", model, "--dev", dev, "--corpus", corpus, "-o", adapted)
    assert done.returncode == 0, done.stderr
    assert b"share of the domain's language model" in done.stderr
    cased = truecase("-m", adapted, "-i", dev)
    assert cased.returncode == 0
    assert cased.stdout.lower() == dev.read_bytes().lower()
    assert truecase("train", "adapt", model, "--dev", dev, "-o", adapted).returncode == 0
    done = truecase("train", "adapt", model, "--corpus", corpus, "-o", adapted)
    assert done.returncode == 1 and b"too few to hold some of it out" in done.stderr
    corpus.write_bytes(corpus.read_bytes() * 30)
    assert truecase("train", "adapt", model, "--corpus", corpus, "-o", adapted).returncode == 0


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("train", "adapt", "none.truecase", "-o", "x"), b"text of the domain is needed"),
        (
            ("train", "adapt", "none.truecase", "--dev", "no.txt", "-o", "x"),
            b"none.truecase: No such file",
        ),
        (("train", TEXT, "--preset", "crf", "--sigma", "wide", "-o", "x"), b"'wide'"),
        (("train", TEXT, "--preset", "crf", "--sigma", "0", "-o", "x"), b"sigma"),
        (("train", TEXT, "--preset", "crf", "--order", "1", "-o", "x"), b"order 1"),
        (("--confidence", "--tags"), b"--tags: not allowed with argument --confidence"),
    ],
)
def test_crf_mistakes_are_one_line(truecase, arguments, message):
    done = truecase(*arguments)
    assert done.returncode in (1, 2)
    assert message in done.stderr and done.stderr.count(b"\n") == 1


def test_confidence_of_moses_models(truecase, model):
    done = truecase("-m", model, "--confidence", text=b"x\n")
    assert done.returncode == 2 and b"Moses" in done.stderr


def test_an_arpa_file_goes_to_standard_output(truecase, tmp_path):
    (tmp_path / "text.txt").write_text("She met Anna in London .\nAnna was there .\n" * 5)
    file = truecase("arpa", "estimate", "-q", tmp_path / "text.txt", "-o", tmp_path / "a.arpa")
    done = truecase("arpa", "estimate", "-q", tmp_path / "text.txt", "-o", "-")
    assert (file.returncode, done.returncode) == (0, 0)
    assert done.stdout == (tmp_path / "a.arpa").read_bytes()
    assert not (tmp_path / "here" / "-").exists()


def test_text_without_capitals_is_told(truecase, tmp_path):
    (tmp_path / "lower.txt").write_text("she met anna in london .\n" * 50)
    done = truecase("train", "-q", tmp_path / "lower.txt", "-o", tmp_path / "a.truecase")
    assert done.returncode == 0
    assert (
        done.stderr.count(b"fewer than 0.2% of the words of the training text have a capital") == 1
    )
    (tmp_path / "upper.txt").write_text("SHE MET ANNA IN LONDON .\n" * 50)
    done = truecase("train", "-q", tmp_path / "upper.txt", "-o", tmp_path / "a.truecase")
    assert done.stderr.count(b"of the training text are in lower case") == 1
    (tmp_path / "cased.txt").write_text("She met Anna in London .\n" * 50)
    done = truecase("train", "-q", tmp_path / "cased.txt", "-o", tmp_path / "a.truecase")
    assert b"capital" not in done.stderr


def test_sentences_in_place_of_files(truecase, tmp_path):
    done = truecase("train", "She met Anna .", "-o", tmp_path / "a.truecase")
    assert done.returncode == 1
    assert b"She met Anna .: no such file; text is given by paths of files" in done.stderr
    with pytest.raises(FileNotFoundError, match="a function that gives blocks of bytes"):
        Truecaser.train(["She met Anna ."])
    done = truecase("--names", tmp_path / "none", text=b"she met anna\n")
    assert done.stderr.endswith(b"none: No such file or directory\n")
    with pytest.raises(FileNotFoundError, match="OpenAI: No such file of names; in Python, truec"):
        Truecaser.load().with_names(["OpenAI"])
