"""What a synthesis came to: how many queries, and how often models accept the answer that a query was made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.knowledge.synthesis.reading import YES
from core.knowledge.synthesis.records import Made
from core.ranking.significance import Interval, wilson
from core.types import Ids


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its 95 % interval."""

    n_yes: int
    n: int

    @property
    def share(self) -> float | None:
        """None: of nothing."""
        return self.n_yes / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's."""
        return wilson(self.n_yes, self.n) if self.n else None


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts and rates of a synthesis."""

    n: int
    states: Mapping[str, int]
    templates: Mapping[str, int]
    """Queries that are complete, by template."""
    verification: Rate
    """Gold answers that the models accept, of those that were checked."""
    by_model: Mapping[str, Rate]
    """The same for each model by itself."""
    reasons: Mapping[str, int]
    """Why queries failed, the commonest first."""
    n_unnamed: int
    """Complete queries that don't name a given entity."""


def summarise(made: Sequence[Made], filters: Ids) -> Summary:
    """Of all queries that were begun."""
    checked = [each for each in made if each.outcome.state in ("complete", "gold refused")]
    complete = [each for each in made if each.outcome.state == "complete"]
    gold = [each.outcome.verdicts[each.sampled.gold_id] for each in checked]
    return Summary(
        len(made),
        Counter(each.outcome.state for each in made),
        Counter(each.sampled.template_id for each in complete),
        Rate(len(complete), len(checked)),
        {model: Rate(sum(said.get(model) == YES for said in gold), len(gold)) for model in filters},
        dict(Counter(each.outcome.reason for each in made if each.outcome.state == "failed").most_common()),
        sum(bool(each.outcome.missing_names) for each in complete),
    )
