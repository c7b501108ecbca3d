"""Help, versions, wrong usage, and what goes wrong with files."""

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from learning_curves import run

from truecase.cli import main
from truecase.cli.commands import COMMANDS, Parser, rules, steps_of
from truecase.cli.flags import FLAGS, help_texts
from truecase.integrations import moses, opennmt

# Every command and step, as it is typed.
CALLS = [f"{name} {step}".split() for name in COMMANDS for step in steps_of(name)]


def one_line(message):
    """The only line on stderr."""
    text = message.decode()
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    return text.rstrip("\n")


@pytest.mark.parametrize("command", [[], *CALLS], ids=" ".join)
def test_help(capsys, command):
    assert main([*command, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(" ".join(["usage: truecase", *command]))
    assert "example:" in text or "examples:" in text
    assert max(map(len, text.splitlines())) <= 100
    # Terminals of Windows and of bare containers cannot show much more.
    assert text.isascii()
    assert main(["help", *command]) == 0
    assert capsys.readouterr().out == text


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_commands_change_options_that_they_have(call):
    command = steps_of(call[0])[" ".join(call[1:])]
    names = " ".join(command.flags.values()).split()
    assert len(set(names)) == len(names)
    assert set(command.changes) <= set(command.options()) == set(names)


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_every_option_and_argument_has_help(call):
    parser = Parser(steps_of(call[0])[" ".join(call[1:])], " ".join(["truecase", *call]))
    parser.explain_options()
    assert all(action.help for action in parser._actions)


def test_every_help_text_is_of_a_command_or_an_option():
    calls = {" ".join(call) for call in CALLS}
    options = {f"--{name}" for name in FLAGS} | {"FILE", "TEXT"}
    for program in (moses, opennmt):
        calls |= {f"{program.PROGRAM} {step}".strip() for step in program._steps()}
    for name in [*help_texts()][1:]:
        command = name.rpartition(" ")[0]
        assert name in {"truecase"} | calls | options or command in calls, name


def test_rules_are_about_options_that_there_are():
    known = {"file", *FLAGS}
    for commands, options, _, others, message in rules():
        for option in [*options, *others]:
            assert option.partition("=")[0] in known, message
        for command in filter(None, commands.split(", ")):
            name, _, step = command.partition(" ")
            assert step in steps_of(name)


@pytest.mark.parametrize("command", [name for name in COMMANDS if len(steps_of(name)) > 1])
def test_help_names_the_steps(capsys, command):
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    for step in steps_of(command):
        assert f"\n  {step.split()[0] if step else ''}" in text


def test_overview_is_one_screen_and_names_all_commands(truecase):
    done = truecase("--help")
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert len(lines) <= 50 and max(map(len, lines)) <= 80
    for name in COMMANDS:
        assert f"  {name} ".encode() in done.stdout


def test_the_overview_explains_options_that_there_are(capsys):
    assert main(["--help"]) == 0
    shown = set(re.findall(r"(?m)^  (?:-\w, )?(--[a-z-]+)", capsys.readouterr().out))
    assert main(["apply", "--help"]) == 0
    assert len(shown) > 9 and shown - {"--version"} <= set(
        re.findall(r"--[a-z-]+", capsys.readouterr().out)
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "-", "-"],
        ["evaluate", "-", "--hypothesis", "-"],
        ["apply", "--source", "-"],
        ["bridge", "after", "--records", "-"],
        ["text", "normalize", "--train", "-"],
    ],
)
def test_standard_input_is_read_by_one_option(truecase, arguments):
    """The second reader would find an empty text."""
    done = truecase(*arguments, text=b"She met Mary .\n")
    assert (done.returncode, done.stdout) == (1, b"")
    message = b"truecase: standard input can be read only once: save it to a file first\n"
    assert done.stderr == message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are Unix's")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "PIPE"], b"PIPE: is a pipe or device: such models are read from files\n"),
        (["info", "PIPE"], b"PIPE: is a pipe or device: such models are read from files\n"),
        (["train", "--counts", "PIPE", "-o", "x"], b"PIPE: is a pipe or device: such models"),
        (["evaluate", "-m", "en", "-m", "en", "PIPE"], b"can be read only once, as pipes: save"),
    ],
)
def test_a_pipe_that_would_be_read_twice(truecase, tmp_path, arguments, message):
    pipe = tmp_path / "here" / "PIPE"
    os.mkfifo(pipe)
    with open(pipe, "r+b", buffering=0) as file:
        file.write(b"She met Mary .\n")
        done = truecase(*arguments)
    assert done.returncode and done.stderr.endswith(b"\n") and done.stderr.count(b"\n") == 1
    assert message in done.stderr


