"""Checks of the parts of an AND or OR: duplicates, parts that others cover, contradictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from core.query.checks.outline import GroupMember, QueryOutline, TermCoverage, covers, quoted
from core.query.dialects.base import TagStyle
from core.query.tree import Edit, Finding, Fix, Group, Not, Span, Term, parts_joined

# Checks of the parts that an AND or OR combines.

LONG_OR = 150
"""Maximum number of alternatives in an OR that can still be checked by eye."""


def duplicates(outline: QueryOutline) -> Iterator[Finding]:
    for group, members in outline.groups():
        seen: set[int] = set()
        for member in members:
            alike = outline.alike(member.node)
            if alike in seen:
                message = (
                    f"This is already in the same {group.operator}: remove it, or correct it if you meant another term."
                )
                fix = outline.taken_out(member, "Remove it")
                yield Finding("duplicate-term", "warning", member.node.span, message, fix)
            seen.add(alike)


def subsumed(outline: QueryOutline) -> Iterator[Finding]:
    """Report in an OR terms that a broader one covers; in an AND, terms that a narrower one implies."""
    for group, members in outline.groups():
        once = {outline.alike(m.node): m for m in reversed(members) if isinstance(m.node, Term)}
        terms = {id(m.node): m for m in once.values()}
        coverage = TermCoverage(m.node for m in terms.values() if isinstance(m.node, Term))
        told: set[int] = set()
        for member in terms.values():
            narrow = member.node
            assert isinstance(narrow, Term)
            broad = next((b for b in coverage.broader(narrow) if b is not narrow and not covers(narrow, b)), None)
            if broad is None:
                continue
            useless, because = (narrow, broad) if group.operator == "OR" else (broad, narrow)
            if id(useless) not in told:
                told.add(id(useless))
                yield _subsumed(outline, terms[id(useless)], because, group)


def _subsumed(outline: QueryOutline, useless: GroupMember, because: Term, group: Group) -> Finding:
    other = quoted(outline, because.span)
    message = (
        f"{other} already finds all of this: remove this."
        if group.operator == "OR"
        else f"Wherever {other} matches, this matches too: remove this."
    )
    return Finding("subsumed-term", "hint", useless.node.span, message, outline.taken_out(useless, "Remove it"))


def absorbed(outline: QueryOutline) -> Iterator[Finding]:
    """Report brackets that change nothing: a OR (a AND b), a AND (a OR b)."""
    for _, members in outline.groups():
        alone = {outline.alike(m.node): m.node for m in members if not isinstance(m.node, Group)}
        for member in members:
            inner = member.node
            if not isinstance(inner, Group):
                continue
            same = next((alone[outline.alike(part)] for part in inner.parts if outline.alike(part) in alone), None)
            if same is not None:
                message = f"{quoted(outline, same.span)} is both next to this and inside it: this changes nothing."
                fix = outline.taken_out(member, "Remove it")
                yield Finding("absorbed-group", "warning", inner.span, message, fix)


def contradictions(outline: QueryOutline) -> Iterator[Finding]:
    """Report a AND NOT a: nothing can match."""
    for group, members in outline.groups():
        if group.operator != "AND":
            continue
        asked = {outline.alike(m.node) for m in members if not isinstance(m.node, Not)}
        for member in members:
            if not isinstance(member.node, Not):
                continue
            both = next((part for part in parts_joined(member.node.part, "OR") if outline.alike(part) in asked), None)
            if both is not None:
                message = f"{quoted(outline, both.span)} is both required and excluded: nothing can match."
                fix = outline.taken_out(member, "Remove the NOT")
                yield Finding("contradiction", "error", member.node.span, message, fix)


def mixed_fields(outline: QueryOutline) -> Iterator[Finding]:
    """Report a field that seems to be forgotten: Elevated OR Raised[tiab]."""
    style = outline.dialect.tag_style
    for bare, tagged in bare_and_tagged(outline):
        if len(bare) > len(tagged):
            message = (
                "This has a field, most others in this OR have none: they are searched everywhere. Is that intended?"
            )
            yield Finding("mixed-fields", "hint", tagged[0].span, message)
            continue
        for term in bare:
            message = "This has no field, but others in this OR have one, so it is searched everywhere. Add a field."
            yield Finding("mixed-fields", "hint", term.span, message, _tag_added(outline, term, tagged, style))


def bare_and_tagged(outline: QueryOutline) -> Iterator[tuple[list[Term], list[Term]]]:
    """Yield the terms without and with a field, for each OR that has both."""
    if outline.dialect.tag_style == "none":
        return
    for group, members in outline.groups():
        if group.operator != "OR":
            continue
        terms = [m.node for m in members if isinstance(m.node, Term)]
        bare = [t for t in terms if not t.fields and not _is_tagged(outline, t.span)]
        tagged = [t for t in terms if t.fields]
        if bare and tagged:
            yield bare, tagged


def _is_tagged(outline: QueryOutline, span: Span) -> bool:
    shown = span.of(outline.clean)
    sign = {"brackets": "]", "equals": "=", "colon": ":"}.get(outline.dialect.tag_style)
    return sign is not None and (shown.endswith("]") if sign == "]" else sign in shown)


def _tag_added(outline: QueryOutline, term: Term, tagged: list[Term], style: TagStyle) -> Fix | None:
    """Add the tag that most others have, if tags come after terms."""
    if style != "brackets":
        return None
    tags = Counter(t.span.of(outline.text).rpartition("[")[2] for t in tagged if t.span.of(outline.text).endswith("]"))
    if not tags:
        return None
    tag = f"[{tags.most_common(1)[0][0]}"
    return Fix(f"Add {tag}", (Edit(term.span.end, term.span.end, tag),))


def long_ors(outline: QueryOutline) -> Iterator[Finding]:
    for group, members in outline.groups():
        if group.operator == "OR" and len(members) > LONG_OR:
            message = (
                f"This OR has {len(members):,} alternatives: check with a corpus which of them find something new."
            )
            yield Finding("long-or", "hint", group.span, message)


GROUP_CHECKS = (duplicates, subsumed, absorbed, contradictions, mixed_fields, long_ors)
