"""Packed run tables: all tables of one paper and run in one Parquet file, which is committed.

    python -m manybandits.results.packed pack --out reports/paper-scale/runs/rmbandit.parquet \\
        --tables artifacts/paper-scale/runs/rmbandit/*/*.parquet artifacts/paper-scale/regressions/rmbandit/*.parquet
    python -m manybandits.results.packed unpack reports/paper-scale/runs/rmbandit.parquet \\
        --tables artifacts/verify/artifacts/paper-scale --measurements artifacts/verify/reports/paper-scale/tables

A packed file has the rows of its tables one after the other, sorted by path. Its columns are those of all tables, empty
where a table has no such column, after four more:

==========  ===========================================================================================
path        of the table, for example ``runs/rmbandit/<game>/<algorithm>.parquet``
schema      in the first row of a table, as are the next two: its columns and their types, as pandas stores them
facts       its facts, as JSON; see `manybandits.results.run_table`
provenance  what is beside it in ``<table>.json``, without the costs
==========  ===========================================================================================

Of a run table, only what is read of it is packed (see `manybandits.results.runs.kept`): the course of tuning is not,
and measures have six digits. Figures, tables and verdicts that are made from the unpacked table have the same bytes as
those from the first one, whose SHA-256 its provenance keeps. Tables of errors are packed whole.

Equal tables give an equal packed file. Beside it, ``<packed>.json`` has what differs from machine to machine: the costs
of every table (``costs``), and the tables of measured seconds (``measurements``), as the text of their files. It also
has the identity of every table (``identities``): a digest of what determines its bytes, by which a run that is resumed
knows whether it would make the same table again (see `manybandits.planning.progress`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from manybandits.base.artifacts import (
    DAMAGED,
    FACTS_KEY,
    REPAIR,
    check_bytes,
    load_json,
    load_provenance,
    provenance_path,
    replacing,
    save_json,
    save_text,
    sha256,
)
from manybandits.base.exceptions import InputError, run_script
from manybandits.results.runs import kept

KINDS = ("runs", "regressions")
"""The folders of tables that are packed: the first part of a path. The second is the paper, or the arena."""
COSTS = ("device", "threads", "play_seconds", "rounds_per_second", "peak_memory_bytes", "stages")
"""What is kept of the place and time at which a table was made: all that figures, tables and verdicts on costs read."""
PARTS = (".csv", ".csv.json", ".md")
"""The endings of the files of a measurement."""
DIGEST = "digest"
"""The key, in the packed provenance of a table, of the digest of its packed rows."""
PLAYED = "played"
"""The key, in the provenance of an unpacked table, of the SHA-256 of the table that was played."""
HEAD = ("path", "schema", "facts", "provenance")
PANDAS_KEY = b"pandas"
CURE = "get it again from version control, or run the pipeline again"


class Member(NamedTuple):
    """A table of a packed file."""

    path: str  # relative to the folder of a run
    start: int  # its rows in the packed file
    stop: int


@dataclass(frozen=True)
class Packed:
    """A packed file that was read and checked."""

    path: Path
    table: pa.Table
    members: tuple[Member, ...]
    beside: dict[str, Any]  # the content of the file beside it
    altered: list[str] = field(default_factory=list)  # tables read so far that are not as they were packed

    @property
    def identities(self) -> dict[str, str]:
        """The identity of each table; empty if the file was packed before there were any."""
        return dict(self.beside.get("identities", {}))

    @property
    def intact(self) -> bool:
        """Whether the file has the bytes that it was packed with."""
        return bool(self.beside["sha256"] == sha256(self.path))

    def tables(self, only: Collection[str] | None = None) -> Iterator[tuple[str, pa.Table, dict[str, Any]]]:
        """Yield the path of each table, the table, and its provenance with its costs; note which were altered.

        only: the paths of the tables to yield, of all if None.
        """
        for path, start, stop in self.members:
            if only is not None and path not in only:
                continue
            try:
                content, made = self._opened(self.table.slice(start, stop - start))
                if made.pop(DIGEST) != _digest(content.to_pandas()):
                    self.altered.append(path)
            except (*DAMAGED, KeyError, TypeError) as error:
                raise self._damaged(path, error) from error
            yield path, content, {**made, "made_on": self.beside["costs"].get(path, {})}

    def provenances(self, only: Collection[str]) -> dict[str, dict[str, Any]]:
        """Return what is beside each of these tables, without its costs."""
        found = {}
        for path, start, _ in self.members:
            if path in only:
                try:
                    made = json.loads(self.table["provenance"][start].as_py())
                    found[path] = {**made, "made_from": dict(made["made_from"])}
                except (*DAMAGED, KeyError, TypeError) as error:
                    raise self._damaged(path, error) from error
        return found

    def _damaged(self, member: str, error: Exception) -> InputError:
        return InputError(f"{self.path} is damaged ({member}: {error}): {CURE}.")

    @staticmethod
    def _opened(rows: pa.Table) -> tuple[pa.Table, dict[str, Any]]:
        """Return a table with its facts, and its provenance without the costs."""
        schema, facts, provenance = (rows[name][0].as_py() for name in HEAD[1:])
        columns = [column["field_name"] for column in json.loads(schema)["columns"]]
        metadata = {PANDAS_KEY: schema.encode(), **({FACTS_KEY: facts.encode()} if facts is not None else {})}
        return rows.select(columns).combine_chunks().replace_schema_metadata(metadata), json.loads(provenance)


def pack(tables: Sequence[Path], measurements: Sequence[Path], out: Path, identities: Sequence[str] = ()) -> None:
    """Write tables, and what is beside them, to one file and the file beside it.

    tables: their paths end in ``<kind>/<paper>/...``, see `KINDS`; the paper is the stem of `out`. measurements: the
    CSV of each. identities: those of the tables, in the same order, or none. Raises InputError naming a table that is
    empty, of another paper, or of other types than another.
    """
    group = out.stem
    names = [_relative(path, group) for path in tables]
    found = dict(sorted(zip(names, tables, strict=True)))
    parts, types = [], dict.fromkeys(HEAD, pa.string())
    costs = {}
    for name, path in found.items():
        check_bytes(path)
        content, made = _kept(_read(path)), load_provenance(path)
        if not content.num_rows:
            raise InputError(f"{path} has no rows: {REPAIR}.")
        for one in content.schema:
            if types.setdefault(one.name, one.type) != one.type or one.name in HEAD:
                raise InputError(f"{path}: the column {one.name!r} does not fit those of other tables: rename it.")
        costs[name] = _costs(made)
        parts.append(_with_head(content, name, made))
    schema = pa.schema(list(types.items()))
    whole = pa.concat_tables([schema.empty_table(), *(_filled(part, schema) for part in parts)]).combine_chunks()
    floats = [one.name for one in schema if pa.types.is_floating(one.type)]
    with replacing(out) as temporary:
        parquet.write_table(
            whole,
            temporary,
            compression="zstd",
            compression_level=19,
            use_byte_stream_split=floats,
            use_dictionary=[name for name in schema.names if name not in floats],
            write_statistics=False,
        )
    texts = {name: text for path in sorted(measurements) for name, text in _measured(path).items()}
    known = dict(sorted(zip(names, identities, strict=True))) if identities else {}
    beside = {"artifact": out.name, "sha256": sha256(out), "costs": costs, "measurements": texts, "identities": known}
    save_json(provenance_path(out), beside)


def read_packed(path: Path) -> Packed:
    """Read a packed file with the file beside it; raise InputError with one sentence where something is wrong."""
    table, beside = _read(path, CURE), load_json(provenance_path(path))
    for key, kind in (("sha256", str), ("costs", dict), ("measurements", dict)):
        if not isinstance(beside.get(key), kind):
            raise InputError(f"{provenance_path(path)} has no {key}, so it is not of a packed file: {CURE}.")
    if tuple(table.column_names[: len(HEAD)]) != HEAD:
        raise InputError(f"{path} is not a packed file: its first columns are not {', '.join(HEAD)}; {CURE}.")
    starts = [row for row, schema in enumerate(table["schema"].to_pylist()) if schema is not None]
    if table.num_rows and (not starts or starts[0]):
        raise InputError(f"{path} does not begin with the schema of a table: {CURE}.")
    paths = table["path"].to_pylist()
    members = []
    for start, stop in zip(starts, [*starts[1:], table.num_rows], strict=True):
        if set(paths[start:stop]) != {paths[start]}:
            raise InputError(f"{path} has rows of two tables under {paths[start]!r}: {CURE}.")
        members.append(Member(_checked(paths[start], path), start, stop))
    if len({member.path for member in members}) < len(members):
        raise InputError(f"{path} has two tables of the same path: {CURE}.")
    for name in beside["measurements"]:
        if not re.fullmatch(rf"\w+({'|'.join(map(re.escape, PARTS))})", name):
            raise InputError(f"{provenance_path(path)} names the file {name!r}, which is not of a measurement: {CURE}.")
    return Packed(path, table, tuple(members), beside)


def unpack(packed: Packed, tables: Path, measurements: Path | None, only: Collection[str] | None = None) -> None:
    """Write the tables of a packed file with their provenance to a folder, and its measurements to another.

    measurements: None to leave them out. only: the paths of the tables to write, all if None.
    """
    for name, content, made in packed.tables(only):
        path = _inside(tables, name)
        with replacing(path) as temporary:
            parquet.write_table(content, temporary, compression="zstd")  # as `manybandits.base.artifacts` does
        save_json(provenance_path(path), {**made, "sha256": sha256(path), PLAYED: _played(made)})
    if measurements:
        for name, text in packed.beside["measurements"].items():
            save_text(_inside(measurements, name), text)


def _read(path: Path, cure: str = REPAIR) -> pa.Table:
    if not path.is_file():
        raise InputError(f"{path} does not exist: {cure}.")
    try:
        return parquet.ParquetFile(path).read()
    except (*DAMAGED, pa.ArrowException) as error:
        raise InputError(f"{path} is damaged ({error}): {cure}.") from error


def _kept(content: pa.Table) -> pa.Table:
    """Return what is packed of a table."""
    if "stage" not in content.column_names:
        return content
    return pa.Table.from_pandas(kept(content.to_pandas()), content.schema, preserve_index=False)


def _digest(table: pd.DataFrame) -> str:
    """Return 16 hexadecimal digits over the values of a table."""
    return hashlib.sha256(pd.util.hash_pandas_object(table, index=False).to_numpy().tobytes()).hexdigest()[:16]


def _with_head(content: pa.Table, name: str, made: dict[str, Any]) -> pa.Table:
    """Return a table with the columns of `HEAD`, of which all but the path are in its first row alone."""
    metadata, rows = content.schema.metadata, content.num_rows
    made = {key: made[key] for key in made if key not in ("made_on", PLAYED)} | {"sha256": _played(made)}
    facts = metadata.get(FACTS_KEY)
    about = {
        "schema": metadata[PANDAS_KEY].decode(),
        "facts": None if facts is None else facts.decode(),
        "provenance": json.dumps({**made, DIGEST: _digest(content.to_pandas())}, ensure_ascii=False),
    }
    columns = [[name] * rows, *([about[key], *[None] * (rows - 1)] for key in HEAD[1:])]
    head = [pa.array(column, pa.string()) for column in columns]
    return pa.table([*head, *content.columns], names=[*HEAD, *content.column_names])


def _filled(part: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table with all columns of a schema, empty where it has none."""
    columns = [part[one.name] if one.name in part.column_names else pa.nulls(part.num_rows, one.type) for one in schema]
    return pa.table(columns, schema=schema)


