"""Compiled modules as they are in a wheel: hardened, with no trace of where they were built."""

import os
import platform
import re
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from elf_files import EXECUTABLE, RELRO, STACK, ElfFile

import truecase

MODULES = sorted(Path(truecase.__file__).parent.rglob(f"*{EXTENSION_SUFFIXES[0]}"))

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="files of Linux are looked at"),
    pytest.mark.skipif(
        os.environ.get("TRUECASE_TEST_INSTALLED") != "1",
        reason="of any build in place; `make test` sets TRUECASE_TEST_INSTALLED=1",
    ),
    pytest.mark.skipif(
        not MODULES or b".debug_info" in MODULES[0].read_bytes(), reason="no build for release"
    ),
]


@pytest.fixture(scope="module")
def files():
    assert len(MODULES) >= 25
    return {path.name: ElfFile(path) for path in MODULES}


def test_no_stack_can_be_run(files):
    stacks = {name: file.segments.get(STACK) for name, file in files.items()}
    assert [name for name, flags in stacks.items() if flags is None or flags & EXECUTABLE] == []


def test_what_the_linker_fills_in_is_read_only_afterwards(files):
    assert [name for name, file in files.items() if RELRO not in file.segments] == []
    assert [name for name, file in files.items() if not file.binds_now] == []


def test_an_older_c_library_relocates_them(files):
    """A wheel's name promises musl 1.2, which crashes on packed relocations before 1.2.4.

    auditwheel does not look at them.
    """
    assert [name for name, file in files.items() if file.packed_relocations] == []


def test_calls_of_the_c_library_are_checked(files):
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("this C library has no checked functions")
    checked = {name for file in files.values() for name in file.imports if name.endswith("_chk")}
    assert checked


def test_mathematical_functions_come_from_the_library_that_is_named(files):
    """Else they are whatever version of them the interpreter happens to have loaded."""
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("they are in the C library itself")
    functions = set("exp exp2 expf log log1p log2 logf pow sqrt".split())
    calling = {name: file for name, file in files.items() if file.imports & functions}
    assert calling
    assert [name for name, file in calling.items() if "libm.so.6" not in file.libraries] == []


def test_no_module_names_a_folder_of_the_build(files):
    found = re.compile(
        rb"/(?:home|root|tmp|build|work|project|Users|usr/(?:include|lib|src))/[\w.-]+"
    )
    # An interpreter may give what is built for it the folder of its own libraries.
    own = sys.base_prefix.encode()
    named = {
        name: [place for place in found.findall(file.data) if not own.startswith(place)]
        for name, file in files.items()
    }
    assert {name: places for name, places in named.items() if places} == {}
