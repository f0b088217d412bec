"""Bundles that ask for more than they are worth: refused in little time and memory, with the file named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import numpy as np
import pytest

from core.audit.recount import recount
from core.errors import FormatError
from data.audit import bundle_archive
from data.audit.bundle import rebuild
from data.audit.bundle_archive import (
    AUDIT,
    LOCK,
    MAKING,
    QUALITY,
    BundleReader,
    NewerBundleError,
    is_safe_name,
    npy_bytes,
    npy_header,
)
from tests import bundle_cases as cases

_FACTS = cases.facts(2, n=40, n_core=8)
_SMALL = cases.bundle_bytes(_FACTS)
_MASK = "results/1/core_mask.npy"


def _refused(change: Callable[[dict[str, bytes]], None], *words: str) -> None:
    with pytest.raises(FormatError) as caught:
        cases.read(cases.resealed(_SMALL, change))
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("file", [AUDIT, LOCK])
def test_a_file_of_too_many_values_is_not_decoded(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_archive, "MOST_VALUES", 100_000)
    _refused(lambda files: files.update({file: b'{"a":[' + b"{}," * 60_000 + b"{}]}"}), file, "100,000 values")


def test_an_array_that_is_named_often_is_in_memory_once() -> None:
    array = np.arange(5, dtype=np.float64)
    files = {"a.npy": npy_bytes(array)}
    decoder = BundleReader(QUALITY, files)
    named = {"array": "a.npy", "type": "float64", "shape": [5]}
    first, second = (decoder._array(named, "float64", "x") for _ in range(2))
    assert first is second
    np.testing.assert_array_equal(first, array)


@pytest.mark.parametrize("shape", [[], [0], [0, 10**18], [0, 10**30], [10**30, 0], [1, 1, 1]])
def test_a_shape_that_no_array_has_is_refused(shape: list[int]) -> None:
    def change(files: dict[str, bytes]) -> None:
        files[_MASK] = npy_header("bool", tuple(shape)) + (b"" if 0 in shape else b"\0")
        cases.with_json(QUALITY, lambda told: told["versions"][0]["rows"]["core_mask"].update(shape=shape))(files)

    _refused(change, "core_mask")


def _with_reports(change: Callable[[list[Any]], None]) -> Callable[[dict[str, bytes]], None]:
    return cases.with_json(MAKING, lambda told: change(told["reports"]))


def test_a_report_is_not_built_over_and_over() -> None:
    def again(reports: list[Any]) -> None:
        quality = next(entry for entry in reports if entry["kind"] == "quality")
        reports.extend({**quality, "name": f"quality-{n}"} for n in range(2, 5_000))

    _refused(_with_reports(again), MAKING, "only one report")


def test_reports_that_are_one_folder_on_some_systems_are_refused() -> None:
    alike = _with_reports(lambda reports: reports.append({**reports[0], "name": reports[0]["name"].upper()}))
    _refused(alike, MAKING, "same name")
    _refused(_with_reports(lambda reports: reports[0].update(name="con")), MAKING)
    assert not is_safe_name("tables/NUL.csv")
    assert not is_safe_name("tables/a.")
    assert is_safe_name("tables/quality/console.csv")


def test_a_very_late_version_is_told_shortly() -> None:
    with pytest.raises(NewerBundleError) as caught:
        cases.read(cases.with_manifest(_SMALL, lambda told: told.update(version=10**4000)))
    assert len(str(caught.value)) < 300


def test_what_counted_the_numbers_is_in_the_lock() -> None:
    told = json.loads(cases.members(_SMALL)[LOCK])["software"]
    assert {name: told[name] for name in ("NumPy", "SciPy", "scikit-learn", "umap-learn")} == {
        "NumPy": version("numpy"),
        "SciPy": version("scipy"),
        "scikit-learn": version("scikit-learn"),
        "umap-learn": version("umap-learn"),
    }


@pytest.mark.parametrize(("factor", "is_same"), [(1 + 1e-8, True), (1 - 1e-7, True), (1.001, False)])
def test_the_last_digits_of_an_area_depend_on_the_processor(factor: float, is_same: bool) -> None:
    first = _FACTS.versions[0]
    mvee = first.evaluation.regions["mvee"]
    area = mvee.defines["area"]
    assert isinstance(area, float)
    regions = {**first.evaluation.regions, "mvee": replace(mvee, defines={"area": area * factor})}
    changed = replace(first, evaluation=replace(first.evaluation, regions=regions))
    facts = replace(_FACTS, versions=(changed, *_FACTS.versions[1:]), comparison=None)
    assert (recount(facts).differing == ()) == is_same
    bundle = cases.read(cases.bundle_bytes(facts))
    assert (rebuild(bundle).differing == ()) == is_same
