"""What the browser is sent: payloads that come back as they were, and one script that holds every module."""

from __future__ import annotations

import json
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

from dashboard.components.bundle import BROWSER, ENTRY, REPORT_ENTRY, STUB, browser_code, report_code
from dashboard.components.payload import ALIGNMENT, MAGIC, TYPES, lines, pack
from tests.dashboard.payloads import unpack

MODULES = sorted(BROWSER.rglob("*.js"))
WRITES_MARKUP = re.compile(
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|setHTML\w*|createContextualFragment|DOMParser|srcdoc)\b"
    r"|\bdocument\s*\.\s*write|\beval\s*\(|\bFunction\s*\(|\bset(Timeout|Interval)\s*\(\s*[\"'`]|javascript:"
)

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
    with pytest.raises(ValueError, match="not a Queryscape payload"):
        unpack(b"PK\3\4" + bytes(20))


@given(st.lists(st.text(st.characters(), max_size=12), max_size=8))
def test_titles_are_one_per_line(texts: list[str]) -> None:
    sent = lines(texts).tobytes().decode("utf-8")
    assert sent.count("\n") == max(len(texts) - 1, 0)
    for line, text in zip(sent.split("\n"), texts, strict=False):
        assert line == text.replace("\n", " ").encode(errors="replace").decode()


# The bundle


def test_nothing_is_imported_or_exported_but_the_way_in() -> None:
    code = browser_code()
    assert re.findall(r"^[ \t]*(?:import|export)\b.*$", code, re.MULTILINE) == ["export default mount;"]
    assert "import(" not in code
    assert "require(" not in code


def test_a_report_has_its_own_way_in_and_nothing_to_ask_python_with() -> None:
    code = report_code()
    assert re.findall(r"^[ \t]*(?:import|export)\b.*$", code, re.MULTILINE) == []
    assert code.endswith((BROWSER / REPORT_ENTRY).read_text(encoding="utf-8").split(";\n\n", 1)[1])
    assert not re.search(r"</script|<!--", code, re.IGNORECASE)  # it stands within a page
    assert "globalThis.queryscape = " not in code


def test_every_module_is_in_the_bundle_once() -> None:
    assert {ENTRY, REPORT_ENTRY} <= {path.name for path in MODULES}
    for path in MODULES:
        code = report_code() if path.name.startswith("report") else browser_code()
        source = path.read_text(encoding="utf-8")
        head = source.split("\n", 1)[0]
        assert head.startswith("// "), path.name
        assert code.count(f"{head}\n") == 1, path.name
        # Each line of it is there, in its order, but for imports.
        body = re.sub(r"^import .*?;\n|^export (?!default)", "", source, flags=re.MULTILINE | re.DOTALL)
        assert body in code, path.name


@pytest.mark.parametrize("code", [browser_code(), report_code()], ids=["app", "report"])
def test_a_module_comes_after_those_it_needs(code: str) -> None:
    heads = {path: path.read_text(encoding="utf-8").split("\n", 1)[0] for path in MODULES}
    place = {path: code.index(head) for path, head in heads.items() if head in code}
    assert len(place) > 20
    for path in (path for path in MODULES if path in place):
        needed = re.findall(r'from "(\.[\w./-]+\.js)"', path.read_text(encoding="utf-8"))
        assert all(place[(path.parent / name).resolve()] < place[path] for name in needed), path.name


def test_imports_are_of_names_from_files() -> None:
    """No package, no address, no renaming: the bundle puts all modules into one scope."""
    for path in MODULES:
        for line in re.findall(r"^import\b.*?;", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            assert re.fullmatch(r'import \{[\w\s,$]*\} from "\.[\w./-]+\.js";', line), f"{path.name}: {line}"
            assert not re.search(r"\bas\b", line), f"{path.name}: {line}"


DECLARED = re.compile(
    r"^(?:export )?(?:default )?(?:async )?(?:const|let|var|class|function\*?) *(?:([\w$]+)|\{([^}]*)\}|\[([^\]]*)\])",
    re.MULTILINE,
)


def declared_in(source: str) -> list[str]:
    """Names that a module declares at its top level, where nothing is indented."""
    names = []
    for one, unpacked, listed in DECLARED.findall(source):
        parts = [one] if one else (unpacked or listed).split(",")
        names += [part.split("=")[0].split(":")[-1].strip() for part in parts if part.strip()]
    return names


def test_declared_names_are_found() -> None:
    source = "const a = 1;\nexport class B {\n  b() {}\n}\nasync function c() {\n  let d;\n}\n"
    source += "const { e, f: g } = x;\nlet [h] = y;\n"
    assert declared_in(source) == ["a", "B", "c", "e", "g", "h"]


def test_no_two_modules_declare_the_same_name() -> None:
    """The bundle is one scope: a name that is declared twice keeps all of it from starting."""
    places: dict[str, list[str]] = {}
    for path in MODULES:
        for name in declared_in(path.read_text(encoding="utf-8")):
            places.setdefault(name, []).append(path.name)
    assert len(places) > len(MODULES)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
    assert "STYLE" not in places


def test_no_module_writes_text_as_markup_or_runs_it() -> None:
    found = []
    for path in MODULES:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            found += [f"{path.name}:{number} {line.strip()}"] * bool(WRITES_MARKUP.search(line))
    assert found == []
    assert not WRITES_MARKUP.search(STUB)


def test_nothing_is_fetched_from_elsewhere() -> None:
    namespaces = ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml", "http://www.w3.org/1999/xlink")
    known = (*namespaces, "https://doi.org/")
    for path in sorted(path for path in BROWSER.rglob("*") if path.is_file()):
        source = path.read_text(encoding="utf-8")
        addresses = re.findall(r"https?://[^\s\"'`)]*", source)
        assert [address for address in addresses if not address.startswith(known)] == [], path.name
        asks = re.findall(r"\bfetch\s*\(|XMLHttpRequest|sendBeacon|WebSocket|@import|url\(\s*['\"]?http", source)
        # A saved chart carries the font of the page that it comes from.
        own = ["fetch("] if "new URL(address).origin === location.origin" in source else []
        assert asks in ([], own), path


STARTED = """
import { readFileSync, writeFileSync } from "node:fs";
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
const bundled = readFileSync(code, "utf8");
const style = Function(`${bundled.slice(0, bundled.indexOf("`;") + 2)} return STYLE;`)();
writeFileSync(answer, JSON.stringify({ heard, style }));
"""


def test_the_bundle_parses_and_starts(node: str, tmp_path: Path) -> None:
    files = {"code.mjs": browser_code(), "stub.mjs": STUB, "start.mjs": STARTED}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        checked = subprocess.run([node, "--check", str(tmp_path / name)], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
    paths = [str(tmp_path / name) for name in ("start.mjs", "code.mjs", "stub.mjs", "answer.json")]
    ran = subprocess.run([node, *paths], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    answer = json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    assert answer["heard"] == ["late", True, None, "function", None]
    own = sorted(BROWSER.glob("*/*.css"))
    styles = [path.read_text(encoding="utf-8") for path in own]
    assert answer["style"] == "\n".join(styles)
