# Each target makes what it needs, a virtual environment of its own included, and does again
# only what has changed. Needed on the machine: Python >= 3.10 with its headers, a C compiler, make.
#
#   make demo      case a real text with the embedded English model, and lines of other languages
#   make test      build a wheel, install it, run the tests against it
#   make test-browser   the tests of pages, in Chromium, which root on Debian gets installed
#   make test-cluster   the tests with Spark and Ray; without Java, which root on Debian gets
#                  installed, those with Ray alone
#   make test-spark     the tests with Spark
#   make fuzz      the property tests, on new random examples
#   make faults    commands killed and limited, and a soak (KILLS=1000 SOAK=3600); Linux
#   make fuzz-native SECONDS=60   coverage-guided fuzzing of what reads foreign bytes, each harness so
#                  long, under the sanitizers (clang, Linux, Python 3.11 or later; HARNESSES="text files")
#   make fuzz-coverage   the lines of kernels that its inputs reach, on a build with line tracing
#   make lint      ruff, mypy, cython-lint, Cython's performance hints, stubs against modules
#   make features  the kernels' numbers, from the schema of features
#   make language-tables   the tables of languages in README and docs/, from the cards in models/
#   make packages  the picture of the packages and their imports, docs/static/packages.svg
#   make docs      the documentation as a site into build/site; warnings are errors
#   make bench     the benchmarks (ARGS="--corpus DIR" for texts of your own)
#   make bench-page   the same as an HTML page and JSON, in build/bench/
#   make bench-history   the page of releases, from the figures in bench/results/
#   make wheel     sdist and wheel into dist/
#   make sdist     the sdist alone
#   make models    a wheel of each model in models/, beside the others in dist/
#   make wheels    with cibuildwheel: a wheel for each Python that is supported, tested, into dist/
#   make check-wheels   whether the wheels in dist/ run where their names say
#   make reproducible   sdist and wheel twice, in different folders: are they the same bytes?
#   make test-foreign ARCH=s390x   the tests on an emulated processor (arm64, or s390x, which is
#                  big-endian); root on Debian, and packages that tools/foreign.py names
#   make check-version VERSION=1.2.3   whether that is the version in the files
#   make checked   tests on a build with bounds checks and kernel assertions
#   make sanitize  tests under the address and undefined-behaviour sanitizers (gcc, Linux)
#   make test-free-threaded PYTHON=python3.14t   the tests without a GIL, then each of those that can
#                  be in several threads at once
#   make tsan      tests of threads under the thread sanitizer (gcc, Linux); PYTHON=… chooses one that
#                  is built with it (./configure --disable-gil --with-thread-sanitizer)
#   make coverage  tests on a build with line tracing; report of Python and Cython lines
#   make clean
#
# PYTHON=python3.12 chooses the interpreter, ARGS="..." goes to pytest, WORKERS=4 is the number of
# processes that share the tests (as many as there are processors; 0: none but pytest's own).

PYTHON ?= python3
ARGS ?=
SECONDS ?= 60
HARNESSES ?=
WORKERS ?= auto

SHELL := /bin/bash
.SHELLFLAGS := -e -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

SOURCES := setup.py pyproject.toml README.md LICENSE \
    $(shell find truecase -type f -name '*.py' -o -type f -name '*.py[xi]' \
        -o -type f -name '*.pxd' -o -type f -name '*.truecase' -o -type f -name '*.md' \
        -o -type f -name '*.json' -o -type f -name '*.css' -o -type f -name '*.js' \
        -o -type f -name '*.toml' -o -type f -name '*.txt' -o -type f -name '*.html')
PIP := -m pip --disable-pip-version-check --quiet
BIN := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
IN := .venv-build/$(BIN)/python $(PIP) --python
# the wheel of a build kind: $(call wheel,release)
wheel = build/$(1)/wheel/.built

.PHONY: help demo models test test-browser chromium test-cluster test-spark java fuzz fuzz-native fuzz-coverage faults docs bench bench-page
.PHONY: bench-history wheel sdist wheels check-wheels check-version checked sanitize coverage reproducible test-foreign
.PHONY: test-free-threaded tsan
.PHONY: clean lint lint-ruff lint-format lint-types lint-cython lint-hints lint-stubs lint-house
.PHONY: lint-workflows lint-features lint-languages features language-tables packages

