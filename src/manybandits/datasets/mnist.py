"""MNIST: images of handwritten digits."""

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
    counts={"images": 70_000, "test images": 10_000, "classes": 10},
    files=idx_files(
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        (
            "sha256:440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
            "sha256:3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
            "sha256:8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
            "sha256:f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
        ),
    ),
)

tidy = tidy_idx
