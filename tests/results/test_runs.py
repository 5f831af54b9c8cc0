"""Run tables are whole: without the provenance beside them, and beside their game, nothing but seconds is lost."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.base.artifacts import load_facts, load_table, provenance_path, save_table
from manybandits.base.exceptions import InputError
from manybandits.claims.verdict import Answer
from manybandits.claims.verdicts import judge_figure
from manybandits.environments import agents, synthetic
from manybandits.environments.game_file import load_game
from manybandits.figures import regret as figure
from manybandits.harness.play import play
from manybandits.harness.spec import PlaySpec
from manybandits.papers.files import read_paper
from manybandits.results.runs import load_run, load_runs
from manybandits.tables import cost
from manybandits.tables import regret as table
from tests.planted.claims import paper, plant, scale_of
from tests.planted.runs import plant_line

MAKERS = {
    "synthetic": lambda path: synthetic.freeze(path, users=6, clusters=2, items=30, dimension=4),
    "agents": lambda path: agents.main(["--agents", "4", "--clusters", "2", "--out", str(path)]),
}


def evidence(folder, paths) -> dict[str, bytes]:
    """Draw and tabulate some run tables; return what was written."""
    for module in (figure, table):
        module.main(["--title", "T", "--runs", *map(str, paths), "--out", str(folder / module.__name__)])
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".json"}


def played(game, out):
    """Play a game; return the run table."""
    play(game, PlaySpec(algorithm="random", seeds=(0, 1, 2), horizon=40), out)
    return out


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_game_without_its_provenance_is_the_same_game(tmp_path, make):
    path = tmp_path / "game.npz"
    make(path)
    before = load_game(path)
    provenance_path(path).unlink()
    after = load_game(path)
    assert (before.name, before.facts, before.users, before.arms) == (after.name, after.facts, after.users, after.arms)
    assert "digest" not in after.facts


def test_a_run_without_any_provenance_is_played_drawn_and_tabulated_as_before(tmp_path):
    game, out = tmp_path / "game.npz", tmp_path / "runs" / "random.parquet"
    MAKERS["synthetic"](game)
    played(game, out)
    bytes_before, drawn_before = out.read_bytes(), evidence(tmp_path / "before", [out])
    provenance_path(game).unlink()
    played(game, out)
    provenance_path(out).unlink()
    assert out.read_bytes() == bytes_before
    assert evidence(tmp_path / "after", [out]) == drawn_before
    assert {path.rpartition(".")[2] for path in drawn_before} == {"svg", "csv", "md", "tex"}


def test_a_run_without_its_provenance_is_judged_as_before(tmp_path):
    runs = [plant(tmp_path, title, [height] * 10) for title, height in (("M-CNB", 100.0), ("CLUB", 200.0))]
    claims = read_paper(paper(tmp_path, {"it": {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}}))
    before = judge_figure(claims, "fig2", scale_of(runs), runs)
    for path in runs:
        provenance_path(path).unlink()
    assert judge_figure(claims, "fig2", scale_of(runs), runs) == before
    assert [one.answer for one in before] == [Answer.HOLDS]


def test_what_a_play_cost_is_lost_with_its_provenance_and_the_table_of_costs_names_it(tmp_path):
    game = tmp_path / "game.npz"
    MAKERS["synthetic"](game)
    path = played(game, tmp_path / "runs" / "random.parquet")
    assert load_run(path).costs["play_seconds"] >= 0
    provenance_path(path).unlink()
    with pytest.raises(InputError, match=r"random\.parquet\.json does not exist.* run the step that makes it"):
        cost.main(["--runs", str(path), "--out", str(tmp_path / "cost")])


def test_a_run_table_holds_its_settings_its_game_and_nothing_of_the_machine(tmp_path):
    game = tmp_path / "game.npz"
    MAKERS["synthetic"](game)
    facts = load_facts(played(game, tmp_path / "random.parquet"))
    assert facts["settings"]["environment"] == load_game(game).facts
    assert facts["settings"].keys() >= {"algorithm", "title", "reference", "grid", "seeds", "horizon", "tuning"}
    assert facts.keys() == {"settings", "chosen", "replicas", "diverged", "sources"}


def test_a_run_table_of_an_earlier_version_is_named_with_the_cure(tmp_path):
    path = plant(tmp_path, "CLUB", [1.0, 2.0])
    load_table(path).to_parquet(path)
    provenance_path(path).unlink()
    with pytest.raises(InputError, match=r"club\.parquet is neither a run table nor a game: give a file that"):
        load_run(path)


def test_a_run_with_nan_or_without_a_column_is_named(tmp_path):
    path = plant_line(tmp_path, "club", 0.5)
    whole, facts = load_table(path), load_facts(path)
    provenance_path(path).unlink()
    save_table(path, whole.drop(columns="reward"), facts)
    with pytest.raises(InputError, match=r"game-club\.parquet has no column 'reward'"):
        load_run(path)
    broken = whole.copy()
    broken.loc[3, "regret"] = np.nan
    save_table(path, broken, facts)
    with pytest.raises(InputError, match=r"game-club\.parquet holds NaN"):
        load_run(path)
    save_table(path, whole.assign(chosen=False), facts)
    with pytest.raises(InputError, match="no evaluation rows of the chosen grid point"):
        load_run(path)


def test_steps_of_a_process_read_a_run_once_and_again_after_it_changed(tmp_path):
    path = plant_line(tmp_path, "club", 0.5)
    ((first,),), ((second,),) = load_runs([path]), load_runs([path])
    assert first is second
    table, facts = load_table(path), load_facts(path)
    provenance_path(path).unlink()  # of the table as it was
    save_table(path, table.assign(regret=2 * table["regret"]), facts)
    ((changed,),) = load_runs([path])
    np.testing.assert_array_equal(changed.regret, 2 * first.regret)
