"""The PRESS table: known flaws are found in their domain, and strings without one raise at most one false alarm."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from core.audit.press import DOMAINS, DomainReview
from core.audit.press_concepts import EvidenceGrounds
from core.audit.press_evidence import LOOK_AT_HINTS, evidence_by_domain
from core.query.checks.rules import RULES
from core.query.parser import parse
from core.query.tree import DialectId
from tests.core.audit.press_published import RIGHT_IN_REVIEWS, RIGHT_IN_SEEDED
from tests.core.audit.press_strings import CLEAN, FLAWS, CleanString, Flaw

YEAR = 2026


def checked(text: str, dialect: DialectId | None) -> tuple[DomainReview, ...]:
    grounds = EvidenceGrounds(parse(text, dialect), dialect is not None, None, "", is_version=False, year=YEAR)
    return evidence_by_domain(grounds)


def n_findings(text: str, dialect: DialectId | None) -> int:
    return sum(len(each.findings) for each in checked(text, dialect))


@pytest.mark.parametrize("flaw", FLAWS, ids=lambda flaw: flaw.name)
def test_every_known_flaw_is_found_in_its_domain(flaw: Flaw) -> None:
    domain = next(each for each in checked(flaw.text, flaw.dialect) if each.domain == flaw.domain)
    assert flaw.rule in {each.rule for each in domain.findings}


@pytest.mark.parametrize("clean", CLEAN, ids=lambda clean: clean.name)
def test_a_clean_string_raises_at_most_one_alarm(clean: CleanString) -> None:
    assert n_findings(clean.text, clean.dialect) <= 1
    assert n_findings(clean.text, None) <= 1


def without_last(text: str, sign: str) -> str:
    before, found, behind = text.rpartition(sign)
    return before + behind if found else ""


def with_last_line(text: str, change: Callable[[str], str]) -> str:
    """Change the last line of a history; empty: the text has no lines, or nothing changes."""
    before, found, last = text.rpartition("\n")
    changed = change(HITS.sub("", last))
    return f"{before}\n{changed}" if found and changed != HITS.sub("", last) else ""


HITS = re.compile(r"\s{3,}\d+$")
LAST_REFERENCE = re.compile(r"\s+(and|AND|not|NOT)\s+([#S]?)\d+$")
EDITS: dict[str, Callable[[str], str]] = {
    "unbalanced-bracket": lambda text: without_last(text, ")"),
    "unbalanced-quote": lambda text: without_last(text, '"'),
    "curly-quotes": lambda text: text.replace('"', "”") if '"' in text else "",
    "unused-line": lambda text: with_last_line(text, lambda line: LAST_REFERENCE.sub("", line)),
    "unknown-line": lambda text: with_last_line(text, lambda line: LAST_REFERENCE.sub(r" \1 \g<2>77", line)),
}
"""One edit of a clean string, by the rule that must find it; it returns an empty text where it can't be made."""


@pytest.mark.parametrize("rule", EDITS)
def test_one_edit_that_breaks_a_clean_string_is_found(rule: str) -> None:
    broken = [(clean, text) for clean in CLEAN if (text := EDITS[rule](clean.text))]
    assert len(broken) >= 8
    for clean, text in broken:
        found = {each.rule for domain in checked(text, clean.dialect) for each in domain.findings}
        assert rule in found, clean.name


@pytest.mark.parametrize("clean", [each for each in CLEAN if ") AND " in each.text], ids=lambda clean: clean.name)
def test_or_in_place_of_every_and_is_found(clean: CleanString) -> None:
    text = clean.text.replace(") AND ", ") OR ")
    found = {each.rule for domain in checked(text, clean.dialect) for each in domain.findings}
    assert found & {"or-between-concepts", "limit-in-or"} or " NOT " in text


def test_the_table_covers_every_domain() -> None:
    assert len(FLAWS) >= 25
    assert len(CLEAN) == 20
    assert {flaw.domain for flaw in FLAWS} == {domain.id for domain in DOMAINS}
    assert len({flaw.name for flaw in FLAWS}) == len(FLAWS)


def test_hints_that_deserve_a_look_are_rules() -> None:
    assert set(RULES) >= LOOK_AT_HINTS
    assert {rule for rule in LOOK_AT_HINTS if RULES[rule].severity == "error"} == set()


def test_nothing_is_said_of_publications_without_a_topic() -> None:
    for each in (*FLAWS, *CLEAN):
        told = [one.text for domain in checked(each.text, each.dialect) for one in domain.evidence]
        assert not [text for text in told if "counted here" in text or "nothing here" in text], each.name


def test_flaws_of_one_kind_are_one_finding() -> None:
    text = '(asthma[tiab] OR behavior[tiab] OR tumor[tiab] OR ageing[tiab]) AND "Asthma"[Mesh]'
    words = next(each for each in checked(text, "pubmed") if each.domain == "words")
    (spelling,) = [each for each in words.findings if each.rule == "missing-variant"]
    assert all(other in spelling.text for other in ("behaviour", "tumour", "aging"))


def test_a_broad_heading_next_to_its_narrower_ones_is_left_alone() -> None:
    listed = "1. Tomography/\n2. Tomography, Optical/\n3. tomograph*.tw.\n4. or/1-3"
    alone = "1. Tomography/\n2. tomograph*.tw.\n3. 1 or 2"
    assert [n_findings(text, "ovid") for text in (listed, alone)] == [0, 1]


def test_a_missing_spelling_in_a_not_is_no_finding() -> None:
    text = '("Asthma"[Mesh] OR asthma*[tiab]) AND ("Steroids"[Mesh] OR steroid*[tiab]) NOT "meta-analysis"[ti]'
    assert n_findings(text, "pubmed") == 0


def false_alarms(strings: dict[str, str], dialect: DialectId | None, right: dict[str, str]) -> dict[str, list[str]]:
    """By review, what is found and was not judged right; every finding that was judged right is still found."""
    alarms = {}
    for name, text in strings.items():
        left = Counter(right.get(name, "").split())
        found = Counter(each.rule or "headings" for domain in checked(text, dialect) for each in domain.findings)
        assert left <= found, name
        alarms[name] = list((found - left).elements())
    return alarms


def read_strings(path: Path, key: str) -> dict[str, str]:
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {row["id"]: row[key] for row in rows}


@pytest.mark.collections
def test_published_strings_raise_at_most_one_false_alarm(collections_dir: Path) -> None:
    """Judged by one reader: no string has a second false alarm, whether it has flaws or is clean (33 are)."""
    reviews = read_strings(collections_dir / "cleftar/strategies.jsonl", "text")
    alarms = false_alarms(reviews, None, RIGHT_IN_REVIEWS)
    assert (len(alarms), len(alarms.keys() - RIGHT_IN_REVIEWS.keys())) == (50, 33)
    assert {name: found for name, found in alarms.items() if len(found) > 1} == {}
    assert sum(map(len, alarms.values())) <= 8

    seeded = read_strings(collections_dir / "ielab_seed/topics.jsonl", "query")
    alarms = false_alarms(seeded, "pubmed", RIGHT_IN_SEEDED)
    assert len(alarms) == 20
    assert {name: found for name, found in alarms.items() if len(found) > 1} == {}
    assert sum(map(len, alarms.values())) <= 7
