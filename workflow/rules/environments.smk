# Tidy data to frozen games; synthetic games need no data.
from manybandits import datasets

TABLES = {
    "ratings": "ratings.parquet",
    "graph": "edges.parquet",
    "tags": "user_artists.parquet",
    "rows": "rows.parquet",
    "images": "images.npz",
    "log": "log.npz",
}


def tidy_tables(wildcards):
    used = ENVIRONMENTS[wildcards.environment].datasets
    return [f"{DATA}/tidy/{dataset}/{TABLES[datasets.load(dataset).DATASET.kind]}" for dataset in used]


rule environment:
    input:
        tidy_tables,
    output:
        f"{DATA}/environments/{{environment}}.npz",
        f"{DATA}/environments/{{environment}}.npz.json",
    params:
        module=lambda w: ENVIRONMENTS[w.environment].module,
        arguments=lambda w: ENVIRONMENTS[w.environment].arguments,
        tidy=lambda w, input: ["--tidy", *(str(Path(table).parent) for table in input)] if input else [],
        sources=lambda w: digest(ENVIRONMENTS[w.environment].module),
    log:
        f"{WORK}/logs/environments/{{environment}}.log",
    shell:
        "python -m {params.module} {params.arguments:q} {params.tidy:q} --out {output[0]} 2> {log}"
