# Two commands do everything: `make quickstart` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := --quiet --quiet --disable-pip-version-check  # errors only: warnings are about package indexes that are not needed
HASHED = $(BIN)/python -m pip install $(PIP) --require-hashes
CORES ?= all
RUN ?=
CHECK ?=
CALIBRATE ?=
STALE ?=
SIDE_BY_SIDE := -n 2 --dist loadfile --no-loadscope-reorder
export PATH := $(abspath $(BIN)):$(PATH)
unexport PYTHONDONTWRITEBYTECODE  # hundreds of processes share what one of them has compiled

.PHONY: help install quickstart verify outside save resume test test-fast test-release test-faults lint audit docs reproduce wheel list benchmark
.PHONY: estimate gpu-check test-all test-slurm test-cloud clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

install: $(VENV)/installed  ## make a virtual environment with the pinned versions

$(VENV)/installed: envs/requirements.lock envs/torch.lock envs/torch-cpu.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11.4 or newer is needed" if sys.version_info < (3, 11, 4) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(HASHED) --requirement envs/requirements.lock
	$(HASHED) --no-deps --requirement envs/torch-cpu.lock 2>/dev/null || \
		{ $(HASHED) --no-deps --requirement envs/torch.lock && $(BIN)/python -m pip install $(PIP) torch; }
	$(BIN)/python -m pip install $(PIP) --no-deps --no-build-isolation --editable .
	touch $@

quickstart: install  ## run the whole chain on embedded data: no download, two minutes
	$(BIN)/snakemake --cores $(CORES) --quiet rules host --configfile configs/embedded.yaml

verify: install  ## make committed results again from their run tables and compare the bytes (RUN=paper-scale for one run, PAPER=m_cnb)
	@$(BIN)/python -m manybandits.planning.verify $(RUN) $(addprefix --paper ,$(PAPER)) $(if $(filter-out all,$(CORES)),--cores $(CORES))

outside: RUN := $(or $(RUN),paper-scale)
outside: install  ## derive results of each paper of a run once more without this package, and compare them (RUN=paper-scale)
	@for paper in $(notdir $(wildcard workflow/papers/*)); do \
		ls reports/$(RUN)/tables/$${paper}_*.csv > /dev/null 2>&1 || continue; \
		echo $$paper && RESULTS=reports/$(RUN) $(BIN)/python notebooks/outside/$$paper.py || exit 1; \
	done

save: install  ## gather what a stopped run of readings has judged so far, to commit it (RUN=readings)
	@$(BIN)/python -m manybandits.planning.progress save $(RUN)

resume: install  ## take over the committed tables of a run; the next call of Snakemake plays the rest (RUN=paper-scale)
	@$(BIN)/python -m manybandits.planning.progress resume $(RUN) $(if $(filter-out all,$(CORES)),--cores $(CORES))

test: install  ## lint, check types, and run all tests but those in depth
	@$(MAKE) --no-print-directory --jobs 2 lint test-all  # types take one core, and the first tests wait for a Slurm

test-all: install
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "not release"

test-fast: install  ## run the tests that take a second or less once all is compiled
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "not slow and not release"

test-release: install  ## run the tests in depth, of faults, clusters, browsers, documentation, wheel, images (STALE=1: what changed)
	$(BIN)/python -m tests.release $(if $(STALE),--stale)

test-faults: install  ## break runs in many ways, for half an hour: kills, full disks, damaged files
	MANYBANDITS_FAULTS=long $(BIN)/python -m pytest $(SIDE_BY_SIDE) tests/faults

test-slurm: install  ## run the chain through a Slurm of one node (root, Debian's slurmctld, slurmd, slurm-client, munge)
	$(BIN)/python -m pytest -rs tests/slurm

test-cloud: install  ## lint, build and try the container image, and run the chain with its files in a bucket of this machine
	$(HASHED) --requirement envs/cloud.lock
	MANYBANDITS_IMAGES=build $(BIN)/python -m pytest -rs tests/envs tests/cloud

lint: install  ## check style, types, imports between packages, and the rules of the workflow
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyrefly check --python-interpreter-path $(BIN)/python --summary=none
	@found="$$($(BIN)/lint-imports --no-logo)" || { echo "$$found"; exit 1; }
	$(BIN)/snakefmt --check Snakefile workflow/Snakefile workflow/rules
	$(BIN)/snakemake --lint

docs: export NO_MKDOCS_2_WARNING = 1
docs: install  ## build the documentation in build/docs; it needs no network, to build or to read
	@$(BIN)/mkdocs build --strict
	@echo "The documentation is at build/docs/index.html"

audit: $(VENV)/audit/installed  ## look up known vulnerabilities of the pinned packages, where a network allows it
	@$(VENV)/audit/bin/python workflow/audit.py envs/requirements.lock envs/torch.lock

$(VENV)/audit/installed: envs/audit.lock
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install $(PIP) --require-hashes --requirement envs/audit.lock
	touch $@

reproduce: install  ## run everything at paper scale
	$(BIN)/snakemake --cores $(CORES)

wheel: install  ## build the wheel and the source distribution in dist
	rm -rf build dist
	$(BIN)/python -c "from setuptools import build_meta as build; build.build_sdist('dist'); build.build_wheel('dist')"

list: install  ## print every target that can be named: snakemake --cores 8 TARGET
	@$(BIN)/manybandits list experiments

benchmark: install  ## rounds per second of the policies, beside a plain loop
	$(BIN)/python benchmarks/linear_policies.py
	$(BIN)/python benchmarks/multiagent.py
	$(BIN)/python benchmarks/neural.py
	$(BIN)/python benchmarks/kernel_policies.py
	$(BIN)/python benchmarks/hybrid_policies.py
	$(BIN)/python benchmarks/multitask.py

gpu-check: install  ## on a GPU: whether networks choose as on the processor, and rounds a second, in some ten minutes
	@$(BIN)/python benchmarks/gpu.py

estimate: install  ## what a run costs before it runs: paper scale, RUN=paper-scale, or CHECK=paper-scale after it; CALIBRATE=1
	@$(BIN)/python -m manybandits.planning.estimate $(addprefix --config ,$(or $(CHECK),$(RUN))) \
		$(if $(CHECK),--check) $(if $(CALIBRATE),--calibrate) $(if $(filter-out all,$(CORES)),--cores $(CORES))

clean:  ## delete the caches of the pipeline
	rm -rf artifacts .snakemake
