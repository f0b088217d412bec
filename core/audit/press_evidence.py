"""Evidence for a PRESS review on words, spelling, and limits, and all evidence by domain."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from difflib import get_close_matches
from typing import cast

import numpy as np

from core.audit import press_concepts
from core.audit.press import DOMAIN_OF_RULE, DOMAINS, Domain, DomainId, DomainReview, PressEvidence
from core.audit.press_concepts import EvidenceGrounds, StringCounts, not_listed, quoted, with_core
from core.audit.searches import Search, day_in_words, hits_of
from core.audit.strategies import LinePart, limits_in, parts_in
from core.query.checks.corpus import effect_of
from core.query.checks.rules import RULES
from core.query.dialects import DIALECTS
from core.query.differences import shortened
from core.query.match import count, rows_of
from core.query.spelling import other_english, plural, singular
from core.query.suggestions import Suggestion, suggest, worth_a_look
from core.query.tree import TEXT_FIELDS, Finding, Group, Node, Not, Range, Severity, Term
from core.report import ReportColumn, Table, Value, columns_of
from core.text import STOP_WORDS, cut_to, first_of, listed, many, upper_first

# Evidence for the fourth domain: hits of each word, truncation, and words that are frequent in missed publications.

MOST_WORD_ROWS = 200
MOST_STEMS = 60
MANY_WORDS = 60
"""A stem that matches more words than this may be too short."""
MOST_TOLD = 12
"""Truncated words that a sentence lists."""
N_EXAMPLES = 5
MOST_SUGGESTED = 12
CLEAR = 3.0
"""Standard errors from which a word is reported."""
ENOUGH = 5
"""Publications that must contain a word; of a few missed ones, one in this many is enough."""


def word_evidence(grounds: EvidenceGrounds) -> Iterator[PressEvidence]:
    if grounds.parsed.root is None:
        return
    terms, counted = grounds.terms, grounds.counted
    yield PressEvidence(_overview(terms))
    stems = [(term, stem) for term in terms if (stem := _stem(term))]
    if not stems and terms:
        yield PressEvidence("No word is truncated with a wildcard, so every ending must be listed.")
    if counted is None:
        return
    yield from _cut(counted, dict.fromkeys((grounds.place(term), stem) for term, stem in stems))
    useless = _adding_nothing(grounds, counted)
    if useless:
        n = "1 part finds" if useless == 1 else f"{useless:,} parts find"
        yield PressEvidence(f"{n} only what others in the same OR find: removing one would not change the result here.")
    yield from _missing(grounds, counted)


def _overview(terms: tuple[Term, ...]) -> str:
    terms = tuple(term for term in terms if not term.fields or set(term.fields) & set(TEXT_FIELDS))
    n = "1 term is" if len(terms) == 1 else f"{len(terms):,} terms are"
    where = {field for term in terms for field in (term.fields or TEXT_FIELDS) if field in TEXT_FIELDS}
    if not terms:
        return "No word is searched for in titles, abstracts or keywords."
    anywhere = sum(not term.fields for term in terms)
    without = ""
    if anywhere:
        verb = "names" if anywhere == 1 else "name"
        without = " None names a field." if anywhere == len(terms) else f" {anywhere:,} of them {verb} no field."
    names = listed([f"{field}s" if field != "keywords" else field for field in TEXT_FIELDS if field in where])
    return f"{n} searched for in {names}.{without}"


def _stem(term: Term) -> str | None:
    """Return the letters before the wildcard of a term's last word."""
    if not term.chunks or not term.chunks[-1][-1].is_stem:
        return None
    letters = term.chunks[-1][-1].pieces[0]
    return letters if isinstance(letters, str) else None


def _words_with(counted: StringCounts, stem: str) -> list[tuple[str, int]]:
    """Return the words that begin with the stem and their frequencies, most frequent first."""
    texts, often = counted.texts, counted.asked.occurrences
    found = [(texts.vocabulary[i], int(often[i])) for i in texts.with_beginning(stem)]
    return sorted(found, key=lambda each: (-each[1], each[0]))


