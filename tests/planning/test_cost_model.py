"""Plays are priced by what was measured; jobs ask for it with a margin, and for more after a kill."""

from __future__ import annotations

import pandas as pd
import pytest
import yaml
from msgspec.structs import replace

from manybandits.base.configuration import read_yaml
from manybandits.base.table_files import read_rows, save_csv
from manybandits.planning import resources
from manybandits.planning.batches import LONGEST, batches_of
from manybandits.planning.cost_model import DRAW, LEVELS, MEASURED, RATES, START, CostModel, kind_of, main, read_rates
from manybandits.planning.figures import Regression
from manybandits.planning.lookup import Lookup
from manybandits.planning.plan import make_plan
from manybandits.planning.record import Rule
from manybandits.planning.resources import CLASSES, TOGETHER, Resources
from manybandits.planning.workflow import Workflow

HEADER = "paper,game,title,algorithm,replicas,rounds,nanoseconds,memory_mb\n"


@pytest.fixture(scope="module")
def config(root):
    named = {"papers": ["m_cnb"], "experiments": ["m_cnb_fig2"], "algorithms": ["club", "random"], "league": False}
    return {**read_yaml(root / "config.yaml"), **named}


@pytest.fixture(scope="module")
def club(root, config):
    """CLUB: 20 grid points on 3 tuning seeds for 1,000 rounds, then 10 seeds for 10,000."""
    plays = make_plan(config, root).plays
    return next(play for play in plays.values() if play.spec.algorithm == "club")


def model(tmp_path, *rows: str) -> CostModel:
    rates = tmp_path / "rates.csv"
    rates.write_text(HEADER + "".join(f"{row}\n" for row in rows))
    return CostModel(rates)


def test_a_play_costs_its_rounds_of_all_replicas_at_the_measured_rate(club, tmp_path):
    measured = model(tmp_path, f"m_cnb,{club.environment.name},CLUB,club,12,500,1000,300")
    cost = measured.of_play(club)
    assert cost.level == 0
    assert cost.seconds == pytest.approx((60 * 1_000 + 10 * 10_000) * 1e-6)


def test_memory_grows_with_the_replicas_beyond_those_measured_but_the_interpreter_does_not(club, tmp_path):
    name = club.environment.name
    assert model(tmp_path, f"m_cnb,{name},CLUB,club,15,500,1000,450").of_play(club).memory_mb == 250 + 200 * 4
    assert model(tmp_path, f"m_cnb,{name},CLUB,club,90,500,1000,450").of_play(club).memory_mb == 450


def test_a_table_of_errors_costs_its_draws_of_all_instances():
    table = Regression("p/e", {"instances": 50, "constant": 2.0}, {"rows": [100, 200]}, tuple(range(30)), (100, 101))
    known = CostModel().of_regression(table)
    assert known.seconds == pytest.approx(DRAW * 2 * 50 * 30)
    swept = replace(table, settings={}, sweeps={"instances": [20, 80]})  # a constant is chosen on two more seeds
    assert CostModel(speed=2.0).of_regression(swept).seconds == pytest.approx(2 * DRAW * 100 * 32)
    assert known.memory_mb == CostModel().of_step("regression").memory_mb


@pytest.mark.parametrize("level", range(len(LEVELS)))
def test_a_play_is_priced_by_the_measured_one_that_is_most_like_it(club, tmp_path, level):
    name = club.environment.name
    rows = [
        f"m_cnb,{name},CLUB,club,27,500,1,300",
        f"meta_ban,{name},CLUB,club,27,500,2,300",
        f"meta_ban,{name},another title,club,27,500,3,300",
        "meta_ban,m-cnb-paper-other,another title,club,27,500,4,300",
        "meta_ban,agents-other,another title,club,27,500,5,300",
        "meta_ban,m-cnb-paper-other,LOCB,locb,27,500,6,300",
        "meta_ban,agents-other,LOCB,locb,27,500,7,300",
    ]
    cost = model(tmp_path, *rows[level:]).of_play(club)
    nanoseconds = cost.seconds * 1e9 / (60 * 1_000 + 10 * 10_000)
    assert cost.level == level
    assert level + 1 <= nanoseconds <= level + 2  # the median of two rows where the last two are alike


