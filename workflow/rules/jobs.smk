# One rule for each kind of jobs, which looks up the record of a job by its name (manybandits.planning.job_list).
for jobs in LOOKUPS:

    rule:
        name:
            jobs.rule.name
        input:
            jobs.inputs,
            *files_of(jobs),
        output:
            *outputs_of(jobs),
        log:
            jobs.rule.log,
        wildcard_constraints:
            **jobs.constraints,
        priority: jobs.priority
        group:
            jobs.asked("group") if jobs.plays else None
        # While seconds are measured, no other job runs.
        threads: workflow.cores if jobs.rule.name == "measurement" else jobs.asked("threads") if jobs.plays else 1
        # What does not change results is a resource, not a parameter: the size of a batch of replicas, and how many.
        resources:
            **jobs.resources,
            batch_bytes=config["memory"],
        params:
            words=jobs.words,
            # An edit of an algorithm, or of a module that it imports, reruns the plays of that algorithm only.
            identity=jobs.identity,
        # Snakemake evaluates this again when a job runs, after the loop: it may not name the rule's `jobs`.
        shell:
            "python -m manybandits.base.steps --record 2"
            " --threads {threads} --memory {resources.batch_bytes} --shards {resources.shards}"
            " {params.words:q} > {log:q} 2>&1"


# One target per figure and one per paper: `snakemake --cores 8 meta_ban_fig1`.
for target, made in RUN.plan.targets.items():

    rule:
        name:
            target
        input:
            RUN.evidence_of(made),


rule notebooks:
    input:
        RUN.notebook_pages,
