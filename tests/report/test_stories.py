"""Stories and findings: what a site tells of them, with numbers of the run, and what it leaves out."""

from __future__ import annotations

import csv
import re

import pytest

from manybandits.base.exceptions import InputError
from manybandits.base.table_files import read_rows
from manybandits.report import site as module
from manybandits.report.stories import Told
from tests.planted.runs import restamp
from tests.planted.site import FINDINGS, SLY, STORY, arguments
from tests.report.markup import escaped, words_of

TOLD = re.compile(r'class="rests-on" href="([^"]*)" aria-label="[^"]*, evidence: ([^"]*)"')


@pytest.mark.parametrize(("address", "root"), [("index.html", ""), ("papers/first.html", "../")])
def test_a_sentence_has_the_number_of_its_table_and_a_link_to_its_target(site, address, root):
    (row,) = [
        row
        for row in read_rows(site / "tables/first_fig2.csv")
        if (row["environment"], row["algorithm"]) == ("game-one", "CLUB")
    ]
    text = (site / address).read_text(encoding="utf-8")
    assert f"CLUB pays {float(row['regret']):.0f} in all, {escaped(SLY)}" in text
    assert TOLD.findall(text) == [(f"{root}papers/first.html#first_fig2", "first_fig2")]


def test_what_rests_on_stand_in_data_or_on_what_was_left_out_is_told_nowhere(site):
    assert [one["target"] for one in STORY[1:]] == ["first_fig1", "first_table9"]
    for address in ("index.html", "papers/first.html", "front.md"):
        text = (site / address).read_text(encoding="utf-8")
        assert not any(one["says"] in text for one in (*STORY[1:], *FINDINGS[1:]))


def test_a_finding_has_its_figure_and_leads_to_it(site):
    text = (site / "index.html").read_text(encoding="utf-8")
    (card,) = re.findall(r'<li class="card"><h3><a href="league.html">(.*?)</li>', text, re.DOTALL)
    assert words_of(card).startswith(f"{escaped(FINDINGS[0]['title'])} {FINDINGS[0]['says']}")
    assert 'src="data:image/webp;base64,' in card


def test_a_sentence_that_its_numbers_contradict_is_not_told(planted):
    paper = planted / "papers/first/claims.yaml"
    told = "target: first_fig2\n"
    assert paper.read_text().count(told) == 1
    paper.write_text(paper.read_text().replace(told, f"{told}  only_if: [regret < 1]\n"))
    module.main(arguments(planted))
    assert "in all, " not in (planted / "report/index.html").read_text(encoding="utf-8")


def test_a_finding_on_the_league_is_not_told_if_all_its_games_stand_in(planted):
    path = planted / "report/tables/league.csv"
    rows = read_rows(path)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(row | {"stand_in": "True"} for row in rows)
    restamp(path)
    module.main(arguments(planted))
    assert FINDINGS[0]["says"] not in (planted / "report/index.html").read_text(encoding="utf-8")


def test_a_column_that_the_table_does_not_have_is_named(planted):
    paper = planted / "papers/first/claims.yaml"
    paper.write_text(paper.read_text().replace("column: regret", "column: regert"))
    with pytest.raises(InputError, match=r"unknown column \(first, sentence of the story, first_fig2\.csv\) 'regert'"):
        module.main(arguments(planted))


def test_a_card_tells_the_first_sentence_of_a_story():
    says = "Of 7 runs (see 3.2) none is ahead, by 5.4. Section 6 says why. It is long."
    assert Told(says, "", "", "", None).first == says[: says.index(" Section")]
    assert Told("It is so.", "", "", "", None).first == "It is so."
