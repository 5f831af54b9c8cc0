# From frozen games to run tables: one job per game and algorithm plays all grid points and seeds.
rule play:
    input:
        game=f"{RUN.data}/environments/{{environment}}.npz",
    output:
        table=f"{RUN.work}/runs/{{paper}}/{{environment}}/{{algorithm}}.parquet",
        provenance=f"{RUN.work}/runs/{{paper}}/{{environment}}/{{algorithm}}.parquet.json",
    log:
        f"{RUN.work}/logs/plays/{{paper}}/{{environment}}/{{algorithm}}.log",
    group:
        RUN.resources.group
    threads: RUN.resources.threads
    # The size of a batch is a resource, not a parameter, because it does not change results.
    resources:
        **RUN.resources.of_plays,
        batch_bytes=config["memory"],
    params:
        command=RUN.play_command,
        # An edit of an algorithm, or of a module that it imports, reruns the plays of that algorithm only.
        sources=lambda w: RUN.play_of(w).digest,
    shell:
        "python -m {params.command:q} --environment {input.game:q} --out {output.table:q}"
        " --threads {threads} --memory {resources.batch_bytes} > {log:q} 2>&1"


# Estimators of related regressions, and tables of their errors. No game is played.
rule regression:
    output:
        table=f"{RUN.work}/regressions/{{regression}}.parquet",
        provenance=f"{RUN.work}/regressions/{{regression}}.parquet.json",
    log:
        f"{RUN.work}/logs/regressions/{{regression}}.log",
    resources:
        **RUN.resources.of_step("regression"),
    params:
        arguments=lambda w: RUN.regressions[w.regression].arguments(),
        sources=RUN.digest("manybandits.estimators.comparison"),
    shell:
        "python -m manybandits.estimators.comparison {params.arguments:q} --out {output.table:q} 2> {log:q}"


# Seconds that a paper reports, measured on this machine.
rule measurement:
    input:
        games=RUN.timed_games,
    output:
        table=report(
            f"{RUN.report}/tables/{{measurement}}.csv",
            caption="../report/measurement.rst",
            category=RUN.paper_of,
            labels=RUN.labels("table (.csv)"),
        ),
        markdown=f"{RUN.report}/tables/{{measurement}}.md",
        provenance=f"{RUN.report}/tables/{{measurement}}.csv.json",
    log:
        f"{RUN.work}/logs/tables/{{measurement}}.log",
    threads: workflow.cores  # no other job runs at the same time
    resources:
        **RUN.resources.of_step("measurement"),
    params:
        title=lambda w: RUN.measurements[w.measurement].title,
        module=lambda w: RUN.measurements[w.measurement].module,
        games=lambda w, input: ["--games", *input.games] if input.games else [],
        stem=lambda w, output: output.table.removesuffix(".csv"),
        sources=lambda w: RUN.digest(RUN.measurements[w.measurement].module),
    shell:
        "python -m {params.module:q} --title {params.title:q} {params.games:q} --out {params.stem:q} > {log:q} 2>&1"
