"""What a source would make of a search string: nothing is sent but one count for each form."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from core.query.reading.parser import parse
from core.query.tree import DialectId, ParsedQuery
from core.sources.reporting import CapEffect, Estimate, cap_effect, estimate
from core.sources.sending.saying import MOST, Choices, Prepared
from core.types import unique_ids
from data.sources.types import Count, LiveSource

_USUAL = Choices()


@dataclass(frozen=True, slots=True)
class Preview:
    """A search string before its run."""

    parsed: ParsedQuery
    prepared: Prepared
    counts: tuple[Count, ...]
    """One for each form, in their order."""
    least: int
    """Publications that it finds at least: those of the largest form."""
    most_found: int
    """And at most: those of all forms together, as if no two found the same."""
    most: int
    """The cap."""
    estimate: Estimate
    cap: CapEffect
    notes: tuple[str, ...]
    """What the source says of the text, each once, and what is to be known of the numbers."""

    @property
    def sentence(self) -> str:
        """How many publications it finds, in words."""
        if self.least == self.most_found:
            return f"It finds {self.least:,} publication{'' if self.least == 1 else 's'}, by the source's own count."
        n = len(self.counts)
        return (
            f"It finds {self.least:,} to {self.most_found:,} publications: the text is sent in {n} forms, and how many "
            "publications several of them find is known only when they have come."
        )

    def as_document(self) -> dict[str, Any]:
        """For JSON: what is sent, what gets lost, the counts, and what a run would take."""
        return {
            "source": self.prepared.source,
            "dialect": self.prepared.dialect,
            "text": self.parsed.text,
            "sent": self.prepared.text,
            "is_unchanged": self.prepared.is_unchanged,
            "choices": asdict(self.prepared.choices),
            "losses": [asdict(loss) for loss in self.prepared.losses],
            "forms": [
                {"text": form.text, "total": count.total, "requests": [asdict(sent) for sent in count.sent]}
                for form, count in zip(self.prepared.forms, self.counts, strict=True)
            ],
            "least": self.least,
            "most_found": self.most_found,
            "sentence": self.sentence,
            "most": self.most,
            "estimate": self.estimate.as_document(),
            "cap": self.cap.as_document(),
            "notes": list(self.notes),
        }


def preview(
    source: LiveSource,
    text: str,
    *,
    dialect: DialectId | None = None,
    choices: Choices = _USUAL,
    most: int = MOST,
) -> Preview:
    """Read the text, put it into the source's language, and ask how many publications each form finds.

    InputError: nothing of it can be sent. What the connection raises is passed on.
    """
    parsed = parse(text, dialect)
    prepared = source.prepare(parsed, choices)
    counts = tuple(source.count(form, choices) for form in prepared.forms)
    totals = [count.total for count in counts]
    least, most_found = max(totals), sum(totals)
    about = source.about
    took = [sent.ms for count in counts for sent in count.sent]
    return Preview(
        parsed=parsed,
        prepared=prepared,
        counts=counts,
        least=least,
        most_found=most_found,
        most=most,
        # A form by itself repeats nothing, so no more than the cap is read of any of them.
        estimate=estimate(
            sum(min(total, most) for total in totals),
            per_page=about.per_page,
            per_second=about.per_second,
            dollars_per_call=about.dollars_per_call,
            n_forms=len(prepared.forms),
            per_search=about.per_search,
            ms_per_call=sum(took) / len(took) if took else None,
        ),
        cap=cap_effect(least, most_found, most),
        notes=unique_ids(note for count in counts for note in count.notes),
    )
