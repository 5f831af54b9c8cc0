# Tidy data to frozen games; synthetic games need no data.
from manybandits import datasets

TABLES = {"ratings": "ratings", "graph": "edges", "tags": "user_artists"}


def tidy_table(wildcards):
    dataset = PLAN.environments[wildcards.environment].dataset
    if dataset is None:
        return []
    return f"{DATA}/tidy/{dataset}/{TABLES[datasets.load(dataset).DATASET.kind]}.parquet"


rule environment:
    input:
        tidy_table,
    output:
        f"{DATA}/environments/{{environment}}.npz",
        f"{DATA}/environments/{{environment}}.npz.json",
    params:
        module=lambda w: PLAN.environments[w.environment].module,
        arguments=lambda w: PLAN.environments[w.environment].arguments,
        tidy=lambda w, input: ["--tidy", str(Path(input[0]).parent)] if input else [],
        sources=lambda w: digest(PLAN.environments[w.environment].module),
    log:
        f"{WORK}/logs/environments/{{environment}}.log",
    shell:
        "python -m {params.module} {params.arguments:q} {params.tidy:q} --out {output[0]} 2> {log}"