def _cut(counted: StringCounts, stems: Iterable[tuple[str, str]]) -> Iterator[PressEvidence]:
    """Report wildcards that match too many words, or hardly any."""
    single: list[str] = []
    n_long = 0
    for place, stem in stems:
        words = _words_with(counted, stem)
        if len(words) == 1:
            single.append(f"{place} ({words[0][0]})")
        n_long += len(words) > MANY_WORDS
        if len(words) > MANY_WORDS and n_long <= MOST_TOLD:
            often = listed([word for word, _ in words[:N_EXAMPLES]])
            yield PressEvidence(
                f"{place} matches {len(words):,} words here, most often {often}: truncated too early?", True
            )
    if n_long > MOST_TOLD:
        yield PressEvidence(
            f"{n_long - MOST_TOLD:,} more truncated words match more than {MANY_WORDS} words each.", True
        )
    if single:
        these = first_of(single, MOST_TOLD)
        yield PressEvidence(f"Matching only one word here: {these}. Truncated too late, or no wildcard needed?")


def _adding_nothing(grounds: EvidenceGrounds, counted: StringCounts) -> int:
    return sum("subsumed" in each.flags for each in counted.asked.contributions)


def _missing(grounds: EvidenceGrounds, counted: StringCounts) -> Iterator[PressEvidence]:
    """Report words that are more frequent in missed publications than in others."""
    target = worth_a_look(counted.asked)
    rows = rows_of(target)
    if not len(rows):
        return
    found = suggest(counted.texts, rows, query=grounds.parsed.root, semantics=counted.asked.semantics)
    enough = min(ENOUGH, math.ceil(len(rows) / ENOUGH))
    clear = list(_telling(each for each in found if each.n_target >= enough))[:MOST_SUGGESTED]
    if not clear:
        return
    with_vectors = bool(np.any(counted.asked.stakes.accepted))
    near = " and in other publications not found that are close to the core" if with_vectors else ""
    words = ", ".join(f"{quoted(each.text)} ({each.n_target:,} of {len(rows):,})" for each in clear)
    where = f"missed core publications{near}"
    yield PressEvidence(
        f"Words that are unusually frequent in {where}, but not searched for by themselves: {words}.",
        look=True,
    )


def _telling(found: Iterable[Suggestion]) -> Iterator[Suggestion]:
    told: list[set[str]] = []
    for each in found:
        terms = set(each.text.split())
        if each.z >= CLEAR and not terms & STOP_WORDS and not any(terms <= other or other <= terms for other in told):
            told.append(terms)
            yield each


def word_tables(grounds: EvidenceGrounds) -> Iterator[Table]:
    """Tabulate the hits of each term, and the words that each truncated term matches."""
    counted = grounds.counted
    if counted is None:
        return
    rows = list(_term_rows(grounds, counted))
    if rows:
        yield Table(
            "press-4-terms",
            "Hits of each term, and hits found only by it",
            (
                ReportColumn("Term", "code"),
                *columns_of("Publications", "Core", "Only by it", "Core only by it", kind="count"),
            ),
            tuple(rows[:MOST_WORD_ROWS]),
            note=_note(rows),
        )
    stems = list(dict.fromkeys((grounds.place(term), stem) for term in grounds.terms if (stem := _stem(term))))
    if stems:
        yield Table(
            "press-4-wildcards",
            "Words that each truncated term matches here",
            (ReportColumn("Term", "code"), ReportColumn("Different words", "count"), ReportColumn("The most frequent")),
            tuple(_stem_row(counted, place, stem) for place, stem in stems[:MOST_STEMS]),
            note=not_listed(len(stems), MOST_STEMS),
        )


def _note(rows: list[tuple[Value, ...]]) -> str:
    left = not_listed(len(rows), MOST_WORD_ROWS)
    in_and = any(row[1] is not None and row[3] is None for row in rows[:MOST_WORD_ROWS])
    return f"{'–: joined by AND, a term narrows what is found. ' if in_and else ''}{left}".strip()


def _stem_row(counted: StringCounts, place: str, stem: str) -> tuple[Value, ...]:
    words = _words_with(counted, stem)
    return (
        place.removeprefix("“").removesuffix("”"),
        len(words),
        ", ".join(f"{word} ({n:,})" for word, n in words[:N_EXAMPLES]),
    )


def _term_rows(grounds: EvidenceGrounds, counted: StringCounts) -> Iterator[tuple[Value, ...]]:
    """Yield a row for each place of the string, in order; excluded parts belong to the second domain."""
    told: set[tuple[int, int]] = set()
    for each, node in zip(counted.asked.contributions, counted.matched.nodes, strict=True):
        place = (node.span.start, node.span.end)
        if isinstance(node, Group | Not) or place in told or _is_excluded(counted, each.number):
            continue
        told.add(place)
        text = shortened(node.extent.of(grounds.parsed.text), 120)
        if counted.matched.sets[each.number] is None:
            yield text, None, None, None, None
        else:
            only: tuple[Value, ...] = (each.n_unique, each.core_unique)
            yield text, each.n_alone, each.core, *((None, None) if _narrows(counted, each.number) else only)


