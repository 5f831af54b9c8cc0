"""The site of a run: pages that work from a file, with no network and, but for search and charts, without scripts.

    index.html               verdicts by paper, principal findings, what was run on what, what was left out
    papers/<paper>.html      figures, each beside the claims about it; settings, decisions, divergences, data, costs
    algorithms/<name>.html   what an algorithm is, its options, what it cost, where it ranks
    league.html              all algorithms against all games
    claims.html              all claims, to be searched, filtered and sorted
    provenance.html          what every figure was made from, and the files to download
    charts/<figure>.js       what the charts draw, loaded when one is opened
    assets/                  style, scripts, the index of the search, and Vega

Figures, tables and verdicts stay where the pipeline wrote them; pages link to them. The same files give the same site.
"""

from __future__ import annotations

import argparse
import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manybandits import __version__, datasets
from manybandits.core.artifacts import save_text
from manybandits.core.errors import InputError, run_script
from manybandits.report import algorithms, looks, search, verdicts
from manybandits.report.charts import CHARTS, chart_of
from manybandits.report.content import Figure, Paper, Table, data_of, packages_of, read_figure, read_papers, read_table
from manybandits.report.verdicts import Claim

NAMED_AFTER_CONTENT = ("papers/*.html", "algorithms/*.html", "charts/*.js")
"""Files that a build with other papers or algorithms does not write again; what is left of an older one is removed."""
PAGES = {
    "index.html": "Overview",
    "claims.html": "Claims",
    "league.html": "League",
    "algorithms/index.html": "Algorithms",
    "provenance.html": "Provenance",
}
SHARED = ("cost", "league")
"""Tables of a whole run, not of a paper."""


@dataclass(frozen=True)
class Report:
    """What a site is made of. folder: where it is written, and what links start from."""

    title: str
    folder: Path
    papers: Sequence[Paper]
    claims: Mapping[str, Sequence[Claim]]  # paper -> its claims
    costs: Table | None
    league: Table | None
    league_figure: Figure | None
    verdicts: Path | None

    @property
    def figures(self) -> list[Figure]:
        return [figure for paper in self.papers for figure in paper.figures]

    @property
    def tables(self) -> list[Table]:
        shared = [table for table in (self.costs, self.league) if table]
        return [table for paper in self.papers for table in paper.tables] + shared

    def link(self, path: Path) -> str:
        """Return the address of a file from the root of the site."""
        return Path(os.path.relpath(path, self.folder)).as_posix()

    def cost_rows(self, paper: str = "") -> list[dict[str, str]]:
        """Return what plays cost, of all papers or of one."""
        rows = self.costs.rows if self.costs else []
        return [row for row in rows if paper in ("", row["paper"])]


def read_report(
    title: str,
    folder: Path,
    papers: Sequence[Path],
    figures: Sequence[Path],
    tables: Sequence[Path],
    verdict_file: Path | None,
    omitted: Mapping[str, str],
) -> Report:
    """Read what a site is made of. papers: paper files; figures, tables: stems; omitted: see `read_papers`."""
    if not papers:
        raise InputError("there is no paper to show: name at least one file of workflow/papers.")
    shared = {stem.name: read_table(stem) for stem in tables if stem.name in SHARED}
    costs = shared.get("cost")
    if costs and costs.rows and not {"paper", "file"} <= costs.rows[0].keys():
        raise InputError(f"{costs.stem}.csv has no columns 'paper' and 'file': make the table of costs again.")
    own = [stem for stem in tables if stem.name not in SHARED]
    known = read_papers(papers, [stem for stem in figures if stem.name not in SHARED], own, omitted)
    claims: dict[str, list[Claim]] = {paper.key: [] for paper in known}
    for claim in verdicts.read_verdicts(verdict_file) if verdict_file else []:
        if claim["paper"] not in claims:
            raise InputError(f"{verdict_file} has a claim of {claim['paper']!r}: give the file of that paper, too.")
        claims[claim["paper"]].append(claim)
    drawn = [read_figure(stem, "league", "paper") for stem in figures if stem.name in SHARED]
    return Report(title, folder, known, claims, costs, shared.get("league"), next(iter(drawn), None), verdict_file)


