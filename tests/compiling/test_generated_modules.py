"""Compiled functions that are kept: one process compiles, others wait and read what it left."""

import os
import subprocess
import sys

from manybandits.base import seeds
from manybandits.compiling.generated_modules import import_generated

PROGRAM = '''
from manybandits.compiling.generated_modules import compile_once, import_generated

text = """
from numba import njit

@njit(cache=True)
def halves(values):
    total = 0.0
    for value in values:
        total += value / 2.0
    return total
"""
module = import_generated("halves", lambda: text, "manybandits.base.seeds")
halves = compile_once(module.halves)
import numpy as np
assert halves(np.ones(4)) == 2.0
assert halves(np.ones(4, np.float32)) == 2.0  # of another type: compiled, too
print(module.halves.stats.cache_misses)
'''


def test_of_processes_side_by_side_one_compiles(tmp_path):
    environment = {**os.environ, "MANYBANDITS_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", PROGRAM]
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [one.communicate()[0] for one in both]
    assert [one.returncode for one in both] == [0, 0]
    assert sum("float64" in text for text in said) == 1, said


BY_NAME = """
import numpy as np
from manybandits.algorithms import compiled_policy, contract, single_rounds
from manybandits.algorithms.linear import random
from manybandits.compiling import kernels
from manybandits.interface.compiled_replica import CompiledReplica

replica = CompiledReplica(random, contract.Problem(2, 3, 3, 2, 5), {}, 0)
steps = kernels.compiled_kernel(random, single_rounds, compiled_policy)
steps.learn_each(replica.state, 1, np.zeros(1, int), np.zeros((1, 2)), np.zeros(1))
module = kernels.kernel_module(random, single_rounds, compiled_policy)
print(module.learn_each.stats.cache_misses, replica.choose.func.__name__)
"""


def test_what_is_called_by_name_and_what_takes_one_round_is_compiled_by_the_first_process_alone(tmp_path):
    environment = {**os.environ, "MANYBANDITS_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", BY_NAME]
    first, second = (
        (subprocess.run(command, env=environment, capture_output=True, text=True, check=True), stamps(tmp_path))
        for _ in range(2)
    )
    assert "Array" in first[0].stdout
    assert second[0].stdout.startswith("Counter()")
    assert first[1] == second[1]
    assert len([path for path in first[1] if path.suffix == ".nbc"]) == 3


def stamps(folder):
    """Return when each file that numba has stored was written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")}


def test_a_module_is_written_again_where_a_source_has_changed(tmp_path, monkeypatch):
    monkeypatch.setenv("MANYBANDITS_CACHE", str(tmp_path))
    first = import_generated("number", lambda: "NUMBER = 1\n", "manybandits.base.seeds")
    assert import_generated("number", lambda: "NUMBER = 2\n", "manybandits.base.seeds") is first
    assert first.NUMBER == 1
    digests = {seeds.__name__: "changed"}
    monkeypatch.setattr("manybandits.compiling.generated_modules.digest", lambda *modules: digests[modules[0]])
    assert import_generated("number", lambda: "NUMBER = 2\n", "manybandits.base.seeds").NUMBER == 2
