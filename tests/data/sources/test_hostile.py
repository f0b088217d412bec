"""Answers in which something, anywhere, is not what it should be: read as far as they go, or an error of our own."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import FormatChangedError, QueryscapeError
from core.library.records import Record
from core.types import unique_ids
from tests.data.sources.fake_sources.playing import played
from tests.data.sources.fake_sources.registry import STANDS, Stand
from tests.data.sources.fake_sources.server import Answer, Asked, as_json
from tests.messages import refusal

Path = tuple[str | int, ...]
OF_JSON = [stand for stand in STANDS if stand.source != "pubmed"]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["\ud800", "\x00", "<b>", "&#0;", "a" * 5000, "10.1/" * 300, "W1", "9" * 40]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """Every place in a document."""
    yield at
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from paths(part, (*at, name))


def put(document: Any, path: Path, value: Any) -> Any:
    """The document with something else at one place."""
    if not path:
        return value
    changed = copy.deepcopy(document)
    inner = changed
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return changed


@pytest.mark.parametrize("stand", OF_JSON, ids=lambda stand: stand.source)
def test_one_thing_anywhere_in_an_answer_is_something_else(stand: Stand) -> None:
    with played(stand, n=4, n_attempts=1) as it:
        document = json.loads(it.page().raw)
        places = list(paths(document))
        good, answer = it.service.answer, [b""]

        def odd(asked: Asked, fault: str) -> Answer:
            return as_json(answer[0]) if stand.brings(asked) else good(asked, fault)

        it.service.answer = odd  # type: ignore[method-assign]

        @settings(max_examples=120)
        @given(st.sampled_from(places), VALUES)
        def asks(path: Path, value: Any) -> None:
            answer[0] = json.dumps(put(document, path, value)).encode()
            try:
                page = it.page()
            except QueryscapeError:
                return
            assert len(page.fetched) + len(page.aside) <= 5
            for each in page.fetched:
                assert each.key
                record = each.record
                kept = json.loads(json.dumps(record.document()))
                assert Record.from_document(kept) == record, "a journal gives it back"
                assert record.authors == unique_ids(record.authors)
                (record.title + (record.abstract or "") + (record.venue or "")).encode()

        asks()


@pytest.mark.parametrize("stand", STANDS, ids=lambda stand: stand.source)
@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b"null", b"\xff\xfe", b"[" * 100_000, b"<a><b>", b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"],
)
def test_an_answer_that_is_nothing_like_it(stand: Stand, body: bytes) -> None:
    with played(stand, n=4, n_attempts=2) as it:
        good = it.service.answer
        it.service.answer = lambda asked, fault: (  # type: ignore[method-assign]
            Answer(body, 200, {"content-type": "text/xml"}) if stand.brings(asked) else good(asked, fault)
        )
        with pytest.raises(QueryscapeError) as e:
            it.page()
        assert "\n" not in str(e.value)
        assert len(str(e.value)) < 400


@pytest.mark.parametrize(
    ("source", "path"), [("openalex", ("meta", "next_cursor")), ("semanticscholar", ("token",))], ids=str
)
def test_a_source_that_goes_in_a_circle_is_left(source: str, path: Path) -> None:
    stand = next(each for each in STANDS if each.source == source)
    with played(stand) as it:
        first = it.page()
        second = json.loads(it.page(first.next).raw)
        here = reduce(lambda value, key: value[key], path, json.loads(first.raw))
        body = json.dumps(put(second, path, here)).encode()
        it.service.answer = lambda asked, fault: as_json(body)  # type: ignore[method-assign]
        with refusal(FormatChangedError):
            it.page(first.next)
