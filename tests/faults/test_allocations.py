"""Kernels that get no memory for one allocation, each in turn: a MemoryError, never a crash."""

import os
import shutil
import subprocess
import sys

import pytest

if sys.platform != "linux":
    pytest.skip("the library is loaded as on Linux", allow_module_level=True)

COMPILER = shutil.which("cc")
pytestmark = pytest.mark.skipif(
    COMPILER is None or "LD_PRELOAD" in os.environ,
    reason="no compiler, or a sanitizer has its own malloc",
)

# Fails allocation number `fail_after` from now on of those that are not tiny.
LIBRARY = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
long fail_after = -1;
static int fails(size_t n) {
    return n > 256 && fail_after >= 0 && fail_after-- == 0;
}
void *malloc(size_t n) {
    static void *(*next)(size_t);
    if (!next) next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    return fails(n) ? NULL : next(n);
}
void *realloc(void *old, size_t n) {
    static void *(*next)(void *, size_t);
    if (!next) next = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    return fails(n) ? NULL : next(old, n);
}
void *calloc(size_t n, size_t item) {
    void *made = malloc(n * item);
    return made ? memset(made, 0, n * item) : NULL;
}
"""

# Each try in a process of its own; prints the signals that ended some.
SCRIPT = r"""
import ctypes, os, random
import numpy as np
from truecase._core import CompiledModel
from truecase.alignment.lines import Phrases
from truecase.evaluation._posteriors import word_posteriors
from truecase.model.model import Model
from truecase.training._network_text import posteriors_of, vectors_of
from truecase.training._translation_counts import PairCounter

fail_after = ctypes.c_long.in_dll(ctypes.CDLL(None), "fail_after")
text = b"she met may brown and us in reading and will marked bill long before us .\n" * 2
model = CompiledModel(Model.load("en"))
added = np.zeros((len(vectors_of(model, text, 16).gold), 4), np.float32)
ways = {
    "posteriors_of": lambda: posteriors_of(model, text, added),
    "word_posteriors": lambda: list(word_posteriors(model, text)),
}
for name, way in ways.items():
    for number in range(100):
        child = os.fork()
        if not child:
            fail_after.value = number
            try:
                way()
            except MemoryError:
                pass
            has_failed = fail_after.value < 0
            fail_after.value = -1
            os._exit(int(has_failed))
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            print(name, number, "signal", os.WTERMSIG(status))
        if status == 0:
            break
    assert 5 < number < 99, (name, number)

# What was counted before an error is counted once.
draw = random.Random(2)
lines = [" ".join(f"w{draw.randrange(3000)}" for _ in range(8)) for _ in range(400)]
block = ("\n".join(lines) + "\n").encode()
phrases = Phrases.from_lines([[[i] for i in range(8)]] * len(lines))

def counted(number):
    counter = PairCounter(1, False, False)
    fail_after.value = number
    try:
        counter.add(block, block, phrases)
    except (MemoryError, SystemError):      # some functions of NumPy raise the latter
        pass
    fail_after.value = -1
    return dict(zip(*(column.tolist() for column in counter.pairs())))

of_all = counted(-1)
for number in range(60):
    more = [pair for pair, n in counted(number).items() if n > of_all[pair]]
    if more:
        print("allocation", number, "counts twice", len(more))
"""


def test_no_memory_is_an_exception(tmp_path):
    source, library = tmp_path / "fails.c", tmp_path / "fails.so"
    source.write_text(LIBRARY)
    subprocess.run(
        [COMPILER, "-fno-builtin", "-shared", "-fPIC", str(source), "-o", str(library), "-ldl"],
        check=True,
    )
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=tmp_path,
        env={**os.environ, "LD_PRELOAD": str(library), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0 and not done.stdout, done.stdout + done.stderr
