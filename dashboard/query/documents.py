"""Search queries, findings and explanations as JSON documents, for the Workbench and `query --json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.query.contributions import Contribution, Disagreement, MatchedQuery
from core.query.explanations import CoreExplanation, Rescue
from core.query.tree import (
    Finding,
    Fix,
    Heading,
    Near,
    Node,
    ParsedQuery,
    Range,
    Term,
    kind_of,
    parts_of,
    written,
)
from core.types import Ids, Publication

Document = dict[str, Any]
NOT_KNOWN: Document = dict.fromkeys(
    ("n_alone", "n_in_context", "n_unique", "n_gained_if_removed", "core", "core_in_context", "core_unique")
)
LONGEST_TEXT = 400
"""Characters of a node that are quoted; its span covers the rest."""


def query_text(text: str, node: Node) -> str:
    shown = " ".join(node.span.of(text).split())
    return shown if len(shown) <= LONGEST_TEXT else f"{shown[:LONGEST_TEXT]}…"


def tree_document(node: Node | None) -> Document | None:
    """Return the tree, level by level. It is never deeper than `DEEPEST`."""
    if node is None:
        return None
    document: Document = {"kind": kind_of(node), "start": node.span.start, "end": node.span.end}
    if isinstance(node, Term):
        document |= {"text": written(node.pieces), "quoted": node.quoted, "fields": list(node.fields)}
        document |= {"exact": True} if node.exact else {}
    elif isinstance(node, Heading):
        document |= {"text": node.name, "explode": node.explode, "major": node.major}
        document |= {"subheadings": list(node.subheadings)} if node.subheadings else {}
    elif isinstance(node, Range):
        document |= {"low": node.low, "high": node.high}
    elif isinstance(node, Near):
        document |= {"distance": node.distance, "ordered": node.ordered, "whole": node.whole}
        document["parts"] = [tree_document(part) for part in node.parts]
    else:
        document["parts"] = [tree_document(part) for part in parts_of(node)]
    return document


def finding_document(finding: Finding) -> Document:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "start": finding.span.start,
        "end": finding.span.end,
        "message": finding.message,
        "fix": finding.fix and fix_document(finding.fix),
        "other_fixes": [fix_document(fix) for fix in finding.other_fixes],
    }


def fix_document(fix: Fix) -> Document:
    return {
        "label": fix.label,
        "edits": [{"start": e.start, "end": e.end, "text": e.text} for e in fix.edits],
    }


def check_document(parsed: ParsedQuery, findings: Sequence[Finding]) -> Document:
    """Return `query check --json`."""
    return {
        "dialect": parsed.dialect,
        "confidence": parsed.confidence,
        "kind": parsed.kind,
        "tree": tree_document(parsed.root),
        "findings": [finding_document(finding) for finding in findings],
    }


def node_document(parsed: ParsedQuery, c: Contribution) -> Document:
    """Return what one node contributes and costs; nodes that can't be tested here have no counts."""
    node = parsed.nodes[c.number]
    document = {
        "number": c.number,
        "kind": kind_of(node),
        "start": c.span.start,
        "end": c.span.end,
        "text": query_text(parsed.text, node),
        "n_alone": c.n_alone,
        "n_in_context": c.n_in_context,
        "n_unique": c.n_unique,
        "n_gained_if_removed": c.n_gained,
        "core": c.core,
        "core_in_context": c.core_in_context,
        "core_unique": c.core_unique,
        "semantic_precision_unique": c.semantic_precision_unique,
        "read_per_core": c.read_per_core,
        "f_beta_change_if_removed": c.f_beta_change_if_removed,
        "flags": list(c.flags),
        "subsumed_by": c.by,
    }
    return document | NOT_KNOWN if "not_testable" in c.flags else document


def rescue_document(rescue: Rescue) -> Document:
    return {
        "edit": rescue.label,
        "edits": [{"start": e.start, "end": e.end, "text": e.text} for e in rescue.edits],
        "n_added": rescue.n_added,
        "core_gained": list(rescue.core_gained),
        "n_missed": rescue.n_missed,
        "reach": rescue.reach,
        "semantic_precision_added": rescue.semantic_precision_added,
        "f_beta_change": rescue.f_beta_change,
    }


def explained_document(asked: MatchedQuery, explained: CoreExplanation, publication: Publication | None) -> Document:
    return {
        "publication_id": explained.publication_id,
        "title": publication.title if publication else "",
        "verdict": explained.verdict,
        "sentence": explained.sentence,
        "failing": [
            {
                "start": node.span.start,
                "end": node.span.end,
                "text": query_text(asked.text, asked.matched.nodes[node.number]),
                "block": node.block,
            }
            for node in explained.failing
        ],
        "evidence": [{"kind": e.kind, "field": e.field, "message": e.message} for e in explained.evidence],
        "rescues": [rescue_document(rescue) for rescue in explained.rescues],
    }


def disagreement_document(disagreement: Disagreement, publication: Publication | None) -> Document:
    return {
        "publication_id": disagreement.publication_id,
        "title": publication.title if publication else "",
        "is_core": disagreement.is_core,
        "in_version": disagreement.in_version,
        "message": disagreement.message,
    }


def _found_document(
    found: Sequence[str], disagreements: Sequence[Disagreement], publications: Mapping[str, Publication]
) -> Document:
    return {
        "n_found": len(found),
        "found": list(found),
        "disagrees": [disagreement_document(each, publications.get(each.publication_id)) for each in disagreements],
    }


def terms_document(
    asked: MatchedQuery,
    parsed: ParsedQuery,
    core_ids: Ids,
    disagreements: Sequence[Disagreement],
    publications: Mapping[str, Publication],
) -> Document:
    """Return `query terms --json`."""
    return {
        "nodes": [node_document(parsed, each) for each in asked.contributions],
        **_found_document(asked.found(core_ids), disagreements, publications),
    }


def explain_document(
    asked: MatchedQuery,
    explained: Sequence[CoreExplanation],
    disagreements: Sequence[Disagreement],
    publications: Mapping[str, Publication],
) -> Document:
    """Return `query explain --json`."""
    found = [each.publication_id for each in explained if each.verdict == "found"]
    return {
        **_found_document(found, disagreements, publications),
        "missed": [
            explained_document(asked, e, publications.get(e.publication_id)) for e in explained if e.verdict != "found"
        ],
    }
