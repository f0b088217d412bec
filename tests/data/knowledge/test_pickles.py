"""Pickles and tensors of strangers: data is read, and whatever wants to run is refused by name and does not run."""

from __future__ import annotations

import copyreg
import io
import os
import pickle
import struct
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FormatError
from data.knowledge import pickles
from data.knowledge.pickles import PickleGuard, read_pickle, read_tensor
from tests.data.stark_files import described, tensor_bytes
from tests.messages import refusal

RAN: list[str] = []


def ran(*what: str) -> str:
    """Tells that something ran."""
    RAN.append(" ".join(what))
    return "ran"


class Calls:
    """Pickles as a call."""

    def __init__(self, call: Callable[..., Any], *arguments: Any) -> None:
        self._reduced = call, arguments

    def __reduce__(self) -> Any:
        return self._reduced


@pytest.fixture(autouse=True)
def nothing_ran() -> Iterator[None]:
    RAN.clear()
    yield
    assert RAN == []


def loaded(data: bytes, name: str = "node_info.pkl") -> Any:
    return read_pickle(io.BytesIO(data), len(data), name)


def refused(data: bytes, load: Callable[[bytes], Any] = loaded) -> str:
    with pytest.raises(FormatError) as caught:
        load(data)
    assert "\n" not in str(caught.value)
    return str(caught.value)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(PLAIN, st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_plain_values_come_back_from_every_protocol(value: Any, protocol: int) -> None:
    assert loaded(pickle.dumps(value, protocol)) == value


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_numpy_values_become_plain_ones(protocol: int) -> None:
    value = {
        "name": np.str_("Größe"),
        "none": np.str_(""),
        "n": np.int64(-7),
        "share": np.float32(0.5),
        "yes": np.bool_(True),
        "bytes": np.bytes_(b"ab"),
        "day": np.datetime64("2015-03-01"),
        "matrix": np.array([[1, 2], [3, 4]]),
        "big": np.array([1.5], dtype=">f8"),
        "ordered": OrderedDict(a=1),
        "set": {1, 2},
    }
    assert loaded(pickle.dumps(value, protocol)) == {
        "name": "Größe",
        "none": "",
        "n": -7,
        "share": 0.5,
        "yes": True,
        "bytes": "ab",
        "day": "2015-03-01",
        "matrix": [1, 2, 3, 4],
        "big": [1.5],
        "ordered": {"a": 1},
        "set": {1, 2},
    }


def test_names_of_older_numpy_and_of_pandas_are_known() -> None:
    new = pickle.dumps(np.float64(2.5), 2)
    assert loaded(new.replace(b"numpy._core.multiarray", b"numpy.core.multiarray")) == 2.5
    time = b"cpandas._libs.tslibs.timestamps\n_unpickle_timestamp\n(L1425168000L\nNNK\x07tR."
    assert loaded(b"\x80\x02" + time) == "2015-03-01"
    assert loaded(b"\x80\x02cpandas._libs.tslibs.nattype\n_nat_unpickle\n(NtR.") is None


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    ("call", "name"),
    [
        (Calls(os.system, "echo ran"), f"{os.system.__module__}.system"),
        (Calls(eval, "__import__('os')"), ".eval"),
        (Calls(getattr, {}, "clear"), ".getattr"),
        (Calls(ran, "it"), f"{ran.__module__}.ran"),
        (Calls(pickle.loads, b"N."), "pickle.loads"),
    ],
)
def test_what_wants_to_run_is_named(call: Calls, name: str, protocol: int) -> None:
    said = refused(pickle.dumps({0: {"title": call}}, protocol))
    assert said.startswith("node_info.pkl wants to run ")
    assert f"{name}: " in said


def test_hand_written_pickles_are_named() -> None:
    assert "wants to run os.system" in refused(b"cos\nsystem\n(S'echo hi'\ntR.")
    assert "wants to run os.system" in refused(b"(S'echo hi'\nios\nsystem\n.")
    assert "wants to run builtins.getattr" in refused(b"\x80\x04\x8c\x08builtins\x8c\x07getattr\x93.")
    assert "wants to run copyreg._reconstructor" in refused(b"ccopyreg\n_reconstructor\n.")
    # An attribute of an allowed name is another name.
    assert "wants to run numpy.dtype.mro" in refused(b"\x80\x04\x8c\x05numpy\x8c\x09dtype.mro\x93.")


def test_a_pickle_inside_a_numpy_object_is_not_opened() -> None:
    inside = pickle.dumps(Calls(ran, "inside"))
    kind = b"cnumpy\ndtype\n(X\x02\x00\x00\x00O8I00\nI01\ntR"
    scalar = b"\x80\x02cnumpy.core.multiarray\nscalar\n(" + kind + b"B" + struct.pack("<I", len(inside)) + inside
    assert "type 'O8', in which code" in refused(scalar + b"tR.")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert "O8" in refused(pickle.dumps(np.array([1, "a"], dtype=object), protocol))
    # A type that says it is text, and then that it is made of objects.
    changed = pickle.dumps(np.dtype("f8"), 4).replace(b"\x8c\x01<", b"\x8c\x01O")
    assert "unknown type" in refused(changed)


