"""Models have the same bytes whichever machine they are trained on.

tests/golden/trained.json was written on x86-64. Here it is compared with what this machine trains,
and on x86-64 with what another processor would: without what NumPy and the C library do differently
where the processor can do more.
"""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
import trained_sums

pytest.importorskip("scipy", reason="some presets are trained with it")

TESTS = Path(trained_sums.__file__).parent
GOLDEN = json.loads((TESTS / "golden" / "trained.json").read_text("utf-8"))

# What is not promised to be the same: weights that a search by SciPy ends with, or products of
# matrices by BLAS, which adds in another order on each processor.
SEARCHED = {
    "crf": ("dense/weights",),
    "bilingual": ("dense/weights", "source/"),
    "crf-neural": ("network/",),
    "bilingual-neural": ("network/", "source/"),
}


def promised(name, sums):
    """Checksums of what must be the same."""
    if name not in SEARCHED:
        return sums
    arrays = sums["arrays"]
    return {one: arrays[one] for one in arrays if not one.startswith(SEARCHED[name])}


@pytest.mark.parametrize("name", trained_sums.MODELS)
def test_as_on_the_machine_that_wrote_the_golden_file(name):
    assert promised(name, trained_sums.sums(name)) == promised(name, GOLDEN[name])


def test_golden_file_has_every_preset_and_nothing_else():
    from truecase.training.recipe import PRESETS

    assert GOLDEN.keys() == trained_sums.MODELS.keys()
    assert PRESETS.keys() <= GOLDEN.keys()
    for name, places in SEARCHED.items():
        searched = [one for one in GOLDEN[name]["arrays"] if one.startswith(places)]
        assert 0 < len(searched) < len(GOLDEN[name]["arrays"])


def elsewhere(**environment):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(TESTS / "trained_sums.py")],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    sums = json.loads(done.stdout)
    return {name: promised(name, found) for name, found in sums.items()}


X86 = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="the names are those of x86-64"
)


@pytest.fixture(scope="module")
def here():
    return {name: promised(name, found) for name, found in GOLDEN.items()}


@X86
def test_numpy_without_vectors(here):
    umath = pytest.importorskip("numpy._core._multiarray_umath", reason="the place in NumPy 2")
    found = [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__[name]]
    if not found:
        pytest.skip("this processor can do no more than NumPy asks of all")
    assert elsewhere(NPY_DISABLE_CPU_FEATURES=" ".join(found)) == here


@X86
@pytest.mark.skipif(sys.platform != "linux", reason="a variable of the C library of Linux")
def test_c_library_without_fused_products(here):
    tunables = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX512F"
    assert elsewhere(GLIBC_TUNABLES=tunables) == here
