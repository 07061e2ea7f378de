# Every target does its own set-up in .venv; PYTHON chooses the interpreter.
PYTHON ?= python3
VENV ?= .venv
CONSTRAINTS ?=
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-all check format bench

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS)) --group dev --editable '.[demo]'
	touch $@

demo: $(STAMP)  ## record an agent on both SDKs, replay it without key and network
	$(BIN)/intercept demo

test: $(STAMP)  ## the quick tests
	$(BIN)/python -m pytest -n auto --dist loadgroup -m 'not slow'

test-all: $(STAMP)  ## every test
	$(BIN)/python -m pytest -n auto --dist loadgroup

check: $(STAMP)  ## what CI checks beside the tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

bench: $(STAMP)  ## what recording costs, beside the SDK alone
	$(BIN)/python -m benchmarks

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
