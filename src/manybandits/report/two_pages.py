"""The replication of a paper on two pages, as a PDF that can be cited: ``papers/<paper>.pdf`` beside the site.

The same report gives the same bytes: the file has no time in it, and its fonts are those of Matplotlib.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from manybandits import __version__
from manybandits.claims.sentences import code_words, controls_words, setups_words, tell
from manybandits.claims.verdict import HeadlineVerdict
from manybandits.report.carries import leads_of
from manybandits.report.inputs import ReportedPaper
from manybandits.report.matrix import in_words, short
from manybandits.report.rendering import data_words
from manybandits.report.report import Report
from manybandits.report.stories import tell as told

if TYPE_CHECKING:
    from fpdf import FPDF

PAGES = 2
SIZES = (9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5)
"""Sizes of letters in points, of which the first is taken with which everything fits on `PAGES` pages."""
NO_DATE = datetime(1980, 1, 1, tzinfo=UTC)
"""Written as the date of all files, so that it says nothing."""
MARGIN = 15
"""Around a page, in millimetres."""


def two_pages(report: Report, paper: ReportedPaper) -> bytes:
    """Return the PDF of a paper with headlines; it has more pages only if the smallest letters need them."""
    for size in SIZES:
        made = _drawn(report, paper, size)
        if made.page_no() <= PAGES:
            break
    return bytes(made.output())


def _drawn(report: Report, paper: ReportedPaper, size: float) -> FPDF:
    """Return the document in letters of some size."""
    import matplotlib
    from fpdf import FPDF

    pdf = FPDF(format="A4")
    fonts = Path(matplotlib.get_data_path()) / "fonts/ttf"
    for style, name in (("", "DejaVuSans"), ("B", "DejaVuSans-Bold"), ("I", "DejaVuSans-Oblique")):
        pdf.add_font("text", style, str(fonts / f"{name}.ttf"))
    pdf.set_creation_date(NO_DATE)
    pdf.set_margin(MARGIN)
    pdf.set_auto_page_break(True, MARGIN)
    pdf.set_title(f"Does it replicate? {paper.content.title}")
    pdf.set_lang("en")
    pdf.add_page()
    line = 0.45 * size

    def write(text: str, style: str = "", scale: float = 1.0) -> None:
        pdf.set_font("text", style, scale * size)
        pdf.multi_cell(0, scale * line, text, new_x="LMARGIN", new_y="NEXT", align="L")

    def section(title: str) -> None:
        pdf.ln(0.7 * line)
        write(title, "B", 1.15)
        pdf.ln(0.2 * line)

    headlines = report.headlines[paper.key]
    write(f"Does it replicate? {paper.short}", "B", 1.8)
    write(f"{paper.content.title}. {paper.content.reference}.", "I")
    if paper.content.method:
        section("What the paper proposes")
        write(paper.content.method)
    section("What we found")
    write(f"Of {len(headlines)} headlines, {in_words(headlines)}." if headlines else "No headline was judged.", "B")
    for sentence in told(report, paper.content.story, f"{paper.key}, sentence of the story"):
        write(f"• {sentence.says} [{sentence.short}]")
    section("The headlines, and four questions about each")
    line_of_table = 0.95 * line
    pdf.set_font("text", "", 0.9 * size)
    widths = (64, 24, 16, 22, 22, 32)
    with pdf.table(col_widths=widths, line_height=line_of_table, text_align="LEFT", padding=0.5) as table:
        names = ("Headline, and what decides it", "Verdict", "Text", "Authors' code", "Set-ups", "Controls")
        for cells in (names, *(_cells(report, one) for one in headlines)):
            row = table.row()
            for cell in cells:
                row.cell(cell)
    write(
        "Text: does it hold if one does what the text says? Authors' code: does it hold with what their public code "
        "does, re-implemented here? Set-ups: in how many combinations of answers to what the text leaves open does it "
        "hold? Controls: are the method without its mechanism, rivals trained alike, and a plain bandit worse?",
        "I",
        0.9,
    )
    if leads := leads_of(headlines, report.decisive):
        section("Is it the method? Its lead over each run, in per cent of that run's result")
        for one in headlines:
            if one.key in leads.rows:
                rows = [f"{row.what}{f' ({row.rival})' if row.rival else ''} {row.text}" for row in leads.rows[one.key]]
                above = leads.same.get(one.key)
                same = [f"controls: the same runs as for {short(above)}"] if above else []
                write(f"• {short(one)}: {'; '.join([*rows, *same])}.")
    section("What is different from the paper")
    for text in _differences(report, paper):
        write(f"• {text}.")
    section("How to rerun, and how to cite")
    if report.command:
        write(f"Rerun: {report.rerun(paper.key)}. Check all numbers without a run: make verify PAPER={paper.key}.")
    commit = report.commit.partition(",")[0]
    write(
        f"Cite: manybandits {__version__}{f', commit {commit}' if commit else ''}, report on {paper.short}; and please "
        "the paper itself. Verdicts are computed from the runs by the rules in docs/VERDICTS.md. Authors can add a "
        f"dated reply to each headline in workflow/papers/{paper.key}/claims.yaml."
    )
    return pdf


def _cells(report: Report, one: HeadlineVerdict) -> Sequence[str]:
    """Return the row of a headline."""
    sentence = str(tell(report.decisive(one))).strip()
    says = f"{one.headline.says}{f' {sentence}.' if sentence else ''}"
    smaller = "; smaller run" if one.limits else ""
    return says, f"{one.word.value}{smaller}", one.answer.value, code_words(one), setups_words(one), controls_words(one)


def _differences(report: Report, paper: ReportedPaper) -> list[str]:
    """Return in what the run differs from the paper: limits of its headlines, and numbers of its experiments."""
    limits = [data_words(limit) for one in report.headlines[paper.key] for limit in one.limits]
    played = [f"{one.what}: {one.value} in the paper; here {one.played}" for one in paper.content.setup if one.played]
    replaced = report.changes.get(paper.key, "")
    settings = [f"settings of this run: {data_words(replaced)}"] if replaced else []
    return [*settings, *dict.fromkeys(limits), *played] or ["nothing that the paper states"]
