# From run tables to packed ones, one file per paper. They are committed, so that `make verify` can make all figures,
# tables and verdicts again without data and without a play.
rule pack:
    input:
        tables=lambda w: RUN.tables_in(w.pack),
        beside=lambda w: RUN.beside(RUN.tables_in(w.pack)),
        measurements=lambda w: RUN.measured_in(w.pack, ".csv"),
        measured=lambda w: RUN.measured_in(w.pack, ".csv.json", ".md"),
    output:
        packed=f"{RUN.packs}/{{pack}}.parquet",
        provenance=f"{RUN.packs}/{{pack}}.parquet.json",
    log:
        f"{RUN.work}/logs/packs/{{pack}}.log",
    resources:
        **RUN.resources.of_step("pack"),
    params:
        identities=lambda w: list(RUN.identities(w.pack).values()),  # in the order of the tables
        sources=RUN.digest("manybandits.results.packed"),
    shell:
        "python -m manybandits.results.packed pack --tables {input.tables:q} --measurements {input.measurements:q}"
        " --identities {params.identities:q} --out {output.packed:q} 2> {log:q}"


rule packs:
    input:
        RUN.packed_files,
