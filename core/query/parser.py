"""Parse a text of any dialect: the only entry point."""

from __future__ import annotations

import re
from dataclasses import replace

from core.query.detection import DialectDetection, detect, is_question, mixed_lines
from core.query.dialects import DIALECTS, unknown_tag
from core.query.dialects.base import Tag
from core.query.dialects.dimensions import INDEXES, DimensionsSearch, unwrapped
from core.query.exports import laid_out, left_out, restriction_in
from core.query.histories import NumberedLine, SearchHistory, history_in, written_total
from core.query.history_trees import read_lines, refers_to_lines
from core.query.lexer import LONGEST, FindingCollector, cleaned, with_tag
from core.query.reader import read
from core.query.tree import (
    DialectId,
    Finding,
    Kind,
    Node,
    ParsedQuery,
    Range,
    Span,
    Term,
    group_of,
)


def parse(text: str, dialect: DialectId | None = None) -> ParsedQuery:
    """Parse a search string. Without a dialect, the most likely one is used; a broken text still gives a tree.

    >>> parsed = parse('(tree* OR "leaf cover") AND heat')
    >>> parsed.dialect, parsed.kind, len(parsed.nodes)
    ('plain', 'boolean', 5)
    >>> parse("Which trees cool a street in summer?").kind
    'question'
    """
    if len(text) > LONGEST:
        message = f"This has {len(text):,} characters; at most {LONGEST:,} are read. Is it a search string?"
        finding = Finding("too-long", "error", Span(0, len(text)), message)
        return ParsedQuery(text, dialect or "plain", 1.0 if dialect else 0.0, "empty", None, (finding,))
    is_plain_question = dialect == "plain" and is_question(text)
    chosen, confidence, question = DialectDetection(dialect, 1.0, is_plain_question) if dialect else detect(text)
    if question:
        return ParsedQuery(text, chosen, confidence, "question", None)
    if chosen == "dimensions" and (search := unwrapped(text)):
        return _unwrapped_search(text, search, confidence)
    root: Node | None
    plain, noticed, _ = laid_out(text)
    if history := history_in(text):
        root, report, lines = read_lines(plain, history, DIALECTS[chosen])
        for finding in noticed:
            report.add(finding.rule, finding.severity, finding.span, finding.message, finding.fix)
        if mixture := mixed_lines(text, lines, chosen):
            report.add("mixed-dialects", "warning", mixture.span, mixture.message)
        return ParsedQuery(text, chosen, confidence, _kind(root), root, report.in_order(), lines)
    total = written_total(cleaned(plain))
    if not total and refers_to_lines(plain, DIALECTS[chosen]):
        only_line = SearchHistory((NumberedLine(0, 0, len(plain.rstrip())),), findings=noticed)
        root, report, _ = read_lines(plain, only_line, DIALECTS[chosen])
        return ParsedQuery(text, chosen, confidence, _kind(root), root, report.in_order())
    end = total[0] if total else len(text)
    restriction = restriction_in(plain[:end], chosen)
    result = read(plain, DIALECTS[chosen], end=restriction.search_end if restriction else end)
    findings = (*noticed, *result.findings)
    if restriction and restriction.text:
        findings = (*findings, left_out(restriction, Span(restriction.start, end)))
    if total:
        message = f"Read as the number of hits, {total[1]:,}, not as part of the search."
        findings = (*findings, Finding("hit-count", "hint", Span(total[0], len(text.rstrip())), message))
    if result.root is None and not findings:
        findings = (Finding("empty", "error", Span(0, len(text)), "The query is empty: type at least one word."),)
    return ParsedQuery(text, chosen, confidence, _kind(result.root), result.root, findings)


# A search in the search language of Dimensions: one index for the whole string, and conditions next to it.

_YEAR = re.compile(r"year\s*(=|>=|<=|>|<|in)\s*\[?\s*(\d{4})(?:\s*:\s*(\d{4}))?\s*\]?", re.IGNORECASE)
_TYPE = re.compile(r"type\s*(?:=|in)\s*\[?((?:\s*\"\w+\"\s*,?)+)\]?", re.IGNORECASE)


def _unwrapped_search(text: str, search: DimensionsSearch, confidence: float) -> ParsedQuery:
    dialect = DIALECTS["dimensions"]
    result = read(search.text, dialect, start=search.start, end=search.end)
    report = FindingCollector()
    for finding in result.findings:
        report.add(finding.rule, finding.severity, finding.span, finding.message, finding.fix)
    if result.root is None:
        return ParsedQuery(text, "dimensions", confidence, "empty", None, report.in_order())
    index = search.looks_in.lower() or "full_data"
    fields = INDEXES.get(index)
    if fields is None:
        place = text.lower().index(index)
        message = f"Dimensions has no known index {index[:40]}: correct it."
        report.add("unknown-field", "error", Span(place, place + len(index)), message)
    parts = [with_tag(result.root, Tag(fields=fields or unknown_tag(index).fields))]
    for condition in search.conditions:
        span = Span(condition.start, condition.end)
        node = _condition(condition.text.strip(), span)
        if isinstance(node, Range) and isinstance(parts[-1], Range) and (years := _both(parts[-1], node)):
            parts[-1] = years
        elif node is not None:
            parts.append(node)
        else:
            message = f"This condition can't be read, so it was left out: {condition.text.strip()[:60]}."
            report.add("unknown-field", "error", span, message)
    root = group_of("AND", parts, span=Span(0, len(text)))
    return ParsedQuery(text, "dimensions", confidence, "boolean", root, report.in_order())


def _condition(text: str, span: Span) -> Node | None:
    """Read year >= 2010, year in [2010:2020], or type in ["article", "chapter"]."""
    if found := _YEAR.fullmatch(text):
        sign, first, last = found[1].lower(), int(found[2]), found[3]
        if sign in ("=", "in"):
            return Range(first, int(last) if last else first, span=span)
        low, high = (first + (sign == ">"), None) if sign.startswith(">") else (None, first - (sign == "<"))
        return Range(low, high, span=span)
    if found := _TYPE.fullmatch(text):
        values = re.findall(r"\w+", found[1])
        terms = [Term((value,), True, ("publication_type",), span=span) for value in values]
        return group_of("OR", terms, span=span)
    return None


def _both(one: Range, other: Range) -> Range | None:
    """Merge year >= 2010 and year <= 2020 into one range."""
    if one.high is None and other.low is None:
        return replace(one, high=other.high, span=Span(one.span.start, other.span.end))
    return None


def _kind(root: Node | None) -> Kind:
    return "empty" if root is None else "boolean"