help:
	@sed -n 's/^#   //p' Makefile

# --- wheels, one for each kind of build ------------------------------------------------------

build/.python-is-usable:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	    || { echo "make: $(PYTHON) is older than 3.10 or missing; try make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' \
	    || { echo "make: $(PYTHON) cannot make virtual environments; install its venv package" >&2; exit 1; }
	@mkdir -p build && touch $@

# pip 22.3 installs into other environments, which saves each of them a pip of its own.
.venv-build/.ready: build/.python-is-usable
	$(PYTHON) -m venv .venv-build
	.venv-build/$(BIN)/python $(PIP) install "pip>=22.3" "setuptools>=77" "cython>=3.2"
	@touch $@

# Compiled modules that are still good are kept under build/KIND, copies of Python files are not.
# Of the log, the lines that show how far the build is.
build/%/wheel/.built: $(SOURCES) .venv-build/.ready
	@rm -rf build/$*/wheel
	@mkdir -p build/$*/wheel
	@find build/$* -path '*/lib*' -type f ! -name '*.so' ! -name '*.pyd' -delete
	@echo "building the wheel, about two CPU minutes if nothing is built yet; log: build/$*/log"
	@TRUECASE_BUILD=$* PYTHONUNBUFFERED=1 .venv-build/$(BIN)/python -m pip \
	    --disable-pip-version-check wheel --verbose --no-build-isolation --no-deps \
	    --wheel-dir build/$*/wheel . 2>&1 | tee build/$*/log \
	    | awk '/\[ *[0-9]+\/[0-9]+\] / { sub(/^ +/, ""); print; fflush() }' \
	    || { tail -n 60 build/$*/log >&2; echo "make: the build failed; all of it: build/$*/log" >&2; exit 1; }
	@touch $@

TEST_KERNELS := $(wildcard tests/kernels/*.pyx)

# $(call install,.venv-x,kind,extra): an environment with the wheel and what an extra asks for.
# A wheel of the same version is no news to pip, so the old one goes first.
define install
	@echo "installing into $(1)"
	@test -x $(1)/$(BIN)/python || $(PYTHON) -m venv --without-pip $(1)
	@test ! -e $@ || $(IN) $(1)/$(BIN)/python uninstall --yes truecase-crf
	@wheel=$$(echo build/$(2)/wheel/*.whl); $(IN) $(1)/$(BIN)/python install --no-compile "$$wheel$(3)"
	@touch $@
endef

.venv-demo/.installed: $(call wheel,release)
	$(call install,.venv-demo,release,)

.venv-test/.installed: $(call wheel,release) $(TEST_KERNELS)
	$(call install,.venv-test,release,[test])
	$(call kernels,.venv-test,release)

.venv-browser/.installed: $(call wheel,release)
	$(call install,.venv-browser,release,[browser])

.venv-cluster/.installed: $(call wheel,release)
	$(call install,.venv-cluster,release,[cluster])

.venv-bench/.installed: $(call wheel,release) $(TEST_KERNELS)
	$(call install,.venv-bench,release,[bench])
	$(call kernels,.venv-bench,release)

.venv-lint/.installed: $(call wheel,release)
	$(call install,.venv-lint,release,[lint])

.venv-docs/.installed: $(call wheel,release)
	$(call install,.venv-docs,release,[docs])

.venv-checked/.installed: $(call wheel,checked) $(TEST_KERNELS)
	$(call install,.venv-checked,checked,[test])
	$(call kernels,.venv-checked,checked)

.venv-sanitize/.installed: $(call wheel,sanitize) $(TEST_KERNELS)
	$(call install,.venv-sanitize,sanitize,[test])
	$(call kernels,.venv-sanitize,sanitize)

.venv-fuzz/.installed: $(call wheel,fuzz) $(TEST_KERNELS)
	$(call install,.venv-fuzz,fuzz,[fuzz])
	$(call kernels,.venv-fuzz,fuzz)

.venv-free-threaded/.installed: $(call wheel,release) $(TEST_KERNELS)
	$(call install,.venv-free-threaded,release,[free-threaded])
	$(call kernels,.venv-free-threaded,release)

.venv-tsan/.installed: $(call wheel,tsan) $(TEST_KERNELS)
	$(call install,.venv-tsan,tsan,[free-threaded])
	$(call kernels,.venv-tsan,tsan)

# $(call kernels,.venv-x,kind): beside the package, what only tests and benchmarks call.
define kernels
	@echo "compiling the kernels of tests/kernels into $(1)"
	@TRUECASE_BUILD=$(2) .venv-build/$(BIN)/python setup.py -q build_ext --for-tests --build-lib \
	    "$$($(1)/$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')" \
	    >> build/$(2)/log 2>&1 || { tail -n 60 build/$(2)/log >&2; exit 1; }
endef

# --- what people ask for ---------------------------------------------------------------------

demo: .venv-demo/.installed
	@bash demo/run .venv-demo/$(BIN)/truecase

# Tests start in the order of their files, and a worker that has run out takes half of another's.
PARALLEL_TESTS = tests/kernels tests/rules tests/ngram tests/model tests/truecaser tests/evaluation \
    tests/formats tests/crf tests/base
SHARED_TESTS = --numprocesses $(WORKERS) --maxprocesses 8 --dist worksteal

# `pytest`, not `python -m pytest`, which would import the uncompiled folder. The processors are
# shared by processes already: threads of OpenBLAS would wait for each other.
test: .venv-test/.installed
	TRUECASE_TEST_INSTALLED=1 OPENBLAS_NUM_THREADS=1 .venv-test/$(BIN)/pytest $(SHARED_TESTS) $(ARGS)

chromium:
	@bash tools/chromium

test-browser: chromium .venv-browser/.installed
	TRUECASE_TEST_INSTALLED=1 .venv-browser/$(BIN)/pytest tests/browser $(ARGS)

java:
	@bash tools/java

test-spark: java .venv-cluster/.installed
	TRUECASE_TEST_INSTALLED=1 .venv-cluster/$(BIN)/pytest tests/spark $(ARGS)

# Where no Java can be had, tools/java says so, and tests that need it are skipped.
test-cluster: .venv-cluster/.installed
	-@bash tools/java
	TRUECASE_TEST_INSTALLED=1 .venv-cluster/$(BIN)/pytest tests/spark tests/ray $(ARGS)
	# One by one: a JVM stays in the folder that it was started in.
	for page in clusters counts; do \
	    TRUECASE_TEST_INSTALLED=1 .venv-cluster/$(BIN)/pytest \
	        "tests/docs/test_pages.py::test_page[docs/guides/$$page.md]" || exit 1; \
	done

fuzz: .venv-test/.installed
	TRUECASE_EXAMPLES=random TRUECASE_TEST_INSTALLED=1 .venv-test/$(BIN)/pytest -m hypothesis $(SHARED_TESTS) $(ARGS)

KILLS ?= 1000
SOAK ?= 3600

# All four are run, whatever one of them finds.
faults: .venv-test/.installed
	@failed=0; for program in "kills.py --kills $(KILLS)" limits.py slopes.py "soak.py --seconds $(SOAK)"; do \
	    echo "tests/faults/$$program"; \
	    .venv-test/$(BIN)/python tests/faults/$$program || failed=1; \
	done; exit $$failed

fuzz-native: .venv-fuzz/.installed
	bash fuzz/native "$(CURDIR)/.venv-fuzz/$(BIN)/python" $(SECONDS) $(HARNESSES)

# -W: a link or an anchor that leads nowhere is an error, as is any other warning.
docs: .venv-docs/.installed
	.venv-docs/$(BIN)/sphinx-build -W --keep-going -q docs build/site
	@echo build/site/index.html

# The tables that pytest ends with are the last thing in the terminal.
bench: .venv-bench/.installed
	.venv-bench/$(BIN)/python bench/memory.py
	.venv-bench/$(BIN)/pytest bench --benchmark-only --benchmark-quiet $(ARGS)

# The page of releases, from the figures that are kept.
bench-history: .venv-bench/.installed
	.venv-bench/$(BIN)/python bench/page.py --releases docs/experiments/releases.md

bench-page: .venv-bench/.installed
	@mkdir -p build/bench
	.venv-bench/$(BIN)/pytest bench --benchmark-only --benchmark-json build/bench/benchmarks.json $(ARGS)
	.venv-bench/$(BIN)/python bench/page.py build/bench/benchmarks.json > build/bench/benchmarks.html

# `make -k lint` goes on after a check that fails.
lint: lint-ruff lint-format lint-types lint-cython lint-hints lint-stubs lint-house lint-features lint-languages lint-workflows

features: .venv-lint/.installed
	PYTHONPATH="$(CURDIR)" .venv-lint/$(BIN)/python tools/features.py

language-tables: build/.python-is-usable
	$(PYTHON) tools/language_tables.py

packages: .venv-lint/.installed
	.venv-lint/$(BIN)/python tools/draw_packages.py

lint-ruff: .venv-lint/.installed
	.venv-lint/$(BIN)/ruff check .

lint-format: .venv-lint/.installed
	.venv-lint/$(BIN)/ruff format --check .

lint-types: .venv-lint/.installed
	.venv-lint/$(BIN)/mypy

# cython-lint takes pycodestyle from PATH
lint-cython: .venv-lint/.installed
	PATH="$(CURDIR)/.venv-lint/bin:$$PATH" cython-lint truecase tests/kernels

lint-hints: .venv-lint/.installed
	.venv-lint/$(BIN)/python tools/check_hints.py

lint-stubs: .venv-lint/.installed
	.venv-lint/$(BIN)/python tools/check_stubs.py

# the packages, their order, and the limits of their size
lint-house: .venv-lint/.installed
	.venv-lint/$(BIN)/python tools/check_house.py

# numbers of features are those of the schema
lint-features: .venv-lint/.installed
	PYTHONPATH="$(CURDIR)" .venv-lint/$(BIN)/python tools/features.py --check

# figures of languages are those of the cards
lint-languages: build/.python-is-usable
	$(PYTHON) tools/language_tables.py --check

lint-workflows: .venv-lint/.installed
	.venv-lint/$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

# Files in distributions have the time of the commit, so that they can be built again byte for byte.
wheel sdist wheels models reproducible: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 315532800)

wheel: .venv-build/.ready
	@rm -f dist/truecase_crf-*
	.venv-build/$(BIN)/python $(PIP) install build
	.venv-build/$(BIN)/python -m build
	@ls -l dist

sdist: .venv-build/.ready
	@rm -f dist/truecase_crf-*
	.venv-build/$(BIN)/python $(PIP) install build
	.venv-build/$(BIN)/python -m build --sdist
	@ls -l dist

MODELS := $(patsubst %/pyproject.toml,./%,$(wildcard models/*/pyproject.toml))

