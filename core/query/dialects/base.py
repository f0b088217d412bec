"""What distinguishes one database's query language from another's, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.query.tree import ANY_ENDING, EVERY_FIELD, TEXT_FIELDS, DialectId, Gap, Thesaurus

Binding = tuple[tuple[str, ...], ...]
"""Operators from the tightest to the loosest; those in one tuple are read from left to right."""
TagStyle = Literal["brackets", "suffix", "codes", "equals", "call", "space", "colon", "none"]
"""heat[ti], heat.ti., heat:ti, TI=heat, TITLE(heat), TI heat, title:heat, or no fields at all."""

NOT_FIRST: Binding = (("NEAR",), ("NOT",), ("AND",), ("OR",))


DATABASE_LABELS = {
    "medline": "MEDLINE",
    "embase": "Embase",
    "psycinfo": "APA PsycInfo",
    "cochrane": "Cochrane",
    "cinahl": "CINAHL",
    "other": "Other",
}
"""The databases of platforms, as a screen or a message names them."""


@dataclass(frozen=True, slots=True)
class Tag:
    kind: Literal["text", "heading", "years"] = "text"
    fields: tuple[str, ...] = ()
    """For text: where to look. Empty: wherever a term without a tag is looked for."""
    explode: bool = True
    major: bool = False
    thesaurus: Thesaurus = ""
    """For a heading: where it comes from, if the tag itself says so."""
    days: bool = False
    """For years: a month and a day may be given."""
    is_name: bool = False
    """For text: words without quotes are one name, as smith j is."""
    read_only: bool = False
    """Read, and written again in the same dialect, but never chosen for what comes from another one."""
    name: str = ""
    """As it was written; empty in tables."""


def text(*fields: str) -> Tag:
    return Tag(fields=fields)


def name(*fields: str) -> Tag:
    """A tag for names, whose words are looked for together."""
    return Tag(fields=fields, is_name=True)


def read_only(*fields: str) -> Tag:
    """A tag that not every database behind a platform has."""
    return Tag(fields=fields, read_only=True)


NAME_FIELDS = frozenset({"author", "editor", "first_author", "last_author", "investigator", "personal_name"})
"""Fields with the names of people as indexes have them: last name, then initials."""
JOURNAL_NAMES = ("journal", "journal_abbreviation")
"""The whole name of a journal, or the short one."""
HEADING = Tag("heading")
YEARS = Tag("years")
DAYS = Tag("years", days=True)
TOPIC = text(*TEXT_FIELDS)


@dataclass(frozen=True, slots=True)
class NearForm:
    """One way of writing that words stand close to each other."""

    word: str
    """What stands before the number, in capitals: NEAR/, ADJ, W."""
    ordered: bool = False
    more: int = 0
    """What is added to the distance to give the number: ADJ1 means no word between."""
    most: int | None = None
    """The largest number that is allowed."""


@dataclass(frozen=True, kw_only=True)
class Dialect:
    id: DialectId
    label: str
    reference: str
    """Where the rules come from."""
    binding: Binding = NOT_FIRST
    not_word: str = "NOT"
    capitals_only: bool = False
    """Operators count only in capitals."""
    wildcards: Mapping[str, Gap] = field(default_factory=lambda: {"*": ANY_ENDING})
    counted_wildcards: bool = False
    """A number after a wildcard limits it: adapt$3."""
    colon_truncates: bool = False
    """A colon at the end of a word stands for any ending: random:."""
    limited_wildcards: bool = False
    """A number of letters in square brackets: adapt[*3]."""
    shortest_stem: int = 1
    """Letters that must stand before a wildcard."""
    leading_wildcard: bool = False
    """A wildcard may begin a word."""
    inner_wildcard: bool = True
    """A wildcard may stand inside a word."""
    wildcard_in_phrase: bool = True
    run_is_phrase: bool = False
    """Words without operator or quotes stand side by side; else all must occur, anywhere."""
    tagged_run_is_phrase: bool = False
    """The same, if a field tag follows them."""
    tag_covers_run: bool = False
    """A field before a word holds for all bare words up to the next operator; else for this word alone."""
    tag_covers_rest: bool = False
    """A field before a word holds up to the next field, operators included."""
    limits: tuple[str, ...] = ()
    """In lower case: what takes a field, a comma and a value in brackets."""
    limit_tags: tuple[str, ...] = ()
    """Tags that stand behind a value in square brackets: [humans]/lim."""
    tags: Mapping[str, Tag] = field(default_factory=dict)
    """In lower case; of several with the same meaning the first is written."""
    tag_style: TagStyle = "none"
    labels: Mapping[str, str] = field(default_factory=dict)
    """Names of fields as a list of results has them before a colon, in capitals, and their tags: TOPIC: (heat)."""
    near_forms: tuple[NearForm, ...] = ()
    window: Literal["tag", "tilde"] | None = None
    """How a distance over several words together is written: "a b"[ti:~2], or "a b"~2."""
    near_takes_groups: bool = True
    """An OR may stand in a NEAR."""
    exact_braces: bool = False
    """{in braces} is never stemmed."""
    slash_headings: bool = False
    """exp Stress/ is a subject heading."""
    holds_full_text: bool = True
    """Full texts of publications are searched in some of its databases, not only what describes them."""
    thesaurus: Thesaurus = ""
    """Where headings come from, unless the database is named."""
    databases: Mapping[str, Thesaurus] = field(default_factory=dict)
    """Databases of a platform, in lower case, and where their headings come from."""
    untagged: tuple[str, ...] = EVERY_FIELD
    """Where a term without a field is looked for."""
    all_tag: str = ""
    """The tag for all fields, where a term without a field is looked for in less."""
    topic_also: str = ""
    """What a topic search looks in besides title, abstract and the keywords of the authors."""
    truncates_headings: bool = False
    """A wildcard may end a heading: neoplasm*[mh]."""
    subheading_codes: bool = False
    """Subheadings are two letters, such as ae."""
    open_names: bool = False
    """A name of several words without quotes goes on: smith j finds smith ja too."""
    whole_names: bool = False
    """A name is compared as a whole: smith does not find smith j."""
    near_default: int = 1
    """The number that is meant where NEAR has none."""
    bare_filters: Mapping[str, str] = field(default_factory=dict)
    """In lower case: words that limit a search without a tag too, and their tag."""
    unary_not: bool = False
    """A search may begin with NOT."""
    line_mark: str = "#"
    """What stands before the number of a line that is referred to."""