def test_a_slower_machine_takes_longer_for_all(club):
    one, two = CostModel(speed=1), CostModel(speed=2)
    assert two.of_play(club).seconds == 2 * one.of_play(club).seconds
    assert two.of_step("figure").seconds == 2 * one.of_step("figure").seconds


def test_the_committed_rates_have_those_of_the_committed_run(root, tmp_path):
    rates = tmp_path / "rates.csv"
    rates.write_bytes(RATES.read_bytes())
    main(["--costs", str(root / "reports/paper-scale/tables/cost.csv"), "--out", str(rates)])
    assert rates.read_bytes() == RATES.read_bytes()


def test_new_rates_replace_those_of_the_same_plays_and_leave_others(tmp_path):
    before = read_rates(RATES)
    costs, rates = tmp_path / "cost.csv", tmp_path / "rates.csv"
    rates.write_bytes(RATES.read_bytes())
    one = before[0]
    save_csv(
        costs,
        pd.DataFrame(
            {
                **{"paper": [one.paper], "environment": [one.game], "algorithm": [one.title], "file": [one.algorithm]},
                **{"threads": [1], "rounds_per_second": [1000.0], "replicas": [1], "seconds": [2.0]},
                "peak_memory_mib": [300],
            }
        ),
    )
    main(["--costs", str(costs), "--out", str(rates)])
    after = read_rates(rates)
    assert len(after) == len(before)
    assert [rate.nanoseconds for rate in after if rate.key == one.key] == [1e6]
    assert {rate for rate in after if rate.key != one.key} == {rate for rate in before if rate.key != one.key}


def test_every_measured_game_is_of_a_known_kind():
    assert {kind_of(row["game"]) for row in read_rows(RATES)} <= {
        *("recommendation", "classification", "instances", "adult_instances", "agents", "lastfm_agents"),
        *("replay", "exploration"),
    }


def asked(play, config, **kept):
    rule = Rule("play", "logs", ["{name}.parquet"])
    return Resources({**config, **kept}), rule(play.name, ("manybandits.harness.play",), of=play)


def rule_without_plays():
    return Rule("figure", "logs", ["{name}.svg"])("a", ("manybandits.figures.regret",))


def test_a_second_attempt_asks_for_twice_as_much_of_everything(club, config):
    found, job = asked(club, config)
    for one in (job, rule_without_plays()):
        amounts = Lookup([one], found).resources
        assert amounts.keys() >= {"mem_mb", "runtime", "disk_mb"}
        for amount in (amounts[kind] for kind in ("mem_mb", "runtime", "disk_mb")):
            assert amount({"name": one.name}, 2) == 2 * amount({"name": one.name}, 1) > 0


def test_no_play_asks_for_more_memory_than_it_can_ever_take(club, config, monkeypatch):
    found, job = asked(club, config, memory=3 * 2**30)
    monkeypatch.setattr(resources, "MEMORY_MARGIN", 1000)
    assert found.of(job).mem_mb == resources.SNAKEMAKE + resources.PLAY_MEMORY + 3 * 1024


def test_a_play_that_was_never_measured_asks_for_more_time(club, config, monkeypatch):
    found, job = asked(club, config)
    minutes = []
    for level in (MEASURED, MEASURED + 1):
        cost = found.model.of_play(club)._replace(seconds=600, level=level)
        monkeypatch.setattr(found.model, "of_play", lambda play, cost=cost: cost)
        minutes.append(found.of(job).runtime)
    assert minutes == [5 + 5 * 10, 5 + 25 * 10]


def test_a_play_has_no_more_threads_than_replicas(club, config):
    found, job = asked(replace(club, spec=replace(club.spec, grid={}, seeds=(0, 1))), config, threads=8)
    assert found.of(job).threads == 2
    found, job = asked(club, config, threads=8)
    assert found.of(job).threads == 8


@pytest.mark.parametrize(("seconds", "shards"), [(600, 1), (601, 2), (3000, 5), (30_000, 12)])
def test_a_play_of_more_than_ten_minutes_has_a_shard_and_a_core_for_each_ten(
    club, config, monkeypatch, seconds, shards
):
    found, job = asked(replace(club, spec=replace(club.spec, grid={}, seeds=tuple(range(12)))), config)
    cost = found.model.of_play(club)._replace(seconds=seconds)
    monkeypatch.setattr(found.model, "of_play", lambda play: cost)
    assert (found.of(job).shards, found.of(job).threads) == (shards, shards)
    networks = job._replace(of=replace(job.of, batched=True))
    own = found.of(job).mem_mb - resources.SNAKEMAKE
    assert found.of(networks).mem_mb == resources.SNAKEMAKE + shards * own  # a process for each shard
    assert found.of(rule_without_plays()).shards == 1


