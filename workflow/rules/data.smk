# Raw data, checked, to tidy tables whose counts are verified.
rule tidy:
    output:
        table=f"{RUN.data}/tidy/{{dataset}}/{{table}}",
    log:
        f"{RUN.work}/logs/tidy/{{dataset}}-{{table}}.log",
    resources:
        mem_mb=8000,
        runtime=240,
    params:
        raw=f"{RUN.data}/raw",
        folder=lambda w, output: str(Path(output.table).parents[1]),
        sources=lambda w: RUN.digest(f"manybandits.datasets.{w.dataset.replace('-', '_')}"),
    shell:
        "python -m manybandits.datasets tidy {wildcards.dataset} --raw {params.raw} --out {params.folder} > {log} 2>&1"
