"""The site of planted runs, without a browser: what its pages say, link to and escape, and what stops it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from manybandits.algorithms.description import sentences_of
from manybandits.base.exceptions import InputError
from manybandits.base.table_files import read_rows
from manybandits.claims.reasons import CONJECTURE
from manybandits.report import rendering, verdicts
from manybandits.report import site as module
from manybandits.report.addresses import CHARTED, addresses
from manybandits.report.charts import CHARTS
from manybandits.report.standings import arenas_of, standings_of
from manybandits.results.flag_labels import KINDS as FLAGS
from manybandits.results.flag_labels import flag_labels
from manybandits.results.verdict_table import EXPLANATIONS, HEADLINE_COLUMNS, VERDICTS, scores
from tests.planted.runs import restamp
from tests.planted.site import EXPERIMENTS, LINK, READINGS, SLY, arguments, headline_rows, save_verdicts, verdict_rows
from tests.report.markup import Page, escaped, words_of

NAMES = [name.replace(".", "_") for name in READINGS]
"""The headlines with readings, as in names of files."""


ARENA = {"users": {"title": f"Users {SLY}"}}
"""The league of the planted run, as its file has it."""


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


def test_there_is_a_page_for_everything(site, pages):
    names = {path.relative_to(site).as_posix() for path in pages}
    assert names == {
        *("index.html", "readings.html", "claims.html", "league.html", "rules.html", "provenance.html"),
        *("papers/first.html", "papers/second.html"),
        *(f"algorithms/{name}.html" for name in ("index", "club", "linucb_one", "sclub", "random")),
    }
    charts = {path.stem for path in (site / "charts").glob("*.js")}
    assert charts == {f"first_fig{number}" for number in range(1, 9)} | {f"readings_{name}" for name in NAMES}


def test_the_files_of_a_site_are_those_that_are_declared(site):
    kinds = {f"first_{key}": kind for key, (_, kind, _) in EXPERIMENTS.items()} | {"first_fig7": "estimation_errors"}
    declared = addresses(("first", "second"), ("club", "linucb_one", "sclub", "random", "club"), kinds, NAMES)
    made = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert len(declared) == len(set(declared))
    assert set(declared) == {
        name for name in made if not name.startswith(("figures/", "tables/", "verdicts.csv", "headlines.csv"))
    }


def test_every_kind_of_figure_that_has_a_chart_is_declared_to_have_one():
    assert set(CHARTED) == set(CHARTS)


def test_every_link_resolves_to_a_file_and_an_id(site, pages):
    checked = 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if link == LINK or parts.scheme == "data":  # a small picture, in the page itself
                continue
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
    kinds = {"page", "paper", "headline", "figure", "claim", "algorithm", "data", "left out", "open"}
    assert {entry["kind"] for entry in entries} >= kinds
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


def rows_of(page: Path) -> dict[str, str]:
    """Return the rows of claims and the headlines of a page: id -> their markup."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r'<(tr|li)[^>]* id="((?:first|second)\.[^"]+|headline-[^"]+)"[^>]*>(.*?)</\1>', text, re.DOTALL)
    return {name: markup for _, name, markup in found}


def counts_in(page: Page) -> list[str]:
    """Return every "n verdict" that the text of a page has, such as "12 supported"."""
    return re.findall(rf"(?<![\w.])\d+ (?:{'|'.join(VERDICTS)})\b", " ".join(" ".join(page.text).split()))


def test_the_front_page_has_every_headline_in_order_with_its_verdict_and_a_link(site, pages):
    text = (site / "index.html").read_text(encoding="utf-8")
    found = re.findall(r'<tr id="headline-([^"]+)"[^>]*>(.*?)</tr>', text, re.DOTALL)
    assert [name for name, _ in found] == [row["headline"] for row in headline_rows()]
    for (_, markup), row in zip(found, headline_rows(), strict=True):
        place = f'href="papers/{row["paper"]}.html#headline-{row["headline"].split(".")[1]}"'
        told = r'<th (.*?)</th><td data-label="In short">.*?</td><td (.*?)</td>'
        sentence, written = re.search(told, markup, re.DOTALL).groups()
        assert escaped(row["says"]) in sentence
        assert words_of(f"<td {written}") == row["verdict"]
        assert place in sentence
        assert place in written


def test_no_page_adds_up_cells_over_papers(site, pages):
    own = [row["verdict"] for row in headline_rows() if row["paper"] == "second"]  # the card of the first has a story
    assert counts_in(pages[site / "index.html"]) == [
        f"{own.count(verdict)} {verdict}" for verdict in dict.fromkeys(own)
    ]
    for path, page in pages.items():
        if path.parent.name != "papers" and path.name != "index.html":
            assert counts_in(page) == [], path.name
        if path.parent.name != "papers":
            assert not re.search(r"\d+ of \d+ cells|\d+ claims\b", " ".join(page.text)), path.name


