"""Vector (SIMD) arithmetic on four float64 at a time, for loops that are too short for the compiler to vectorise well.

When the compiler vectorises a loop over 10 or 25 numbers, the set-up costs more than the arithmetic. Here a vector of
four numbers (lanes) is a value of its own, which a kernel can keep in a register::

    total = zeros()
    for first in range(0, len(a), LANES):
        total = add_product(total, load(a, first), load(b, first))
    a_times_b = sum_lanes(total)

A multiplication and the addition after it are rounded once (fused), and lanes are summed in a fixed order, so every
machine gets the same bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import models, register_model

from manybandits.compiling.interpreting import instruction

LANES = 4

VECTOR = ir.VectorType(ir.DoubleType(), LANES)
NOTHING = ir.Constant(VECTOR, None)
ALIGNMENT = ir.IntType(32)(8)
MEMORY = f"v{LANES}f64.p0v{LANES}f64"

SINGLE = ir.VectorType(ir.FloatType(), LANES)
SINGLE_ALIGNMENT = ir.IntType(32)(4)
SINGLE_MEMORY = f"v{LANES}f32.p0v{LANES}f32"


class Lanes(types.Type):
    """The type, in compiled functions, of `LANES` float64 side by side."""

    def __init__(self) -> None:
        super().__init__("Lanes")


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Lanes) -> None:
        super().__init__(manager, kind, VECTOR)


lanes = Lanes()  # of functions that are compiled, callers leave out the first parameter, `typing`


def _loaded(row: np.ndarray, first: int) -> np.ndarray:
    found, inside = np.zeros(LANES), row[first : first + LANES]
    found[: len(inside)] = inside
    return found


def _stored(row: np.ndarray, first: int, values: np.ndarray) -> None:
    inside = row[first : first + LANES]
    inside[:] = values[: len(inside)]


@instruction(lambda: np.zeros(LANES))
def zeros(typing: Any) -> Any:
    """Return a vector of zeros."""
    return lanes(), lambda context, builder, signature, arguments: NOTHING


@instruction(_loaded)
def load(typing: Any, row: Any, first: Any) -> Any:
    """Return row[first:first + LANES], with zeros beyond the end.

    row: (n,) contiguous float64, or float32, which is converted; first < n.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, inside = _part(context, builder, row, *arguments)
        return _call(builder, f"llvm.masked.load.{MEMORY}", VECTOR, [pointer, ALIGNMENT, inside, NOTHING])

    def build_single(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, inside = _part(context, builder, row, *arguments, vector=SINGLE)
        nothing = ir.Constant(SINGLE, None)
        half = _call(builder, f"llvm.masked.load.{SINGLE_MEMORY}", SINGLE, [pointer, SINGLE_ALIGNMENT, inside, nothing])
        return builder.fpext(half, VECTOR)

    return lanes(row, types.intp), build_single if row.dtype == types.float32 else build


@instruction(_stored)
def store(typing: Any, row: Any, first: Any, values: Any) -> Any:
    """Set row[first:first + LANES] to values, up to the end of the row. row: (n,) contiguous float64; first < n."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, inside = _part(context, builder, row, *arguments[:2])
        _call(builder, f"llvm.masked.store.{MEMORY}", ir.VoidType(), [arguments[2], pointer, ALIGNMENT, inside])
        return context.get_dummy_value()

    return types.void(row, types.intp, lanes), build


@instruction(lambda total, weight, values: total + weight * values)
def add_scaled(typing: Any, total: Any, weight: Any, values: Any) -> Any:
    """Return total + weight * values, lane by lane. weight: a number."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total, weight, values = arguments
        return _fused(builder, _every_lane(builder, weight), values, total)

    return lanes(lanes, types.float64, lanes), build


@instruction(lambda total, a, b: total + a * b)
def add_product(typing: Any, total: Any, a: Any, b: Any) -> Any:
    """Return total + a * b, lane by lane."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total, a, b = arguments
        return _fused(builder, a, b, total)

    return lanes(lanes, lanes, lanes), build


@instruction(lambda values: values + values)
def twice(typing: Any, values: Any) -> Any:
    """Return 2 * values."""
    return lanes(lanes), lambda context, builder, signature, arguments: builder.fadd(arguments[0], arguments[0])


@instruction(lambda values: (values[0] + values[2]) + (values[1] + values[3]))
def sum_lanes(typing: Any, values: Any) -> Any:
    """Return the sum of the lanes, halves first: (0 + 2) + (1 + 3)."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (vector,) = arguments
        while vector.type.count > 1:
            half = vector.type.count // 2
            nothing = ir.Constant(vector.type, ir.Undefined)
            parts = [
                builder.shuffle_vector(vector, nothing, _places(range(start, start + half))) for start in (0, half)
            ]
            vector = builder.fadd(*parts)
        return builder.extract_element(vector, ir.IntType(32)(0))

    return types.float64(lanes), build


def _places(numbers: Any) -> ir.Constant:
    chosen = list(numbers)
    return ir.Constant(ir.VectorType(ir.IntType(32), len(chosen)), chosen)


def _every_lane(builder: Any, value: Any) -> Any:
    nothing = ir.Constant(ir.VectorType(value.type, LANES), ir.Undefined)
    first = builder.insert_element(nothing, value, ir.IntType(32)(0))
    return builder.shuffle_vector(first, nothing, _places([0] * LANES))


def _fused(builder: Any, a: Any, b: Any, c: Any) -> Any:
    return _call(builder, f"llvm.fma.v{LANES}f64", VECTOR, [a, b, c])


def _part(
    context: Any, builder: Any, kind: Any, row: Any, first: Any, *, vector: ir.VectorType = VECTOR
) -> tuple[Any, Any]:
    """Return the address of row[first:first + LANES] and, for each lane, whether it is inside the row."""
    array = context.make_array(kind)(context, builder, row)
    left = builder.sub(builder.extract_value(array.shape, 0), first)
    places = ir.Constant(ir.VectorType(left.type, LANES), list(range(LANES)))
    inside = builder.icmp_signed("<", places, _every_lane(builder, left))
    return builder.bitcast(builder.gep(array.data, [first]), vector.as_pointer()), inside


def _call(builder: Any, name: str, result: Any, given: list[Any]) -> Any:
    kind = ir.FunctionType(result, [value.type for value in given])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), given)
