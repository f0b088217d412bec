"""Bundles that are none, that were edited, that are of a later version or mean harm: one clear sentence each."""

from __future__ import annotations

import io
import json
import random
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.errors import FileError, FormatError, QueryscapeError
from data.audit import bundle_archive as archives
from data.audit.bundle import read_bundle, rebuild
from data.audit.bundle_archive import (
    AUDIT,
    LOCK,
    MAKING,
    MANIFEST,
    QUALITY,
    NewerBundleError,
    is_safe_name,
)
from tests import bundle_cases as cases
from tests.messages import refusal

_SMALL = cases.bundle_bytes(cases.facts(2, n=40, n_core=8))
_FILES = cases.members(_SMALL)


def _refused(content: bytes, *words: str) -> str:
    with pytest.raises(FormatError) as caught:
        rebuild(cases.read(content))
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message, message
    return message


def _with_member(name: str, content: bytes = b"x", **fields: Any) -> bytes:
    out = io.BytesIO(_SMALL)
    with zipfile.ZipFile(out, "a") as archive:
        info = zipfile.ZipInfo("placeholder")
        info.filename = info.orig_filename = name
        for field, value in fields.items():
            setattr(info, field, value)
        archive.writestr(info, content)
    return out.getvalue()


def _with_listed(name: str, size: int) -> bytes:
    """A bundle whose manifest lists one file more."""
    listed = {"name": name, "size": size, "sha256": "0" * 64}
    return cases.with_manifest(_SMALL, lambda told: told["files"].append(listed))


# What is no bundle


def test_an_empty_file_and_another_kind_of_file_are_no_bundles() -> None:
    _refused(b"", "search.zip is empty")
    _refused(b"PK", "can't be read")
    _refused(b"%PDF-1.7 hello", "not a zip")
    _refused(cases.zipped({"a.txt": b"hello"}), "a Queryscape bundle", MANIFEST)
    _refused(cases.zipped({MANIFEST: b"{}"}), "a Queryscape bundle")
    _refused(cases.zipped({MANIFEST: b"[]"}), "a Queryscape bundle")
    _refused(cases.zipped({MANIFEST: b"\xff{"}), MANIFEST, "not valid JSON")


