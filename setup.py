"""Builds the compiled modules; everything else is in pyproject.toml.

``TRUECASE_BUILD`` selects the kind of build:

``release``   (default) optimised, stripped
``checked``   bounds checks and kernel assertions (``TRUECASE_CHECKED``) on
``sanitize``  as checked, with the address and undefined-behaviour sanitizers
``tsan``      with the thread sanitizer
``trace``     line tracing, for the coverage of compiled modules
``fuzz``      as sanitize, by clang, and with counters that guide a fuzzer (fuzz/README.md)
"""

import gc
import itertools
import os
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist
from setuptools.modified import newer_group

# A promise that makes nothing safe (what was tried: docs/experiments/robustness.md). Without it,
# importing truecase on a free-threaded interpreter switches the GIL back on.
FREE_THREADING_SAFE = os.environ.get("TRUECASE_FREE_THREADING", "1") == "1"

KINDS = ("release", "checked", "sanitize", "tsan", "trace", "fuzz")
KIND = os.environ.get("TRUECASE_BUILD", "release")
if KIND not in KINDS:
    sys.exit(f"TRUECASE_BUILD={KIND}: expected one of {', '.join(KINDS)}")
if KIND in ("sanitize", "tsan", "fuzz") and sys.platform == "win32":
    sys.exit(f"TRUECASE_BUILD={KIND} needs gcc or clang; there is none of it on Windows")
if KIND == "fuzz":
    # The counters of a fuzzer are clang's. CFLAGS and the like are left to whoever sets them.
    os.environ.setdefault("CC", "clang")

CHECKED = KIND in ("checked", "sanitize", "fuzz")
BUILD_BASE = f"build/{KIND}"
CASE_TABLES = "tools/case_tables.py"
GENERATED = f"{BUILD_BASE}/generated"
CASE_TABLES_HEADER = f"{GENERATED}/_case_tables.h"

# What only tests and benchmarks call: modules beside the package, in no wheel.
TEST_KERNELS = "tests/kernels"

# Cython's memoryview code, once for all modules instead of once in each.
SHARED_UTILITY = "truecase._cython_utility"

# Modules that do not stand in the way of text: they load and describe models, or explain single
# lines. -O1 compiles them in half the time. The others get -O2; -O3 where it was measured to pay
# (CONTRIBUTING.md).
COLD = {
    "truecase._cython_utility",
    "truecase.base._component",
    "truecase.evaluation._trace",
    "truecase.kernels._components",
    "truecase.kernels._lexicon",
    "truecase.kernels._ngrams",
    "truecase.kernels._source",
    "truecase.kernels._unicode",
    "truecase.model._view",
}
HOT = {
    "truecase._core",
    "truecase.kernels._punctuation_stream",
    "truecase.kernels._segment",
    "truecase.training._network_text",
}

# Modules that read what has a syntax: the fuzzer watches what they compare text with. The others
# compare hashes and scores, of which it learns nothing, and are slowed by it.
GUIDED_BY_COMPARISONS = (
    "truecase.alignment.",
    "truecase.truecaser.",
    "truecase.training._ngram_code",
    "truecase.formats.",
    "truecase.base.",
    "truecase.ngram._words",
)

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": CHECKED,
    "cdivision": True,
    "auto_pickle": False,
    "embedsignature": False,
    "linetrace": KIND == "trace",
    "show_performance_hints": True,
    # the .pyx source in comments is a third of the C code; only coverage reads it
    "emit_code_comments": KIND == "trace",
}


def cores():
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def macros():
    """C macros of this kind of build."""
    # Instead of Cython's directive: its shared module is not translated again when that changes.
    chosen = [("CYTHON_FREETHREADING_COMPATIBLE", "1" if FREE_THREADING_SAFE else "0")]
    if CHECKED:
        chosen.append(("TRUECASE_CHECKED", "1"))
    if KIND == "trace":
        chosen += [("CYTHON_TRACE_NOGIL", "1"), ("CYTHON_USE_SYS_MONITORING", "0")]
    return chosen


def levels(module):
    """How much a module of a release is optimised."""
    if module in HOT:
        # Nobody looks at what a function of the C library leaves in errno: without that, several
        # square roots are taken at a time.
        return ["-O3", "-fno-math-errno"]
    if module == "truecase_testing":
        return ["-Og"]  # compiled in half the time; called for a few words
    return ["-O1" if module in COLD else "-O2"]


