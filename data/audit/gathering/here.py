"""Searches that no live source ran: over the topic's own publications, or brought in as files."""

from __future__ import annotations

from collections.abc import Sequence

from core.audit.types import FileFacts, SearchFacts, counted_lines, limits_in
from core.query.matching.matched import Semantics, match, rows_of
from core.query.reading.parser import parse
from core.query.tree import Node, ParsedQuery, Range
from data.library.tables import SourceRow
from data.running import RANKED_CUT, dialect_of
from data.store import Store, VersionRow
from data.workspace import Workspace

MOST_NODES = 5_000
"""Larger strings are not counted line by line."""


def local_search(workspace: Workspace, row: VersionRow) -> SearchFacts:
    """A run over the topic's own publications. Its lines are counted over those that are there now."""
    version = row.version
    parsed = parse(version.text, dialect_of(version))
    now = workspace.corpora.searched(version.topic_id)
    changed = row.corpus_state is not None and row.corpus_state != now.state
    n_then = row.n_searched if row.n_searched is not None else now.n
    where = f"the {n_then:,} publications of this topic"
    semantics: Semantics = "stemmed" if version.semantics == "stemmed" else "literal"
    corpus = workspace.corpora.of(version.topic_id) if parsed.root is not None else None

    def count(node: Node) -> int | None:
        if corpus is None or len(parsed.nodes) > MOST_NODES:
            return None
        found = match(node, corpus, semantics).root
        return None if found is None else len(rows_of(found))

    def fate(start: int, end: int, node: Node | None) -> str:
        if node is None or corpus is None:
            return "not applied: titles, abstracts and years can't tell it"
        if isinstance(node, Range) or match(node, corpus, semantics).root is not None:
            return f"applied over {where}"
        return "not applied: the publications of this topic hold no such field"

    n = row.n_retrieved
    over = f"the {now.n:,} publications of this topic today" if changed else where
    return SearchFacts(
        version=version.label,
        source=where,
        platform="Queryscape",
        how="local",
        text=version.text,
        dialect=parsed.dialect,
        sent=(version.text,),
        lines=counted_lines(parsed, count=count, counted_in=over, n_whole=n, whole_in=where),
        limits=limits_in(parsed, fate),
        began=version.made_at,
        ended=version.made_at,
        n_total=None,
        n_records=None,
        n_publications=n,
        number=version.number,
        origin=version.origin,
        n_searched=row.n_searched,
        semantics=semantics,
        is_ranked=parsed.kind == "question",
        notes=_notes(parsed),
        changed_since=changed,
    )


def _notes(parsed: ParsedQuery) -> tuple[str, ...]:
    if parsed.kind != "question":
        return ()
    return (
        f"It is a question in plain words: the {RANKED_CUT} publications came that a ranking by its words puts first.",
    )


def file_search(row: VersionRow, sources: Sequence[SourceRow]) -> SearchFacts:
    """A version that was brought in: what was found is known, how it was searched is what its author says."""
    version = row.version
    parsed = parse(version.text, dialect_of(version))

    def fate(start: int, end: int, node: Node | None) -> str:
        return "whether the source applied it is not recorded"

    files = ", ".join(dict.fromkeys(source.name for source in sources))
    return SearchFacts(
        version=version.label,
        source=files,
        platform="",
        how="file",
        text=version.text,
        dialect=parsed.dialect if version.text.strip() else None,
        sent=(),
        lines=counted_lines(parsed, count=None, counted_in="", n_whole=None, whole_in="")
        if version.text.strip()
        else (),
        limits=limits_in(parsed, fate),
        began=None,
        ended=None,
        n_total=None,
        n_records=sum(source.n_records for source in sources) if sources else None,
        n_publications=row.n_retrieved,
        n_aside=sum(source.n_rejected for source in sources),
        number=version.number,
        origin=version.origin,
        was_run=row.retrieved_hash is not None,
        brought_at=version.made_at,
    )


PROVIDERS = {
    "pubmed": "PubMed",
    "wos": "Web of Science",
    "scopus": "Scopus",
    "dimensions": "Dimensions",
    "ieee": "IEEE Xplore",
    "springer": "SpringerLink",
    "lens": "The Lens",
    "embase": "Embase",
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "europepmc": "Europe PMC",
    "semanticscholar": "Semantic Scholar",
}
"""By the beginning of a format's id: the database whose own form of export it is."""


_IDENTIFIERS = (
    ("Web of Science", "wos:%"),
    ("Scopus", "2-s2.0-%"),
    ("Dimensions", "pub.%"),
)
_BY_IDENTIFIERS = """
    SELECT r.source_id, count(*) FROM records AS r JOIN sources AS s USING (source_id)
    WHERE s.topic_id = $topic AND r.own_id LIKE $like GROUP BY ALL HAVING count(*) * 2 > any_value(s.n_in_file)
"""


def told_by_identifiers(store: Store, topic_id: str) -> dict[str, str]:
    """By source: the database whose identifiers most of its records carry."""
    found: dict[str, str] = {}
    for name, like in _IDENTIFIERS:
        rows = store.rows(_BY_IDENTIFIERS, {"topic": topic_id, "like": like})
        found |= {source_id: name for source_id, _ in rows}
    return found


def file_facts(source: SourceRow, by_identifiers: str = "") -> FileFacts:
    """A file as a report lists it. `by_identifiers`: the database that its records' identifiers name."""
    by_form = PROVIDERS.get((source.format_id or "").split("_")[0], "")
    return FileFacts(
        name=source.name,
        role=source.role.kind,
        version=source.role.label,
        format=source.format_id,
        n_in_file=source.n_in_file,
        n_rejected=source.n_rejected,
        n_records=source.n_records,
        n_publications=source.n_publications,
        provider=by_form or by_identifiers,
        told_by="form" if by_form else "identifiers" if by_identifiers else "",
    )
