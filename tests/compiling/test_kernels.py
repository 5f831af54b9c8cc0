"""Kernels: a source file, and its copy for each policy."""

import ast
from pathlib import Path

import pytest

from manybandits.algorithms import catalogue, compiled_policy, single_rounds
from manybandits.algorithms.linear import club, linucb_one
from manybandits.compiling.kernels import kernel_module, kernel_source
from manybandits.environments.kinds.kernels import agents, exploration, instances, replay, users

KERNELS = (users, agents, instances, replay, exploration, single_rounds)


def imports(text: str) -> dict[str, str]:
    """Return from which module each name is imported."""
    found = [one for one in ast.parse(text).body if isinstance(one, ast.ImportFrom)]
    return {alias.name: str(one.module) for one in found for alias in one.names}


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_copy_of_a_kernel_differs_in_what_it_imports_from_the_policy_alone(kernel):
    source, copy = Path(kernel.__file__).read_text(), kernel_source(club, kernel, compiled_policy)
    before, after = imports(source), imports(copy)
    assert before.keys() == after.keys()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {name for name in before if before[name] == compiled_policy.__name__ and hasattr(club, name)}
    assert {"choose", "learn"} <= changed
    assert {after[name] for name in changed} == {club.__name__}
    kept = [line for line in source.splitlines() if compiled_policy.__name__ not in line]
    assert [line for line in kept if line not in copy.splitlines()] == []


def test_what_a_policy_lacks_stays_a_stand_in():
    found = imports(kernel_source(linucb_one, users, compiled_policy))
    assert found["choose"] == linucb_one.__name__
    assert found["share_cluster"] == compiled_policy.__name__


def test_the_source_of_a_kernel_is_not_compiled_and_its_copy_is():
    assert not hasattr(single_rounds.count_each, "py_func")
    assert hasattr(kernel_module(club, single_rounds, compiled_policy).count_each, "py_func")


def test_a_module_that_asks_nothing_of_a_policy_is_no_kernel():
    with pytest.raises(ValueError, match=r"catalogue imports nothing from .*compiled_policy, so no policy can play it"):
        kernel_source(club, catalogue, compiled_policy)


def test_stand_ins_are_never_called():
    with pytest.raises(NotImplementedError):
        compiled_policy.count_clusters(None)
