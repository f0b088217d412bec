"""The databases of platforms: all have a label and a default, and the choice matters to headings only."""

from __future__ import annotations

import pytest

from core.query.dialects import DIALECTS
from core.query.dialects.base import DATABASE_LABELS
from core.query.dialects.meanings import thesaurus_of
from core.query.parser import parse
from core.query.tree import DialectId
from dashboard.query.databases import (
    checked_database,
    default_database,
    has_databases,
    needs_database,
    other_database,
)

PLATFORMS: list[DialectId] = [dialect_id for dialect_id in DIALECTS if has_databases(dialect_id)]


def test_every_database_of_every_platform_has_a_label_of_its_own() -> None:
    assert set(DATABASE_LABELS) == {name for dialect in DIALECTS.values() for name in dialect.databases}
    assert len(set(DATABASE_LABELS.values())) == len(DATABASE_LABELS)


@pytest.mark.parametrize("dialect_id", PLATFORMS)
def test_the_default_is_the_database_that_is_meant_where_none_is_named(dialect_id: DialectId) -> None:
    dialect = DIALECTS[dialect_id]
    assert thesaurus_of(dialect, default_database(dialect_id)) == thesaurus_of(dialect)
    for database in dialect.databases:
        assert checked_database(database.upper(), dialect_id, "--database") == database
        other = other_database(dialect_id, database)
        assert thesaurus_of(dialect, other) != thesaurus_of(dialect, database)


def test_a_platform_with_one_database_has_nothing_to_choose() -> None:
    assert (default_database("pubmed"), other_database("pubmed", "")) == ("", "")


def test_only_headings_depend_on_the_database() -> None:
    assert needs_database(parse("exp Heat/ or heat.ti.", "ovid"))
    assert not needs_database(parse("heat.ti. and cold.ab.", "ovid"))
