"""The state of the workbench: a draft, its results, and the answers to requests from the browser."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import Any, get_args

from core.errors import InputError, QueryscapeError
from core.metrics import recall
from core.query.checks import MOST_FIX_STEPS, errors_of, lint
from core.query.checks.corpus import FixEffect, effect_of, lint_in_corpus
from core.query.checks.headings import lint_headings
from core.query.contributions import Contribution, Disagreement, MatchedQuery, NodeCount, StoredResult
from core.query.explanations import (
    CoreExplanation,
    MissedReason,
    Rescue,
    Rescuer,
    explain,
    leaves_of_alternatives,
    missed_reasons,
)
from core.query.match import Bits, Semantics, count, holds, none_of, of_rows, rows_of
from core.query.parser import parse
from core.query.suggestions import (
    Limits,
    QueryReshaping,
    Suggestion,
    priced,
    slim_down,
    suggest,
    suggest_carried,
    widen,
    worth_a_look,
)
from core.query.translation import Translation, add_alternative, leave_out, translate
from core.query.tree import (
    DialectId,
    Edit,
    Finding,
    Fix,
    Group,
    Heading,
    Node,
    Not,
    ParsedQuery,
    Span,
    Term,
    apply_edits,
)
from core.stats import Interval, wilson
from core.text import common_ends, words
from core.types import Ids
from dashboard.query.databases import (
    database_in_text,
    default_database,
    has_databases,
    is_database,
    needs_database,
    other_database,
)
from dashboard.undo import UndoHistory
from dashboard.workbench.board import open_board, open_draft, sort_board
from dashboard.writer.board import BoardState, OpenedBoard
from data.explore.desk import Desk, ask
from data.query.search import RANKED_CUT

# A query text being edited, with undo.

SEMANTICS: tuple[Semantics, ...] = ("literal", "stemmed")


def other(semantics: Semantics) -> Semantics:
    return "stemmed" if semantics == "literal" else "literal"


@dataclass(frozen=True, slots=True)
class QueryDraft:
    text: str
    dialect: DialectId | None = None
    """None: detected from the text."""
    semantics: Semantics = "literal"
    off: frozenset[int] = frozenset()
    """Numbers of nodes that are switched off."""
    made_by: str = ""
    """The change that made it from the previous draft."""


@dataclass(frozen=True, slots=True)
class Drafts(UndoHistory[QueryDraft]):
    """Every draft since the text was opened. The first is the version as it was run."""

    def is_new(self, turn: QueryDraft) -> bool:
        """Return True if the draft runs another text, or the same text differently."""
        return _told_apart(turn) != _told_apart(self.current)

    @property
    def is_edited(self) -> bool:
        """True if the current draft differs from the version: the version's publications then say nothing about it."""
        return _told_apart(self.current) != _told_apart(self.first)


TYPED = "typing"


def _told_apart(draft: QueryDraft) -> tuple[object, ...]:
    return draft.text, draft.dialect, draft.semantics, draft.off


# Results of a draft on a desk; each part is computed when it is first needed.

SHOWN_BELOW_CUT = 20
"""Publications of a ranking that are shown below the cut."""


@dataclass(frozen=True, slots=True)
class DraftSummary:
    n_corpus: int
    n_retrieved: int
    n_core: int
    n_found: int
    recall: float
    recall_interval: Interval
    semantic_precision: float | None
    f_beta: float | None
    undefined: str
    """The reason why semantic precision and F-beta are undefined; empty: they are defined."""
    n_untestable: int


