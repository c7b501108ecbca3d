"""`train`, `evaluate` and `explain` with alignments over subwords: the same as with words."""

import json
from dataclasses import replace
from functools import partial
from itertools import chain

import commands
import pytest
from small_bitext import bitext, pharaoh

from truecase import PRESETS, AlignmentFile, Bitext, TruecaseError, Truecaser

PARTS = {"train": bitext(300, seed=5), "dev": bitext(80, seed=7), "test": bitext(60, seed=6)}


def cut(word):
    """The parts of a word: three letters each."""
    parts = [word[i : i + 3] for i in range(0, len(word), 3)]
    return [f"{part}@@" for part in parts[:-1]] + parts[-1:]


def in_subwords(lines):
    """Source, target and links over subwords: the first part of a word has those of the word."""
    texts, firsts = [], []
    for block in (lines.source, lines.target):
        of_lines = [[cut(word) for word in line.split()] for line in block.decode().splitlines()]
        texts.append("".join(f"{' '.join(chain.from_iterable(line))}\n" for line in of_lines))
        firsts.append([[sum(map(len, line[:i])) for i in range(len(line))] for line in of_lines])
    links = "".join(
        " ".join(
            f"{first_source[s]}-{first_target[t]}" for t, words in enumerate(line) for s in words
        )
        + "\n"
        for line, first_source, first_target in zip(lines.phrases.to_lines(), *firsts, strict=True)
    )
    return (*texts, links)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bitext")
    for name, lines in PARTS.items():
        (folder / f"{name}.en").write_bytes(lines.target)
        (folder / f"{name}.fr").write_bytes(lines.source)
        (folder / f"{name}.align").write_bytes(pharaoh(lines))
        source, target, links = in_subwords(lines)
        (folder / f"{name}.fr.bpe").write_text(source)
        (folder / f"{name}.en.bpe").write_text(target)
        (folder / f"{name}.bpe.align").write_text(links)
    return folder


@pytest.fixture
def truecase(folder):
    """Run the command to its end in the folder of the files."""
    return partial(commands.run, cwd=folder)


def subwords(name, prefix=""):
    return [
        f"--{prefix}source-subwords", f"{name}.fr.bpe",
        f"--{prefix}target-subwords", f"{name}.en.bpe",
    ]  # fmt: skip


TRAIN = ["--preset", "bilingual", "--segmentation", "space", "--source", "train.fr",
         "--target", "train.en"]  # fmt: skip
DEV = ["--dev", "dev.en", "--dev-source", "dev.fr"]


@pytest.fixture(scope="module")
def model(folder):
    """Trained with the links of words."""
    Truecaser.train(
        folder / "train.en", _recipe(), source=folder / "train.fr",
        alignment=folder / "train.align",
        development=Bitext(folder / "dev.en", folder / "dev.fr", folder / "dev.align"),
    ).save(folder / "words.truecase")  # fmt: skip
    return folder / "words.truecase"


def _recipe():
    recipe = PRESETS["bilingual"]
    return replace(recipe, text=replace(recipe.text, segmentation="space"))


