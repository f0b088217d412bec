"""Check a search string for likely mistakes: one module for each kind of check."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from core.query.checks.concepts import CONCEPT_CHECKS, completed
from core.query.checks.groups import GROUP_CHECKS
from core.query.checks.outline import QueryOutline, collected
from core.query.checks.spellings import SPELLING_CHECKS
from core.query.checks.strategies import STRATEGY_CHECKS
from core.query.checks.terms import TERM_CHECKS
from core.query.parser import parse
from core.query.tree import Finding, ParsedQuery, apply_edits

# Everything that the author of a query should know and that shows without a corpus.

CHECKS = (*TERM_CHECKS, *GROUP_CHECKS, *SPELLING_CHECKS, *CONCEPT_CHECKS)


def lint(parsed: ParsedQuery) -> tuple[Finding, ...]:
    """Return the findings from reading and those from the tree, each with its place, in text order.

    An error stands before the warnings and hints at its place, which may follow from it.

    >>> [(finding.rule, finding.message) for finding in lint(parse("heat OR heat"))]
    [('duplicate-term', 'This is already in the same OR: remove it, or correct it if you meant another term.')]
    """
    outline = QueryOutline(parsed)
    found = collected(chain.from_iterable(check(outline) for check in CHECKS))
    noticed = completed(outline, parsed)
    return _in_order((*noticed, *found))


def _in_order(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    errors = [finding.span for finding in findings if finding.severity == "error"]

    def place(finding: Finding) -> tuple[int, bool, int, str]:
        span = finding.span
        causes = [e.start for e in errors if e.start < span.end and span.start < e.end]
        if finding.severity == "error" or not causes:
            return span.start, False, span.end, finding.rule
        return max(span.start, min(causes)), True, span.end, finding.rule

    return tuple(sorted(findings, key=place))


def errors_of(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.severity == "error")


MOST_FIX_STEPS = 50


def fix_errors(parsed: ParsedQuery) -> ParsedQuery:
    """Apply the first fix of every error, one after the other: a fix may cause or fix another error.

    >>> fix_errors(parse("(heat AND")).text
    '(heat )'
    """
    for _ in range(MOST_FIX_STEPS):
        fix = next((finding.fix for finding in errors_of(lint(parsed)) if finding.fix), None)
        if fix is None:
            break
        parsed = parse(apply_edits(parsed.text, fix.edits), parsed.dialect)
    return parsed


def lint_strategy(parsed: ParsedQuery) -> tuple[Finding, ...]:
    """Return what the reviewer of a whole strategy should look at, in text order: much of it may be intended.

    >>> [finding.rule for finding in lint_strategy(parse("heat[tiab] AND tree[tiab] AND english[la]", "pubmed"))]
    ['language-limit']
    """
    outline = QueryOutline(parsed)
    return collected(chain.from_iterable(check(outline) for check in STRATEGY_CHECKS))
