"""The ladder of a probe: which numbers it draws, and what its title says of the published accuracy."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import InputError
from manybandits.figures import ladder

RUNGS = ("m-cnb", "middle dropped", "item-50")


def a_row(rung: str, model: str, accuracy: float, rounds: int = 300, inputs: str = "arm", data: str = "movielens"):
    names = {"data": data, "game": f"{data}-{rung}", "rung": rung, "model": model, "inputs": inputs}
    return {**names, "rounds": rounds, "accuracy": accuracy, "error": 0.01, "regret": 0.0, "chance": 0.1}


def a_ladder(*accuracies: float, data: str = "movielens") -> list[dict]:
    """A row per rung and model after 300 rounds, and worse ones after 100 rounds and with other inputs."""
    pairs = zip(RUNGS, accuracies, strict=True)
    return [
        a_row(rung, model, value - less, rounds, inputs, data)
        for rung, high in pairs
        for model, value in (("trees", high), ("logistic", high - 0.05))
        for rounds, inputs, less in ((100, "arm", -0.2), (300, "arm", 0.02), (300, "arm and user", 0.0))
    ]


def save(folder, rows, stand_in: bool = False):
    path = folder / "probe.csv"
    table = pd.DataFrame(rows)
    table.to_csv(path, index=False)
    games = [
        {"role": data, "dataset": {"name": data, "title": data.title()}, "stand_in": stand_in, "data_note": game}
        for data, game in table[["data", "game"]].drop_duplicates().itertuples(index=False)
    ]
    Provenance({"title": "T"}).save(path, {"note": "", "games": games})
    return path


def drawn(folder, rows, *stated: str, stand_in: bool = False):
    """Draw a ladder; return the table that it was drawn from, the facts beside it, and the picture."""
    arguments = ["--title", "M-CNB, section 6: a ladder", "--table", str(save(folder, rows, stand_in))]
    ladder.main([*arguments, "--out", str(folder / "ladder"), *(["--stated", *stated] if stated else [])])
    facts = json.loads((folder / "ladder.csv.json").read_text())["facts"]
    return pd.read_csv(folder / "ladder.csv"), facts, (folder / "ladder.svg").read_bytes()


def test_each_model_is_drawn_with_its_best_inputs_after_its_longest_training(tmp_path):
    table, _, _ = drawn(tmp_path, a_ladder(0.3, 0.5, 0.6))
    assert table[["rung", "model"]].values.tolist() == [[rung, one] for rung in RUNGS for one in ("trees", "logistic")]
    assert set(table["rounds"]) == {300}
    assert set(table["inputs"]) == {"arm and user"}
    assert table["accuracy"].tolist() == pytest.approx([0.3, 0.25, 0.5, 0.45, 0.6, 0.55])
    assert (table["high"] - table["low"]).tolist() == pytest.approx([2 * 1.96 * 0.01] * 6)


@pytest.mark.parametrize(
    ("regret", "said"),
    [
        ("0.52", "On Movielens the probe first reaches the published accuracy with: ratings in between dropped"),
        ("0.8", "On Movielens the probe reaches the published accuracy in every game"),
        ("0.1", "On Movielens the probe stays below the published accuracy in every game"),
    ],
)
def test_the_title_says_in_which_game_the_published_accuracy_is_reached_first(tmp_path, regret, said):
    table, facts, _ = drawn(tmp_path, a_ladder(0.3, 0.5, 0.6), f"movielens={regret}")
    assert facts["seen"] == said
    assert "red line" in facts["caption"]
    assert table["stated"].tolist() == pytest.approx([1 - float(regret)] * 6)


def test_two_data_sets_are_two_panels_each_with_its_own_published_number(tmp_path):
    rows = [*a_ladder(0.3, 0.5, 0.6), *a_ladder(0.3, 0.5, 0.6, data="yelp")]
    table, facts, _ = drawn(tmp_path, rows, "movielens=0.1", "yelp=0.8", "amazon=0.5")
    assert facts["seen"].endswith("; on Yelp the probe reaches the published accuracy in every game")
    assert table.groupby("data")["stated"].first().round(6).to_dict() == {"movielens": 0.9, "yelp": 0.2}
    assert list(facts["games"]) == [f"{data}-{rung}" for data in ("movielens", "yelp") for rung in RUNGS]


def test_without_a_published_number_no_line_is_drawn_and_the_title_is_that_of_the_experiment(tmp_path):
    _, facts, first = drawn(tmp_path, a_ladder(0.3, 0.5, 0.6))
    assert facts["seen"] == ""
    assert "red line" not in facts["caption"]
    assert not facts["stand_in"]
    assert drawn(tmp_path, a_ladder(0.3, 0.5, 0.6))[2] == first
    assert drawn(tmp_path, a_ladder(0.3, 0.5, 0.6), stand_in=True)[1]["stand_in"]


@pytest.mark.parametrize("text", ["movielens", "movielens=much", "movielens=4442"])
def test_what_is_no_regret_per_round_is_refused(text):
    with pytest.raises(
        InputError, match=f"--stated {text}: give data and a regret per round, such as movielens=0.4442"
    ):
        ladder.stated_of([text])
