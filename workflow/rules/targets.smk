# One target per figure and one per paper: `snakemake --cores 8 meta_ban_fig1`.
for target, made in RUN.plan.targets.items():

    rule:
        name:
            target
        input:
            RUN.evidence_of(made),
