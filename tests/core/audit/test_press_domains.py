"""The six domains: official titles, and every check of a string in exactly one of them."""

from __future__ import annotations

from collections import Counter

from core.audit.press import DOMAIN_OF_RULE, DOMAINS, VERDICTS
from core.query.checks.rules import RULES
from tests.messages import assert_message


def test_every_rule_belongs_to_exactly_one_domain():
    assert Counter(rule for domain in DOMAINS for rule in domain.rules) == Counter(list(RULES))
    assert set(DOMAIN_OF_RULE) == set(RULES)


def test_titles_and_verdicts_are_those_of_the_guideline():
    assert_message(*(domain.title for domain in DOMAINS), *VERDICTS.values())
    assert [domain.number for domain in DOMAINS] == [1, 2, 3, 4, 5, 6]
    assert [domain.item for domain in DOMAINS] == [f"press:{n}" for n in range(1, 7)]


def test_each_domain_asks_in_whole_questions():
    for domain in DOMAINS:
        assert domain.asks
        assert all("?" in question for question in domain.asks)
