# Raw data -> tidy data -> frozen games -> plays -> figures and tables -> a page.
from snakemake.utils import min_version

min_version("9.0")


configfile: "config.yaml"


report: "workflow/report/run.rst"


include: "workflow/rules/plan.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/environments.smk"
include: "workflow/rules/plays.smk"
include: "workflow/rules/evidence.smk"
include: "workflow/rules/notebooks.smk"


rule all:
    default_target: True
    input:
        PAGE,


onsuccess:
    print(f"The report is at {Path(PAGE).resolve()}")