def _narrows(counted: StringCounts, number: int) -> bool:
    above = counted.matched.parents[number]
    node = counted.matched.nodes[above] if above >= 0 else None
    return isinstance(node, Group) and node.operator == "AND"


def _is_excluded(counted: StringCounts, number: int) -> bool:
    while number >= 0:
        if isinstance(counted.matched.nodes[number], Not):
            return True
        number = counted.matched.parents[number]
    return False


# Evidence for the fifth domain: the dialect, words that look misspelt, and the lines with their hits.

MOST_TRIED = 30
"""Words that are compared with those of the publications."""
SHORTEST = 5
"""The shortest word that may be reported as misspelt, in letters."""
ALIKE = 0.84
OFTEN = 5
"""The minimum number of occurrences of the likely word."""
MOST_LINES = 200


def spelling_evidence(grounds: EvidenceGrounds) -> Iterator[PressEvidence]:
    parsed = grounds.parsed
    if parsed.root is None:
        return
    label = DIALECTS[parsed.dialect].label
    if parsed.dialect == "plain":
        why = "" if grounds.dialect_was_named else "The database was not given and can't be detected from the string. "
        how = f"{why}The string was read as words and phrases with AND, OR and NOT, without database syntax."
        yield PressEvidence(how, look=not grounds.dialect_was_named and grounds.is_version)
    elif grounds.dialect_was_named:
        yield PressEvidence(f"The string was read in the syntax of {label}.")
    else:
        sure = f", which is {100 * parsed.confidence:.0f} % certain" if parsed.confidence < 1 else ""
        yield PressEvidence(
            f"No database was given: the string was read in the syntax of {label}{sure}.", look=bool(grounds.counted_in)
        )
    n = {severity: sum(each.severity == severity for each in grounds.findings) for severity in _SEVERITIES}
    yield PressEvidence(
        f"The checks of the string found {_many(n['error'], 'error')}, {_many(n['warning'], 'warning')} and "
        f"{_many(n['hint'], 'hint')}; each is listed under its domain."
    )
    yield from _lines(grounds)
    if grounds.counted is not None:
        yield from _misspelt(grounds, grounds.counted)


_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "hint")


def _many(n: int, word: str) -> str:
    return many(n, word) if n else f"no {word}s"


def _lines(grounds: EvidenceGrounds) -> Iterator[PressEvidence]:
    lines = grounds.parsed.lines
    if not lines:
        yield PressEvidence("The string has no numbered lines, so no line refers to another.")
        return
    unused = [line for line in lines if not line.used]
    if not unused:
        yield PressEvidence(f"It has {len(lines):,} numbered lines; each is used by a later line or is the result.")


def _misspelt(grounds: EvidenceGrounds, counted: StringCounts) -> Iterator[PressEvidence]:
    """Report words that no publication contains, if a similar word occurs often."""
    texts, often = counted.texts, counted.asked.occurrences
    tried: set[str] = set()
    asked = {word for term in grounds.terms for word in _plain_words(term)}
    reported = {finding.span for finding in grounds.findings if finding.rule == "misspelt-word"}
    for term in grounds.terms:
        if term.span in reported:
            continue
        for word in _plain_words(term):
            if word in tried or word in texts.number_of or len(tried) >= MOST_TRIED:
                continue
            tried.add(word)
            numbers = texts.with_beginning(word[:2])
            known = [texts.vocabulary[i] for i in numbers if often[i] >= OFTEN]
            alike = get_close_matches(word, [w for w in known if abs(len(w) - len(word)) <= 2], n=1, cutoff=ALIKE)
            if alike and alike[0] not in asked and alike[0] not in (plural(word), singular(word), other_english(word)):
                n = int(often[texts.number_of[alike[0]]])
                yield PressEvidence(
                    f"{grounds.place(term)}: no publication has “{word}”, but “{alike[0]}” occurs {n:,} times here. "
                    "Is it misspelt?",
                    look=True,
                )


def _plain_words(term: Term) -> Iterator[str]:
    for run in term.chunks:
        for word in run:
            if word.is_plain and len(str(word)) >= SHORTEST and not str(word).isdecimal():
                yield str(word)


