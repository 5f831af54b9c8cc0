"""The pages of a site: what each shows, rendered from its template."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Iterator, Sequence
from importlib import metadata
from typing import Any

from manybandits import __version__, datasets
from manybandits.algorithms import catalogue
from manybandits.base.artifacts import Provenance, cache_folder, check_bytes, save_text
from manybandits.base.exceptions import InputError
from manybandits.base.protocols import AS_WRITTEN
from manybandits.claims import power, rules
from manybandits.claims.scores import scores
from manybandits.claims.sentences import STANDINGS
from manybandits.claims.verdict import EARLY, FLAGS, MEANINGS, NEARLY_ALL, Answer, HeadlineVerdict, Verdict, Word, count
from manybandits.claims.words import RULES
from manybandits.harness.arguments import parse_seeds
from manybandits.papers.claim import NEEDED
from manybandits.papers.openings import MOST
from manybandits.report import algorithms, matrix, readings_chart, rendering, search, sizes, standings, verdicts
from manybandits.report.addresses import BLOCK, MADE_BY, PAGES, PICTURES
from manybandits.report.carries import CONTROLS, leads_of
from manybandits.report.charts import chart_of
from manybandits.report.checkout import root_of_checkout, source_link
from manybandits.report.divergences import divergences, verdicts_by_reading
from manybandits.report.front import front_content, hours_of, main_figure, readme_block
from manybandits.report.inputs import ReportedFigure, ReportedPaper, data_of
from manybandits.report.making import summary_of
from manybandits.report.picture import picture
from manybandits.report.readings import PHRASES, changes_of
from manybandits.report.report import Report
from manybandits.report.stated import difference, published
from manybandits.report.stories import tell
from manybandits.report.thumbnails import thumbnail
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import MEASURES
from manybandits.results.runs import ARENA

TITLE = "five papers on learning across many contextual bandits, rerun end to end"
"""What is cited."""
ROWS_SHOWN = 5
"""How many rows of a table the page of a paper shows; its CSV has all."""
ADVICE = {
    standings.USE: verdicts.WORDS[Word.HOLDS],
    standings.OTHERS: verdicts.WORDS[Word.NEAR],
    standings.WEAK: verdicts.WORDS[Word.AS_WRITTEN],
}
"""The look of each advice on algorithms."""


def render(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the pages, charts and index of a site, address and text; the front page comes last."""
    league = report.league.rows if report.league else []
    names = sorted({row["file"] for row in report.cost_rows()})
    arenas = standings.arenas_of(league, report.cost_rows(), report.arenas)
    described = [algorithms.describe(name, report, arenas) for name in names]
    charts = {figure.name: chart for figure in report.figures if (chart := chart_of(figure))}
    curves = {f"readings_{one.name}": readings_chart.as_data(one) for one in report.readings.values()}
    shorts = {paper.key: paper.short for paper in report.papers}
    judged = {one.id: one for one in report.all_headlines}
    environment = rendering.environment()
    environment.filters |= {"published": published, "difference": difference}
    environment.filters |= {"decisive": report.decisive, "members": report.members}
    environment.globals |= {  # pyrefly: ignore[bad-assignment]
        "report": report,
        "version": __version__,
        "pages": PAGES,
        "papers_by_key": shorts,
        "algorithms": described,
        "near": standings.NEAR,
        "little": standings.LITTLE,
        "advice_looks": ADVICE,
        "use_words": (standings.USE, standings.OTHERS, standings.WEAK),
        "algorithm_of": {row["algorithm"]: catalogue.short_name(row["file"]) for row in report.cost_rows()},
        "charts": set(charts),
        "answers": Answer,
        "meanings": MEANINGS,
        "answer_looks": verdicts.ANSWERS,
        "word_looks": verdicts.WORDS,
        "symbols": verdicts.SYMBOLS,
        "rules_of_words": RULES,
        "count_words": matrix.count_words,
        "in_words": matrix.in_words,
        "short": matrix.short,
        "flag_kinds": FLAGS,
        "standings": STANDINGS,
        "control_kinds": CONTROLS,
        "rule_of": rule_of,
        "turns": turns,
        "count": count,
        "data_rows": data_rows,
        "thumbnail": thumbnail,
        "source": functools.partial(source_link, report.folder, root=root_of_checkout()),
        "readings": report.readings,
        "one_reading": {
            paper.key: [one for one in report.headlines[paper.key] if one.alone and paper.content.openings]
            for paper in report.papers
        },
        "out_of_date": {
            paper.key: [one for one in report.headlines[paper.key] if one.setups and one.setups.earlier]
            for paper in report.papers
        },
        "often_words": readings_words(report),
        "as_written": AS_WRITTEN,
        "changes_of": changes_of,
        "full_size": judged,
    }

    def page(address: str, template: str, **content: Any) -> tuple[str, str]:
        root = "../" * address.count("/")
        return address, environment.get_template(template).render(address=address, root=root, **content)

    for paper in report.papers:
        yield page(f"papers/{paper.key}.html", "paper.jinja", paper=paper, **paper_content(report, paper))
    for one in described:
        yield page(f"algorithms/{one['name']}.html", "algorithm.jinja", algorithm=one)
    yield page("algorithms/index.html", "algorithms.jinja", arenas=arenas)
    yield page("league.html", "league.jinja", leagues=leagues(report))
    both = sizes.at_both_sizes(report.readings.values(), judged)
    yield page("readings.html", "readings.jinja", sizes=both, sizes_words=sizes.sentence(both))
    yield page("claims.html", "claims.jinja", kinds=tuple(NEEDED))
    yield page("rules.html", "rules.jinja", **rules_content(report))
    for name, chart in {**charts, **curves}.items():
        yield f"charts/{name}.js", f"manybandits.chart({rendering.script(name)},{rendering.script(chart)});\n"
    entries = search.index(PAGES, report, described)
    yield "assets/index.js", f"manybandits.index({rendering.script(entries)});\n"
    for asset in sorted(rendering.ASSETS.iterdir()):
        yield f"assets/{asset.name}", asset.read_text(encoding="utf-8")
    if charts or curves:
        yield "assets/vega.js", vega()
    front = front_content(report)
    for scheme, name in PICTURES.items():
        yield name, picture(report.headlines, shorts, front["answer"], scheme)
    yield BLOCK, readme_block(report, front["answer"], front["findings"])
    yield MADE_BY, json.dumps({"commit": report.commit}) + "\n"
    hours = {paper.key: scale_of(report, paper)["hours"] for paper in report.papers}
    commit = report.commit.partition(",")[0]
    cited = f"manybandits {__version__}: {TITLE}{f', commit {commit}' if commit else ''}."
    entered = [row for row in report.cost_rows() if row["paper"].startswith(ARENA)]
    of_league = {"league_hours": hours_of(entered), "league_plays": len(entered)}
    yield page("provenance.html", "provenance.jinja", run=front["run"], hours=hours, citation=cited, **of_league)
    yield page(
        "index.html",
        "index.jinja",
        data={paper.key: data_rows(paper, paper.figures) for paper in report.papers},
        scale={paper.key: scale_of(report, paper) for paper in report.papers},
        paper_runs={paper.key: len(parse_seeds(paper.content.settings.seeds)) for paper in report.papers},
        **front,
        **of_league,
    )


