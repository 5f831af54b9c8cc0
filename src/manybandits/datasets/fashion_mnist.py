"""Fashion-MNIST: pictures of clothes."""

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
    counts={"images": 70_000, "classes": 10},
    files=idx_files(
        "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
        (
            "md5:8d4fb7e6c68d591d4c3dfef9ec88bf0d",
            "md5:25c81989df183df01b3e8a0aad5dffbe",
            "md5:bef4ecab320f06d8554ea6380940ec79",
            "md5:bb300cfdad3c16e7a12a480ee83cd310",
        ),
    ),
)

tidy = tidy_idx
