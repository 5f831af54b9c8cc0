"""Artifacts: files that are written atomically, with a record of what they were made from.

An artifact is an array file (``.npz``, no pickle), a table (``.parquet``, zstd) or a text. Its bytes depend
only on its inputs, so that two machines can compare them. Arrays and tables store their *facts*, which is all that a
reader needs to use them (users, arms, titles, grids): as the member ``facts.json`` of the ``.npz``, and in the
metadata of the Parquet schema under the key ``manybandits``.

What differs from run to run (seconds, memory, package versions) is stored beside the artifact in
``<artifact>.json``, its *provenance*. No result is lost without it. Where it is there, an artifact is read only if it
has the SHA-256 that stands in it::

    {"sha256": ..., "inputs": {file name: sha256}, "settings": {...}, "code": {...}, "made_on": {...}}

A text, such as the CSV of a figure, cannot store facts itself: its provenance holds them under ``facts``.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import json
import os
import platform
import resource
import secrets
import sys
import tempfile
import time
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import platformdirs

from manybandits import __version__
from manybandits.base.exceptions import InputError

if TYPE_CHECKING:
    import pandas as pd

PACKAGES = ("numpy", "scipy", "numba", "pandas", "pyarrow", "scikit-learn", "matplotlib", "torch")
"""Packages whose versions can change a result; the installed versions are recorded with every artifact."""

FACTS_MEMBER = "facts.json"
"""The member of an ``.npz`` file that holds its facts."""
FACTS_KEY = b"manybandits"
"""The key of the facts of a table in the metadata of Parquet's schema."""
REPAIR = "delete it and run again; `manybandits repair` finds and deletes all damaged files"
"""What to do about a damaged file of this package."""
FOREIGN = "give a file that manybandits wrote, or have it write this one again"
"""What to do about a file that need not be of this package: no provenance lies beside it."""
DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, tokenize.TokenError, ValueError, EOFError, OSError),
    *(AttributeError, KeyError, TypeError, NotImplementedError),
)
"""The exceptions that readers of arrays and tables raise for a damaged file."""


