"""Collects what is noticed while a text is read."""

from __future__ import annotations

from collections import Counter

from core.query.tree import Finding, Fix, Severity, Span

MOST_OF_A_KIND = 50
"""Findings of one rule that are listed."""


class Report:
    """Findings so far."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._n_found: Counter[str] = Counter()

    def has(self, rule: str) -> bool:
        """Whether a rule was broken so far."""
        return rule in self._n_found

    def add(self, rule: str, severity: Severity, span: Span, message: str, fix: Fix | None = None) -> None:
        """Report something; the same rule again and again only so often."""
        self._n_found[rule] += 1
        if self._n_found[rule] < MOST_OF_A_KIND:
            self.findings.append(Finding(rule, severity, span, message, fix))
        elif self._n_found[rule] == MOST_OF_A_KIND:
            self.findings.append(Finding(rule, severity, span, f"{message} There are more of this kind."))

    def in_order(self) -> tuple[Finding, ...]:
        """As they stand in the text."""
        return tuple(sorted(self.findings, key=lambda f: (f.span.start, f.span.end)))
