"""The layout of a game's arrays, as data, and its check when a game is loaded.

Kernels are compiled code that reads arrays without looking at their bounds: an index that is too large reads, or
writes, the memory of something else. So every shape, type and index is checked once, before a kernel gets the arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.base.limits import LARGEST


@dataclass(frozen=True)
class ArraySpec:
    """What one array of a game must look like.

    shape: the length of each axis, a number or a name; equal names are equal lengths. least: its smallest value; below:
    the length that all values are below; rising: whether they rise from 0 to that length instead, as those do that say
    where the rows of another array start; equal: the length that its single value is. optional: whether a game may
    lack it.
    """

    shape: tuple[str | int, ...]
    kinds: str  # of numpy's types: f, i, u and b
    least: int | None = None
    below: str = ""
    rising: bool = False
    equal: str = ""
    optional: bool = False

    @property
    def maybe(self) -> ArraySpec:
        """The same part, which a game may lack."""
        return replace(self, optional=True)


Layout = Mapping[str, ArraySpec]
"""The arrays of a game by name."""


def reals(*shape: str | int) -> ArraySpec:
    """Return the part that holds any numbers."""
    return ArraySpec(shape, "fiu")


def indices(*shape: str | int, into: str, least: int = 0) -> ArraySpec:
    """Return the part that holds indices into something of the length `into`. least: -1 where -1 means none."""
    return ArraySpec(shape, "iu", least, into)


def starts(rows: str, into: str) -> ArraySpec:
    """Return the part, (rows + 1,), that says where each row of another array, of length `into`, starts and ends."""
    return ArraySpec((rows,), "iu", 0, into, rising=True)


def count(name: str) -> ArraySpec:
    """Return the part that holds a length of other arrays as a single number."""
    return ArraySpec((), "iu", equal=name)


FLAG = ArraySpec((), "b")
"""The part that is either true or false."""


def lengths_of(facts: Mapping[str, object], names: Iterable[str]) -> dict[str, int]:
    """Return the lengths among the facts of a game; raise InputError naming one that is missing or no such length."""
    found = {}
    for name in names:
        value = facts.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 2**31:
            raise InputError(f"the fact {name!r} is {value!r}, not a whole number from 1 on; {_CURE}")
        found[name] = value
    return found


def check_layout(layout: Layout, arrays: Mapping[str, np.ndarray], lengths: Mapping[str, int]) -> None:
    """Raise InputError naming the first array that does not have its layout.

    lengths: those that are known, by name; another name is the length of the first array that has it.
    """
    known = dict(lengths)
    parts = [(name, part) for name, part in layout.items() if name in arrays or not part.optional]
    for name, part in parts:
        if name not in arrays:
            raise InputError(f"there is no array {name!r}; {_CURE}")
        _check_shape(name, part, arrays[name], known)
    for name, part in parts:
        _check_values(name, part, arrays[name], known)


def check_indices(name: str, values: np.ndarray, length: int) -> None:
    """Raise InputError unless all values are indices into something of a length. name: for the message."""
    if values.size and not (values.min() >= 0 and values.max() < length):
        wrong = values[(values < 0) | (values >= length)].ravel()[0]
        raise InputError(f"the game draws {wrong} as one of its {name}, which are 0 to {length - 1}: correct its code.")


def check_numbers(name: str, values: np.ndarray) -> None:
    """Raise InputError unless all values are numbers that policies can compute with. name: for the message."""
    if values.size and not (values.max() <= LARGEST and values.min() >= -LARGEST):
        wrong = values[~(np.abs(values) <= LARGEST)].ravel()[0]
        raise InputError(
            f"the game has {wrong:g} among its {name}, which must be numbers from {-LARGEST:g} to {LARGEST:g}: scale "
            "them, or correct what draws them."
        )


_CURE = "freeze the game again."


def _check_shape(name: str, part: ArraySpec, array: np.ndarray, known: dict[str, int]) -> None:
    if array.dtype.kind not in part.kinds:
        raise InputError(f"the array {name!r} holds values of type {array.dtype}; {_CURE}")
    shape = array.shape if not part.rising else tuple(length - 1 for length in array.shape)
    expected = [length if isinstance(length, int) else known.get(length) for length in part.shape]
    if len(shape) != len(expected) or any(
        length < 0 or one not in (None, length) for one, length in zip(expected, shape, strict=True)
    ):
        more = " + 1" if part.rising else ""
        words = ", ".join(
            str(name) + more if one is None or one == name else f"{name}{more} = {one + part.rising}"
            for name, one in zip(part.shape, expected, strict=True)
        )
        raise InputError(f"the array {name!r} has shape {array.shape}, not ({words}); {_CURE}")
    known.update({key: length for key, length in zip(part.shape, shape, strict=True) if isinstance(key, str)})


def _check_values(name: str, part: ArraySpec, array: np.ndarray, known: Mapping[str, int]) -> None:
    if part.equal and int(array) != known[part.equal]:
        raise InputError(f"the array {name!r} is {int(array)}, but {part.equal} is {known[part.equal]}; {_CURE}")
    if part.rising:
        if array[0] != 0 or array[-1] != known[part.below] or (array[1:] < array[:-1]).any():
            raise InputError(f"the array {name!r} does not rise from 0 to {part.below} = {known[part.below]}; {_CURE}")
    elif part.below and array.size and (array.min() < part.least or array.max() >= known[part.below]):
        raise InputError(
            f"the array {name!r} has values from {array.min()} to {array.max()}, but should have them from "
            f"{part.least} to below {part.below} = {known[part.below]}; {_CURE}"
        )
