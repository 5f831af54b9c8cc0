"""Raw files to tidy files, with the counts verified at every build."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pandas as pd

from manybandits.core.artifacts import Provenance, save_arrays, save_table
from manybandits.datasets.fetch import fetch


def build(module: ModuleType, raw: Path, out: Path, mirror: str | None = None) -> Path:
    """Fetch the raw files of a data set module, make them tidy in ``out / name``, and return that folder."""
    dataset = module.DATASET
    files = fetch(dataset, raw, mirror) if dataset.files or dataset.copies else {}
    provenance = Provenance({"dataset": dataset.name, "home": dataset.home}, tuple(files.values()))
    tidy, counted = module.tidy(files)
    dataset.verify(counted)
    folder = out / dataset.name
    for name, content in tidy.items():
        (save_table if isinstance(content, pd.DataFrame) else save_arrays)(folder / name, content)
        facts = {"counts": counted, "completeness": dataset.completeness, "licence": dataset.licence}
        provenance.save(folder / name, facts)
    return folder
