"""One file from a real local server that cuts, refuses, forgets and lies."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response
from werkzeug.http import http_date

from core.errors import DownloadError
from data.http.download import mirror
from tests.data.http.mirrored import BODY, Handler, answers, base, leftovers, no_sleep, requests_for

HALF = len(BODY) // 2
ETAG = '"first"'


def whole(body: bytes = BODY, etag: str = ETAG) -> Handler:
    """A server that knows ranges."""

    def handler(request: Request) -> Response:
        response = Response(body, headers={"ETag": etag})
        return response.make_conditional(request, accept_ranges=True, complete_length=len(body))

    return handler


def cut(body: bytes = BODY, etag: str | None = ETAG, last_modified: str | None = None) -> Handler:
    """Promises everything, sends half and hangs up."""
    named = {"ETag": etag, "Last-Modified": last_modified}
    headers = {"Content-Length": str(len(body))} | {name: value for name, value in named.items() if value}
    return lambda request: Response([body[: len(body) // 2]], headers=headers)


def status(code: int, **headers: str) -> Handler:
    return lambda request: Response("no", code, {name.replace("_", "-"): value for name, value in headers.items()})


def test_a_cut_download_goes_on_in_the_same_run(served: HTTPServer, tmp_path: Path) -> None:
    answers(served, "a.bin", cut(), whole())
    waits: list[float] = []
    mirror(base(served), ["a.bin"], tmp_path, sleep=waits.append)
    assert (tmp_path / "a.bin").read_bytes() == BODY
    again = requests_for(served, "a.bin")[1]
    assert (again.headers["Range"], again.headers["If-Range"]) == (f"bytes={HALF}-", ETAG)
    assert waits == [0.5]


def test_a_cut_download_goes_on_in_a_later_run(served: HTTPServer, tmp_path: Path) -> None:
    date = "Wed, 01 Jan 2025 10:00:00 GMT"
    rest = Response(BODY[HALF:], 206, {"Content-Range": f"bytes {HALF}-511999/512000"})
    answers(served, "a.bin", cut(etag='W/"weak"', last_modified=date), lambda request: rest)
    with pytest.raises(DownloadError, match=r"a\.bin"):
        mirror(base(served), ["a.bin"], tmp_path, n_attempts=1, sleep=no_sleep)
    assert leftovers(tmp_path) == ["a.bin.part", "a.bin.part.tag"]
    assert not (tmp_path / "a.bin").exists()
    mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep)
    assert requests_for(served, "a.bin")[1].headers["If-Range"] == date
    assert (tmp_path / "a.bin").read_bytes() == BODY
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("etag", [ETAG, None], ids=["another ETag", "no ETag"])
def test_a_changed_file_is_not_glued_to_an_old_beginning(etag: str | None, served: HTTPServer, tmp_path: Path) -> None:
    other = BODY[::-1]
    answers(served, "a.bin", cut(etag=etag), whole(other, etag='"second"'))
    mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep)
    assert (tmp_path / "a.bin").read_bytes() == other


@pytest.mark.parametrize(
    "second",
    [
        lambda request: Response(BODY),
        status(416, Content_Range=f"bytes */{len(BODY)}"),
        lambda request: Response(BODY[10:], 206, {"Content-Range": f"bytes 10-{len(BODY) - 1}/{len(BODY)}"}),
    ],
    ids=["ignores Range", "416", "another range"],
)
def test_a_server_that_does_not_continue_starts_over(second: Handler, served: HTTPServer, tmp_path: Path) -> None:
    answers(served, "a.bin", cut(), second, whole())
    mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep)
    assert (tmp_path / "a.bin").read_bytes() == BODY


def test_an_answer_that_is_compressed_all_the_same_is_unpacked(served: HTTPServer, tmp_path: Path) -> None:
    packed = gzip.compress(BODY)
    answers(served, "a.bin", lambda request: Response(packed, headers={"Content-Encoding": "gzip", "ETag": ETAG}))
    mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep)
    assert (tmp_path / "a.bin").read_bytes() == BODY


def test_a_busy_server_is_given_the_time_that_it_asks_for(served: HTTPServer, tmp_path: Path) -> None:
    until = status(429, Retry_After=http_date(datetime.now(UTC) + timedelta(seconds=60)))
    busy = (status(503, Retry_After="7"), until, status(500), status(503, Retry_After="soon"))
    answers(served, "a.bin", *busy, whole())
    waits: list[float] = []
    mirror(base(served), ["a.bin"], tmp_path, sleep=waits.append)
    assert waits[0] == 7
    assert waits[1] == pytest.approx(60, abs=5)
    assert waits[2:] == [2.0, 4.0]
    assert (tmp_path / "a.bin").read_bytes() == BODY


@pytest.mark.parametrize(
    ("refusal", "message", "n_waits"),
    [(status(503), r"503 .*attempt 3", 2), (status(429, Retry_After="3600"), "wait 3600 s", 0), (cut(), "can't", 2)],
)
def test_patience_ends_in_one_line(
    refusal: Handler, message: str, n_waits: int, served: HTTPServer, tmp_path: Path
) -> None:
    answers(served, "a.bin", refusal)
    waits: list[float] = []
    with pytest.raises(DownloadError, match=message) as caught:
        mirror(base(served), ["a.bin"], tmp_path, n_attempts=3, sleep=waits.append)
    assert len(waits) == n_waits
    assert "\n" not in str(caught.value)


def test_a_refusal_is_an_error_and_keys_are_not_shown(served: HTTPServer, tmp_path: Path) -> None:
    answers(served, "a.bin", status(401))
    url = base(served).replace("://", "://me:secret@") + "?key=hidden"
    with pytest.raises(DownloadError, match="401") as caught:
        mirror(url, ["a.bin"], tmp_path, sleep=no_sleep)
    assert "secret" not in str(caught.value)
    assert "hidden" not in str(caught.value)
    assert requests_for(served, "a.bin")[0].args["key"] == "hidden"


def test_a_redirect_is_followed_but_not_to_another_protocol(served: HTTPServer, tmp_path: Path) -> None:
    answers(served, "a.bin", status(302, Location="/base/moved.bin"))
    answers(served, "moved.bin", whole())
    answers(served, "b.bin", status(302, Location="ftp://example.org/b.bin"))
    mirror(base(served), ["a.bin"], tmp_path, sleep=no_sleep)
    assert (tmp_path / "a.bin").read_bytes() == BODY
    with pytest.raises(DownloadError, match=r"b\.bin"):
        mirror(base(served), ["b.bin"], tmp_path, sleep=no_sleep)
