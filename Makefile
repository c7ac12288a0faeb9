# One command each: `make bench` and `make test` build what is missing, in .venv, and say so.
# A step that was interrupted leaves no stamp and is done again; a finished one costs nothing.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
UV ?= uv
VENV := .venv
BIN := $(VENV)/bin
DONE := $(VENV)/stamps
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
INSTALL := $(PIP) install --progress-bar off --quiet --no-build-isolation
LOCKED := $(INSTALL) --require-hashes

# Model files that the default benchmark and the tests on real weights need.
BENCH_MODELS ?= qwen2.5-coder-1.5b-instruct-q4_k_m
TEST_MODELS ?= smollm2-135m-instruct-q4_1
# More options for `heron bench`: make bench BENCH='--observer rules --runs 4'
BENCH ?=

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help install dev bench test check static format lock clean

help:
	@echo "make bench   build, fetch model files, play the split smoke, report (first time: 15 to 25 minutes)"
	@echo "make test    build, fetch the small model files, run all tests"
	@echo "make check   format, lint, types, import rules, fast tests"
	@echo "make format  let ruff put the code in order"
	@echo "make lock    resolve and pin requirements/*.txt anew (needs uv)"
	@echo "make clean   remove what was built, and caches; model files and runs stay"

# --- environment --------------------------------------------------------------------------------

$(DONE)/venv:
	@test -n "$(PYTHON)" || { echo "heron needs Python 3.11 or later; none found" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "heron needs Python 3.11 or later: make PYTHON=/path/to/python3.11 …" >&2; exit 1; }
	@echo "== making $(VENV) with $(PYTHON)"
	@"$(PYTHON)" -m venv $(VENV)
	@mkdir -p $(DONE) && touch $@

$(DONE)/build: requirements/build.txt | $(DONE)/venv
	@echo "== installing the build tools (CMake, ninja, hatchling)"
	@$(LOCKED) --only-binary :all: -r requirements/build.txt
	@touch $@

$(DONE)/llama: requirements/llama.txt $(DONE)/build
	@command -v c++ >/dev/null && command -v cc >/dev/null \
	  || { echo "llama.cpp needs a C and a C++ compiler (cc, c++); none found" >&2; exit 1; }
	@echo "== building llama.cpp, unless pip kept it: 5 to 7 minutes of two free cores (log: $(VENV)/llama.log)"
	@PATH="$(CURDIR)/$(BIN):$$PATH" CMAKE_ARGS="-DLLAVA_BUILD=OFF $${CMAKE_ARGS:-}" \
	  $(PIP) install --verbose --no-build-isolation --require-hashes --no-deps \
	  -r requirements/llama.txt 2>&1 | tee $(VENV)/llama.log \
	  | sed -un 's|^ *\(\[[0-9]*0/[0-9]*\]\).*|   compiled \1|p' \
	  || { tail -n 30 $(VENV)/llama.log >&2; exit 1; }
	@touch $@

$(DONE)/runtime: requirements/runtime.txt $(DONE)/llama
	@echo "== installing the libraries that Heron runs on"
	@$(LOCKED) -r requirements/runtime.txt
	@touch $@

$(DONE)/heron: pyproject.toml $(DONE)/runtime
	@$(INSTALL) --no-deps --editable .
	@touch $@

$(DONE)/dev: requirements/dev.txt $(DONE)/build
	@echo "== installing the checkers (pytest, mypy, ruff, import-linter)"
	@$(LOCKED) -r requirements/dev.txt
	@touch $@

install: $(DONE)/heron
dev: $(DONE)/heron $(DONE)/dev

# --- what it is for -----------------------------------------------------------------------------

bench: install
	@echo "== fetching model files that are not there yet"
	@$(BIN)/heron models pull $(BENCH_MODELS)
	@echo "== playing the split smoke"
	@$(BIN)/heron bench --split smoke $(BENCH)

test: dev
	@echo "== fetching the model files of the tests, if they are not there yet"
	@$(BIN)/heron models pull $(TEST_MODELS)
	@echo "== running all tests, those on real weights last"
	@$(BIN)/python -m pytest -m ""

check: static
	@$(BIN)/python -m pytest

static: dev
	@echo "== format, lint, types, import rules"
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

format: $(DONE)/dev
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

# --- upkeep -------------------------------------------------------------------------------------

COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-header --no-emit-index-url --no-emit-find-links $(LOCK)

lock:
	$(COMPILE) requirements/build.in -o requirements/build.txt
	$(COMPILE) pyproject.toml -c requirements/build.txt -c requirements/constraints.in \
	  -o requirements/runtime.txt
	$(COMPILE) --no-deps -c requirements/runtime.txt -o requirements/llama.txt - <<< llama-cpp-python
	$(COMPILE) --group dev -c requirements/build.txt -c requirements/runtime.txt \
	  -o requirements/dev.txt
	$(COMPILE) --group docs -c requirements/build.txt -c requirements/runtime.txt \
	  -c requirements/dev.txt -o requirements/docs.txt

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
