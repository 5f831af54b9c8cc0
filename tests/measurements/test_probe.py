"""The full-information probe: what models find where there is something to find, and chance where there is not."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from manybandits.base.artifacts import save_arrays
from manybandits.base.exceptions import InputError
from manybandits.claims.rows import Rows
from manybandits.environments.game_file import load_game
from manybandits.measurements import probe
from manybandits.papers.claim import Selection
from tests.environments.test_classification import a_frozen_table

USERS, ITEMS = 4, 400


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch):
    """Test on 1,000 rounds, which take a tenth of the time."""
    monkeypatch.setattr(probe, "TESTED", 1_000)


def a_game(folder, taste, alike: bool = False, about: bool = False, name: str = "m-cnb-paper-made", **settings: str):
    """Freeze a game of ratings in which user p likes the items with a positive taste[p] times feature.

    taste: (P,), 1 or -1; alike: whether all items have the same features; about: whether contexts have those of users,
    of which the first is the taste.
    """
    random = np.random.default_rng(0)
    items = np.full((ITEMS, 2), 0.5) if alike else random.normal(size=(ITEMS, 2))
    sign = items[:, 0] if not alike else random.normal(size=ITEMS)
    pays = [taste[user] * sign > 0 for user in range(USERS)]
    arrays = {
        "item_table": items,
        "user_table": np.array(taste)[:, None] * [1.0, 0.5] if about else np.zeros((1, 0)),
        "serve_start": np.arange(USERS + 1),
        "serve_pool": np.arange(USERS),
        "group": np.arange(USERS),
        "replace": np.array(True),
    }
    for kind, chosen in (("paying", pays), ("other", [~one for one in pays])):
        entries = [np.flatnonzero(one) for one in chosen]
        arrays[f"{kind}_start"] = np.concatenate([[0], np.cumsum([len(one) for one in entries])])
        arrays[f"{kind}_item"] = np.concatenate(entries).astype(np.int32)
        arrays[f"{kind}_rater"] = np.repeat(np.arange(USERS), [len(one) for one in entries]).astype(np.int32)
    dataset = {"name": "made", "title": "Made", "completeness": "complete"}
    facts = {
        **{"kind": "recommendation", "users": USERS, "items": ITEMS, "arms": 10, "dimension": 4 if about else 2},
        **{"protocol": "paper", "role": "movielens", "dataset": dataset, "stand_in": False, "data_note": "Made"},
        "settings": {"context": "both" if about else "item", "pools": "groups", **settings},
    }
    save_arrays(folder / f"{name}.npz", arrays, facts)
    return load_game(folder / f"{name}.npz")


def accuracies(game, *sizes: int) -> pd.Series:
    table = pd.DataFrame(probe.probe(game, sizes or (300,)))
    return table.set_index(["model", "inputs", "rounds"])["accuracy"]


def test_both_models_find_what_pays_for_everybody(tmp_path):
    found = accuracies(a_game(tmp_path, [1, 1, 1, 1]))
    assert set(found.index) == set(product(probe.MODELS, (probe.ARM, probe.USER), (300,)))
    assert found.min() > 0.9


def test_a_taste_of_each_user_is_found_by_whoever_is_told_the_user(tmp_path):
    found = accuracies(a_game(tmp_path, [1, -1, 1, -1])).droplevel("rounds").unstack()
    assert (found[probe.USER] > 0.9).all()
    assert (found[probe.ARM] < 0.6).all()


def test_products_find_a_taste_that_is_a_feature_of_the_user(tmp_path):
    found = accuracies(a_game(tmp_path, [1, -1, 1, -1], about=True)).droplevel("rounds")
    assert found[probe.LOGISTIC, probe.PRODUCTS] > 0.9
    assert (probe.TREES, probe.PRODUCTS) not in found


def test_arms_that_look_alike_are_told_apart_by_chance_wherever_they_stand(tmp_path):
    assert accuracies(a_game(tmp_path, [1, 1, 1, 1], alike=True)).tolist() == pytest.approx([0.1] * 4)


def test_of_several_best_arms_the_mean_counts_even_if_last_digits_differ():
    scores = np.array([[0.2, 0.7, 0.7 + 1e-13], [0.5, 0.1, 0.1]])
    gained, regret = probe.outcome(scores, np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]))
    assert gained.tolist() == [0.5, 1.0]
    assert regret.tolist() == [0.5, 0.0]


def test_more_training_rounds_are_the_same_rounds_and_more(tmp_path):
    game = a_game(tmp_path, [1, -1, 1, -1])
    both = accuracies(game, 50, 100)
    pd.testing.assert_series_equal(both.loc[:, :, [50]], accuracies(game, 50))


def test_rounds_are_tested_that_no_model_was_trained_on(tmp_path):
    training, tested = probe.draw(a_game(tmp_path, [1, 1, 1, 1]), 300)
    assert (len(training.items), len(tested.items)) == (300, 1_000)
    assert not np.array_equal(training.items, tested.items[:300])
    once = a_frozen_table(tmp_path, 90)
    training, tested = probe.draw(once, 300)
    assert (len(training.items), len(tested.items)) == (60, 30)
    assert not set(training.items.ravel()) & set(tested.items.ravel())


def test_where_arms_are_places_the_place_that_pays_is_predicted(tmp_path):
    game = a_frozen_table(tmp_path, 90)
    table = pd.DataFrame(probe.probe(game, (50, 300)))
    assert set(table["rounds"]) == {50}, "no more rounds than there are"
    assert table["accuracy"].between(0, 1).all()
    assert table["regret"].tolist() == pytest.approx((probe.HORIZON * (1 - table["accuracy"])).tolist())


def test_a_game_of_other_rewards_is_refused(tmp_path, monkeypatch):
    game = a_game(tmp_path, [1, 1, 1, 1])
    draw = probe._rounds
    monkeypatch.setattr(
        probe, "_rounds", lambda *given: (rounds := draw(*given))._replace(rewards=rounds.rewards * 0.5)
    )
    with pytest.raises(InputError, match="m-cnb-paper-made: the probe needs rewards of 0 and 1; leave this game out"):
        list(probe.probe(game, (300,)))


def test_a_rung_is_named_by_what_it_changes_of_the_one_before():
    base = {"name": "m-cnb-paper-movielens-1m", "protocol": "paper", "settings": {"context": "item", "pools": "groups"}}
    dropped = {**base, "settings": {**base["settings"], "middle": "dropped"}}
    both = {**base, "settings": {**dropped["settings"], "context": "both"}}
    public = {"name": "item-50-released-movielens-1m", "protocol": "released", "settings": {"halves": "apart"}}
    assert probe.rung(base, None) == "m-cnb"
    assert probe.rung(dropped, base) == "middle dropped"
    assert probe.rung(both, dropped) == "context both"
    assert probe.rung(base, dropped) == "not middle dropped"
    assert probe.rung(public, both) == "item-50, halves apart"


def test_the_table_is_the_same_every_time_and_can_be_judged(tmp_path, capsys):
    paths = [tmp_path / f"m-cnb-paper-made{end}.npz" for end in ("", "-middle-dropped")]
    a_game(tmp_path, [1, -1, 1, -1])
    a_game(tmp_path, [1, 1, 1, 1], name=paths[1].stem, middle="dropped")
    for out in ("one", "two"):
        games = map(str, paths)
        probe.main(["--title", "T", "--games", *games, "--sizes", "50", "100", "--out", str(tmp_path / out)])
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    assert "ratings in between dropped" in capsys.readouterr().out
    asked = Selection(measure="accuracy", where={"game": paths[1].stem, "model": probe.TREES, "inputs": probe.ARM})
    samples = Rows(tmp_path / "one.csv").samples(asked)
    assert [one.exact for one in samples.values()] == [True, True]
    assert list(samples) == ["one, rounds 50", "one, rounds 100"]