@pytest.mark.parametrize("share", [0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_bundle_says_so(share: float) -> None:
    _refused(_SMALL[: max(3, int(len(_SMALL) * share))], "zip", "new copy")


def test_a_file_that_is_not_there_and_a_folder_are_file_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "none.zip", tmp_path):
        with refusal(FileError):
            read_bundle(path)


def test_a_bundle_of_a_later_queryscape_says_to_update() -> None:
    with pytest.raises(NewerBundleError, match="update Queryscape"):
        cases.read(cases.with_manifest(_SMALL, lambda told: told.update(version=2, news=True)))


@pytest.mark.parametrize("version", [0, -1, 1.0, "1", None, True, [1]])
def test_a_version_that_is_no_version_is_refused(version: object) -> None:
    _refused(cases.with_manifest(_SMALL, lambda told: told.update(version=version)), MANIFEST, "version")


# Edits


def test_an_edited_file_is_named() -> None:
    name = "results/1/results.csv"
    _refused(cases.zipped(_FILES | {name: _FILES[name] + b"1,2\n"}), "changed after", name)
    _refused(cases.zipped(_FILES | {name: _FILES[name].replace(b"1", b"2", 1)}), name)
    _refused(cases.zipped(_FILES | {name: b""}), name)


def test_a_missing_and_an_extra_file_are_named() -> None:
    without = {name: content for name, content in _FILES.items() if name != AUDIT}
    _refused(cases.zipped(without), "missing", AUDIT)
    _refused(cases.zipped(_FILES | {"notes.txt": b"hello"}), "not in its manifest.json", "notes.txt")


def test_many_edited_files_are_not_all_listed() -> None:
    message = _refused(cases.zipped({n: c if n == MANIFEST else c + b" " for n, c in _FILES.items()}), "more")
    assert len(message) < 400


@pytest.mark.parametrize("file", [QUALITY, AUDIT, MAKING, LOCK])
def test_a_file_without_which_nothing_can_be_read_is_named(file: str) -> None:
    _refused(cases.resealed(_SMALL, lambda files: files.pop(file) and None), file)


# Harm


@pytest.mark.parametrize(
    "name",
    [
        "../outside.txt",
        "a/../../b",
        "/etc/passwd",
        "C:/x",
        "C:\\x",
        "a\\b",
        "..",
        ".",
        "a//b",
        "a/",
        "\x00",
        "é.txt",
        "a b",
    ],
)
def test_names_that_climb_out_are_refused(name: str) -> None:
    _refused(_with_member(name), "the file")
    _refused(_with_listed(name, 1))


@pytest.mark.parametrize("name", ["../../../outside", "/outside", "a\\b", "C:x", "\x00"])
def test_a_table_of_a_review_can_not_be_named_to_lie_outside(name: str) -> None:
    """Tables are written to a folder by their names."""
    table = {"name": name, "caption": "", "columns": [{"title": "a", "kind": "text"}], "rows": [["b"]], "note": ""}

    edit = cases.with_json("facts/reviews.json", lambda told: told[0]["domains"][0].update(tables=[table]))
    try:
        rebuilt = rebuild(cases.read(cases.resealed(_SMALL, edit)))
    except FormatError:
        return
    assert all(is_safe_name(name) for name in rebuilt.tables)


def test_links_folders_and_pipes_are_refused() -> None:
    for kind in (stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO):
        _refused(_with_member("link", b"/etc/passwd", external_attr=(kind | 0o777) << 16, create_system=3), "link")


def test_a_name_that_is_there_twice_is_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = _with_member(QUALITY)
    _refused(twice, "twice")
    _refused(_with_member(QUALITY.upper()), "twice")


def test_encrypted_and_oddly_packed_files_are_refused() -> None:
    encrypted = bytearray(_with_member("odd.txt"))
    place = encrypted.rfind(b"PK\x01\x02")
    encrypted[place + 8] |= 1
    _refused(bytes(encrypted), "encrypted")
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        _refused(_with_member("odd.txt", compress_type=method), "compression")


def test_more_files_than_a_bundle_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_FILES", 10)
    _refused(_SMALL, "more than the limit")


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = cases.resealed(_SMALL, lambda files: files.update({"big.txt": bytes(40_000_000)}))
    assert len(bomb) < 200_000
    _refused(bomb, "would unpack to")


def test_a_file_that_is_larger_than_its_manifest_says_is_read_no_further() -> None:
    told = cases.members(_with_listed("zeros.txt", 10))[MANIFEST]
    _refused(cases.zipped(_FILES | {MANIFEST: told, "zeros.txt": bytes(20_000_000)}), "zeros.txt")


def test_a_size_that_is_a_lie_of_the_zip_is_noticed() -> None:
    """The zip says that a file has ten bytes, and has more."""
    content = bytearray(cases.zipped(_FILES | {MANIFEST: b" " * 5_000_000}))
    for mark, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        place = content.find(mark)
        while place >= 0 and content[place : place + 200].find(MANIFEST.encode()) < 0:
            place = content.find(mark, place + 1)
        content[place + offset : place + offset + 4] = struct.pack("<I", 10)
    _refused(bytes(content))
    _refused(cases.zipped(_FILES | {MANIFEST: b" " * 5_000_000}), "at most")


def test_a_zip_within_is_not_opened() -> None:
    inner = cases.zipped({"../x": b"x"})
    bundle = cases.read(cases.resealed(_SMALL, lambda files: files.update({"inner.zip": inner})))
    assert rebuild(bundle).differing == ("inner.zip",)


# Facts that fit their sums and not their types


def _at(value: Any, *path: Any) -> Any:
    for step in path:
        value = value[step]
    return value


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("versions", 0, "rows", "ids", 3), 5, "versions[1].rows.ids[4] must be"),
        (("n_corpus",), "many", "n_corpus must be"),
        (("n_corpus",), True, "n_corpus"),
        (("n_corpus",), 10**30, "64 bits"),
        (("made_up",), 1, "made_up must be"),
        (("region",), "square", "one of cosine"),
        (("versions", 0, "rows", "titles"), None, "titles must be"),
        (("versions", 0, "evaluation", "recall_interval"), [0.1], "a list of 2"),
        (("versions", 0, "evaluation", "recall"), {"number": "many"}, "recall must be"),
        (("versions", 0, "evaluation", "settings", "beta"), -1, "beta must be"),
        (
            ("versions", 0, "rows", "points"),
            {"array": "../x", "type": "float64", "shape": [1, 2]},
            "of this bundle",
        ),
        (("versions", 0, "rows", "points", "type"), "object", "points.type must be float64"),
        (("versions", 0, "rows", "points", "shape"), [10**15, 2], "not the array"),
        (("versions", 0, "rows", "points", "shape"), [-1, 2], "whole numbers"),
        (("versions", 0, "rows", "similarities", "array"), "results/1/points.npy", "not the array"),
        (("versions", 0, "rows", "n_retrieved"), 3, "QUALITY"),
        (("versions", 1, "label"), "version 1", "same label"),
        (("comparison", "pairs"), [], "QUALITY"),
        (("versions",), [], "other versions"),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_file_and_key(path: tuple[Any, ...], value: object, words: str) -> None:
    edit = cases.with_json(QUALITY, lambda told: _with_value(told, path, lambda _: value))
    _refused(cases.resealed(_SMALL, edit), words.replace("QUALITY", QUALITY))


