"""What becomes of a draft on a desk; each part is worked out when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from core.judging.agreement import Interval, wilson
from core.query.lint.in_corpus import lint, lint_in_corpus
from core.query.matching.matched import Bits, count, none_of, of_rows
from core.query.reading.parser import parse
from core.query.repair.rescue import Explained, Rescuer, explain
from core.query.tree import Finding, Group, Not, ParsedQuery
from core.query.weighing.contributions import Asked, Contribution, contributions
from core.text import words
from dashboard.workbench.drafts import Draft, other
from data.desk import Desk, ask
from data.running import RANKED_CUT

SHOWN_BELOW_CUT = 20
"""Publications of a ranking that are shown although they are cut off."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The numbers of one draft."""

    n_corpus: int
    n_retrieved: int
    n_core: int
    n_found: int
    recall: float
    recall_interval: Interval
    semantic_precision: float | None
    f_beta: float | None
    n_untestable: int


@dataclass(frozen=True, eq=False)
class Work:
    """One draft on one desk."""

    desk: Desk
    draft: Draft
    all_on: Work | None = None
    """The same text with nothing switched off: what is known of it need not be found out again."""

    @cached_property
    def parsed(self) -> ParsedQuery:
        """The text as it was understood."""
        return self.all_on.parsed if self.all_on else parse(self.draft.text, self.draft.dialect)

    @cached_property
    def asked(self) -> Asked | None:
        """The query, matched; None: there is no tree."""
        off = frozenset(number for number in self.draft.off if number < len(self.parsed.nodes))
        return ask(self.desk, self.parsed, self.draft.semantics, off)

    @cached_property
    def ranked(self) -> tuple[tuple[int, float], ...]:
        """For a question: rows and scores, best first, a little beyond the cut."""
        if self.parsed.kind != "question":
            return ()
        return self.desk.corpus.rank(words(self.draft.text), RANKED_CUT + SHOWN_BELOW_CUT)

    @cached_property
    def retrieved(self) -> Bits:
        """What it retrieves."""
        n = len(self.desk.corpus.ids)
        if self.parsed.kind == "question":
            return of_rows([row for row, _ in self.ranked[:RANKED_CUT]], n)
        return none_of(n) if self.asked is None else self.asked.retrieved

    @cached_property
    def summary(self) -> Summary:
        """Its numbers."""
        stakes, retrieved = self.desk.stakes, self.retrieved
        n_found = count(retrieved & stakes.core)
        return Summary(
            n_corpus=len(self.desk.corpus.ids),
            n_retrieved=count(retrieved),
            n_core=stakes.n_core,
            n_found=n_found,
            recall=stakes.recall(retrieved),
            recall_interval=wilson(n_found, stakes.n_core),
            semantic_precision=stakes.semantic_precision(retrieved),
            f_beta=stakes.f_beta(retrieved),
            n_untestable=0 if self.asked is None else len(self.asked.matched.untestable),
        )

    @cached_property
    def other_semantics(self) -> Summary:
        """The same text, its words matched in the other way."""
        draft = replace(self.draft, semantics=other(self.draft.semantics))
        return Work(self.desk, draft, self.all_on or self).summary

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What its writer should know; what is switched off is still written."""
        if self.all_on:
            return self.all_on.findings
        found = lint(self.parsed)
        if self.asked is None:
            return found
        in_corpus = lint_in_corpus(self.parsed, self.asked.matched, self.desk.corpus.texts, self.desk.stakes.core)
        return tuple(sorted((*found, *in_corpus), key=lambda f: (f.span.start, f.span.end)))

    @cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        """What each node brings and costs."""
        return () if self.asked is None else contributions(self.asked.matched, self.desk.stakes)

    @cached_property
    def explained(self) -> tuple[Explained, ...]:
        """Each core publication with its reason."""
        return () if self.asked is None else explain(self.asked, self.desk.core_ids, rows=self.desk.core_rows)

    @cached_property
    def rescuer(self) -> Rescuer | None:
        """Finds edits, and remembers their prices."""
        return None if self.asked is None else Rescuer(self.asked)

    @cached_property
    def blocks(self) -> tuple[int, ...]:
        """Nodes that a term can be added to: the ORs, and what stands alone in an AND."""
        nodes = self.parsed.nodes
        if self.asked is None or not nodes:
            return ()
        matched = self.asked.matched
        ors = [i for i, n in enumerate(nodes) if isinstance(n, Group) and n.operator == "OR"]
        root = nodes[0]
        parts = matched.children[0] if isinstance(root, Group) and root.operator == "AND" else (0,)
        return tuple(sorted({*ors, *(i for i in parts if not isinstance(nodes[i], Not))}))
