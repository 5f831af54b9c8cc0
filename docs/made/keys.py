"""Pages of the keys of YAML files, made from the types that read them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from manybandits.papers.claims_file import ClaimsFile
from manybandits.papers.experiment import ExperimentsFile
from manybandits.papers.openings import OpenFile
from manybandits.planning.configuration import Configuration

Schema = Mapping[str, Any]
REFERENCE = "#/$defs/"

CONFIGURATION = """\
# Configuration

A run is described by `config.yaml` and by overlays on top of it, the last one uppermost: `--config` of the commands,
`--configfile` of Snakemake. An overlay contains only what differs; `configs/` has these:

{overlays}

An overlay is merged key by key; a list replaces the list below it. An unknown key stops at once, with the nearest one
that exists. `--set settings.horizon=200` of `manybandits reproduce` changes a single key.

## The default run

This is `config.yaml`, with its comments:

```yaml
{default}
```

## Keys

"""
PAPERS = """\
# Paper files

A paper is a folder with two files, `experiments.yaml` and `claims.yaml`, and possibly a third, `open.yaml`, with what
its text leaves open. [Add a paper](../how-to/paper.md) and [add a claim](../how-to/claim.md) begin with examples. An
unknown key is reported with the nearest one that exists.

"""


def configuration(root: Path) -> str:
    """Return the page of the configuration. root: the folder of ``config.yaml``."""
    overlays = [f"* `{path.stem}`: {_first_comment(path)}" for path in sorted((root / "configs").glob("*.yaml"))]
    default = (root / "config.yaml").read_text(encoding="utf-8").strip()
    keys = "\n".join(_tables({"Keys of a configuration": Configuration}, 3))
    return CONFIGURATION.format(overlays="\n".join(overlays), default=default) + keys


def paper_files() -> str:
    """Return the page of the files of a paper."""
    files = {"experiments.yaml": ExperimentsFile, "claims.yaml": ClaimsFile, "open.yaml": OpenFile}
    return PAPERS + "\n".join(_tables(files, 2))


def _first_comment(path: Path) -> str:
    """Return the first sentence of the comment that an overlay begins with."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.removeprefix("#").strip())
    return " ".join(lines).split(". ")[0].rstrip(".") + "."


def _tables(files: Mapping[str, type], level: int) -> Iterator[str]:
    """Yield the section of each file, followed by those of the records in it, each record once."""
    _, records = msgspec.json.schema_components(list(files.values()), ref_template=REFERENCE + "{name}")
    told: set[str] = set()
    for title, kind in files.items():
        yield from _table(kind.__name__, title, level, records, told)


def _table(name: str, title: str, level: int, records: Mapping[str, Schema], told: set[str]) -> Iterator[str]:
    """Yield the table of a record, and those of the records that its keys hold."""
    told.add(name)
    record = records[name]
    yield f"{'#' * level} {title} {{#{name.lower()}}}\n\n{inspect.cleandoc(record.get('description', ''))}\n"
    yield "| key | value | default |\n|---|---|---|"
    for key, schema in record["properties"].items():
        default = "required" if key in record.get("required", ()) else _default(schema)
        yield f"| `{key}` | {_words(schema)} | {default} |"
    yield ""
    for inner in dict.fromkeys(_named(record["properties"])):
        if inner not in told:
            yield from _table(inner, inner, level + 1 if level < 4 else level, records, told)


def _default(schema: Schema) -> str:
    """Return the default of a key in code font, "" if there is none, or an empty one."""
    value = schema.get("default")
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value}`" if value and isinstance(value, str | int) else ""


def _words(schema: Schema) -> str:
    """Return the values of a key in words: its description, and otherwise its type."""
    known = list(dict.fromkeys(_named(schema)))
    links = ", ".join(f"[{name}](#{name.lower()})" for name in known)
    described = schema.get("description") or next(
        (one["description"] for one in schema.get("anyOf", ()) if one.get("description")), ""
    )
    if described:
        return f"{described}: {links}" if known else str(described)
    if "enum" in schema:
        return " or ".join(f"`{word}`" for word in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_words(one) for one in schema["anyOf"] if one.get("type") != "null"))
    if "$ref" in schema:
        return f"a record, {links}"
    if schema.get("type") == "array":
        return f"a list: {_words(schema.get('items', {}))}"
    if schema.get("type") == "object":
        return f"for each name: {_words(schema.get('additionalProperties') or {})}"
    names = {"string": "a text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
    return names.get(str(schema.get("type")), "any value")


def _named(schema: object) -> Iterator[str]:
    """Yield the names of the records that a schema refers to."""
    if isinstance(schema, Mapping):
        if "$ref" in schema:
            yield str(schema["$ref"]).removeprefix(REFERENCE)
        for value in schema.values():
            yield from _named(value)
    elif isinstance(schema, Sequence) and not isinstance(schema, str):
        for value in schema:
            yield from _named(value)
