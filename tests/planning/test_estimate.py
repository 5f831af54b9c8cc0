"""An estimate names what a run costs before it runs, and how wrong it was after it."""

from __future__ import annotations

import json

import pytest

from manybandits.base.artifacts import Provenance, provenance_path
from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError
from manybandits.planning.batches import LONGEST
from manybandits.planning.cost_model import START, Cost, CostModel, stages_of
from manybandits.planning.estimate import Priced, compare, main, makespan, priced, summarise
from manybandits.planning.plan import make_plan
from manybandits.planning.record import Rule
from manybandits.planning.workflow import Workflow

FIGURE = {"papers": ["m_cnb"], "experiments": ["m_cnb_fig2"], "league": False, "name": "one"}


@pytest.fixture(scope="module")
def run(root):
    config = {**read_yaml(root / "config.yaml"), **FIGURE}
    return Workflow(make_plan(config, root), config, root)


@pytest.fixture
def checkout(root, tmp_path, monkeypatch):
    """A folder with the configuration `one`, which has run nothing."""
    for name in ("Snakefile", "config.yaml", "notebooks", "workflow"):
        (tmp_path / name).symlink_to(root / name)
    (tmp_path / "one.yaml").write_text("papers: [m_cnb]\nexperiments: [m_cnb_fig2]\nleague: false\nname: one\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_rounds_are_those_of_the_grid_on_the_tuning_seeds_and_of_the_reported_seeds(run):
    tuned = next(play for play in run.plays.values() if play.spec.algorithm == "club")
    untuned = next(play for play in run.plays.values() if play.spec.algorithm == "random")
    assert stages_of(tuned) == {"tuning": (20 * 3, 1_000), "evaluation": (10, 10_000)}
    assert stages_of(untuned) == {"evaluation": (10, 10_000)}


def test_every_job_of_the_workflow_that_makes_a_file_is_priced_once(run):
    made = [output for job, _ in priced(run, CostModel()) for output in job.outputs]
    assert len(made) == len(set(made))
    assert set(run.run_tables) <= set(made)
    assert {run.verdicts, run.page, *run.notebook_pages} <= set(made)


def test_hours_are_those_of_all_jobs_with_their_start_but_no_less_than_the_longest_job():
    job = Rule("play", "logs", ["{name}.parquet"])("", ("manybandits.harness.play",), of="m_cnb")
    jobs = [Priced(job, Cost(3600 - START, 500, 10)) for _ in range(2)]
    jobs.append(Priced(job, Cost(4 * 3600 - START, 3000, 10, level=6)))
    told = summarise(jobs, cores=2)
    assert "3 jobs take 6.0 core-hours: 4.0 hours on 2 cores." in told
    assert "The longest takes 4.0 hours, the largest 3.0 GB of memory" in told
    assert "2 of 3 jobs of plays were measured" in told


def test_a_job_waits_for_its_inputs_and_takes_a_core_for_each_shard(run):
    rule = Rule("judge", "logs", ["{name}"])

    def job(name: str, hours: float, *inputs: str) -> Priced:
        return Priced(
            rule(name, ("manybandits.harness.play",), inputs=inputs, of="m_cnb"), Cost(3600 * hours - START, 1, 1)
        )

    chain = [job("a", 1), job("b", 2, "a"), job("c", 1, "b"), job("alone", 3, "raw")]
    assert [makespan(chain, cores) for cores in (1, 2, 8)] == pytest.approx([7, 4, 4])
    play = next(job for job in run.wanted if job.plays)
    split = Priced(play._replace(inputs=()), Cost(3 * LONGEST - START, 1, 1))
    assert [makespan([split], cores) for cores in (1, 2, 3, 8)] == pytest.approx([0.5, 0.25, 1 / 6, 1 / 6])


def test_an_estimate_needs_no_run_and_lists_papers_and_rules(checkout, capsys):
    main(["--config", "one.yaml", "--cores", "4"])
    printed = capsys.readouterr().out
    for rule in ("tidy", "environment", "play", "figure", "judge", "notebook", "cost", "verdicts", "page"):
        assert rule in printed
    assert "hours on 4 cores" in printed


def test_a_check_of_what_never_ran_says_what_to_do(checkout):
    with pytest.raises(InputError, match=r"reports/one tells no costs, .* run the configuration first"):
        main(["--config", "one.yaml", "--check"])


def played(run: Workflow, folder, factor: float, replicas: int = 0) -> None:
    """Write what all plays say of themselves: that they took a multiple of the estimate."""
    for job, cost in priced(run, CostModel()):
        for play in job.plays:
            counts = [count for count, _ in stages_of(play).values()]
            stages = {str(place): {"replicas": replicas or count} for place, count in enumerate(counts)}
            table = folder / job.outputs[0]
            table.parent.mkdir(parents=True, exist_ok=True)
            made_on = {"play_seconds": factor * cost.seconds, "threads": 1, "stages": stages}
            provenance_path(table).write_text(json.dumps({"artifact": table.name, "made_on": made_on}))


@pytest.mark.parametrize(("factor", "wrong", "status"), [(2.0, "50% too low", 1), (0.8, "25% too high", 0)])
def test_a_check_fails_if_the_estimate_is_wrong_by_more_than_three_tenths(run, checkout, capsys, factor, wrong, status):
    played(run, checkout, factor)
    with pytest.raises(SystemExit) as ended:
        main(["--config", "one.yaml", "--check"])
    assert ended.value.code == status
    assert f"The estimate is {wrong}." in capsys.readouterr().out


def test_plays_with_other_replicas_than_planned_are_not_compared(run, checkout):
    played(run, checkout, 1.0, replicas=1)
    with pytest.raises(InputError, match="tells no costs"):
        compare(priced(run, CostModel()), run.report)


def test_jobs_that_play_nothing_are_compared_by_what_is_stored_beside_their_files(tmp_path):
    made = tmp_path / "figure.csv"
    made.touch()
    Provenance({}).save(made)
    rule = Rule("figure", "logs", [f"{tmp_path}/{{name}}.csv"])
    jobs = [Priced(rule(name, ("manybandits.figures.regret",)), Cost(9, 400, 1)) for name in ("figure", "missing")]
    compared = compare(jobs, str(tmp_path))
    assert compared.loc["figure", ["jobs", "estimated"]].tolist() == [1, 9]
    assert compared.loc["figure", "real"] < 1