@pytest.mark.parametrize(
    ("seconds", "sizes"),
    [([40] * 20, [15, 5]), ([1] * 20, [16, 4]), ([400, 1500, 100, 100], [1, 1, 2]), ([601], [1])],
)
def test_a_batch_takes_no_more_plays_after_ten_minutes_and_a_longer_play_is_split(club, config, seconds, sizes):
    plays = [replace(club, name=f"{club.name}-{number}") for number in range(len(seconds))]
    price = dict(zip([play.name for play in plays], seconds, strict=True))
    found = batches_of([*plays, *plays], lambda play: price[play.name])
    assert [len(batch.plays) for batch in found] == sizes
    assert [play.name for batch in found for play in batch.plays] == list(price)
    assert len({batch.name for batch in found}) == len(found)
    _, job = asked(club, config)
    longest = max(seconds)
    assert resources.shards_of(job._replace(of=found[-1]), longest) == -(-longest // LONGEST)


def test_networks_on_a_gpu_take_one_whole_and_others_take_none(club, config, monkeypatch):
    found, job = asked(club, config, device="cuda")
    cost = found.model.of_play(club)._replace(seconds=6000)
    monkeypatch.setattr(found.model, "of_play", lambda play: cost)
    for batched, gpus, shards in ((True, 1, 1), (False, 0, 10)):
        one = job._replace(of=replace(job.of, batched=batched))
        assert Lookup([one], found).resources["gpu"]({"name": one.name}) == gpus
        assert found.of(one).shards == shards
    assert "gpu" not in Lookup([job], asked(club, config)[0]).resources


@pytest.mark.parametrize(("seconds", "group"), [(0, "plays_4s"), (13, "plays_16s"), (100, "plays_64s"), (120, None)])
def test_plays_share_a_job_with_those_of_their_class(club, config, monkeypatch, seconds, group):
    found, job = asked(club, config)
    cost = found.model.of_play(club)._replace(seconds=seconds)
    monkeypatch.setattr(found.model, "of_play", lambda play: cost)
    assert found.of(job).group == group


def test_the_dearest_plays_start_first_and_what_plays_nothing_before_them(club, config):
    found, job = asked(club, config)

    def named(name: str, factor: int, **other: object):
        spec = replace(club.spec, horizon=factor * club.spec.horizon, **other)
        return job._replace(name=name, of=replace(club, name=name, spec=spec))

    jobs = [named("short", 1), named("dearest", 9), named("long", 8), named("other", 1, algorithm="locb")]
    lookup = Lookup(jobs, found)
    order = sorted((one.name for one in jobs), key=lambda name: -lookup.priority({"name": name}))
    assert order == ["dearest", "other", "long", "short"]
    drawn = rule_without_plays()
    assert lookup.priority({"name": "dearest"}) < Lookup([drawn], found).priority({"name": drawn.name})


def test_jobs_on_slurm_are_of_as_many_plays_as_take_two_minutes(root):
    components = yaml.safe_load((root / "profiles/slurm/config.yaml").read_text())["group-components"]
    assert min(CLASSES) <= START
    for low in CLASSES:
        assert low * (components[f"plays_{low}s"] - 1) < TOGETHER <= low * components[f"plays_{low}s"]


def test_every_rule_that_plays_nothing_has_a_price(root):
    content = {**read_yaml(root / "config.yaml"), "readings": {"m_cnb.robust": {"most": 1}}}
    plan = make_plan({**content, "papers": ["m_cnb"], "league": ["replay"]}, root)
    runs = [Workflow(plan, {**content, "from_tables": again}, root) for again in (False, True)]
    found = {job.rule.step for run in runs for job in run.jobs if not job.plays}
    steps = {row["rule"] for row in read_rows(RATES.with_name("steps.csv"))}
    assert found | {"regression"} == steps
