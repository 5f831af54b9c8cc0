# Headlines under all of their readings: played in batches, judged, explained by their choices, and drawn as curves.
if RUN.from_packs:

    # What is played for readings is not committed; their verdicts are, and all else is made of these.
    rule committed_readings:
        input:
            table=f"{RUN.readings.committed}/{{curve}}.csv",
            provenance=f"{RUN.readings.committed}/{{curve}}.csv.json",
        output:
            table=f"{RUN.readings.folder}/{{curve}}.csv",
            provenance=f"{RUN.readings.folder}/{{curve}}.csv.json",
        log:
            f"{RUN.work}/logs/readings/{{curve}}.log",
        resources:
            **RUN.resources.of_step("committed_readings"),
        shell:
            "cp {input.table:q} {output.table:q} && cp {input.provenance:q} {output.provenance:q} 2> {log:q}"

else:

    rule batch:
        input:
            games=RUN.readings.games_of,
        output:
            tables=f"{RUN.work}/batches/{{batch}}.parquet",
            provenance=f"{RUN.work}/batches/{{batch}}.parquet.json",
        log:
            f"{RUN.work}/logs/batches/{{batch}}.log",
        group:
            RUN.resources.group
        threads: RUN.resources.threads
        # The size of a batch of replicas is a resource, not a parameter, because it does not change results.
        resources:
            **RUN.resources.of_plays,
            batch_bytes=config["memory"],
        params:
            arguments=RUN.readings.batch_arguments,
            games=lambda w, input: ["--games", *input.games] if input.games else [],
            sources=lambda w: RUN.readings.batches[w.batch].digest,
        shell:
            "python -m manybandits.harness.batch {params.arguments:q} {params.games:q} --out {output.tables:q}"
            " --threads {threads} --memory {resources.batch_bytes} > {log:q} 2>&1"

    rule readings:
        input:
            batches=RUN.readings.batches_of,
            errors=RUN.readings.errors_of,
        output:
            table=f"{RUN.readings.folder}/{{curve}}.csv",
            provenance=f"{RUN.readings.folder}/{{curve}}.csv.json",
        log:
            f"{RUN.work}/logs/readings/{{curve}}.log",
        resources:
            **RUN.resources.of_step("readings"),
        params:
            config=lambda w: RUN.readings.config_text,
            headline=RUN.readings.headline_of,
            work=RUN.work,
            judged=lambda w: RUN.readings.curves[w.curve].judged,
            sources=RUN.digest("manybandits.planning.curves"),
        shell:
            "python -m manybandits.planning.curves --config {params.config:q} --headline {params.headline:q}"
            " --batches {input.batches:q} --work {params.work:q} --out {output.table:q} 2> {log:q}"


rule choices:
    input:
        table=f"{RUN.readings.folder}/{{curve}}.csv",
    output:
        choices=f"{RUN.readings.folder}/{{curve}}.choices.csv",
        provenance=f"{RUN.readings.folder}/{{curve}}.choices.csv.json",
    log:
        f"{RUN.work}/logs/readings/{{curve}}_choices.log",
    resources:
        **RUN.resources.of_step("choices"),
    params:
        headline=RUN.readings.headline_of,
        sources=RUN.digest("manybandits.claims.readings"),
    shell:
        "python -m manybandits.claims.readings explain --headline {params.headline:q} --readings {input.table:q}"
        " --out {output.choices:q} 2> {log:q}"


rule curve:
    input:
        table=f"{RUN.readings.folder}/{{curve}}.csv",
    output:
        picture=f"{RUN.report}/figures/readings_{{curve}}.svg",
        numbers=multiext(f"{RUN.report}/figures/readings_{{curve}}", ".csv", ".csv.json"),
    log:
        f"{RUN.work}/logs/figures/readings_{{curve}}.log",
    resources:
        **RUN.resources.of_step("curve"),
    params:
        title=lambda w: RUN.readings.curves[w.curve].title,
        stem=lambda w, output: output.picture.removesuffix(".svg"),
        sources=RUN.digest("manybandits.figures.curve"),
    shell:
        "python -m manybandits.figures.curve --title {params.title:q} --readings {input.table:q}"
        " --out {params.stem:q} 2> {log:q}"


rule summaries:
    input:
        choices=expand(f"{RUN.readings.folder}/{{curve}}.choices.csv", curve=RUN.readings.curves),
    output:
        table=RUN.readings.summaries,
        provenance=RUN.beside(RUN.readings.summaries),
    log:
        f"{RUN.work}/logs/readings.log",
    resources:
        **RUN.resources.of_step("summaries"),
    params:
        sources=RUN.digest("manybandits.claims.readings"),
    shell:
        "python -m manybandits.claims.readings gather --choices {input.choices:q} --out {output.table:q} 2> {log:q}"
