"""Reasons why claims are not reproduced. A reason rests on a target of the pipeline (VERDICTS, section 5).

Its sentence has no typed numbers: ``{early}`` stands for one that is read from the table of a target, or for one that
the paper states. What rests on no target is a conjecture, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from manybandits.papers.settings import Value

PLACES = r"(?:[Ff]igures?|[Tt]ables?|[Ss]ections?|[Aa]lgorithms?|[Ll]ines?|[Tt]heorems?|[Ll]emmas?|eq\.|[Aa]ppendix)"
"""Words after which a number is a place in the paper."""
TYPED = re.compile(r"(?<![\w.{])\d[\d,.]*\d|(?<![\w.{])\d(?!\w)")
"""A number that is typed in a sentence."""
COMPARISON = re.compile(r"(\w+) ([<>]) ([\w.]+)")
"""A comparison of a reason's numbers, without which it is not given."""
COUNTS = ("readings", "judged", "holds", "fails")
"""What a number may be read of the set-ups of a headline: how many were played, could be judged, hold and fail."""


class Number(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number in a reason: a cell of a target's table, a count of set-ups, or a number that the paper states."""

    table: Annotated[str, Meta(description="a target, such as lnucb_ta_table2")] = ""
    row: Annotated[dict[str, Value], Meta(description="for some columns their values, which one row has")] = {}
    column: Annotated[str, Meta(description="of the table; of set-ups readings, judged, holds or fails")] = ""
    setups: Annotated[str, Meta(description="a headline whose set-ups are counted, such as meta_ban.nu")] = ""
    form: Annotated[str, Meta(description="a format, such as ,.0f or .0%")] = ",.0f"
    stated: Value | None = None
    place: Annotated[str, Meta(description="where the paper states it")] = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless it is read from one place, or stated."""
        ways = bool(self.row), bool(self.setups), self.stated is not None and bool(self.place)
        if sum(ways) != 1 or bool(self.column) != (ways[0] or ways[1]):
            raise ValueError(
                "needs either `row` and `column` of a table, or `setups` and `column`, or `stated` and its `place`."
            )
        if self.setups and self.column not in COUNTS:
            raise ValueError(f"counts set-ups, so `column` is one of {', '.join(COUNTS)}, not {self.column!r}.")


class Reason(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why a claim is not reproduced. target: what it rests on; "" for a conjecture.

    only_if: comparisons of its numbers, such as ``all < batch`` or ``clusters < 2``, without which its sentence would
    contradict them; it is then not given. headline: whose order it is about; in how many set-ups that order appears is
    then added by rule. order: that order in words.
    """

    says: str
    target: Annotated[str, Meta(description="a target, such as lnucb_ta_table2")] = ""
    row: Annotated[dict[str, Value], Meta(description="columns with values that the rows of all its numbers have")] = {}
    conjecture: bool = False
    numbers: dict[str, Number] = {}
    only_if: Annotated[tuple[str, ...], Meta(description="a list of comparisons, such as 'all < batch'")] = ()
    headline: Annotated[str, Meta(description="a headline whose order it is about, such as sclb_pmlb.alone")] = ""
    order: Annotated[str, Meta(description="that order in words, such as A beats B")] = ""

    def __post_init__(self) -> None:
        """Raise ValueError if it rests on nothing, or if a number is typed."""
        if bool(self.target) == self.conjecture:
            raise ValueError("needs either `target`, on which it rests, or `conjecture: true`.")
        if self.headline and self.conjecture:
            raise ValueError("is a conjecture, which no set-up bears out: leave out `headline`.")
        if bool(self.headline) != bool(self.order):
            raise ValueError("needs both `headline` and `order`, the order in words, or neither.")
        plain = re.sub(PLACES + r"\s+[\d.]+(?:\s*(?:,|and|to|or)\s*[\d.]+)*", "", re.sub(r"\{\w+\}", "", self.says))
        if typed := TYPED.search(plain):
            raise ValueError(f"has the typed number {typed.group()}; read it from a table, or state its place.")
        for text in self.only_if:
            first, _, last = found.groups() if (found := COMPARISON.fullmatch(text)) else ("", "", "")
            if first not in self.numbers or not (last in self.numbers or _is_number(last)):
                raise ValueError(
                    f"is given only if {text!r}; write a number's name, < or >, and another name or number."
                )
        compared = {word for text in self.only_if for word in text.split()[::2] if not _is_number(word)}
        used = compared | set(re.findall(r"\{(\w+)\}", self.says))
        if used != self.numbers.keys():
            raise ValueError(f"says {{{', '.join(sorted(used))}}} and has the numbers {sorted(self.numbers)}.")

    @property
    def tables(self) -> list[str]:
        """The targets whose tables it reads or rests on, each once."""
        read = [number.table or self.target for number in self.numbers.values() if number.row]
        return list(dict.fromkeys([self.target, *read] if self.target else read))

    @property
    def headlines(self) -> list[str]:
        """The headlines whose set-ups it speaks of, each once."""
        counted = [self.headline, *(number.setups for number in self.numbers.values())]
        return list(dict.fromkeys(filter(None, counted)))

    def contradicted(self, values: Mapping[str, float]) -> str:
        """Return the first comparison that its numbers do not keep, "" if they keep all. values: name -> number."""
        for text in self.only_if:
            first, sign, last = COMPARISON.fullmatch(text).groups()  # pyrefly: ignore[missing-attribute]
            gap = values[first] - (values[last] if last in values else float(last))
            if not (gap < 0 if sign == "<" else gap > 0):
                return text
        return ""


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"\d+(\.\d+)?", text))
