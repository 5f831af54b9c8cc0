"""Data sets: their sources, checksums and licences, and the conversion of their raw files to tidy files.

Those of this package are declared in `sources.yaml`, beside the function of `readers` that reads them. Others are
plug-ins (see `manybandits.base.plugins`), modules with a `DATASET` and a function `tidy(raw)`, named by the path of
their file, such as ``./my_ratings.py``.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import field
from msgspec.structs import replace

from manybandits.base import plugins
from manybandits.base.artifacts import load_facts
from manybandits.base.exceptions import InputError, pick
from manybandits.base.sources import digest, digest_of_texts
from manybandits.datasets.base import Dataset, Tidy

SOURCES = Path(__file__).with_name("sources.yaml")
READERS = f"{__name__}.readers"
KIND = "data set"
PLACE = "plugin"
"""The fact of tidy files that has the path of a plug-in."""


@dataclass
class Source:
    """A data set to make: what a plug-in has, and `plugin`, the reference to its file, "" where it is in no file.

    tidy: raw files by name -> tidy tables and arrays, and what was counted.
    """

    DATASET: Dataset
    tidy: Callable[[dict[str, Path]], tuple[Tidy, dict[str, int]]]
    plugin: str = ""


class Declared(Dataset, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A data set of `sources.yaml`: its declaration, and the reader of its raw files.

    reader: a module of `readers`, which has the name of the kind of data, and a function. options: what the function is
    given besides the files. address: that of the folder that has all `files`, if there is one.
    """

    completeness: Literal["complete", "subset", "extract", "embedded"] = "complete"
    reader: str
    options: dict[str, Any] = field(default_factory=dict)
    address: str = ""

    def tidy(self, raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
        """Return the tidy form of raw files, and their counts; raise InputError if there is no such reader."""
        try:
            reader = getattr(importlib.import_module(f"{READERS}.{self.kind}"), self.reader.rpartition(".")[2])
            call = inspect.signature(reader).bind(raw, **self.options)
        except (ImportError, AttributeError, TypeError) as error:
            raise InputError(f"{SOURCES}, {self.name}, reader {self.reader}: {error}: correct it.") from error
        return reader(*call.args, **call.kwargs)


def names() -> list[str]:
    """Return the names of all data sets, sorted, without those that are named by their path."""
    return sorted(_declared())


def load(name: str) -> Source:
    """Return a data set by its name, such as ``movielens-1m``, or by its path, such as ``./my_ratings.py``.

    Raises InputError if there is none of this name, or naming what a file lacks to be a data set.
    """
    if name in _declared():
        return _source(name)
    module = plugins.load(name, dict.fromkeys(names(), READERS), KIND)
    called = getattr(getattr(module, "DATASET", None), "name", None)
    if not isinstance(called, str) or not callable(getattr(module, "tidy", None)):
        raise InputError(f"{name} is no data set yet: give it DATASET = Dataset(...) and a function tidy(raw).")
    if called in _declared():
        raise InputError(f"{name}: its DATASET is named {called!r}; give it a name of its own.")
    return Source(module.DATASET, module.tidy, plugins.reference_of(module))


def digest_of(name: str) -> str:
    """Return 16 hexadecimal digits over what a data set is made by: its declaration and the code that reads it."""
    if name not in _declared():
        return digest(plugins.module_of(name, dict.fromkeys(names(), READERS), KIND))
    dataset = _source(name).DATASET
    return digest_of_texts(msgspec.json.encode(dataset).decode(), digest(f"{READERS}.{dataset.kind}"))


def checked_name(name: str, kind: str = KIND) -> str:
    """Return the name of a data set: of a file, its path from the current folder.

    kind: what the name is, for messages. Raises InputError if there is no such data set.
    """
    return plugins.reference_to(name, kind) if plugins.is_path(name) else pick(name, names(), kind)


def short_name(name: str) -> str:
    """Return the name of a data set in names of files and folders: that of its declaration."""
    return load(name).DATASET.name if plugins.is_path(name) else name


def of_folder(tidy: Path) -> Dataset:
    """Return the declaration of the data set whose tidy files are in a folder, which has its name.

    That of a plug-in is found by its path, which is one of the facts of its tidy files.
    """
    if tidy.name not in _declared():
        for file in sorted((*tidy.glob("*.parquet"), *tidy.glob("*.npz"))):
            if reference := load_facts(file).get(PLACE):
                return load(checked_name(reference, f"data set ({tidy})")).DATASET
    return load(tidy.name).DATASET  # if there is none, the message names the nearest one


@functools.cache
def _declared() -> dict[str, dict[str, Any]]:
    """Return the content of `sources.yaml`."""
    try:
        return msgspec.yaml.decode(SOURCES.read_bytes(), type=dict[str, dict[str, Any]])
    except msgspec.DecodeError as error:
        raise InputError(f"{SOURCES} cannot be read: {error}: correct it, or install the package again.") from error


@functools.cache
def _source(name: str) -> Source:
    """Return a data set of `sources.yaml`."""
    given = _declared()[name]
    try:
        kind = str(given.get("reader")).partition(".")[0]
        dataset = msgspec.convert({"name": name, "kind": kind, **given}, Declared)
    except msgspec.ValidationError as error:
        raise InputError(f"{SOURCES}, {name}: {error}: correct it, or install the package again.") from error
    files = tuple(
        replace(file, url=file.url or (dataset.address and dataset.address + file.name)) for file in dataset.files
    )
    dataset = replace(dataset, files=files)
    return Source(dataset, dataset.tidy)
