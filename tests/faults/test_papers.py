"""Files of papers: a typo in what a claim selects is found before a job, and any content is a sentence or a paper."""

from __future__ import annotations

import copy
import functools
import shutil
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError
from manybandits.papers import files
from manybandits.planning.plan import make_plan
from tests.conftest import ROOT
from tests.faults.sentences import examples, told
from tests.planted.papers import read_content, save_paper

SYNTHETIC = {"place": "Figure 9", "title": "t", "band": "std", "game": "synthetic", "algorithms": ["ucb", "random"]}
REGRESSION = {"place": "Figure 9", "title": "t", "regression": {"instances": [5, 10]}}
ORDER = {"place": "Figure 9", "says": "s", "kind": "order", "of": "UCB", "than": "Random", "experiment": "own"}
SLOPE = {**ORDER, "kind": "slope", "published": 0.5, "against": "rounds", "than": None}
TYPOS = {
    "of": ({**ORDER, "of": "UBC"}, "unknown run .* 'UBC': did you mean 'UCB'?"),
    "than": ({**ORDER, "than": "Rnadom"}, "unknown run .* 'Rnadom': did you mean 'Random'?"),
    "relative": ({**ORDER, "relative": "Rndom"}, "unknown run .* 'Rndom'"),
    "measure": ({**ORDER, "measure": "regrets"}, "unknown measure .* 'regrets': did you mean 'regret'?"),
    "a setting": ({**ORDER, "where": {"user": 50}}, "unknown setting .* 'user': did you mean 'users'?"),
    "the value of a setting": ({**ORDER, "where": {"users": 51}}, "own plays no game where users is 51"),
    "the role of data": ({**ORDER, "where": {"data": "movielens"}}, "own plays no game where data is movielens"),
    "against": ({**SLOPE, "against": "round"}, "unknown setting that is swept .* 'round': did you mean"),
    "a sweep that no game has": ({**SLOPE, "against": "agents"}, "own plays no game with the setting agents"),
    "a stated rate": ({**SLOPE, "published": "theorem9"}, "unknown stated rate .* 'theorem9': did you mean"),
    "a rival of a rival": ({**ORDER, "than": [{"of": "Random", "measure": "rewards"}]}, "unknown measure .* 'rewards'"),
}
TYPOS_OF_REGRESSIONS = {
    "of": ({**ORDER, "of": "Polling", "than": "Averaging"}, "unknown estimator .* 'Polling': did you mean 'Pooling'?"),
    "a setting": ({**ORDER, "of": "Pooling", "than": "Averaging", "where": {"row": 1}}, "unknown setting .* 'row'"),
    "against": ({**SLOPE, "of": "Pooling", "against": "instance"}, "did you mean 'instances'?"),
    "measure": ({**ORDER, "of": "Pooling", "than": "Averaging", "measure": "regret"}, "unknown measure .* 'regret'"),
}


@pytest.fixture(scope="session")
def configuration(root) -> dict[str, Any]:
    smoke = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/smoke.yaml"))
    return {**smoke, "papers": ["rmbandit"], "experiments": ["rmbandit_own"], "algorithms": "all", "families": "all"}


@pytest.fixture(scope="session")
def content(root) -> dict[str, Any]:
    return read_content(root / "workflow/papers/rmbandit")


def plan_with(experiment, claim, content, configuration, root, folder):
    """Return the plan of a paper with one experiment and one claim about it."""
    shutil.copytree(root / "workflow", folder / "workflow", dirs_exist_ok=True)
    given = {key: value for key, value in claim.items() if value is not None}
    kept = {key: content[key] for key in ("title", "short", "reference", "settings", "decisions", "game")}
    paper = {**kept, "experiments": {"own": experiment}, "claims": {"ours": given}}
    (folder / "workflow/papers/rmbandit/open.yaml").unlink(missing_ok=True)
    (folder / "workflow/findings.yaml").write_text("findings: []\n")  # they rest on experiments that are not kept
    save_paper(folder / "workflow/papers/rmbandit", paper)
    return make_plan(configuration, folder)


@pytest.mark.parametrize(
    ("experiment", "claim", "words"),
    [
        *((SYNTHETIC, *case) for case in TYPOS.values()),
        *((REGRESSION, *case) for case in TYPOS_OF_REGRESSIONS.values()),
    ],
    ids=[*TYPOS, *(f"{case} of a regression" for case in TYPOS_OF_REGRESSIONS)],
)
def test_a_typo_in_what_a_claim_selects_is_named(experiment, claim, words, content, configuration, root, tmp_path):
    with pytest.raises(InputError, match=words):
        plan_with(experiment, claim, content, configuration, root, tmp_path)


def test_a_claim_about_runs_that_a_configuration_leaves_out_is_no_typo(content, configuration, root, tmp_path):
    alone = {**configuration, "algorithms": ["random"]}
    assert plan_with(SYNTHETIC, ORDER, content, alone, root, tmp_path).claims
    assert plan_with(SYNTHETIC, {**ORDER, "where": {"users": 50}}, content, configuration, root, tmp_path).claims


