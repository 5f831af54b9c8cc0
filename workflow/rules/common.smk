# The plan of the run. The configuration and all paper files are checked here, before any job starts.
import gc
import sys
from pathlib import Path

from snakemake.cli import get_argument_parser
from snakemake.exceptions import WorkflowError

from manybandits.base.exceptions import InputError
from manybandits.base.project import find_root
from manybandits.papers.files import PLACE
from manybandits.planning.failures import check_all_done, why
from manybandits.planning.listing import check_target, is_name
from manybandits.planning.lookup import lookups, shell_prefix
from manybandits.planning.plan_cache import load_plan
from manybandits.planning.running import hold
from manybandits.planning.settling import settle
from manybandits.planning.workflow import Workflow

# The folder with the files of the project. In a checkout their paths are relative, the same on every machine. Where
# Snakemake sends a job without a shared disk, it sends the rules alone: the other files are those of the package there.
ROOT = Path() if PROJECT == Path.cwd() else PROJECT
ROOT = ROOT if Path(ROOT, PLACE).exists() else find_root()

try:
    # Only a run fetches: not a dry one, not a command such as --unlock, which needs no cores, not --lint, which checks no
    # variables, nor a list of rules, and not the run's jobs, which find what it settled.
    words = set(sys.argv[1:])
    asked = workflow.resource_settings.cores or workflow.resource_settings.nodes
    telling = not workflow.check_envvars or words & {"--list", "-l", "--list-rules", "--lt", "--list-target-rules"}
    fetching = asked and not telling and workflow.is_main_process and not workflow.output_settings.dryrun
    if fetching and not config["from_tables"]:
        PLAN = settle(config, ROOT, Path(), words)
    else:
        PLAN = load_plan(config, ROOT, Path())
    RUN = Workflow(PLAN, config, ROOT)
    LOOKUPS = lookups(RUN)
except InputError as error:
    raise WorkflowError(str(error)) from None


def hold_folder():
    """Hold the working folder until this run has ended; a second run in it stops here, before any job."""
    try:
        if not RUN.from_tables:  # then `make verify` holds its own folder
            hold(f"run {RUN.plan.name}")
    except (InputError, OSError) as error:
        raise WorkflowError(str(error)) from None


def check_targets(rules):
    """Stop at a target that is no file and no rule, before Snakemake does without naming the nearest one or a cure."""
    # Snakemake knows its targets only after it has read the rules, so they are read from its command line.
    called = "snakemake" in Path(sys.argv[0]).parts[-2:]
    named = get_argument_parser().parse_known_args(sys.argv[1:])[0].targets if called else []
    try:
        for target in filter(is_name, named):
            check_target(target, RUN.plan.name, RUN.plan.left_out, {"all", *rules}, ROOT)
    except InputError as error:
        raise WorkflowError(str(error)) from None


# Snakemake keeps thousands of job objects. Without this, the garbage collector would take a fifth of the time.
gc.freeze()
gc.set_threshold(100_000)

shell.prefix(shell_prefix(config))

# What a report of Snakemake shows of what jobs make: rule -> the place of an output, its caption, and what it is.
SHOWN = {
    "figure": {0: ("figure", "figure"), 2: ("table", "table (.csv)")},
    "measurement": {0: ("measurement", "table (.csv)")},
}


def outputs_of(jobs):
    """Return the outputs of a rule, with what a report shows of them."""
    found = list(jobs.rule.outputs)
    for place, (caption, what) in SHOWN.get(jobs.rule.name, {}).items():
        told = {"caption": f"../report/{caption}.rst", "category": jobs.paper, "labels": jobs.labels(what)}
        found[place] = report(found[place], **told)
    return found


def files_of(jobs):
    """Return the files of the project that jobs read. Of papers, claims alone are judged, which are in the identity."""
    judging = jobs.rule.name in ("judge", "verdicts")
    return [ancient(local(jobs.files)) if judging else local(jobs.files)] if jobs.has_files else []
