"""Corpora of sets and a slow, exact search over every string of a few keywords, for the tests of the query writer."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st

from core.metrics import decay, f_beta
from core.query.contributions import Stakes
from core.query.match import of_rows, rows_of
from core.settings import EvaluationSettings
from core.text import words
from core.writer.sheet_search import KeywordLookup
from core.writer.sheets import Keyword, Sheet

SETTINGS = EvaluationSettings().resolved("lsa")
PLACES = ("aside", "specific", "general", "overarching")


class SetCorpus:
    """Matches what it is told to; other words it can't test."""

    fields = frozenset({"title"})

    def __init__(self, n, rows_of_keyword):
        self.ids = tuple(f"p{row}" for row in range(n))
        self.known = {tuple(words(text)): of_rows(sorted(rows), n) for text, rows in rows_of_keyword.items()}

    def look_up(self, leaf, semantics):
        return self.known.get(tuple(str(word) for chunk in leaf.chunks for word in chunk))


def looked_up(n, rows_of_keyword):
    return KeywordLookup(SetCorpus(n, rows_of_keyword), "literal")


def stakes_on(n, core, accepted, *, n_core=None, scorable=None):
    return Stakes(
        core=of_rows(sorted(core), n),
        n_core=max(len(core), 1) if n_core is None else n_core,
        scorable=of_rows(range(n) if scorable is None else sorted(scorable), n),
        accepted=of_rows(sorted(accepted), n),
        settings=SETTINGS,
    )


def slow_retrieved(sheet, known):
    """specific OR (general AND overarching), without what is excluded."""
    sets = {name: [known.get(k.text, set()) for k in sheet.of(name)] for name in (*PLACES, "excluded")}
    joined = set.intersection if sheet.joined == "AND" else set.union
    over = joined(*sets["overarching"]) if sets["overarching"] else set()
    return (set().union(*sets["specific"]) | (set().union(*sets["general"]) & over)) - set().union(*sets["excluded"])


def slow_worth(retrieved, core, accepted, n_core):
    """F-beta with a recall that leans on the region, one publication after the other."""
    relevant = [row for row in retrieved if row in accepted]
    if not relevant:
        return 0.0
    precision = len(relevant) / len(retrieved) * decay(len(relevant), **SETTINGS.decay_curve)
    found = sum(row in core for row in relevant) + 10 * len(relevant) / len(accepted)
    return f_beta(precision, found / (n_core + 10), beta=2.0)


def every_sheet(keywords, excluded=()):
    """Each way to put a few keywords into lists."""
    for places in product(PLACES, repeat=len(keywords)):
        at = list(zip(keywords, places, strict=True))
        lists = {name: tuple(k for k, place in at if place == name) for name in PLACES}
        for joined in ("OR", "AND") if len(lists["overarching"]) > 1 else ("OR",):
            yield Sheet(**lists, excluded=excluded, joined=joined)


def found_rows(look_up, sheet):
    return set(rows_of(look_up.retrieved(sheet)).tolist())


@st.composite
def sets(draw, most_keywords=4, n=24):
    """What each of some keywords matches, a core set of which all is accepted, and what else is."""
    some = st.sets(st.integers(0, n - 1), max_size=n)
    known = {name * 3: draw(some) for name in "abcdefgh"[: draw(st.integers(1, most_keywords))]}
    core = draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=8))
    return n, known, core, core | draw(some)


def keywords_of(known):
    return tuple(map(Keyword, known))


def sets_by_chance(seed, n_keywords, n=60):
    """The same as of a real topic: keywords that are more frequent where the region accepts, by more or less."""
    rng = np.random.default_rng(seed)
    accepted = np.flatnonzero(rng.random(n) < 0.3).tolist()
    known = {}
    for name in "abcdefgh"[:n_keywords]:
        elsewhere, near = rng.uniform(0.1, 0.6), rng.uniform(0.3, 0.9)
        known[name * 3] = {row for row in range(n) if rng.random() < (near if row in accepted else elsewhere)}
    return n, known, set(accepted[:8]), set(accepted)
