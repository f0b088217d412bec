"""What the browser is sent: payloads that come back as they were, and the scripts that esbuild made."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

import dashboard
from dashboard.kit.browser import ALIGNMENT, MAGIC, TYPES, browser_code, lines, pack, report_code, stub_code
from tests.dashboard.payloads import unpack
from tests.messages import refusal

BROWSER = Path(dashboard.__file__).parent / "browser"
PARTS = ("shared", "landscape", "versions", "workbench", "board", "lab", "navigation")
SOURCES = sorted(
    path
    for folder in (BROWSER, *(BROWSER / part for part in PARTS))
    for path in folder.iterdir()
    if path.suffix in (".js", ".css") and path.name not in ("build.js", "eslint.config.js")
)
WRITES_MARKUP = re.compile(
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|setHTML\w*|createContextualFragment|DOMParser|srcdoc)\b"
    r"|\bdocument\s*\.\s*write|\beval\s*\(|\bFunction\s*\(|\bset(Timeout|Interval)\s*\(\s*[\"'`]|javascript:"
)
LOADS_CODE = re.compile(r"\bimport\s*[({*\"']|\brequire\(")

dtypes = st.sampled_from(sorted(TYPES, key=str))
shapes = arrays_of.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=7)
some_arrays = dtypes.flatmap(lambda dtype: arrays_of.arrays(dtype, shapes))
names = st.text(max_size=12)
headers = st.dictionaries(
    st.text(max_size=8).filter(lambda name: name != "arrays"),
    st.one_of(st.text(max_size=20), st.integers(-(2**53), 2**53), st.booleans(), st.none(), st.lists(st.floats(-1, 1))),
    max_size=6,
)


@given(headers, st.dictionaries(names, some_arrays, max_size=6))
def test_a_payload_comes_back_as_it_was(header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
    got_header, got = unpack(pack(header, arrays))
    assert {name: value for name, value in got_header.items() if name != "arrays"} == header
    assert list(got) == list(arrays)
    for name, array in arrays.items():
        assert got[name].dtype == array.dtype
        assert got[name].tobytes() == array.tobytes()  # bit by bit, so that NaN counts too


@given(headers, st.dictionaries(names, some_arrays, max_size=6))
def test_every_array_is_aligned_and_none_overlaps(header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
    payload = pack(header, arrays)
    magic, size = struct.unpack_from("<II", payload)
    assert magic == MAGIC == int.from_bytes(b"QSP1", "little")
    end = 8 + size
    listed = json.loads(payload[8:end])["arrays"]
    assert [(entry["name"], entry["length"]) for entry in listed] == [(n, a.size) for n, a in arrays.items()]
    for entry, array in zip(listed, arrays.values(), strict=True):
        assert entry["offset"] % ALIGNMENT == 0
        assert end <= entry["offset"] < end + ALIGNMENT
        assert not any(payload[end : entry["offset"]])
        end = entry["offset"] + array.nbytes
    assert end == len(payload)


def test_arrays_of_any_layout_are_sent_row_by_row() -> None:
    grid = np.arange(12, dtype=np.float32).reshape(3, 4)
    for array in (grid.T, grid[:, ::2], grid[::-1]):
        assert unpack(pack({}, {"a": array}))[1]["a"].tolist() == array.ravel().tolist()


@pytest.mark.parametrize("dtype", [np.int64, np.float16, np.bool_, object])
def test_a_type_that_browsers_have_no_array_for_is_no_payload(dtype: npt.DTypeLike) -> None:
    with pytest.raises(KeyError):
        pack({}, {"a": np.zeros(3, dtype=dtype)})


def test_what_is_no_payload() -> None:
    with refusal(ValueError):
        unpack(b"PK\3\4" + bytes(20))


@given(st.lists(st.text(st.characters(), max_size=12), max_size=8))
def test_titles_are_one_per_line(texts: list[str]) -> None:
    sent = lines(texts).tobytes().decode("utf-8")
    assert sent.count("\n") == max(len(texts) - 1, 0)
    for line, text in zip(sent.split("\n"), texts, strict=False):
        assert line == text.replace("\n", " ").encode(errors="replace").decode()


# The code


def test_nothing_is_imported_or_exported_but_the_way_in() -> None:
    code = browser_code()
    assert re.findall(r"\bexport\b *[^\s:,.]+", code) == ["export{main_default"]
    assert not LOADS_CODE.search(code)


def test_a_report_has_its_own_way_in_and_nothing_to_ask_python_with() -> None:
    code = report_code()
    assert "[data-live]" in code
    assert "export{" not in code
    assert not LOADS_CODE.search(code)
    assert not re.search(r"</script|<!--", code, re.IGNORECASE)  # it stands within a page
    assert "globalThis.queryscape=" not in code


def imported_by(path: Path) -> set[Path]:
    """Return the files that a module or style sheet names, all of them beside it or in another folder."""
    names = re.findall(
        r'^(?:@import|import|[^"\n]*\bfrom) "([^"\n]*)";', path.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert all(name.startswith(("./", "../")) for name in names), path
    return {(path.parent / name).resolve() for name in names}


def test_every_source_is_part_of_the_app_or_of_a_report() -> None:
    used: set[Path] = set()
    added = {BROWSER / f"{entry}{suffix}" for entry in ("main", "report", "navigation") for suffix in (".js", ".css")}
    added |= {BROWSER / "visitors.js"}
    while added:
        used |= added
        added = {path for name in added for path in imported_by(name)} - used
    assert used | {BROWSER / "stub.js", BROWSER / "follow_theme.js"} == set(SOURCES)


def test_what_is_checked_in_was_built_from_the_sources(node: str) -> None:
    if not (BROWSER / "node_modules" / "esbuild").is_dir():
        reason = "there is no esbuild: run npm ci in dashboard/browser"
        if os.environ.get("QUERYSCAPE_REQUIRE_ALL") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    built = subprocess.run([node, str(BROWSER / "build.js"), "--check"], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr


def test_no_module_writes_text_as_markup_or_runs_it() -> None:
    found = []
    for path in (path for path in SOURCES if path.suffix == ".js"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            found += [f"{path.name}:{number} {line.strip()}"] * bool(WRITES_MARKUP.search(line))
    assert found == []


def test_nothing_is_fetched_from_elsewhere() -> None:
    namespaces = ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml", "http://www.w3.org/1999/xlink")
    known = (*namespaces, "https://doi.org/")
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        addresses = re.findall(r"https?://[^\s\"'`)]*", source)
        assert [address for address in addresses if not address.startswith(known)] == [], path.name
        asks = re.findall(
            r"\bfetch\s*\(|XMLHttpRequest|sendBeacon|WebSocket|@import (?!\"\./)|url\(\s*['\"]?http", source
        )
        # A saved chart carries the font of the page that it comes from.
        own = ["fetch("] if "new URL(address).origin === location.origin" in source else []
        assert asks in ([], own), path


STARTED = """
import { writeFileSync } from "node:fs";
const [code, stub, answer] = process.argv.slice(2);
globalThis.document = { addEventListener: () => {} };
const heard = [];
const early = (await import(stub)).default;
const leave = early({ data: null, parentElement: {} });
globalThis.queryscapeReady.push(() => heard.push("late"));
const { default: mount } = await import(code);
heard.push(globalThis.queryscape.mount === mount, globalThis.queryscapeReady, typeof leave);
heard.push(mount({ data: null }) ?? null);
leave();
writeFileSync(answer, JSON.stringify(heard));
"""


def test_the_code_parses_and_starts(node: str, tmp_path: Path) -> None:
    files = {"code.mjs": browser_code(), "stub.mjs": stub_code(), "start.mjs": STARTED}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        checked = subprocess.run([node, "--check", str(tmp_path / name)], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
    paths = [str(tmp_path / name) for name in ("start.mjs", "code.mjs", "stub.mjs", "answer.json")]
    ran = subprocess.run([node, *paths], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    heard = json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    assert heard == ["late", True, None, "function", None]


@pytest.mark.parametrize("part", ["figure_files", "lab", "landscape", "overlay", "table", "workbench", "writer_board"])
def test_every_part_has_its_style(part: str) -> None:
    assert f".queryscape.{part}" in browser_code()
    assert (f".queryscape.{part}" in report_code()) == (part in ("landscape", "table"))
