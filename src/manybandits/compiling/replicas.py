"""Stacked states of R replicas, and views of a single replica for compiled policies.

A policy is written for one replica: its state is a NamedTuple of numbers, arrays and other NamedTuples. `stack` puts
the states of R replicas into one NamedTuple of the same type, whose arrays have the replica axis first: (R,) for a
number, (R, n) for an array (n,). `replica` returns replica r of it inside a kernel, and `row` outside of kernels.

numba counts the references to each array of a NamedTuple at every assignment and every call; in a policy with thirty
arrays, most of the machine code would count references. A state outlives its kernel, so no counts are needed: the views
that `replica` returns have the type `Borrowed`, which is an array type without reference counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import models, register_model
from numba.np.arrayobj import make_array, populate_array

from manybandits.compiling.interpreting import instruction


class Shared(NamedTuple):
    """An array that all replicas share, without a replica axis. It is given, or a workspace."""

    array: np.ndarray

    @property
    def constant(self) -> bool:
        """Whether snapshots leave it out, see `manybandits.harness.snapshots`."""
        return True


State = TypeVar("State", bound=tuple[Any, ...])


def stack(states: Iterable[State], replicas: int) -> State:
    """Stack the states of R = `replicas` replicas into one state with the replica axis first.

    States are taken one at a time, so that memory holds R + 1 of them, and an array of zeros takes no memory before it
    is written to. The state of a single replica is not copied. A `Shared` array is taken from the last replica. A
    NamedTuple that occurs in several places of a state, such as the log of all ridge regressions, occurs in the same
    places of the result. If an array of integers is longer in some replicas than in others, as lists of neighbours are,
    the shorter ones are padded with -1.
    """
    columns: list[np.ndarray] = []
    for r, state in enumerate(states):
        for place, field in enumerate(_fields(state, set())):
            value = np.require(field, requirements=["C", "W"])
            if replicas == 1:
                columns.append(value[None])
                continue
            if r == 0:
                columns.append(np.zeros((replicas, *value.shape), value.dtype))
            columns[place] = _widened(columns[place], value.shape)
            _fill(columns[place], r, value)
    return _rebuilt(state, iter(columns), {})


def _fields(part: tuple[Any, ...], seen: set[int]) -> Iterator[Any]:
    """Yield the numbers and arrays of a state, each once, without those that replicas share."""
    if isinstance(part, Shared) or id(part) in seen:
        return
    seen.add(id(part))
    for field in part:
        if isinstance(field, tuple):
            yield from _fields(field, seen)
        else:
            yield field


def _rebuilt(part: Any, columns: Iterator[np.ndarray], made: dict[int, Any]) -> Any:
    """Return a copy of a (nested) state in which the next columns replace its numbers and arrays."""
    if not isinstance(part, tuple):
        return next(columns)
    if isinstance(part, Shared):
        return part
    if id(part) not in made:
        made[id(part)] = type(part)(*(_rebuilt(field, columns, made) for field in part))
    return made[id(part)]


def _widened(column: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return a column, (R, ...), enlarged with -1 if an array of this shape does not fit into a row."""
    if all(have >= needed for have, needed in zip(column.shape[1:], shape, strict=True)):
        return column
    assert column.dtype.kind == "i"
    wide = np.full((len(column), *np.maximum(column.shape[1:], shape)), -1, column.dtype)
    wide[tuple(map(slice, column.shape))] = column
    return wide


def _fill(column: np.ndarray, r: int, value: np.ndarray) -> None:
    """Write a value to row r of a column. The row is zero so far, and may be wider than the value."""
    if column.shape[1:] != value.shape:
        assert column.dtype.kind == "i"
        column[r] = -1
        column[r][tuple(map(slice, value.shape))] = value
    elif value.any():
        column[r] = value


def row(states: Any, r: int) -> Any:
    """Return replica r of a NamedTuple of arrays, as views; what replicas share is returned as it is."""
    if isinstance(states, Shared) or states is None:
        return states
    return type(states)(*(row(field, r) if isinstance(field, tuple) else field[r] for field in states))


class Borrowed(types.Array):
    """Type, in compiled functions, of an array whose memory is owned elsewhere."""

    def __init__(self, array: types.Array) -> None:
        super().__init__(array.dtype, array.ndim, array.layout, not array.mutable, f"borrowed {array}", array.aligned)


@register_model(Borrowed)
class BorrowedModel(models.ArrayModel):
    """The fields of an array, without reference counts."""

    def traverse(self, builder: Any) -> list[Any]:
        return []

    def traverse_types(self) -> list[Any]:
        return []


@instruction(lambda array: array)
def borrow(typing: Any, array: Any) -> Any:
    """Return a view of an array without reference counts."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _view(context, builder, signature.return_type, array, arguments[0], 0)

    return Borrowed(array)(array), build


@instruction(row)
def replica(typing: Any, states: Any, r: Any) -> Any:
    """Return replica r of a NamedTuple of arrays, as `row` does."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _take(context, builder, signature.return_type, states, *arguments)

    return _one_of(states)(states, types.intp), build


def _one_of(kind: Any) -> Any:
    """Return the type of one replica of a value of type `kind`."""
    if hasattr(kind, "instance_class"):
        fields = [Borrowed(field) for field in kind] if kind.instance_class is Shared else [_one_of(f) for f in kind]
        return types.BaseTuple.from_types(fields, kind.instance_class)
    return Borrowed(kind.copy(ndim=kind.ndim - 1)) if kind.ndim > 1 else kind.dtype


def _take(context: Any, builder: Any, one: Any, kind: Any, value: Any, r: Any) -> Any:
    """Return replica r, of type `one`, of a value of type `kind`."""
    if hasattr(kind, "instance_class"):
        parts = cgutils.unpack_tuple(builder, value)
        if kind.instance_class is Shared:
            taken = [_view(context, builder, one[0], kind[0], parts[0], 0)]
        else:
            taken = [_take(context, builder, *each, r) for each in zip(one, kind, parts, strict=True)]
        return context.make_tuple(builder, one, taken)
    array = make_array(kind)(context, builder, value)
    start = cgutils.pointer_add(
        builder, array.data, builder.mul(r, builder.extract_value(array.strides, 0)), array.data.type
    )
    if kind.ndim == 1:
        return context.unpack_value(builder, kind.dtype, start)
    return _view(context, builder, one, kind, value, 1, start)


def _view(context: Any, builder: Any, one: Any, kind: Any, value: Any, skipped: int, start: Any = None) -> Any:
    """Return a view of an array without its first `skipped` axes. start: address of its first element."""
    array, view = make_array(kind)(context, builder, value), make_array(one)(context, builder)
    populate_array(
        view,
        data=array.data if start is None else start,
        shape=cgutils.unpack_tuple(builder, array.shape)[skipped:],
        strides=cgutils.unpack_tuple(builder, array.strides)[skipped:],
        itemsize=array.itemsize,
        meminfo=None,
    )
    return view._getvalue()
