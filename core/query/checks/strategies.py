"""Checks of a whole strategy: concepts joined by OR, costly NOTs, wide proximity, titles only, and doubtful limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, islice

from core.query.checks.concepts import MOST_COMPARED, is_animal, is_human, is_rescued
from core.query.checks.names import MOST_NAMES, ConceptNames, alike_names, names_in
from core.query.checks.outline import QueryOutline, quoted
from core.query.tree import (
    TEXT_FIELDS,
    Finding,
    Group,
    Heading,
    Near,
    Node,
    Not,
    Range,
    Term,
    all_joined,
    leaves_in,
    terms_in,
    walk,
)
from core.text import words

# OR between two concepts: nothing narrows the search.


def ors_between_concepts(outline: QueryOutline) -> Iterator[Finding]:
    """Report (a OR b) OR (c OR d), if the query has no AND at all and the two have no word in common."""
    root = outline.root
    if not isinstance(root, Group) or root.operator != "OR":
        return
    if any(isinstance(node, Group) and node.operator == "AND" for node in walk(root)):
        return
    known: dict[int, ConceptNames] = {}
    parts = [part for part in root.parts if isinstance(part, Group)][:MOST_COMPARED]
    for one, other in combinations(parts, 2):
        if _words_in(one) & _words_in(other) or alike_names(names_in(one, known), names_in(other, known)):
            continue
        a, b = quoted(outline, one.extent), quoted(outline, other.extent)
        message = f"{a} and {b} are joined by OR, and nothing in the string by AND. Two concepts are joined by AND."
        yield Finding("or-between-concepts", "hint", root.span, message)
        return


def _words_in(node: Node) -> set[str]:
    found = {str(word)[:5] for term in terms_in(node) for run in term.chunks for word in run}
    return found | {word[:5] for leaf in leaves_in(node) if isinstance(leaf, Heading) for word in words(leaf.name)}


# NOT with words or headings: relevant publications may have them as well.

_KINDS_WORDS = """
    letter letters editorial editorials comment comments commentary note news newspaper erratum corrigendum retracted
    retraction withdrawn protocol protocols case report reports conference abstract abstracts congress book chapter
    preprint preprints review reviews systematic meta analysis study historical article historic
