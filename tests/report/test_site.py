"""The site of planted runs, without a browser: what its pages say, link to and escape, and what stops it."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from manybandits.base.exceptions import InputError
from manybandits.report import findings
from manybandits.report import site as module
from manybandits.report.addresses import CHARTED, addresses
from manybandits.report.charts import CHARTS
from manybandits.results import verdict_table
from manybandits.results.verdict_table import NOT_RUN
from tests.planted.site import EXPERIMENTS, SLY, arguments, save_verdicts, verdict_rows


class Page(HTMLParser):
    """The elements of a page: tags with their attributes, the ids, and the text outside scripts."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self._script = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, {name: value or "" for name, value in attributes}))
        self._script = tag in ("script", "style")

    def handle_endtag(self, tag):
        self._script = False

    def handle_data(self, data):
        if not self._script:
            self.text.append(data)

    @property
    def ids(self) -> list[str]:
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]

    @property
    def links(self) -> list[str]:
        return [attributes[name] for _, attributes in self.tags for name in ("href", "src") if attributes.get(name)]


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


@pytest.fixture
def planted(site, tmp_path) -> Path:
    """A copy of what the site was made of, without its front page, to change and make a site of again."""
    folder = tmp_path / "planted"
    shutil.copytree(site.parent, folder, ignore=shutil.ignore_patterns("runs"))
    (folder / "report/index.html").unlink()
    return folder


def test_there_is_a_page_for_everything(site, pages):
    names = {path.relative_to(site).as_posix() for path in pages}
    assert names == {
        *("index.html", "claims.html", "league.html", "provenance.html", "papers/first.html", "papers/second.html"),
        *(f"algorithms/{name}.html" for name in ("index", "club", "linucb_one", "sclub", "random")),
    }
    charts = {path.stem for path in (site / "charts").glob("*.js")}
    assert charts == {f"first_fig{number}" for number in range(1, 8)}


def test_the_files_of_a_site_are_those_that_are_declared(site):
    kinds = {f"first_{key}": kind for key, (_, kind, _) in EXPERIMENTS.items()} | {"first_fig7": "estimation_errors"}
    declared = addresses(("first", "second"), ("club", "linucb_one", "sclub", "random", "club"), kinds)
    made = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert len(declared) == len(set(declared))
    assert set(declared) == {name for name in made if not name.startswith(("figures/", "tables/", "verdicts.csv"))}


def test_every_kind_of_figure_that_has_a_chart_is_declared_to_have_one():
    assert set(CHARTED) == set(CHARTS)


def test_every_link_resolves_to_a_file_and_an_id(site, pages):
    checked = 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            assert not parts.scheme, f"{path.name} links to {link}"
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.is_file(), f"{path.name} links to {link}"
            if parts.fragment and target.suffix == ".html" and "=" not in parts.fragment:
                assert unquote(parts.fragment) in pages[target].ids, f"{path.name} links to {link}"
            checked += 1
    assert checked > 100


def test_ids_are_unique(pages):
    for path, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), path.name


def test_what_the_index_of_the_search_names_is_there(site, pages):
    text = (site / "assets/index.js").read_text(encoding="utf-8")
    entries = json.loads(text.removeprefix("manybandits.index(").removesuffix(");\n"))
    assert {entry["kind"] for entry in entries} >= {"page", "paper", "figure", "claim", "algorithm", "data", "left out"}
    for entry in entries:
        path, _, fragment = entry["url"].partition("#")
        assert not fragment or fragment in pages[site / path].ids, entry["url"]


def test_markup_in_titles_claims_and_notes_is_text_everywhere(site, pages):
    shown = 0
    for path, page in pages.items():
        assert "<b>sly" not in path.read_text(encoding="utf-8")
        assert "<script>alert" not in path.read_text(encoding="utf-8")
        assert not [tag for tag, _ in page.tags if tag in ("b", "i")], path.name
        shown += SLY in "".join(page.text)
    assert shown == len(pages)  # the title of the run has it, too
    for path in [*(site / "charts").glob("*.js"), site / "assets/index.js"]:
        text = path.read_text(encoding="utf-8")
        assert "<" not in text, path.name
        assert "\\u003cb\\u003esly" in text or "fig7" in path.name or "fig4" in path.name, path.name


