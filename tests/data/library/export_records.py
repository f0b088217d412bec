"""Records to write and read back: whatever a file may hold, and one that holds everything."""

from __future__ import annotations

from hypothesis import strategies as st

from core.library.records import KINDS, SEVERAL, RawFields, Record, cleaned
from data.library.export_formats import ExportRow

SCREENED = ExportRow(
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
        types=("Journal Article", "Clinical Trial, Phase III"),
        headings=("Tea/*history", "*Beverages"),
        language=("en", "fr"),
        pmcid="PMC77",
        issn=("1234-567X", "8765-4321"),
        references=("doi:10.1000/pot", "pmid:12"),
        is_retracted=True,
        cite_source=("Lens", "WoS"),
        cite_label=("search", "final"),
        cite_string=("tea, hot",),
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
        pmcid=maybe,
        is_retracted=st.none() | st.booleans(),
        **{name: st.lists(ANY_TEXT, max_size=3).map(tuple) for name in sorted(SEVERAL - {"authors", "keywords"})},
    )


@st.composite
def hand_offs(draw: st.DrawFn, records: st.SearchStrategy[Record]) -> ExportRow:
    """One publication with anything said of it."""
    texts = st.lists(ANY_TEXT, max_size=2).map(tuple)
    return ExportRow(
        record=draw(records),
        publication_id=draw(ANY_TEXT),
        sources=draw(texts),
        found_by=draw(texts),
        is_core=draw(st.booleans()),
        similarity=draw(st.none() | st.floats(-1, 1)),
        relevant_by=draw(st.sampled_from([(), ("cosine",), ("cosine", "hull")])),
        embedder=draw(st.none() | ANY_TEXT),
    )


_FAMILY = st.sampled_from(["Müller", "Éon", "Li", "O'Neil", "Garcia-Lopez", "van der Berg", "Øst"])
_GIVEN = st.sampled_from(["Ana", "A.", "J. K.", "Jean-Luc", "W"])
_ORGANISATIONS = st.sampled_from(["World Tea Organization", "Food and Drink R&D", "Aristotle", "WHO", "Smith J."])
_NAMES = st.builds("{}, {}".format, _FAMILY, _GIVEN) | _ORGANISATIONS
_KEYWORDS = st.sampled_from(["tea", "Beverages, Hot", "café 100%", "T-cells", "-omics", "B_12 & C", "茶"])
_PAGES = st.sampled_from(["1-9", "101-110", "5-5", "S1-S12", "e123", "12", "1-9, 12", "101-1"])
_TYPES = st.sampled_from(["Journal Article", "Clinical Conference", "Case Reports", "Preprint", "Biography", "Review"])
_HEADINGS = st.sampled_from(["*Tea/drug effects/*history", "Beverages, Hot", "*tea"])
_FIELDS: st.SearchStrategy[RawFields] = st.fixed_dictionaries(
    {"title": WORDS.map("Tea {}".format)},
    optional={
        "abstract": WORDS.map("We review. {}".format),
        "year": st.integers(1500, 2199).map(str),
        "doi": st.text("abc012/()._;-", max_size=8).map("10.1000/a{}".format),
        "pmid": st.integers(1, 99_999_999).map(str),
        "own_id": st.sampled_from(["WOS:000123", "pub.1149029839", "2-s2.0-1_a", "CN-01"]),
        "authors": st.lists(_NAMES, max_size=3),
        "venue": WORDS.map("Journal {}".format),
        "volume": st.sampled_from(["12", "B3"]),
        "issue": st.sampled_from(["3", "3-4", "Suppl. 1"]),
        "pages": _PAGES,
        "kind": st.sampled_from(KINDS),
        "keywords": st.lists(_KEYWORDS, max_size=3),
        "url": st.text("abc012/~_%&?=.-", max_size=10).map("https://example.org/{}".format),
        "times_cited": st.integers(0, 10**6).map(str),
        "included": st.booleans(),
        "types": st.lists(_TYPES, max_size=3),
        "headings": st.lists(_HEADINGS, max_size=3),
        "language": st.lists(st.sampled_from(["eng", "French", "zh", "Frisian"]), max_size=2),
        "pmcid": st.integers(1, 99_999_999).map("PMC{}".format),
        "issn": st.lists(st.sampled_from(["1234-567X", "8765-4321"]), max_size=2),
        "references": st.lists(st.sampled_from(["doi:10.1000/x(1)", "pmid:12", "openalex:W1"]), max_size=3),
        "is_retracted": st.booleans(),
        "cite_source": st.lists(st.sampled_from(["Lens", "Web of Science"]), max_size=2),
        "cite_label": st.lists(st.sampled_from(["search", "final"]), max_size=2),
        "cite_string": st.lists(st.sampled_from(["tea, hot", "string 1"]), max_size=2),
    },
)  # type: ignore[assignment]


def clean_records() -> st.SearchStrategy[Record]:
    """Records as cleaning gives them, with a title to recognise them by. A database's preprint is one of ours, too."""

    def record(found: RawFields) -> Record:
        is_preprint = "Preprint" in found.get("types", ()) and found.get("kind") in ("article", "other")
        return cleaned(1, 1, {**found, "kind": "preprint"} if is_preprint else found)

    return _FIELDS.map(record)
