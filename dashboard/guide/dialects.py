"""Write dialects.md: what each dialect can express, from the tables that parse and write search strings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from core.query.adaptation import THESAURI, Loss
from core.query.dialects import DIALECTS
from core.query.dialects.meanings import meant
from core.query.parser import parse
from core.query.translation import translate, write
from core.query.tree import DialectId, Group, Term

PAGE = Path(__file__).with_suffix(".md")
Mark = Literal["exact", "converted", "lost"]
MARKS: Mapping[Mark, str] = {"exact": "●", "converted": "◐", "lost": "○"}
SHORT_WORDS = {"widened": "wider", "narrowed": "narrower"}
SHORT_LABELS: Mapping[DialectId, str] = {
    "pubmed": "Pub<br>Med",
    "embase": "Em-<br>base",
    "cochrane": "Coch-<br>rane",
    "wos": "WoS",
    "scopus": "Sco-<br>pus",
    "ebsco": "EB-<br>SCO",
    "proquest": "Pro<br>Quest",
    "dimensions": "Dimen-<br>sions",
    "openalex": "Open<br>Alex",
}
"""Column titles with line breaks, narrow enough for the whole overview to fit on a page."""
LONGEST_CODE = 80
"""Characters of a search string in a table; a longer list of alternatives is shortened."""

# One construct per line: its name, the dialect it is parsed in, and its search string there.
_CONSTRUCTS = r"""
# Words and phrases
Word in the title | pubmed | heat[ti]
Word in the abstract | pubmed | heat[ab]
Word in title or abstract | ovid | heat.ti,ab.
Word in title, abstract or keywords | pubmed | heat[tiab]
Word in the author keywords | scopus | AUTHKEY(heat)
Word in author keywords or subject headings | scopus | KEY(heat)
Word in all fields, or without a field | pubmed | heat
Word in the full text | proquest | FT(heat)
Phrase | pubmed | "heat wave"[ti]
Exact phrase, without other forms of its words | scopus | TITLE({heat wave})
Two words without quotes, both anywhere in the title | wos | TI=(heat wave)
Word with a hyphen | wos | TI=heat-related
# Wildcards
Any ending | pubmed | adapt*[ti]
Any ending of a short stem | ovid | flu*.ti.
At most three more letters | ovid | adapt*3.ti.
One letter or none | ovid | behavio?r.ti.
Exactly one letter | ovid | wom#n.ti.
Any letters inside a word | wos | TI=sulf*ate
Any beginning | wos | TI=*therapy
Any ending inside a phrase | pubmed | "heat wave*"[ti]
# Nearness
At most three words between, in any order | scopus | TITLE(heat W/3 wave)
At most three words between, in this order | scopus | TITLE(heat PRE/3 wave)
Side by side, in any order | wos | TI=(heat NEAR/0 wave)
Side by side, in this order | ovid | (heat adj wave).ti.
Near, with a truncated word | ovid | (heat adj3 wave*).ti.
Near, with a phrase | wos | TI=("heat wave" NEAR/3 health)
Near, with alternatives on both sides | ovid | ((heat or warm) adj3 (wave or spell)).ti.
Three words near each other, pair by pair | ovid | (heat adj3 wave adj3 death).ti.
Three words within one distance | pubmed | "heat wave death"[ti:~5]
# Operators and lines
Both words | pubmed | heat[ti] AND shade[ti]
Either word | pubmed | heat[ti] OR warmth[ti]
One word and not another | pubmed | heat[ti] NOT stroke[ti]
Alternatives in brackets, in two fields | ovid | (heat or warmth).ti. and (shade or tree).ab.
NOT at the start of a search | plain | NOT title:heat
Numbered lines that are combined | ovid | 1. heat.ti.; 2. shade.ti.; 3. 1 and 2
# Subject headings
MeSH heading, exploded | pubmed | "Heat Stroke"[mh]
MeSH heading, not exploded | pubmed | "Heat Stroke"[mh:noexp]
MeSH heading as main topic, exploded | pubmed | "Heat Stroke"[majr]
MeSH heading as main topic, not exploded | ovid | *Heat Stroke/
MeSH heading with a subheading | ovid | exp Heat Stroke/th
Subheading with any heading | pubmed | therapy[sh]
Emtree heading, exploded | embase | 'heat stroke'/exp
Emtree heading as main topic, exploded | embase | 'heat stroke'/exp/mj
CINAHL heading, exploded | ebsco | (MH "Heat Stroke+")
Heading of a ProQuest thesaurus | proquest | MAINSUBJECT.EXACT("heat stroke")
Word in the subject headings | ovid | heat.hw.
Substance name | pubmed | aspirin[nm]
CAS registry number | pubmed | 50-78-2[rn]
Studies on humans only, by two MeSH headings | pubmed | heat[ti] NOT ("Animals"[mh] NOT "Humans"[mh])
# Authors and funding
Author | pubmed | "Smith J"[au]
First author | pubmed | "Smith J"[1au]
Last author | pubmed | "Smith J"[lastau]
ORCID of an author | pubmed | 0000-0002-1825-0097[auid]
Group as author | pubmed | "WHO Working Group"[cn]
Affiliation | pubmed | Oxford[ad]
Country of an author | wos | CU=Germany
Funder | wos | FO=Wellcome
Grant number | wos | FG=CA12345
# Journals and numbers
Journal | pubmed | Lancet[ta]
Word in the name of a journal | scopus | SRCTITLE(Lancet)
Publisher | wos | PUBL=Elsevier
Place of publication | pubmed | London[pl]
Conference | wos | CF=Vienna
ISSN | pubmed | 0140-6736[is]
ISBN | scopus | ISBN(9780128000000)
Volume | pubmed | 12[vi]
Issue | pubmed | 3[ip]
Pages | pubmed | 101[pg]
DOI | pubmed | "10.1000/182"[doi]
PMID | pubmed | 12345678[pmid]
Accession number of the database | ovid | 12345678.an.
Trial registry number | pubmed | NCT00000125[si]
Title in the original language | ovid | heat.ot.
# Dates and limits
One publication year | pubmed | 2018[dp]
Publication years from and to | pubmed | 2018:2020[dp]
Publication years from | scopus | PUBYEAR > 2017
Publication years to | scopus | PUBYEAR < 2021
Publication date with month and day | pubmed | 2018/03/15:2019/05/31[dp]
Date of entry into the database | pubmed | 2018/03/15[edat]
Dates of entry from and to | pubmed | 2018/03/15:2019/05/31[edat]
Date on which the record was created | pubmed | 2018/03/15[crdt]
Date of the last revision | pubmed | 2018/03/15[lr]
Language | pubmed | english[la]
Document type: review | pubmed | review[pt]
Document type: randomized controlled trial | pubmed | "randomized controlled trial"[pt]
Document type: conference paper | scopus | DOCTYPE(cp)
Document type: article | scopus | DOCTYPE(ar)
Source type: journal | scopus | SRCTYPE(j)
Open access | scopus | OPENACCESS(1)
Subject category | wos | WC=Oncology
Subset of the database | pubmed | medline[sb]
Filter of the database | pubmed | "free full text"[filter]
Limit of the database | embase | [humans]/lim
"""


class DialectConstruct(NamedTuple):
    name: str
    dialect: DialectId
    """Dialect in which `text` is parsed."""
    text: str

    @property
    def lines(self) -> list[str]:
        return self.text.split("; ")


class DialectCell(NamedTuple):
    mark: Mark
    code: str = ""
    """Empty: nothing is written."""
    change: str = ""
    """Effect on the results of the translated string: wider, narrower or other."""


def _constructs() -> dict[str, tuple[DialectConstruct, ...]]:
    ids = {str(dialect_id): dialect_id for dialect_id in DIALECTS}
    groups: dict[str, tuple[DialectConstruct, ...]] = {}
    for block in _CONSTRUCTS.split("# ")[1:]:
        title, *lines = block.strip().splitlines()
        rows = [line.split(" | ", 2) for line in lines]
        groups[title] = tuple(DialectConstruct(name, ids[origin], text) for name, origin, text in rows)
    return groups


CONSTRUCTS: Mapping[str, tuple[DialectConstruct, ...]] = _constructs()
"""The rows of the guide, by heading."""


@cache
def cell(construct: DialectConstruct, to: DialectId) -> DialectCell:
    """Return how a dialect writes a construct, and what that changes."""
    parsed = parse("\n".join(construct.lines), construct.dialect)
    made = translate(parsed, to)
    if made.is_exact:
        return DialectCell("exact", _shortened(made.text))
    assert parsed.root is not None
    # A construct alone is never dropped, because the search would be empty; next to another word it can be.
    beside = write(Group("AND", (meant(parsed.root, construct.dialect), Term(("shade",)))), to)
    if None in beside.replaced.values():
        return DialectCell("lost")
    return DialectCell("converted", _shortened(made.text), _change(made.losses))


def _change(losses: tuple[Loss, ...]) -> str:
    changes = {SHORT_WORDS.get(loss.status, "other") for loss in losses}
    return changes.pop() if len(changes) == 1 else "other"


def _shortened(text: str) -> str:
    parts = text.split(" OR ")
    return text if len(text) <= LONGEST_CODE or len(parts) < 4 else f"{parts[0]} OR {parts[1]} OR … OR {parts[-1]}"


# The page


def page() -> str:
    """Return the text of dialects.md."""
    return "\n".join([*_head(), *_matrix(), *_spellings(), *_sources()]) + "\n"


def _head() -> Iterator[str]:
    n = sum(map(len, CONSTRUCTS.values()))
    places: dict[str, list[str]] = {}
    for dialect in DIALECTS.values():
        if dialect.thesaurus:
            places.setdefault(THESAURI[dialect.thesaurus], []).append(dialect.label)
    headings = "; ".join(f"{name} in {', '.join(labels)}" for name, labels in places.items())
    yield f"""<!-- Do not edit. CONTRIBUTING.md has the command that writes this page. -->