def test_every_verdict_stands_on_the_page_of_its_paper_and_in_the_list_of_all(pages, site):
    listed = pages[site / "claims.html"]
    rows = [attributes for tag, attributes in listed.tags if tag == "tr" and "data-verdict" in attributes]
    expected = verdict_rows()
    assert [(row["data-paper"], row["data-verdict"]) for row in rows] == [
        (row["paper"], row["verdict"]) for row in expected
    ]
    for row in expected:
        assert row["claim"] in pages[site / f"papers/{row['paper']}.html"].ids


def test_only_the_reading_of_the_text_is_counted(site):
    claims = findings.read_verdicts(site / "verdicts.csv")
    assert verdict_table.count(claims) == dict.fromkeys(verdict_table.VERDICTS, 3)
    text = (site / "index.html").read_text(encoding="utf-8")
    row = re.search(r'papers/first\.html">First</a></th>(.*?)</tr>', text, re.DOTALL).group(1)
    assert re.findall(r">(\d+)</a></td>", row) == ["2", "2", "2", "2"]
    assert "12 claims: 3 reproduced, 3 partly" in (site / "claims.html").read_text(encoding="utf-8")


def test_principal_findings_are_the_first_orders_and_ratios_by_place(site):
    claims = [claim for claim in findings.read_verdicts(site / "verdicts.csv") if claim["paper"] == "first"]
    found = findings.findings(claims[::-1])
    assert [claim["place"] for claim in found] == ["Figure 1", "Figure 1", "Figure 2", "Figure 2"]
    assert {claim["kind"] for claim in found} == set(findings.PRINCIPAL)
    left_out = dataclasses.replace(found[0], row={**found[0].row, "reason": NOT_RUN})
    assert findings.findings([left_out, *found[1:]])[-1] is left_out
    others = [claim for claim in claims if claim["kind"] not in findings.PRINCIPAL]
    assert findings.findings(others) == others[: findings.MOST_FINDINGS]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Figure 2", "Figure 10"),
        ("Figure 9", "Table 1"),
        ("Table 2", "Theorem 1"),
        ("Figures 3 and 4, Table 5", "Table 1"),
    ],
)
def test_places_come_in_the_order_of_a_paper(earlier, later):
    assert findings.place_order(earlier) < findings.place_order(later)


def test_stand_in_data_and_what_was_left_out_are_named(pages, site):
    text = " ".join(pages[site / "papers/first.html"].text)
    assert "Stand-in data: no claim of the paper is judged on this." in text
    assert f"Not testable here: the log is not public {SLY}." in text
    assert f"the log is not public {SLY}" in " ".join(pages[site / "index.html"].text)
    assert "movielens-25m" in " ".join(pages[site / "index.html"].text)


def test_nothing_needs_the_network_and_the_front_page_is_light(site):
    assert (site / "index.html").stat().st_size < 2_000_000
    for path in site.rglob("*.html"):
        assert not re.findall(r"(?:src|href)=[\"']?(?:https?:)?//", path.read_text(encoding="utf-8")), path.name
    for path in (site / "assets").glob("*.css"):
        assert "url(" not in path.read_text(encoding="utf-8")


def test_the_same_files_give_the_same_site_and_what_is_old_is_removed(planted):
    module.main(arguments(planted))
    folder = planted / "report"
    own = [path for name in ("papers", "algorithms", "charts", "assets") for path in (folder / name).iterdir()]
    first = {path: path.read_bytes() for path in [*folder.glob("*.html"), *own]}
    (folder / "papers/older.html").write_text("of another run")
    module.main(arguments(planted))
    assert {path: path.read_bytes() for path in first} == first
    assert not (folder / "papers/older.html").exists()


