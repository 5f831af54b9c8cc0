# The plan: everything in the configuration and the paper files is checked here, before any job runs.
import gc
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from manybandits.base.exceptions import InputError
from manybandits.base.sources import digest, docstring_digest
from manybandits.planning.plan_cache import load_plan

try:
    PLAN = load_plan(config, Path(workflow.basedir))
except InputError as error:
    raise WorkflowError(str(error)) from None

# Thousands of jobs are made and kept: to look among them for garbage, again and again, takes a fifth of the time.
gc.freeze()
gc.set_threshold(100_000)

# Jobs run with the Python that runs Snakemake, whether or not its virtual environment is activated.
shell.prefix(f"export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; ")

DATA = "artifacts/data"
WORK = f"artifacts/{PLAN.name}"
REPORT = f"reports/{PLAN.name}"
PAGE = f"{REPORT}/index.html"
# Not among the parameters of a rule: where raw data come from changes no result.
MIRROR = ["--mirror", config["data"]["mirror"]] if config["data"].get("mirror") else []
PLAYS = PLAN.plays
ENVIRONMENTS = PLAN.environments
REGRESSIONS = PLAN.regressions
NOTEBOOKS = sorted({figure.paper for figure in PLAN.figures})


wildcard_constraints:
    dataset="|".join(sorted({name for e in ENVIRONMENTS.values() for name in e.datasets}) or ["none"]),
    environment="|".join(sorted(ENVIRONMENTS)),
    figure="|".join(sorted(figure.name for figure in PLAN.figures)),
    measurement="|".join(sorted(one.name for one in PLAN.measurements) or ["none"]),
    judged="|".join(sorted(PLAN.judged) or ["none"]),
    regression="|".join(sorted(REGRESSIONS) or ["none"]),