def cache_folder() -> Path:
    """Return the cache folder, safe to delete: ``MANYBANDITS_CACHE`` if it is set, else that of the user."""
    return Path(os.environ.get("MANYBANDITS_CACHE") or platformdirs.user_cache_path("manybandits"))


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path in the folder of `path`; rename it to `path` if the block succeeds.

    A reader sees the old file, the new file or no file, but never a part of one, even if this process is killed.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.stem}-{secrets.token_hex(4)}{path.suffix}")
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666))  # less what the umask takes away
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Raise InputError or OSError if `path` cannot be written: a play should say so before it starts, not after."""
    if path.is_dir():
        raise InputError(f"{path} is a folder: name a file in it.")
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-")
    os.close(handle)
    Path(name).unlink()


def save_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, atomically."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def save_json(path: Path, content: Mapping[str, object]) -> None:
    """Write `content` to `path` as indented JSON, atomically."""
    save_text(path, json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def load_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; raise InputError if the file is missing or holds anything else."""
    try:
        content = json.loads(_present(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not valid JSON ({error}): {REPAIR}.") from error
    if not isinstance(content, dict):
        raise InputError(f"{path} holds a {type(content).__name__}, not a JSON object: {REPAIR}.")
    return content


def save_arrays(path: Path, arrays: Mapping[str, np.ndarray], facts: Mapping[str, object] | None = None) -> None:
    """Write named arrays, and facts if they are given, to an ``.npz`` file; the same content gives the same bytes.

    The fact ``digest`` is added: the SHA-256 of the same file without facts. It identifies the arrays, whatever the
    other facts are.
    """
    with replacing(path) as temporary:
        np.savez_compressed(temporary, allow_pickle=False, **{name: arrays[name] for name in sorted(arrays)})
        if facts is not None:
            content = _facts_text({**facts, "digest": sha256(temporary)})
            with zipfile.ZipFile(temporary, "a") as file:
                file.writestr(zipfile.ZipInfo(FACTS_MEMBER), content)  # dated 1 January 1980, like the arrays


def load_arrays(path: Path) -> dict[str, np.ndarray]:
    """Read the arrays of an ``.npz`` file; raise InputError if it is missing or damaged."""
    with _readable(path) as present, np.load(present, allow_pickle=False) as file:
        return {name: file[name] for name in file.files if name != FACTS_MEMBER}


def save_table(path: Path, table: pd.DataFrame, facts: Mapping[str, object] | None = None, small: bool = False) -> None:
    """Write a table, and facts if they are given, to a ``.parquet`` file; the same content gives the same bytes.

    small: in half the bytes and twice the time, for tables of text, whole numbers and float64, which are committed by
    the thousand.
    """
    import pyarrow as pa
    from pyarrow import parquet

    content = pa.Table.from_pandas(table, preserve_index=False)
    told = {} if facts is None else {FACTS_KEY: _facts_text(facts)}
    with replacing(path) as temporary:
        if not small:
            content = content.replace_schema_metadata({**content.schema.metadata, **told})
            parquet.write_table(content, temporary, compression="zstd")
            return
        floats = [one.name for one in content.schema if pa.types.is_floating(one.type)]
        with parquet.ParquetWriter(
            temporary,
            content.schema,
            compression="zstd",
            compression_level=12,
            use_byte_stream_split=floats,
            use_dictionary=[name for name in content.column_names if name not in floats],
            write_statistics=False,
            store_schema=False,  # the types of pandas follow from those of Parquet
        ) as file:
            file.write_table(content)
            file.add_key_value_metadata(told)


def load_table(path: Path) -> pd.DataFrame:
    """Read a ``.parquet`` table; raise InputError if it is missing or damaged."""
    import pandas as pd
    import pyarrow as pa

    with _readable(path) as present:
        try:
            return pd.read_parquet(present)
        except pa.ArrowException as error:  # of which one for errors that it does not know
            raise ValueError(str(error)) from error


def load_facts(path: Path) -> dict[str, Any]:
    """Read the facts that are stored in an array file or a table.

    Raises InputError if the file is missing, damaged or without facts, as files of earlier versions are.
    """
    path = Path(path)
    with _readable(path) as present:
        if path.suffix == ".npz":
            with zipfile.ZipFile(present) as file:
                text = file.read(FACTS_MEMBER) if FACTS_MEMBER in file.namelist() else None
        else:
            from pyarrow import parquet

            text = (parquet.read_schema(present).metadata or {}).get(FACTS_KEY)
        if text is not None:
            facts: dict[str, Any] = json.loads(text)
            return facts
    if provenance_path(path).is_file():
        raise InputError(f"{path} holds no facts about itself, so an earlier version wrote it: {REPAIR}.")
    raise InputError(f"{path} is neither a run table nor a game: {FOREIGN}.")


def _facts_text(facts: Mapping[str, object]) -> str:
    """Return facts as JSON with the keys in the order given, since options are shown in the order of the grid."""
    return json.dumps(facts, ensure_ascii=False, allow_nan=False)


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[Path]:
    """Yield the path of an existing file; turn the exceptions of its reader into an InputError with the cure."""
    present = _present(path)
    check_bytes(present)
    try:
        yield present
    except DAMAGED as error:
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise  # the disk fails or refuses; the file may be whole
        reason = "no file of arrays" if "trust" in str(error) else error  # NumPy would load a pickle
        if (beside := provenance_path(path)).is_file():
            if load_json(beside).get("sha256"):  # which `check_bytes` compared, so that the file is whole
                raise InputError(f"{path} is not of the kind that is needed here ({reason}): give another.") from error
            raise InputError(f"{path} is damaged ({error}): {REPAIR}.") from error
        raise InputError(f"{path} cannot be read ({reason}): {FOREIGN}.") from error


def check_bytes(path: Path, cure: str = REPAIR) -> None:
    """Raise InputError with the cure if a file does not have the SHA-256 that its provenance states, if it has any."""
    beside = provenance_path(path)
    if beside.is_file() and load_json(beside).get("sha256", "") not in ("", sha256(path)):
        raise InputError(f"{path} is damaged (its SHA-256 is not the one in {beside.name}): {cure}.")


def provenance_path(artifact: Path) -> Path:
    """Return the path of the provenance of `artifact`: its own path with ``.json`` added."""
    return artifact.parent / f"{artifact.name}.json"


def names_of(paths: Sequence[Path]) -> list[str]:
    """Return the names of files, with the folder if several files have the same name."""
    names = [Path(path).name for path in paths]
    return [
        name if names.count(name) == 1 else f"{Path(path).parent.name}/{name}"
        for name, path in zip(names, paths, strict=True)
    ]


class Provenance:
    """The provenance of one artifact. Create it before the work, which it times, and save it afterwards.

    Parameters
    ----------
    settings : what was asked for (options, seeds, grid); must be representable in JSON.
    inputs : the input files; their names (see `names_of`) and SHA-256 are recorded.
    """

    def __init__(self, settings: Mapping[str, object], inputs: tuple[Path, ...] = ()) -> None:
        self.settings = dict(settings)
        self.inputs = {name: sha256(_present(path)) for name, path in zip(names_of(inputs), inputs, strict=True)}
        self._started = time.perf_counter()

    def save(
        self,
        artifact: Path,
        facts: Mapping[str, object] | None = None,
        costs: Mapping[str, object] | None = None,
        digest: str = "",
    ) -> None:
        """Write the provenance of `artifact` beside it.

        facts: those of a text, which cannot store them itself. costs: measurements of this run besides its seconds and
        its memory, such as rounds per second. digest: that of the code that made it.
        """
        content = {
            "artifact": artifact.name,
            "sha256": sha256(artifact),
            "inputs": self.inputs,
            "settings": self.settings,
            **({"facts": dict(facts)} if facts is not None else {}),
            "code": {"manybandits": __version__, **({"digest": digest} if digest else {})},
            "made_on": {
                "python": platform.python_version(),
                "packages": {name: version for name in PACKAGES if (version := _version(name))},
                "machine": f"{platform.system()} {platform.machine()}",
                "seconds": round(time.perf_counter() - self._started, 3),
                "peak_memory_bytes": peak_memory(),
                **(costs or {}),
            },
        }
        save_json(provenance_path(artifact), content)


def load_provenance(artifact: Path) -> dict[str, Any]:
    """Read the provenance of `artifact` from the file beside it."""
    return load_json(provenance_path(Path(artifact)))


def peak_memory() -> int:
    """Return the largest resident memory of this process so far, in bytes."""
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else largest * 1024


def installed_memory() -> int:
    """Return the memory of this machine in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _present(path: Path) -> Path:
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path} does not exist: check the name, or run the step that makes it.")
    return path


@functools.cache
def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
