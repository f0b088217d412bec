"""What arrives is what was sent, and what is no message is refused."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core import errors
from core.errors import DiskFullError, NoTopicError, QueryscapeError, StoreError
from data.database import OwnerEndedError
from data.sharing.wire import Rows, WireError, error_of_parts, error_to_parts, from_bytes, to_bytes

PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=50)
MOMENTS = (
    st.datetimes()
    | st.datetimes(timezones=st.sampled_from([UTC, ZoneInfo("Europe/Zurich")]))
    | st.dates()
    | st.times()
    | st.timedeltas()
)
LEAVES = PLAIN | MOMENTS | st.decimals(allow_nan=False) | st.uuids()
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=12,
)


def same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ma.MaskedArray):
        masks = np.array_equal(np.ma.getmaskarray(one), np.ma.getmaskarray(other))
        return masks and same(np.asarray(one.filled()), np.asarray(other.filled()))
    if isinstance(one, np.ndarray):
        if (one.dtype, one.shape) != (other.dtype, other.shape):
            return False
        return one.tobytes() == other.tobytes() if not one.dtype.hasobject else same(one.tolist(), other.tolist())
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return same(list(one.items()), list(other.items()))
    return one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other))


@given(VALUES)
def test_a_value_arrives_as_it_was_sent(value: object) -> None:
    assert same(from_bytes(to_bytes(value)), value)


@given(st.integers(0, 4).flatmap(lambda n: st.lists(st.tuples(*[LEAVES | st.lists(PLAIN)] * n), max_size=5)))
def test_rows_arrive_as_they_were_sent(rows: list[tuple[Any, ...]]) -> None:
    assert same(from_bytes(to_bytes(Rows(rows))), rows)


KINDS = hnp.scalar_dtypes().filter(lambda kind: kind.kind not in "c")


@given(st.data())
def test_columns_arrive_as_they_were_sent(data: st.DataObject) -> None:
    array = data.draw(hnp.arrays(KINDS, hnp.array_shapes(max_dims=2, min_side=0)))
    masked = np.ma.MaskedArray(array, data.draw(hnp.arrays(bool, array.shape)))
    objects = np.empty(3, dtype=object)
    objects[:] = ["a", None, ["of", "two"]]
    found = from_bytes(to_bytes({"a": array, "m": masked, "o": objects, "n": np.ma.MaskedArray(objects)}))
    assert same(found["a"], array)
    assert same(found["m"].data, masked.data)
    assert np.array_equal(np.ma.getmaskarray(found["m"]), masked.mask)
    assert same(found["o"], objects)
    assert same(found["n"].data, objects)


@given(st.binary(max_size=300) | VALUES.flatmap(lambda value: st.just(to_bytes(value)[:-1])))
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(WireError):
        from_bytes(data)


@pytest.mark.parametrize(
    "document",
    [
        b"[1]",
        b'{"object": 1}',
        b'{"list": {"a": 1}}',
        b'{"bytes": 9}',
        b'{"bytes": -1}',
        b'{"ndarray": ["|O", [1], 8]}',
        b'{"ndarray": ["<f8", [9], 0]}',
        b'{"list": [' * 9_000,
        b'{"Rows": [2, [1], [1, 2]]}',
        b'{"UUID": "x"}',
        b"{}",
    ],
)
def test_a_document_that_is_none_of_ours_is_refused(document: bytes) -> None:
    with pytest.raises(WireError):
        from_bytes(len(document).to_bytes(8, "big") + document)


def test_what_can_not_be_sent_is_named() -> None:
    with pytest.raises(TypeError, match="complex"):
        to_bytes([1j])


def test_every_error_arrives_as_what_it_was() -> None:
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, QueryscapeError) and kind is not NoTopicError:
            arrived = error_of_parts(*error_to_parts(kind("no room: free some")))
            assert (type(arrived), str(arrived)) == (kind, "no room: free some")
    assert isinstance(error_of_parts(*error_to_parts(OwnerEndedError("x", may_have_run=True))), StoreError)
    assert isinstance(error_of_parts(*error_to_parts(ValueError("x"))), ValueError)
    assert isinstance(error_of_parts("SystemExit", "x"), StoreError)
    assert isinstance(error_of_parts("DiskFullError", "x"), DiskFullError)


def test_some_of_each() -> None:
    values = [
        date(2026, 11, 28),
        time(1, 2, 3),
        timedelta(1, 2, 3),
        Decimal("1.50"),
        UUID(int=7),
        b"\0",
        "\ud800",
        2**70,
    ]
    assert same(
        from_bytes(to_bytes([*values, datetime(2026, 1, 1, tzinfo=UTC)])), [*values, datetime(2026, 1, 1, tzinfo=UTC)]
    )
    assert from_bytes(to_bytes({"n": np.int64(3), "x": np.float32(0.5)})) == {"n": 3, "x": 0.5}
