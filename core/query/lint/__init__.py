"""What the writer of a query should know about it: everything that can be seen without a corpus."""

from __future__ import annotations

from itertools import chain

from core.query.lint import groups, terms, variants
from core.query.lint.outline import Outline, collected
from core.query.tree import Finding, ParsedQuery

CHECKS = (*terms.CHECKS, *groups.CHECKS, *variants.CHECKS)


def lint(parsed: ParsedQuery) -> tuple[Finding, ...]:
    """What was noticed while reading, and what the tree shows; in the order of the text, each with its place.

    >>> from core.query.reading.parse import parse
    >>> [(finding.rule, finding.message) for finding in lint(parse("heat OR heat"))]
    [('duplicate-term', 'This stands in the same OR already: take it out, or correct it if another was meant.')]
    """
    outline = Outline(parsed)
    found = collected(chain.from_iterable(check(outline) for check in CHECKS))
    return tuple(sorted((*parsed.findings, *found), key=lambda f: (f.span.start, f.span.end, f.rule)))
