"""The command `studies`."""

from __future__ import annotations

import pytest

from core.explore.studies import SURVEY_TEMPLATES, survey_words
from core.query.dialects import DIALECTS
from core.query.parser import parse
from tests.dashboard.runs import Runner


@pytest.mark.parametrize("template", SURVEY_TEMPLATES)
def test_the_query_for_surveys_in_every_dialect(run: Runner, template: str) -> None:
    document = run("studies", "surveys", "soft robot*", "--template", template, "--json").document
    assert list(document["queries"]) == list(DIALECTS)
    plain = parse(document["queries"]["plain"]["text"], "plain").root
    assert plain is not None
    assert plain.parts[0] == survey_words(template)  # type: ignore[union-attr, arg-type]


def test_the_published_words_come_first_and_one_dialect_is_enough(run: Runner) -> None:
    told = run("studies", "surveys", "soft robot*", "--to", "scopus", "--json").document
    assert (told["template"], list(told["queries"])) == ("published", ["scopus"])
    assert "Core Literature" in run("studies", "surveys", "soft robot*", "--to", "scopus").out
