"""What a query's labels say of relations, whoever wrote them."""

from __future__ import annotations

import pytest

from core.collections import Query
from core.knowledge.templates import GIVEN, TEMPLATE, Requirement, requirement_of


def read(given: str) -> Requirement | None:
    return requirement_of(Query("1", "papers", ((TEMPLATE, "by"), (GIVEN, given))))


@pytest.mark.parametrize(
    "given", ["", "{", "7", "[]", '{"a": 7}', '{"a": "b"}', "[" * 100_000, '{"a":' * 100_000, "9" * 5_000]
)
def test_labels_that_say_nothing_are_no_requirement(given: str) -> None:
    assert read(given) is None


def test_ids_that_are_numbers_are_read_as_texts() -> None:
    assert read('{"author": [7, "07"]}') == Requirement("by", {"author": ("7", "07")})
    assert requirement_of(Query("1", "papers", ((TEMPLATE, "by"),))) is None
