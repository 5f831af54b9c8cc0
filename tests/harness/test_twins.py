"""Plain twins are played from the command line and from Python, wherever their fast forms are."""

import numpy as np
import pytest

import manybandits as mb
from manybandits import cli
from manybandits.base.artifacts import load_table
from manybandits.base.exceptions import InputError

SHORT = ["--game", "synthetic", "--horizon", "60", "--seeds", "0-1"]


def test_a_twin_and_its_fast_form_write_the_same_curves(tmp_path, capsys):
    tables = []
    for name in ("club", "plain/club"):
        out = tmp_path / f"{name.replace('/', '-')}.parquet"
        cli.run(["play", name, *SHORT, "--set", "alpha=0.1,1", "--tuning", "best-of-grid", "--out", str(out)])
        tables.append(load_table(out))
    np.testing.assert_allclose(tables[0]["regret"], tables[1]["regret"], atol=1e-9)
    assert "CLUB, plain" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "options"), [("linucb_ind", {"alpha": 0.5}), ("m_cnb", {"width": 10})])
def test_a_twin_is_played_from_python_as_its_fast_form_is(name, options):
    game = mb.games.synthetic(users=6, clusters=2, items=30, arms=4, dimension=4)
    fast, twin = (mb.play(one, game=game, horizon=40, seeds=[0], **options) for one in (name, f"plain/{name}"))
    np.testing.assert_allclose(fast.table["regret"], twin.table["regret"], atol=1e-6)


def test_a_twin_that_is_not_there_is_answered_by_the_nearest(tmp_path):
    with pytest.raises(InputError, match="did you mean 'plain/linucb'"):
        mb.play("plain/linucbb", game=mb.games.synthetic(), horizon=10)
    with pytest.raises(SystemExit) as stopped:
        cli.main(["play", "plain/linucbb", *SHORT, "--out", str(tmp_path / "a.parquet")])
    assert stopped.value.code


def test_contexts_too_long_for_a_twin_are_refused_with_the_cure():
    game = mb.games.synthetic(users=2, clusters=1, items=10, arms=2, dimension=801)
    with pytest.raises(InputError, match="play the fast form, without plain/"):
        mb.play("plain/linucb_ind", game=game, horizon=5, seeds=[0])
