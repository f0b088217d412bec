"""Facts about a topic's searches for its audit: live, local and from files."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

from core.audit.flow import flow_of
from core.audit.prisma_items import LONGEST_NAME, checked_text
from core.audit.prisma_s import fill
from core.audit.strategies import (
    AnswerState,
    AuditAnswer,
    AuditFacts,
    Deduplication,
    FileFacts,
    SearchFacts,
    UnfinishedRun,
    counted_lines,
    limits_in,
)
from core.errors import InputError
from core.library.preprints import WorkVersions
from core.library.records import Record
from core.query.adaptation import Loss
from core.query.match import match, rows_of
from core.query.parser import parse
from core.query.tree import Node, ParsedQuery, Range
from core.sources.runs import cap_effect, methods_sentence
from core.text import on_one_line
from core.types import Ids, unique_ids
from data.changes import UNSEEN, Unseen, acting_as, record_change
from data.explore.workspace import Workspace
from data.library.duplicates import Merge, proposals
from data.library.records import ASKED, SourceRow, apart, retracted_ids
from data.lookup import check_topic
from data.memory import key_for
from data.query.search import RANKED_CUT, dialect_of, semantics_of
from data.sources.registry import ABOUT
from data.sources.runs import LivePage, LiveRun, choices_of, live_pages, repeated_at, searched_of
from data.store import Clock, Store, VersionRow, utc_now


def answers(store: Store, topic_id: str) -> dict[str, AuditAnswer]:
    found = store.rows(
        "SELECT item, state, text, said_by, said_at FROM audit_answers WHERE topic_id = ? ORDER BY item", [topic_id]
    )
    return {row[0]: AuditAnswer(*row) for row in found}


def say(
    store: Store,
    topic_id: str,
    item: str,
    *,
    state: AnswerState,
    text: str,
    said_by: str = "",
    seen: AuditAnswer | Unseen | None = UNSEEN,
    clock: Clock = utc_now,
) -> AuditAnswer:
    """Save an answer, replacing an earlier one. `item`: "prisma-s:5", or "flow:screened" with a whole number.

    For the state "confirmed", `text` is the exact prefilled text, so that later changes of the record can be detected.
    `seen`: the answer before.
    """
    store.check_writable()
    check_topic(store, topic_id)
    if state not in ("confirmed", "own", "not done"):
        raise InputError(f'an answer is "confirmed", "own" or "not done", got "{state}"')
    name = " ".join(said_by.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(f"a name must be plain text of up to {LONGEST_NAME} characters")
    answer = AuditAnswer(item, state, checked_text(item, state, text), name, clock())
    with store.transaction(), acting_as(name or None):
        record_change(store, topic_id, _subject(item), now=answers(store, topic_id).get(item), seen=seen, at=clock())
        store.execute(
            "INSERT OR REPLACE INTO audit_answers VALUES (?, ?, ?, ?, ?, ?)",
            [topic_id, item, answer.state, answer.text, answer.said_by, answer.said_at],
        )
    return answer


def _subject(item: str) -> str:
    return f"answer to {item}"


def unsay(
    store: Store,
    topic_id: str,
    item: str,
    *,
    seen: AuditAnswer | Unseen | None = UNSEEN,
    clock: Clock = utc_now,
) -> None:
    """Withdraw an answer; do nothing if there is none. `seen`: the answer before."""
    store.check_writable()
    with store.transaction():
        record_change(store, topic_id, _subject(item), now=answers(store, topic_id).get(item), seen=seen, at=clock())
        store.execute("DELETE FROM audit_answers WHERE topic_id = ? AND item = ?", [topic_id, item])


def confirm_likely(store: Store, facts: AuditFacts, *, said_by: str = "", clock: Clock = utc_now) -> Ids:
    """Confirm every prefilled item and number, and return them; what a person has answered stays."""
    likely = {one.item.item: one.recorded for one in fill(facts) if one.state == "likely" and one.recorded}
    likely |= {
        number.item: str(number.recorded)
        for number in flow_of(facts).numbers
        if number.state == "likely" and number.recorded is not None
    }
    for item, text in likely.items():
        say(store, facts.topic_id, item, state="confirmed", text=text, said_by=said_by, clock=clock)
    return tuple(likely)


# Duplicate records of publications, as far as the reported searches are concerned.

MOST_PAIRS = 200
RULES = {
    "doi": "the same DOI",
    "pmid": "the same PMID",
    "own_id": "the same identifier of the source",
    "title": "the same title, with year or first author agreeing",
    "same": "they say exactly the same",
    ASKED: "a person's decision",
    "": "no rule is recorded",
}
_PLACED = """
    WITH r AS (
        SELECT r.source_id, s.name, r.number, coalesce(r.rule, '') AS rule, publication_id, r.document, r.began_as,
               row_number() OVER (PARTITION BY publication_id ORDER BY r.rule IS NOT NULL, s.number, r.number) AS place
        FROM records AS r JOIN sources AS s USING (source_id)
        WHERE s.topic_id = $topic AND r.source_id IN (SELECT unnest($sources::VARCHAR[]))
    )
