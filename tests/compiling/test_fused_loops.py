"""Fused loops: compiled in a copy of their module, whose name depends on every module that they inline."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from manybandits.base.sources import digest, modules_of
from manybandits.compiling.generated_modules import import_generated
from manybandits.numerics.networks import fused_passes, fused_products


def test_threads_that_call_a_loop_first_share_one_copy_of_its_module():
    layer, delta, slopes = np.ones((1, 2, 3)), np.ones((1, 1, 3)), np.zeros((2, 1, 1, 2))
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(fused_passes.backward, layer, delta, part) for part in slopes]
    assert [job.result() for job in jobs] == [None, None]
    assert (slopes == 3.0).all()


def test_the_copy_of_a_loop_is_named_after_the_sources_that_it_inlines():
    fused_passes.backward(np.ones((1, 2, 3)), np.ones((1, 1, 3)), np.zeros((1, 1, 2)))
    copy = import_generated("fused_passes", lambda: "", fused_passes.__name__)
    assert copy.__name__.endswith(digest(fused_passes.__name__))
    assert copy.backward.signatures
    assert fused_products.__name__ in modules_of(fused_passes.__name__)
