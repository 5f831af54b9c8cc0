"""The page on games of growing size, from ``benchmarks/scale_of_a_game.csv``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.scale_curves import (
    FARTHEST,
    LENGTH,
    Curve,
    Point,
    curves,
    microseconds,
    own_memory,
    play_seconds,
)
from benchmarks.scale_figures import AXIS_NAMES, BASIS
from benchmarks.scale_of_a_game import AXES, FAMILIES, TABLE, Row, read_table

from manybandits.results.display_names import algorithm_name

INTRODUCTION = """# What a larger game costs

Time and memory of one or two algorithms of each family, in games of which one size grows: {basis}, and one of these
larger. Each play had a process of its own, which could have {memory:.0f} GiB and {cap} seconds of one core. Seconds are
those of the processor, so that other work on the machine matters little. The core did {scalar:.1f} billion
multiply-adds a second on single numbers, and {vector:.1f} billion on vectors: divide by what yours does.

A number after ~ was not measured: the play needs too much time or memory, which *(time)* or *(memory)* say, and the
number extends the growth of the sizes that were measured. `python benchmarks/scale_of_a_game.py` measures,
`python benchmarks/scale_figures.py` draws.

Which items are offered was drawn as cheaply as can be, so that the time is that of the algorithm. Random does nothing,
and shows what it takes to draw the rounds of a game that offers different items.

[![Time and memory by size](../images/scale-of-a-round.svg)](../images/scale-of-a-round.svg)

Matrices of more than 800 rows are refused, so that no dimension is larger. RMBandit plays more rounds in larger games,
because those of its first batch grow with them. Networks play {neural} rounds in these games, in which they are trained
more often than later; their time by rounds shows by how much.
"""
NEEDS = """
## 1,000 seeds, 10⁶ users or 10⁸ rounds

What one play needs of one core, with {length:,} rounds where rounds do not grow. Seeds are played in batches, which
take `memory` of the configuration at most; a play of 10⁷ rounds needs no more memory than one of 10⁴, unless the
algorithm keeps what it saw, and it goes on from its last snapshot after it was killed.

[![Time and memory by seeds, users and rounds](../images/scale-of-a-play.svg)](../images/scale-of-a-play.svg)
"""


def page() -> str:
    """Return the page."""
    rows = read_table(TABLE)
    machine = json.loads(TABLE.with_suffix(".json").read_text())
    introduction = INTRODUCTION.format(
        basis=BASIS,
        memory=machine["memory_limit_gib"],
        cap=machine["cap_seconds"],
        scalar=machine["scalar"] / 1e9,
        vector=machine["vector"] / 1e9,
        neural=next(row.rounds for row in rows if row.algorithm == "m_cnb" and row.axis == "users"),
    )
    parts = [introduction]
    for axis in ("users", "arms", "dimension", "rounds"):
        for value, words, heading in (
            (microseconds, time_words, "Time of a round"),
            (own_memory, memory_words, "Memory of a play"),
        ):
            parts.append(f"\n## {heading} by {AXIS_NAMES[axis].lower()}\n\n{table(rows, axis, value, words)}")
    parts.append(NEEDS.format(length=LENGTH))
    for axis in FARTHEST:
        parts.append(f"\n### By {AXIS_NAMES[axis].lower()}\n\n{needs(rows, axis)}")
    return "".join(parts)


def table(rows: list[Row], axis: str, value: Callable[[Row], float | None], words: Callable[[float], str]) -> str:
    """Return a table with one row per algorithm and one column per size."""
    sizes = AXES[axis]
    lines = ["| algorithm | family | " + " | ".join(f"{size:,}" for size in sizes) + " | slope |"]
    lines.append("|---|---|" + "---:|" * (len(sizes) + 1))
    for curve in curves(rows, axis, value):
        found = {point.size: cell(point, words) for point in curve.points}
        limits = {row.size: row.limit for row in rows if (row.algorithm, row.axis) == (curve.algorithm, axis)}
        if value is own_memory:
            found |= asked(rows, curve)
        cells = [found.get(size) or f"*({limits.get(size) or 'not measured'})*" for size in sizes]
        slope = "" if curve.slope is None else f"{curve.slope:.1f}".replace("-0.0", "0.0")
        family = FAMILIES[curve.algorithm]
        lines.append(f"| {algorithm_name(curve.title)} | {family} | {' | '.join(cells)} | {slope} |")
    return "\n".join(lines) + "\n"


def asked(rows: list[Row], curve: Curve) -> dict[int, str]:
    """Return by size how much memory an algorithm asked for in vain, where that is more than what the curve says."""
    found = {}
    for row in rows:
        if (row.algorithm, row.axis) == (curve.algorithm, curve.axis) and row.asked_gib:
            megabytes = row.asked_gib * 2**30 / 1e6
            if all(point.value < megabytes for point in curve.points if point.size == row.size):
                found[row.size] = f"asks for {memory_words(megabytes)} *(memory)*"
    return found


def needs(rows: list[Row], axis: str) -> str:
    """Return a table of the time and memory of the farthest size of an axis, with one row per algorithm."""
    size = FARTHEST[axis]
    of_memory = curves(rows, axis, own_memory)
    memory = {one.algorithm: asked(rows, one).get(size) or at(one, size, memory_words) for one in of_memory}
    lines = [f"| algorithm | time, {size:,} {axis} | memory |", "|---|---:|---:|"]
    for curve in curves(rows, axis, play_seconds):
        told = memory.get(curve.algorithm, "")
        lines.append(f"| {algorithm_name(curve.title)} | {at(curve, size, time_words, 1e6)} | {told} |")
    return "\n".join(lines) + "\n"


def at(curve: Curve, size: int, words: Callable[[float], str], unit: float = 1.0) -> str:
    """Return the value at a size, or at the largest one before it."""
    reached = [point for point in curve.points if point.size <= size]
    if reached[-1].size < size and (curve.axis != "rounds" or reached[-1].size < AXES["rounds"][-1]):
        return "*(not measured)*"
    point = reached[-1]._replace(limit="")
    return cell(point._replace(value=point.value * unit), words)


def cell(point: Point, words: Callable[[float], str]) -> str:
    """Return a value in words, marked if it was not measured."""
    if point.measured:
        return words(point.value)
    return f"~{words(point.value)}" + (f" *({point.limit})*" if point.limit else "")


def time_words(microseconds: float) -> str:
    """Return a time with a unit that makes it short."""
    units = (("µs", 1.0), ("ms", 1e3), ("s", 1e6), ("min", 60e6), ("h", 3600e6))
    unit, scale = next(pair for pair in reversed(units) if microseconds >= pair[1] or pair[0] == "µs")
    return f"{microseconds / scale:.2g} {unit}" if microseconds < 10 * scale else f"{microseconds / scale:,.0f} {unit}"


def memory_words(megabytes: float) -> str:
    """Return an amount of memory with a unit that makes it short."""
    unit, scale = ("GB", 1000.0) if megabytes >= 1000 else ("MB", 1.0)
    amount = megabytes / scale
    return f"{amount:.2g} {unit}" if amount < 10 else f"{amount:,.0f} {unit}"
