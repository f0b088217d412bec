"""Published filters: each can be read, joined to a string in any dialect, recognised again, and priced."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.filters import FILTERS, filter_named, filters_in, in_dialect, insert_filter, outside_filters
from core.audit.prisma_s import filter_signs
from core.errors import InputError, NotFoundError
from core.query.checks import lint
from core.query.equivalence import same
from core.query.parser import parse
from core.query.tree import DialectId, Not, group_of

OWN = {
    "pubmed": "heat[ti] OR cold[ti]",
    "ovid": "heat.ti. or cold.ti.",
    "ebsco": "TI heat OR TI cold",
    "embase": "heat:ti OR cold:ti",
}


@pytest.mark.parametrize("filter_id", FILTERS)
def test_each_filter_is_read_without_errors_and_cited(filter_id: str) -> None:
    published = FILTERS[filter_id]
    parsed = parse(published.text, published.dialect)
    assert parsed.root is not None
    assert [f for f in (*parsed.findings, *lint(parsed)) if f.severity == "error"] == []
    assert published.citation
    assert published.address.startswith("http")


@pytest.mark.parametrize("filter_id", FILTERS)
def test_a_filter_is_recognised_where_it_was_inserted(filter_id: str) -> None:
    published = FILTERS[filter_id]
    insertion = insert_filter(parse(OWN[published.dialect], published.dialect), published)
    assert (insertion.losses, insertion.filter_text) == ((), published.text)
    assert filters_in(insertion.text) == (published,)
    sign = filter_signs(insertion.text)[0]
    assert (sign.name, sign.words) == (published.name, published.text)
    assert published.address in sign.citation


@pytest.mark.parametrize(("filter_id", "text"), [(f.filter_id, text) for f in FILTERS.values() for text in f.variants])
def test_another_wording_in_circulation_is_recognised(filter_id: str, text: str) -> None:
    assert filters_in(f"(heat.ti.) and ({text})") == (FILTERS[filter_id],)


@given(
    filter_id=st.sampled_from(sorted(FILTERS)),
    dialect=st.sampled_from(get_args(DialectId)),
    text=st.sampled_from(["heat", "heat OR cold", "heat AND cold", "(heat OR cold) AND tree", '"heat wave" OR cold']),
)
def test_inserting_means_and_or_and_not(filter_id: str, dialect: DialectId, text: str) -> None:
    published, parsed = FILTERS[filter_id], parse(text, dialect)
    if published.is_excluded and in_dialect(filter_id, dialect)[1]:
        with pytest.raises(InputError):
            insert_filter(parsed, published)
        return
    insertion = insert_filter(parsed, published)
    inserted, joined = parse(insertion.filter_text, dialect).root, parse(insertion.text, dialect).root
    assert parsed.root is not None
    assert inserted is not None
    assert joined is not None
    assert same(joined, group_of("AND", (parsed.root, Not(inserted) if published.is_excluded else inserted)))


def test_an_animal_filter_never_leaves_out_studies_in_humans_too() -> None:
    """Elsewhere the translation drops the headings of humans, so the filter would exclude every mention of animals."""
    with pytest.raises(InputError):
        insert_filter(parse("TI=heat", "wos"), FILTERS["animals-pubmed"])


def test_a_numbered_history_gets_lines_of_its_own() -> None:
    history = "1. heat.ti.\n2. cold.ti.\n3. 1 or 2"
    text = insert_filter(parse(history, "ovid"), FILTERS["animals-ovid"]).text
    assert text.startswith(history)
    assert text.splitlines()[3:] == ["4. exp animals/ not humans.sh.", "5. 3 NOT 4"]


def test_a_filter_with_more_terms_in_its_list_is_not_the_published_one() -> None:
    assert filters_in("heat AND (validation[tiab] OR validate[tiab] OR tested[tiab])") == ()
    assert filters_in("heat AND (validation[tiab]\n  OR Validate[tiab])")
    assert outside_filters("Heat") == "Heat"


@pytest.mark.parametrize("text", ["", "heat AND", "(heat"])
def test_a_string_that_cannot_be_read_gets_no_filter(text: str) -> None:
    with pytest.raises(InputError):
        insert_filter(parse(text, "pubmed"), FILTERS["animals-pubmed"])


def test_an_unknown_filter_is_refused() -> None:
    with pytest.raises(NotFoundError):
        filter_named("none")
