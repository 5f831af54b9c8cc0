# Raw data -> tidy data -> frozen games -> plays -> figures and tables -> a page.
from snakemake.utils import min_version

min_version("9.0")


configfile: f"{workflow.basedir}/config.yaml"


report: "workflow/report/run.rst"


# For `--software-deployment-method apptainer`; without it, all jobs run in the environment of Snakemake. Snakemake takes
# no image whose path has a space.
if " " not in str(workflow.basedir):

    container: f"{workflow.basedir}/envs/manybandits.sif"


include: "workflow/rules/common.smk"
include: "workflow/rules/jobs.smk"


localrules:
    all,
    notebooks,


check_targets({rule.name for rule in workflow.rules})


rule all:
    default_target: True
    input:
        RUN.products,


onstart:
    hold_folder()


onerror:
    failed = workflow.scheduler.failed
    print(why((job.rule.name, str(log), list(job.input)) for job in failed for log in job.log), file=sys.stderr)


onsuccess:
    check_all_done(workflow.dag)
    if not RUN.from_packs and Path(RUN.page).is_file():
        print(f"The report is at {RUN.page}")