def paper_content(report: Report, paper: ReportedPaper) -> dict[str, Any]:
    """Return what the page of a paper shows besides its figures and tables."""
    claims = report.claims[paper.key]
    figure = main_figure(report, paper)
    by_text = [given[0] for given in claims.values()]
    about: dict[str, list[Sequence[Verdict]]] = {}
    for given in claims.values():
        about.setdefault(given[0].claim.experiment, []).append(given)
    shown = {experiment.key for experiment in paper.experiments if experiment.made or experiment.omitted}
    return {
        "headlines": report.headlines[paper.key],
        "proposed": [algorithms.plainly(name) for name in paper.content.proposes],
        "data_of_game": {name: game["dataset"]["title"] for one in paper.figures for name, game in one.games.items()},
        "leads": leads_of(report.headlines[paper.key], report.decisive),
        "main": next((one.key for one in paper.experiments if figure in one.figures), ""),
        "story": tell(report, paper.content.story, f"{paper.key}, sentence of the story"),
        "scores": scores(by_text),
        "claims_of": {key: about.get(key, []) for key in shown},
        "stated": {key: [one for one, *_ in given if one.claim.published is not None] for key, given in about.items()},
        "plays": {figure.name: summary_of(figure, report.cost_rows(paper.key)) for figure in paper.figures},
        "claims_elsewhere": [one for key, given in about.items() if key not in shown for one in given],
        "divergences": divergences(paper.content, claims),
        "touched": verdicts_by_reading(paper.content, claims),
        "data": data_rows(paper, paper.figures),
        "rows_shown": ROWS_SHOWN,
        "costs": report.cost_rows(paper.key),
        "scale": scale_of(report, paper),
    }


