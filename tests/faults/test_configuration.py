"""Configurations of nonsense: a sentence before any job, in no time, or a plan."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from manybandits.base.combinations import combinations
from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import LONGEST, InputError, in_one_line
from manybandits.harness.arguments import parse_seeds
from manybandits.planning.plan import make_plan
from tests.faults.sentences import examples, told

BOMB = "a: &a [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 40)).replace("*a0", "*a")
NONSENSE = {
    "papers twice": "papers: [meta_ban, meta_ban]",
    "algorithms twice": "algorithms: [club, club]",
    "algorithms of a paper twice": "per_paper: {meta_ban: {algorithms: [club, club]}}",
    "experiments twice": "experiments: [meta_ban_fig1, meta_ban_fig1]",
    "arenas twice": "league: [recommendation, recommendation]",
    "a key twice": "threads: 1\nthreads: 2",
    "seeds that count down": "settings: {seeds: '9-0'}",
    "no seeds": "settings: {seeds: ''}",
    "a comma for seeds": "settings: {seeds: ','}",
    "a seed three times": "settings: {seeds: '1,1,1'}",
    "a seed in a range and alone": "settings: {seeds: '0-5,3'}",
    "tuning seeds twice": "settings: {tuning_seeds: '100,100'}",
    "superscript digits": "settings: {seeds: '²'}",
    "digits of another script": "settings: {seeds: '٣'}",
    "a thousand million seeds": "settings: {seeds: '0-999999999'}",
    "a seed of 5,000 digits": f"settings: {{seeds: '{'9' * 5000}'}}",
    "a number of 5,000 digits": f"threads: {'9' * 5000}",
    "rounds with a point": "settings: {horizon: 200.0}",
    "10^12 rounds": "settings: {horizon: 1000000000000}",
    "memory 1e308": "memory: 1.0e+308",
    "memory of 308 digits": f"memory: 1{'0' * 308}",
    "10^9 threads": "threads: 1000000000",
    "the name of a folder of all runs": "name: data",
    "a name of 5,000 letters": f"name: {'a' * 5000}",
    "images for ratings": "data: {use: {movielens: mnist}}",
    "an unknown role": "data: {use: {movie-lens: movielens-1m}}",
    "nothing to make": "{experiments: [], league: false}",
    "not UTF-8": b"name: \xff\xfe",
    "UTF-16": "name: x".encode("utf-16"),
    "5,000 brackets": "settings: " + "[" * 5000 + "]" * 5000,
    "100,000 brackets": "settings: " + "[" * 100_000 + "]" * 100_000,
    "100,000 open braces": "settings: " + "{a: " * 100_000,
    "100,000 dashes": "- " * 100_000,
    "an alias bomb": BOMB,
    "an alias bomb in a grid": BOMB + "settings: {grid: {alpha: *a39}}",
    "an alias of itself": "settings: &a {grid: *a}",
    "a grid of 10^6": f"settings: {{grid: {{alpha: {[i / 10 for i in range(1000)]}, lambda: {[*range(1, 1001)]}}}}}",
    "a value of a grid twice": "settings: {grid: {alpha: [1, 1.0]}}",
    "NaN in a grid": "settings: {grid: {alpha: [.nan]}}",
    "a value of 10,000 letters": f"device: {'x' * 10_000}",
    "a list as a key": "? [a, b]\n: 1",
    "a mapping as a key": "? {a: b}\n: 1",
    "a date that is none": "name: 2020-99-99",
    "an object of Python": "name: !!python/object/apply:os.system ['echo pwned']",
    "characters that do not print": 'device: "\\u202e\\n\\x1b[31m"',
}


@pytest.fixture(scope="session")
def smoke(root) -> dict:
    return overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/smoke.yaml"))


@pytest.mark.parametrize("case", NONSENSE)
def test_nonsense_in_a_configuration_is_a_sentence_in_no_time(case, smoke, root, tmp_path):
    path, text = tmp_path / "own.yaml", NONSENSE[case]
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    began = time.process_time()
    assert told(lambda: make_plan(overlay(smoke, read_yaml(path)), root))
    assert time.process_time() - began < 10


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from(
        [10**12, 10**400, -1, 1e308, float("nan"), float("inf"), "all", "none", "paper", "0-9", "9-0", "²"]
    ),
    st.text(max_size=6),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)
KEYS = (
    *("name", "papers", "data", "league", "notebooks", "threads", "memory", "device", "from_tables"),
    *("experiments", "readings", "readings_of", "add", "families", "algorithms"),
    *("settings", "per_data", "per_family", "per_paper"),
)
SETTINGS = ("horizon", "seeds", "tuning_seeds", "tuning", "grid", "tuning_rounds")
OVERLAYS = st.one_of(
    st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, VALUES)),
    st.fixed_dictionaries({"settings": st.fixed_dictionaries({}, optional=dict.fromkeys(SETTINGS, VALUES))}),
    st.fixed_dictionaries({"data": st.fixed_dictionaries({"use": st.dictionaries(st.text(max_size=9), SCALARS)})}),
)


@settings(max_examples=examples(10_000, 150), deadline=None, suppress_health_check=list(HealthCheck))
@given(above=OVERLAYS)
def test_any_configuration_is_a_sentence_or_a_plan_with_seeds_and_rounds(above, smoke, root, tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "own.yaml"
    path.write_text(yaml.safe_dump({"league": False, **above}, allow_unicode=True), encoding="utf-8")
    plans = []
    told(lambda: plans.append(make_plan(overlay(smoke, read_yaml(path)), root)))
    for play in (play for plan in plans for play in plan.plays.values()):
        assert 1 <= play.spec.horizon <= 10**9
        assert len(set(play.spec.seeds)) == len(play.spec.seeds) > 0


@settings(max_examples=examples(10_000, 300), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    content=st.one_of(st.binary(max_size=60), st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace")))
)
def test_any_bytes_are_a_sentence_or_a_mapping(content, tmp_path_factory):
    path = tmp_path_factory.mktemp("bytes") / "own.yaml"
    path.write_bytes(content)
    sentence = told(lambda: read_yaml(path))
    assert not sentence or "own.yaml" in sentence


@settings(max_examples=examples(10_000, 500), deadline=None)
@given(text=st.text(alphabet="0123456789-, ²٣x", max_size=12))
def test_any_text_is_a_sentence_or_different_seeds(text):
    seeds: list[int] = []
    if not told(lambda: seeds.extend(parse_seeds(text))):
        assert seeds
        assert len(set(seeds)) == len(seeds)


def test_too_many_combinations_are_counted_not_made(tmp_path):
    lists = {f"option{place}": [*range(100)] for place in range(20)}
    with pytest.raises(InputError, match=r"are 1\d\d?(,000)+ combinations, more than 10,000"):
        combinations(lists)


@settings(max_examples=examples(10_000, 300))
@given(text=st.text(max_size=50), repeats=st.integers(1, 100))
def test_a_message_is_one_line_that_prints_whatever_it_echoes(text, repeats):
    line = in_one_line(text * repeats)
    assert line.isprintable()
    assert len(line) <= LONGEST
    if text.isprintable() and len(text * repeats) <= LONGEST:
        assert line == text * repeats


def test_a_file_is_read_as_before(root):
    for path in [*Path(root / "configs").glob("*.yaml"), *Path(root / "workflow").rglob("*.yaml")]:
        assert read_yaml(path)
