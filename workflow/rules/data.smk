# From raw data to tidy tables with verified counts. There is one rule per kind of data, because each kind has its own
# files. Raw files are not outputs: Snakemake deletes outputs before it runs a job again, but a raw file may have been
# placed by hand or may have taken hours to download. Its checksum is verified whenever it is read.
for kind, alike in RUN.inputs.kinds.items():

    rule:
        name:
            f"tidy_{kind}"
        output:
            tables=[f"{RUN.data}/tidy/{{dataset}}/{file}" for file in alike[0].tidy_files],
            provenance=[f"{RUN.data}/tidy/{{dataset}}/{file}.json" for file in alike[0].tidy_files],
        log:
            f"{RUN.work}/logs/tidy/{{dataset}}.log",
        wildcard_constraints:
            dataset=RUN.one_of(dataset.name for dataset in alike),
        resources:
            **RUN.resources.of_step("tidy"),
        params:
            raw=f"{RUN.data}/raw",
            folder=lambda w, output: str(Path(output.tables[0]).parents[1]),
            name=lambda w: RUN.inputs.data_sets[w.dataset],
            sources=RUN.inputs.data_sources,
        shell:
            "python -m manybandits.datasets tidy {params.name:q} --raw {params.raw:q} --out {params.folder:q}"
            " > {log:q} 2>&1"
