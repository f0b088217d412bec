"""What the numbers of the query writer say about themselves."""

from __future__ import annotations

from dataclasses import dataclass

from core.ranking.significance import LEVEL
from core.writer.gains import FEWEST_CORE, N_RESAMPLES
from core.writer.splitting import FEWEST


@dataclass(frozen=True, slots=True)
class WriterMetric:
    """The definition of a number, in the words that tooltips, tables and the About page use."""

    metric_id: str
    label: str
    sentence: str
    formula: str
    range: str
    undefined: str
    reference: str
    higher_is_better: bool | None = True
    """None: no end is the better one."""


WRITER_METRICS: dict[str, WriterMetric] = {
    metric.metric_id: metric
    for metric in (
        WriterMetric(
            "used",
            "Used half",
            "A score against the core publications that whoever wrote the string was allowed to see, with a region "
            "fitted to them alone. It flatters: the string was made for them. Strings are ranked by it.",
            "the score, with the used core publications as the core set",
            "0 to 1",
            f"Below {FEWEST} core publications nothing is held out, and all of them are used.",
            "halves by chance, the same for the same seed; the used one has one more if their number is odd",
        ),
        WriterMetric(
            "held_out",
            "Held-out half",
            "The same score against the other core publications, which nobody who wrote the string knew to be core, "
            "with a region of their own: they may be read as any other publication of the corpus is. What is much "
            "lower here than on the used half was fitted to what was seen.",
            "the score, with the held-out core publications as the core set",
            "0 to 1",
            f"– below {FEWEST} core publications, or where holding out was not wanted.",
            "a split of the truth into one part to write with and one to try on, as in the objective method of Scells, "
            "Zuccon, Koopman and Clark (2020), doi 10.1007/s10791-020-09381-1",
        ),
        WriterMetric(
            "gain",
            "Gain on the held-out half",
            "By how much F-beta on the held-out half is above that of the topic's name alone, the string that anybody "
            "would type first.",
            "F-beta of the string - F-beta of the topic's name, both on the held-out half",
            "-1 to 1; 0: no better than the topic's name",
            f"– if nothing is held out, or one of the two retrieves nothing that can be scored; without an interval "
            f"below {FEWEST_CORE} held-out core publications.",
            f"interval: the middle {LEVEL:.0%} over {N_RESAMPLES:,} resamples of the held-out core publications and "
            "two more, one that only the one string finds and one that only the other does (Bonett and Price 2012, doi "
            "10.3102/1076998611411915), the same for both strings. It is clear if the interval leaves 0 out. The "
            "region stays as it is, so that precision is taken as known, and another split into halves would give "
            "another gain",
        ),
        WriterMetric(
            "unique_share",
            "Unique share",
            "Of what a keyword brings to the string, the share that no other keyword of it brings; behind a NOT, of "
            "what it keeps out.",
            "publications lost without the keyword / publications that it retrieves in the string",
            "0 to 1; 0: other keywords bring all of it",
            "– if it brings nothing, or is one of several overarching keywords that are joined by AND.",
            "",
            None,
        ),
        WriterMetric(
            "price",
            "F-beta without it",
            "By how much F-beta on the used half changes if a keyword is left out of the string. Above 0 the string "
            "is better without it.",
            "F-beta without the keyword - F-beta with it, both on the used half",
            "-1 to 1; 0: it makes no difference",
            "– if the string retrieves nothing that can be scored, with or without it.",
            "as the terms of a search string are weighed on the page Query",
            False,
        ),
    )
}