def spelling_tables(grounds: EvidenceGrounds) -> Iterator[Table]:
    parts = parts_in(grounds.parsed) if grounds.parsed.root is not None else ()
    if not parts:
        return
    used = {line.number: line.used for line in grounds.parsed.lines}
    yield Table(
        "press-5-lines",
        "The string line by line" if used else "The string part by part, as numbered lines",
        (
            ReportColumn("Line", "count"),
            ReportColumn("Text", "code"),
            *columns_of("Publications", "Core", kind="count"),
            ReportColumn("Used"),
        ),
        tuple(_row(grounds, part, used) for part in parts[:MOST_LINES]),
        note=press_concepts.table_note(grounds, len(parts), MOST_LINES),
    )


def _row(grounds: EvidenceGrounds, part: LinePart, used: dict[int, bool]) -> tuple[Value, ...]:
    counted, found = grounds.counted, None
    if counted is not None and part.root is not None:
        found = counted.asked.retrieved if part.is_whole else counted.set_of(part.root)
    numbers: tuple[Value, ...] = (None, None)
    if counted is not None and found is not None:
        numbers = (count(found), count(found & counted.core))
    is_used = used.get(part.number, True)
    return part.number, shortened(part.text, 2_000), *numbers, "yes" if is_used else "no"


# Evidence for the sixth domain: limits and filters of the string and of the source, and the effect of each.

MOST_LIMITS = 60


def limit_evidence(grounds: EvidenceGrounds) -> Iterator[PressEvidence]:
    if grounds.parsed.root is None:
        return
    costly: list[str] = []
    ors = (each for each in grounds.parsed.nodes if isinstance(each, Group) and each.operator == "OR")
    in_an_or = {id(part) for each in ors for part in each.parts}

    def fate(start: int, end: int, node: Node | None) -> str:
        if id(node) in in_an_or:
            return "one alternative of an OR, so it excludes nothing"
        if not grounds.counted_in:
            return "it excludes all others"
        text, core = _removes(grounds.counted, node)
        if core:
            costly.append(text)
        return text

    yield from _future(grounds)
    found = limits_in(grounds.parsed, fate)
    if not found:
        yield PressEvidence(
            "The string has no limits to years, languages or publication types. A filter made of words, such as one "
            "for study types, can't be distinguished from a concept here."
        )
    for each in found[:MOST_LIMITS]:
        yield PressEvidence(f"{upper_first(each)}.", look=each.endswith(tuple(costly)))
    if len(found) > MOST_LIMITS:
        yield PressEvidence(f"There are {len(found) - MOST_LIMITS:,} more limits.", look=True)
    search = grounds.search
    if search is None:
        return
    for each in search.limits[:MOST_LIMITS]:
        yield PressEvidence(f"In {search.source}: {each}.")
    if search.choices:
        yield PressEvidence(f"Options of {search.source}: {search.choices}")
    if search.is_cut and search.advice:
        yield PressEvidence(search.advice, look=True)
    for loss in search.losses[:MOST_LIMITS]:
        yield PressEvidence(f"Sent to {search.source}: {loss}")


def _future(grounds: EvidenceGrounds) -> Iterator[PressEvidence]:
    for node in grounds.nodes(Range):
        low = cast(Range, node).low
        if low is not None and grounds.year is not None and low > grounds.year:
            yield PressEvidence(f"{grounds.place(node)} begins in {low}, which is in the future.", look=True)


def _removes(counted: StringCounts | None, node: Node | None) -> tuple[str, int]:
    """Describe the effect of a limit, and count the core publications that it removes."""
    kept_out = counted.kept_out(node) if counted is not None and node is not None else None
    if counted is None or kept_out is None:
        return "its effect can't be counted here", 0
    n, core = counted.n_and_core(kept_out)
    return f"without it {with_core(n, core)}, would also be found" if n else "it excludes nothing here", core


# All evidence, domain by domain: counts first, then the findings of the checks.