"""
_REPEATED = f"{_PLACED} SELECT place = 1, rule, count(*) FROM r GROUP BY ALL ORDER BY 3 DESC, 2"
_REPEATED_BY = f"""
    {_PLACED}
    SELECT source_id, name, number, rule, publication_id, coalesce(json_extract_string(document, '$.title'), ''),
           coalesce(p.title, ''), began_as
    FROM r LEFT JOIN publications AS p USING (publication_id)
    WHERE $rule IS NULL OR (place > 1 AND rule = $rule) ORDER BY place, name, number
"""


def deduplication(workspace: Workspace, topic_id: str, source_ids: Sequence[str], over: str) -> Deduplication:
    """Count duplicates among the records of these sources: all but the first of a publication, each with its rule.

    `over`: description of the records.
    """
    store = workspace.store
    rows = store.rows(_REPEATED, {"topic": topic_id, "sources": list(source_ids)})
    n_first = sum(n for is_first, _, n in rows if is_first)
    repeated = {rule: n for is_first, rule, n in rows if not is_first}
    n_by_hand = repeated.pop(ASKED, 0)
    by_rule = tuple((RULES.get(rule, rule), n) for rule, n in repeated.items())
    pairs = apart(store, topic_id)
    n_undecided = _undecided(workspace, topic_id) if rows else 0
    return Deduplication(
        n_records=sum(n for _, _, n in rows),
        n_publications=n_first,
        by_rule=by_rule,
        n_by_hand=n_by_hand,
        n_kept_apart=len(pairs),
        n_undecided=n_undecided,
        is_at_least=n_undecided >= MOST_PAIRS,
        over=over,
        n_two_versions=_n_of_two_versions(store, topic_id, source_ids),
        n_retracted=_n_retracted(store, source_ids),
    )


_SEVERAL_FORMS = """
    SELECT publication_id, document FROM records AS r JOIN sources AS s USING (source_id)
    WHERE s.topic_id = $topic AND r.source_id IN (SELECT unnest($sources::VARCHAR[]))
    QUALIFY count(*) OVER (PARTITION BY publication_id) > 1 AND (
        count(DISTINCT doi) OVER (PARTITION BY publication_id) > 1
        OR bool_or(json_extract_string(document, '$.kind') = 'preprint' OR (doi IS NULL AND regexp_matches(
            lower(coalesce(json_extract_string(document, '$.venue'), '')), 'xiv|ssrn|preprint|research square'
        ))) OVER (PARTITION BY publication_id)
    )
