"""The rules that distinguish the query languages of databases, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.query.tree import ANY_ENDING, EVERY_FIELD, TEXT_FIELDS, DialectId, Gap, Thesaurus

Binding = tuple[tuple[str, ...], ...]
"""Operators from the tightest to the loosest; those in one tuple are evaluated from left to right."""
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
"""The databases of platforms, as shown on screen and in messages."""


@dataclass(frozen=True, slots=True)
class Tag:
    kind: Literal["text", "heading", "years"] = "text"
    fields: tuple[str, ...] = ()
    """For text: the fields to search. Empty: the fields of a term without a tag."""
    explode: bool = True
    major: bool = False
    thesaurus: Thesaurus = ""
    """For a heading: its thesaurus, if the tag itself names one."""
    days: bool = False
    """For years: a month and a day are allowed."""
    is_name: bool = False
    """For text: words without quotes are one name, such as smith j."""
    read_only: bool = False
    """Read, and written back in the same dialect, but never chosen for a term from another one."""
    name: str = ""
    """As written in the search string; empty in tables."""


def text(*fields: str) -> Tag:
    return Tag(fields=fields)


def name(*fields: str) -> Tag:
    """Return a tag for names, whose words are searched together."""
    return Tag(fields=fields, is_name=True)


def read_only(*fields: str) -> Tag:
    """Return a tag that only some databases of a platform have."""
    return Tag(fields=fields, read_only=True)


NAME_FIELDS = frozenset({"author", "editor", "first_author", "last_author", "investigator", "personal_name"})
"""Fields with the names of people in index form: last name, then initials."""
JOURNAL_NAMES = ("journal", "journal_abbreviation")
"""The full name of a journal, or its abbreviation."""
HEADING = Tag("heading")
YEARS = Tag("years")
DAYS = Tag("years", days=True)
TOPIC = text(*TEXT_FIELDS)


@dataclass(frozen=True, slots=True)
class NearForm:
    """One notation for words that are close to each other."""

    word: str
    """The characters before the number, in capitals: NEAR/, ADJ, W."""
    ordered: bool = False
    more: int = 0
    """The difference between the number and the distance: ADJ1 means no word between."""
    most: int | None = None
    """The largest number allowed."""


@dataclass(frozen=True, kw_only=True)
class Dialect:
    id: DialectId
    label: str
    reference: str
    """The source of the rules."""
    binding: Binding = NOT_FIRST
    not_word: str = "NOT"
    capitals_only: bool = False
    """Operators must be in capitals."""
    wildcards: Mapping[str, Gap] = field(default_factory=lambda: {"*": ANY_ENDING})
    counted_wildcards: bool = False
    """A number after a wildcard limits it: adapt$3."""
    colon_truncates: bool = False
    """A colon at the end of a word stands for any ending: random:."""
    limited_wildcards: bool = False
    """A number in square brackets limits a wildcard: adapt[*3]."""
    shortest_stem: int = 1
    """Minimum number of letters before a wildcard."""
    leading_wildcard: bool = False
    """A wildcard may begin a word."""
    inner_wildcard: bool = True
    """A wildcard may be inside a word."""
    wildcard_in_phrase: bool = True
    run_is_phrase: bool = False
    """Words without operator or quotes must be adjacent; otherwise all must occur, anywhere."""
    tagged_run_is_phrase: bool = False
    """The same, if a field tag follows them."""
    tag_covers_run: bool = False
    """A field before a word applies to all bare words up to the next operator; otherwise to this word alone."""
    tag_covers_rest: bool = False
    """A field before a word applies up to the next field, operators included."""
    limits: tuple[str, ...] = ()
    """In lower case: functions that take a field, a comma and a value in brackets."""
    limit_tags: tuple[str, ...] = ()
    """Tags after a value in square brackets: [humans]/lim."""
    tags: Mapping[str, Tag] = field(default_factory=dict)
    """In lower case; the first of several tags with the same meaning is written."""
    tag_style: TagStyle = "none"
    labels: Mapping[str, str] = field(default_factory=dict)
    """Field names before a colon in a list of results, in capitals, and their tags: TOPIC: (heat)."""
    near_forms: tuple[NearForm, ...] = ()
    window: Literal["tag", "tilde"] | None = None
    """Notation of a distance over several words together: "a b"[ti:~2], or "a b"~2."""
    near_takes_groups: bool = True
    """An OR is allowed inside a NEAR."""
    exact_braces: bool = False
    """{in braces} is never stemmed."""
    slash_headings: bool = False
    """exp Stress/ is a subject heading."""
    holds_full_text: bool = True
    """Some of its databases search the full texts of publications, not only their records."""
    thesaurus: Thesaurus = ""
    """The thesaurus of headings, unless a database is named."""
    databases: Mapping[str, Thesaurus] = field(default_factory=dict)
    """Databases of a platform, in lower case, and the thesauri of their headings."""
    untagged: tuple[str, ...] = EVERY_FIELD
    """The fields searched for a term without a field."""
    all_tag: str = ""
    """The tag for all fields, if a term without a field is searched in fewer."""
    topic_also: str = ""
    """Fields of a topic search besides title, abstract and author keywords."""
    truncates_headings: bool = False
    """A wildcard may end a heading: neoplasm*[mh]."""
    subheading_codes: bool = False
    """Subheadings are two-letter codes, such as ae."""
    open_names: bool = False
    """A name of several words without quotes also finds longer names: smith j finds smith ja."""
    whole_names: bool = False
    """A name is compared as a whole: smith does not find smith j."""
    near_default: int = 1
    """The number assumed for a NEAR without one."""
    bare_filters: Mapping[str, str] = field(default_factory=dict)
    """In lower case: words that limit a search even without a tag, and their tag."""
    unary_not: bool = False
    """A search may begin with NOT."""
    line_mark: str = "#"
    """The characters before the number of a line in a reference."""
