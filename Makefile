# Two commands do everything: `make quickstart` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := --quiet --quiet --disable-pip-version-check  # errors only: warnings are about package indexes that are not needed
CORES ?= all
RUN ?=
export PATH := $(abspath $(BIN)):$(PATH)

.PHONY: help install quickstart verify test test-fast lint reproduce wheel list benchmark estimate clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

install: $(VENV)/installed  ## make a virtual environment with the pinned versions

$(VENV)/installed: envs/requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install $(PIP) --requirement envs/requirements.lock
	$(BIN)/python -m pip install $(PIP) --no-deps --no-build-isolation --editable .
	touch $@

quickstart: install  ## run the whole chain on embedded data: no download, three minutes
	$(BIN)/snakemake --cores $(CORES) --quiet rules host --configfile configs/embedded.yaml

verify: install  ## make committed results again from their run tables and compare the bytes (RUN=reduced for one run)
	@$(BIN)/python -m manybandits.planning.verify $(RUN) $(if $(filter-out all,$(CORES)),--cores $(CORES))

test: install lint  ## lint, check types and run all tests
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

test-fast: install  ## run the tests that take a second or less once all is compiled
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow"

lint: install  ## check style, types, imports between packages, and the rules of the workflow
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@found="$$($(BIN)/lint-imports --no-logo)" || { echo "$$found"; exit 1; }
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/python workflow/lint.py

reproduce: install  ## run everything at paper scale
	$(BIN)/snakemake --cores $(CORES)

wheel: install  ## build the wheel and the source distribution in dist
	rm -rf build dist
	$(BIN)/python -c "from setuptools import build_meta as build; build.build_sdist('dist'); build.build_wheel('dist')"

list: install  ## print every target that can be named: snakemake --cores 8 TARGET
	@$(BIN)/python -m manybandits.planning.plan

benchmark: install  ## rounds per second of the policies, beside a plain loop
	$(BIN)/python benchmarks/linear_policies.py
	$(BIN)/python benchmarks/multiagent.py
	$(BIN)/python benchmarks/neural.py
	$(BIN)/python benchmarks/kernel_policies.py
	$(BIN)/python benchmarks/hybrid_policies.py
	$(BIN)/python benchmarks/multitask.py

estimate: install  ## how long all papers take at paper scale, from a run of configs/reduced.yaml
	@$(BIN)/python -m manybandits.planning.estimate --config configs/reduced.yaml

clean:  ## delete the caches of the pipeline
	rm -rf artifacts .snakemake
