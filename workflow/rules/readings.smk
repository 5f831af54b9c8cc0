# A headline under all of its readings: judged from the run tables of all of them, and drawn as a curve.
rule readings:
    input:
        runs=RUN.readings_of,
    output:
        table=f"{RUN.report}/readings/{{curve}}.csv",
        choices=f"{RUN.report}/readings/{{curve}}.choices.csv",
        provenance=f"{RUN.report}/readings/{{curve}}.csv.json",
    log:
        f"{RUN.work}/logs/readings/{{curve}}.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        config=lambda w: RUN.config_text,
        headline=lambda w: f"{RUN.curves[w.curve].paper}.{RUN.curves[w.curve].headline}",
        work=RUN.work,
        claims=lambda w: RUN.all_claims,
        sources=RUN.digest("manybandits.planning.curves"),
    shell:
        "python -m manybandits.planning.curves --config {params.config:q} --headline {params.headline}"
        " --work {params.work} --out {output.table} 2> {log}"


rule curve:
    input:
        table=rules.readings.output.table,
    output:
        picture=f"{RUN.report}/figures/{{curve}}.png",
        drawing=f"{RUN.report}/figures/{{curve}}.svg",
        numbers=multiext(f"{RUN.report}/figures/{{curve}}", ".csv", ".csv.json"),
    log:
        f"{RUN.work}/logs/figures/{{curve}}.log",
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        title=lambda w: RUN.curves[w.curve].title,
        stem=lambda w, output: output.picture.removesuffix(".png"),
        sources=RUN.digest("manybandits.figures.curve"),
    shell:
        "python -m manybandits.figures.curve --title {params.title:q} --readings {input.table}"
        " --out {params.stem} 2> {log}"
