"""Builds the compiled modules; everything else is in pyproject.toml.

``TRUECASE_BUILD`` selects the kind of build:

``release``   (default) optimised, stripped
``checked``   bounds checks and kernel assertions (``TRUECASE_CHECKED``) on
``sanitize``  as checked, with the address and undefined-behaviour sanitizers
``trace``     line tracing, for the coverage of compiled modules
"""

import os
import runpy
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# Change to True once the test suite passes on a free-threaded interpreter under
# pytest-run-parallel (CONTRIBUTING.md). The directive is a promise that makes nothing safe;
# without it, importing truecase there switches the GIL back on, which is slow but correct.
FREE_THREADING_SAFE = False

KINDS = ("release", "checked", "sanitize", "trace")
KIND = os.environ.get("TRUECASE_BUILD", "release")
if KIND not in KINDS:
    sys.exit(f"TRUECASE_BUILD={KIND}: expected one of {', '.join(KINDS)}")
if KIND == "sanitize" and sys.platform == "win32":
    sys.exit("TRUECASE_BUILD=sanitize needs gcc or clang; there is none of it on Windows")

CHECKED = KIND in ("checked", "sanitize")
BUILD_BASE = f"build/{KIND}"
CASE_TABLES = "truecase/text/case_tables.py"
GENERATED = f"{BUILD_BASE}/generated"
CASE_TABLES_HEADER = f"{GENERATED}/_case_tables.h"

# Cython's memoryview code, once for all modules instead of once in each.
SHARED_UTILITY = "truecase._cython_utility"

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": CHECKED,
    "cdivision": True,
    "auto_pickle": False,
    "embedsignature": False,
    "freethreading_compatible": FREE_THREADING_SAFE,
    "linetrace": KIND == "trace",
    "show_performance_hints": True,
}


def macros():
    """C macros of this kind of build."""
    chosen = []
    if CHECKED:
        chosen.append(("TRUECASE_CHECKED", "1"))
    if KIND == "trace":
        chosen += [("CYTHON_TRACE_NOGIL", "1"), ("CYTHON_USE_SYS_MONITORING", "0")]
    return chosen


def compiler_flags():
    """Compiler and linker flags: no -march=native, no -ffast-math, so that wheels travel."""
    if sys.platform == "win32":
        return (["/Od", "/Z7"] if CHECKED else ["/O2"]), []
    if KIND == "release":
        strip = "-Wl,-x" if sys.platform == "darwin" else "-Wl,-s"
        return ["-O3", "-g0"], [strip]
    flags = ["-O1", "-g", "-UNDEBUG"]
    if KIND != "sanitize":
        return flags, []
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    return [*flags, "-fno-omit-frame-pointer", *sanitizers], sanitizers


def extensions():
    """One extension for every .pyx under truecase/, and the shared utility module."""
    compile_args, link_args = compiler_flags()
    header = [CASE_TABLES_HEADER] if os.path.exists(CASE_TABLES) else []
    sources = {
        ".".join(path.with_suffix("").parts): path
        for path in sorted(Path("truecase").rglob("*.pyx"))
    }
    if sources:
        sources[SHARED_UTILITY] = Path(SHARED_UTILITY.replace(".", "/") + ".c")
    return [
        Extension(
            name,
            [path.as_posix()],
            depends=header,
            include_dirs=[GENERATED],
            define_macros=macros(),
            extra_compile_args=compile_args,
            extra_link_args=link_args,
        )
        for name, path in sources.items()
    ]


class BuildExt(build_ext):
    """Writes the generated header, translates .pyx to C under build/, compiles in parallel.

    Translation waits until modules are really built, so that the sdist lists the .pyx files.
    """

    user_options = [*build_ext.user_options, ("cython-only", None, "stop after translating to C")]
    boolean_options = [*build_ext.boolean_options, "cython-only"]

    def initialize_options(self):
        super().initialize_options()
        self.cython_only = False

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def get_source_files(self):
        return [name for name in super().get_source_files() if os.path.exists(name)]

    def run(self):
        if os.path.exists(CASE_TABLES):
            Path(GENERATED).mkdir(parents=True, exist_ok=True)
            # leaves a header that is the same untouched, so that nothing is recompiled
            runpy.run_path(CASE_TABLES)["write_header"](Path(CASE_TABLES_HEADER))
        translated = cythonize(
            self.extensions,
            build_dir=f"{BUILD_BASE}/cython",
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED_UTILITY,
            force=bool(self.force),
            # fork only: a spawned worker would run this file again
            nthreads=os.cpu_count() if sys.platform == "linux" else 0,
        )
        sources = {extension.name: extension.sources for extension in translated}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
        if not self.cython_only:
            self.remove_stale_modules()
            super().run()

    def copy_extensions_to_source(self):
        self.force = True  # modules of another kind may lie there, and may be newer
        super().copy_extensions_to_source()

    def remove_stale_modules(self):
        """Keep modules whose source has gone since the last build out of the wheel."""
        wanted = {Path(self.get_ext_fullpath(extension.name)) for extension in self.extensions}
        for extension in ("so", "pyd"):
            for module in Path(self.build_lib).rglob(f"*.{extension}"):
                if not self.inplace and module not in wanted:
                    module.unlink()


setup(
    ext_modules=extensions(),
    cmdclass={"build_ext": BuildExt},
    options={"build": {"build_base": BUILD_BASE}},
)