def readings_words(report: Report) -> list[str]:
    """Return how many headlines hold how often over their set-ups: ``12 hold in nearly all set-ups``."""
    often = [one.often for one in report.readings.values()]
    return [f"{n} {words[n > 1]}" for words in PHRASES if (n := often.count(words))]


def rules_content(report: Report) -> dict[str, Any]:
    """Return the numbers of the rules, and how much the words of this run's headlines depend on them."""
    tolerances: dict[float, list[str]] = {}
    for measure in MEASURES.values():
        tolerances.setdefault(measure.tolerance, []).append(measure.words)
    headlines = report.all_headlines
    notes = {name: str(game["data_note"]) for figure in report.figures for name, game in figure.games.items()}
    return {
        "rules": rules,
        "nearly_all": NEARLY_ALL,
        "most": MOST,
        "tolerances": sorted(tolerances.items()),
        "under": {name: [one for one in headlines if name in one.under] for name in rules.OTHERS},
        "early": EARLY,
        "turning": [one for one in headlines if turns(one)],
        "followed": sum(bool(one.early) for one in headlines),
        "leads": power.LEADS,
        "power": [(notes.get(game, game), *found) for game, found in power.power(report.all_verdicts).items()],
    }


def turns(headline: HeadlineVerdict) -> bool:
    """Return whether the answer on a headline by the text was another one after a part of the rounds."""
    return any(answer is not headline.answer for answer in headline.early)


def rule_of(headline: HeadlineVerdict) -> str:
    """Return how many of the claims of a headline must hold, in words."""
    many, asked = len(headline.claims), headline.headline.holds_in
    if many == 1:
        return "One claim tests it."
    words = {"all": f"All of its {many} claims must hold.", "first": f"The first of its {many} claims decides."}
    return words.get(str(asked), f"{asked} of its {many} claims must hold.")


def scale_of(report: Report, paper: ReportedPaper) -> dict[str, Any]:
    """Return how many rounds and seeds the runs of a paper had, and the hours of one core that its plays took."""
    runs = [run for figure in paper.figures for run in figure.runs]
    return {
        "rounds": sorted({run["rounds"] for run in runs}),
        "seeds": sorted({run["seeds"] for run in runs}),
        "hours": hours_of(report.cost_rows(paper.key)),
    }


def data_rows(paper: ReportedPaper, figures: Sequence[ReportedFigure]) -> list[dict[str, str]]:
    """Return the data sets of some figures of a paper: the paper's own, the one played, and its licence."""
    originals, rows = paper.content.originals, []
    for (role, _), dataset in sorted(data_of(figures).items()):
        families, names = role.split("+"), dataset["name"].split("+")
        # Generated data have no family and no licence.
        known = [datasets.load(name).DATASET for name in names if name in datasets.names()]
        original = "+".join(originals.get(family, "") for family in families).strip("+")
        rows.append(
            {
                "role": role,
                "original": original,
                "replaced": "yes" if original and original != dataset["name"] else "",
                "licence": "; ".join(dict.fromkeys(one.licence for one in known)) or "none needed",
                **dataset,
            }
        )
    return rows


def leagues(report: Report) -> list[dict[str, Any]]:
    """Return every arena of the league as a table, one row per algorithm and one column per game.

    The algorithms that do not play there are named with the reason.
    """
    found = []
    rows = report.league.rows if report.league else []
    for name in dict.fromkeys(row["arena"] for row in rows):
        own, arena = [row for row in rows if row["arena"] == name], report.arenas[name]
        best_first = sorted({(float(row["average_rank"]), row["algorithm"], row["file"]) for row in own})
        found.append(
            {
                "name": name,
                "title": arena["title"],
                "games": list({row["environment"]: row for row in own}.values()),
                "algorithms": [
                    {
                        "title": algorithm_name(title),
                        "page": catalogue.short_name(file),
                        "average": average,
                        "cells": {row["environment"]: row for row in own if row["file"] == file},
                    }
                    for average, title, file in best_first
                ],
                "without": [
                    {**one, "titles": [algorithm_name(catalogue.load(file).TITLE) for file in one["algorithms"]]}
                    for one in arena["without"]
                ],
            }
        )
    return found


def vega() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script that sets ``vegaEmbed``, bundled once: that takes seconds."""
    import vl_convert

    version = metadata.version("vl-convert-python")
    kept, provenance = cache_folder() / f"vega-{version}.js", Provenance({"vl-convert-python": version})
    with contextlib.suppress(OSError, InputError, UnicodeDecodeError):
        check_bytes(kept)
        return kept.read_text(encoding="utf-8")
    bundled = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
    with contextlib.suppress(OSError):
        save_text(kept, bundled)
        provenance.save(kept)
    return bundled