def _measured(path: Path) -> dict[str, str]:
    """Return the texts of the files of a measurement, with no more of its time and place than its costs."""
    stem = path.with_suffix("")
    texts = {ending: stem.with_name(stem.name + ending).read_text(encoding="utf-8") for ending in PARTS}
    made = json.loads(texts[PARTS[1]])
    texts[PARTS[1]] = json.dumps({**made, "made_on": _costs(made)}, indent=2, ensure_ascii=False) + "\n"
    return {stem.name + ending: text for ending, text in texts.items()}


def _played(made: dict[str, Any]) -> str:
    """Return the SHA-256 of the table that was played, given the provenance of that table, or of the unpacked one."""
    return str(made.get(PLAYED, made["sha256"]))


def _costs(made: dict[str, Any]) -> dict[str, Any]:
    return {key: made["made_on"][key] for key in COSTS if key in made["made_on"]}


def _relative(path: Path, group: str) -> str:
    """Return the path of a table below the folder of its run."""
    parts = path.parts
    for start in reversed(range(len(parts) - 2)):
        if parts[start] in KINDS and parts[start + 1] == group:
            return "/".join(parts[start:])
    raise InputError(f"{path} is not a table of {group}: its path must hold {' or '.join(KINDS)}, and then {group}.")


def _checked(name: str, packed: Path) -> str:
    """Return the path of a table in a packed file; raise InputError if it is not one of the paper's tables."""
    parts = str(name).split("/")
    plain = all(re.fullmatch(r"[\w.+=,-]+", part) and part.strip(".") for part in parts)
    if not (plain and len(parts) > 2 and parts[0] in KINDS and parts[1] == packed.stem and name.endswith(".parquet")):
        raise InputError(f"{packed} holds the path {name!r}, which is not of a table of {packed.stem}: {CURE}.")
    return str(name)


