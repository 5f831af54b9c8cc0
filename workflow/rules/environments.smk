# From tidy data to frozen games. Synthetic games need no data.
rule environment:
    input:
        tables=RUN.tidy_tables,
    output:
        game=f"{RUN.data}/environments/{{environment}}.npz",
        provenance=f"{RUN.data}/environments/{{environment}}.npz.json",
    log:
        f"{RUN.work}/logs/environments/{{environment}}.log",
    resources:
        mem_mb=lambda wildcards, attempt: 8000 * attempt,
        runtime=120,
    params:
        module=lambda w: RUN.environments[w.environment].module,
        arguments=lambda w: RUN.environments[w.environment].arguments,
        tidy=RUN.tidy_folders,
        sources=lambda w: RUN.digest(RUN.environments[w.environment].module),
    shell:
        "python -m {params.module} {params.arguments:q} {params.tidy:q} --out {output.game} 2> {log}"
