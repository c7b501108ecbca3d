"""Builds the compiled modules; everything else is in pyproject.toml.

``TRUECASE_BUILD`` selects the kind of build: ``release`` (default), ``checked``
(bounds checks and kernel assertions on), ``sanitize`` (address and undefined
behaviour sanitizers) or ``trace`` (line tracing for coverage).
"""

import os
import runpy
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

HERE = Path(__file__).parent
BUILD = os.environ.get("TRUECASE_BUILD", "release")

if BUILD not in ("release", "checked", "sanitize", "trace"):
    sys.exit(f"TRUECASE_BUILD={BUILD}: expected release, checked, sanitize or trace")

checked = BUILD in ("checked", "sanitize")

directives = {
    "language_level": 3,
    "boundscheck": checked,
    "wraparound": False,
    "initializedcheck": checked,
    "cdivision": True,
    "auto_pickle": False,
    "embedsignature": False,
    "linetrace": BUILD == "trace",
}

macros = []
if checked:
    macros.append(("TRUECASE_CHECKED", "1"))
if BUILD == "trace":
    macros.append(("CYTHON_TRACE_NOGIL", "1"))

if sys.platform == "win32":
    compile_args, link_args = ["/O2"], []
elif BUILD == "sanitize":
    flags = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer"]
    compile_args, link_args = ["-O1", "-g", *flags], flags
elif BUILD == "release":
    compile_args, link_args = ["-O3", "-g0"], []
else:
    compile_args, link_args = ["-O1", "-g"], []

case_tables = HERE / "truecase" / "text" / "case_tables.py"
if case_tables.exists():
    runpy.run_path(str(case_tables))["write_header"](
        HERE / "truecase" / "text" / "_case_tables.h"
    )

extensions = [
    Extension(
        ".".join(path.relative_to(HERE).with_suffix("").parts),
        [str(path.relative_to(HERE))],
        include_dirs=["truecase/text"],
        define_macros=macros,
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )
    for path in sorted(HERE.glob("truecase/**/*.pyx"))
]

setup(ext_modules=cythonize(extensions, compiler_directives=directives))
