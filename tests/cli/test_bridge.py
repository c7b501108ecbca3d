"""`bridge` as a command."""

import os
import subprocess
import sys
import threading

import pytest

from truecase import CaseBridge

TEXT = b"SAVE THE OLD FILE\nthe ferry from dublin\nHow to Open a File\nIt rains in Paris.\n\n"


def test_the_command_does_what_the_class_does(truecase, tmp_path):
    given, sentences, records = tmp_path / "in", tmp_path / "out", tmp_path / "records"
    given.write_bytes(TEXT)
    done = truecase("bridge", "before", "-i", given, "-o", sentences, "--records", records)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (sentences.read_bytes(), records.read_bytes()) == CaseBridge().before_block(TEXT)
    assert sentences.read_bytes() == (
        b"Save the old file\nThe ferry from Dublin\nHow to open a file\nIt rains in Paris.\n\n"
    )
    assert records.read_bytes() == b"upper\nlower\ntitle -1 -3\ncased\ncased\n"
    done = truecase(
        "bridge", "after", "--records", records, "--target-language", "en",
        text=sentences.read_bytes(),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, TEXT)


def test_alignment_and_source(truecase, tmp_path):
    for name, text in {
        "records": "upper -1\ntitle -1\n", "source": "the iPhone\nOpen the File\n",
        "align": "0-0 1-1:0.9\n0-0 1-1 2-2\n",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    text = "das iPhone\nöffne die datei\n".encode()
    options = ["--records", tmp_path / "records", "--alignment", tmp_path / "align"]
    done = truecase("bridge", "after", *options, text=text)
    assert done.stdout.decode() == "DAS iPhone\nÖffne die Datei\n"
    done = truecase("bridge", "after", *options, "--threshold", "0.95", text=text)
    assert done.stdout.decode() == "DAS IPHONE\nÖffne die Datei\n"
    done = truecase("bridge", "after", *options[:2], "--source", tmp_path / "source", text=text)
    assert done.stdout.decode() == "DAS iPhone\nÖffne die Datei\n"
    (tmp_path / "source").write_text("iPhone\nOpen\n")
    done = truecase("bridge", "after", *options, "--source", tmp_path / "source", text=text)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"align: line 1: link '1-1:0.9': the source line has only 1 word" in done.stderr


def test_other_encodings(truecase, tmp_path):
    records = tmp_path / "records"
    done = truecase("bridge", "before", "--records", records, text="DAS CAFÉ".encode("utf-16"))
    assert done.stdout.decode("utf-16") == CaseBridge().before(["DAS CAFÉ"])[0][0]
    done = truecase("bridge", "after", "--records", records, text="le café".encode("utf-16"))
    assert done.stdout.decode("utf-16") == "LE CAFÉ"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_stream(tmp_path):
    """A line that goes in comes out before there is another one."""
    records = tmp_path / "records"
    os.mkfifo(records)
    call = [sys.executable, "-m", "truecase", "bridge"]
    options = ["--line-buffered", "--quiet", "--records", str(records)]
    with (
        subprocess.Popen(
            [*call, "before", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as before,
        subprocess.Popen(
            [*call, "after", *options], stdin=before.stdout, stdout=subprocess.PIPE
        ) as after,
    ):
        timer = threading.Timer(60, after.kill)
        timer.start()
        for line in (b"SAVE THE FILE\n", b"the old file\n", b"It rains.\n"):
            before.stdin.write(line)
            before.stdin.flush()
            assert after.stdout.readline() == line
        before.stdin.close()
        assert after.stdout.read() == b""
        timer.cancel()


def test_what_is_wrong_is_said_in_a_line(truecase, tmp_path, model):
    records = tmp_path / "records"
    records.write_text("upper\nuper\n")

    def fails(*arguments, code=1, text=b"a\nb\n"):
        done = truecase("bridge", *arguments, text=text)
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (code, b"", 1)
        return done.stderr.decode()

    assert "records: line 2: record 'uper'" in fails("after", "--records", records)
    records.write_text("upper\n")
    assert "records: ends after line 1" in fails("after", "--records", records)
    assert "No such file" in fails("after", "--records", tmp_path / "none")
    assert "--threshold: only" in fails("after", "--records", records, "--threshold", "0.5", code=2)
    assert "use a model of truecase" in fails(
        "before", "--records", tmp_path / "new", "-m", model, code=2
    )
    assert not (tmp_path / "new").exists()
    assert "the same file" in fails(
        "before", "--records", tmp_path / "x", "-o", tmp_path / "x", code=2
    )
    assert "is also read" in fails("before", "-i", records, "--records", records)
    assert records.read_text() == "upper\n"
    fails("before", code=2)
    fails(code=2)


@pytest.fixture
def system(tmp_path):
    """What a system leaves, and the options that name it."""
    files = {
        "records": "upper -1 -2\n", "source": "PUT THE iPhone ON\n",
        "align": "0-0 1-1 2-2 3-2 4-3\n", "in.spm": "▁Put ▁the ▁i Phone ▁on\n",
        "out.spm": "▁Mettez ▁l' iPhone ▁sur\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return {
        "--source": tmp_path / "source", "--alignment": tmp_path / "align",
        "--subwords": "sentencepiece", "--source-subwords": tmp_path / "in.spm",
        "--target-subwords": tmp_path / "out.spm",
    }  # fmt: skip


def flat(options):
    return [part for pair in options.items() for part in pair]


def test_subwords(truecase, tmp_path, system):
    text = b"Mettez l'iPhone sur\n"
    options = ["bridge", "after", "--records", tmp_path / "records", *flat(system)]
    assert truecase(*options, text=text).stdout == b"METTEZ l'iPhone SUR\n"
    (tmp_path / "align").write_text("1,0,0,0,0 0,.5,.5,0,0 0,0,.5,.5,0 0,0,0,0,1\n")
    assert truecase(*options, "--soft-alignment", text=text).stdout == b"METTEZ l'iPhone SUR\n"
    (tmp_path / "align").write_text("1,0,0,0,0 0,.5,.2,0,0 0,0,.5,.5,0 0,0,0,0,1\n")
    done = truecase(*options, "--soft-alignment", text=text)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)
    assert b"align: line 1: row 1 (from 0) sums up to 0.7, not to 1" in done.stderr


def test_apply_takes_subwords(truecase, tmp_path, system):
    (tmp_path / "source").write_text("Put the iPhone on\n")
    words = {name: system[name] for name in ("--source", "--alignment")}
    by_subwords = truecase("apply", *flat(system), text=b"mettez l'iphone sur\n")
    (tmp_path / "align").write_text("0-0 1-1 2-1 3-2\n")
    by_words = truecase("apply", *flat(words), text=b"mettez l'iphone sur\n")
    assert by_subwords.returncode == by_words.returncode == 0
    assert by_subwords.stdout == by_words.stdout != b""
    (tmp_path / "in.spm").write_text("▁Put ▁it\n")
    done = truecase("apply", *flat(system), text=b"mettez l'iphone sur\n")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"in.spm: line 1: the subwords are not of this line" in done.stderr


def test_subwords_need_their_files(truecase, tmp_path, system):
    for left_out in (
        "--source",
        "--source-subwords",
        "--target-subwords",
        "--alignment",
        "--subwords",
    ):
        options = {name: value for name, value in system.items() if name != left_out}
        for command in (["apply"], ["bridge", "after", "--records", tmp_path / "records"]):
            done = truecase(*command, *flat(options))
            assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1), left_out
            assert b"need" in done.stderr or b"there is no --alignment" in done.stderr


def test_a_folder_as_the_output_beside_records(truecase, tmp_path):
    text = tmp_path / "in.txt"
    text.write_bytes(b"a\n")
    for output, what in ((tmp_path, "is a folder"), (tmp_path / "no" / "x", "there is no folder")):
        done = truecase("bridge", "before", "-i", text, "-o", output, "--records", tmp_path / "r")
        assert done.returncode == 1
        assert done.stderr.decode().startswith(f"truecase: {output}: {what}")
