# Everything in the configuration and the paper files is checked here, before any job runs.
import gc
from pathlib import Path

from snakemake.exceptions import WorkflowError

from manybandits.base.exceptions import InputError
from manybandits.planning.plan_cache import load_plan
from manybandits.planning.workflow import Run

try:
    RUN = Run(load_plan(config, Path(workflow.basedir)), config)
except InputError as error:
    raise WorkflowError(str(error)) from None

# Thousands of jobs are made and kept: to look among them for garbage, again and again, takes a fifth of the time.
gc.freeze()
gc.set_threshold(100_000)

shell.prefix(RUN.shell_prefix)


wildcard_constraints:
    **RUN.constraints,
