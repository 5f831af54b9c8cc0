# Raw data, checked, to tidy tables whose counts are verified: a rule a kind of data, which has files of its own.
from manybandits import datasets

TIDY = {}
for name in sorted({name for environment in ENVIRONMENTS.values() for name in environment.datasets}):
    dataset = datasets.load(name).DATASET
    TIDY.setdefault(f"tidy_{dataset.kind}{'_with_features' if dataset.features else ''}", []).append(dataset)

# Raw files are not among the outputs: Snakemake removes those before it runs a job again, but a raw file may have been
# placed by hand, or have taken hours to download. Each is checked whenever it is read.
for kind, alike in TIDY.items():

    rule:
        name:
            kind
        output:
            tables=[f"{DATA}/tidy/{{dataset}}/{file}" for file in alike[0].tidy_files],
            provenance=[f"{DATA}/tidy/{{dataset}}/{file}.json" for file in alike[0].tidy_files],
        wildcard_constraints:
            dataset="|".join(dataset.name for dataset in alike),
        params:
            sources=lambda w: digest(f"manybandits.datasets.{w.dataset.replace('-', '_')}"),
        log:
            f"{WORK}/logs/tidy/{{dataset}}.log",
        shell:
            "python -m manybandits.datasets tidy {wildcards.dataset} --raw {DATA}/raw --out {DATA}/tidy {MIRROR:q}"
            " > {log} 2>&1"