def test_version(truecase):
    assert truecase("--version").stdout.startswith(b"truecase ")


@pytest.mark.parametrize(
    "arguments",
    [["--encoding", "asuch"], ["--min-odds", "1e301"], ["give"], ["text", "marks", "one"]],
)
def test_only_what_can_be_given_is_suggested(capsys, arguments):
    """The rest of a message has words that look like the one that was typed."""
    assert main(arguments) == 2
    assert "did you mean" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "unknown command 'nonsense': expected one of apply, punctuate"),
        ([""], "unknown command '': expected one of apply"),
        (["calibrate"], "unknown command 'calibrate': expected truecase train calibrate"),
        (["the ferry from dublin " * 99], "a text on standard input"),
        (["help", "nonsense"], "unknown command 'nonsense'"),
        (["--nonsense"], "unrecognized arguments"),
        (["apply", "file.txt"], "file.txt; a run reads one file, given with --input"),
        (["--"], "arguments: --; a run reads one file, given with --input (see"),
        (["--stile", "upper"], "unrecognized arguments: --stile upper; did you mean --style?"),
        (["info", "-m", "en"], "unrecognized arguments: -m; the model is given without an option"),
        (["train", "adapt", "-m", "en", "-o", "x"], "; the model is given without an option"),
        (["--style", "Chicago"], "; did you mean title-chicago or auto-chicago?"),
        (["--style", "AP"], "; did you mean title-ap or title-apa?"),
        (["-quiet"], "argument -q/--quiet: it takes no value, found 'uiet'"),
        (["--quiet=yes"], "argument -q/--quiet: it takes no value, found 'yes'"),
        (["--title", "^#"], "; did you mean --title-pattern?"),
        (["punctuates"], "; did you mean punctuate?"),
        (["text", "capitalise"], "; did you mean capitalize?"),
        (["-j", "-2"], "expected a number of threads"),
        (["-j", "many"], "expected a number of threads"),
        (["-j", "٣"], "expected a number of threads"),
        (["-j", "1_0"], "expected a number of threads"),
        (["--threshold", "most"], "--threshold: 'most': expected a number"),
        (["--input-case", "loud"], "invalid choice: 'loud'"),
        (["train"], "required: -o/--output"),
        (["train", "count"], "required: CORPUS"),
        (["text"], "a step is required: expected one of normalize, capitalize, sentence-case"),
        (["text", "marks", "of"], "unknown step 'of': expected one of off, shift, back"),
        (["count", "x", "-o", "y"], "unknown command 'count'"),
        (["train", "-o", "y"], "neither a CORPUS to train on nor --counts"),
        (["train", "x", "-o", "y", "--order", "6"], "expected a whole number, 1 to 5"),
        (["train", "x", "-o", "y", "--prune", str(1 << 63)], "expected a whole number, 0 or more"),
        (["train", "x", "-o", "y", "--max-size", "big"], "expected a size such as"),
        (["train", "x", "-o", "y", "--max-size", "9" * 400], "expected a size such as"),
        (["train", "x", "-o", "y", "--memory", "9" * 19], "expected a size such as"),
        (
            ["learning-curve", "x", "--test", "y", "--sizes", "9" * 400],
            "expected a number of words such as",
        ),
        (["evaluate"], "required: REFERENCE"),
        (["evaluate", "x", "--input", "y", "--hypothesis", "z"], "not allowed with"),
        (["text", "normalize"], "one of the arguments -m/--model --train is required"),
        (["text", "normalize", "--train", "x", "--model-only"], "--model-only needs --save-model"),
        (["-i", "a", "-i", "b"], "argument -i/--input: given twice"),
        (["-i", "a", "--input", "b"], "argument -i/--input: given twice"),
        (["-j", "2", "--threads", "2"], "argument -j/--threads: given twice"),
        (["train", "x", "-o", "y", "--order", "2", "--order", "3"], "--order: given twice"),
        (["arpa", "estimate", "x", "-o", "y", "-o", "z"], "-o/--output: given twice"),
        (["train", "x", "-o", "y", "--min-share", "2"], "expected a number from 0 to 1"),
        (["--source", "x", "--alignment", "y", "--threshold", "nan"], "a number from 0 to 1"),
        (["--min-odds", "2", "--input-case", "ignore"], "--input-case ignore ignores"),
        (["--context", "document", "--document-separator", " "], "expected the text of one line"),
        (["--style", "auto", "--title-pattern", "[a"], "title pattern '[a': unterminated"),
        (["train", "x", "-o", "y", "--prune", *"0123"], "--prune: 4 thresholds, but n-grams"),
        (["train", "x", "-o", "y", "--prune", *"210"], "--prune: the thresholds must not fall"),
        (["train", "x", "-o", "y", "--title-pattern", "a"], "--title-pattern: expected with"),
        (
            ["train", "x", "-o", "y", "--preset", "crf-neural", "--max-size", "1M"],
            "lower network.n_words",
        ),
        (["train", "x", "-o", "y", "--language", "elvish"], "expected a code of ISO 639"),
        (["text", "capitalize", "--language", "elvish"], "tr (Turkish) and az (Azerbaijani)"),
        (["align", "x", "y", "--source-language", "elvish"], "expected a code of ISO 639"),
        (
            ["--style", "upper", "--input-case", "keep"],
            "--input-case: has no effect, because --style upper raises",
        ),
        (
            ["--style", "upper", "--decode-with", "unigram"],
            "--decode-with: has no effect, because --style upper raises",
        ),
        (
            ["--style", "title", "--offices", "lower"],
            "--offices: has no effect, because --style title gives these words",
        ),
        (
            ["--style", "title-apa", "--after-colon", "lower"],
            "--after-colon: has no effect, because --style title-apa",
        ),
        (
            ["train", "adapt", "x", "-o", "y", "--dev", "z", "--min-count", "2"],
            "--min-count: applies to --corpus",
        ),
        (
            ["train", "adapt", "x", "-o", "y", "--dev", "z", "--corpus", "a", "z"],
            "--dev: is in --corpus, too; give text that is not in the corpus",
        ),
        (
            ["train", "adapt", "x", "-o", "y", "--dev", "z", "--max-size", "2M"],
            "--max-size: applies to --corpus",
        ),
        (
            ["evaluate", "x", "--hypothesis", "y", "--decode-with", "unigram"],
            "--decode-with: no model is run",
        ),
        (["evaluate", "x", "--hypothesis", "y", "-j", "1"], "--threads: no model is run"),
        (["evaluate", "x", "--hypothesis", "y", "--names", "z"], "--names: no model is run"),
        (["evaluate", "x", "--json", "--html", "-"], "only one of them can be standard output"),
        (["explain", "--alignment", "0-0", "ok"], "--alignment needs --source"),
        (["explain", "--encoding", "utf-16", "ok"], "--encoding: is of standard input"),
        (
            ["text", "normalize", "--train", "x", "--save-model", "y", "--model-only", "-i", "z"],
            "--input: nothing is normalised with --model-only",
        ),
        (
            [
                "text",
                "normalize",
                "--train",
                "x",
                "--save-model",
                "y",
                "--model-only",
                "--line-buffered",
            ],
            "--line-buffered: nothing is normalised with --model-only",
        ),
        (
            ["text", "normalize", "--train", "x", "--save-model", "y", "--model-only", "-j", "2"],
            "--threads: nothing is normalised with --model-only",
        ),
        (["arpa"], "a step is required: expected one of estimate, import, export"),
        (["arpa", "estimate", "x"], "required: -o/--output"),
    ],
)
def test_wrong_usage(capsys, arguments, message):
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert message in one_line(err.encode())
    assert out == ""