def test_codes_of_extensions_are_looked_at_too() -> None:
    copyreg.add_extension(ran.__module__, "ran", 0xF1)
    try:
        assert f"wants to run {ran.__module__}.ran" in refused(b"\x80\x02\x82\xf1(tR.")
    finally:
        copyreg.remove_extension(ran.__module__, "ran", 0xF1)
    assert "extension" in refused(b"\x80\x02\x82\xf1(tR.")


@pytest.mark.parametrize("names", [("numpy", "dtype"), ("collections", "OrderedDict"), ("_codecs", "encode")])
def test_stand_ins_can_not_be_changed(names: tuple[str, str]) -> None:
    standin = b"c%b\n%b\n" % tuple(name.encode() for name in names)
    for state in (b"}X\x01\x00\x00\x00aNs", b"N}X\x01\x00\x00\x00aNs\x86", b"N}X\x08\x00\x00\x00__call__Ns\x86"):
        refused(b"\x80\x02" + standin + state + b"b.")
    refused(b"\x80\x02" + standin + b")\x81.")
    refused(b"\x80\x02" + standin + b"(X\x01\x00\x00\x00aX\x01\x00\x00\x00btR.")
    assert loaded(pickle.dumps(np.float64(2.5))) == 2.5
    assert not hasattr(pickles.plain(pickles.PickleBudget(0))[names], "a")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "ends before it"),
        (b"<html>Sign in</html>", "damaged, or no pickle"),
        (pickle.dumps(dict.fromkeys(range(100), "word" * 10))[:-40], "ends before it"),
        (b"\x80\x04\x8e" + b"\xff" * 7 + b"\x0f.", "ends before it"),
        (b"\x80\x04\x95" + b"\xff" * 7 + b"\x0f.", "ends before it"),
        (b"\x80\x04Nr\x00\x00\x00\x7f.", "numbers its parts"),
        (b"Np4000000000\n.", "numbers its parts"),
        (b"\x80\x04)" + b"\x85" * 200_000 + b".", "nests tuples"),
        (b"\x80\x04(" + b"".join(b"\x8a\x09" + bytes([n % 256]) * 8 + b"\x01" for n in range(9_000)), "huge numbers"),
        (b"V" + b"x" * 4_000_000, "a line of more"),
        (b"\x80\x04N\x93.", "damaged, or no pickle"),
        (b"\x80\x04K\x01Q.", "something outside itself"),
    ],
)
def test_damage_and_greed_are_said_in_words(data: bytes, said: str) -> None:
    message = refused(data)
    assert said in message
    assert message.startswith("node_info.pkl ")


def test_lists_may_be_nested_as_deep_as_a_file_is_long() -> None:
    found, depth = loaded(b"\x80\x04" + b"]" * 100_000 + b"a" * 99_999 + b"."), 1
    while found:
        (found,) = found
        depth += 1
    assert depth == 100_000


@given(st.lists(st.text(max_size=400), min_size=1, max_size=30), st.integers(1, 700))
def test_where_the_bytes_are_cut_does_not_matter(texts: list[str], size: int) -> None:
    """The watch stands where the instruction begins whose end has not come yet, however the bytes come."""
    data = pickle.dumps({n: {"text": text, "n": n * 70_000} for n, text in enumerate(texts)}, 4)
    watch = PickleGuard("x.pkl", len(data))
    for start in range(0, len(data), size):
        watch.take(data[start : start + size])
    assert watch.has_ended


NO_TIME = b"\x80\x02cpandas._libs.tslibs.nattype\n_nat_unpickle\nq\x010K\x01q\x000"
BYTES = b"B" + struct.pack("<I", 100_000) + bytes(100_000) + b"q\x020"
DTYPE = b"cnumpy\ndtype\nU\x02%b\x85Rq\x030"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        # Arguments of calls are kept, put into the next arguments, and hashed in the end.
        (NO_TIME + b"h\x01h\x00\x85q\x00R0" * 50_000 + b"}h\x00Ns.", "that no table"),
        (NO_TIME + b"h\x01(" + b"N" * 1_000 + b"tR.", "that no table"),
        (b"\x80\x02K\x01q\x000" + b"h\x00h\x00\x86q\x000" * 60 + b"}h\x00Ns.", "nests tuples"),
        (b"\x80\x02(" + b"K\x01" * 2_000 + b"tq\x00}h\x00Ns.", "nests tuples"),
        (
            b"\x80\x02K\x01q\x000" + DTYPE % b"f8" + b"h\x03(h\x00U\x01<NNNK\x01K\x01K\x00tq\x00b0" * 9 + b"N.",
            "unknown type",
        ),
        # One text is named again and again, and copied each time.
        (
            b"\x80\x02c_codecs\nencode\nq\x010X" + struct.pack("<I", 100_000) + b"a" * 100_000 + b"q\x02"
            b"U\x06latin1q\x0300]" + b"h\x01h\x02h\x03\x86Ra" * 200 + b".",
            "than the file",
        ),
        (
            b"\x80\x02cnumpy.core.numeric\n_frombuffer\nq\x010"
            + BYTES
            + DTYPE % b"u1"
            + b"J\xa0\x86\x01\x00\x85q\x040]"
            b"" + b"h\x01(h\x02h\x03h\x04U\x01CtRa" * 200 + b".",
            "than the file",
        ),
        (b"\x80\x02\x8b" + struct.pack("<I", 100_000) + b"\x7f" * 100_000 + b".", "numbers longer than"),
        (b"\x80\x04(K\x01\x91.", "sets that"),
        (b"\x80\x02cnumpy\nndarray\nU\x01a\x85R.", "unknown way"),
    ],
)
def test_nothing_grows_or_takes_hours(data: bytes, said: str) -> None:
    assert said in refused(data)