def test_scores_are_told_a_table_each_without_what_stands_apart(site):
    page = (site / "papers/first.html").read_text(encoding="utf-8")
    rows = dict(re.findall(r'<tr><th scope="row">(Figure \d)</th>(.*?)</tr>', page, re.DOTALL))
    for score in scores(row for row in verdict_rows() if row["paper"] == "first"):
        assert (score.cells, score.holding, score.apart) == (8, 2, 3)
        assert words_of(rows[score.place]).startswith("2 of 8 cells hold 3 stand apart")
    assert "holding" not in page
    assert 'class="scores"' not in (site / "claims.html").read_text(encoding="utf-8")


def test_every_verdict_has_a_symbol_and_a_colour_of_its_own():
    assert tuple(verdicts.SYMBOLS) == VERDICTS
    assert len(set(verdicts.SYMBOLS.values())) == len(VERDICTS)
    style = (rendering.ASSETS / "site.css").read_text(encoding="utf-8")
    for scheme in re.findall(r"(--v0: .*?);? --warn", style):
        colours = re.findall(r"--v\d: (#[0-9a-f]{6})", scheme)
        assert len(set(colours)) == len(VERDICTS)


def test_colours_of_good_and_bad_news_differ_for_readers_who_cannot_tell_red_from_green():
    style = (rendering.ASSETS / "site.css").read_text(encoding="utf-8")
    for scheme in re.findall(r"(--v0: .*?) --warn", style):
        colours = [_dichromat(colour) for colour in re.findall(r"--v\d: #([0-9a-f]{6})", scheme)]
        for good in colours[:2]:
            for bad in colours[4:6]:
                assert sum((one - other) ** 2 for one, other in zip(good, bad, strict=True)) > 0.05


def _dichromat(colour: str) -> list[float]:
    """Return a colour as deuteranopes see it: linear red, green and blue by the matrix of Vienot et al. (1999)."""
    red, green, blue = ((int(colour[place : place + 2], 16) / 255) ** 2.2 for place in (0, 2, 4))
    yellow = 0.29275 * red + 0.70725 * green
    return [yellow, yellow, -0.02234 * red + 0.02234 * green + blue]


def test_the_legend_and_the_page_of_the_rules_say_when_each_verdict_is_given(site, pages):
    for address in ("index.html", "rules.html", "claims.html"):
        text = " ".join(pages[site / address].text)
        for words in EXPLANATIONS.values():
            assert words in text, address
    rules = " ".join(pages[site / "rules.html"].text)
    assert all(words in rules for words in FLAGS.values())
    assert "An example from this run" in rules


def test_a_flag_in_the_table_is_beside_its_verdict_wherever_that_is(site):
    papers = {name: rows_of(site / f"papers/{name}.html") for name in ("first", "second")}
    flagged = 0
    for row in (row for row in verdict_rows() if row["reading"] == "paper"):
        for label in flag_labels(row["flags"]):
            assert escaped(label.kind) in papers[row["paper"]][row["claim"]]
            flagged += 1
    front = rows_of(site / "index.html")
    for row in headline_rows():
        for label in flag_labels(row["flags"]):
            assert escaped(label.kind) in front[f"headline-{row['headline']}"]
            assert escaped(label.kind) in papers[row["paper"]][f"headline-{row['headline'].split('.')[1]}"]
            flagged += 1
    assert flagged > 20
    listed = (site / "claims.html").read_text(encoding="utf-8")
    assert listed.count('class="flag"') >= sum(bool(row["flags"]) for row in verdict_rows())


def test_claims_that_stand_apart_are_muted_with_the_reason(site):
    text = (site / "papers/first.html").read_text(encoding="utf-8")
    rows = rows_of(site / "papers/first.html")
    for row in verdict_rows():
        name = row["claim"]
        muted = re.search(rf'<tr id="{re.escape(name)}" class="apart">', text) if row["paper"] == "first" else None
        assert bool(muted) == bool(row["stands"])
        if row["stands"].startswith("copy of "):
            assert f'copy of <a href="../papers/first.html#first.{row["stands"][8:]}"' in rows[name]
        elif row["stands"]:
            assert escaped(row["stands"]) in rows[name]


def test_a_reason_links_to_what_it_rests_on_and_a_conjecture_says_so(site):
    rows = rows_of(site / "papers/first.html")
    assert 'Rests on <a href="../papers/first.html#first_fig1">Figure 1</a>' in rows["first.claim0.3"]
    assert 'Rests on <a href="../papers/first.html#table8">Table 8</a>' in rows["first.claim0.4"]
    assert "<code>first_table9</code>, which is not shown here" in rows["first.claim0.5"]
    assert '<span class="conjecture">Conjecture:</span> it knows more' in rows["first.claim0.6"]
    assert "Rests on" not in rows["first.claim0.6"]
    assert sum(CONJECTURE in words_of(markup) + " " for markup in rows.values()) >= 3


