"""A game from a user's own table is the game that the same data of a paper would make, and says whose data it is of."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits import datasets
from manybandits.base.artifacts import load_arrays, load_facts
from manybandits.base.exceptions import InputError
from manybandits.datasets.build import build
from manybandits.environments import classification, own, recommendation
from manybandits.environments.game_file import load_game


@pytest.fixture(scope="module")
def embedded(tmp_path_factory):
    """The folder of the tidy ratings of embedded-ratings."""
    folder = tmp_path_factory.mktemp("tidy")
    return build(datasets.load("embedded-ratings"), folder, folder)


@pytest.mark.parametrize(
    ("game", "given"),
    [("m-cnb", {}), ("m-cnb", {"context": "both"}), ("meta-ban", {"pools": "groups"}), ("meta-ban", {})],
)
def test_own_ratings_make_the_game_of_the_same_data(embedded, tmp_path, game, given):
    theirs, ours = tmp_path / "theirs.npz", tmp_path / "ours.npz"
    recommendation.freeze(theirs, game, embedded, "embedded", **given)
    facts = own.ratings(embedded / "ratings.parquet", ours, game=game, **given)
    assert facts["digest"] == load_facts(theirs)["digest"]
    assert facts == load_facts(ours)


def test_the_facts_say_that_data_are_own(embedded, tmp_path):
    table = embedded / "ratings.parquet"
    facts = own.ratings(table, tmp_path / "g.npz", users=20)
    assert facts["data_note"].startswith("own data ratings.parquet (licence unknown)")
    assert (facts["role"], facts["stand_in"], facts["users"]) == ("own", False, 20)
    assert facts["dataset"]["licence"] == "unknown"
    assert list(facts["dataset"]["files"]) == ["ratings.parquet"]
    assert facts["settings"] == {"context": "item", "pools": "groups", "groups": 20}


def test_users_are_groups_or_raters(embedded, tmp_path):
    table, out = embedded / "ratings.parquet", tmp_path / "g.npz"
    raters = own.ratings(table, out, users=30, pools="users")
    assert raters["users"] == raters["counts"]["raters"] == 30
    few = own.ratings(table, out, users=30, items=100)
    assert (few["users"], few["items"]) == (30, 100)
    for given, message in {
        ("items", 5): "10 factors need more than 10 users and items",
        ("context", "items"): "unknown context 'items': did you mean 'item'",
    }.items():
        with pytest.raises(InputError, match=message):
            own.ratings(table, tmp_path / "none.npz", **dict([given]))
    assert not (tmp_path / "none.npz").exists()


def test_another_scale_gives_the_same_rounds_if_its_limits_are_given(embedded, tmp_path):
    stars = pd.read_parquet(embedded / "ratings.parquet")
    stars.assign(rating=stars["rating"] * 20).to_csv(tmp_path / "percent.csv", index=False)
    found = own.ratings(tmp_path / "percent.csv", tmp_path / "a.npz", liked_above=80)
    assert found["counts"] == own.ratings(embedded / "ratings.parquet", tmp_path / "b.npz")["counts"]


def test_own_rows_make_the_game_of_the_same_rows(tmp_path):
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(60, 3)), columns=list("xyz"))
    table["kind"], table["word"] = np.arange(60) % 4, np.array(["p", "q"])[random.integers(2, size=60)]
    table.to_csv(tmp_path / "my.csv", index=False)
    facts = own.classification(tmp_path / "my.csv", tmp_path / "g.npz", "kind", user="class")
    rows = table.rename(columns={"kind": "label"})
    expected = classification.build([classification.from_rows(rows)], "class", "instances")
    found = load_arrays(tmp_path / "g.npz")
    assert all(np.array_equal(found[name], expected[name]) for name in expected)
    assert (facts["arms"], facts["users"], facts["dimension"]) == (4, 4, 5)
    with pytest.raises(InputError, match="unknown user 'klass'"):
        own.classification(tmp_path / "my.csv", tmp_path / "g.npz", "kind", user="klass")


def a_log(folder, events=400):
    random = np.random.default_rng(1)
    chance = np.array([0.7, 0.2, 0.1])
    arm = random.choice(3, size=events, p=chance)
    table = pd.DataFrame({"arm": arm, "reward": random.integers(2, size=events), "x": random.normal(size=events)})
    table.assign(propensity=chance[arm]).to_csv(folder / "log.csv", index=False)
    return folder / "log.csv", table, chance[arm]


def test_the_events_of_a_log_are_replicated_exactly(tmp_path):
    path, table, chance = a_log(tmp_path)
    facts = own.log(path, tmp_path / "g.npz")
    arrays = load_game(tmp_path / "g.npz").arrays
    assert np.array_equal(arrays["shown"], table["arm"])
    assert np.array_equal(arrays["click"], table["reward"])
    assert np.array_equal(arrays["propensity"], chance)
    assert all(np.array_equal(arrays["contexts"][:, arm, 0], table["x"]) for arm in range(3))
    assert facts["settings"]["estimate"] == "self-normalised"
    assert facts["counts"]["least_propensity"] == 0.1
    assert facts["counts"]["least_effective_events"] == (table["arm"] == 2).sum()  # equal weights: no event is lost
    assert any("effective sample size" in sentence for sentence in own.remarks(facts))


def test_replay_thins_a_log_that_was_not_uniform(tmp_path):
    path, table, chance = a_log(tmp_path, events=20_000)
    facts = own.log(path, tmp_path / "g.npz", estimate="replay")
    assert "thinned to a uniform log" in facts["data_note"]
    kept = facts["counts"]["kept_by_replay"]
    assert f"Replay keeps about {kept:,.0f} of 20,000 events" in " ".join(own.remarks(facts))
    orders = load_game(tmp_path / "g.npz").orders(np.arange(5))
    for order in orders:
        kept = order[order >= 0]
        assert (order[len(kept) :] == -1).all()
        assert len(np.unique(kept)) == len(kept)
        assert len(kept) == pytest.approx(facts["counts"]["kept_by_replay"], rel=0.1)
        assert np.bincount(table["arm"].to_numpy()[kept]) / len(kept) == pytest.approx(1 / 3, abs=0.04)
    assert len({len(order[order >= 0]) for order in orders}) > 1
    assert facts["counts"]["kept_by_replay"] == pytest.approx((0.1 / chance).sum(), abs=0.1)


def test_the_game_of_an_own_table_has_the_same_bytes_every_time(tmp_path):
    path, _, _ = a_log(tmp_path)
    own.log(path, tmp_path / "a.npz")
    own.log(path, tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize(("users", "outcome"), [(5, "only 2 distinct feature vectors: give at most 2 groups"), (2, "")])
def test_users_who_rate_alike_are_few_groups(tmp_path, users, outcome):
    lines = [f"u{u},i{i},{1 + i % 5 if u % 2 else 5 - i % 5}" for u in range(60) for i in range(40)]
    (path := tmp_path / "alike.csv").write_text("user,item,rating\n" + "\n".join(lines) + "\n")
    if not outcome:
        assert own.ratings(path, tmp_path / "g.npz", users=users)["counts"]["users"] == 2
        return
    with pytest.raises(InputError, match=outcome):
        own.ratings(path, tmp_path / "g.npz", users=users)


def test_a_column_that_hides_all_others_is_remarked(tmp_path):
    text = "income,x,label\n" + "".join(f"{20_000 + 37 * k},{k % 7},{'ab'[k % 2]}\n" for k in range(60))
    (path := tmp_path / "rows.csv").write_text(text)
    said = own.remarks(own.classification(path, tmp_path / "g.npz"))
    assert any("column 'income' alone makes up 100.0%" in one and "numbers=standard" in one for one in said)
    assert not own.remarks(own.classification(path, tmp_path / "g.npz", numbers="standard"))