MOST_OF_A_RULE = 15
"""Findings of one rule that are listed individually."""
LONGEST = 2_000
"""Characters of a sentence."""
MOST_EFFECTS = 30
"""Missing spellings whose effect is counted."""
QUOTES = " \t\n\"“”„'‘’"
"""A place that consists only of these characters is not worth quoting."""
LOOK_AT_HINTS = frozenset(
    {
        *("missing-variant", "short-stem", "stem-without-wildcard", "curly-quotes", "or-between-concepts", "not-words"),
        *(
            "wide-proximity",
            "title-only",
            "language-limit",
            "humans-limit",
            "impossible-years",
            "not-exploded",
            "limit-in-or",
        ),
    }
)
"""Rules whose hints deserve a reviewer's look."""
NO_EFFECT = " It would add nothing here."
NOTHING = "No problems were found here."
NO_TREE = "There is nothing to check: the string has no terms or operators."
_COUNTED = {
    "question": press_concepts.concept_evidence,
    "operators": press_concepts.operator_evidence,
    "headings": press_concepts.heading_evidence,
    "words": word_evidence,
    "spelling": spelling_evidence,
    "limits": limit_evidence,
}
_TABLES = {
    "question": press_concepts.concept_tables,
    "operators": press_concepts.operator_tables,
    "headings": press_concepts.heading_tables,
    "words": word_tables,
    "spelling": spelling_tables,
}


class Effects:
    def __init__(self, grounds: EvidenceGrounds) -> None:
        self._grounds = grounds
        self._n = 0

    def of(self, finding: Finding) -> str:
        counted: StringCounts | None = self._grounds.counted
        if counted is None or finding.rule != "missing-variant" or finding.fix is None or self._n >= MOST_EFFECTS:
            return ""
        self._n += 1
        asked = counted.asked
        effect = effect_of(finding.fix, self._grounds.parsed, asked.corpus, asked.semantics, counted.core)
        if not effect.records_gained:
            return NO_EFFECT
        core = f", {effect.core_gained:,} of them core" if effect.core_gained else ", none of them core"
        return f" It would add {many(effect.records_gained, 'publication')}{core}."


def evidence_by_domain(grounds: EvidenceGrounds) -> tuple[DomainReview, ...]:
    """Collect the evidence and its tables for all six domains; nothing is decided yet."""
    return tuple(
        # A sentence that repeats a whole search string is cut: the string is shown in the review anyway.
        DomainReview(
            domain.id,
            tuple(replace(each, text=cut_to(each.text, LONGEST)) for each in _told(domain, grounds)),
            _tables(domain.id, grounds),
        )
        for domain in DOMAINS
    )


def with_search_facts(domains: Iterable[DomainReview], search: Search) -> tuple[DomainReview, ...]:
    """Add what is recorded of the search with this string: its hits, and limits that the string may not show."""
    hits, day = hits_of(search), f" on {day_in_words(search.searched_on)}" if search.searched_on else ""
    limits = [line.strip() for line in search.limits.splitlines() if line.strip()]
    texts: dict[DomainId, list[str]] = {
        "question": [] if hits is None else [f"{search.name} showed {many(hits, 'hit')}{day}."],
        "limits": [
            f"A limit is recorded for {search.name}: {limit.rstrip('.')}. State a reason for it."
            for limit in limits[:MOST_LIMITS]
        ],
    }
    return tuple(
        replace(
            domain,
            evidence=(
                *(PressEvidence(cut_to(text, LONGEST), look=domain.domain == "limits") for text in new),
                *domain.evidence,
            ),
        )
        for domain in domains
        for new in [texts.get(domain.domain, [])]
    )


def _tables(domain: DomainId, grounds: EvidenceGrounds) -> tuple[Table, ...]:
    return tuple(_TABLES[domain](grounds)) if domain in _TABLES else ()


def _told(domain: Domain, grounds: EvidenceGrounds) -> Iterator[PressEvidence]:
    counted = list(_COUNTED[domain.id](grounds))
    yield from counted
    told: Counter[str] = Counter()
    effects = Effects(grounds)
    here = [
        each
        for each in grounds.findings
        if _domain_of(each, grounds) is domain and not _is_told(each, grounds, counted)
    ]
    for findings in _alike(here, grounds):
        finding = findings[0]
        told[finding.rule] += 1
        if told[finding.rule] <= MOST_OF_A_RULE:
            yield _as_evidence(finding, grounds, effects) if len(findings) == 1 else _as_one(findings, grounds)
    for rule, n in told.items():
        if n > MOST_OF_A_RULE:
            yield PressEvidence(f"{RULES[rule].title}: {n - MOST_OF_A_RULE:,} more of this kind.", rule=rule)
    if not counted and not told:
        yield PressEvidence(NO_TREE if grounds.parsed.root is None else NOTHING)