"""
"""The records of publications that may have a record of each version."""


def _n_of_two_versions(store: Store, topic_id: str, source_ids: Sequence[str]) -> int:
    records: defaultdict[str, list[Record]] = defaultdict(list)
    for publication_id, document in store.rows(_SEVERAL_FORMS, {"topic": topic_id, "sources": list(source_ids)}):
        records[publication_id].append(Record.from_document(json.loads(document)))
    return sum(WorkVersions.of(some) is not None for some in records.values())


def _n_retracted(store: Store, source_ids: Sequence[str]) -> int:
    found = store.rows(
        "SELECT DISTINCT publication_id FROM records WHERE source_id IN (SELECT unnest($sources::VARCHAR[]))",
        {"sources": list(source_ids)},
    )
    return len(retracted_ids(store, [publication_id for (publication_id,) in found]))


def repeated_records(
    store: Store, topic_id: str, source_ids: Sequence[str], rule: str | None = None
) -> tuple[Merge, ...]:
    """Return the duplicates by one rule among the records of these sources; the rule is named as in `Deduplication`.

    None: all records, including the first one of each publication.
    """
    names: dict[str | None, str] = {words: name for name, words in RULES.items()}
    given = {"topic": topic_id, "sources": list(source_ids), "rule": names.get(rule, rule)}
    return tuple(Merge(*row) for row in store.rows(_REPEATED_BY, given))


def _undecided(workspace: Workspace, topic_id: str) -> int:
    """Count undecided pairs of similar publications; cached, since it takes a second per ten thousand publications."""
    store = workspace.store
    marks = store.rows("SELECT source_id FROM sources WHERE topic_id = ? ORDER BY number", [topic_id])
    key = key_for("audit-pairs-2", topic_id, store.topic_state(topic_id), marks, sorted(apart(store, topic_id)))
    kept = store.recall(key)
    if kept is not None and kept[0].isdigit():
        return int(kept[0])
    n = len(proposals(workspace, topic_id, most=MOST_PAIRS))
    store.remember(key, "audit pairs", str(n), arrays=None)
    return n


# Searches not run in a live source: over the topic's own publications, or imported as files.

MOST_NODES = 5_000
"""Larger strings are not counted line by line."""


def local_search(workspace: Workspace, row: VersionRow) -> SearchFacts:
    """Return the facts of a search over the topic's publications. Its lines are counted over the current ones."""
    version = row.version
    parsed = parse(version.text, dialect_of(version))
    now = workspace.corpora.searched(version.topic_id)
    changed = row.corpus_state is not None and row.corpus_state != now.state
    n_then = row.n_searched if row.n_searched is not None else now.n
    where = f"the {n_then:,} publications of this topic"
    semantics = semantics_of(version)
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
    """Return the facts of an imported version: its results are known, its search is as described by its author."""
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
"""Databases by the prefix of their export formats' ids."""


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
    """Return, for each source, the database whose identifiers most of its records have."""
    found: dict[str, str] = {}
    for name, like in _IDENTIFIERS:
        rows = store.rows(_BY_IDENTIFIERS, {"topic": topic_id, "like": like})
        found |= {source_id: name for source_id, _ in rows}
    return found


def file_facts(source: SourceRow, by_identifiers: str = "") -> FileFacts:
    """Return the facts of a file. `by_identifiers`: the database identified by its records."""
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


# A search in a live source, with the facts that an audit needs.

_BECAME = {
    "widened": "finds more there",
    "narrowed": "finds less there",
    "unsupported": "has no equivalent there",
    "exact": "means the same there",
}
MOST_LOSSES = 200
LEFT_OUT = "left out"
"""Words that mark a loss where a part was not sent at all; other losses were sent in other words."""