# pip builds in the folders of the models; what it has left there may be of other models.
models: .venv-build/.ready
	@rm -rf dist/truecase_crf_*.whl $(MODELS:=/build) $(MODELS:=/*.egg-info)
	@mkdir -p dist
	$(if $(MODELS),.venv-build/$(BIN)/python $(PIP) wheel --no-build-isolation --no-deps --wheel-dir dist $(MODELS), \
	    @echo "make: there is no model in models/" >&2)
	@rm -rf $(MODELS:=/build) $(MODELS:=/*.egg-info)
	@ls -l dist

wheels: .venv-build/.ready
	@rm -f dist/truecase_crf-*
	.venv-build/$(BIN)/python $(PIP) install cibuildwheel
	.venv-build/$(BIN)/python -m cibuildwheel --output-dir dist
	@ls -l dist

check-wheels: .venv-build/.ready
	.venv-build/$(BIN)/python $(PIP) install auditwheel
	.venv-build/$(BIN)/python tools/check_wheels.py dist/truecase_crf-*.whl

reproducible: .venv-build/.ready
	.venv-build/$(BIN)/python $(PIP) install build
	@rm -rf build/reproducible
	.venv-build/$(BIN)/python tools/reproducible.py build/reproducible

ARCH ?= s390x

test-foreign: .venv-build/.ready
	.venv-build/$(BIN)/python tools/foreign.py $(ARCH) build/foreign/$(ARCH) $(if $(MIRROR),--mirror "$(MIRROR)") -- $(ARGS)

check-version: build/.python-is-usable
	@$(PYTHON) tools/check_version.py "$(VERSION)"

checked: .venv-checked/.installed
	TRUECASE_TEST_INSTALLED=1 .venv-checked/$(BIN)/pytest -m "not slow" $(SHARED_TESTS) $(ARGS)

# Python itself is not instrumented: its allocations that live till exit are no leaks of ours.
sanitize: .venv-sanitize/.installed
	TRUECASE_TEST_INSTALLED=1 PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 \
	UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" \
	    .venv-sanitize/$(BIN)/pytest -m "not slow" $(SHARED_TESTS) $(ARGS)

# The second run has each test in four threads at once; those that pytest-run-parallel knows to be no
# good for that (they patch, or catch warnings and output) run in one.
test-free-threaded: .venv-free-threaded/.installed
	.venv-free-threaded/$(BIN)/python -c 'import sys; sys.exit(sys._is_gil_enabled())' \
	    || { echo "make: $(PYTHON) has a GIL; try make PYTHON=python3.14t ..." >&2; exit 1; }
	TRUECASE_TEST_INSTALLED=1 TRUECASE_ROUNDS=5 .venv-free-threaded/$(BIN)/pytest $(SHARED_TESTS) $(ARGS)
	TRUECASE_TEST_INSTALLED=1 .venv-free-threaded/$(BIN)/pytest -p no:xdist \
	    --parallel-threads=4 --iterations=1 $(PARALLEL_TESTS) $(ARGS)

# What a Python without the sanitizer locks with is hidden from it, and all that is handed from thread
# to thread under such a lock is reported. The tests of what changes while it is read are races on purpose.
# On a busy machine this takes hours: CPython 3.13 lets all others go first, forty times for each class
# that is made.
tsan: .venv-tsan/.installed
	TRUECASE_TEST_INSTALLED=1 TRUECASE_ROUNDS=1 OPENBLAS_NUM_THREADS=1 \
	TSAN_OPTIONS="halt_on_error=0 exitcode=66 die_after_fork=0 suppressions=$(CURDIR)/tests/threads/tsan_suppressions.txt" \
	LD_PRELOAD="$$(gcc -print-file-name=libtsan.so)" \
	    .venv-tsan/$(BIN)/pytest -p no:xdist -p no:run-parallel tests/threads \
	    --ignore=tests/threads/test_changed_meanwhile.py $(ARGS)

# Traced modules are read together with their C and .pyx files, so they are built in place.
.venv-coverage/.installed: $(SOURCES) build/.python-is-usable
	@test -x .venv-coverage/$(BIN)/python || $(PYTHON) -m venv .venv-coverage
	.venv-coverage/$(BIN)/python $(PIP) install coverage "setuptools>=77" "cython>=3.2"
	TRUECASE_BUILD=trace .venv-coverage/$(BIN)/python $(PIP) install --no-build-isolation -e ".[test]"
	@touch $@

# tools/kernel_lines.py is its plugin.
COVERAGE = PYTHONPATH=tools .venv-coverage/$(BIN)/coverage
coverage: .venv-coverage/.installed
	$(COVERAGE) run -m pytest -m "not slow" $(ARGS)
	$(COVERAGE) report

# Which lines of the kernels the fuzzer's inputs reach: those kept, and those that runs have found.
# Traced, an input takes a second or more: each harness has so many seconds.
MOST ?= 500
EACH ?= 120
fuzz-coverage: .venv-coverage/.installed
	$(COVERAGE) run --data-file=build/fuzz/.coverage fuzz/replay.py --all --most $(MOST) --seconds $(EACH)
	$(COVERAGE) report --data-file=build/fuzz/.coverage --include="*.pyx,*.pxd" --skip-empty

clean:
	rm -rf build dist .venv-* .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	rm -rf .coverage truecase_crf.egg-info
	find truecase tests/kernels -name '*.so' -delete -o -name '*.pyd' -delete
	find truecase tests bench fuzz scripts tools -name __pycache__ -prune -exec rm -rf {} +