@dataclass(frozen=True, eq=False)
class DraftResults:
    desk: Desk
    draft: QueryDraft
    all_on: DraftResults | None = None
    """The same text with nothing switched off, whose results are reused."""
    stored: StoredResult | None = None
    """The stored result of the draft's version, which determines what is retrieved. None: the draft is no version."""

    @cached_property
    def parsed(self) -> ParsedQuery:
        return self.all_on.parsed if self.all_on else parse(self.draft.text, self.draft.dialect)

    @cached_property
    def asked(self) -> MatchedQuery | None:
        """The query, matched; None: there is no tree."""
        off = frozenset(number for number in self.draft.off if number < len(self.parsed.nodes))
        return ask(self.desk, self.parsed, self.draft.semantics, off, stored=self.stored)

    @cached_property
    def ranked(self) -> tuple[tuple[int, float], ...]:
        """For a question: rows and scores, best first, a little beyond the cut."""
        if self.parsed.kind != "question":
            return ()
        return self.desk.corpus.rank(words(self.draft.text), RANKED_CUT + SHOWN_BELOW_CUT)

    @cached_property
    def matches(self) -> Bits:
        """The publications that match the text here."""
        n = len(self.desk.corpus.ids)
        if self.parsed.kind == "question":
            return of_rows([row for row, _ in self.ranked[:RANKED_CUT]], n)
        return none_of(n) if self.asked is None else self.asked.matches

    @property
    def retrieved(self) -> Bits:
        """The publications of the version; without one, those that match the text."""
        return self.matches if self.stored is None else self.stored.bits

    @cached_property
    def found_core(self) -> frozenset[str]:
        if self.stored is not None:
            return self.stored.ids.intersection(self.desk.core_ids)
        return frozenset(i for i, row in self.desk.core_rows.items() if holds(self.matches, row))

    @property
    def retrieved_ids(self) -> Ids:
        """The retrieved publications; those of a version that are missing from the corpus come last."""
        ids = tuple(self.desk.corpus.ids[row] for row in rows_of(self.retrieved).tolist())
        return ids if self.stored is None else (*ids, *sorted(self.stored.ids.difference(ids)))

    @property
    def found_core_ids(self) -> Ids:
        return tuple(i for i in self.desk.core_ids if i in self.found_core)

    @cached_property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """Publications on which the version and its text, matched here, disagree."""
        if self.stored is None:
            return ()
        return self.stored.disagreements(self.matches, self.desk.corpus.ids, self.desk.core_ids)

    @cached_property
    def summary(self) -> DraftSummary:
        stakes, retrieved, n_found = self.desk.stakes, self.retrieved, len(self.found_core)
        return DraftSummary(
            n_corpus=len(self.desk.corpus.ids),
            n_retrieved=count(retrieved) if self.stored is None else len(self.stored.ids),
            n_core=stakes.n_core,
            n_found=n_found,
            recall=recall(n_found=n_found, n_core=stakes.n_core),
            recall_interval=wilson(n_found, stakes.n_core),
            semantic_precision=None if self.undefined else stakes.semantic_precision(retrieved),
            f_beta=None if self.undefined else stakes.f_beta(retrieved),
            undefined=self.undefined,
            n_untestable=0 if self.asked is None else len(self.asked.matched.untestable),
        )

    @property
    def undefined(self) -> str:
        """The reason why there are no scores; empty: there are scores."""
        if not (self.matches.any() if self.stored is None else self.stored.ids):
            return "nothing was retrieved"
        if self.desk.stakes.semantic_precision(self.retrieved) is None:
            return "no retrieved publication has a vector"
        return self.desk.undefined or ""

    @cached_property
    def other_semantics(self) -> DraftSummary:
        """The same text with the other word matching."""
        draft = replace(self.draft, semantics=other(self.draft.semantics))
        return DraftResults(self.desk, draft, self.all_on or self).summary

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Problems of the text; switched-off parts are checked, too."""
        if self.all_on:
            return self.all_on.findings
        corpus = self.desk.corpus
        found = lint(self.parsed)
        if any(isinstance(node, Heading) for node in self.parsed.nodes):  # else neither file nor records are read
            found = (*found, *lint_headings(self.parsed, corpus.mesh, corpus.headings))
        if self.asked is None:
            return found
        in_corpus = lint_in_corpus(self.parsed, self.asked.matched, corpus.texts, self.asked.undisputed_core)
        return tuple(sorted((*found, *in_corpus), key=lambda f: (f.span.start, f.span.end)))

    @cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        return () if self.asked is None else self.asked.contributions

    @cached_property
    def explained(self) -> tuple[CoreExplanation, ...]:
        return () if self.asked is None else explain(self.asked, self.desk.core_ids, rows=self.desk.core_rows)

    @cached_property
    def missed(self) -> tuple[MissedReason, ...]:
        return missed_reasons(self.explained)

    @cached_property
    def rescuer(self) -> Rescuer | None:
        return None if self.asked is None else Rescuer(self.asked)

    @cached_property
    def blocks(self) -> tuple[int, ...]:
        """Nodes that a term can be added to: the ORs, and single operands of an AND."""
        nodes = self.parsed.nodes
        if self.asked is None or not nodes:
            return ()
        matched = self.asked.matched
        ors = [i for i, n in enumerate(nodes) if isinstance(n, Group) and n.operator == "OR"]
        root = nodes[0]
        parts = matched.children[0] if isinstance(root, Group) and root.operator == "AND" else (0,)
        return tuple(sorted({*ors, *(i for i in parts if not isinstance(nodes[i], Not))}))


# Changes of the tree applied to the text, one edit after the other, with the text parsed again after each.


def carried_over(
    before: ParsedQuery,
    numbers: Collection[int],
    text: str,
    dialect: DialectId | None,
    edits: tuple[Edit, ...] | None = None,
) -> frozenset[int]:
    """Return the numbers of nodes in an edited text, as far as they are still in it.

    `edits` made it from the text before; None: the differing part counts as one edit.
    """
    if not numbers:
        return frozenset()
    return same_nodes(
        before, numbers, parse(text, dialect), (difference(before.text, text),) if edits is None else edits
    )


def difference(before: str, after: str) -> Edit:
    """Return one edit that replaces everything between the common start and the common end of two texts."""
    start, kept = common_ends(before, after)
    return Edit(start, len(before) - kept, after[start : len(after) - kept])


def same_nodes(
    before: ParsedQuery, numbers: Collection[int], after: ParsedQuery, edits: tuple[Edit, ...]
) -> frozenset[int]:
    """Follow each node to its new position, even if something in it changed; else take an equal node."""
    places: defaultdict[tuple[str, Span], list[int]] = defaultdict(list)
    equal: defaultdict[Node, list[int]] = defaultdict(list)
    for number, node in enumerate(after.nodes):
        places[_kind(node), node.span].append(number)
        equal[node].append(number)
    seen: Counter[tuple[str, Span]] = Counter()
    found: dict[int, int] = {}
    for number, node in enumerate(before.nodes):
        place = _kind(node), node.span
        ways = (places.get((place[0], span), [])[seen[place] :] for span in _moved(node.span, edits))
        there = next((way[0] for way in ways if way), None)
        seen[place] += 1
        if there is not None:
            found[number] = there
    left = set(range(len(after.nodes))) - set(found.values())
    for number in sorted(set(numbers) - set(found)):
        node = before.nodes[number]
        other = next((i for i in equal.get(node, ()) if i in left), None) if _written(node, edits) else None
        if other is not None:
            found[number] = other
            left.discard(other)
    return frozenset(found[number] for number in numbers if number in found)


def _kind(node: Node) -> str:
    if isinstance(node, Group):
        return node.operator
    return "NOT" if isinstance(node, Not) else "leaf"


def _written(node: Node, edits: tuple[Edit, ...]) -> bool:
    return any(edit.text and edit.start <= node.span.start and node.span.end <= edit.end for edit in edits)


def _moved(span: Span, edits: tuple[Edit, ...]) -> list[Span]:
    """Return the possible positions of a span after the edits: an insertion at either end may belong to it or not."""
    return [Span(start, end) for end in _places(span.end, edits) for start in _places(span.start, edits) if start < end]


def _places(at: int, edits: tuple[Edit, ...]) -> list[int]:
    if any(edit.start < at < edit.end for edit in edits):
        return []
    moved = at + sum(len(e.text) - (e.end - e.start) for e in edits if e.end <= at and e.start < at)
    added = sum(len(e.text) for e in edits if e.start == e.end == at)
    return [moved, moved + added] if added else [moved]


def without_switched_off(work: DraftResults) -> str:
    return _left_out(work, work.parsed, work.draft.off, ())[0].text


def added_and_left_out(
    work: DraftResults, added: Iterable[tuple[int, Term]], left_out: Collection[int]
) -> tuple[str, frozenset[int]]:
    parsed = work.parsed
    gone, off = frozenset(left_out), work.draft.off
    for number, term in sorted(added, key=lambda each: each[0], reverse=True):
        asked = _asked(work, parsed)
        leaves = leaves_of_alternatives(asked.matched, number, 1)
        beside = leaves[0] if leaves else None
        edit = add_alternative(asked.matched, number, term, beside, parsed.text, asked.writer)
        if edit is None:
            raise InputError(f'"{term.pieces[0]}" can\'t be written in this dialect: add it yourself')
        after = _edited(work, parsed, edit)
        gone, off = (same_nodes(parsed, each, after, (edit,)) for each in (gone, off))
        parsed = after
    parsed, off = _left_out(work, parsed, gone, off)
    return parsed.text, off


def _left_out(
    work: DraftResults, parsed: ParsedQuery, numbers: Collection[int], off: Collection[int]
) -> tuple[ParsedQuery, frozenset[int]]:
    left, off = frozenset(numbers), frozenset(off)
    while left:
        number = min(left)
        asked = _asked(work, parsed)
        edit = leave_out(asked.matched, number, parsed.text, asked.writer)
        if edit is None:
            raise InputError("the switched-off parts can't be removed automatically: delete them in the text")
        after = _edited(work, parsed, edit)
        cut = {number} | _inside(asked, number)
        left, off = (same_nodes(parsed, each - cut, after, (edit,)) for each in (left, off))
        parsed = after
    return parsed, off


def _edited(work: DraftResults, parsed: ParsedQuery, edit: Edit) -> ParsedQuery:
    return parse(apply_edits(parsed.text, (edit,)), work.draft.dialect or parsed.dialect)


def _inside(asked: MatchedQuery, number: int) -> set[int]:
    inside: set[int] = set()
    for i, above in enumerate(asked.matched.parents):
        if above == number or above in inside:
            inside.add(i)
    return inside


def _asked(work: DraftResults, parsed: ParsedQuery) -> MatchedQuery:
    asked = ask(work.desk, parsed, work.draft.semantics)
    if asked is None:
        raise InputError("nothing would be left of this query")
    return asked


# Answers to requests from the browser: a step from one bench to the next, without a page.

DIALECTS: tuple[DialectId, ...] = get_args(DialectId)
MOST_FIXES = 60
"""Maximum number of fixes whose effect is computed."""
MOST_OFFERED = 12
"""Suggestions per group that widening can choose from."""
MOST_GROUPS = 6

BenchRequest = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ListedCount:
    """The publications behind a number that was clicked."""

    name: str
    ids: Ids


@dataclass(frozen=True, eq=False)
class Panels:
    """Requested results about one draft; dropped with the next."""

    rescues: Mapping[str, tuple[Rescue, ...]] = field(default_factory=dict)
    best: Mapping[MissedReason, tuple[str, int]] | None = None
    """By reason for missing: the publication with the best rescue, and its number. None: not requested yet."""
    problems: bool = False
    """True if a run waits for a decision about errors."""
    effects: Mapping[tuple[int, int], FixEffect] = field(default_factory=dict)
    """By the number of a finding, and of one of its fixes."""
    suggestions: tuple[int, tuple[Suggestion, ...]] | None = None
    reshaped: tuple[str, QueryReshaping] | None = None
    translations: Mapping[DialectId, Translation] | None = None
    listed: ListedCount | None = None
    board: BoardState | None = None
    """The terms in lists; None: the board is not open."""


@dataclass(frozen=True, eq=False)
class QueryBench:
    drafts: Drafts
    panels: Panels = field(default_factory=Panels)
    databases: Mapping[DialectId, str] = field(default_factory=dict)
    """The chosen database of the text, by dialect."""
    to_databases: Mapping[DialectId, str] = field(default_factory=dict)
    """The chosen database of a translation, by its dialect."""
    seq: int = 0
    """Number of the last request answered, for the browser."""
    mistake: str | None = None
    parent: str | None = None
    """The version that undo leads to beyond the first draft."""
    child: str | None = None
    """The version that redo leads to beyond the last draft: undo came from there."""
    desk_state: str = ""
    """The state of the desk that the panels were computed on."""

    def on(self, desk: Desk) -> QueryBench:
        """Return the bench on a desk; prices from another desk are dropped."""
        if self.desk_state == desk.state:
            return self
        panels = replace(self.panels, rescues={}, best=None, suggestions=None, reshaped=None)
        return replace(self, panels=panels, desk_state=desk.state)


AUTOMATIC = frozenset({"reasons", "translate", "board"})
"""Requests that the browser sends by itself: a message to the person stays."""

Answer = Callable[[QueryBench, DraftResults, BenchRequest], QueryBench]


def answered(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    """Return the bench after a request; an invalid one changes nothing but the error message."""
    if ask.get("kind") not in AUTOMATIC:
        bench = replace(bench, mistake=None)
    answer = ANSWERS.get(str(ask.get("kind")))
    if answer is None:
        return bench
    try:
        return answer(bench, work, ask)
    except QueryscapeError as e:
        return replace(bench, mistake=str(e))
    except (KeyError, IndexError, TypeError, ValueError, OverflowError, StopIteration):
        return replace(bench, mistake="that no longer exists: check the page and try again")


def _drafted(bench: QueryBench, draft: QueryDraft) -> QueryBench:
    drafts = bench.drafts.add(draft)
    return bench if drafts is bench.drafts else replace(bench, drafts=drafts, panels=Panels())


def _done(bench: QueryBench, work: DraftResults, edits: tuple[Edit, ...], made_by: str) -> QueryBench:
    """Apply offered edits: they have the promised effect only if the text is parsed as before."""
    text = apply_edits(work.draft.text, edits)
    dialect = _kept_dialect(work, text)
    off = carried_over(work.parsed, work.draft.off, text, dialect, edits)
    return _drafted(bench, replace(bench.drafts.current, text=text, dialect=dialect, off=off, made_by=made_by))


def _kept_dialect(work: DraftResults, text: str) -> DialectId | None:
    """Return None as long as the dialect detected from the new text is the same."""
    read = work.parsed
    if work.draft.dialect is None and parse(text).dialect != read.dialect:
        return read.dialect
    return work.draft.dialect


def _edit(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    """Replace the text; nodes that are switched off stay so wherever they are still in it."""
    text = str(ask["text"])
    draft = replace(bench.drafts.current, text=text, made_by=TYPED)
    return _drafted(bench, replace(draft, off=carried_over(work.parsed, draft.off, text, draft.dialect)))


def _dialect(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    chosen = next((d for d in DIALECTS if d == ask["dialect"]), None)
    return _drafted(bench, replace(bench.drafts.current, dialect=chosen, off=frozenset(), made_by="choosing a dialect"))


def _semantics(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    chosen = SEMANTICS[SEMANTICS.index(ask["semantics"])]
    return _drafted(bench, replace(bench.drafts.current, semantics=chosen, made_by=f"matching words {chosen}"))


def _switch(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    n = len(work.parsed.nodes)
    off = frozenset(number for number in map(int, ask["off"]) if 0 <= number < n)
    return _drafted(bench, replace(bench.drafts.current, off=off, made_by="switching"))


def fixes_of(finding: Finding) -> tuple[Fix, ...]:
    """Return all fixes of a finding, the best first."""
    return () if finding.fix is None else (finding.fix, *finding.other_fixes)


def _fix(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    fixes = fixes_of(work.findings[int(ask["id"])])
    if not fixes:
        raise InputError("this has no automatic fix: edit the text")
    fix = fixes[int(ask.get("fix", 0))]
    return _done(bench, work, fix.edits, fix.label.lower())


def _effects(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    fixes = [(i, k, fix) for i, finding in enumerate(work.findings) for k, fix in enumerate(fixes_of(finding))]
    corpus, core = work.desk.corpus, work.desk.stakes.core
    effects = {
        (i, k): effect_of(fix, work.parsed, corpus, work.draft.semantics, core) for i, k, fix in fixes[:MOST_FIXES]
    }
    return replace(bench, panels=replace(bench.panels, effects=effects))


def _rescues(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    publication_id = str(ask["publication_id"])
    if work.rescuer is None:
        return bench
    found = work.rescuer.rescues(work.desk.core_rows[publication_id])
    rescues = {**bench.panels.rescues, publication_id: found}
    return replace(bench, panels=replace(bench.panels, rescues=rescues))


MOST_REASONS = 6
MOST_TRIED = 3
"""Publications per reason whose rescues are tried for all of them."""


def _reasons(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    """Find the rescue that recovers the most core publications missed for each reason."""
    rescues = dict(bench.panels.rescues)
    best: dict[MissedReason, tuple[str, int]] = {}
    rescuer, rows = work.rescuer, work.desk.core_rows
    for reason in work.missed[:MOST_REASONS] if rescuer else ():
        tried = [i for i in reason.publication_ids if i in rows][:MOST_TRIED]
        rescues |= {i: rescuer.rescues(rows[i]) for i in tried if rescuer and i not in rescues}
        ways = [(i, number) for i in tried for number in range(len(rescues[i]))]
        if ways:
            best[reason] = max(ways, key=lambda way: _help(rescues[way[0]][way[1]], reason))
    return replace(bench, panels=replace(bench.panels, rescues=rescues, best=best))


def _help(rescue: Rescue, reason: MissedReason) -> tuple[bool, int, float, int]:
    """Return what makes a rescue better than others: first that it gives up no concept."""
    n_back = len(set(rescue.core_gained).intersection(reason.publication_ids))
    change = -inf if rescue.f_beta_change is None else rescue.f_beta_change
    return not rescue.gives_up, n_back, change, -rescue.n_added


def _rescue(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    """Apply a rescue of the panel; it is computed again if it was accepted just before its text was run."""
    publication_id = str(ask["publication_id"])
    if publication_id not in bench.panels.rescues:
        bench = _rescues(bench, work, ask)
    chosen = bench.panels.rescues[publication_id][int(ask["index"])]
    return _done(bench, work, chosen.edits, chosen.label)


def _suggestions(work: DraftResults, group: int) -> tuple[Suggestion, ...]:
    if work.asked is None or work.rescuer is None:
        return ()
    target = rows_of(worth_a_look(work.asked))
    query = work.parsed.root
    found = suggest(work.desk.corpus.texts, target, query=query, semantics=work.draft.semantics)
    found = tuple(sorted((*found, *suggest_carried(work.asked, group)), key=lambda each: -each.z))
    return priced(found, work.rescuer, group)


def _suggest(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    group = ask.get("group")
    number = group if isinstance(group, int) and group in work.blocks else (work.blocks or (0,))[0]
    return replace(bench, panels=replace(bench.panels, suggestions=(number, _suggestions(work, number))))


def _add(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    _, suggestions = bench.panels.suggestions or (0, ())
    kind = ask.get("of")
    chosen = next((s.if_added for s in suggestions if s.text == ask["text"] and kind in (None, s.kind)), None)
    if chosen is None:
        raise InputError("this term can't be added automatically: type it into the search string")
    return _done(bench, work, chosen.edits, chosen.label)


def _reshape(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    if work.asked is None:
        return bench
    ceiling = ask.get("ceiling")
    limits = Limits(float(ask.get("floor") or 0.0), int(ceiling) if ceiling else None)
    how = "widen" if ask.get("how") == "widen" else "slim"
    if how == "slim":
        return replace(bench, panels=replace(bench.panels, reshaped=(how, slim_down(work.asked, limits))))
    ors = [i for i in work.blocks if isinstance(work.parsed.nodes[i], Group)][:MOST_GROUPS]
    if not ors:
        raise InputError("there is no OR to add a term to: join at least two terms with OR, in brackets")
    offered = {number: _offered(work, number) for number in ors}
    return replace(bench, panels=replace(bench.panels, reshaped=(how, widen(work.asked, offered, limits))))


def _offered(work: DraftResults, group: int) -> list[Term]:
    terms: list[Term] = []
    for suggestion in _suggestions(work, group):
        node = suggestion.if_added.changes[0].node if suggestion.if_added else None
        last = node.parts[-1] if isinstance(node, Group) else None
        if isinstance(last, Term):
            terms.append(last)
    return terms[:MOST_OFFERED]


def _accept_reshaped(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    if bench.panels.reshaped is None:
        return bench
    how, reshaped = bench.panels.reshaped
    text, off = added_and_left_out(work, reshaped.added, reshaped.left_out)
    made_by = "slimming down" if how == "slim" else "widening"
    draft = replace(bench.drafts.current, text=text, dialect=_kept_dialect(work, text), off=off, made_by=made_by)
    after = DraftResults(work.desk, draft).retrieved
    if count(after if work.asked is None else work.asked.settled(after)) != reshaped.n_after:
        raise InputError("this text has problems, so it can't be changed automatically: fix them first")
    return _drafted(bench, draft)


def _translate(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    """Translate into all other dialects; `from` and `to` choose databases by dialect."""
    parsed = work.parsed
    bench = replace(
        bench,
        databases={**bench.databases, **_databases(ask.get("from") or {})},
        to_databases={**bench.to_databases, **_databases(ask.get("to") or {})},
    )
    database, vocabulary = source_database(bench, work), work.desk.corpus.texts.vocabulary
    found = {
        dialect: translate(
            parsed,
            dialect,
            database=database,
            to_database=target_database(bench, work, dialect),
            vocabulary=vocabulary,
        )
        for dialect in _targets(work)
    }
    return replace(bench, panels=replace(bench.panels, translations=found))


def _targets(work: DraftResults) -> list[DialectId]:
    """Return all other dialects, and the text's own if another database of the platform has other headings."""
    own = work.parsed.dialect
    has_others = needs_database(work.parsed) and has_databases(own)
    return [dialect for dialect in DIALECTS if dialect != own or has_others]


