"""What the tool noticed, domain by domain: numbers first, then what the checks of the string found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from core.audit.document import Table
from core.audit.press import concepts, headings, limits, operators, spelling, words
from core.audit.press.domains import DOMAINS, Domain, DomainId
from core.audit.press.grounds import Counted, Grounds, publications, quoted
from core.audit.press.types import DomainReview, Evidence
from core.query.lint import RULES
from core.query.lint.in_corpus import effect_of
from core.query.tree import Finding

MOST_OF_A_RULE = 15
"""Findings of one rule that are told one by one."""
MOST_EFFECTS = 30
"""Missing spellings whose effect is counted."""
NO_EFFECT = " It would find nothing more here."
NOTHING = "Nothing was noticed here."
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
        DomainReview(domain.id, tuple(_told(domain, grounds)) or (Evidence(NOTHING),), _tables(domain.id, grounds))
        for domain in DOMAINS
    )


def _tables(domain: DomainId, grounds: Grounds) -> tuple[Table, ...]:
    return tuple(_TABLES[domain](grounds)) if domain in _TABLES else ()


def _told(domain: Domain, grounds: Grounds) -> Iterator[Evidence]:
    yield from _COUNTED[domain.id](grounds)
    told: Counter[str] = Counter()
    effects = Effects(grounds)
    for finding in grounds.findings:
        if finding.rule not in domain.rules:
            continue
        told[finding.rule] += 1
        if told[finding.rule] <= MOST_OF_A_RULE:
            yield _as_evidence(finding, grounds, effects)
    for rule, n in told.items():
        if n > MOST_OF_A_RULE:
            yield Evidence(f"{RULES[rule].title}: {n - MOST_OF_A_RULE:,} more of this kind.", rule=rule)


def _as_evidence(finding: Finding, grounds: Grounds, effects: Effects) -> Evidence:
    place = finding.span.of(grounds.parsed.text)
    head = f"{quoted(place)}: " if place.strip() else ""
    effect = effects.of(finding)
    look = finding.severity != "hint" or (finding.rule == "missing-variant" and effect != NO_EFFECT)
    return Evidence(f"{head}{finding.message}{effect}", look, finding.rule)