def test_a_value_of_a_regression_that_is_listed_twice_is_named_with_the_experiment(
    content, configuration, root, tmp_path
):
    twice = {**REGRESSION, "with": {"support": [3, 3]}}
    claim = {**ORDER, "of": "Pooling", "than": "Averaging"}
    with pytest.raises(InputError, match="experiment own: the values of 'support' have 3 twice: list it once"):
        plan_with(twice, claim, content, configuration, root, tmp_path)


@pytest.mark.parametrize("name", ["lnucb_ta", "m_cnb", "meta_ban", "rmbandit", "sclb_pmlb"])
def test_every_claim_of_a_paper_selects_what_is_played(name, root):
    content = {**read_yaml(root / "config.yaml"), "papers": [name], "league": False}
    assert make_plan(content, root).claims


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"algorithms": ["ubc"]}, r"algorithm \(.*experiments\.yaml, own\) 'ubc': did you mean 'ucb'\?"),
        ({"game": "agents", "with": {"clusters": -1}}, "experiment own: -1 clusters of 50 agents"),
        ({"game": "agents", "with": {"agents": 1e308}}, r"own: agents is 1e\+308: give a whole number, such as 50"),
        ({"game": "agents", "with": {"clusters": 2.5}}, "own: clusters is 2.5: give a whole number, such as 5"),
        ({"game": "agents", "with": {"z": -442}}, "own: no game has z -442: overflow encountered in power; give"),
        ({"game": "agents", "with": {"z": float("nan")}}, "own: z is nan: give a finite number"),
        ({"game": "agents", "with": {"clusters": 10**12}}, r"experiment own: memory ran out \("),
        ({"game": "agents", "with": {"clusters": [5, 5]}}, "experiment own: the values of 'clusters' have 5 twice"),
    ],
)
def test_what_an_experiment_cannot_play_is_named_with_the_experiment(
    changed, words, content, configuration, root, tmp_path
):
    with pytest.raises(InputError, match=words):
        plan_with({**SYNTHETIC, **changed}, ORDER, content, configuration, root, tmp_path)


def places_in(value: Any, place: tuple = ()) -> list[tuple]:
    """Return the place of every value in nested mappings and lists."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(deeper for key, part in inner for deeper in places_in(part, (*place, key)))]


def with_fault(value: Any, place: tuple, fault: Any) -> Any:
    """Return nested mappings and lists with one fault in the innermost of them; only what leads there is copied."""
    if len(place) == 1:
        return fault(value, place[0])
    copied = copy.copy(value)
    copied[place[0]] = with_fault(value[place[0]], place[1:], fault)
    return copied


def faulty(action: str, key: str, wrong: Any) -> Any:
    """Return a function that replaces a value of a mapping or list, deletes it, or adds one beside it."""

    def fault(inside: Any, place: Any) -> Any:
        if action == "add" and isinstance(inside, list):
            return [*inside, wrong]
        pairs = list(inside.items() if isinstance(inside, dict) else enumerate(inside))
        if action == "delete":
            pairs = [pair for pair in pairs if pair[0] != place]
        else:
            pairs = [*pairs, (place if action == "replace" else key, wrong)]
        return dict(pairs) if isinstance(inside, dict) else list(dict(pairs).values())

    return fault


WRONG = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(
        [0, -1, 10**12, 1e308, float("nan"), "", "x", "../../evil", "x;id", "{", "\u202e", [], {}, "9" * 5000]
    ),
    st.text(max_size=8),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
)


@functools.cache
def contents() -> dict[str, dict[str, Any]]:
    """Return the content of the files of every paper: paper -> file -> content."""
    folders = sorted((ROOT / files.PLACE).iterdir())
    return {folder.name: {path.name: read_yaml(path) for path in folder.glob("*.yaml")} for folder in folders}


@functools.cache
def places_of(name: str) -> list[tuple]:
    """Return the places of all values of a paper, each of which begins with the name of a file."""
    return [place for place in places_in(contents()[name]) if len(place) > 1]


def experiment_at(content: dict[str, Any], place: tuple) -> str:
    """Return the experiment that a place in a paper belongs to, the first one if it belongs to none."""
    keys = list(content[files.EXPERIMENTS]["experiments"])
    if place[1:2] == ("claims",) and len(place) > 2:
        return content[files.CLAIMS]["claims"][place[2]].get("experiment", keys[0])
    return place[2] if place[1:2] == ("experiments",) and len(place) > 2 else keys[0]


@settings(max_examples=examples(10_000, 200), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), wrong=WRONG, key=st.text(max_size=5), action=st.sampled_from(["replace", "delete", "add"]))
def test_a_paper_with_one_fault_is_a_sentence_or_a_plan(data, wrong, key, action, root):
    """The files are not written: reading them would take nine tenths of the time, and has tests of its own."""
    name = data.draw(st.sampled_from(sorted(contents())))
    place = data.draw(st.sampled_from(places_of(name)))
    whole = contents()[name]
    content = {**contents(), name: with_fault(whole, place, faulty(action, key, wrong))}
    chosen = {"papers": [name], "experiments": [f"{name}_{experiment_at(whole, place)}"], "league": False}
    configuration = overlay(read_yaml(root / "config.yaml"), {**chosen, "data": {"use": {"article": "yahoo-r6a"}}})
    with mock.patch.object(files, "read_yaml", lambda path: content[path.parent.name][path.name]):
        sentence = told(make_plan, configuration, root)
    assert not sentence or name in sentence
