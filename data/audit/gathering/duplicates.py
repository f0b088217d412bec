"""What became of records of the same publication, as far as it concerns the reported searches."""

from __future__ import annotations

from collections.abc import Sequence

from core.audit.types import Deduplication
from data.library.merges import proposals
from data.library.tables import ASKED, apart
from data.memory import key_for
from data.workspace import Workspace

MOST_PAIRS = 200
RULES = {
    "doi": "the same DOI",
    "pmid": "the same PMID",
    "own_id": "the same identifier of the source",
    "title": "the same title, with year or first author agreeing",
    "same": "they say exactly the same",
}
_REPEATED = """
    WITH r AS (
        SELECT publication_id, rule,
               row_number() OVER (PARTITION BY publication_id ORDER BY rule IS NOT NULL, s.number, r.number) AS place
        FROM records AS r JOIN sources AS s USING (source_id)
        WHERE s.topic_id = $topic AND r.source_id IN (SELECT unnest($sources::VARCHAR[]))
    )
    SELECT place = 1, coalesce(rule, ''), count(*) FROM r GROUP BY ALL ORDER BY 3 DESC, 2
"""


def deduplication(workspace: Workspace, topic_id: str, source_ids: Sequence[str], over: str) -> Deduplication:
    """Over the records of these sources: each but the first of a publication is a duplicate, with why it is one.

    `over`: whose records these are, in words.
    """
    store = workspace.store
    rows = store.rows(_REPEATED, {"topic": topic_id, "sources": list(source_ids)})
    n_first = sum(n for is_first, _, n in rows if is_first)
    repeated = {rule: n for is_first, rule, n in rows if not is_first}
    n_by_hand = repeated.pop(ASKED, 0)
    by_rule = tuple((RULES.get(rule, rule or "no rule is recorded"), n) for rule, n in repeated.items())
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
    )


def _undecided(workspace: Workspace, topic_id: str) -> int:
    """Pairs that look alike, remembered: looking for them takes a second for ten thousand publications."""
    store = workspace.store
    marks = store.rows("SELECT source_id FROM sources WHERE topic_id = ? ORDER BY number", [topic_id])
    key = key_for("audit-pairs", topic_id, store.topic_state(topic_id), marks, sorted(apart(store, topic_id)))
    kept = store.recall(key)
    if kept is not None and kept[0].isdigit():
        return int(kept[0])
    n = len(proposals(workspace, topic_id, most=MOST_PAIRS))
    store.remember(key, "audit pairs", str(n), arrays=None)
    return n
