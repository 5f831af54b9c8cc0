# From packed run tables to run tables, in place of data, games and plays. All other rules are those of a run.
for pack in RUN.packed:

    rule:
        name:
            f"unpack_{pack}"
        input:
            packed=f"{RUN.packs}/{pack}.parquet",
            provenance=f"{RUN.packs}/{pack}.parquet.json",
        output:
            tables=RUN.tables_in(pack),
            beside=RUN.beside(RUN.tables_in(pack)),
            measurements=RUN.measured_in(pack, ".csv", ".csv.json", ".md"),
        log:
            f"{RUN.work}/logs/packs/{pack}.log",
        resources:
            **RUN.resources.of_step("unpack"),
        params:
            tables=RUN.work,
            measurements=f"{RUN.report}/tables",
        shell:
            "python -m manybandits.results.packed unpack {input.packed:q} --tables {params.tables:q}"
            " --measurements {params.measurements:q} 2> {log:q}"
