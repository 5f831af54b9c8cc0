"""A run that stopped early is not taken for a finished one."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from manybandits.base.exceptions import InputError
from manybandits.planning.failures import check_all_done, reasons_in, why


def graph(done: int) -> SimpleNamespace:
    """Return a graph of three jobs, of which the first ones are done."""
    jobs = [SimpleNamespace(rule=SimpleNamespace(name=name)) for name in ("play", "judge", "figure")]
    return SimpleNamespace(needrun_jobs=lambda: jobs, finished=lambda job: job in jobs[:done])


def test_a_run_that_ends_with_jobs_undone_names_their_rules():
    check_all_done(graph(done=3))
    with pytest.raises(InputError, match="stopped before figure, judge: groups of jobs wait for each other"):
        check_all_done(graph(done=1))


def test_the_reasons_of_a_failed_run_are_found_in_what_it_printed(tmp_path):
    missing, damaged = tmp_path / "adult.log", tmp_path / "game.log"
    missing.write_text("error: adult.data is unavailable: set data.mirror.\n")
    damaged.write_text("error: x.npz is damaged: delete it.\n")
    said = why([("tidy", str(missing), []), ("play", str(damaged), [])])
    printed = f"Building DAG of jobs...\n{said}\nExiting because a job execution failed.\n"
    assert (
        reasons_in(printed) == "play: x.npz is damaged: delete it.; tidy: adult.data is unavailable: set data.mirror."
    )
    assert reasons_in("Building DAG of jobs...\n") == ""
