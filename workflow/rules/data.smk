# Raw data, checked, to tidy tables whose counts are verified.
rule tidy:
    output:
        f"{DATA}/tidy/{{dataset}}/{{table}}",
    wildcard_constraints:
        table=r"ratings\.parquet|edges\.parquet|user_artists\.parquet|rows\.parquet|images\.npz|log\.npz",
    params:
        sources=lambda w: digest(f"manybandits.datasets.{w.dataset.replace('-', '_')}"),
    log:
        f"{WORK}/logs/tidy/{{dataset}}-{{table}}.log",
    shell:
        "python -m manybandits.datasets tidy {wildcards.dataset} --raw {DATA}/raw --out {DATA}/tidy {MIRROR:q} > {log} 2>&1"