@given(st.recursive(st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=4).map(tuple)))
def test_tuples_of_honest_files_come_back(value: Any) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert loaded(pickle.dumps({0: {"size": value, value: 1}}, protocol)) == {0: {"size": value, value: 1}}


# Tensors


def read(data: bytes) -> Any:
    return read_tensor(io.BytesIO(data), "edge_index.pt")


@pytest.mark.parametrize("kind", ["i8", "i4", "i2", "u1", "f4", "f8"])
@pytest.mark.parametrize("byteorder", ["little", "big", None])
def test_tensors_come_back(kind: str, byteorder: str | None) -> None:
    values = np.arange(6, dtype=kind).reshape(2, 3)
    np.testing.assert_array_equal(read(tensor_bytes(values, byteorder=byteorder, root="edge_index")), values)


def test_a_tensor_may_be_a_part_of_its_storage() -> None:
    numbers = np.arange(12)
    turned = tensor_bytes(numbers, description=described("Long", 12, 0, (4, 3), (1, 4)))
    np.testing.assert_array_equal(read(turned), numbers.reshape(3, 4).T)
    part = tensor_bytes(numbers, description=described("Long", 12, 5, (3,), (2,)))
    np.testing.assert_array_equal(read(part), [5, 7, 9])
    empty = tensor_bytes(np.zeros((2, 0), dtype=np.int64))
    assert read(empty).shape == (2, 0)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (tensor_bytes(np.arange(4), description=described("Long", 4, 0, (5,), (1,))), "more numbers than"),
        (tensor_bytes(np.arange(4), description=described("Long", 4, 2, (3,), (1,))), "more numbers than"),
        (tensor_bytes(np.arange(4), description=described("Long", 4, 0, (2**40,), (0,))), "more numbers than"),
        (tensor_bytes(np.arange(4), description=described("Long", 4, 0, (2,), (-1,))), "no known way"),
        (tensor_bytes(np.arange(4), description=described("Long", 9, 0, (4,), (1,))), "numbers where 72"),
        (tensor_bytes(np.arange(4), description=described("Half", 4, 0, (4,), (1,))), "wants to run torch.HalfStorage"),
        (tensor_bytes(np.arange(4), description=pickle.dumps(Calls(ran, "it"))), "wants to run"),
        (tensor_bytes(np.arange(4), description=pickle.dumps([1, 2])), "but a list"),
        (tensor_bytes(np.arange(4), left_out="data/0"), "lacks its numbers"),
        (tensor_bytes(np.arange(4), left_out="data.pkl"), "tensor of torch"),
        (tensor_bytes(np.arange(4), byteorder="middle"), "in which order"),
        (tensor_bytes(np.arange(4))[:-30], "damaged"),
        (tensor_bytes(np.arange(9)).replace(struct.pack("<q", 7), struct.pack("<q", 8)), "damaged"),
        (b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.", "before version 1.6"),
        (b"hello", "damaged"),
    ],
)
def test_damaged_tensors_are_refused_in_words(data: bytes, said: str) -> None:
    message = refused(data, read)
    assert said in message
    assert message.startswith("edge_index.pt ")


@pytest.mark.parametrize(
    "state",
    [
        b"(h\x07K\x00K\x02\x85J\x00\x00\x00\x80\x85t",  # a step far before the numbers
        b"(h\x07J\x00\x00\x00\x80K\x02\x85K\x01\x85t",
        b"N}U\x06offsetJ\x00\x00\x00\x80s\x86",
    ],
)
def test_what_was_checked_can_not_be_changed(state: bytes) -> None:
    honest = described("Long", 4, 0, (2,), (1,))
    place = honest.rindex(b".")
    storage = b"(X\x07\x00\x00\x00storagectorch\nLongStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x04tQq\x070"
    changed = honest[:2] + storage + honest[2:place] + state + b"b."
    with refusal(FormatError):
        read(tensor_bytes(np.arange(4), description=changed))


def test_a_folder_is_no_place_for_a_key(tmp_path: Path) -> None:
    outside = described("Long", 4, 0, (4,), (1,), key="../../etc/passwd")
    with refusal(FormatError):
        read(tensor_bytes(np.arange(4), description=outside))