def _alike(findings: list[Finding], grounds: EvidenceGrounds) -> Iterator[list[Finding]]:
    """Group findings with the same message, and all missing spellings; not where the effect of each is counted."""
    groups: dict[object, list[Finding]] = {}
    for number, finding in enumerate(findings):
        key: object = (finding.rule, "" if finding.rule in ONE_FINDING else finding.message)
        if finding.rule == "missing-variant" and _is_excluded_place(finding, grounds):
            key = number
        groups.setdefault(number if grounds.counted is not None else key, []).append(finding)
    yield from groups.values()


ONE_FINDING = frozenset({"missing-variant", "lower-case-operator"})
"""Rules whose findings are one, although each has a message of its own."""
_OTHER_SPELLING = re.compile(r'"[^"]+"')


def _as_one(findings: list[Finding], grounds: EvidenceGrounds) -> PressEvidence:
    """Put findings of one kind into one sentence, with their places."""
    first = findings[0]
    text = grounds.parsed.text
    numbers = [_line_of(each, grounds) for each in findings]
    behind = [f" (line {number})" if number else "" for number in numbers]
    places = [f"{quoted(each.span.of(text), 40)}{line}" for each, line in zip(findings, behind, strict=True)]
    look = _is_to_look_at(first, grounds)
    if first.rule != "missing-variant":
        is_same = all(each.message == first.message for each in findings)
        message = first.message if is_same else RULES[first.rule].explanation
        return PressEvidence(f"{first_of(list(dict.fromkeys(places)), MOST_TOLD)}: {message}", look, first.rule)
    others = [_OTHER_SPELLING.search(each.message) for each in findings]
    pairs = [f"{other.group()} for {place}" for other, place in zip(others, places, strict=True) if other]
    missing = first_of(list(dict.fromkeys(pairs)), MOST_TOLD)
    return PressEvidence(f"Not searched: {missing}. Add them, or check that they are not needed.", look, first.rule)


def _is_to_look_at(finding: Finding, grounds: EvidenceGrounds) -> bool:
    if finding.rule == "limit-left-out" and not grounds.counted_in:
        return False  # it is left out only where publications are counted
    if finding.rule == "missing-variant" and _is_excluded_place(finding, grounds):
        return False
    return finding.severity != "hint" or finding.rule in LOOK_AT_HINTS


def _is_excluded_place(finding: Finding, grounds: EvidenceGrounds) -> bool:
    return finding.span in grounds.excluded_places


def _domain_of(finding: Finding, grounds: EvidenceGrounds) -> Domain:
    """Return the domain of the finding's rule; untestable parts other than headings count as limits or filters."""
    domain = DOMAIN_OF_RULE[finding.rule]
    if finding.rule == "duplicate-term" and finding.span in grounds.limit_places:
        return DOMAINS[-1]
    if finding.rule != "not-testable":
        return domain
    headings_at = {node.span for node in grounds.parsed.nodes if press_concepts.is_heading(node)}
    return domain if finding.span in headings_at else DOMAINS[-1]


def _is_told(finding: Finding, grounds: EvidenceGrounds, counted: list[PressEvidence]) -> bool:
    if finding.rule == "not-words" and grounds.counted is not None:
        return True  # what each NOT removes is counted
    if finding.rule == "not-removes-core":
        return any(each.rule == finding.rule for each in counted)
    place = " ".join(finding.span.of(grounds.parsed.text).split())
    return finding.rule == "not-testable" and any(f"“{place}”" in each.text for each in counted)


def _line_of(finding: Finding, grounds: EvidenceGrounds) -> int | None:
    """Return the number of the line that holds the finding; None: no line does, or the message names it."""
    if finding.rule == "unused-line":
        return None
    start, end = finding.span.start, finding.span.end
    lines = (line for line in grounds.parsed.lines if line.span.start <= start and end <= line.span.end)
    return next((line.number for line in lines), None)


def _as_evidence(finding: Finding, grounds: EvidenceGrounds, effects: Effects) -> PressEvidence:
    place = finding.span.of(grounds.parsed.text)
    number = _line_of(finding, grounds)
    line = f"Line {number}, " if number else ""
    head = f"{line}{quoted(place)}: " if place.strip(QUOTES) else ""
    effect = effects.of(finding)
    look = _is_to_look_at(finding, grounds) and effect != NO_EFFECT
    return PressEvidence(f"{head}{finding.message}{effect}", look, finding.rule)
