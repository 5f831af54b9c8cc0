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
            mem_mb=100,
            runtime=5,
        shell:
            "cp {input.table} {output.table} && cp {input.provenance} {output.provenance} 2> {log}"

else:

    rule batch:
        input:
            game=lambda w: f"{RUN.data}/environments/{RUN.readings.batches[w.batch].environment.name}.npz",
        output:
            tables=f"{RUN.work}/batches/{{batch}}.parquet",
            provenance=f"{RUN.work}/batches/{{batch}}.parquet.json",
        log:
            f"{RUN.work}/logs/batches/{{batch}}.log",
        threads: config["threads"]
        # The size of a batch of replicas is a resource, not a parameter, because it does not change results.
        resources:
            batch_bytes=config["memory"],
            mem_mb=RUN.play_memory,
            runtime=1440,
        params:
            arguments=RUN.readings.batch_arguments,
            sources=lambda w: RUN.readings.batches[w.batch].digest,
        shell:
            "python -m manybandits.harness.batch --environment {input.game} {params.arguments:q} --out {output.tables}"
            " --threads {threads} --memory {resources.batch_bytes} > {log} 2>&1"

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
            mem_mb=4000,
            runtime=60,
        params:
            config=lambda w: RUN.readings.config_text,
            headline=RUN.readings.headline_of,
            work=RUN.work,
            judged=lambda w: RUN.readings.curves[w.curve].judged,
            sources=RUN.digest("manybandits.planning.curves"),
        shell:
            "python -m manybandits.planning.curves --config {params.config:q} --headline {params.headline}"
            " --batches {input.batches} --work {params.work} --out {output.table} 2> {log}"


rule choices:
    input:
        table=f"{RUN.readings.folder}/{{curve}}.csv",
    output:
        choices=f"{RUN.readings.folder}/{{curve}}.choices.csv",
        provenance=f"{RUN.readings.folder}/{{curve}}.choices.csv.json",
    log:
        f"{RUN.work}/logs/readings/{{curve}}_choices.log",
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        headline=RUN.readings.headline_of,
        sources=RUN.digest("manybandits.claims.readings"),
    shell:
        "python -m manybandits.claims.readings explain --headline {params.headline} --readings {input.table}"
        " --out {output.choices} 2> {log}"


rule curve:
    input:
        table=f"{RUN.readings.folder}/{{curve}}.csv",
    output:
        picture=f"{RUN.report}/figures/readings_{{curve}}.png",
        drawing=f"{RUN.report}/figures/readings_{{curve}}.svg",
        numbers=multiext(f"{RUN.report}/figures/readings_{{curve}}", ".csv", ".csv.json"),
    log:
        f"{RUN.work}/logs/figures/readings_{{curve}}.log",
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        title=lambda w: RUN.readings.curves[w.curve].title,
        stem=lambda w, output: output.picture.removesuffix(".png"),
        sources=RUN.digest("manybandits.figures.curve"),
    shell:
        "python -m manybandits.figures.curve --title {params.title:q} --readings {input.table}"
        " --out {params.stem} 2> {log}"


rule summaries:
    input:
        choices=expand(rules.choices.output.choices, curve=RUN.readings.curves),
    output:
        table=RUN.readings.summaries,
        provenance=RUN.beside(RUN.readings.summaries),
    log:
        f"{RUN.work}/logs/readings.log",
    resources:
        mem_mb=500,
        runtime=5,
    params:
        sources=RUN.digest("manybandits.claims.readings"),
    shell:
        "python -m manybandits.claims.readings gather --choices {input.choices} --out {output.table} 2> {log}"
