"""Typed records from YAML and JSON: what fits is converted, and of what does not the key and the cure are named."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import pytest

from manybandits.base.exceptions import InputError
from manybandits.base.typed import typed, typed_json


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    size: Annotated[int, msgspec.Meta(ge=1, description="a number of things")] | None = None


class Thing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["round", "square"]
    parts: Annotated[tuple[str | Part, ...], msgspec.Meta(min_length=1, description="a list of parts")] = ("whole",)
    by_name: dict[Annotated[str, msgspec.Meta(pattern="^[a-z]+$", description="lower-case letters")], Part] = {}
    shown: Annotated[Literal["all"] | tuple[str, ...], msgspec.Meta(description="'all' or a list")] = "all"
    of: str = msgspec.field(name="from", default="here")

    def __post_init__(self) -> None:
        if self.of == self.kind:
            raise ValueError(f"is from what it is, {self.of}.")


def test_what_fits_is_converted_with_its_defaults_and_numbers_as_they_are():
    found = typed(Thing, {"kind": "round", "parts": ["a", {"name": "b", "size": 2}], "from": "there"}, "a file")
    assert found == Thing("round", ("a", Part("b", 2)), of="there")
    assert typed_json(Part, '{"name": "c"}', "--part") == Part("c")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kin": 1}, "a file: unknown key 'kin'; did you mean 'kind'?"),
        ({"kind": "squar"}, "a file: 'kind' is 'squar'; did you mean 'square'?"),
        ({"parts": []}, "a file: 'parts' is []; expected a list of parts."),
        ({"parts": [{"name": "a"}, {"nam": "b"}]}, "a file: unknown key 'nam' in 'parts.1'; did you mean 'name'?"),
        ({"parts": [{}]}, "a file: the key 'name' is missing in 'parts.0'; add it."),
        ({"by_name": {"x": {"name": "a", "size": 0}}}, "a file: 'by_name.x.size' is 0; expected a number of things."),
        ({"by_name": {"X": {"name": "a"}}}, "a file: 'by_name.X' is 'X'; expected lower-case letters."),
        ({"shown": "some"}, "a file: 'shown' is 'some'; expected 'all' or a list."),
        ({"from": 3}, "a file: 'from' is 3; expected `str`, got `int`."),
        ({"from": "round"}, "a file: is from what it is, round."),
    ],
)
def test_what_does_not_fit_stops_with_the_key_and_the_cure(change, words):
    with pytest.raises(InputError) as error:
        typed(Thing, {"kind": "round", **change}, "a file")
    assert str(error.value) == words


def test_a_text_that_is_no_json_is_named():
    with pytest.raises(InputError, match=r"--part is not JSON: .*truncated"):
        typed_json(Part, '{"name"', "--part")
