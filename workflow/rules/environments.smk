# Tidy data to frozen games; synthetic games need no data.
from manybandits.datasets.base import TIDY_FILES


def tidy_tables(wildcards):
    """Return the tidy files that a game is made from. Published features are not among them: no game reads them."""
    used = ENVIRONMENTS[wildcards.environment].datasets
    return [f"{DATA}/tidy/{name}/{file}" for name in used for file in TIDY_FILES[datasets.load(name).DATASET.kind]]


def tidy_folders(wildcards):
    used = ENVIRONMENTS[wildcards.environment].datasets
    return ["--tidy", *(f"{DATA}/tidy/{name}" for name in used)] if used else []


rule environment:
    input:
        tidy_tables,
    output:
        game=f"{DATA}/environments/{{environment}}.npz",
        provenance=f"{DATA}/environments/{{environment}}.npz.json",
    params:
        module=lambda w: ENVIRONMENTS[w.environment].module,
        arguments=lambda w: ENVIRONMENTS[w.environment].arguments,
        tidy=tidy_folders,
        sources=lambda w: digest(ENVIRONMENTS[w.environment].module),
    log:
        f"{WORK}/logs/environments/{{environment}}.log",
    shell:
        "python -m {params.module} {params.arguments:q} {params.tidy:q} --out {output.game} 2> {log}"
