# Two commands for newcomers: `make demo` and `make test`. Both set up everything they need.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
  command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' && echo $$p && break; done)
BIN := .venv/bin
OUT := out

.PHONY: help demo test quick-tests test-all check types web bench clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    set up, then run the main job on the pages in examples/"
	@echo "make test    set up, then run every check and the quick tests"
	@echo "make test-all   the slow tests as well: kills, whole journeys, other engines (half an hour)"
	@echo "make check   format, lint, types and layers only"
	@echo "make web     build the front end of the Studio again (needs Node; the result is committed)"
	@echo "make bench   measure against the peers (docs/benchmarks.md)"
	@echo "make clean   remove what was set up"

# Modules are compiled when they are first imported: most of what the tests bring along never is.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; install it and try again."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "This Python lacks venv; on Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.base: pyproject.toml hatch_build.py $(wildcard native/*.[ch]) | .venv/bin/python
	$(PIP) --editable '.[excel,flow,ocr]'
	@touch $@

# The pip that comes with older Pythons stops at the extras of lxml, which two of the extractors ask for. What the demo
# needs is among it.
.venv/.dev: pyproject.toml hatch_build.py $(wildcard native/*.[ch]) | .venv/bin/python
	$(PIP) --upgrade 'pip>=24'
	$(PIP) --editable '.[dev]'
	@touch .venv/.base $@

.venv/.browser: .venv/.base
	$(BIN)/sightline doctor --install
	@touch $@

demo: .venv/.base .venv/.browser
	@$(BIN)/python examples/demo.py $(OUT)

check: .venv/.dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

# The checks run beside the browser's installation and the tests, since they keep one core busy.
test: .venv/.dev
	@$(MAKE) --no-print-directory --jobs 2 check quick-tests

quick-tests: .venv/.dev .venv/.browser
	$(BIN)/python -m pytest --numprocesses 4 --quiet -m "not slow"

# It says whether all types that the package exports are known; it comes with a Node of its own, which takes a while.
.venv/.pyright: .venv/.dev
	$(PIP) 'pyright[nodejs]>=1.1'
	@touch $@

test-all: check .venv/.browser .venv/.pyright
	$(BIN)/python -m pytest --numprocesses 4 --quiet --hypothesis-profile=thorough

# The types of the front end come from the models of the server; both they and the built front end are committed.
types: .venv/.base
	npm ci --no-audit --no-fund --prefix web/openapi
	$(BIN)/python web/openapi/document.py

web: types
	npm ci --no-audit --no-fund --prefix web
	npm run --prefix web check
	npm run --prefix web test
	npm run --prefix web build

bench: .venv/.dev .venv/.browser
	$(BIN)/python -m bench all

clean:
	rm -rf .venv $(OUT) dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
