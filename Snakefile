# The workflow is workflow/Snakefile. Here Snakemake looks for it first.
include: "workflow/Snakefile"


workflow.default_target = "all"  # that of a file that is included does not count
