"""One replica of a state, as compiled policies see it: array views without reference counts.

The state of R replicas is a NamedTuple of arrays with the replica axis first. `replica` returns replica r of it: the
view (n,) of an array (R, n), the number at r of an array (R,), and the same for each field of a NamedTuple.

numba counts the references to each array of a NamedTuple at every assignment and every call; in a policy with thirty
arrays, most of the code would be counting. A state outlives its kernel, so no counts are needed. The views have a type
of their own, `Borrowed`, which is an array in all other respects.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model
from numba.np.arrayobj import make_array, populate_array


class Shared(NamedTuple):
    """An array that all replicas share, without a replica axis."""

    array: np.ndarray


class Borrowed(types.Array):
    """The type, in compiled functions, of an array whose memory is owned elsewhere."""

    def __init__(self, array: types.Array) -> None:
        super().__init__(array.dtype, array.ndim, array.layout, not array.mutable, f"borrowed {array}", array.aligned)


@register_model(Borrowed)
class BorrowedModel(models.ArrayModel):
    """The fields of an array, without reference counts."""

    def traverse(self, builder: Any) -> list[Any]:
        return []

    def traverse_types(self) -> list[Any]:
        return []


_compiled: Any = intrinsic  # untyped: compiled code calls what it makes without the first argument


@_compiled
def borrow(typing: Any, array: Any) -> Any:
    """Return a view of an array without reference counts (in compiled functions only)."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _view(context, builder, signature.return_type, array, arguments[0], 0)

    return Borrowed(array)(array), build


@_compiled
def replica(typing: Any, states: Any, r: Any) -> Any:
    """Return replica r of a NamedTuple of arrays (in compiled functions only)."""

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
    """Return a view of an array without its first `skipped` axes. start: the address where it begins."""
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