# A product and a sum are rounded each by itself: compilers for processors that can do both in one
# step would round once, and a model would have other bytes there than on x86-64.
SAME_EVERYWHERE = ["-ffp-contract=off"]

# Calls of the C library check their bounds; there is no stack that can be run, and what the linker
# filled in cannot be written afterwards. Interpreters may bring some of it, or none.
HARDENED = ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"]
# Who calls a function of libm names libm: else the interpreter has to bring it, glibc takes its
# oldest version of the function, and auditwheel does not see which one is needed.
LINKED = ["-Wl,-z,relro", "-Wl,-z,now", "-Wl,-z,noexecstack", "-Wl,--as-needed", "-lm"]


def compiler_flags(module):
    """Compiler and linker flags: no -march=native, no -ffast-math, so that wheels travel."""
    if sys.platform == "win32":
        return (["/Od", "/Z7"] if CHECKED else ["/O2"]), []
    linked = LINKED if sys.platform.startswith("linux") else []
    if KIND == "release":
        strip = "-Wl,-x" if sys.platform == "darwin" else "-Wl,-s"
        return [*levels(module), "-g0", *SAME_EVERYWHERE, *HARDENED], [strip, *linked]
    flags = ["-O1", "-g", "-UNDEBUG", *SAME_EVERYWHERE]
    if KIND == "tsan":
        watched = ["-fsanitize=thread"]
        return [*flags, "-fno-omit-frame-pointer", *watched], [*linked, *watched]
    if KIND not in ("sanitize", "fuzz"):
        return [*flags, *HARDENED], linked
    # The sanitizers look at the same calls, and closer.
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    if KIND == "fuzz":
        # the runtime of all of them comes with the fuzzer, by LD_PRELOAD
        sanitizers[0] += ",fuzzer-no-link"
        flags[0] = "-O2"  # three times as many inputs are tried in the same time
        if not module.startswith(GUIDED_BY_COMPARISONS):
            sanitizers.append("-fno-sanitize-coverage=trace-cmp")
    return [*flags, "-fno-omit-frame-pointer", *sanitizers], [*linked, *sanitizers]


def extensions(for_tests=False):
    """One extension for every .pyx of the package, and the shared utility module; or for tests."""
    header = [CASE_TABLES_HEADER] if os.path.exists(CASE_TABLES) else []
    found = sorted(Path(TEST_KERNELS if for_tests else "truecase").rglob("*.pyx"))
    if for_tests:
        sources = {path.stem: path for path in found}
    else:
        sources = {".".join(path.with_suffix("").parts): path for path in found}
    if sources and not for_tests:
        sources[SHARED_UTILITY] = Path(SHARED_UTILITY.replace(".", "/") + ".c")
        unknown = sorted((COLD | HOT) - set(sources))
        if unknown:
            sys.exit(f"setup.py: COLD or HOT name modules that do not exist: {', '.join(unknown)}")
    built = []
    for name, path in sources.items():
        compile_args, link_args = compiler_flags(name)
        built.append(
            Extension(
                name,
                [path.as_posix()],
                depends=header,
                include_dirs=[GENERATED],
                define_macros=macros(),
                extra_compile_args=compile_args,
                extra_link_args=link_args,
            )
        )
    return built


