"""Readings on the site: every headline with its curve, its word and what decides; what is missing or stale is named."""

from __future__ import annotations

import html
import json
import re
import shutil
from dataclasses import replace

import pandas as pd
import pytest
import vl_convert

from manybandits.base.artifacts import provenance_path
from manybandits.base.exceptions import InputError
from manybandits.base.table_files import read_rows, save_csv
from manybandits.claims.verdict import Answer, Word
from manybandits.figures.palette import ANSWERS
from manybandits.report import site as module
from manybandits.report.inputs import read_papers
from manybandits.report.readings import HeadlineReadings, changes_of, read_readings_of
from manybandits.report.readings_chart import as_data
from manybandits.report.sizes import BLURRED, CLEARED, REVERSED, SAME, Sizes, at_both_sizes, sentence
from tests.planted import verdicts as made
from tests.planted.readings import QUESTIONS
from tests.planted.runs import restamp
from tests.planted.site import READINGS, SLY, arguments, headlines


@pytest.fixture(scope="module")
def found(site) -> dict[str, HeadlineReadings]:
    papers = read_papers([site.parent / "papers/first"], [], [], {})
    return read_readings_of(site.parent / "readings", [name.replace(".", "_") for name in READINGS], papers)


@pytest.fixture
def planted(site, tmp_path):
    """A copy of what the site was made of, to change and make a site of again."""
    folder = tmp_path / "planted"
    shutil.copytree(site.parent, folder, ignore=shutil.ignore_patterns("runs"))
    return folder


