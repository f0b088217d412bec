"""The wheel: what is in it, what it asks for, and that it runs beside a user's own modules of our names."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

TOP = Path(__file__).parents[1]
FLOORS = ("core", "data", "dashboard")
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
LARGEST_WHEEL = 4_000_000


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", *FLOORS, "queryscape"], cwd=TOP, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.splitlines() if (TOP / name).exists()]


@pytest.fixture(scope="module")
def builder() -> Iterator[ModuleType]:
    """setup.py as a module; what it asks of setuptools is not built."""
    spec = spec_from_file_location("queryscape_setup", TOP / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("setuptools.setup", lambda **_: None)
        patched.chdir(TOP)
        spec.loader.exec_module(module)
        yield module


def test_only_imports_of_our_own_are_rewritten(builder: ModuleType) -> None:
    n = 0
    for name in (name for name in tracked() if name.endswith(".py")):
        source = (TOP / name).read_text("utf-8")
        result = builder.rewritten(source)
        for before, after in zip(source.splitlines(), result.splitlines(), strict=True):
            if before != after:
                assert re.match(r"\s*(from|import) queryscape\.(core|data|dashboard)\b", after), name
                assert after.replace("queryscape.", "", 1) == before, name
                n += 1
        assert builder.rewritten(result) == result, name
    assert n > 1000


def test_an_import_that_cannot_be_rewritten_stops_the_build(builder: ModuleType) -> None:
    with pytest.raises(ValueError, match="one import per line"):
        builder.rewritten("import json, core.text\n")


def test_requirements_are_those_of_the_package_and_the_test_runner() -> None:
    lines = (TOP / "requirements.txt").read_text("utf-8").splitlines()
    required = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
    runner = {each for each in required if each.startswith("pytest")}
    assert len(runner) == 1
    assert required - runner == set(PROJECT["dependencies"])


def test_every_requirement_has_one_exact_version_with_hashes() -> None:
    pinned = re.findall(
        r"^([a-z0-9-]+)==\S+(?: ;.*)? \\\n +--hash=sha256:", (TOP / "constraints.txt").read_text(), re.MULTILINE
    )
    assert {re.match(r"[\w-]+", each)[0].lower() for each in PROJECT["dependencies"]} <= set(pinned)  # type: ignore[index]


# A real installation.


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, because building leaves files beside the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in (*tracked(), "pyproject.toml", "setup.py", "README.md", "LICENSE"):
        (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOP / name, folder / "source" / name)
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder), str(folder / "source"))
    (built,) = folder.glob("*.whl")
    return built


def run(*command: str, cwd: Path | None = None, **environment: str) -> str:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("QUERYSCAPE_", "PYTHON", "CI"))}
    done = subprocess.run(command, cwd=cwd, env=kept | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
def test_the_wheel_holds_all_that_is_needed_below_one_name(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert {name.partition("/")[0] for name in inside} == {
        "queryscape",
        f"queryscape-{wheel.name.split('-')[1]}.dist-info",
    }
    assert wheel.stat().st_size <= LARGEST_WHEEL
    sources = re.compile(r"dashboard/browser/(?!dist/)|data/local/")
    expected = {
        name if name.startswith("queryscape/") else f"queryscape/{name}"
        for name in tracked()
        if not sources.match(name)
    }
    assert expected - inside == set()


@pytest.mark.slow
def test_it_runs_beside_modules_of_the_same_names(wheel: Path, tmp_path: Path) -> None:
    """Install, build the demo data, list topics, start the app, use the library, uninstall: nothing else is touched."""
    home, work = tmp_path / "home", tmp_path / "work"
    for folder in (home, work / "data"):
        folder.mkdir(parents=True)
    for own in (work / "core.py", work / "data" / "__init__.py", work / "dashboard.py"):
        own.write_text("raise SystemExit('a module of the user was imported')\n", "utf-8")
    before = sorted(work.rglob("*"))
    run(sys.executable, "-m", "venv", str(tmp_path / "venv"))
    bin_folder = tmp_path / "venv" / "bin"
    python, command = str(bin_folder / "python"), str(bin_folder / "queryscape")
    packages = sorted(path.name for path in tmp_path.glob("venv/lib/*/site-packages/*"))
    run(python, "-m", "pip", "install", "--quiet", "--requirement", str(TOP / "constraints.txt"))
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", str(wheel))
    run(python, "-m", "pip", "check")
    where: dict[str, Any] = {"cwd": work, "HOME": str(home), "XDG_DATA_HOME": str(home / "kept")}

    run(command, "demo", **where)
    topics = json.loads(run(command, "topics", "--json", **where))["topics"]
    assert len(topics) == 3
    assert "recall" in json.loads(run(command, "schema", "evaluate", **where))["properties"]
    assert (home / "kept" / "queryscape" / "queryscape.duckdb").is_file()
    (example,) = re.findall(r"```python\n(.*?)```", (TOP / "README.md").read_text("utf-8"), re.DOTALL)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert "22 of 34 core publications found" in run(python, "-c", example, **(where | {"cwd": elsewhere}))
    app_answers_on_loopback_only(command, work, home)
    assert sorted(work.rglob("*")) == before

    run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "queryscape")
    assert not (bin_folder / "queryscape").exists()
    left = {path.name for path in tmp_path.glob("venv/lib/*/site-packages/*")} - set(packages)
    assert {name for name in left if "queryscape" in name or name in FLOORS} == set()


def app_answers_on_loopback_only(command: str, work: Path, home: Path) -> None:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_DATA_HOME": str(home / "kept")}
    log = home / "app.log"
    with log.open("w") as out:
        app = subprocess.Popen(
            [command, "--port", str(port)], cwd=work, env=environment, stdout=out, stderr=out, start_new_session=True
        )
    try:
        wait_for_health(port, app, log)
        assert listening(port) <= {"127.0.0.1", "::1"}
        assert listening(port)
        assert not re.search("usage stat|telemetry", log.read_text("utf-8"), re.IGNORECASE)
    finally:
        os.killpg(app.pid, signal.SIGTERM)
        app.wait(timeout=60)


def wait_for_health(port: int, app: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end and app.poll() is None:
        try:
            with urllib.request.urlopen(f"http://localhost:{port}/_stcore/health") as answer:
                assert answer.read() == b"ok"
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(log.read_text("utf-8"))


def listening(port: int) -> set[str]:
    """The addresses on which some process listens at this port, from the kernel's own lists."""
    found = set()
    for family, table in ((socket.AF_INET, "/proc/net/tcp"), (socket.AF_INET6, "/proc/net/tcp6")):
        for row in Path(table).read_text("utf-8").splitlines()[1:]:
            local, state = row.split()[1], row.split()[3]
            address, _, port_text = local.partition(":")
            if state == "0A" and int(port_text, 16) == port:
                words = [bytes.fromhex(address[at : at + 8])[::-1] for at in range(0, len(address), 8)]
                found.add(socket.inet_ntop(family, b"".join(words)))
    return found