# What each dialect can express

This page shows how {n} constructs of search strings are written in the {len(DIALECTS)} dialects that Queryscape reads
and writes, and what a translation changes:

- {MARKS["exact"]} **Exact**: the dialect can ask for the same.
- {MARKS["converted"]} **Converted**: Queryscape writes the closest search string and reports the difference. It finds
  more (*wider*), less (*narrower*), or partly something else (*other*).
- {MARKS["lost"]} **Lost**: the dialect can't ask for it. Queryscape leaves it out of the search and reports that.

The page is generated from the tables that read and write the search strings; a test keeps it current. The tables follow
the [documentation of the databases](#sources); no search was run in a database to check them.

Subject headings are those of the default database of a platform: {headings}.

Most rows look in the title, which Dimensions can't search alone: there its cells are converted at best.

Not compared: the other forms of a word that a database finds by itself. PubMed maps words without a field to subject
headings; Web of Science, Scopus, the Cochrane Library, ProQuest and OpenAlex also find plurals, spellings or stems
unless quotes or an option prevent it.
"""


def _matrix() -> Iterator[str]:
    labels = [SHORT_LABELS.get(to, dialect.label) for to, dialect in DIALECTS.items()]
    counts = {to: Counter(cell(one, to).mark for group in CONSTRUCTS.values() for one in group) for to in DIALECTS}
    yield "## Overview"
    yield ""
    yield _row("Construct", *labels)
    yield _row("---", *[":-:"] * len(labels))
    number = 0
    for title, group in CONSTRUCTS.items():
        yield _row(f"**[{title}](#{_anchor(title)})**", *(labels if number else [""] * len(labels)))
        for construct in group:
            number += 1
            yield _row(f"{number}. {construct.name}", *(MARKS[cell(construct, to).mark] for to in DIALECTS))
    for mark, sign in MARKS.items():
        yield _row(f"**{mark.capitalize()}** {sign}", *(str(counts[to][mark]) for to in DIALECTS))
    yield ""
    totals = sum(counts.values(), Counter[Mark]())
    yield f"Of {totals.total():,} cells, {', '.join(f'{totals[mark]:,} are {mark}' for mark in MARKS)}."
    yield ""


def _spellings() -> Iterator[str]:
    number = 0
    for title, group in CONSTRUCTS.items():
        yield f"## {title}"
        yield ""
        yield _row("Construct", *(f"{mark.capitalize()} {sign}" for mark, sign in MARKS.items()))
        yield _row("---", *["---"] * len(MARKS))
        for construct in group:
            number += 1
            source = "<br>".join(map(_code, construct.lines))
            name = f"**{number}. {construct.name}**<br>{DIALECTS[construct.dialect].label}: {source}"
            yield _row(name, *(_column(construct, mark) for mark in MARKS))
        yield ""


def _column(construct: DialectConstruct, mark: Mark) -> str:
    """Return the dialects with one mark, grouped by what they write."""
    together: dict[DialectCell, list[str]] = {}
    for to, dialect in DIALECTS.items():
        if (found := cell(construct, to)).mark == mark:
            together.setdefault(found, []).append(dialect.label)
    lines = [
        ", ".join(labels) + (f": {_code(found.code)}" if found.code else "") + (f" {found.change}" * bool(found.change))
        for found, labels in together.items()
    ]
    return "<br>".join(lines) or "–"


def _sources() -> Iterator[str]:
    yield "## Sources"
    yield ""
    for dialect in DIALECTS.values():
        yield f"- {dialect.label}: {dialect.reference}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _code(text: str) -> str:
    return f"`{text}`"


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
