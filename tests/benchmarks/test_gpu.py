"""The check of a GPU, on the processor: it compares with itself, and leaves out what does not fit."""

import pytest
import torch

from benchmarks import gpu
from manybandits.base.exceptions import InputError


def test_the_processor_plays_as_itself_and_what_does_not_fit_is_left_out(capsys, monkeypatch):
    monkeypatch.setattr(gpu, "MEMORY", 2**22)
    gpu.main(["--device", "cpu", "--algorithms", "neuucb_one", "--rounds", "20", "--replicas", "2", "20000"])
    said = capsys.readouterr().out
    assert "neuucb_one     as on the processor for 20 of 20 rounds" in said
    assert "/s" in said
    assert "too large" in said


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
def test_without_a_gpu_it_says_so():
    with pytest.raises(InputError, match="device is 'cuda', which this machine does not have: give cpu"):
        gpu.main([])
