"""The table of public pairs: our regret beside published numbers, the authors' own, and that of the probe."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.claims.verdict import Answer
from manybandits.results.runs import load_runs
from manybandits.tables import pairs
from tests.planted.claims import plant
from tests.planted.verdicts import claim, save, verdict

GAME = {"name": "item-50-released-yelp", "role": "yelp", "data_note": "Yelp"}
REGRET = np.array([710.0, 700.0, 690.0, 700.0])


def said(published: float, of: str = "M-CNB 2024", answer: Answer = Answer.HOLDS, data: str = "yelp", **changes):
    """Return the verdict on a number that is stated of a regret."""
    return verdict(
        claim=claim(kind="value", of=of, where={"data": data}, published=published, **changes), answer=answer
    )


@pytest.fixture
def runs(tmp_path):
    return [plant(tmp_path, title, REGRET + more, **GAME) for title, more in (("M-CNB 2024", 0), ("CLUB 2022", 50))]


def test_published_numbers_stand_beside_those_that_the_authors_measured_themselves(runs):
    stated = [
        said(0.7269, answer=Answer.NEAR, measure="regret_per_round", at=1_000),
        said(701.0, quoted="regret.npy of the authors' repository"),
        said(1.0, at=2_000),
        said(1.0, measure="seconds"),
        said(760.0, "CLUB 2022", answer=Answer.UNTESTABLE),
    ]
    table = pairs.summarise(load_runs(runs), stated, {GAME["name"]: 5_000.0}).set_index("algorithm")
    own, other = table.loc["M-CNB 2024"], table.loc["CLUB 2022"]
    assert own[["regret", "published", "published_answer", "authors", "authors_answer"]].tolist() == [
        *(700.0, pytest.approx(726.9), "near miss", 701.0, "holds")
    ]
    assert own["published_gap"] == pytest.approx(700 / 726.9 - 1)
    assert (own["low"], own["n"]) == (pytest.approx(692.5, abs=0.5), 4)
    assert other[["published", "published_answer", "authors_answer"]].tolist() == [760.0, "not testable", ""]
    assert table["probe"].tolist() == [500.0, 500.0], "of as many rounds as were played"


def test_a_number_of_other_data_is_not_that_of_a_run(runs):
    table = pairs.summarise(load_runs(runs), [said(444.2, data="movielens")], {})
    assert table[["published", "authors", "probe"]].isna().all(axis=None)


def test_the_probe_is_the_best_model_after_its_longest_training(tmp_path):
    rows = [("a", "logistic", 300, 4.0), ("a", "logistic", 100, 1.0), ("a", "trees", 300, 3.0), ("b", "trees", 9, 2.0)]
    pd.DataFrame(rows, columns=["game", "model", "rounds", "regret"]).to_csv(tmp_path / "probe.csv", index=False)
    assert pairs.lowest(tmp_path / "probe.csv") == {"a": 3.0, "b": 2.0}


def test_the_table_is_written_with_and_without_verdicts_and_probe(runs, tmp_path):
    pd.DataFrame({"game": [GAME["name"]], "model": "trees", "rounds": 1, "regret": 4_000.0}).to_csv(
        tmp_path / "probe.csv", index=False
    )
    verdicts = save(tmp_path, [said(726.9, answer=Answer.NEAR)])
    beside = ["--verdicts", str(verdicts), "--probes", str(tmp_path / "probe.csv")]
    for more in ([], beside):
        pairs.main(["--title", "T", *more, "--runs", *map(str, runs), "--out", str(tmp_path / "pairs")])
    text = (tmp_path / "pairs.md").read_text()
    assert "| M-CNB 2024 | 700 | 692 to 708 | 4 | 727 (-3.7 %, near miss) |  | 400 |" in text
    assert "| CLUB 2022 | 750 | 742 to 758 | 4 |  |  | 400 |" in text
    assert r"727 (-3.7 \%, near miss)" in (tmp_path / "pairs.tex").read_text()
