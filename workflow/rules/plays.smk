# Frozen games to run tables: one job an environment and algorithm, all grid points and seeds inside.
rule play:
    input:
        game=f"{RUN.data}/environments/{{environment}}.npz",
    output:
        table=f"{RUN.work}/runs/{{paper}}/{{environment}}/{{algorithm}}.parquet",
        provenance=f"{RUN.work}/runs/{{paper}}/{{environment}}/{{algorithm}}.parquet.json",
    log:
        f"{RUN.work}/logs/plays/{{paper}}/{{environment}}/{{algorithm}}.log",
    threads: config["threads"]
    # Not among the parameters: how many replicas are played at a time changes no result.
    resources:
        batch_bytes=config["memory"],
        mem_mb=RUN.play_memory,
        runtime=1440,
    params:
        command=RUN.play_command,
        # An edit of an algorithm, or of what it imports, reruns that algorithm and nothing else.
        sources=lambda w: RUN.play_of(w).digest,
    shell:
        "python -m {params.command:q} --environment {input.game} --out {output.table}"
        " --threads {threads} --memory {resources.batch_bytes} > {log} 2>&1"


# Estimators of related regressions to tables of their errors: nothing is played.
rule regression:
    output:
        table=f"{RUN.work}/regressions/{{regression}}.parquet",
        provenance=f"{RUN.work}/regressions/{{regression}}.parquet.json",
    log:
        f"{RUN.work}/logs/regressions/{{regression}}.log",
    resources:
        mem_mb=4000,
        runtime=480,
    params:
        arguments=lambda w: RUN.regressions[w.regression].arguments(),
        sources=RUN.digest("manybandits.estimators.comparison"),
    shell:
        "python -m manybandits.estimators.comparison {params.arguments:q} --out {output.table} 2> {log}"