def words_of(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", markup).split())


def cards(site) -> dict[str, str]:
    """Return the cards of the page of readings: headline -> its markup."""
    text = (site / "readings.html").read_text(encoding="utf-8")
    return dict(re.findall(r'<li class="headline" id="([^"]+)">(.*?)</li>', text, re.DOTALL))


def test_every_headline_with_readings_has_a_card_with_the_sentence_of_the_summary(site, found):
    shown = cards(site)
    summaries = {row["headline"]: row for row in read_rows(site.parent / "readings/readings.csv")}
    assert list(shown) == list(summaries) == list(READINGS)
    for headline, row in summaries.items():
        counts = f"in {row['holds']} of {row['judged']} set-ups and fails in {row['fails']}"
        assert counts in words_of(shown[headline])
        decided = found[headline].setups.questions
        assert row["choices"] == "; ".join(found[headline].setups.choices)
        asked = {key: one.asks for key, one in found[headline].openings.items()}
        assert [key for key in asked if f'"{asked[key]}"' in html.unescape(shown[headline])] == decided
        assert words_of(shown[headline]).startswith(f"{row['answer']} default set-up")
        bars = re.findall(r'<path class="bars c-\w+" d="([^"]+)"', shown[headline])
        assert sum(bar.count("M") for bar in bars) == int(row["readings"])


def test_the_set_ups_of_a_headline_link_to_its_curve_and_those_with_one_are_counted(site):
    for address, root in (("index.html", ""), ("papers/first.html", "../")):
        text = (site / address).read_text(encoding="utf-8")
        for name in READINGS:
            assert f'<a href="{root}readings.html#{name}">' in text, address
    told = words_of((site / "readings.html").read_text(encoding="utf-8"))
    assert "1 holds in nearly all set-ups, 1 holds in some set-ups and fails in others." in told
    assert f"{len(Word) - 3} more have only one set-up, because no open choice affects them." in told


def test_what_explains_the_effect_is_ranked_with_pairs_named_as_pairs(site, found):
    pairs = []
    for headline, one in found.items():
        rows = re.findall(
            r'<tr(?: class="sure")?><th scope="row">(.*?)</th><td class="number">(\d+) %', cards(site)[headline]
        )
        shares = [int(share) for _, share in rows]
        assert shares == sorted(shares, reverse=True)
        assert len(rows) == len(one.explaining) > 0
        pairs += [words for words, _ in rows if "interaction: beyond what each explains alone" in words]
    assert pairs
    assert all(" and " in words for words in pairs)
    assert found["first.headline1"].explaining[0]["words"] == "learners"
    assert [row["words"] for row in found["first.headline1"].explaining if row["sure"]] == ["learners"]
    assert 'class="sure"' not in cards(site)["first.headline2"]


def test_questions_are_listed_with_every_answer_and_why_it_is_admissible(site, planted):
    without = arguments(planted)
    del without[(place := without.index("--readings-of")) : place + 3 + len(READINGS)]
    module.main(without)
    for folder in (site, planted / "report"):
        text = (folder / "readings.html").read_text(encoding="utf-8")
        assert SLY in html.unescape(text)
        for key, values in QUESTIONS.items():
            (row,) = re.findall(rf'<tr id="open-first-{key}">(.*?)</tr>', text, re.DOTALL)
            assert re.findall(r"<dt>(\w+)", row) == list(values)
            assert "the text" in row
            assert "Algorithm 1" in row
        assert "<code>club alpha = 0.1, 1; horizon = 5</code>" in text
    assert "No set-ups were run." in text
    for address in ("index.html", "papers/first.html"):
        assert "readings.html#first." not in (planted / "report" / address).read_text(encoding="utf-8")


def test_the_answer_at_the_size_of_readings_stands_beside_that_at_full_size(site, found):
    both = at_both_sizes(found.values(), {one.id: one for one in headlines()})
    assert both
    page = (site / "readings.html").read_text(encoding="utf-8")
    text = words_of(page[page.index('id="scale"') :])
    assert sentence(both) in text
    for one in both:
        assert f"{one.readings.answer.value} 2,000 of 10,000 rounds" in text  # and the rest of its limits
        assert f"</svg>{one.full.answer.value}</span>" in page[page.index('id="scale"') :]


@pytest.mark.parametrize(
    ("small", "full", "change"),
    [
        (Answer.HOLDS, Answer.HOLDS, SAME),
        (Answer.UNCLEAR, Answer.NEAR, SAME),
        (Answer.UNCLEAR, Answer.FAILS, CLEARED),
        (Answer.HOLDS, Answer.UNCLEAR, BLURRED),
        (Answer.HOLDS, Answer.FAILS, REVERSED),
        (Answer.HOLDS, Answer.UNTESTABLE, ""),
    ],
)
def test_what_became_of_an_answer_is_that_of_the_two_sizes(found, small, full, change):
    read = next(iter(found.values()))
    one = Sizes(replace(read, table=read.table.assign(answer=small.value)), made.headline(answer=full))
    assert one.change == change
    if change in (CLEARED, REVERSED):
        assert sentence([one]).endswith("." if change == REVERSED else "and none is reversed.")


def test_the_chart_has_every_reading_with_its_answers_sorted_by_effect(found):
    for one in found.values():
        data = as_data(one)
        effects = [reading[1] for reading in data["readings"]]
        assert effects == sorted(effects)
        assert effects == pytest.approx(sorted(100 * one.table["effect"]), rel=1e-4)  # in per cent of the rival
        rows = one.table.sort_values("effect")
        for reading, row in zip(data["readings"], rows.to_dict("records"), strict=True):
            assert data["verdicts"][reading[0]]["word"] == row["answer"]
            answers = [
                question["values"][place] for question, place in zip(data["questions"], reading[-1], strict=True)
            ]
            assert answers == [row[question["key"]] for question in data["questions"]]
        marked = {reading[-2] for reading in data["readings"]}
        assert marked == {"", "as written"}
        assert vl_convert.vegalite_to_vega(json.dumps(data["spec"]))["marks"]
    assert as_data(found["first.headline1"])["questions"][0]["key"] == "learners"


def test_every_answer_has_the_look_of_the_palette(found):
    one, answers = found["first.headline1"], list(Answer)
    table = one.table.assign(answer=[answers[place % len(answers)].value for place in range(len(one.table))])
    looks = as_data(replace(one, table=table))["verdicts"]
    assert [look["word"] for look in looks] == [answer.value for answer in answers]
    assert [look["color"] for look in looks] == [ANSWERS[answer][1] for answer in answers]
    assert len({look["path"] for look in looks}) == len(answers)
    assert [look["judged"] for look in looks] == [answer.is_judged for answer in answers]


def test_readings_without_an_effect_are_counted_and_not_drawn(found):
    one = found["first.headline1"]
    table = one.table.assign(effect=one.table["effect"].where(one.table.index > 2))
    data = as_data(replace(one, table=table))
    assert [reading[1] for reading in data["readings"]][-3:] == [None] * 3
    domain = data["spec"]["vconcat"][0]["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert domain[1] < len(table) - 3


def test_what_an_answer_changes_is_told_as_in_the_file(found):
    values = found["first.headline1"].openings["first_data"].values
    assert [changes_of(value) for value in values.values()] == [[], ["club alpha = 0.1, 1", "horizon = 5"]]


def test_a_run_that_is_asked_for_and_has_no_readings_is_named_on_the_page(planted):
    told = arguments(planted)
    del told[(place := told.index("--readings")) : place + 1 + len(READINGS)]
    module.main(told)
    text = (planted / "report/readings.html").read_text(encoding="utf-8")
    assert f"have not been run yet: there are none in <code>{planted / 'readings'}</code>" in text
    assert not list((planted / "report/charts").glob("readings_*"))


def test_readings_without_a_picture_are_shown_by_their_chart_alone(planted):
    picture = planted / "readings/figures/readings_first_headline1.svg"
    assert picture.name in (planted / "report/readings.html").read_text(encoding="utf-8")
    picture.unlink()
    module.main(arguments(planted))
    text = (planted / "report/readings.html").read_text(encoding="utf-8")
    assert picture.name not in text
    assert 'data-chart="readings_first_headline1"' in text


def _changed(path, change) -> None:
    save_csv(path, change(pd.DataFrame(read_rows(path))))
    if provenance_path(path).exists():
        restamp(path)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (
            lambda r: (r / "readings/first_headline1.csv").unlink(),
            r"first_headline1\.csv cannot be read .*: judge the readings again",
        ),
        (
            lambda r: (r / "readings/first_headline1.choices.csv").unlink(),
            r"first_headline1\.choices\.csv cannot be read .*: judge the readings again",
        ),
        (
            lambda r: _changed(r / "readings/first_headline1.choices.csv", lambda t: t.iloc[1:]),
            r"unknown choice in .*choices\.csv 'learners'",
        ),
        (
            lambda r: _changed(
                r / "readings/first_headline1.choices.csv",
                lambda t: t.replace("learners and context", "learners and draws"),
            ),
            r"unknown choice of first\.headline1 in .*choices\.csv 'draws'",
        ),
        (
            lambda r: _changed(r / "readings/first_headline1.choices.csv", lambda t: t.assign(share="much")),
            r"choices\.csv: share is not a number",
        ),
        (
            lambda r: _changed(r / "readings/first_headline1.csv", lambda t: t.rename(columns={"learners": "lerners"})),
            r"unknown choice of first\.headline1 in .*'lerners': did you mean 'learners'",
        ),
        (
            lambda r: _changed(r / "readings/first_headline1.csv", lambda t: t.assign(learners="all")),
            r"unknown answer to learners in .*'all'",
        ),
        (
            lambda r: _changed(r / "readings/first_headline1.csv", lambda t: t.assign(answer="so")),
            r"unknown answer on first\.headline1 in .*first_headline1\.csv 'so'",
        ),
        (
            lambda r: _changed(r / "readings/first_headline1.choices.csv", lambda t: t.drop(columns="share")),
            r"choices\.csv has no column 'share'",
        ),
    ],
)
def test_readings_that_are_not_those_of_the_papers_are_named(planted, damage, words):
    damage(planted / "readings")
    with pytest.raises(InputError, match=words):
        module.main(arguments(planted))