def test_options_that_a_model_has_no_use_for(truecase, model):
    for arguments, message in (
        (["-m", model, "--decode-with", "unigram"], "--decode-with: "),
        (["info", model, "--verify"], "--verify: "),
        (["info", model, "--languages"], "--languages lists all languages: leave MODEL"),
        (["info", "--verify", "--languages"], "--languages lists all languages: leave MODEL"),
    ):
        done = truecase(*arguments, text=b"THE\n")
        assert done.returncode == 2
        assert message in one_line(done.stderr)


def test_options_that_may_be_repeated(truecase, model, tmp_path):
    """A list of values is no loss."""
    reference = tmp_path / "a.txt"
    reference.write_bytes(b"the Anna\n")
    done = truecase("evaluate", "-m", model, "-m", model, reference)
    assert done.returncode == 0
    assert done.stdout.count(b"model.en") == 2


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("de", "and the model for German is not installed: "),
        ("elvish", "nor a model of that name; there are en"),
    ],
)
def test_names_of_no_model(truecase, name, why):
    for arguments in (["-m", name], ["info", name], ["explain", "-m", name, "a"],
                      ["train", "adapt", name, "--dev", "x", "-o", "y"]):  # fmt: skip
        done = truecase(*arguments)
        assert done.returncode == 1
        assert one_line(done.stderr).startswith(f"truecase: {name}: no such file, {why}")


