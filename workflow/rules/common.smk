# The plan of the run. The configuration and all paper files are checked here, before any job starts.
import gc
from pathlib import Path

from snakemake.exceptions import WorkflowError

from manybandits.base.exceptions import InputError
from manybandits.planning.plan_cache import load_plan
from manybandits.planning.workflow import Run

# The folder with the files of the project. In a checkout their paths are relative, the same on every machine.
ROOT = Path() if Path(workflow.basedir) == Path.cwd() else Path(workflow.basedir)

try:
    RUN = Run(load_plan(config, ROOT, Path()), config, ROOT)
except InputError as error:
    raise WorkflowError(str(error)) from None

# Snakemake keeps thousands of job objects. Without this, the garbage collector would take a fifth of the time.
gc.freeze()
gc.set_threshold(100_000)

shell.prefix(RUN.shell_prefix)


wildcard_constraints:
    **RUN.constraints,
