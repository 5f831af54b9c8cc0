# One rule for each kind of jobs, which looks up the record of a job by its name (manybandits.planning.job_list).

# What a report of Snakemake shows of their outputs: rule -> the place of an output, its caption, and what it is.
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
        group:
            jobs.group if jobs.plays else None
        # While seconds are measured, no other job runs.
        threads: workflow.cores if jobs.rule.name == "measurement" else jobs.threads if jobs.plays else 1
        # The size of a batch of replicas is a resource, not a parameter, because it does not change results.
        resources:
            **jobs.resources,
            batch_bytes=config["memory"],
        params:
            words=jobs.words,
            # An edit of an algorithm, or of a module that it imports, reruns the plays of that algorithm only.
            identity=jobs.identity,
        shell:
            "python -m manybandits.base.steps --record 1 {params.words:q}"
            + (" --threads {threads} --memory {resources.batch_bytes}" if jobs.plays else "")
            + " > {log:q} 2>&1"


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


if not RUN.from_packs:

    rule packs:
        input:
            RUN.packed_files,
