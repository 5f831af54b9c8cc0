# From tables to verdicts on the claims of the papers: each figure is judged alone, then all verdicts are gathered.
rule judge:
    input:
        tables=RUN.judged_on,
        beside=RUN.judged_beside,
        # Only claims are read from the files of a paper. They are parameters, so that an edit of them judges again.
        paper=ancient(local(lambda w: RUN.files_of(RUN.judged[w.judged].paper))),
    output:
        verdicts=f"{RUN.report}/verdicts/{{judged}}.jsonl",
        provenance=f"{RUN.report}/verdicts/{{judged}}.jsonl.json",
    log:
        f"{RUN.work}/logs/verdicts/{{judged}}.log",
    resources:
        **RUN.resources.of_step("judge"),
    params:
        paper=lambda w: RUN.folder_of(RUN.judged[w.judged].paper),
        experiment=lambda w: RUN.judged[w.judged].experiment,
        # An edit of a claim judges its figure again and no other. An edit of `because` judges nothing again.
        claims=RUN.claims_about,
        scale=lambda w: RUN.judged[w.judged].scale.to_json(),
        sources=RUN.digest("manybandits.claims.verdicts"),
    shell:
        "python -m manybandits.claims judge --paper {params.paper:q} --experiment {params.experiment:q}"
        " --scale {params.scale:q} --tables {input.tables:q}"
        " --out {output.verdicts:q} 2> {log:q}"


rule verdicts:
    input:
        judged=expand(f"{RUN.report}/verdicts/{{judged}}.jsonl", judged=RUN.judged),
        papers=ancient(local(RUN.paper_files)),
        tables=RUN.read_by_reasons,
        readings=RUN.readings.judged,
    output:
        verdicts=RUN.verdicts,
        headlines=RUN.headlines,
        exports=RUN.exports,
        provenance=RUN.beside([RUN.verdicts, RUN.headlines, *RUN.exports]),
    log:
        f"{RUN.work}/logs/verdicts.log",
    resources:
        **RUN.resources.of_step("verdicts"),
    params:
        papers=RUN.papers,
        tables=lambda w, output: f"{Path(output.verdicts).parent}/tables",
        folder=lambda w, output: str(Path(output.verdicts).parent),
        # Where the job finds the summary of the set-ups, if there is one.
        readings=lambda w, input: ["--readings-of", str(Path(input.readings[0]).parent)] if input.readings else [],
        omitted=RUN.omitted,
        claims=lambda w: RUN.all_claims,  # a function, because reasons have numbers in braces
        sources=RUN.digest("manybandits.claims.verdicts"),
    shell:
        "python -m manybandits.claims gather --papers {params.papers:q} --verdicts {input.judged:q}"
        " --tables {params.tables:q} {params.readings:q} --omitted {params.omitted:q} --out {params.folder:q} 2> {log:q}"
