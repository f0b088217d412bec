"""Parse a text of any dialect: the one way in."""

from __future__ import annotations

from core.query.detection import detect, is_question, mixed_lines
from core.query.dialects import DIALECTS
from core.query.histories import history_in, written_total
from core.query.history_trees import read_lines
from core.query.lexer import LONGEST, cleaned
from core.query.reader import read
from core.query.tree import (
    DialectId,
    Finding,
    Kind,
    Node,
    ParsedQuery,
    Span,
)


def parse(text: str, dialect: DialectId | None = None) -> ParsedQuery:
    """Read a search string. Without a dialect the most likely one is taken; a broken text still gives a tree.

    >>> parsed = parse('(tree* OR "leaf cover") AND heat')
    >>> parsed.dialect, parsed.kind, len(parsed.nodes)
    ('plain', 'boolean', 5)
    >>> parse("Which trees cool a street in summer?").kind
    'question'
    """
    if len(text) > LONGEST:
        message = f"This has {len(text):,} characters, more than the {LONGEST:,} that are read. Is it a search string?"
        finding = Finding("too-long", "error", Span(0, len(text)), message)
        return ParsedQuery(text, dialect or "plain", 1.0 if dialect else 0.0, "empty", None, (finding,))
    found = detect(text)
    chosen = dialect or found.dialect
    confidence = 1.0 if dialect else found.confidence
    if chosen == "plain" and (found.question or (dialect and is_question(text))):
        return ParsedQuery(text, chosen, confidence, "question", None)
    root: Node | None
    if history := history_in(text):
        root, report, lines = read_lines(text, history, DIALECTS[chosen])
        if mixture := mixed_lines(text, lines, chosen):
            report.add("mixed-dialects", "warning", mixture.span, mixture.message)
        return ParsedQuery(text, chosen, confidence, _kind(root), root, report.in_order(), lines)
    total = written_total(cleaned(text))
    result = read(text, DIALECTS[chosen], end=total[0] if total else None)
    findings = result.findings
    if total:
        message = f"Read as the number of hits, {total[1]:,}, not as a part of the search."
        findings = (*findings, Finding("hit-count", "hint", Span(total[0], len(text.rstrip())), message))
    if result.root is None and not findings:
        findings = (Finding("empty", "error", Span(0, len(text)), "The query is empty: type at least one word."),)
    return ParsedQuery(text, chosen, confidence, _kind(result.root), result.root, findings)


def _kind(root: Node | None) -> Kind:
    return "empty" if root is None else "boolean"
