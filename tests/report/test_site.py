"""The site of planted runs, without a browser: what its pages say, link to and escape, and what stops it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from msgspec.structs import replace

from manybandits.algorithms.description import sentences_of
from manybandits.base.exceptions import InputError
from manybandits.base.table_files import read_rows
from manybandits.claims.scores import scores
from manybandits.claims.verdict import FLAGS, MEANINGS, Answer, Word
from manybandits.claims.verdict_files import save_records
from manybandits.claims.words import RULES
from manybandits.report import rendering
from manybandits.report import site as module
from manybandits.report.addresses import CHARTED, addresses
from manybandits.report.charts import CHARTS
from manybandits.report.matrix import in_words
from manybandits.report.standings import arenas_of, standings_of
from manybandits.report.verdicts import ANSWERS, WORDS
from manybandits.results.display_names import flag_name
from tests.planted.runs import restamp
from tests.planted.site import EXPERIMENTS, LINK, READINGS, SLY, arguments, headlines, save_all, verdicts
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
        name for name in made if not name.startswith(("figures/", "tables/", "verdicts.", "headlines."))
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
    kinds = {"page", "paper", "headline", "figure", "claim", "algorithm", "data", "left out", "open choice"}
    assert {entry["kind"] for entry in entries} >= kinds
    assert len({(entry["kind"], entry["title"]) for entry in entries}) == len(entries)
    assert list(dict.fromkeys(entry["kind"] for entry in entries))[:2] == ["algorithm", "paper"]
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
    rows = [attributes for tag, attributes in listed.tags if tag == "tr" and "data-answer" in attributes]
    assert [(row["data-paper"], row["data-answer"], row["data-run"] == "smaller") for row in rows] == [
        (one.claim.paper, one.answer.value, bool(one.limits)) for one in verdicts() if one.claim.reading == "paper"
    ]
    for one in verdicts():
        assert one.claim.id in pages[site / f"papers/{one.claim.paper}.html"].ids


def rows_of(page: Path) -> dict[str, str]:
    """Return the rows of claims and the headlines of a page: id -> their markup."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r'<(tr|li)[^>]* id="((?:first|second)\.[^"]+|headline-[^"]+)"[^>]*>(.*?)</\1>', text, re.DOTALL)
    return {name: markup for _, name, markup in found}


def test_the_front_page_has_every_headline_in_order_with_its_word_and_a_link(site, pages):
    text = (site / "index.html").read_text(encoding="utf-8")
    found = re.findall(r'<tr id="headline-([^"]+)"[^>]*>(.*?)</tr>', text, re.DOTALL)
    assert [name for name, _ in found] == [one.id for one in headlines()]
    for (_, markup), one in zip(found, headlines(), strict=True):
        place = f'href="papers/{one.paper}.html#headline-{one.key}"'
        sentence, word = re.search(r"<th (.*?)</th><td (.*?)</td>", markup, re.DOTALL).groups()
        assert escaped(one.headline.says) in sentence
        assert words_of(f"<td {word}") == one.word.value
        assert place in sentence
        assert place in word


def test_no_page_adds_up_cells_over_papers(site, pages):
    for path, page in pages.items():
        if path.parent.name != "papers":
            assert not re.search(r"\d+ of \d+ cells|\d+ claims\b", " ".join(page.text)), path.name


def test_scores_are_told_a_table_each_without_what_stands_apart(site):
    page = (site / "papers/first.html").read_text(encoding="utf-8")
    rows = dict(re.findall(r'<tr><th scope="row">(Figure \d)</th>(.*?)</tr>', page, re.DOTALL))
    for score in scores(one for one in verdicts() if one.claim.paper == "first"):
        assert (score.cells, score.holding, score.apart) == (len(Answer), 1, 3)
        assert words_of(rows[score.place]).startswith(f"1 of {len(Answer)} hold 3 not counted")
    assert 'class="scores"' not in (site / "claims.html").read_text(encoding="utf-8")


def test_every_answer_and_every_word_has_a_symbol_of_its_own_in_a_colour_of_the_style_sheet():
    assert list(ANSWERS) == list(Answer)
    assert list(WORDS) == list(Word)
    style = (rendering.ASSETS / "site.css").read_text(encoding="utf-8")
    for looks in (ANSWERS, WORDS):
        assert len({look.symbol for look in looks.values()}) == len(looks)
        assert all(f".c-{look.colour} {{ --c: var(--{look.colour}); }}" in style for look in looks.values())
    for scheme in schemes():
        assert len(set(scheme.values())) == len(scheme) >= len({look.colour for look in ANSWERS.values()})


def schemes() -> list[dict[str, str]]:
    """Return the colours of answers and words, by name, of each scheme of the style sheet."""
    style = (rendering.ASSETS / "site.css").read_text(encoding="utf-8")
    return [dict(re.findall(r"--(\w+): #([0-9a-f]{6})", one)) for one in re.findall(r"--sure: .*?(?= --warn)", style)]