def test_a_headline_that_no_paper_has_is_named(planted):
    with pytest.raises(InputError, match=r"unknown headline with readings in .* 'first_headline'"):
        module.main([*arguments(planted), "--readings", "first_headline"])


def test_methods_that_a_reading_leaves_at_chance_are_named_beside_the_headline(site, found):
    for headline, one in found.items():
        assert one.at_chance == {"SCLUB": 4}
        assert "No better than Random: SCLUB in 4 set-ups" in words_of(cards(site)[headline])
        data = as_data(one)
        assert [data["chance"][reading[6]] for reading in data["readings"]].count("SCLUB") == 4


def test_readings_that_are_not_judged_are_counted_and_lead_to_the_reasons(site, found, planted):
    assert not any("Not judged" in card for card in cards(site).values())
    first = found["first.headline1"]
    lost = [Answer.UNTESTABLE.value] * 3
    table = planted / "readings/readings/first_headline1.csv"
    _changed(table, lambda rows: rows.assign(answer=[*rows["answer"][:-3], *lost]))
    module.main(arguments(planted))
    card = cards(planted / "report")["first.headline1"]
    assert "Not judged: 3 set-ups; why" in words_of(card)
    assert card.count("first_headline1.csv") == 2
    assert replace(first, table=first.table.assign(answer=Answer.UNTESTABLE.value)).unjudged == 0
