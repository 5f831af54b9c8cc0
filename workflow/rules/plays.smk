# Frozen games to run tables: one job an environment and algorithm, all grid points and seeds inside.
def play_of(wildcards):
    return PLAYS[f"{wildcards.paper}/{wildcards.environment}/{wildcards.algorithm}"]


def script_of(play):
    """Return the module that is run, and its arguments. The device is one of neural plays alone."""
    return [play.module, *play.arguments(), *(["--device", config["device"]] if play.batched else [])]


rule play:
    input:
        f"{DATA}/environments/{{environment}}.npz",
    output:
        f"{WORK}/runs/{{paper}}/{{environment}}/{{algorithm}}.parquet",
        f"{WORK}/runs/{{paper}}/{{environment}}/{{algorithm}}.parquet.json",
    params:
        script=lambda w: script_of(play_of(w)),
        # An edit of an algorithm, or of what it imports, reruns that algorithm and nothing else.
        sources=lambda w: play_of(w).digest,
    threads: config["threads"]
    # Not among the parameters: how many replicas are played at a time changes no result.
    resources:
        memory=config["memory"],
    log:
        f"{WORK}/logs/plays/{{paper}}/{{environment}}/{{algorithm}}.log",
    shell:
        "python -m {params.script:q} --environment {input} --out {output[0]}"
        " --threads {threads} --memory {resources.memory} > {log} 2>&1"


# Estimators of related regressions to tables of their errors: nothing is played.
rule regression:
    output:
        f"{WORK}/regressions/{{regression}}.parquet",
        f"{WORK}/regressions/{{regression}}.parquet.json",
    params:
        arguments=lambda w: REGRESSIONS[w.regression].arguments(),
        sources=digest("manybandits.estimators.comparison"),
    log:
        f"{WORK}/logs/regressions/{{regression}}.log",
    shell:
        "python -m manybandits.estimators.comparison {params.arguments:q} --out {output[0]} 2> {log}"
