"""Edits in the dialect that a query is written in."""

from __future__ import annotations

from dataclasses import dataclass

from core.query.repair.edits import PlainWriter, Writer
from core.query.tree import DialectId, Group, Near, Term
from core.query.writing.printing import write


@dataclass(frozen=True, slots=True)
class DialectWriter(PlainWriter):
    """Terms as one dialect writes them; what it can't say exactly is not offered as an edit."""

    dialect: DialectId

    def term(self, term: Term) -> str | None:
        """A word or a phrase with its fields."""
        return self._exactly(term)

    def near(self, near: Near) -> str | None:
        """Parts that stand close to each other."""
        return self._exactly(near)

    def _exactly(self, node: Term | Near) -> str | None:
        written = write(node, self.dialect)
        if written.losses:
            return None
        return f"({written.text})" if isinstance(written.meant, Group) else written.text


def writer_for(dialect: DialectId) -> Writer:
    """Writes terms as this dialect does.

    >>> writer_for("pubmed").term(Term(("tall trees",), quoted=True, fields=("title",)))
    '"tall trees"[ti]'
    """
    return DialectWriter(dialect)
