"""All that a truecaser does, at once in many threads: the same as one thing after the other.

Under the thread sanitizer, and without a GIL, this is the test that tells (CONTRIBUTING.md).
"""

import copy
import gc
import os
import pickle
import subprocess
import sys
import sysconfig
import textwrap
import threading
import warnings
from pathlib import Path

import pytest
from raw_arrow import column_of_texts
from recipes import trained
from small_model import training_text

import truecase
from truecase.truecaser import Truecaser

N_THREADS = 8
#: How often each thread does everything.
N_ROUNDS = int(os.environ.get("TRUECASE_ROUNDS", "1"))

LINES = training_text(120, seed=21).lower().splitlines()
BLOCK = "\n".join(LINES * 12).encode()
TEXT = training_text(150, seed=5).encode()


def words_of(truecaser):
    return [
        [(word.start, word.tag, word.posterior) for word in words]
        for words in truecaser.posteriors("\n".join(LINES[:20]))
    ]


def column_of(truecaser):
    text, sure = truecaser.column(column_of_texts(LINES * 12), threads=2, confidence=True)
    return text.to_pylist(), sure.to_pylist()


def session_of(truecaser):
    session = truecaser.session(latency=1)
    return "".join([session.push(f"{line} ") for line in LINES[:10]]) + session.close()


def path_of(truecaser):
    return truecaser.model.origin.path


def constructed_again(truecaser):
    """The constructors of what others are using."""
    other = Truecaser.load(path_of(truecaser))
    truecaser._compiled.__init__(other.model)
    truecaser.__init__(truecaser.model)
    return truecaser(LINES[0])


def loaded_and_left(truecaser):
    cased = [Truecaser.load(path_of(truecaser), copy=copied)(LINES[1]) for copied in (0, 1)]
    gc.collect(0)
    return cased


def trained_and_used(truecaser):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [trained(TEXT, preset)(LINES[2]) for preset in ("ngram", "unigram")]


WORK = {
    "one by one": lambda tc: [tc(line) for line in LINES],
    "short texts": lambda tc: [tc(line[:20]) for line in LINES],
    "no ascii": lambda tc: [tc(f"{line} – ý") for line in LINES],
    "batch": lambda tc: tc.batch(LINES * 12, threads=2),
    "block": lambda tc: tc.case_block(BLOCK, threads=3),
    "given case": lambda tc: tc.case_block(BLOCK, input_case="auto"),
    "title": lambda tc: tc.case_block(BLOCK, style="title"),
    "upper": lambda tc: tc.batch(LINES, style="upper"),
    "column": column_of,
    "tags": lambda tc: [[word.tag for word in line] for line in tc.tags(LINES[0])],
    "posteriors": words_of,
    "explain": lambda tc: str(tc.explain(LINES[3])),
    "table": lambda tc: tc.table_block(BLOCK[:2_000], with_posteriors=True),
    "session": session_of,
    "document": lambda tc: tc.document(LINES[:40], one_sense=True),
    "evaluate": lambda tc: str(tc.evaluate(training_text(30, seed=8).splitlines())),
    "counts": lambda tc: tc.training_counts(BLOCK[:1_000]),
    "names": lambda tc: tc.with_names(truecase.name_list(["iPod Nano"]))("an ipod nano"),
    "pickle": lambda tc: pickle.loads(pickle.dumps(tc))(LINES[4]),
    "copy": lambda tc: copy.deepcopy(tc)(LINES[4]),
    "kept memory": lambda tc: tc._compiled.kept_bytes >= 0,
    "load": loaded_and_left,
    "train": trained_and_used,
    "construct again": constructed_again,
}


@pytest.fixture(scope="module")
def model(sparse_model_file):
    return Truecaser.load(sparse_model_file)


def test_all_at_once(model):
    wanted = {name: work(model) for name, work in WORK.items()}
    names, wrong, start = list(WORK), [], threading.Barrier(N_THREADS)

    def do_all(first):
        start.wait()
        for place in range(N_ROUNDS * len(names)):
            name = names[(first * len(names) // N_THREADS + place) % len(names)]
            try:
                if WORK[name](model) != wanted[name]:
                    wrong.append((name, "another result"))
            except Exception as error:
                wrong.append((name, repr(error)))

    threads = [threading.Thread(target=do_all, args=(i,)) for i in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has a GIL for good"
)
def test_no_module_brings_the_gil_back():
    package = Path(truecase.__file__).parent
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    modules = sorted(
        "truecase." + path.relative_to(package).as_posix().removesuffix(suffix).replace("/", ".")
        for path in package.rglob(f"*{suffix}")
    )
    assert modules
    # In a process of its own: what else the tests import may have brought it back here.
    program = f"""
        import sys
        from importlib import import_module
        for name in {modules!r}:
            import_module(name)
            if sys._is_gil_enabled():
                sys.exit(name + " needs the GIL")
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
