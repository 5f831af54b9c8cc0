"""MNIST: handwritten digits."""

from __future__ import annotations

from manybandits.datasets._classification import idx_files, tidy_idx
from manybandits.datasets.base import Dataset

DATASET = Dataset(
    name="mnist",
    family="mnist",
    title="MNIST",
    kind="images",
    completeness="complete",
    licence="no explicit licence; commonly CC BY-SA 3.0",
    citation="LeCun, Bottou, Bengio and Haffner 1998",
    home="http://yann.lecun.com/exdb/mnist/",
    counts={"images": 70_000, "classes": 10},
    files=idx_files(
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        (
            "md5:f68b3c2dcbeaaa9fbdd348bbdeb94873",
            "md5:d53e105ee54ea40749a09fcbcd1e9432",
            "md5:9fb629c4189551a2d022fa330f9573f3",
            "md5:ec29112dd5afa0611ce80d1b7f02629c",
        ),
    ),
)

tidy = tidy_idx
