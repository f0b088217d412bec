"""Sets of files from a real local server: what is checked, kept, missing and refused."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from core.errors import DiskFullError, DownloadError, FileError, InputError
from core.version import VERSION
from data.files import file_sha256, recorded_sums
from data.http import download
from data.http.download import DownloadProgress, mirror
from tests.data.http.mirrored import BODY, Handler, answers, base, leftovers, no_sleep, requests_for
from tests.messages import refusal


def sha(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def offers(server: HTTPServer, name: str, *bodies: bytes | int) -> None:
    """One body, or one status, per request."""

    def plays(body: bytes | int) -> Handler:
        return lambda request: Response(body) if isinstance(body, bytes) else Response(status=body)

    answers(server, name, *map(plays, bodies))


def test_a_fresh_download_writes_the_files_and_their_sums(served: HTTPServer, tmp_path: Path) -> None:
    offers(served, "a.bin", BODY)
    offers(served, "text/Über uns?/b.csv", b"id\n")
    seen: list[DownloadProgress] = []
    names = ("a.bin", "text/Über uns?/b.csv")
    result = mirror(base(served), names, tmp_path / "new", on_progress=seen.append, sleep=no_sleep)
    assert result.fetched == names
    assert (result.kept, result.missing) == ((), ())
    assert (tmp_path / "new/a.bin").read_bytes() == BODY
    assert recorded_sums(tmp_path / "new") == {"a.bin": sha(BODY), names[1]: sha(b"id\n")}
    assert leftovers(tmp_path) == []
    assert seen[-1] == DownloadProgress(names[1], 3, 3, 2, 2)
    assert max(p.done_bytes for p in seen if p.name == "a.bin") == len(BODY)
    assert requests_for(served, "a.bin")[0].headers["User-Agent"] == f"queryscape/{VERSION}"


def test_published_sums_are_checked(served: HTTPServer, tmp_path: Path) -> None:
    sums = f"{sha(BODY)}  a.bin\n{sha(b'other')} *./b.bin\n"
    offers(served, "SHA256SUMS", sums.encode())
    offers(served, "a.bin", BODY)
    offers(served, "b.bin", BODY)
    with refusal(DownloadError) as caught:
        mirror(base(served), ["a.bin", "b.bin"], tmp_path, sleep=no_sleep)
    assert "\n" not in str(caught.value)
    assert (tmp_path / "a.bin").exists()
    assert not (tmp_path / "b.bin").exists()
    assert leftovers(tmp_path) == []
    assert recorded_sums(tmp_path) == {"a.bin": sha(BODY)}


def test_a_file_that_the_base_has_renewed_is_fetched(served: HTTPServer, tmp_path: Path) -> None:
    offers(served, "SHA256SUMS", 403, f"{sha(b'new')}  a.bin\n".encode())
    offers(served, "a.bin", b"old", b"new")
    assert mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep).fetched == ("a.bin",)
    assert mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep).fetched == ("a.bin",)
    assert mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep).kept == ("a.bin",)
    assert (tmp_path / "a.bin").read_bytes() == b"new"


def test_an_optional_file_may_be_missing_and_a_required_one_may_not(served: HTTPServer, tmp_path: Path) -> None:
    offers(served, "a.bin", BODY)
    result = mirror(base(served), ["a.bin"], tmp_path, optional=["b.bin"], sleep=no_sleep)
    assert (result.fetched, result.missing) == (("a.bin",), ("b.bin",))
    with refusal(DownloadError):
        mirror(base(served), ["b.bin"], tmp_path, sleep=no_sleep)
    assert leftovers(tmp_path) == []


def test_a_server_that_is_not_there_ends_in_one_line(tmp_path: Path) -> None:
    with refusal(DownloadError) as caught:
        mirror("http://127.0.0.1:1/base", ["a.bin"], tmp_path, n_attempts=2, sleep=no_sleep)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("damage", [lambda path: path.write_bytes(b"x"), lambda path: path.unlink()])
def test_a_second_run_fetches_only_what_is_damaged_or_lost(
    damage: Callable[[Path], object], served: HTTPServer, tmp_path: Path
) -> None:
    offers(served, "a.bin", BODY)
    mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep)
    assert mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep).kept == ("a.bin",)
    assert len(requests_for(served, "a.bin")) == 1
    damage(tmp_path / "a.bin")
    assert mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep).fetched == ("a.bin",)
    assert file_sha256(tmp_path / "a.bin") == sha(BODY)


@pytest.mark.parametrize(
    "name", ["../x", "a/../../x", "/etc/x", "a//b", "", ".", "a\\..\\x", "C:x", "a\nb", "SHA256SUMS", "a.part", "out/x"]
)
def test_a_name_that_leaves_the_folder_is_refused(name: str, served: HTTPServer, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "out").symlink_to(tmp_path)
    with refusal(InputError):
        mirror(base(served), [name], folder, sleep=no_sleep)
    assert list(served.log) == []


@pytest.mark.parametrize("url", ["ftp://example.org/x", "file:///etc", "example.org", "http://", "http://[x"])
def test_only_web_addresses_are_taken(url: str, tmp_path: Path) -> None:
    with refusal(InputError):
        mirror(url, ["a"], tmp_path, sleep=no_sleep)


def test_a_full_disk_is_one_line(served: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(part: download.PartialFile, response: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(part.path))

    offers(served, "a.bin", BODY)
    monkeypatch.setattr(download.PartialFile, "begin", full)
    with refusal(DiskFullError):
        mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep)


def test_a_file_where_a_folder_should_be_is_one_line(served: HTTPServer, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x")
    with pytest.raises(FileError, match="taken"):
        mirror(base(served), ["a.bin"], tmp_path / "taken", sleep=no_sleep)
