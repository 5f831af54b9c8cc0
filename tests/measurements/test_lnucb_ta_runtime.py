"""The run times of LNUCB-TA: every cell is measured, and the seconds of the paper stand where it has any."""

import numpy as np
import pytest

from manybandits.base.exceptions import InputError
from manybandits.measurements import lnucb_ta_runtime as runtime


def test_every_policy_is_timed_at_every_number_of_neighbours(monkeypatch):
    monkeypatch.setattr(runtime, "NEIGHBOURS", (2, 9))
    table = runtime.measure((300, 400), repeats=2)
    cells = {(row.algorithm, row.steps, row.neighbours) for row in table.itertuples()}
    searching = {title for title in runtime.POLICIES if title != "LinUCB"}
    expected = {(title, steps, k) for title in searching for steps in (300, 400) for k in (2, 9)}
    assert cells == expected | {("LinUCB", steps, 0) for steps in (300, 400)}
    assert (table.groupby(["algorithm", "steps", "neighbours"])["repeat"].apply(list).map(tuple) == (0, 1)).all()
    assert (table["seconds"] >= 0).all()
    text = runtime.markdown(table)
    assert text.count("| LNUCB-TA |") == 2
    assert "nan" not in text


def test_the_seconds_of_the_paper_stand_beside_its_own_steps(monkeypatch):
    small = runtime.made_log(30)
    monkeypatch.setattr(runtime, "made_log", lambda steps, repeat: small)
    monkeypatch.setattr(runtime, "seconds", lambda game, algorithm, setting, steps, seed: 1.0)
    stated = runtime.measure((7_500,)).set_index(["algorithm", "neighbours"])["seconds_in_the_paper"]
    assert stated["(Lin + k-NN)-UCB", 5] == 3226.52
    assert np.isnan(stated["(Lin + k-NN)-UCB", 20])
    assert np.isnan(stated["LNUCB-TA, always k", 5])


def test_a_log_that_ends_is_no_measurement(monkeypatch):
    monkeypatch.setattr(runtime, "MARGIN", 0.3)
    with pytest.raises(InputError, match="ended before LinUCB had 300 steps"):
        runtime.measure((300,))


def test_a_log_that_was_given_is_the_one_that_is_timed(monkeypatch):
    log, timed = runtime.made_log(30), []
    monkeypatch.setattr(runtime, "seconds", lambda game, *given: timed.append(game) or 1.0)
    runtime.measure((20,), repeats=2, log=log)
    assert all(game is log for game in timed)
    assert runtime.made_log(30, 1).arrays["click"].tolist() != log.arrays["click"].tolist()
