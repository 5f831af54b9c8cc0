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
        **RUN.resources.of_step("environment"),
    params:
        command=RUN.inputs.game_command,
        tidy=lambda w, input: RUN.inputs.tidy_folders(input.tables),
        sources=RUN.inputs.game_sources,
    shell:
        "python -m {params.command:q} {params.tidy:q} --out {output.game:q} 2> {log:q}"
