"""The workbench as a document for the browser."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from core.query.checks import errors_of
from core.query.checks.rules import RULES
from core.query.contributions import MatchedQuery, disagreement_note
from core.query.dialects import DIALECTS
from core.query.dialects.base import DATABASE_LABELS
from core.query.explanations import CoreExplanation, Rescue
from core.query.lexer import highlight
from core.query.match import Bits, count, holds, rows_of
from core.query.suggestions import QueryReshaping, ReshapingScores, Suggestion, first_place, in_context
from core.query.tree import DialectId, Group, Not, Span, Term
from core.text import listed, upper_first
from core.types import Publication
from dashboard.query.databases import has_databases, needs_database
from dashboard.query.documents import Document, explained_document, finding_document, node_document, query_text
from dashboard.workbench.bench import (
    DraftResults,
    DraftSummary,
    Panels,
    QueryBench,
    fixed,
    fixes_of,
    other,
    source_database,
    target_database,
)
from data.query.search import RANKED_CUT

# A search line by line with its hits, in librarians' notation: as it was typed, or one line for each block.


@dataclass(frozen=True, slots=True)
class SearchLine:
    number: int
    span: Span
    text: str
    hits: int | None
    """None: it can't be tested here, or it is empty."""
    used: bool = True


def search_lines(work: DraftResults) -> tuple[SearchLine, ...]:
    """Return the lines of a search; none for a single block."""
    if work.asked is None:
        return ()
    if not work.parsed.lines:
        return _by_block(work.asked)
    return tuple(
        SearchLine(
            line.number,
            line.span,
            line.span.of(work.draft.text),
            None if line.root is None else _hits(work.asked.look_up(line.root)),
            line.used,
        )
        for line in work.parsed.lines
    )


def _by_block(asked: MatchedQuery) -> tuple[SearchLine, ...]:
    """Return a line for each part of the outermost AND or OR, and one that combines them: 1 AND 2 NOT 3."""
    matched = asked.matched
    root = matched.nodes[0]
    if not isinstance(root, Group):
        return ()
    lines: list[SearchLine] = []
    joined = ""
    for number, child in enumerate(matched.children[0], start=1):
        node = matched.nodes[child]
        negated = isinstance(node, Not)
        inside = matched.children[child][0] if negated else child
        span = matched.nodes[inside].span
        lines.append(SearchLine(number, span, _one_line(span.of(asked.text)), _hits(matched.sets[inside])))
        operator = "NOT" if negated else root.operator
        joined = f"{joined} {operator} {number}" if joined else f"{'NOT ' if negated else ''}{number}"
    return (*lines, SearchLine(len(lines) + 1, root.span, joined, _hits(matched.root)))


def _hits(bits: Bits | None) -> int | None:
    return None if bits is None else count(bits)


def _one_line(text: str) -> str:
    return " ".join(text.split())


# A bench as the browser draws it.

N_CONTEXTS = 3
MOST_PROBLEMS = 3
"""Different errors named before a run."""
MOST_DISAGREEMENTS = 100
"""Publications listed, the core first, on which a version and its text disagree."""
LONGEST_LABEL = 80
"""Characters of a group's label."""
MOST_UNMATCHED = 3
"""Terms without hits that are named where nothing is retrieved."""
FACES = {"literal": "Words match exactly.", "stemmed": "Words match in all their forms, such as tree and trees."}


