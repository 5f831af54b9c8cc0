"""Fashion-MNIST: images of clothes."""

from __future__ import annotations

from manybandits.datasets._classification import idx_files, tidy_idx
from manybandits.datasets.base import Dataset

DATASET = Dataset(
    name="fashion-mnist",
    family="fashion-mnist",
    title="Fashion-MNIST",
    kind="images",
    completeness="complete",
    licence="MIT (Zalando SE)",
    citation="Xiao, Rasul and Vollgraf 2017",
    home="https://github.com/zalandoresearch/fashion-mnist",
    counts={"images": 70_000, "test images": 10_000, "classes": 10},
    files=idx_files(
        "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
        (
            "sha256:3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
            "sha256:a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
            "sha256:346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
            "sha256:67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
        ),
    ),
)

tidy = tidy_idx