"""
_PUBLICATION_WORDS = frozenset(_KINDS_WORDS.split())


def costly_nots(outline: QueryOutline) -> Iterator[Finding]:
    """Report a NOT of words or headings. Exempt: animals, kinds of publication, titles only, and NOT (a NOT b)."""
    for node in outline.nodes:
        if not isinstance(node, Not) or _is_inside_not(outline, node) or is_rescued(outline, node):
            continue
        if any(isinstance(each, Not) for each in walk(node.part)):
            continue
        parts = list(islice(all_joined(node.part, "OR"), MOST_NAMES))
        if any(is_animal(leaf) or is_human(leaf) for part in parts for leaf in leaves_in(part)):
            continue
        costly = next((part for part in parts if _may_be_relevant(part)), None)
        if costly is None:
            continue
        message = (
            f"NOT {quoted(outline, costly.extent)} also removes relevant publications that mention it. "
            "Leave it out, or exclude them when you screen."
        )
        yield Finding("not-words", "hint", node.span, message)


def _is_inside_not(outline: QueryOutline, node: Node) -> bool:
    above = outline.above(node)
    while above is not None and not isinstance(above, Not):
        above = outline.above(above)
    return above is not None


def _may_be_relevant(part: Node) -> bool:
    return all(map(_is_subject, leaves_in(part)))


def _is_subject(leaf: Node) -> bool:
    if isinstance(leaf, Heading):
        return not set(words(leaf.name)) <= _PUBLICATION_WORDS
    terms = list(terms_in(leaf))
    searched = {field for term in terms for field in (term.fields or TEXT_FIELDS)}
    if not terms or not searched <= {*TEXT_FIELDS, "subject"} or searched == {"title"}:
        return False
    letters = {str(word) for term in terms for run in term.chunks for word in run}
    return not all(word.strip("*") in _PUBLICATION_WORDS for word in letters)


# Proximity so wide that AND does the same.

MOST_BETWEEN = 15
"""Maximum number of words between two words that are likely to belong together."""


def wide_proximities(outline: QueryOutline) -> Iterator[Finding]:
    for node in outline.nodes:
        if isinstance(node, Near) and not node.whole and node.distance > MOST_BETWEEN:
            message = (
                f"Up to {node.distance} words may be between these: hardly narrower than AND. Choose a smaller number."
            )
            yield Finding("wide-proximity", "hint", node.span, message)


# A concept that is searched in titles only.


def titles_only(outline: QueryOutline) -> Iterator[Finding]:
    """Report a part of the topmost AND whose words are all searched in titles, and that has no heading."""
    for part in _musts(outline):
        leaves = list(leaves_in(part))
        terms = [term for leaf in leaves for term in terms_in(leaf)]
        are_words = all(isinstance(leaf, Term | Near) for leaf in leaves)
        if terms and are_words and all(term.fields == ("title",) for term in terms):
            message = "This is searched in titles only. Many relevant publications mention it only in the abstract."
            yield Finding("title-only", "hint", part.extent, message)


def _musts(outline: QueryOutline) -> Iterator[Node]:
    """Yield the parts that must match, without NOTs."""
    if outline.root is not None:
        yield from (part for part in all_joined(outline.root, "AND") if not isinstance(part, Not))


# Broad headings whose narrower ones are not searched.

_BROAD_NAMES = """
    neoplasms; breast neoplasms; lung neoplasms; skin neoplasms; brain neoplasms; gastrointestinal neoplasms;
    colorectal neoplasms; liver neoplasms; leukemia; lymphoma; cardiovascular diseases; heart diseases; heart
    failure; coronary disease; myocardial ischemia; hypertension; stroke; cerebrovascular disorders; vascular
    diseases; arrhythmias, cardiac; diabetes mellitus; diabetes complications; obesity; metabolic diseases;
    endocrine system diseases; thyroid diseases; respiratory tract diseases; lung diseases; lung diseases,
    obstructive; respiratory tract infections; pneumonia; asthma; tuberculosis; infection; bacterial infections;
    virus diseases; hiv infections; hepatitis; hepatitis, viral, human; sexually transmitted diseases; parasitic
    diseases; malaria; mycoses; sepsis; mental disorders; anxiety disorders; mood disorders; depressive disorder;
    personality disorders; substance-related disorders; alcohol-related disorders; neurodevelopmental disorders;
    dementia; brain diseases; nervous system diseases; neurodegenerative diseases; epilepsy; headache disorders;
    movement disorders; brain injuries; sleep wake disorders; pain; kidney diseases; renal insufficiency; urinary
    tract infections; urologic diseases; digestive system diseases; gastrointestinal diseases; liver diseases;
    gastrointestinal hemorrhage; musculoskeletal diseases; joint diseases; arthritis; bone diseases; fractures,
    bone; wounds and injuries; skin diseases; eye diseases; hearing loss; pregnancy complications; infertility;
    congenital abnormalities; infant, newborn, diseases; autoimmune diseases; hypersensitivity; anemia;
    hematologic diseases; surgical procedures, operative; cardiac surgical procedures; orthopedic procedures;
    digestive system surgical procedures; neurosurgical procedures; diagnostic imaging; tomography;
    ultrasonography; endoscopy; rehabilitation; exercise therapy; exercise; physical therapy modalities;
    psychotherapy; behavior therapy; complementary therapies; diet; diet therapy; dietary supplements; vaccines;
    vaccination; anti-bacterial agents; antiviral agents; analgesics; adrenal cortex hormones; steroids;
    antineoplastic agents; anesthetics; anesthesia; contraception; health personnel; nurses; physicians;
    hospitals; primary health care; delivery of health care; health education; nursing care; social behavior;
    feeding behavior; health behavior; africa; asia; europe
