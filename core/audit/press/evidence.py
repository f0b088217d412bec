"""What the tool noticed, domain by domain: numbers first, then what the checks of the string found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from core.audit.document import Table
from core.audit.press import concepts, headings, limits, operators, spelling, words
from core.audit.press.domains import DOMAIN_OF_RULE, DOMAINS, Domain, DomainId
from core.audit.press.grounds import Counted, Grounds, publications, quoted
from core.audit.press.types import DomainReview, Evidence
from core.query.lint.in_corpus import effect_of
from core.query.lint.rules import RULES
from core.query.tree import Finding

MOST_OF_A_RULE = 15
"""Findings of one rule that are told one by one."""
LONGEST = 2_000
"""Characters of a sentence."""
MOST_EFFECTS = 30
"""Missing spellings whose effect is counted."""
QUOTES = " \t\n\"“”„'‘’"
"""A place that is nothing else says nothing."""
NO_EFFECT = " It would find nothing more here."
NOTHING = "Nothing was noticed here."
NO_TREE = "There is nothing to check: the string is not made of terms and operators."
_COUNTED = {
    "question": concepts.evidence,
    "operators": operators.evidence,
    "headings": headings.evidence,
    "words": words.evidence,
    "spelling": spelling.evidence,
    "limits": limits.evidence,
}
_TABLES = {
    "question": concepts.tables,
    "operators": operators.tables,
    "headings": headings.tables,
    "words": words.tables,
    "spelling": spelling.tables,
}


class Effects:
    """What adding a missing spelling would bring, for the first few."""

    def __init__(self, grounds: Grounds) -> None:
        self._grounds = grounds
        self._n = 0

    def of(self, finding: Finding) -> str:
        """A sentence, or none."""
        counted: Counted | None = self._grounds.counted
        if counted is None or finding.rule != "missing-variant" or finding.fix is None or self._n >= MOST_EFFECTS:
            return ""
        self._n += 1
        asked = counted.asked
        effect = effect_of(finding.fix, self._grounds.parsed, asked.corpus, asked.semantics, counted.core)
        if not effect.records_gained:
            return NO_EFFECT
        core = f", {effect.core_gained:,} of them core" if effect.core_gained else ", none of them core"
        return f" It would find {publications(effect.records_gained)} more{core}."


def evidence(grounds: Grounds) -> tuple[DomainReview, ...]:
    """All six domains with their evidence and its tables; nothing is decided yet."""
    return tuple(
        DomainReview(domain.id, tuple(map(_short, _told(domain, grounds))), _tables(domain.id, grounds))
        for domain in DOMAINS
    )


def _short(each: Evidence) -> Evidence:
    """A sentence that repeats a whole search string is cut: the string stands in the review anyway."""
    return each if len(each.text) <= LONGEST else replace(each, text=f"{each.text[: LONGEST - 1]}…")


def _tables(domain: DomainId, grounds: Grounds) -> tuple[Table, ...]:
    return tuple(_TABLES[domain](grounds)) if domain in _TABLES else ()


def _told(domain: Domain, grounds: Grounds) -> Iterator[Evidence]:
    counted = list(_COUNTED[domain.id](grounds))
    yield from counted
    told: Counter[str] = Counter()
    effects = Effects(grounds)
    for finding in grounds.findings:
        if _domain_of(finding, grounds) is not domain or _is_told(finding, grounds, counted):
            continue
        told[finding.rule] += 1
        if told[finding.rule] <= MOST_OF_A_RULE:
            yield _as_evidence(finding, grounds, effects)
    for rule, n in told.items():
        if n > MOST_OF_A_RULE:
            yield Evidence(f"{RULES[rule].title}: {n - MOST_OF_A_RULE:,} more of this kind.", rule=rule)
    if not counted and not told:
        yield Evidence(NO_TREE if grounds.parsed.root is None else NOTHING)


def _domain_of(finding: Finding, grounds: Grounds) -> Domain:
    """That of its rule; but what can't be tested here and is no subject heading is a limit or a filter."""
    domain = DOMAIN_OF_RULE[finding.rule]
    if finding.rule != "not-testable":
        return domain
    headings_at = {node.span for node in grounds.parsed.nodes if headings.is_heading(node)}
    return domain if finding.span in headings_at else DOMAINS[-1]


def _is_told(finding: Finding, grounds: Grounds, counted: list[Evidence]) -> bool:
    """Whether the numbers say the same already."""
    if finding.rule == "not-removes-core":
        return any(each.rule == finding.rule for each in counted)
    place = " ".join(finding.span.of(grounds.parsed.text).split())
    return finding.rule == "not-testable" and any(f"“{place}”" in each.text for each in counted)


def _as_evidence(finding: Finding, grounds: Grounds, effects: Effects) -> Evidence:
    place = finding.span.of(grounds.parsed.text)
    head = f"{quoted(place)}: " if place.strip(QUOTES) else ""
    effect = effects.of(finding)
    look = finding.severity != "hint" or (finding.rule == "missing-variant" and effect != NO_EFFECT)
    return Evidence(f"{head}{finding.message}{effect}", look, finding.rule)
