"""What gets lost of a text before any source is thought of: what could not be read, and days within a year."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.query.tree import ParsedQuery, Range
from core.query.writing.adapting import Loss

LEFT_OUT = frozenset({"limit-left-out"})
"""Rules whose warnings say that something was left out; errors always say that something was read as it can be."""
_DAY = re.compile(r"\b\d{4}[/-]\d{1,2}(?!\d)|\b(19|20)\d{2}[01]\d([0-3]\d)?\b")
"""A year with a month. The year itself may be any; without signs between only one that is likely."""


def unread(parsed: ParsedQuery) -> Iterator[Loss]:
    """What the text holds that is in no tree, and so in nothing that is written from one."""
    for finding in parsed.findings:
        if finding.severity == "error" or finding.rule in LEFT_OUT:
            yield Loss(0, finding.span.start, finding.span.end, "unsupported", finding.message)


def dates_of(parsed: ParsedQuery, label: str) -> Iterator[Loss]:
    """Years of which the text names months or days too.

    >>> from core.query.reading.parse import parse
    >>> [loss.message for loss in dates_of(parse("heat[tiab] AND 2018/03:2019/04[dp]"), "OpenAlex")]
    ['OpenAlex is asked for whole years, without the months and days.']
    """
    for number, node in enumerate(parsed.nodes):
        if isinstance(node, Range) and _DAY.search(node.span.of(parsed.text)):
            message = f"{label} is asked for whole years, without the months and days."
            yield Loss(number, node.span.start, node.span.end, "widened", message)