def test_a_run_whose_papers_have_no_headlines_says_so(planted):
    save_verdicts(planted / "report/headlines.csv", [], HEADLINE_COLUMNS)
    module.main(arguments(planted))
    assert "No headlines were judged in this run." in (planted / "report/index.html").read_text(encoding="utf-8")
    assert "An example" not in (planted / "report/rules.html").read_text(encoding="utf-8")


def test_stand_in_data_and_what_was_left_out_are_named(pages, site):
    text = " ".join(pages[site / "papers/first.html"].text)
    assert "Stand-in data: no claim of the paper is judged on this." in text
    assert f"Left out: the log is not public {SLY}." in text
    assert f"the log is not public {SLY}" in " ".join(pages[site / "index.html"].text)
    assert "movielens-25m" in " ".join(pages[site / "index.html"].text)


def test_nothing_needs_the_network_and_the_front_page_is_light(site):
    assert (site / "index.html").stat().st_size < 100_000
    for path in site.rglob("*.html"):
        for tag, attributes in Page(path).tags:
            loaded = [attributes.get(name, "") for name in ("src", "srcset", *(["href"] if tag != "a" else []))]
            assert not [link for link in loaded if re.match(r"(?:https?:)?//", link)], path.name
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
    for option in ("--verdicts", "--headlines"):
        place = without.index(option)
        del without[place : place + 2]
    module.main(without)
    assert "No headlines were judged in this run." in (planted / "report/index.html").read_text(encoding="utf-8")
    assert "No league was made in this run." in (planted / "report/league.html").read_text(encoding="utf-8")


def _rewritten(path, text):
    path.write_text(text)
    restamp(path)


def _without(rows, **changes):
    return [{**rows[0], **changes}, *rows[1:]]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            lambda rows: _without(rows, verdict="suported"),
            r"unknown verdict of first\.claim0\.1 .*did you mean 'supported'",
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
    ("change", "words"),
    [
        ({"verdict": "partly"}, r"unknown verdict of first\.headline1 "),
        ({"claims": "first.claim9"}, r"unknown claim of first\.headline1 in .*headlines\.csv 'first\.claim0\.1'"),
        ({"claims": "first.claim9", "decided_by": "first.claim9"}, r"'first\.claim9'"),
        ({"paper": "third"}, r"unknown paper of first\.headline1 in .*headlines\.csv 'third'"),
        ({"headline": "first.headline2"}, r"two verdicts on first\.headline2"),
        ({"measured": "much"}, r"measured of first\.headline1 is 'much', not a number"),
    ],
)
def test_headlines_that_are_not_as_they_should_be_are_named(planted, change, words):
    save_verdicts(planted / "report/headlines.csv", _without(headline_rows(), **change), HEADLINE_COLUMNS)
    with pytest.raises(InputError, match=words):
        module.main(arguments(planted))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda r: (r / "figures/first_fig1.csv").unlink(), r"first_fig1\.csv cannot be read"),
        (lambda r: (r / "figures/first_fig1.svg").unlink(), r"first_fig1\.svg does not exist: draw the figure again"),
        (lambda r: (r / "tables/cost.csv.json").unlink(), r"cost\.csv\.json does not exist"),
        (lambda r: _rewritten(r / "tables/cost.csv", "a,b\n1,2\n"), r"cost\.csv has no columns 'paper' and 'file'"),
        (lambda r: _rewritten(r / "tables/cost.csv", "a,b\n1\n"), r"cost\.csv has rows of different lengths"),
        (lambda r: (r / "tables/cost.csv").write_text("a,b\n1\n"), r"cost\.csv is damaged .* `manybandits repair`"),
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


def test_an_algorithm_page_tells_what_it_is_and_when_to_use_it(site, pages):
    text = " ".join(pages[site / "algorithms/club.html"].text)
    assert " ".join(sentences_of("club")) in text
    arenas = arenas_of(read_rows(site / "tables/league.csv"), read_rows(site / "tables/cost.csv"), ARENA)
    (standing,) = standings_of("club", arenas)
    assert standing.words in text
    assert standing.advice in text
    assert "`" not in text
    index = (site / "algorithms/index.html").read_text(encoding="utf-8")
    assert sentences_of("club")[0] in index
    assert re.search(r'<dt><a href="\.\./league\.html#users">Users</a></dt>', index)


def test_an_algorithm_that_does_not_play_in_an_arena_has_the_reason(all_papers):
    text = (all_papers / "algorithms/club.html").read_text(encoding="utf-8")
    assert "Where it does not play, and why" in text
    assert "There is one user; with one user it is the same as LinUCB." in text


def test_the_fold_of_a_figure_has_its_plays_their_choices_and_its_command(site):
    page = (site / "papers/first.html").read_text(encoding="utf-8")
    fold = page.split('id="fig2"')[1].split('id="fig3"')[0]
    words = words_of(fold)
    assert "4 plays of 2,000 rounds, each with 8 runs; 12 seconds, all replicas together." in words
    assert "snakemake first_fig2 --cores 8" in words
    assert 'href="../figures/first_fig2.csv"' in fold
    assert "The paper states no number here." in words