def test_colours_of_good_and_bad_news_differ_for_readers_who_cannot_tell_red_from_green():
    for scheme in schemes():
        colours = {name: _dichromat(colour) for name, colour in scheme.items()}
        for good in ("sure", "holds"):
            for bad in ("weak", "fails"):
                pairs = zip(colours[good], colours[bad], strict=True)
                assert sum((one - other) ** 2 for one, other in pairs) > 0.05


def _dichromat(colour: str) -> list[float]:
    """Return a colour as deuteranopes see it: linear red, green and blue by the matrix of Vienot et al. (1999)."""
    red, green, blue = ((int(colour[place : place + 2], 16) / 255) ** 2.2 for place in (0, 2, 4))
    yellow = 0.29275 * red + 0.70725 * green
    return [yellow, yellow, -0.02234 * red + 0.02234 * green + blue]


def test_pages_say_when_each_word_and_each_answer_is_given(site, pages):
    front, listed, rules = (" ".join(pages[site / name].text) for name in ("index.html", "claims.html", "rules.html"))
    assert all(words in front and words in rules for words, _ in RULES.values())
    assert all(words in listed and words in rules for words in MEANINGS.values())
    assert all(words in rules for words in FLAGS.values())
    assert front.index("What the words and columns mean") < front.index("Smaller run", front.index("Set-ups") + 1)


def test_a_flag_is_beside_its_verdict_wherever_that_is(site):
    papers = {name: rows_of(site / f"papers/{name}.html") for name in ("first", "second")}
    by_text = {one.claim.id: one for one in verdicts() if one.claim.reading == "paper"}
    front = rows_of(site / "index.html")
    flagged = 0
    for name, one in by_text.items():
        for flag in one.flags:
            assert escaped(flag_name(flag.kind)) in papers[one.claim.paper][name]
            assert escaped(flag.of) in papers[one.claim.paper][name]
            flagged += 1
    for one in headlines():
        for flag in by_text[one.decided_by].flags:
            assert escaped(flag_name(flag.kind)) in front[f"headline-{one.id}"]
            assert escaped(flag_name(flag.kind)) in papers[one.paper][f"headline-{one.key}"]
            flagged += 1
    assert flagged > 20
    listed = (site / "claims.html").read_text(encoding="utf-8")
    assert listed.count('class="flag"') >= sum(bool(one.flags) for one in by_text.values())


def test_claims_that_stand_apart_are_muted_with_the_reason(site):
    text = (site / "papers/first.html").read_text(encoding="utf-8")
    rows = rows_of(site / "papers/first.html")
    for claim in (one.claim for one in verdicts() if one.claim.paper == "first"):
        assert bool(re.search(rf'<tr id="{re.escape(claim.id)}" class="apart">', text)) == bool(claim.stands)
        if claim.copy_of:
            assert f'copy of <a href="../papers/first.html#first.{claim.copy_of}"' in rows[claim.id]
        elif claim.stands:
            assert escaped(claim.stands) in rows[claim.id]


def test_a_reason_links_to_what_it_rests_on_and_a_conjecture_says_so(site):
    rows = rows_of(site / "papers/first.html")
    assert 'Rests on <a href="../papers/first.html#first_fig1">Figure 1</a>' in rows["first.claim0.3"]
    assert 'Rests on <a href="../papers/first.html#table8">Table 8</a>' in rows["first.claim0.4"]
    assert "<code>first_table9</code>, which is not shown here" in rows["first.claim0.5"]
    assert '<p class="conjecture">Conjecture: it knows more' in rows["first.claim0.6"]
    assert "Rests on" not in rows["first.claim0.6"]


def test_a_run_whose_papers_have_no_headlines_says_so(planted):
    save_all(planted / "report", verdicts(), [])
    module.main(arguments(planted))
    for page in ("index.html", "rules.html"):
        text = (planted / "report" / page).read_text(encoding="utf-8")
        assert "No headlines were judged in this run." in text


def test_the_card_of_a_headline_has_its_columns_and_what_a_sceptic_asks(site):
    cards = {one.id: rows_of(site / f"papers/{one.paper}.html")[f"headline-{one.key}"] for one in headlines()}
    words = {name: words_of(card) for name, card in cards.items()}
    for told in (
        *("mechanism off: as good", "rivals alike: worse", "plain bandit: not run"),
        "mechanism off, as released: inconclusive",
        "Early in the run: inconclusive after a tenth of the rounds, holds after a third.",
        "Smallest change that turns the answer: it fails with these answers: ",
    ):
        assert told in words["first.headline1"]
    assert "Under other rules of judging: near miss (tolerances doubled)." in words["first.headline2"]
    assert "8 runs; p = 0.02, corrected" in words["first.headline2"]
    assert "Smaller run: 2,000 of 10,000 rounds" in words["first.headline2"]
    assert "Early in the run" not in words["first.headline2"]
    assert re.search(r"Reply of An author .*, 2026-11-27: It does", words["first.headline3"])
    assert "Controls none needed" in words["first.headline4"]
    assert "Set-ups one set-up only Controls none needed" in words["first.headline4"]
    assert "Code not run Set-ups not run Controls not run" in words["second.headline1"]
    for name, how in (("first", False), ("second", True)):
        page = (site / f"papers/{name}.html").read_text(encoding="utf-8")
        assert ("No author has replied yet." in page) == how
        own = [one for one in headlines() if one.paper == name]
        assert f"Of {len(own)} headline{'s' if len(own) > 1 else ''}, {in_words(own)}." in words_of(page)