def render(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the pages, charts and index of a site, address and text; the front page comes last."""
    league = report.league.rows if report.league else []
    names = sorted({row["file"] for row in report.cost_rows()})
    described = [algorithms.describe(name, report.cost_rows(), league) for name in names]
    charts = {figure.name: chart for figure in report.figures if (chart := chart_of(figure))}
    environment = looks.environment()
    environment.globals |= {
        "report": report,
        "version": __version__,
        "pages": PAGES,
        "papers_by_key": {paper.key: paper.short for paper in report.papers},
        "algorithms": described,
        "algorithm_of": {row["algorithm"]: row["file"] for row in report.cost_rows()},
        "charts": set(charts),
        "verdict_words": verdicts.VERDICTS,
        "count": verdicts.count,
        "by_reading": verdicts.by_reading,
        "all_claims": [claim for claims in report.claims.values() for claim in claims],
    }

    def page(address: str, template: str, **content: Any) -> tuple[str, str]:
        root = "../" * address.count("/")
        return address, environment.get_template(template).render(address=address, root=root, **content)

    for paper in report.papers:
        yield page(f"papers/{paper.key}.html", "paper.jinja", paper=paper, **paper_content(report, paper))
    for one in described:
        yield page(f"algorithms/{one['name']}.html", "algorithm.jinja", algorithm=one)
    yield page("algorithms/index.html", "algorithms.jinja")
    yield page("league.html", "league.jinja", leagues=leagues(report))
    yield page("claims.html", "claims.jinja", kinds=verdicts.KINDS)
    yield page("provenance.html", "provenance.jinja")
    for name, chart in charts.items():
        yield f"charts/{name}.js", f"manybandits.chart({looks.script(name)},{looks.script(chart.as_data())});\n"
    entries = search.index(PAGES, report.papers, report.claims, described)
    yield "assets/index.js", f"manybandits.index({looks.script(entries)});\n"
    for asset in sorted(looks.ASSETS.iterdir()):
        yield f"assets/{asset.name}", asset.read_text(encoding="utf-8")
    if any(figure.kind in CHARTS for figure in report.figures):
        yield "assets/vega.js", vega()
    made = [figure.made for figure in report.figures] + [table.made for table in report.tables]
    yield page(
        "index.html",
        "index.jinja",
        findings={paper.key: verdicts.findings(report.claims[paper.key]) for paper in report.papers},
        findings_rule=verdicts.FINDINGS_RULE,
        data={paper.key: data_rows(paper) for paper in report.papers},
        hours={paper.key: core_hours(report, paper.key) for paper in report.papers},
        packages=packages_of(made),
    )


def paper_content(report: Report, paper: Paper) -> dict[str, Any]:
    """Return what the page of a paper shows besides its figures and tables."""
    claims = report.claims[paper.key]
    shown = {experiment.key for experiment in paper.experiments if experiment.made}
    return {
        "claims": claims,
        "claims_of": {key: [claim for claim in claims if claim["experiment"] == key] for key in shown},
        "claims_elsewhere": [claim for claim in claims if claim["experiment"] not in shown],
        "divergences": verdicts.divergences(paper.key, paper.content, claims),
        "data": data_rows(paper),
        "chosen": chosen_options(paper),
        "costs": report.cost_rows(paper.key),
        "hours": core_hours(report, paper.key),
        "rounds": sorted({run["rounds"] for figure in paper.figures for run in figure.runs}),
        "seeds": sorted({run["seeds"] for figure in paper.figures for run in figure.runs}),
    }


def data_rows(paper: Paper) -> list[dict[str, str]]:
    """Return the data sets of a paper's games: what it used itself, what was played, how complete and licensed."""
    originals, rows = paper.content.get("originals", {}), []
    for (role, _), dataset in sorted(data_of(paper.figures).items()):
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


def chosen_options(paper: Paper) -> list[dict[str, str]]:
    """Return the options that were chosen by tuning, from the tables that name them, each once."""
    rows = [row for table in paper.tables for row in table.rows if row.get("options", "not tuned") != "not tuned"]
    wanted = ("environment", "algorithm", "variant", "options")
    return list({tuple(row[name] for name in wanted): {name: row[name] for name in wanted} for row in rows}.values())


def core_hours(report: Report, paper: str) -> float:
    """Return the hours of one core that the plays of a paper took."""
    return sum(float(row["seconds"]) * int(row["threads"]) for row in report.cost_rows(paper)) / 3600


def leagues(report: Report) -> list[dict[str, Any]]:
    """Return the league of every paper as a table: games down, algorithms across, those of the block first."""
    found = []
    for paper in report.papers:
        rows = [row for row in (report.league.rows if report.league else []) if row["paper"] == paper.key]
        if not rows:
            continue
        ranks = {row["algorithm"]: float(row["average_rank"] or "inf") for row in rows}
        games = list(dict.fromkeys(row["environment"] for row in rows))
        found.append(
            {
                "paper": paper,
                "algorithms": sorted(ranks, key=lambda name: (ranks[name], name)),
                "average": {row["algorithm"]: row["average_rank"] for row in rows},
                "games": [
                    {
                        "name": game,
                        "cells": {row["algorithm"]: row for row in rows if row["environment"] == game},
                        "first": next(row for row in rows if row["environment"] == game),
                    }
                    for game in games
                ],
                "block": [row for row in rows if row["in_block"] == "True"],
            }
        )
    return found


@functools.cache
def vega() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script that sets ``vegaEmbed``."""
    import vl_convert

    snippet = "window.vegaEmbed = vegaEmbed;"
    return str(vl_convert.javascript_bundle(snippet))


def write(report: Report) -> Path:
    """Write the site, the front page last, and return its path; what only an older build had is removed."""
    written = set()
    for address, text in render(report):
        save_text(report.folder / address, text)
        written.add(report.folder / address)
    for pattern in NAMED_AFTER_CONTENT:
        for path in set(report.folder.glob(pattern)) - written:
            path.unlink()
    return report.folder / "index.html"


def main(argv: list[str] | None = None) -> None:
    """Write the site of some papers, figures, tables and verdicts."""
    parser = argparse.ArgumentParser(prog="python -m manybandits.report", description="Write the site of a run.")
    parser.add_argument("--title", required=True)
    parser.add_argument("--papers", type=Path, nargs="+", required=True, help="paper files")
    parser.add_argument("--figures", type=Path, nargs="*", default=[], help="stems of figures")
    parser.add_argument("--tables", type=Path, nargs="*", default=[], help="stems of tables")
    parser.add_argument("--verdicts", type=Path, help="the verdicts of the run, a .csv file")
    parser.add_argument("--omitted", nargs="*", default=[], metavar="NAME=REASON", help="experiments left out")
    parser.add_argument(
        "--out", type=Path, required=True, help="the folder to write to, which holds figures and tables"
    )
    given = parser.parse_args(argv)
    for text in given.omitted:
        if "=" not in text:
            raise InputError(f"--omitted {text!r}: write the name of an experiment, = and the reason.")
    omitted = dict(text.split("=", 1) for text in given.omitted)
    report = read_report(given.title, given.out, given.papers, given.figures, given.tables, given.verdicts, omitted)
    print(write(report).resolve())


if __name__ == "__main__":
    run_script(main)