def test_a_run_without_verdicts_league_and_costs_has_a_site(planted):
    without = [
        text for text in arguments(planted) if not text.endswith(("/league", "/league.yaml", "/cost", "--arenas"))
    ]
    place = without.index("--verdicts")
    del without[place : place + 2]
    module.main(without)
    assert "No verdicts were made in this run." in (planted / "report/index.html").read_text(encoding="utf-8")
    assert "No league was made in this run." in (planted / "report/league.html").read_text(encoding="utf-8")


def _without(rows, **changes):
    return [{**rows[0], **changes}, *rows[1:]]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            lambda rows: _without(rows, verdict="partial"),
            r"unknown verdict of first\.claim0\.1 .*did you mean 'partly'",
        ),
        (lambda rows: _without(rows, kind="orders"), r"unknown kind of first\.claim0\.1 .*did you mean 'order'"),
        (lambda rows: _without(rows, claim="first"), r"has a claim 'first'; it must be paper\.key"),
        (lambda rows: _without(rows, reading="x"), r"no verdict on first\.claim0\.1 under 'paper'"),
        (lambda rows: [rows[0], *rows], r"two verdicts on first\.claim0\.1 under 'paper'"),
        (
            lambda rows: _without(rows, paper="third", claim="third.a"),
            r"a claim of 'third': give the file of that paper",
        ),
    ],
)
def test_verdicts_that_are_not_as_they_should_be_are_named(planted, rows, words):
    save_verdicts(planted / "report/verdicts.csv", rows(verdict_rows()))
    with pytest.raises(InputError, match=words):
        module.main(arguments(planted))
    assert not (planted / "report/index.html").exists()  # not even in part


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda r: (r / "figures/first_fig1.csv").unlink(), r"first_fig1\.csv cannot be read"),
        (lambda r: (r / "figures/first_fig1.svg").unlink(), r"first_fig1\.svg does not exist: draw the figure again"),
        (lambda r: (r / "tables/cost.csv.json").unlink(), r"cost\.csv\.json does not exist"),
        (lambda r: (r / "tables/cost.csv").write_text("a,b\n1,2\n"), r"cost\.csv has no columns 'paper' and 'file'"),
        (lambda r: (r / "tables/cost.csv").write_text("a,b\n1\n"), r"cost\.csv has rows of different lengths"),
        (lambda r: (r / "figures/first_fig1.csv.json").write_text("{}"), r"has no facts\.caption"),
    ],
)
def test_files_that_are_missing_or_damaged_are_named(planted, damage, words):
    damage(planted / "report")
    with pytest.raises(InputError, match=words):
        module.main(arguments(planted))


def test_a_league_without_costs_says_what_is_missing(planted):
    without = [text for text in arguments(planted) if not text.endswith("/cost")]
    with pytest.raises(InputError, match="made from the table of costs: give that, too"):
        module.main(without)


def test_names_that_belong_to_no_paper_and_touch_no_claim_are_named(planted):
    with pytest.raises(InputError, match="unknown experiment of the papers given 'first_tabel9'"):
        module.main([*arguments(planted), "--omitted", "first_tabel9=so"])
    with pytest.raises(InputError, match="--omitted 'so': write the name of an experiment"):
        module.main([*arguments(planted), "--omitted", "so"])
    paper = planted / "papers/first/claims.yaml"
    paper.write_text(paper.read_text().replace("- claim0", "- claim9"))
    with pytest.raises(InputError, match=r"unknown claim \(the divergences of first, width\) 'claim9'"):
        module.main(arguments(planted))


def test_a_notebook_is_linked_from_the_page_of_its_paper_and_must_be_there(planted):
    page = planted / "report/notebooks/first.html"
    with pytest.raises(InputError, match=r"first\.html does not exist: execute the notebook first"):
        module.main([*arguments(planted), "--notebooks", str(page)])
    page.parent.mkdir()
    page.write_text("<!doctype html><title>told</title>")
    module.main([*arguments(planted), "--notebooks", str(page)])
    assert 'href="../notebooks/first.html"' in (planted / "report/papers/first.html").read_text()
    with pytest.raises(InputError, match="unknown paper of the notebook"):
        module.main([*arguments(planted), "--notebooks", str(page.with_name("none.html"))])
