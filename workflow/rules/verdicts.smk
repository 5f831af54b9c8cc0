# From tables to verdicts on the claims of the papers: each figure is judged alone, then all verdicts are gathered.
rule judge:
    input:
        tables=RUN.judged_on,
        beside=RUN.judged_beside,
        # Only claims are read from the files of a paper. They are parameters, so that an edit of them judges again.
        paper=ancient(lambda w: RUN.files_of(RUN.judged[w.judged].paper)),
    output:
        verdicts=f"{RUN.report}/verdicts/{{judged}}.csv",
        provenance=f"{RUN.report}/verdicts/{{judged}}.csv.json",
    log:
        f"{RUN.work}/logs/verdicts/{{judged}}.log",
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        paper=lambda w: RUN.folder_of(RUN.judged[w.judged].paper),
        experiment=lambda w: RUN.judged[w.judged].experiment,
        protocol=lambda w: RUN.judged[w.judged].protocol,
        # An edit of a claim judges its figure again and no other. An edit of `because` judges nothing again.
        claims=RUN.claims_about,
        scale=lambda w: RUN.judged[w.judged].scale.to_json(),
        sources=RUN.digest("manybandits.claims.verdicts"),
    shell:
        "python -m manybandits.claims judge --paper {params.paper:q} --experiment {params.experiment}"
        " --protocol {params.protocol} --scale {params.scale:q} --tables {input.tables} --out {output.verdicts} 2> {log}"


rule verdicts:
    input:
        judged=expand(rules.judge.output.verdicts, judged=RUN.judged),
        papers=ancient(RUN.paper_files),
        tables=RUN.read_by_reasons,
    output:
        verdicts=RUN.verdicts,
        headlines=RUN.headlines,
        provenance=RUN.beside([RUN.verdicts, RUN.headlines]),
    log:
        f"{RUN.work}/logs/verdicts.log",
    resources:
        mem_mb=1000,
        runtime=15,
    params:
        papers=RUN.papers,
        tables=lambda w: f"{RUN.report}/tables",
        omitted=RUN.omitted,
        claims=lambda w: RUN.all_claims,  # a function, because reasons have numbers in braces
        sources=RUN.digest("manybandits.claims.verdicts"),
    shell:
        "python -m manybandits.claims gather --papers {params.papers:q} --verdicts {input.judged}"
        " --tables {params.tables} --headlines {output.headlines}"
        " --omitted {params.omitted:q} --out {output.verdicts} 2> {log}"
