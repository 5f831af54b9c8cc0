import os
import platform
import subprocess
import sys

import pytest

from manybandits.base import steps
from manybandits.base.exceptions import InputError

GIVEN = [*steps.RECORD, "--threads", "2", "--memory", "9", "--shards", "3"]


def test_steps_are_run_in_turn_with_their_own_arguments_and_those_that_play_with_the_limits(monkeypatch):
    called = []

    class Step:
        def __init__(self, name):
            self.main = lambda arguments: called.append((name, arguments))
            self.LIMITED = name.endswith("b")

    monkeypatch.setattr(steps.importlib, "import_module", Step)
    monkeypatch.setattr(sys, "argv", ["steps", *GIVEN, "manybandits.a", "--title", "1 + 1", "+", "manybandits.b", "x"])
    steps.main()
    limits = ["--threads", "2", "--memory", "9", "--shards", "3"]
    assert called == [("manybandits.a", ["--title", "1 + 1"]), ("manybandits.b", ["x", *limits])]


def test_what_is_no_step_is_named():
    with pytest.raises(InputError, match="'os' is not a step: name a module of manybandits"):
        steps.main([*GIVEN, "os"])


def test_a_job_that_is_described_as_another_version_describes_it_is_refused():
    with pytest.raises(
        InputError, match=r"is described as --record 0, and .* runs --record 2: install the same version"
    ):
        steps.main(["--record", "0", "manybandits.a"])


def test_a_job_without_its_limits_is_refused():
    with pytest.raises(
        InputError, match=r"has the limits manybandits\.a --out x: give --threads, --memory, --shards, each"
    ):
        steps.main([*steps.RECORD, "manybandits.a", "--out", "x"])


@pytest.mark.parametrize(("flags", "expected"), [("sse2 avx2 avx512f avx512bw", steps.AVX2), ("sse2 avx2", {})])
def test_jobs_do_without_avx_512(tmp_path, monkeypatch, flags, expected):
    monkeypatch.setattr(steps, "PROCESSOR", tmp_path / "cpuinfo")
    steps.PROCESSOR.write_text(f"processor : 0\nflags : {flags} \n")
    monkeypatch.setattr(os, "environ", {})
    steps.prefer_avx2()
    assert os.environ == expected
    os.environ["OPENBLAS_CORETYPE"] = "Zen"
    steps.prefer_avx2()
    assert os.environ["OPENBLAS_CORETYPE"] == "Zen", "what a user sets stays"


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="another kind of processor has other names")
def test_numpy_knows_the_names_of_what_it_does_without():
    used = "from numpy._core._multiarray_umath import __cpu_features__ as f; assert not f['X86_V4']"
    subprocess.run([sys.executable, "-W", "error", "-c", used], env={**os.environ, **steps.AVX2}, check=True)