def live_search(store: Store, row: VersionRow, run: LiveRun) -> SearchFacts:
    pages = live_pages(store, run.run_id)
    repeats = repeated_at(store, run)
    searched = searched_of(run, pages, repeats=repeats)
    parsed = parse(run.text, run.prepared.dialect)
    label = searched.source
    cap = _cap(run, pages)
    n_total = run.total_last if run.total_last is not None else run.total_first
    n_whole = n_total if len(run.prepared.forms) == 1 else None
    return SearchFacts(
        version=row.version.label,
        source=label,
        platform=f"its own interface for programs (API), {searched.address}",
        how="live",
        text=run.text,
        dialect=run.prepared.dialect,
        sent=searched.forms,
        lines=counted_lines(parsed, count=None, counted_in="", n_whole=n_whole, whole_in=label),
        limits=limits_in(parsed, lambda start, end, node: _fate(run, parsed, label, start, end, node)),
        began=searched.began,
        ended=run.ended_at,
        n_total=run.total_first,
        n_records=run.n_records,
        n_publications=row.n_retrieved,
        most=run.most,
        n_aside=run.n_aside,
        losses=_losses(run),
        repeats=repeats or None,
        sentence=methods_sentence(searched),
        number=row.version.number,
        origin=row.version.origin,
        total_last=run.total_last,
        n_repeated=run.n_repeated,
        is_cut=bool(cap),
        advice=cap,
        form_totals=_form_totals(run, pages),
        address=searched.address,
        choices=choices_of(run),
        notes=unique_ids([*run.notes, *(note for page in pages for note in page.notes)]),
    )


def unfinished_runs(runs: Sequence[LiveRun]) -> tuple[UnfinishedRun, ...]:
    """Return the runs that did not become a version, oldest first."""
    left = sorted((run for run in runs if run.state != "done"), key=lambda run: run.made_at)
    return tuple(
        UnfinishedRun(ABOUT[run.source].label, run.state, run.text, run.n_records, run.made_at) for run in left
    )


def _form_totals(run: LiveRun, pages: Sequence[LivePage]) -> tuple[int | None, ...]:
    last = {page.form: page.total for page in pages}
    return tuple(last.get(form.number) for form in run.prepared.forms)


def _cap(run: LiveRun, pages: Sequence[LivePage]) -> str:
    """Describe the effect of the cap; empty if it cuts nothing."""
    if not run.is_capped:
        return ""
    totals = [total for total in _form_totals(run, pages) if total is not None]
    begun = {page.form for page in pages}
    if totals and len(begun) == len(run.prepared.forms):
        effect = cap_effect(max(totals), sum(totals), run.most)
        if effect.is_capped:
            return f"{effect.sentence} {effect.advice}"
    label = ABOUT[run.source].label
    left = len(run.prepared.forms) - len(begun)
    never = f" {left} of its {len(run.prepared.forms)} parts were never asked." if left else ""
    return (
        f"The search stopped at its cap of {run.most:,} records.{never} How many more {label} has is not known, and "
        "its order decided which ones came. Raise the cap, or split the search by year and run the parts."
    )


def _losses(run: LiveRun) -> Ids:
    return tuple(
        f"“{on_one_line(run.text[loss.start : loss.end], 160)}” {_BECAME.get(loss.status, loss.status)}: {loss.message}"
        for loss in run.prepared.losses[:MOST_LOSSES]
    )


def _fate(run: LiveRun, parsed: ParsedQuery, label: str, start: int, end: int, node: Node | None) -> str:
    hit = _loss_at(run.prepared.losses, parsed, start, end, node)
    if hit is None:
        return f"sent to {label} with the string"
    if hit.status == "unsupported":
        how = "not applied by" if LEFT_OUT in hit.message else "not sent as it is written to"
        return f"{how} {label}: {hit.message}"
    return f"applied by {label} otherwise than it is written: {hit.message}"


def _loss_at(losses: Sequence[Loss], parsed: ParsedQuery, start: int, end: int, node: Node | None) -> Loss | None:
    if node is None:
        return next((loss for loss in losses if (loss.start, loss.end) == (start, end)), None)
    inside = [loss for loss in losses if start <= loss.number < end and loss.number > 0]
    if start == 0 and parsed.root is node:
        inside = [loss for loss in losses if loss.number == 0]
    return next(iter(inside), None)
