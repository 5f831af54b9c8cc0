# From tidy data to frozen games. Synthetic games need no data.
rule environment:
    input:
        tables=RUN.inputs.tidy_tables,
    output:
        game=f"{RUN.data}/environments/{{environment}}.npz",
        provenance=f"{RUN.data}/environments/{{environment}}.npz.json",
    log:
        f"{RUN.work}/logs/environments/{{environment}}.log",
    resources:
        mem_mb=lambda wildcards, attempt: 8000 * attempt,
        runtime=120,
    params:
        command=RUN.inputs.game_command,
        tidy=RUN.inputs.tidy_folders,
        sources=RUN.inputs.game_sources,
    shell:
        "python -m {params.command:q} {params.tidy:q} --out {output.game} 2> {log}"
