"""Random keywords and sheets."""

from __future__ import annotations

from hypothesis import strategies as st

from core.writer.sheets import LISTS, OPERATORS, Keyword, Sheet

WORDS = ("heat", "Trees", "urban", "naïve", "covid-19", "Lyme's", "or", "AND", "not", "near", "2019", "β-lactams", "of")
STEMS = ("adapt*", "wom?n", "behavio?r*", "meta-model*")
FIELDS = ((), (), (), ("title",), ("title", "abstract"), ("keywords",))


@st.composite
def keywords(draw, words=WORDS + STEMS, most_words=3):
    """As a person or a cleaned answer gives them: one word is always a phrase, and operators stand in phrases only."""
    parts = draw(st.lists(st.sampled_from(words), min_size=1, max_size=most_words))
    phrase = draw(st.booleans()) or len(parts) == 1 or any(part.lower() in OPERATORS for part in parts)
    return Keyword(" ".join(parts), phrase=phrase, fields=draw(st.sampled_from(FIELDS)))


@st.composite
def sheets(draw, words=WORDS + STEMS, lists=LISTS, most=12, most_words=3):
    """Keywords in their lists, none twice."""
    some = keywords(words, most_words).filter(lambda keyword: keyword.key not in OPERATORS)
    found = draw(st.lists(some, max_size=most, unique_by=lambda keyword: keyword.key))
    place = [draw(st.sampled_from(lists)) for _ in found]
    return Sheet(
        **{name: tuple(k for k, where in zip(found, place, strict=True) if where == name) for name in LISTS},
        joined=draw(st.sampled_from(("AND", "OR"))),
    )
