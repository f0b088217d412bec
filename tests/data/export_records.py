"""Records to write and read back: whatever a file may hold, and one that holds everything."""

from __future__ import annotations

from hypothesis import strategies as st

from core.records.cleaning import Fields, cleaned
from core.records.record import KINDS, Record
from data.exports.rows import HandOff

SCREENED = HandOff(
    Record(
        number=1,
        title="Steeping tea: a review",
        abstract="We review tea. It steeps.",
        year=2019,
        doi="10.1000/tea(1)",
        pmid="35957633",
        own_id="WOS:0001",
        authors=("Müller, Ana", "World Tea Organization"),
        venue="Journal of Tea",
        volume="12",
        issue="3-4",
        pages="101-110",
        kind="article",
        keywords=("tea", "Beverages, Hot"),
        url="https://example.org/tea?a=1&b=2",
        times_cited=7,
        included=True,
    ),
    "p1",
    ("scopus.ris #12",),
    ("baseline",),
    True,
    0.7341,
    ("cosine",),
    "lsa",
)

ANY_TEXT = st.text(max_size=30)
"""Half characters, line ends and control characters too."""
_SIGNS = st.sampled_from([*"aZé王ß09 .,:()/&%$#_{}~^\\<>=+-@'\"|[]", " and ", "TY  - ", "\\alpha", "--", "&amp;", "\n"])
WORDS = st.lists(_SIGNS, min_size=1, max_size=12).map("".join)


def any_records() -> st.SearchStrategy[Record]:
    """Records with any text in them, also what no reader would give."""
    maybe = st.none() | ANY_TEXT
    return st.builds(
        Record,
        st.just(1),
        title=ANY_TEXT,
        abstract=maybe,
        year=st.none() | st.integers(1500, 2199),
        doi=maybe,
        pmid=maybe,
        own_id=maybe,
        authors=st.lists(ANY_TEXT, max_size=3).map(tuple),
        venue=maybe,
        volume=maybe,
        issue=maybe,
        pages=maybe,
        kind=st.none() | st.sampled_from(KINDS),
        keywords=st.lists(ANY_TEXT, max_size=3).map(tuple),
        url=maybe,
        times_cited=st.none() | st.integers(0, 10**6),
        included=st.none() | st.booleans(),
    )


@st.composite
def hand_offs(draw: st.DrawFn, records: st.SearchStrategy[Record]) -> HandOff:
    """One publication with anything said of it."""
    texts = st.lists(ANY_TEXT, max_size=2).map(tuple)
    return HandOff(
        record=draw(records),
        publication_id=draw(ANY_TEXT),
        sources=draw(texts),
        found_by=draw(texts),
        is_core=draw(st.booleans()),
        similarity=draw(st.none() | st.floats(-1, 1)),
        relevant_by=draw(st.sampled_from([(), ("cosine",), ("cosine", "hull")])),
        embedder=draw(st.none() | ANY_TEXT),
    )


@st.composite
def clean_records(draw: st.DrawFn) -> Record:
    """Records as cleaning gives them, with a title to recognise them by."""
    found: Fields = {"title": "Tea " + draw(WORDS)}
    maybe = st.none() | WORDS
    if abstract := draw(maybe):
        found["abstract"] = f"We review. {abstract}"
    if year := draw(st.none() | st.integers(1500, 2199)):
        found["year"] = str(year)
    if doi := draw(st.none() | st.text("abc012/()._;-", min_size=1, max_size=8)):
        found["doi"] = f"10.1000/{doi}"
    if pmid := draw(st.none() | st.integers(1, 99_999_999)):
        found["pmid"] = str(pmid)
    if own_id := draw(st.none() | st.from_regex(r"[A-Z]{2,4}[:.][0-9a-z_]{1,6}", fullmatch=True)):
        found["own_id"] = own_id
    found["authors"] = draw(st.lists(_names(), max_size=3))
    if venue := draw(maybe):
        found["venue"] = f"Journal {venue}"
    if volume := draw(st.none() | st.from_regex(r"[0-9]{1,3}|[A-Z][0-9]{1,2}", fullmatch=True)):
        found["volume"] = volume
    if issue := draw(st.none() | st.from_regex(r"[0-9]{1,3}|Suppl\. [0-9]", fullmatch=True)):
        found["issue"] = issue
    if pages := draw(st.none() | st.from_regex(r"[eS]?[0-9]{1,3}(-[eS]?[0-9]{1,4})?", fullmatch=True)):
        found["pages"] = pages
    if kind := draw(st.none() | st.sampled_from(KINDS)):
        found["kind"] = kind
    found["keywords"] = draw(st.lists(_keywords(), max_size=3))
    if path := draw(st.none() | st.text("abc012/~_%&?=.-", max_size=10)):
        found["url"] = f"https://example.org/{path}"
    if (times_cited := draw(st.none() | st.integers(0, 10**6))) is not None:
        found["times_cited"] = str(times_cited)
    if (included := draw(st.none() | st.booleans())) is not None:
        found["included"] = included
    return cleaned(1, 1, found)


def _names() -> st.SearchStrategy[str]:
    family = st.from_regex(r"[A-ZÉÖ][a-zßé]{1,6}(-[A-Z][a-z]{1,4})?", fullmatch=True)
    given_name = st.from_regex(r"[A-Z][a-z]{0,5}\.?( [A-Z]\.)?", fullmatch=True)
    people = st.builds("{}, {}".format, family, given_name)
    organisations = st.sampled_from(["World Tea Organization", "Food and Drink R&D", "Aristotle", "WHO"])
    return people | organisations


def _keywords() -> st.SearchStrategy[str]:
    return st.from_regex(r"[A-Za-zé王]{2,8}( [a-z0-9&%_-]{1,4})?", fullmatch=True)
