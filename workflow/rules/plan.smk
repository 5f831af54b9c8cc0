# The plan: everything in the configuration and the paper files is checked here, before any job runs.
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from manybandits.core.configuration import overlay
from manybandits.core.errors import InputError
from manybandits.core.sources import digest
from manybandits.plan import make_plan

try:
    PLAN = make_plan(config, Path(workflow.basedir))
except InputError as error:
    raise WorkflowError(str(error)) from None

# Jobs run with the Python that runs Snakemake, whether or not its virtual environment is activated.
shell.prefix(f"export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; ")

DATA = "artifacts/data"
WORK = f"artifacts/{PLAN.name}"
REPORT = f"reports/{PLAN.name}"
PAGE = f"{REPORT}/index.html"
MIRROR = config["data"].get("mirror")
NOTEBOOKS = sorted({figure.paper for figure in PLAN.figures})


wildcard_constraints:
    dataset="|".join(sorted({name for e in PLAN.environments.values() for name in e.datasets}) or ["none"]),
    environment="|".join(sorted(PLAN.environments)),
    figure="|".join(sorted(figure.name for figure in PLAN.figures)),
    measurement="|".join(sorted(one.name for one in PLAN.measurements) or ["none"]),
    judged="|".join(sorted(PLAN.judged) or ["none"]),
    regression="|".join(sorted(PLAN.regressions) or ["none"]),
