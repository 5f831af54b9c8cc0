"""Pages of algorithms, data sets and games, made from what their files declare."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docstrings import in_markdown

from manybandits import datasets
from manybandits.algorithms import catalogue
from manybandits.cli import show
from manybandits.environments.catalogue import names as game_names
from manybandits.papers.files import read_papers
from manybandits.results.display_names import FAMILIES, algorithm_name

ALGORITHMS = """\
# Algorithms

{count} algorithms, by family; one file each in `src/manybandits/algorithms`. A fold has the formula, the options and
the choices that the source leaves open, and another one its plain twin, which names the lines of the source.
`manybandits show club` prints what is here, and `manybandits play plain/club` plays the twin. Options are set by
`--set alpha=0.1,1` on the command line and by `alpha=[0.1, 1]` in Python, where several values are tuned. Which
algorithm to use is on the site of a run.

"""
DATA_SETS = """\
# Data sets

Data are downloaded from their official addresses when a game needs them, and keep their own licences: none are part of
this project. [Play them in one call](../how-to/public-data.md). `manybandits data show NAME` prints addresses,
checksums, where files are, and what to put where if a licence forbids the download.
[Use a data set of your own](../how-to/data-set.md).

*Kind* is the form of the data, and *family* the name by which papers ask for them.

| name | kind and family | content | licence |
|---|---|---|---|
"""
GAMES = """\
# Games

A game is frozen in one file, from which the rounds of every seed are drawn. Paper files name a game and its settings;
`--game` with `--set-game` makes those that need no data, and
`mb.games` all that are made from settings or public data. [Write a game](../how-to/game.md), or
[make one from your own table](../how-to/own-data.md).

"""

OPEN = """\
# Open questions

What the text of each paper leaves open, or says twice, or what released code does otherwise, from the `open.yaml` of
each paper. The first answer is the default. [Readings](../readings.md) tells what is done with them.

"""


def algorithms() -> str:
    """Return the page of all algorithms of this package."""
    known = sorted(catalogue.names(), key=_family)
    described = {name: show.algorithm(name) for name in known}
    index, parts = [ALGORITHMS.format(count=len(known)), "| family | algorithms |", "|---|---|"], []
    for family, grouped in itertools.groupby(known, _family):
        members = list(grouped)
        links = ", ".join(f"[{algorithm_name(described[name]['title'])}](#{name})" for name in members)
        index.append(f"| {FAMILIES[family]} | {links} |")
        parts.append(f"## {FAMILIES[family]}\n")
        parts += [_algorithm(name, described[name]) for name in members]
    return "\n".join([*index, "", *parts])


def _family(name: str) -> str:
    return catalogue.family_of(name)


def _algorithm(name: str, facts: Mapping[str, Any]) -> str:
    """Return the section of an algorithm: its description, and a fold with its docstring and options."""
    parts = [
        f"### {algorithm_name(facts['title'])} {{#{name}}}",
        f"{facts['description']} *{facts['reference']}*, `{name}`",
    ]
    parts += ['<details markdown="1">', "<summary>Formula, options and choices</summary>", in_markdown(facts["text"])]
    if facts["options"]:
        rows = [
            f"| `{option}` | {one['default']} | {one['values']} | {one['meaning']} |"
            for option, one in facts["options"].items()
        ]
        parts.append("\n".join(["| option | default | values | meaning |", "|---|---|---|---|", *rows]))
    if facts["twin"]:
        parts += ["</details>", '<details markdown="1">', "<summary>The algorithm, plainly</summary>"]
        parts += [f"The compiled form is `{facts['module'].replace('.', '/')}.py`.", f"```python\n{facts['twin']}```"]
    return "\n\n".join([*parts, "</details>", ""])


def data_sets() -> str:
    """Return the page of all data sets."""
    described = [datasets.load(name).DATASET for name in datasets.names()]
    rows = []
    for one in described:
        counts = ", ".join(f"{count:,} {what}" for what, count in one.counts.items())
        title = f"[{one.title}]({one.home})" if one.home.startswith("http") else one.title
        what = f"{one.kind}, {one.completeness}; {one.family}"
        rows.append(f"| `{one.name}` | {what} | {title}: {counts.replace('_', ' ')} | {one.licence} |")
    return DATA_SETS + "\n".join(rows) + "\n"


def games() -> str:
    """Return the page of all games."""
    return GAMES + "\n".join(_game(name, show.game(name)) for name in game_names())


def _game(name: str, facts: Mapping[str, Any]) -> str:
    """Return the section of a game."""
    rows = [f"| `{setting}` | {f'`{value}`' if value != '' else ''} |" for setting, value in facts["settings"].items()]
    table = "\n".join(["| setting | default |", "|---|---|", *rows])
    return "\n\n".join([f"## {name}", in_markdown(facts["text"]), f"Module: `{facts['module']}`", table, ""])


def open_questions(root: Path) -> str:
    """Return the page of what papers leave open. root: the folder of the Snakefile."""
    parts = [OPEN]
    for name, paper in read_papers(root).items():
        parts += [f"## {paper.short} {{#{name}}}", "", "| question | place | answers |", "|---|---|---|"]
        for key, one in paper.openings.items():
            answers = "; ".join(f"**{answer}**: {value.why}" for answer, value in one.values.items())
            parts.append(f"| {one.asks} (`{key}`) | {one.place} | {answers} |")
        parts.append("")
    return "\n".join(parts)
