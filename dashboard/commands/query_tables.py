"""What the `query` commands print for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.query.dialects import DIALECTS
from core.query.repair.rescue import Explained
from core.query.tree import DialectId, Finding, ParsedQuery, parts_of
from core.query.weighing.contributions import Asked, Contribution
from core.query.writing.printing import Translation
from core.types import Publication
from dashboard.commands.output import NONE, number, results, row, shown, table
from dashboard.components.query_documents import kind_of, query_text

LONGEST = 60
STYLES = {"error": "bold red", "warning": "yellow", "hint": "dim"}
FLAGS = {
    "zero_hit": "no hits",
    "subsumed": "adds nothing",
    "harmful": "harms",
    "single_point_of_failure": "sole finder",
    "not_testable": "not testable here",
    "off": "off",
}


COLUMNS = (
    "Term",
    "Alone",
    "In context",
    "Unique",
    "Core",
    "Core unique",
    "Precision of unique",
    "Read per core",
    "F-beta if left out",
    "",
)


def _short(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _tree_lines(parsed: ParsedQuery) -> list[str]:
    """The tree, one node to a line, indented."""
    lines: list[str] = []
    for node, depth in zip(parsed.nodes, depths(parsed), strict=True):
        kind = kind_of(node)
        text = kind if kind in ("AND", "OR", "NOT") else _short(query_text(parsed.text, node))
        lines.append("  " * depth + text)
    return lines


def depths(parsed: ParsedQuery) -> list[int]:
    """How deep each node of the tree stands."""
    out: list[int] = []
    stack = [(parsed.root, 0)] if parsed.root is not None else []
    while stack:
        node, depth = stack.pop()
        out.append(depth)
        stack.extend((part, depth + 1) for part in reversed(parts_of(node)))
    return out


def print_check(parsed: ParsedQuery, findings: Sequence[Finding]) -> None:
    """How it was understood, then what is wrong."""
    out = results()
    sure = f", {parsed.confidence:.0%} sure" if parsed.confidence < 1 else ""
    out.print(shown(f"{DIALECTS[parsed.dialect].label}{sure}: {parsed.kind}", "bold"))
    for line in _tree_lines(parsed):
        out.print(shown(f"  {line}"))
    if parsed.kind == "question":
        out.print(shown("  A question in plain words: it is ranked, not matched."))
    out.print()
    if not findings:
        out.print(shown("Nothing to mend."))
    for f in findings:
        where = f"{f.span.start}-{f.span.end}"
        out.print(shown(f"{f.severity}: {f.message} ({f.rule}, characters {where})", STYLES[f.severity]))
        if f.span.end > f.span.start:
            out.print(shown(f"    {_short(' '.join(f.span.of(parsed.text).split()), 100)}"))
        if f.fix:
            out.print(shown(f"    {f.fix.label}.", "dim"))


def print_explained(asked: Asked, explained: Sequence[Explained], known: Mapping[str, Publication]) -> None:
    """The missed core publications with their reasons and what rescues them."""
    out = results()
    missed = [e for e in explained if e.verdict != "found"]
    n_found = len(explained) - len(missed)
    out.print(shown(f"{n_found} of {len(explained)} core publications found, words {asked.semantics}"))
    for e in missed:
        title = known[e.publication_id].title if e.publication_id in known else ""
        out.print()
        out.print(shown(f"{e.publication_id}  {_short(title, 110)}", "bold"))
        out.print(shown(f"  {e.sentence}"))
        for rescue in e.rescues:
            change = NONE if rescue.f_beta_change is None else f"{rescue.f_beta_change:+.3f}"
            gained = f", {len(rescue.core_gained)} core" if rescue.core_gained else ""
            out.print(shown(f"    {rescue.label}: +{rescue.n_added:,} publications{gained}, F-beta {change}", "dim"))


def print_terms(asked: Asked, parsed: ParsedQuery, found: Sequence[Contribution]) -> None:
    """The tree with its numbers."""
    out = results()
    grid = table(f"Terms, words {asked.semantics}", *COLUMNS, right=range(1, 9))
    for c, depth in zip(found, depths(parsed), strict=True):
        node = parsed.nodes[c.number]
        kind = kind_of(node)
        text = kind if kind in ("AND", "OR", "NOT") else query_text(parsed.text, node)
        change = c.f_beta_change_if_removed
        row(
            grid,
            "  " * depth + _short(text, 44),
            *(NONE if "not_testable" in c.flags else f"{n:,}" for n in _counts(c)),
            number(c.semantic_precision_unique),
            NONE if c.read_per_core is None else f"{c.read_per_core:.1f}",
            NONE if change is None else f"{change:+.3f}",
            ", ".join(FLAGS[flag] for flag in c.flags),
        )
    out.print(grid)


def _counts(c: Contribution) -> tuple[int, ...]:
    return c.n_alone, c.n_in_context, c.n_unique, c.core, c.core_unique


def print_translation(parsed: ParsedQuery, target: DialectId, translation: Translation) -> None:
    """The text alone, then what was lost."""
    out = results()
    out.print(shown(translation.text), soft_wrap=True)
    out.print()
    if not translation.losses:
        out.print(shown(f"Exact: {DIALECTS[target].label} says the same."))
    for loss in translation.losses:
        text = _short(" ".join(parsed.text[loss.start : loss.end].split()))
        out.print(shown(f"{loss.status}: {loss.message} ({text})", "yellow"))