def bench_document(bench: QueryBench, work: DraftResults, before: DraftSummary, titles: Mapping[str, str]) -> Document:
    """Build everything but the landscape's points, which the browser has. `titles`: of publications listed by rank."""
    parsed, draft = work.parsed, work.draft
    n = len(work.desk.corpus.ids)
    return {
        "seq": bench.seq,
        "topic": work.desk.topic_id,
        "text": draft.text,
        "dialect": parsed.dialect,
        "confidence": parsed.confidence,
        "chosen": draft.dialect or "auto",
        "kind": parsed.kind,
        "dialects": [{"id": d.id, "label": d.label} for d in DIALECTS.values()],
        "semantics": draft.semantics,
        "semantics_note": _semantics_note(work),
        "findings": _findings(work, bench.panels),
        "spans": _spans(work),
        "nodes": _nodes(work),
        "lines": _lines(work),
        "summary": _summary(work.summary),
        "before": _summary(before),
        "core": _core(work, bench.panels),
        "missed": _missed(work, bench.panels),
        "missed_priced": bench.panels.best is not None,
        "suggestions": _suggestions(work, bench.panels),
        "groups": [
            {"number": i, "label": query_text(draft.text, parsed.nodes[i])[:LONGEST_LABEL]} for i in work.blocks
        ],
        "reshape": _reshaped(work, bench.panels),
        "translations": _translations(bench, work),
        "reading_summary": next((t.reading_summary for t in (bench.panels.translations or {}).values()), ""),
        "database": _database(work, parsed.dialect, source_database(bench, work)),
        "history": _history(bench),
        "ranked": _ranked(work, titles),
        "listed": bench.panels.listed and bench.panels.listed.name,
        "retrieved": base64.b64encode(work.retrieved.tobytes()[: -(-n // 8)]).decode(),
        "busy": None,
        "message": None if bench.mistake is None else {"kind": "error", "text": bench.mistake},
    }


def _history(bench: QueryBench) -> Document:
    """Return the targets of undo and redo: drafts, and versions beyond the first and the last draft."""
    drafts, run = bench.drafts, "the run" if bench.parent else ""
    return {
        "undo": drafts.can_undo or bench.parent is not None,
        "redo": drafts.can_redo or bench.child is not None,
        "label": drafts.current.made_by if drafts.can_undo else run,
    }


def version_document(version: DraftResults, titles: Mapping[str, str], *, is_edited: bool) -> Document:
    """Describe where the open version and its text, as matched here, disagree.

    `is_edited`: another draft is shown, whose results depend on the text alone.
    """
    note = disagreement_note(version.disagreements)
    if is_edited and note:
        held = version.summary
        note = (
            "These numbers are for the edited search string as read here; changes compare with the version's string as "
            f"read here. The version has {held.n_retrieved:,} publications, {held.n_found:,} of {held.n_core:,} core."
        )
    elif note:
        note = f"The version's list counts. The search string as read here differs: {note}"
    listed = () if is_edited else version.disagreements[:MOST_DISAGREEMENTS]
    known = {p.publication_id: p.title for p in version.desk.core if p is not None}
    return {
        "version_note": note,
        "n_disagreeing": 0 if is_edited else len(version.disagreements),
        "disagrees": [
            {
                "publication_id": each.publication_id,
                "title": known.get(each.publication_id) or titles.get(each.publication_id, ""),
                "is_core": each.is_core,
                "in_version": each.in_version,
                "message": each.message,
            }
            for each in listed
        ],
    }


def _semantics_note(work: DraftResults) -> str:
    if work.asked is None:
        return ""
    now, n = work.draft.semantics, work.other_semantics.n_retrieved
    core = f" and {work.other_semantics.n_found} of {work.summary.n_core} core" if work.summary.n_core else ""
    publications = "publication" if n == 1 else "publications"
    in_other = f"{FACES[now]} {other(now).capitalize()}, it would retrieve {n:,} {publications}{core}."
    return f"{_unmatched(work, work.asked)} {in_other}" if not work.summary.n_retrieved else in_other


def _unmatched(work: DraftResults, asked: MatchedQuery) -> str:
    """Say why nothing is retrieved."""
    if asked.matched.root is None:
        return "Nothing is retrieved: no part of the search string can be tested here."
    terms = [
        f"“{query_text(work.draft.text, node)}”"
        for node, contribution in zip(asked.matched.nodes, work.contributions, strict=True)
        if isinstance(node, Term) and "zero_hit" in contribution.flags
    ]
    if not terms:
        return "Nothing is retrieved: no publication matches all parts."
    n_more = len(terms) - MOST_UNMATCHED
    named = listed([*terms[:MOST_UNMATCHED], *([f"{n_more} more"] if n_more > 0 else [])])
    return f"Nothing is retrieved: no hits for {named}."


def _summary(summary: DraftSummary) -> Document:
    return {
        "n_corpus": summary.n_corpus,
        "n_retrieved": summary.n_retrieved,
        "n_core": summary.n_core,
        "n_found": summary.n_found,
        "recall": summary.recall,
        "recall_interval": list(summary.recall_interval),
        "semantic_precision": summary.semantic_precision,
        "f_beta": summary.f_beta,
        "undefined": summary.undefined,
        "n_untestable": summary.n_untestable,
    }


def _findings(work: DraftResults, panels: Panels) -> list[Document]:
    out: list[Document] = []
    for i, finding in enumerate(work.findings):
        fixes = [
            {"label": fix.label, "effect": (effect := panels.effects.get((i, k))) and asdict(effect)}
            for k, fix in enumerate(fixes_of(finding))
        ]
        document = {**finding_document(finding), "fix": fixes[0] if fixes else None, "other_fixes": fixes[1:]}
        out.append({**document, "id": i, "title": RULES[finding.rule].title})
    return out


def _spans(work: DraftResults) -> list[Document]:
    untestable = frozenset() if work.asked is None else work.asked.matched.untestable
    parts = highlight(work.parsed, work.draft.off, untestable)
    return [{"start": p.start, "end": p.end, "kind": p.kind, "node": p.number} for p in parts]


def _nodes(work: DraftResults) -> list[Document]:
    if work.asked is None:
        return []
    matched = work.asked.matched
    depth: list[int] = []
    for above in matched.parents:
        depth.append(0 if above < 0 else depth[above] + 1)
    return [
        {
            **node_document(work.parsed, c),
            "depth": depth[c.number],
            "parent": matched.parents[c.number],
            "off": c.number in matched.off,
            "untestable": c.number in matched.untestable,
        }
        for c in work.contributions
    ]


def _lines(work: DraftResults) -> list[Document]:
    return [
        {
            "number": line.number,
            "start": line.span.start,
            "end": line.span.end,
            "text": line.text,
            "hits": line.hits,
            "used": line.used,
        }
        for line in search_lines(work)
    ]


def _core(work: DraftResults, panels: Panels) -> list[Document]:
    if work.asked is None:
        return [_ranked_core(work, i, p) for i, p in zip(work.desk.core_ids, work.desk.core, strict=True)]
    known = dict(zip(work.desk.core_ids, work.desk.core, strict=True))
    return [_explained(work.asked, e, known[e.publication_id], panels) for e in work.explained]


def _ranked_core(work: DraftResults, publication_id: str, publication: Publication | None) -> Document:
    row = work.desk.core_rows.get(publication_id)
    found = publication_id in work.found_core
    return {
        "publication_id": publication_id,
        "title": publication.title if publication else "",
        "found": found,
        "verdict": "found" if found else "not_in_corpus" if row is None else "fails_block",
        "sentence": "Found." if found else f"It is not among the first {RANKED_CUT:,} of the ranking.",
        "failing": [],
        "evidence": [],
        "rescues": [],
    }


def _explained(asked: MatchedQuery, e: CoreExplanation, publication: Publication | None, panels: Panels) -> Document:
    rescues = panels.rescues.get(e.publication_id)
    return {
        **explained_document(asked, e, publication),
        "found": e.verdict == "found",
        "rescues": None if rescues is None else [_rescue(each) for each in rescues],
    }


def _rescue(rescue: Rescue) -> Document:
    return {
        "label": upper_first(rescue.label),
        "n_added": rescue.n_added,
        "core_gained": len(rescue.core_gained),
        "reach": rescue.reach,
        "semantic_precision": rescue.semantic_precision_added,
        "f_beta_change": rescue.f_beta_change,
    }


def _missed(work: DraftResults, panels: Panels) -> list[Document]:
    """Return the reasons why core publications are missed, each with the most effective rescue."""
    if work.asked is None:
        missed = [i for i in work.desk.core_ids if i not in work.found_core]
        return [{"verdict": "not_ranked", "publication_ids": missed, "rescue": None}] if missed else []
    return [
        {
            "verdict": reason.verdict,
            "publication_ids": list(reason.publication_ids),
            "rescue": _best(panels, len(reason.publication_ids), *panels.best[reason])
            if panels.best and reason in panels.best
            else None,
        }
        for reason in work.missed
    ]


def _best(panels: Panels, n: int, publication_id: str, index: int) -> Document:
    """Describe the rescue of one of `n` publications that stands for all of them."""
    rescue = _rescue(panels.rescues[publication_id][index])
    if n > 1 and rescue["core_gained"] == 1:
        rescue["reach"] = f"rescues one of these {n:,}"
    return {"publication_id": publication_id, "index": index, **rescue}


def problems_document(bench: QueryBench, work: DraftResults) -> Document | None:
    """Return the errors of the search string, and the text that fixing them gives."""
    errors = errors_of(work.findings)
    if not errors:
        return None
    after = fixed(bench, work.desk).drafts.current.text
    return {
        "n": len(errors),
        "n_fixable": sum(error.fix is not None for error in errors),
        "messages": list(dict.fromkeys(error.message for error in errors))[:MOST_PROBLEMS],
        "fixed": None if after == work.draft.text else after,
        "waits": bench.panels.problems,
    }


def _suggestions(work: DraftResults, panels: Panels) -> Document | None:
    if panels.suggestions is None:
        return None
    group, suggestions = panels.suggestions
    return {"group": group, "items": [_suggestion(work, each) for each in suggestions]}


def _suggestion(work: DraftResults, suggestion: Suggestion) -> Document:
    price = suggestion.if_added
    return {
        "text": suggestion.text,
        "kind": suggestion.kind,
        "z": suggestion.z,
        "n_target": suggestion.n_target,
        "n_corpus": suggestion.n_corpus,
        "core_gained": None if price is None else len(price.core_gained),
        "n_added": None if price is None else price.n_added,
        "semantic_precision": None if price is None else price.semantic_precision_added,
        "f_beta_change": None if price is None else price.f_beta_change,
        "contexts": [] if suggestion.kind == "heading" else _contexts(work, suggestion.text),
    }


def _contexts(work: DraftResults, text: str) -> list[Document]:
    term = Term((text,), quoted=True)
    bits = work.desk.corpus.look_up(term, "literal")
    if bits is None:
        return []
    stakes, texts = work.desk.stakes, work.desk.corpus.texts
    missed = bits & ~work.retrieved
    rows = [*rows_of(missed & stakes.core), *rows_of(missed & stakes.accepted & ~stakes.core)][:N_CONTEXTS]
    out: list[Document] = []
    for row in rows:
        place = first_place(texts, int(row), term)
        if place is not None:
            snippet = in_context(texts, int(row), *place)
            out.append({"before": snippet.before, "match": snippet.words, "after": snippet.after})
    return out


HOLDS = 0.75
"""Smallest share of a gain that has to be seen on the held-out half, too, for a change to hold."""


def _reshaped(work: DraftResults, panels: Panels) -> Document | None:
    if panels.reshaped is None:
        return None
    how, r = panels.reshaped
    note = "No better search string was found." if r.changes_nothing else _over_fitting(r)
    return {
        "how": how,
        "removed": [query_text(work.draft.text, work.parsed.nodes[i]) for i in r.left_out],
        "added": [" ".join(str(piece) for piece in term.pieces) for _, term in r.added],
        "added_to": [query_text(work.draft.text, work.parsed.nodes[i])[:LONGEST_LABEL] for i, _ in r.added],
        "before": _standing(r.everything, r.n_before, after=False),
        "after": _standing(r.everything, r.n_after, after=True),
        "searched": _half(r.searched_with),
        "held_out": None if r.held_out is None else _half(r.held_out),
        "note": note,
    }


def _over_fitting(r: QueryReshaping) -> str:
    if r.held_out is None:
        return "There are too few core publications to hold out half of them: this may be overfitting."
    before, after = r.held_out.before.f_beta, r.held_out.after.f_beta
    if before is not None and after is not None and after < before:
        return "It is worse on the held-out half of the core publications: this is overfitting."
    held_out, searched = _gain(r.held_out), _gain(r.searched_with)
    if held_out is not None and searched is not None and held_out < HOLDS * searched:
        return (
            f"On the held-out half of the core publications it gains {held_out:.3f}, on the half that was searched "
            f"with {searched:.3f}: expect the smaller gain."
        )
    return "It also holds on the held-out half of the core publications."


def _gain(half: ReshapingScores) -> float | None:
    before, after = half.before.f_beta, half.after.f_beta
    return None if before is None or after is None else after - before


def _standing(half: ReshapingScores, n_retrieved: int, *, after: bool) -> Document:
    standing = half.after if after else half.before
    return {"n_retrieved": n_retrieved, "recall": standing.recall, "f_beta": standing.f_beta}


def _half(half: ReshapingScores) -> Document:
    return {
        "n_core": half.n_core,
        "recall": half.after.recall,
        "f_beta": half.after.f_beta,
        "recall_before": half.before.recall,
        "f_beta_before": half.before.f_beta,
    }


def _translations(bench: QueryBench, work: DraftResults) -> list[Document] | None:
    if bench.panels.translations is None:
        return None
    return [
        {
            "dialect": dialect,
            "label": DIALECTS[dialect].label,
            "database": _database(work, dialect, target_database(bench, work, dialect)),
            "text": found.text,
            "n_unread": found.n_unread,
            "losses": [
                {"start": x.start, "end": x.end, "status": x.status, "message": x.message} for x in found.losses
            ],
        }
        for dialect, found in bench.panels.translations.items()
    ]


def _database(work: DraftResults, dialect: DialectId, chosen: str) -> Document | None:
    """Return the databases to choose from; None: the choice would change nothing."""
    if not has_databases(dialect) or not needs_database(work.parsed):
        return None
    options = [{"id": name, "label": DATABASE_LABELS[name]} for name in DIALECTS[dialect].databases]
    return {"chosen": chosen, "options": options}


def _ranked(work: DraftResults, titles: Mapping[str, str]) -> Document | None:
    if work.parsed.kind != "question":
        return None
    ids, core = work.desk.corpus.ids, work.desk.stakes.core
    return {
        "cut": RANKED_CUT,
        "items": [
            {"rank": i, "title": titles.get(ids[row], ids[row]), "score": score, "core": holds(core, row)}
            for i, (row, score) in enumerate(work.ranked, start=1)
        ],
        "note": f"A plain-language question is ranked (BM25); the first {RANKED_CUT:,} are retrieved.",
    }