def test_the_page_of_the_rules_says_what_changes_under_other_rules_and_early_in_the_run(site):
    page = (site / "rules.html").read_text(encoding="utf-8")
    (changed,) = re.findall(r'<tr><th scope="row">tolerances doubled</th>(.*?)</tr>', page, re.DOTALL)
    assert words_of(changed) == "1 First: headline2 : holds → near miss"
    assert 'href="papers/first.html#headline-headline2"' in changed
    horizon = page[page.index('id="horizon"') : page.index('id="power"')]
    assert "1 headline about orders is judged after a tenth" in words_of(horizon)
    assert "First: headline1 inconclusive holds holds" in words_of(horizon)
    power = words_of(page[page.index('id="power"') : page.index('id="glossary"')])
    # The interval of 0.05 from 8 runs: a deviation of 0.036, and (3.2416 * 0.036 / lead) ** 2 runs.
    assert "Game Comparisons 1 % 2 % 5 % 10 % MovieLens 1M" in power
    assert power.split(" one ")[-1].startswith("2 137 35 6 2")


def test_stand_in_data_and_what_was_left_out_are_named(pages, site):
    text = " ".join(pages[site / "papers/first.html"].text)
    assert "Other data replace the paper&#39;s here, so no claim of the paper is judged on this." in text.replace(
        "'", "&#39;"
    )
    assert f"Left out: the log is not public {SLY}." in text
    assert f"the log is not public {SLY}" in " ".join(pages[site / "index.html"].text)
    assert "MovieLens 25M" in " ".join(pages[site / "index.html"].text)


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
    assert "This run has no league." in (planted / "report/league.html").read_text(encoding="utf-8")


def _rewritten(path, text):
    path.write_text(text)
    restamp(path)


def _claimed(one, **changes):
    return replace(one, claim=replace(one.claim, **changes))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda all_: [_claimed(all_[0], reading="x"), *all_[1:]], r"has first\.claim0\.1 under x: by the text first"),
        (lambda all_: [all_[0], *all_], r"has first\.claim0\.1 under paper, paper: by the text first, and once"),
        (
            lambda all_: [_claimed(all_[0], paper="third"), *all_[1:]],
            r"a claim of 'third': give the file",
        ),
    ],
)
def test_verdicts_that_are_not_as_they_should_be_are_named(planted, change, words):
    save_records(planted / "report/verdicts.jsonl", change(verdicts()))
    with pytest.raises(InputError, match=words):
        module.main(arguments(planted))
    assert not (planted / "report/index.html").exists()  # not even in part


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"claims": ("first.claim9",)}, r"unknown claim that decides first\.headline1 in .*headlines\.jsonl"),
        ({"claims": ("first.claim9",), "decided_by": "first.claim9"}, r"claim of first\.headline1 .*'first\.claim9'"),
        ({"paper": "third"}, r"unknown paper of first\.headline1 in .*headlines\.jsonl 'third'"),
    ],
)
def test_headlines_that_are_not_as_they_should_be_are_named(planted, change, words):
    first, *others = headlines()
    save_records(planted / "report/headlines.jsonl", [replace(first, **change), *others])
    with pytest.raises(InputError, match=words):
        module.main(arguments(planted))


def test_verdicts_of_an_earlier_version_are_named_with_what_makes_them_again(planted):
    (planted / "report/verdicts.jsonl").unlink()
    with pytest.raises(InputError, match=r"verdicts\.jsonl does not exist; verdicts\.csv .*: judge the claims"):
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
    assert "There is one user, with whom they are one model for all, as LinUCB-ONE is." in text


def test_the_fold_of_a_figure_has_its_plays_their_choices_and_its_command(site):
    page = (site / "papers/first.html").read_text(encoding="utf-8")
    fold = page.split('id="fig2"')[1].split('id="fig3"')[0]
    words = words_of(fold)
    assert "4 plays of 2,000 rounds, each with 8 runs; 12 seconds, all replicas together." in words
    assert "snakemake first_fig2 --cores 8" in words
    assert 'href="../figures/first_fig2.csv"' in fold
    assert "The paper states no number here." in words


def test_no_page_weighs_more_than_half_a_megabyte_with_all_claims_of_the_papers(all_papers):
    """Tables, curves and headlines add up to 75 kB to the pages of papers in a run, which this site does not have."""
    limits = {path: 425_000 if path.parent.name == "papers" else 500_000 for path in all_papers.rglob("*.html")}
    assert [path.name for path, limit in limits.items() if path.stat().st_size > limit] == []


def test_a_reader_who_does_not_see_a_figure_is_told_what_is_seen_in_it(site):
    page = (site / "league.html").read_text(encoding="utf-8")
    told = re.findall(r'<img [^>]*alt="([^"]*)"', page)
    assert told == ["No proposed method wins an arena (League)", "CLUB has the best average rank (League)"]