def _inside(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder; raise InputError if a link leads out of it."""
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{path} is outside of {folder}: remove the link that leads there.")
    return path


def main(argv: list[str] | None = None) -> None:
    """Pack the tables of a paper, or unpack them."""
    parser = argparse.ArgumentParser(description="Pack the run tables of a paper into one file, or unpack them.")
    commands = parser.add_subparsers(dest="command", required=True)
    packing = commands.add_parser("pack", help="pack tables")
    packing.add_argument("--tables", type=Path, nargs="*", default=[], help="run tables and tables of errors")
    packing.add_argument("--measurements", type=Path, nargs="*", default=[], help="tables of measurements (.csv)")
    packing.add_argument("--identities", nargs="*", default=[], help="of all tables, in the same order, or none")
    packing.add_argument("--out", type=Path, required=True, help="the .parquet file to write, named after the paper")
    unpacking = commands.add_parser("unpack", help="unpack tables")
    unpacking.add_argument("packed", type=Path, help="a packed file")
    unpacking.add_argument("--tables", type=Path, required=True, help="the folder for tables")
    unpacking.add_argument("--measurements", type=Path, required=True, help="the folder for tables of measurements")
    given = parser.parse_args(argv)
    if given.command == "pack":
        pack(given.tables, given.measurements, given.out, given.identities)
    else:
        unpack(read_packed(given.packed), given.tables, given.measurements)


if __name__ == "__main__":
    run_script(main)