def test_train(truecase, folder, model):
    done = truecase(
        "train", *TRAIN, "--alignment", "train.bpe.align", "--subwords", "bpe",
        *subwords("train"), *DEV, "--dev-alignment", "dev.bpe.align", *subwords("dev", "dev-"),
        "-o", "subwords.truecase",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (folder / "subwords.truecase").read_bytes() == model.read_bytes()


def aligned(folder, name):
    return AlignmentFile(
        folder / f"{name}.bpe.align", "bpe", folder / f"{name}.fr.bpe", folder / f"{name}.en.bpe"
    )


def test_train_in_python(folder, model, tmp_path):
    Truecaser.train(
        folder / "train.en", _recipe(), source=folder / "train.fr",
        alignment=aligned(folder, "train"),
        development=Bitext(folder / "dev.en", folder / "dev.fr", aligned(folder, "dev")),
    ).save(tmp_path / "model")  # fmt: skip
    assert (tmp_path / "model").read_bytes() == model.read_bytes()


def test_evaluate(truecase, folder, model):
    def figures(*arguments):
        done = truecase("evaluate", "-m", model, "--json", "--source", "test.fr", *arguments,
                        "test.en")  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    by_words = figures("--alignment", "test.align")
    by_subwords = ["--alignment", "test.bpe.align", "--subwords", "bpe", *subwords("test")]
    assert figures(*by_subwords) == by_words != figures()
    soft = folder / "test.soft"
    links = [line.split() for line in (folder / "test.bpe.align").read_text().splitlines()]
    sizes = [
        [len(line.split()) for line in (folder / f"test.{side}.bpe").read_text().splitlines()]
        for side in ("fr", "en")
    ]
    with open(soft, "w") as file:
        for pairs, n_source, n_target in zip(links, *sizes, strict=True):
            # A part without a link attends to the end of the sentence.
            rows = [[0] * n_source + [1] for _ in range(n_target)]
            for pair in pairs:
                i, j = map(int, pair.split("-"))
                rows[j][i], rows[j][-1] = 1, 0
            file.write(" ".join(",".join(map(str, row)) for row in rows) + "\n")
    soft_options = [*by_subwords[2:], "--soft-alignment", "--threshold", "0.1"]
    assert figures("--alignment", soft, *soft_options) == by_words


@pytest.mark.parametrize(
    "form, source, target",
    [
        ("bpe", "Alo@@ rs le Bi@@ ll", "so the bi@@ ll"),
        ("sentencepiece", "▁Alo rs ▁le ▁Bi ll", "▁so ▁the ▁bi ll"),
        ("wordpiece", "Alo ##rs le Bi ##ll", "so the bi ##ll"),
    ],
)
def test_explain(truecase, model, form, source, target):
    line = ["explain", "-m", model, "--json", "--source", "Alors le Bill", "so the bill"]
    by_words = truecase(*line, "--alignment", "0-0 1-1 2-2")
    done = truecase(*line, "--alignment", "0-0 1-0 2-1 3-2 4-3", "--subwords", form,
                    "--source-subwords", source, "--target-subwords", target)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == by_words.stdout
    less = truecase(*line, "--alignment", "0-0 1-1 2-2:0.4", "--threshold", "0.5")
    assert less.stdout == truecase(*line, "--alignment", "0-0 1-1").stdout != by_words.stdout


def refusal(done, code):
    """The one sentence of a refusal, without any output."""
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (code, b"", 1), done.stderr
    return done.stderr.decode()


def test_a_broken_link_is_named_as_its_file_has_it(truecase, folder, model):
    lines = (folder / "test.bpe.align").read_text().splitlines()
    lines[6] = "0-0 0-99"
    (folder / "broken.align").write_text("".join(f"{line}\n" for line in lines))
    n_subwords = len((folder / "test.en.bpe").read_text().splitlines()[6].split())
    expected = (
        f"broken.align: line 7: link '0-99': the target line has only {n_subwords} subwords "
        "(they are counted from 0)"
    )
    options = ["--alignment", "broken.align", "--subwords", "bpe", *subwords("test")]
    for command in (
        ["evaluate", "-m", model, "--source", "test.fr", *options, "test.en"],
        ["apply", "-m", model, "--source", "test.fr", *options, "-i", "test.en"],
        ["train", "--preset", "bilingual", "--source", "test.fr", "--target", "test.en", *options,
         "-o", "none.truecase"],
    ):  # fmt: skip
        assert expected in refusal(truecase(*command), 1)
    assert not (folder / "none.truecase").exists()


def test_explain_says_what_is_wrong(truecase, model):
    line = ["explain", "-m", model, "--source", "Alors le Bill", "so the bill"]
    parts = ["--subwords", "bpe", "--source-subwords", "Alo@@ rs le Bill", "--target-subwords",
             "so the bill"]  # fmt: skip
    message = refusal(truecase(*line, "--alignment", "0-0 4-1", *parts), 1)
    assert "link '4-1': the source line has only 4 subwords" in message
    message = refusal(truecase(*line[:-1], "so\nthe", "--alignment", "0-0"), 1)
    assert "only one line can be explained" in message


def test_lines_of_other_subwords_can_be_skipped(truecase, folder, model, tmp_path):
    broken = tmp_path / "test.en.bpe"
    lines = (folder / "test.en.bpe").read_text().splitlines()
    first = lines[3].split()[0]
    lines[3] = f"{first} other words"
    broken.write_text("".join(f"{line}\n" for line in lines))
    links = (folder / "test.align").read_bytes().splitlines()
    links[3] = b"x"
    (tmp_path / "links").write_bytes(b"".join(line + b"\n" for line in links))
    options = ["apply", "-m", model, "--source", "test.fr", "-i", "test.en", "--alignment"]
    by_subwords = ["test.bpe.align", "--subwords", "bpe", "--source-subwords", "test.fr.bpe",
                   "--target-subwords", broken]  # fmt: skip
    message = refusal(truecase(*options, *by_subwords), 1)
    assert "test.en.bpe: line 4: the subwords are not of this line of text" in message
    assert "where subword 1 (from 0) is 'other', the text has '" in message
    done = truecase(*options, *by_subwords, "--skip-bad-alignments")
    expected = truecase(*options, tmp_path / "links", "--skip-bad-alignments")
    assert done.returncode == expected.returncode == 0
    assert done.stdout == expected.stdout != b""
    assert b"1 line " in done.stderr and b"line 4" in done.stderr


@pytest.mark.parametrize(
    "arguments, text",
    [
        (["evaluate", "--subwords", "bpe", "test.en"], "--subwords needs --source"),
        (["evaluate", "--threshold", "0.5", "test.en"], "--threshold needs --source"),
        (
            ["evaluate", "--source", "test.fr", "--soft-alignment", "test.en"],
            "--soft-alignment needs --subwords",
        ),
        (
            ["evaluate", "--source", "test.fr", "--subwords", "bpe", "test.en"],
            "--subwords: there is no --alignment",
        ),
        (["explain", "--target-subwords", "a", "a"], "--target-subwords needs --source"),
        (
            ["explain", "--source", "A", "--alignment", "0-0", "--subwords", "bpe", "a"],
            "--subwords needs --source, --source-subwords and --target-subwords",
        ),
        (["train", "-o", "x", "train.en", "--subwords", "bpe"], "only the bilingual presets"),
        (
            ["train", "-o", "x", *TRAIN, "--alignment", "train.align", *subwords("dev", "dev-")],
            "--dev-source-subwords needs --subwords and --dev-alignment",
        ),
        (
            ["train", "-o", "x", *TRAIN, "--alignment", "train.bpe.align", "--subwords", "bpe",
             *subwords("train"), *DEV, "--dev-alignment", "dev.bpe.align"],
            "the --dev-alignment needs --dev-source-subwords and --dev-target-subwords",
        ),
    ],
)  # fmt: skip
def test_wrong_usage(truecase, folder, arguments, text):
    assert text in refusal(truecase(*arguments), 2)
    assert not (folder / "x").exists()


@pytest.mark.parametrize(
    "parts",
    [
        {"is_soft": True},
        {"source_subwords": "a"},
        {"subwords": "bpe", "source_subwords": "a"},
        {"subwords": "morfessor", "source_subwords": "a", "target_subwords": "b"},
    ],
)
def test_parts_of_an_alignment_file_go_together(parts):
    with pytest.raises(TruecaseError, match="subwords"):
        AlignmentFile("links", **parts)
