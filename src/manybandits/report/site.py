"""The site of a run: pages that need no server and no network, and scripts only for search and charts.

    index.html               the answer: every headline in one matrix, a card for each paper, findings, what was run
    matrix.svg               the matrix as a picture, for README.md; matrix-dark.svg for a dark page
    front.md                 the picture, the answer and the findings as README.md has them
    papers/<paper>.html      headlines, the score of each table, figures with published numbers and claims; data
    papers/<paper>.pdf       the replication on two pages, to be cited
    algorithms/index.html    which algorithm to use in which arena of the league
    algorithms/<name>.html   what an algorithm is, when to use it, its formula, options and cost, where it stands
    league.html              all algorithms against all games
    readings.html            set-ups: what papers leave open, and the verdict on each headline for every answer
    claims.html              all claims, to be searched, filtered and sorted
    rules.html               how verdicts are made
    notebooks/<paper>.html   the story of a replication, executed; made before
    provenance.html          what every figure was made from, and the files to download
    charts/<figure>.js       what the charts draw, loaded when one is opened
    assets/                  style, scripts, the index of the search, and Vega
    site.json                the commit that made the pages, for those who make them again

Pages link to figures, tables and verdicts where the pipeline wrote them. The same files give the same site:

    python -m manybandits.report ... --out reports/smoke
    python -m manybandits.report ... --out reports/smoke --again elsewhere     # to be compared with that site
"""

from __future__ import annotations

import argparse
from pathlib import Path

from manybandits.base.artifacts import load_json, replacing, save_text
from manybandits.base.exceptions import run_script
from manybandits.report.addresses import MADE_BY
from manybandits.report.checkout import commit_of, root_of_checkout
from manybandits.report.pages import render
from manybandits.report.report import Report, read_report
from manybandits.report.two_pages import two_pages

NAMED_AFTER_CONTENT = ("papers/*.html", "papers/*.pdf", "algorithms/*.html", "charts/*.js")
"""Files named after papers, algorithms or figures: those that only an older build wrote are removed."""


def write(report: Report, folder: Path) -> Path:
    """Write the site, the front page last, and return its path; files that only an older build wrote are removed."""
    written = set()
    for paper in report.papers:
        path = folder / f"papers/{paper.key}.pdf"
        with replacing(path) as temporary:
            temporary.write_bytes(two_pages(report, paper))
        written.add(path)
    for address, text in render(report):
        save_text(folder / address, text)
        written.add(folder / address)
    for pattern in NAMED_AFTER_CONTENT:
        for path in set(folder.glob(pattern)) - written:
            path.unlink()
    return folder / "index.html"


def main(argv: list[str] | None = None) -> None:
    """Write the site of some papers, figures, tables and verdicts."""
    parser = argparse.ArgumentParser(prog="python -m manybandits.report", description="Write the site of a run.")
    parser.add_argument("--title", required=True)
    parser.add_argument("--papers", type=Path, nargs="+", required=True, help="folders of papers")
    parser.add_argument("--figures", type=Path, nargs="*", default=[], help="stems of figures")
    parser.add_argument("--tables", type=Path, nargs="*", default=[], help="stems of tables")
    parser.add_argument("--verdicts", type=Path, help="the verdicts of the run, a .jsonl file")
    parser.add_argument("--headlines", type=Path, help="the verdicts on headlines, a .jsonl file")
    parser.add_argument("--arenas", type=Path, nargs="?", help="the file of the league, if it was played")
    parser.add_argument("--omitted", nargs="*", default=[], metavar="NAME=REASON", help="experiments left out")
    parser.add_argument("--notebooks", type=Path, nargs="*", default=[], help="pages of notebooks, named after papers")
    parser.add_argument("--readings-of", type=Path, help="the folder of the report whose readings are shown")
    parser.add_argument("--readings", nargs="*", default=[], metavar="PAPER_HEADLINE", help="headlines that it has")
    parser.add_argument("--findings", type=Path, nargs="?", help="the file of what was learned across papers")
    parser.add_argument(
        "--changes", nargs="*", default=[], metavar="PAPER=SETTINGS", help="settings that were replaced"
    )
    parser.add_argument("--command", default="", help="the command that makes the run again")
    parser.add_argument(
        "--out", type=Path, required=True, help="the folder to write to, which holds figures and tables"
    )
    parser.add_argument("--again", type=Path, help="write the pages of the site that is in --out here, with its commit")
    args = parser.parse_args(argv)
    commit = load_json(args.out / MADE_BY)["commit"] if args.again else commit_of(root_of_checkout())
    print(write(read_report(args, commit), args.again or args.out).resolve())


if __name__ == "__main__":
    run_script(main)
