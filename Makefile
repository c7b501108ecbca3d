# Each target makes what it needs, a virtual environment of its own included, and does again
# only what has changed. Needed on the machine: Python >= 3.10 with its headers, a C compiler, make.
#
#   make demo      case a real text with the embedded English model
#   make test      build a wheel, install it, run the tests against it
#   make fuzz      the property tests, on new random examples
#   make lint      ruff, mypy, cython-lint, Cython's performance hints, stubs against modules
#   make bench     the benchmarks (ARGS="--corpus DIR" for texts of your own)
#   make wheel     sdist and wheel into dist/
#   make checked   tests on a build with bounds checks and kernel assertions
#   make sanitize  tests under the address and undefined-behaviour sanitizers (gcc, Linux)
#   make coverage  tests on a build with line tracing; report of Python and Cython lines
#   make clean
#
# PYTHON=python3.12 chooses the interpreter, ARGS="..." goes to pytest.

PYTHON ?= python3
ARGS ?=

SHELL := /bin/bash
.SHELLFLAGS := -e -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

SOURCES := setup.py pyproject.toml README.md LICENSE \
    $(shell find truecase -type f -name '*.py' -o -type f -name '*.py[xi]' \
        -o -type f -name '*.pxd' -o -type f -name '*.truecase' -o -type f -name '*.md' \
        -o -type f -name '*.css' -o -type f -name '*.js')
PIP := -m pip --disable-pip-version-check --quiet
# the wheel of a build kind: $(call wheel,release)
wheel = build/$(1)/wheel/.built

.PHONY: help demo test fuzz bench wheel checked sanitize coverage clean
.PHONY: lint lint-ruff lint-format lint-types lint-cython lint-hints lint-stubs

help:
	@sed -n 's/^#   //p' Makefile

# --- wheels, one for each kind of build ------------------------------------------------------

build/.python-is-usable:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	    || { echo "make: $(PYTHON) is older than 3.10 or missing; try make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' \
	    || { echo "make: $(PYTHON) cannot make virtual environments; install its venv package" >&2; exit 1; }
	@mkdir -p build && touch $@

.venv-build/.ready: build/.python-is-usable
	$(PYTHON) -m venv .venv-build
	.venv-build/bin/python $(PIP) install --upgrade pip build
	@touch $@

# pip builds in isolation with the requirements of pyproject.toml; compiled modules that are
# still good are kept under build/KIND, copies of Python files are not.
build/%/wheel/.built: $(SOURCES) .venv-build/.ready
	@rm -rf build/$*/wheel
	@mkdir -p build/$*/wheel
	@find build/$* -path '*/lib*' -type f ! -name '*.so' ! -name '*.pyd' -delete
	TRUECASE_BUILD=$* .venv-build/bin/python $(PIP) wheel --no-deps --wheel-dir build/$*/wheel .
	@touch $@

# $(call install,.venv-x,kind,extra): an environment with the wheel and what an extra asks for
define install
	@test -x $(1)/bin/python || $(PYTHON) -m venv $(1)
	@$(1)/bin/python $(PIP) install --upgrade pip
	@wheel=$$(echo build/$(2)/wheel/*.whl); $(1)/bin/python $(PIP) install "$$wheel$(3)"
	@$(1)/bin/python $(PIP) install --force-reinstall --no-deps build/$(2)/wheel/*.whl
	@touch $@
endef

.venv-demo/.installed: $(call wheel,release)
	$(call install,.venv-demo,release,)

.venv-test/.installed: $(call wheel,release)
	$(call install,.venv-test,release,[test])

.venv-bench/.installed: $(call wheel,release)
	$(call install,.venv-bench,release,[bench])

.venv-lint/.installed: $(call wheel,release)
	$(call install,.venv-lint,release,[lint])

.venv-checked/.installed: $(call wheel,checked)
	$(call install,.venv-checked,checked,[test])

.venv-sanitize/.installed: $(call wheel,sanitize)
	$(call install,.venv-sanitize,sanitize,[test])

# --- what people ask for ---------------------------------------------------------------------

demo: .venv-demo/.installed
	@bash demo/run .venv-demo/bin/truecase

# `pytest`, not `python -m pytest`, which would import the uncompiled folder.
test: .venv-test/.installed
	TRUECASE_TEST_INSTALLED=1 .venv-test/bin/pytest $(ARGS)

fuzz: .venv-test/.installed
	TRUECASE_EXAMPLES=random TRUECASE_TEST_INSTALLED=1 .venv-test/bin/pytest -m hypothesis $(ARGS)

bench: .venv-bench/.installed
	.venv-bench/bin/pytest bench --benchmark-only $(ARGS)
	.venv-bench/bin/python bench/memory.py

# `make -k lint` goes on after a check that fails.
lint: lint-ruff lint-format lint-types lint-cython lint-hints lint-stubs

lint-ruff: .venv-lint/.installed
	.venv-lint/bin/ruff check .

lint-format: .venv-lint/.installed
	.venv-lint/bin/ruff format --check .

lint-types: .venv-lint/.installed
	.venv-lint/bin/mypy

# cython-lint takes pycodestyle from PATH
lint-cython: .venv-lint/.installed
	PATH="$(CURDIR)/.venv-lint/bin:$$PATH" cython-lint truecase

lint-hints: .venv-lint/.installed
	.venv-lint/bin/python tools/check_hints.py

lint-stubs: .venv-lint/.installed
	.venv-lint/bin/python tools/check_stubs.py

wheel: .venv-build/.ready
	@rm -rf dist
	.venv-build/bin/python -m build
	@ls -l dist

checked: .venv-checked/.installed
	TRUECASE_TEST_INSTALLED=1 .venv-checked/bin/pytest -m "not slow" $(ARGS)

# Python itself is not instrumented: its allocations that live till exit are no leaks of ours.
sanitize: .venv-sanitize/.installed
	TRUECASE_TEST_INSTALLED=1 PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 \
	UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" \
	    .venv-sanitize/bin/pytest -m "not slow" $(ARGS)

# Traced modules are read together with their C and .pyx files, so they are built in place.
.venv-coverage/.installed: $(SOURCES) build/.python-is-usable
	@test -x .venv-coverage/bin/python || $(PYTHON) -m venv .venv-coverage
	.venv-coverage/bin/python $(PIP) install --upgrade pip coverage "setuptools>=77" "cython>=3.2"
	TRUECASE_BUILD=trace .venv-coverage/bin/python $(PIP) install --no-build-isolation -e ".[test]"
	@touch $@

coverage: .venv-coverage/.installed
	.venv-coverage/bin/coverage run -m pytest -m "not slow" $(ARGS)
	.venv-coverage/bin/coverage report

clean:
	rm -rf build dist .venv-* .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	rm -rf .coverage truecase.egg-info truecase/text/_case_tables.h
	find truecase -name '*.so' -delete -o -name '*.pyd' -delete
	find truecase tests bench tools -name __pycache__ -prune -exec rm -rf {} +