"""
BROAD_HEADINGS = frozenset(" ".join(name.split()) for name in _BROAD_NAMES.split(";"))
"""Subject headings of MeSH, of which each has at least five narrower ones (in 2019); Emtree has most of them too."""


def unexploded(outline: QueryOutline) -> Iterator[Finding]:
    headings = [node for node in outline.nodes if isinstance(node, Heading)]
    exploded = {node.name.casefold() for node in headings if node.explode}
    names = {node.name.casefold() for node in headings}
    for node in headings:
        name = node.name.casefold()
        if name not in BROAD_HEADINGS or name in exploded or _is_inside_not(outline, node):
            continue
        first = words(name)[0]
        if not any(first in words(other) for other in names - {name}):  # else narrower ones are listed one by one
            message = "This heading is searched without its narrower headings. Explode it, unless that is intended."
            yield Finding("not-exploded", "hint", node.span, message)


# Limits: languages, humans, and years that exclude each other.

_TWO_YEARS = re.compile(r"(?<!\d)([12]\d{3})(?!\d)[^\d,;]*(?:/\d\d?){0,2}[^\d,;]*(?<!\d)([12]\d{3})(?!\d)")


def language_limits(outline: QueryOutline) -> Iterator[Finding]:
    for part in _musts(outline):
        leaves = list(leaves_in(part))
        if leaves and all(_is_limit(leaf) and not isinstance(leaf, Range) for leaf in leaves):
            message = (
                "This limit removes relevant publications in other languages. State a reason for it, "
                "or exclude them when you screen."
            )
            yield Finding("language-limit", "hint", part.extent, message)
            return


def limits_in_ors(outline: QueryOutline) -> Iterator[Finding]:
    """Report heat OR 2010:2020[dp]: it finds everything of these years."""
    for group, members in outline.groups():
        limits = [each.node for each in members if _is_limit(each.node)]
        if group.operator == "OR" and 0 < len(limits) < len(members):
            message = "This limit is joined by OR, so everything that it allows is found. Join it by AND."
            yield Finding("limit-in-or", "hint", limits[0].span, message)


def _is_limit(node: Node) -> bool:
    return isinstance(node, Range) or (isinstance(node, Term) and node.fields == ("language",))


def human_limits(outline: QueryOutline) -> Iterator[Finding]:
    parts = list(_musts(outline))
    for part in parts if len(parts) > 1 else ():
        leaves = list(leaves_in(part))
        if leaves and all(is_human(leaf) or _is_human_limit(leaf) for leaf in leaves):
            message = (
                "Publications that are not indexed yet have no such heading, so this limit removes them. "
                "Exclude studies of animals instead: NOT (animals NOT humans)."
            )
            yield Finding("humans-limit", "hint", part.extent, message)
            return


def _is_human_limit(leaf: Node) -> bool:
    """Return True for a filter of the platform, such as humans[Filter] or limit 5 to humans."""
    if not isinstance(leaf, Term) or not leaf.fields or set(leaf.fields) & set(TEXT_FIELDS):
        return False
    return {str(word) for run in leaf.chunks for word in run} <= {"human", "humans"}


def impossible_years(outline: QueryOutline) -> Iterator[Finding]:
    """Report 2020-2010, which databases read differently, and years of which no publication can have both."""
    for node in outline.nodes:
        found = _TWO_YEARS.search(node.span.of(outline.clean)) if isinstance(node, Range) else None
        if found is not None and int(found.group(1)) > int(found.group(2)):
            message = f"{found.group(1)} comes after {found.group(2)}: write the earlier year first."
            yield Finding("impossible-years", "hint", node.span, message)
    ranges = [part for part in _musts(outline) if isinstance(part, Range)]
    for one, other in combinations(ranges, 2):
        low = max((each.low for each in (one, other) if each.low is not None), default=None)
        high = min((each.high for each in (one, other) if each.high is not None), default=None)
        if low is not None and high is not None and low > high:
            message = f"{quoted(outline, one.extent)} and {quoted(outline, other.extent)} exclude each other."
            yield Finding("impossible-years", "hint", other.span, message)
            return


STRATEGY_CHECKS = (
    ors_between_concepts,
    costly_nots,
    wide_proximities,
    titles_only,
    unexploded,
    language_limits,
    limits_in_ors,
    human_limits,
    impossible_years,
)
