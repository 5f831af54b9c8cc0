# Tidy data to frozen games.
from manybandits import datasets


def tidy_table(wildcards):
    dataset = PLAN.environments[wildcards.environment].dataset
    table = "edges" if datasets.load(dataset).DATASET.kind == "graph" else "ratings"
    return f"{DATA}/tidy/{dataset}/{table}.parquet"


rule environment:
    input:
        tidy_table,
    output:
        f"{DATA}/environments/{{environment}}.npz",
        f"{DATA}/environments/{{environment}}.npz.json",
    params:
        game=lambda w: PLAN.environments[w.environment].game,
        protocol=lambda w: PLAN.environments[w.environment].protocol,
        role=lambda w: PLAN.environments[w.environment].role,
        tidy=lambda w, input: str(Path(input[0]).parent),
        sources=digest("manybandits.environments.recommendation"),
    log:
        f"{WORK}/logs/environments/{{environment}}.log",
    shell:
        "python -m manybandits.environments.recommendation --game {params.game} --protocol {params.protocol}"
        " --tidy {params.tidy} --role {params.role} --out {output[0]} 2> {log}"