def test_a_key_that_is_missing_unknown_or_there_twice_is_named() -> None:
    without = cases.with_json(QUALITY, lambda told: told["versions"][0]["evaluation"].pop("recall"))
    more = cases.with_json(QUALITY, lambda told: told["embedder"].update(colour="red"))
    _refused(cases.resealed(_SMALL, without), QUALITY, 'lacks "recall"')
    _refused(cases.resealed(_SMALL, more), QUALITY, 'unknown key "colour"')
    _refused(cases.resealed(_SMALL, lambda f: f.update({AUDIT: b'{"a": 1, "a": 2}'})), AUDIT, "twice")
    _refused(cases.resealed(_SMALL, lambda f: f.update({AUDIT: b'{"a": NaN}'})), AUDIT, "NaN")
    _refused(cases.resealed(_SMALL, lambda f: f.update({AUDIT: b"[" * 100_000})), AUDIT)
    _refused(cases.resealed(_SMALL, lambda f: f.update({AUDIT: b"1" * 10_000})), AUDIT)


def test_a_bundle_from_before_strata_is_read() -> None:
    def as_before(told: Any) -> None:
        del told["survey_kind"]
        for core in told["versions"][0]["core"]:
            del core["times_cited"]

    quality = read_bundle(io.BytesIO(cases.resealed(_SMALL, cases.with_json(QUALITY, as_before)))).quality
    assert quality.survey_kind is None
    assert {core.times_cited for core in quality.versions[0].core} == {None}


def test_arrays_with_pickles_or_odd_truths_are_refused() -> None:
    name = "results/1/core_mask.npy"
    pickled = b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }" + b" " * 60 + b"\n"
    _refused(cases.resealed(_SMALL, lambda f: f.update({name: pickled})), name)
    _refused(cases.resealed(_SMALL, lambda f: f.update({name: f[name][:-1] + b"\x02"})), name, "0 or 1")


# Whatever happens


def _fine_or_one_sentence(content: bytes) -> None:
    """A bundle is read and rebuilt, or there is one clear sentence: never anything else."""
    message = "fine"
    try:
        rebuild(cases.read(content))
    except QueryscapeError as e:
        message = str(e)
    assert message
    assert "\n" not in message


@given(st.integers(0, 2**32), st.integers(1, 20))
@settings(max_examples=200, deadline=None)
@example(0, 1)
def test_bytes_that_were_changed_anywhere_are_noticed_or_do_no_harm(seed: int, n: int) -> None:
    choose = random.Random(seed)
    content = bytearray(_SMALL)
    for _ in range(n):
        # The list of files at the end is where a zip is easiest to break.
        low = 0 if choose.random() < 0.5 else len(content) - 3000
        content[choose.randrange(low, len(content))] = choose.randrange(256)
    _fine_or_one_sentence(bytes(content))


@given(st.binary(max_size=200), st.integers(0, len(_SMALL)), st.integers(0, 300))
@settings(max_examples=100, deadline=None)
def test_bytes_that_were_put_in_or_cut_out_are_noticed_or_do_no_harm(new: bytes, at: int, n_cut: int) -> None:
    _fine_or_one_sentence(_SMALL[:at] + new + _SMALL[at + n_cut :])


@given(st.binary(max_size=2000))
@settings(max_examples=100, deadline=None)
def test_what_is_no_bundle_is_said_to_be_none(content: bytes) -> None:
    with pytest.raises(QueryscapeError):
        cases.read(content)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands."""
    found = [path] if path else []
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        found += _places(inner, (*path, step))
    return found


_PLACES = {file: _places(json.loads(_FILES[file])) for file in (QUALITY, AUDIT, MAKING, "facts/reviews.json", LOCK)}


def _with_value(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> None:
    holder = _at(value, *path[:-1])
    holder[path[-1]] = change(holder[path[-1]])


@pytest.mark.slow
@given(st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_facts_that_were_edited_with_their_sums_are_refused_or_rebuilt(data: st.DataObject) -> None:
    file = data.draw(st.sampled_from(sorted(_PLACES)))
    path = data.draw(st.sampled_from(_PLACES[file]))
    value = json.loads(_FILES[file])
    kind = data.draw(st.sampled_from(["other", "number", "fewer", "moved"]))
    if kind == "number":
        _with_value(value, path, lambda _: data.draw(st.integers(-3, 300) | st.floats(-2, 2)))
    elif kind == "moved":
        other = data.draw(st.sampled_from(_PLACES[file]))
        moved = _at(value, *other)
        _with_value(value, path, lambda _: json.loads(json.dumps(moved)))
    elif kind == "fewer":
        _with_value(value, path, lambda old: old[1:] if isinstance(old, list | str) else old)
    else:
        new = data.draw(_JSON)
        _with_value(value, path, lambda _: new)
    _fine_or_one_sentence(cases.resealed(_SMALL, lambda files: files.update({file: json.dumps(value).encode()})))


@given(st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_arrays_that_were_edited_with_their_sums_are_refused_or_rebuilt(seed: int) -> None:
    choose = random.Random(seed)
    name = choose.choice([name for name in _FILES if name.endswith(".npy")])
    array = bytearray(_FILES[name])
    for _ in range(choose.randrange(1, 12)):
        array[choose.randrange(len(array))] = choose.choice([0, 1, 127, 128, 255, choose.randrange(256)])
    _fine_or_one_sentence(cases.resealed(_SMALL, lambda files: files.update({name: bytes(array)})))
