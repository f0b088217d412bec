"""What the text of a version says about its result: why core publications are found or missed, what its terms bring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np

from core.audit.quality.summary import CoreFacts, FindingFacts, TermFacts, many, signed
from core.query.lint.in_corpus import lint, lint_in_corpus
from core.query.matching.matched import Semantics, none_of, of_rows
from core.query.reading.parser import parse
from core.query.repair.rescue import Explained, explain
from core.query.tree import Finding, Group, Heading, Near, Node, Not, ParsedQuery, Range, Term, parts_of
from core.query.weighing.contributions import Contribution, Stakes, contributions
from core.regions.base import Scene
from core.settings import EvaluationSettings
from core.vectors import cosine
from data.desk import Desk, ask, set_up
from data.running import dialect_of
from data.store import VersionRow
from data.vectors import Embedding
from data.workspace import Workspace

MOST_RESCUED = 40
"""Missed core publications of one version for which a rescue is looked for."""
LONGEST_PLACE = 120
"""Signs of the string that are repeated with a finding."""
BEYOND = f"not looked for: rescues are worked out for {MOST_RESCUED} missed core publications of a version"


@dataclass(frozen=True, slots=True)
class ReadText:
    """What can be said of one version with its text at hand."""

    core: tuple[CoreFacts, ...]
    terms: tuple[TermFacts, ...]
    findings: tuple[FindingFacts, ...]


def desk_of(workspace: Workspace, topic_id: str, embedding: Embedding | None, settings: EvaluationSettings) -> Desk:
    """The topic's publications, searchable; without vectors nothing of them can be scored."""
    if embedding is not None:
        return set_up(workspace, topic_id, embedding.embedder, settings)
    core, corpus = workspace.store.load_core(topic_id), workspace.corpora.of(topic_id)
    known = {p.publication_id: p for p in workspace.publications(core.ids)}
    n = len(corpus.ids)
    return Desk(
        topic_id=topic_id,
        embedder="",
        corpus=corpus,
        core=tuple(known.get(i) for i in core.ids),
        core_ids=core.ids,
        stakes=Stakes(
            core=of_rows(corpus.rows_of_ids(core.ids), n),
            n_core=len(core),
            scorable=none_of(n),
            accepted=none_of(n),
            settings=settings,
        ),
        undefined="no publication has a vector",
        points=np.full((n, 2), np.nan),
        state="",
    )


def read_text(workspace: Workspace, desk: Desk, row: VersionRow, scene: Scene) -> ReadText:
    """Everything that hangs on the string; without one that is read here, the core publications alone."""
    version = row.version
    parsed = parse(version.text, dialect_of(version))
    semantics: Semantics = next((s for s in get_args(Semantics) if s == version.semantics), "literal")
    found = frozenset(scene.all_found_ids)
    if not version.text.strip() or parsed.root is None or parsed.kind == "question":
        return ReadText(_core(desk, scene, {}, ()), (), _findings(parsed, lint(parsed)) if version.text.strip() else ())
    asked = ask(desk, parsed, semantics)
    if asked is None:
        return ReadText(_core(desk, scene, {}, ()), (), _findings(parsed, lint(parsed)))
    missed = [i for i in desk.core_ids if i not in found]
    explained = explain(asked, desk.core_ids, rows=desk.core_rows, with_rescues=missed[:MOST_RESCUED])
    findings = (*lint(parsed), *lint_in_corpus(parsed, asked.matched, desk.corpus.texts, desk.stakes.core))
    return ReadText(
        core=_core(desk, scene, {each.publication_id: each for each in explained}, tuple(missed[MOST_RESCUED:])),
        terms=_terms(parsed, contributions(asked.matched, asked.stakes)),
        findings=_findings(parsed, findings),
    )