def _databases(chosen: Mapping[str, str]) -> dict[DialectId, str]:
    return {d: chosen[d] for d in DIALECTS if d in chosen and is_database(chosen[d], d)}


def source_database(bench: QueryBench, work: DraftResults) -> str:
    """Return the database that the text is written for; empty: its platform has only one."""
    dialect = work.parsed.dialect
    return bench.databases.get(dialect) or database_in_text(work.parsed) or default_database(dialect)


def target_database(bench: QueryBench, work: DraftResults, dialect: DialectId) -> str:
    """Return the database of a translation; within one platform, by default one with other headings."""
    if chosen := bench.to_databases.get(dialect):
        return chosen
    if dialect == work.parsed.dialect:
        return other_database(dialect, source_database(bench, work))
    return default_database(dialect)


def _undo(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    return replace(bench, drafts=bench.drafts.undo(), panels=Panels())


def _redo(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    return replace(bench, drafts=bench.drafts.redo(), panels=Panels())


def opened_on_board(work: DraftResults) -> OpenedBoard:
    """Return the draft in lists, with the parts that are switched off: sorting must not lose them."""
    return open_draft(work.parsed, work.desk.topic_id, work.draft.semantics)


def _board(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    board = open_board(opened_on_board(work), work.parsed)
    return replace(bench, panels=replace(bench.panels, board=board))


def _sort(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    """Apply a change on the board: the search string of the new lists is the next draft."""
    opened = opened_on_board(work)
    board, text = sort_board(bench.panels.board or open_board(opened, work.parsed), opened, ask["turn"])
    if text is not None:
        dialect = _kept_dialect(work, text)
        off = carried_over(work.parsed, work.draft.off, text, dialect)
        draft = replace(bench.drafts.current, text=text, dialect=dialect, off=off)
        bench = _drafted(bench, replace(draft, made_by=board.message))
    return replace(bench, panels=replace(bench.panels, board=board))


def text_to_run(work: DraftResults) -> str:
    """Return the text without the parts that are switched off, which a run saves as a version."""
    return without_switched_off(work) if work.draft.off else work.draft.text


def fixed(bench: QueryBench, desk: Desk) -> QueryBench:
    """Apply the first fix of every error, one after the other: a fix may cause or fix another error."""
    for _ in range(MOST_FIX_STEPS):
        work = DraftResults(desk, bench.drafts.current)
        fix = next((finding.fix for finding in errors_of(work.findings) if finding.fix), None)
        if fix is None:
            break
        bench = _done(bench, work, fix.edits, fix.label.lower())
    return bench


NODE_COUNTS: dict[NodeCount, str] = {
    "n_alone": "Matched by {} alone",
    "n_in_context": "Retrieved and matched by {}",
    "n_unique": "Found only by {}",
    "core": "Core publications matched by {} alone",
    "core_unique": "Core publications found only by {}",
}


def _list(bench: QueryBench, work: DraftResults, ask: BenchRequest) -> QueryBench:
    """Show the publications of a number, or hide them again."""
    listed = _counted(work, ask["node"], ask["count"])
    shown = bench.panels.listed
    is_shown = shown is not None and shown.name == listed.name
    return replace(bench, panels=replace(bench.panels, listed=None if is_shown else listed))


def _counted(work: DraftResults, node: object, count: object) -> ListedCount:
    if node is None:
        ids = {"n_retrieved": work.retrieved_ids, "n_found": work.found_core_ids}[str(count)]
        return ListedCount("Retrieved" if count == "n_retrieved" else "Core found", ids)
    number, key = int(str(node)), next(key for key in NODE_COUNTS if key == count)
    if work.asked is None or not 0 <= number < len(work.parsed.nodes):
        raise IndexError(number)
    return ListedCount(NODE_COUNTS[key].format(work.asked.name_of(number)), work.asked.counted(number, key))


ANSWERS: dict[str, Answer] = {
    "edit": _edit,
    "dialect": _dialect,
    "semantics": _semantics,
    "switch": _switch,
    "fix": _fix,
    "effects": _effects,
    "rescues": _rescues,
    "reasons": _reasons,
    "rescue": _rescue,
    "suggest": _suggest,
    "add": _add,
    "reshape": _reshape,
    "reshape_accept": _accept_reshaped,
    "translate": _translate,
    "list": _list,
    "board": _board,
    "sort": _sort,
    "undo": _undo,
    "redo": _redo,
}