class BuildExt(build_ext):
    """Writes the generated header, translates .pyx to C under build/, compiles in parallel.

    Translation waits until modules are really built, so that the sdist lists the .pyx files.
    """

    user_options = [
        *build_ext.user_options,
        ("cython-only", None, "stop after translating to C"),
        ("for-tests", None, f"build {TEST_KERNELS}, there or where --build-lib says"),
    ]
    boolean_options = [*build_ext.boolean_options, "cython-only", "for-tests"]

    def initialize_options(self):
        super().initialize_options()
        self.cython_only = self.for_tests = False

    def finalize_options(self):
        if self.for_tests:
            self.distribution.ext_modules = extensions(for_tests=True)
            self.build_lib = self.build_lib or TEST_KERNELS
        super().finalize_options()
        self.parallel = self.parallel or cores()

    def get_source_files(self):
        return [name for name in super().get_source_files() if os.path.exists(name)]

    def run(self):
        self.check_compiler()
        if os.path.exists(CASE_TABLES):
            Path(GENERATED).mkdir(parents=True, exist_ok=True)
            # leaves a header that is the same untouched, so that nothing is recompiled
            runpy.run_path(CASE_TABLES)["write_header"](Path(CASE_TABLES_HEADER))
        # Cython makes millions of objects that live until the module is done; looking for garbage
        # among them takes a quarter of its time.
        gc.set_threshold(1_000_000)
        translated = cythonize(
            self.extensions,
            build_dir=f"{BUILD_BASE}/cython",
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED_UTILITY,
            force=bool(self.force),
            nthreads=cores(),
        )
        sources = {extension.name: extension.sources for extension in translated}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
        if self.cython_only:
            return
        if not self.for_tests:
            self.remove_stale_modules()
        super().run()
        if self.inplace:
            # An in-place build is one to work on: it is tested.
            command = [sys.executable, "setup.py", "-q", "build_ext", "--for-tests"]
            subprocess.run(command, check=True)

    def check_compiler(self):
        """Say at once that there is no compiler: translating to C takes a minute or two."""
        if self.cython_only or sys.platform == "win32":
            return
        command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
        compiler = (shlex.split(command) or ["cc"])[0]
        if shutil.which(compiler) is None:
            sys.exit(
                f"setup.py: there is no C compiler {compiler}, which truecase needs to be built: "
                "install one (gcc or clang), or name it in CC"
            )

    def is_current(self, extension):
        """Whether a module is newer than all that it is made of."""
        made_of = [*extension.sources, *extension.depends]
        return not newer_group(made_of, self.get_ext_fullpath(extension.name))

    def build_extensions(self):
        self.numbers = itertools.count(1)
        outdated = [one for one in self.extensions if self.force or not self.is_current(one)]
        if not outdated:
            print(f"Nothing to compile: {len(self.extensions)} modules are up to date", flush=True)
        self.extensions, every = outdated, self.extensions
        super().build_extensions()
        self.extensions = every

    def build_extension(self, extension):
        # next() of a counter is one step to the interpreter, so threads need no lock here
        total = len(self.extensions)
        number = str(next(self.numbers)).rjust(len(str(total)))
        print(f"[{number}/{total}] Compiling {extension.sources[0]}", flush=True)
        super().build_extension(extension)

    def copy_extensions_to_source(self):
        self.force = True  # modules of another kind may lie there, and may be newer
        super().copy_extensions_to_source()

    def remove_stale_modules(self):
        """Remove compiled modules whose source has gone since the last build."""
        wanted = {
            Path(self.get_ext_fullpath(extension.name)).resolve() for extension in self.extensions
        }
        for extension in ("so", "pyd"):
            for module in Path("truecase" if self.inplace else self.build_lib).rglob(
                f"*.{extension}"
            ):
                if module.resolve() not in wanted:
                    module.unlink()


class Sdist(sdist):
    """An archive of the same bytes wherever and whenever it is made of the same files."""

    def make_archive(self, base_name, format, root_dir=None, base_dir=None, owner=None, group=None):
        if format != "gztar":
            return super().make_archive(base_name, format, root_dir, base_dir, owner, group)
        write = runpy.run_path("tools/same_archive.py")["write_archive"]
        return write(Path(f"{base_name}.tar.gz"), Path(base_dir))


class BdistWheel(bdist_wheel):
    """Puts a list of what is inside into the wheel, where PEP 770 has it."""

    def write_wheelfile(self, wheelfile_base, *args, **kwargs):
        super().write_wheelfile(wheelfile_base, *args, **kwargs)
        text = runpy.run_path("tools/sbom.py")["sbom"](self.distribution.get_version())
        folder = Path(wheelfile_base, "sboms")
        folder.mkdir()
        (folder / "truecase-crf.cdx.json").write_text(text, encoding="utf-8")


# Cython's worker processes may import this file again, under another name.
if __name__ == "__main__":
    setup(
        ext_modules=extensions(),
        cmdclass={"build_ext": BuildExt, "sdist": Sdist, "bdist_wheel": BdistWheel},
        options={"build": {"build_base": BUILD_BASE}},
    )