def _core(
    desk: Desk, scene: Scene, explained: dict[str, Explained], not_rescued: tuple[str, ...]
) -> tuple[CoreFacts, ...]:
    """Every core publication in the topic's order."""
    found = frozenset(scene.all_found_ids)
    similarities = dict(zip(scene.core.ids, cosine(scene.core.vectors, scene.centre).tolist(), strict=True))
    out = []
    for publication_id, known in zip(desk.core_ids, desk.core, strict=True):
        is_found, each = publication_id in found, explained.get(publication_id)
        out.append(
            CoreFacts(
                publication_id=publication_id,
                title=known.title if known else "",
                year=known.year if known else None,
                doi=known.doi if known else None,
                is_found=is_found,
                similarity=similarities.get(publication_id),
                verdict=each.verdict if each else "",
                reason=_reason(each, is_found=is_found) if each else "",
                rescue=BEYOND if publication_id in not_rescued else _rescue(each) if each and not is_found else "",
            )
        )
    return tuple(out)


def _reason(explained: Explained, *, is_found: bool) -> str:
    """Why it is found or missed; a list that was brought in need not hold what its text would find here."""
    if is_found and explained.verdict != "found":
        return f"Found, though not by this text among the publications of this topic. {explained.sentence}"
    if not is_found and explained.verdict == "found":
        return "The text finds it among the publications of this topic, but the version's list does not hold it."
    return explained.sentence


def _rescue(explained: Explained) -> str:
    """The first change that is offered for it, with what it costs: what stays close to the string comes first."""
    if not explained.rescues:
        return ""
    rescue = explained.rescues[0]
    price = many(rescue.n_added, "more publication")
    core = f", {len(rescue.core_gained)} of them core" if len(rescue.core_gained) > 1 else ""
    worth = "" if rescue.f_beta_change is None else f", F-beta {signed(rescue.f_beta_change)}"
    return f"{rescue.label[:1].upper()}{rescue.label[1:]}: {price}{core}{worth}"


def _terms(parsed: ParsedQuery, found: tuple[Contribution, ...]) -> tuple[TermFacts, ...]:
    return tuple(
        TermFacts(
            text=_term_text(parsed, parsed.nodes[each.number]),
            kind=_kind(parsed.nodes[each.number]),
            depth=depth,
            n_alone=each.n_alone,
            n_in_context=each.n_in_context,
            n_unique=each.n_unique,
            n_core=each.core,
            n_core_unique=each.core_unique,
            semantic_precision_unique=each.semantic_precision_unique,
            f_beta_change_if_removed=each.f_beta_change_if_removed,
            flags=tuple(each.flags),
        )
        for each, depth in zip(found, _depths(parsed), strict=True)
    )


def _kind(node: Node) -> str:
    if isinstance(node, Group):
        return node.operator
    if isinstance(node, Not):
        return "NOT"
    return {Term: "term", Near: "near", Heading: "heading", Range: "range"}[type(node)]


def _term_text(parsed: ParsedQuery, node: Node) -> str:
    """A term as its writer wrote it; what combines others is named by its operator."""
    return _kind(node) if parts_of(node) else _one_line(node.span.of(parsed.text))


def _depths(parsed: ParsedQuery) -> list[int]:
    """How deep each node stands, in the order of the nodes."""
    out: list[int] = []
    stack = [(parsed.root, 0)] if parsed.root is not None else []
    while stack:
        node, depth = stack.pop()
        out.append(depth)
        stack.extend((part, depth + 1) for part in reversed(parts_of(node)))
    return out


def _findings(parsed: ParsedQuery, found: tuple[Finding, ...]) -> tuple[FindingFacts, ...]:
    ordered = sorted(found, key=lambda each: (each.span.start, each.span.end, each.rule))
    return tuple(
        FindingFacts(each.rule, each.severity, _one_line(each.span.of(parsed.text)), each.message)
        for each in dict.fromkeys(ordered)
    )


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_PLACE else f"{line[: LONGEST_PLACE - 1]}…"
