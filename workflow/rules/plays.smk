# Frozen games to run tables: one job an environment and algorithm, all grid points and seeds inside.
rule play:
    input:
        f"{DATA}/environments/{{environment}}.npz",
    output:
        f"{WORK}/runs/{{paper}}/{{environment}}/{{algorithm}}.parquet",
        f"{WORK}/runs/{{paper}}/{{environment}}/{{algorithm}}.parquet.json",
    params:
        module=lambda w: PLAN.plays[f"{w.paper}/{w.environment}/{w.algorithm}"].module,
        arguments=lambda w: PLAN.plays[f"{w.paper}/{w.environment}/{w.algorithm}"].arguments(),
        # An edit of an algorithm, or of what it imports, reruns that algorithm and nothing else.
        sources=lambda w: PLAN.plays[f"{w.paper}/{w.environment}/{w.algorithm}"].digest,
        memory=config["memory"],
        device=config["device"],
    threads: config["threads"]
    log:
        f"{WORK}/logs/plays/{{paper}}/{{environment}}/{{algorithm}}.log",
    shell:
        "python -m {params.module} --environment {input} --out {output[0]} {params.arguments:q}"
        " --threads {threads} --memory {params.memory} --device {params.device} > {log} 2>&1"


# Estimators of related regressions to tables of their errors: nothing is played.
rule regression:
    output:
        f"{WORK}/regressions/{{regression}}.parquet",
        f"{WORK}/regressions/{{regression}}.parquet.json",
    params:
        arguments=lambda w: PLAN.regressions[w.regression].arguments(),
        sources=digest("manybandits.regress"),
    log:
        f"{WORK}/logs/regressions/{{regression}}.log",
    shell:
        "python -m manybandits.regress {params.arguments:q} --out {output[0]} 2> {log}"