def test_a_file_or_folder_called_en_is_not_the_model(truecase, model, tmp_path):
    expected = truecase("info").stdout
    (tmp_path / "here" / "en").mkdir()
    (tmp_path / "here" / "fr-en").write_bytes(Path(model).read_bytes())
    assert truecase("info", "en").stdout == expected
    assert truecase(text=b"she was in paris\n").stdout == b"She was in Paris\n"
    assert b"Moses" not in truecase("info", "fr-en").stdout
    assert b"Moses" in truecase("info", "./fr-en").stdout
    done = truecase("-m", "./en")
    assert done.returncode == 1
    assert "en: Is a directory" in one_line(done.stderr)


def test_evaluating_on_nothing(truecase, model, tmp_path):
    for text in (b"", b"\n \n"):
        empty = tmp_path / "empty.txt"
        empty.write_bytes(text)
        for more in ([], ["--input", empty], ["--hypothesis", empty]):
            done = truecase("evaluate", "-m", model, empty, *more)
            assert (done.returncode, done.stdout) == (1, b"")
            line = one_line(done.stderr)
            assert line == f"truecase: {empty}: there is no word to evaluate on"


def test_training_with_nothing_to_evaluate_on(truecase, tmp_path):
    text, empty, out = tmp_path / "text.txt", tmp_path / "empty.txt", tmp_path / "out"
    text.write_bytes(b"Anna was in Paris .\n" * 50)
    empty.write_bytes(b"\n")
    for arguments in (["train", text, "--dev", empty], ["learning-curve", text, "--test", empty]):
        done = truecase(*arguments, "-o", out)
        assert done.returncode == 1
        assert one_line(done.stderr) == f"truecase: {empty}: there is no word to evaluate on"
        assert not out.exists()


