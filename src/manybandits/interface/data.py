"""Public data in one call: ``mb.data``, with a function for each family of data, and `openml`.

    import manybandits as mb

    ratings = mb.data.movielens("1m")          # a frame: user, item, rating
    game = mb.games.movielens("1m")            # a game of them

The families and their editions are those of ``manybandits data list``. Raw files are taken from the mirror, the
folder or address in ``MANYBANDITS_MIRROR``, or downloaded, and checked; they and their tidy form stay in the cache.
When a data set is first made there, its licence is said on stderr.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pandas as pd

from manybandits import datasets
from manybandits.base.artifacts import cache_folder, load_arrays, load_table
from manybandits.base.exceptions import InputError, nearest, pick
from manybandits.base.printing import remark
from manybandits.datasets.base import TIDY_FILES
from manybandits.datasets.build import build
from manybandits.datasets.command_line import raw_folder

if TYPE_CHECKING:  # what `__getattr__` makes, for editors and type checkers, which would take any name else

    class PublicTable(Protocol):
        def __call__(self, edition: str = ...) -> Any: ...

    adult: PublicTable
    amazon_fashion: PublicTable
    article: PublicTable
    astroph: PublicTable
    cifar10: PublicTable
    embedded: PublicTable
    emnist_letters: PublicTable
    facebook: PublicTable
    fashion_mnist: PublicTable
    lastfm: PublicTable
    magic: PublicTable
    mnist: PublicTable
    movielens: PublicTable
    mushroom: PublicTable
    news: PublicTable
    notmnist: PublicTable
    shuttle: PublicTable
    yelp: PublicTable


def families() -> dict[str, list[str]]:
    """Return the data sets of each family, in the order of ``sources.yaml``. A family is named as in Python."""
    found: dict[str, list[str]] = {}
    for name, facts in datasets._declared().items():
        found.setdefault(facts["family"].replace("-", "_"), []).append(name)
    return found


def editions(family: str) -> dict[str, str]:
    """Return the data sets of a family by edition, such as ``1m``, first the default: one that needs no step by hand.

    Raises AttributeError naming the nearest family if there is none of this name.
    """
    if family not in (known := families()):
        raise AttributeError(f"there are no data called {family!r}: {nearest(family, known)}")
    named = sorted(known[family], key=lambda name: bool(datasets.load(name).DATASET.by_hand))
    return {name.removeprefix(family.replace("_", "-") + "-"): name for name in named}


def tidy_folder(name: str) -> Path:
    """Return the folder with the tidy files of a data set, which are made if the cache has none of this version."""
    source = datasets.load(name)
    dataset, folder = source.DATASET, cache_folder() / "data/tidy" / datasets.digest_of(name) / name
    if not all((folder / file).is_file() for file in dataset.tidy_files):
        build(source, raw_folder(), folder.parent)
        remark(f"{dataset.title}. Licence: {dataset.licence.rstrip('.')}. Cite: {dataset.citation.rstrip('.')}.")
    return folder


def openml(number: int) -> pd.DataFrame:
    """Return a table of OpenML by its number, such as 61, in scikit-learn's cache below ours; its target is ``label``.

    Raises InputError if there is no such table, if its target is not one column, or if it cannot be downloaded.
    """
    from sklearn.datasets import fetch_openml

    try:
        found = fetch_openml(data_id=number, as_frame=True, data_home=cache_folder() / "data/openml")
    except (OSError, ValueError) as error:  # no network is an OSError, as is an answer of the server that it has none
        reason = " ".join(str(error).split()).rstrip(".")
        raise InputError(
            f"table {number!r} of OpenML cannot be had ({reason}): give the number that is in the address of a table "
            "at https://www.openml.org, such as 61, and check the network."
        ) from error
    if not isinstance(found.target, pd.Series):
        raise InputError(f"table {number} of OpenML has no single target: give the frame to mb.games.from_rows.")
    details = found.details
    remark(f"OpenML {number}, {details['name']}. Licence: {details.get('licence', 'not stated')}. Cite: {found.url}.")
    table: pd.DataFrame = found.data.assign(label=found.target)
    return table


def _made(name: str) -> Callable[..., Any]:
    """Return the function of a family: it takes an edition, and returns the table."""
    known = editions(name)

    def load(edition: str = next(iter(known))) -> Any:
        tidy = tidy_folder(set_of(name, edition))
        files = TIDY_FILES[datasets.load(tidy.name).DATASET.kind]
        loaders = {".parquet": load_table, ".npz": load_arrays}
        tables: dict[str, Any] = {Path(file).stem: loaders[Path(file).suffix](tidy / file) for file in files}
        return tables if len(files) > 1 else next(iter(tables.values()))

    titles = (f"{datasets.load(one).DATASET.title} ({edition!r})" for edition, one in known.items())
    return named(load, name, f"Return {', or '.join(titles)}: frames, or arrays by name.")


if not TYPE_CHECKING:
    __getattr__ = _made


def set_of(family: str, edition: str) -> str:
    """Return the data set of an edition, or that has this name; raise InputError naming the nearest edition."""
    known = editions(family)
    return edition if edition in known.values() else known[pick(edition, known, f"edition of {family}")]


def named(function: Callable[..., Any], name: str, says: str, **parameters: Any) -> Callable[..., Any]:
    """Return a function with the name, help and signature, names -> defaults, that a user sees."""
    function.__name__, function.__qualname__, function.__doc__ = name, name, says
    if parameters:
        both = inspect.Parameter.POSITIONAL_OR_KEYWORD
        listed = [inspect.Parameter(one, both, default=default) for one, default in parameters.items()]
        function.__signature__ = inspect.Signature(listed)  # pyrefly: ignore[missing-attribute]
    return function


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    return [*families(), "openml"]
