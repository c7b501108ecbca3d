"""What casing a text takes of memory, while it runs and afterwards."""

import os
import subprocess
import sys
import textwrap

import pytest
from parts import compiled
from small_model import training_text
from truecase_testing import kept_bytes

from truecase.training.exchange import from_arpa
from truecase.truecaser import Truecaser

WORD = "abcdefgh"
FORMS = [
    "".join(c.upper() if mask >> i & 1 else c for i, c in enumerate(WORD)) for mask in range(64)
]

#: Pieces of lines, and parts of blocks, are cut about here.
PIECE, PART = 1 << 17, 1 << 18


@pytest.fixture(scope="module")
def many_forms(tmp_path_factory):
    """An ARPA file of 7 KB with as many forms of one word as a word can have."""
    sections = (
        ["-99\t<s>\t-0.5", "-1\t</s>", "-3\t<unk>"]
        + [f"{-2 - i / 1000:.3f}\t{form}\t-0.3" for i, form in enumerate(FORMS)],
        [f"-1.5\t{a} {b}\t-0.2" for a, b in zip(FORMS, FORMS[1:], strict=False)],
        [f"-1\t{a} {b} {c}" for a, b, c in zip(FORMS, FORMS[1:], FORMS[2:], strict=False)],
    )
    text = "\\data\\\n" + "".join(f"ngram {k}={len(s)}\n" for k, s in enumerate(sections, 1))
    for k, lines in enumerate(sections, 1):
        text += f"\n\\{k}-grams:\n" + "\n".join(lines) + "\n"
    path = tmp_path_factory.mktemp("arpa") / "forms.arpa"
    path.write_text(text + "\n\\end\\\n")
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux alone")
@pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer needs address space itself"
)
def test_words_of_many_forms_do_not_take_more_than_there_is(many_forms):
    """Of 1,000 such words every edge would take more than 3 GiB."""
    program = f"""
        import resource
        from truecase.training.exchange import from_arpa
        from truecase.truecaser import Truecaser
        model = Truecaser(from_arpa({str(many_forms)!r}))
        resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29))
        cased = model.case_block(b"{WORD} " * 1000)
        assert cased.lower() == b"{WORD} " * 1000
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_little_is_kept_for_the_next_block(many_forms, model_file):
    greedy = compiled(Truecaser(from_arpa(many_forms)))
    assert kept_bytes(greedy) == 0
    greedy.case_block(b"a line")
    assert 0 < kept_bytes(greedy) < 1 << 20
    greedy.case_block(f"{WORD} ".encode() * 100)
    assert kept_bytes(greedy) < 8 << 20
    model = compiled(Truecaser.load(model_file))
    words = training_text(4000).lower().replace("\n", " ").replace(".", ",").encode()
    model.case_block(b" ".join(words.split()[:20_000]))
    assert kept_bytes(model) < 8 << 20


@pytest.mark.parametrize("input_case", ["ignore", "auto"])
@pytest.mark.parametrize(
    "size",
    [PIECE - 1, PIECE, PIECE + 1, PART - 1, PART, PART + 1]
    + [PART + PIECE - 1, PART + PIECE, PART + PIECE + 1, 2 * PART + PIECE, 1_000_000],
)
def test_a_long_line_is_cased_the_same_wherever_it_stands(model_file, size, input_case):
    model = Truecaser.load(model_file)
    words = training_text(300).encode()
    words += words.lower().replace(b"\n", b" ")
    line = (words.replace(b"\n", b" ") * (size // len(words) + 1))[:size]
    alone = model.case_block(line, input_case=input_case)
    assert alone.lower() == line.lower()
    short = training_text(40, seed=3).encode()
    for before in (b"", short, short * 300, line + b"\n"):
        for after in (b"", b"\n", b"\n" + short):
            expected = b"".join(
                model.case_block(part, input_case=input_case) for part in (before, line, after)
            )
            given = before + line + after
            assert model.case_block(given, input_case=input_case) == expected


@pytest.mark.parametrize("n", [PIECE - 9, PIECE, PART + PIECE, 600_000])
def test_pieces_end_at_white_space(model_file, n):
    """A line feed where a piece would be cut, and words as long as several pieces."""
    model = Truecaser.load(model_file)
    word = b"x" * n
    for text in (word, word + b"\nmary", word + b" mary is in london", b"mary " + word + b"\nlyon"):
        for more in (b"", b"\n" + word * 2 + b" lyon\n\n" + word):
            cased = model.case_block(text + more)
            assert cased.lower() == (text + more).lower()
            assert cased.count(b"Mary") == (text + more).count(b"mary")
