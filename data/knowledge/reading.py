"""What a question names in a knowledge base, and what it may be asking of relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.knowledge.evidence import Proposal
from core.knowledge.spans import Mention
from core.knowledge.templates import Template, question_words
from data.knowledge.base import KnowledgeBase
from data.knowledge.linking import find_mentions

LONGEST_READ = 2_000
"""Characters of a question in which names are looked for."""


def mentions_in(base: KnowledgeBase, templates: Sequence[Template]) -> Callable[[str], tuple[Mention, ...]]:
    """Finds what a text names of the types that any template starts from."""
    types = tuple(dict.fromkeys(kind for template in templates for kind in template.slots.values()))

    def mentions(text: str) -> tuple[Mention, ...]:
        return find_mentions(base, text[:LONGEST_READ], types=types) if types else ()

    return mentions


def in_words(proposal: Proposal) -> str:
    """What a proposal asks, with the names in it, and how many entities go by them where these are more."""
    said = question_words(proposal.template, proposal.titles)
    return (
        f"{said} [{proposal.n_meant:,} entities have these names]" if proposal.n_meant > len(proposal.given) else said
    )