def test_models_are_written_as_they_are(truecase, tmp_path):
    text = tmp_path / "text.txt"
    text.write_bytes(b"Anna was in Paris .\n" * 50)
    for arguments in (
        ["train", text],
        ["train", "adapt", text, "--dev", text],
        ["arpa", "import", text],
    ):
        done = truecase(*arguments, "-o", "my.truecase.gz")
        assert done.returncode == 1
        assert "such files are not compressed" in one_line(done.stderr)


def test_wrong_usage_of_the_process(truecase):
    done = truecase("nonsense")
    assert done.returncode == 2
    assert "unknown command 'nonsense'" in one_line(done.stderr)


def test_missing_files_are_named(truecase, model):
    for arguments in (["-i", "none.txt", "-m", model], ["-m", "none.model"], ["info", "none.x"]):
        done = truecase(*arguments)
        assert done.returncode == 1
        line = one_line(done.stderr)
        assert line.startswith("truecase: none.")
        assert "No such file" in line


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["-o", ""], "-o/--output"),
        (["-i", ""], "-i/--input"),
        (["-m", ""], "-m/--model"),
        (["-l", ""], "-l/--language"),
        (["table", "-l", "", "--column", "a", "b.csv"], "-l/--language"),
        (["file", ""], "FILE"),
        (["train", "x", "", "-o", "y"], "CORPUS"),
        (["evaluate", "x", "--html", ""], "--html"),
        (["train", "adapt", "", "--corpus", "x", "-o", "y"], "BASE"),
    ],
)
def test_empty_names_of_files(capsys, arguments, name):
    """As a shell's variable without a value gives them."""
    assert main(arguments) == 2
    assert f"argument {name}: the name is empty (see" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["-i", "{}"], ["-m", "{}"], ["{}"], ["--{}"], ["--style", "{}"], ["file", "{}"]]
)
def test_names_that_would_command_the_terminal(truecase, arguments):
    """They are shown as escapes, on one line."""
    done = truecase(*[one.format("a\x1b]0;b\x07\nc\x9b2J") for one in arguments])
    said = done.stderr.decode()
    assert done.returncode and r"\x1b]0;b\x07" in said
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", said)


def test_folder_instead_of_file(truecase, model, tmp_path):
    done = truecase("-i", tmp_path, "-m", model)
    assert done.returncode == 1
    assert str(tmp_path) in one_line(done.stderr)
    done = truecase("-o", tmp_path, "-m", model)
    assert done.returncode == 1
    assert str(tmp_path) in one_line(done.stderr)


def test_output_in_a_missing_folder(truecase, model):
    done = truecase("-o", "none/out.txt", "-m", model)
    assert done.returncode == 1
    assert "none/out.txt" in one_line(done.stderr)


def test_broken_archive(truecase, model, tmp_path):
    path = tmp_path / "broken.gz"
    path.write_bytes(gzip.compress(b"one line\n" * 1000)[:-9])
    out = tmp_path / "out.txt"
    done = truecase("-i", path, "-m", model, "-o", out)
    assert done.returncode == 1
    line = one_line(done.stderr)
    assert line.startswith(f"truecase: {path}: line ")
    assert "gzip" in line
    assert not out.exists()


def test_broken_models(truecase, tmp_path):
    path = tmp_path / "model"
    for content in (b"", b"\0" * 100, b"word (1/1)\nword\n", b"{}"):
        path.write_bytes(content)
        for command in (["-m", path], ["info", path]):
            done = truecase(*command)
            assert done.returncode == 1
            assert str(path) in one_line(done.stderr)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["--help", "--version", "apply", "apply -o /dev/full"])
def test_full_disk(model, command, unbuffered):
    arguments = command.split()
    if "apply" in arguments:
        arguments += ["-m", model]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "truecase", *arguments],
            input=b"a text\n",
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert done.returncode == 1
    assert "No space left" in one_line(done.stderr)


def test_closed_streams(truecase, model):
    command = f"exec '{sys.executable}' -m truecase -m '{model}' <&- >&-"
    if os.name == "posix":
        done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, check=False)
        assert done.returncode == 1
        assert "closed" in one_line(done.stderr)
