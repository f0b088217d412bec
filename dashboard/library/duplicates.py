"""Review merged records and possible duplicates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

import streamlit as st

from core.library.duplicates import PairKind
from core.library.records import Record, title_key
from core.text import first_of, many, upper_first
from core.types import unique_ids
from dashboard import cache, state
from dashboard.kit.publication_lists import ListedRow, PublicationGroup, draw_table
from dashboard.library.details import kind_and_status
from dashboard.status import why_locked
from dashboard.words import plain
from data.library.duplicates import (
    RULES,
    DuplicateProposal,
    Merge,
    join_all,
    merge_counts,
    merges,
    n_merged_of_lists,
    reconsider,
    separate_all,
    undo,
    undo_batch,
)
from data.library.priority import prefer, preferred
from data.library.records import apart, load_details, load_sources, source_names
from data.store import content_hash

# Two titles side by side, with different words marked.

MOST_WORDS = 120
"""Words of a title that are compared; comparing longer texts takes long."""


def marked(one: str, other: str) -> tuple[str, str]:
    """Return both titles as Markdown with differences marked. Case is ignored.

    >>> marked("Heat and trees", "Heat or trees")
    ('Heat :gray-background[**and**] trees', 'Heat :gray-background[**or**] trees')
    """
    a, b = one.split()[:MOST_WORDS], other.split()[:MOST_WORDS]
    left: list[str] = []
    right: list[str] = []
    for what, i, j, k, m in SequenceMatcher(
        None, [w.casefold() for w in a], [w.casefold() for w in b], autojunk=False
    ).get_opcodes():
        left += _shown(a[i:j], what != "equal")
        right += _shown(b[k:m], what != "equal")
    return " ".join(left), " ".join(right)


def _shown(words: list[str], differ: bool) -> list[str]:
    text = plain(" ".join(words))
    if not text:
        return []
    return [f":gray-background[**{text}**]" if differ else text]


# Merged records, and pairs for a person to decide.

LINES = 20
MOST_ALIKE_SHOWN = 5
JOINED = "Merged records"
COMPARED: Mapping[str, Callable[[Record], str]] = {
    "Title": lambda record: record.title,
    "Authors": lambda record: "; ".join(record.authors),
    "Year": lambda record: str(record.year or ""),
    "Published in": lambda record: record.venue or "",
    "Volume": lambda record: record.volume or "",
    "Issue": lambda record: record.issue or "",
    "Pages": lambda record: record.pages or "",
    "DOI": lambda record: record.doi or "",
    "PMID": lambda record: record.pmid or "",
    "Type": kind_and_status,
    "Types in the source": lambda record: ", ".join(record.types),
    "Keywords": lambda record: "; ".join(record.keywords),
    "Abstract": lambda record: record.abstract or "",
}


@dataclass(frozen=True, slots=True)
class PairDecision:
    pairs: tuple[tuple[str, str], ...]
    batch: str | None = None
    """The key of their merge; None: the two of each pair are different."""

    @property
    def text(self) -> str:
        same = "Different publications" if self.batch is None else "Same publication"
        return same if len(self.pairs) == 1 else f"{same} ({many(len(self.pairs), 'pair')})"


def joined_group(topic_id: str, rule: str) -> PublicationGroup:
    found = merges(cache.workspace(), topic_id, rule=rule, most=None)
    return PublicationGroup(f"Merged by {RULES.get(rule, rule)}", rows=merge_rows(found), noun="record")


def merge_rows(found: Iterable[Merge]) -> tuple[ListedRow, ...]:
    """Return a row for each merged record with the publication it joined."""
    return tuple({"Record": m.title, "Merged into": m.known_as, "File": m.source, "Number": m.number} for m in found)


def draw_duplicates(topic_id: str) -> None:
    if not load_sources(cache.workspace().store, topic_id):
        st.info("No files were imported into this topic, so there is nothing to merge.")
        return
    counts = merge_counts(cache.workspace(), topic_id)
    if counts:
        n_lists = n_merged_of_lists(cache.workspace(), topic_id)
        lists = f", {n_lists:,} of them from lists of core, screened or included publications" if n_lists else ""
        st.markdown(f"{many(sum(counts.values()), 'record')} merged into existing publications{lists}:")
        draw_table(
            [{"Merged by": _sentence(RULES.get(rule, rule)), JOINED: n} for rule, n in counts.items()],
            lambda row, column: joined_group(topic_id, list(counts)[row]) if column == JOINED else None,
            key=f"joined-by-{topic_id}",
            hint="Click a count to list its records.",
            column_config={JOINED: st.column_config.NumberColumn(format="localized")},
        )
    else:
        st.markdown("No records were merged.")
    if note := state.take("duplicates"):
        st.error(plain(note))
    if note := state.take("left-out"):
        st.warning(plain(note))
    _draw_last_decision(topic_id)
    _draw_proposals(topic_id)
    if counts:
        _draw_priority(topic_id)
        _draw_log(topic_id, counts)


def _draw_priority(topic_id: str) -> None:
    store, locked = cache.workspace().store, why_locked()
    names = source_names(store, topic_id)
    if len(names) < 2:
        return
    st.header("Preferred files")
    kept = list(preferred(store, topic_id))
    key = f"prefer-{topic_id}-{content_hash(kept)}"
    chosen = st.multiselect(
        "Take the fields of merged publications first from",
        list(names),
        default=kept,
        format_func=names.__getitem__,
        key=key,
        placeholder="Order of import",
        disabled=bool(locked),
        help=locked or "Choose files in order. Gaps are filled from the other files, in the order of import.",
    )
    if chosen != kept:
        state.raise_flag(f"undone-{topic_id}")
        _do(lambda: prefer(cache.workspace(), topic_id, chosen), "Merged publications follow the new order of files.")


def _open_pairs(topic_id: str) -> list[DuplicateProposal]:
    store = cache.workspace().store
    marks = [s.source_id for s in load_sources(store, topic_id)]
    undone = str(state.flag(f"undone-{topic_id}"))
    found = cache.proposals(topic_id, content_hash([str(cache.workspace().paths.root), undone, *marks]))
    decided = {frozenset(pair) for pair in apart(store, topic_id)}
    there = set(store.topic_publication_ids(topic_id))
    return [p for p in found if {p.pair.a, p.pair.b} <= there and {p.pair.a, p.pair.b} not in decided]


def _draw_proposals(topic_id: str) -> None:
    pairs = _open_pairs(topic_id)
    st.header("Possible duplicates")
    if not pairs:
        st.caption("No possible duplicates found.")
        return
    at = min(state.value(f"pair-{topic_id}", 0), len(pairs) - 1)
    with st.container(horizontal=True, vertical_alignment="center", key="pair-moves"):
        st.markdown(f"Pair {at + 1:,} of {len(pairs):,}", width="content")
        for label, key, step, end in (("Previous", "k", -1, 0), ("Next", "j", 1, len(pairs) - 1)):
            st.button(
                label,
                key=f"pair-{label.lower()}",
                disabled=at == end,
                shortcut=key,
                on_click=state.set_value,
                args=(f"pair-{topic_id}", at + step),
            )
    st.caption("The likeliest pairs come first. Nothing is merged without your decision.")
    one, other = load_details(cache.workspace().store, pairs[at].ids)
    workspace = cache.workspace()
    key = content_hash([str(workspace.paths.root), *(i for p in pairs for i in p.ids)])
    found = cache.kinds_of_pairs(tuple(pairs), workspace.store.n_changes, key)
    kind, alike = next((kind, alike) for kind, alike in found.items() if pairs[at] in alike)
    _draw_pair(topic_id, pairs[at], (one, other), kind, alike)


Proposals = tuple[DuplicateProposal, ...]


def _draw_alike(topic_id: str, kind: PairKind, alike: Proposals) -> None:
    """Offer one decision on all pairs with the same evidence as the pair shown."""
    locked, n = why_locked(), len(alike)
    pairs = tuple(p.ids for p in alike)
    with st.container(horizontal=True, vertical_alignment="center", key="alike"):
        st.markdown(f"{many(n, 'pair')} with {plain(kind.words)}.")
        if st.button(f"Same: all {n:,} like this", key="alike-join", disabled=bool(locked), help=locked):
            _do(lambda: _join(topic_id, pairs), f"Merged: {many(n, 'pair')}")
        if st.button(f"Different: all {n:,} like this", key="alike-separate", disabled=bool(locked), help=locked):
            _do(lambda: _separate(topic_id, pairs), f"Not merged: {many(n, 'pair')}")
    with st.expander("Titles of these pairs"):
        for p in alike[:MOST_ALIKE_SHOWN]:
            titles = unique_ids(title or "No title" for title in marked(*p.titles))
            about = " · ".join(unique_ids([*(str(y or "no year") for y in p.years), *(d or "no DOI" for d in p.dois)]))
            st.markdown("  \n".join([*titles, f":small[:gray[{plain(about)}]]"]))
        if n > MOST_ALIKE_SHOWN:
            st.caption(f"and {many(n - MOST_ALIKE_SHOWN, 'more pair')}")


def _draw_pair(
    topic_id: str, proposal: DuplicateProposal, details: tuple[Record, Record], kind: PairKind, alike: Proposals
) -> None:
    locked = why_locked()
    name = content_hash(proposal.ids)
    with st.container(border=True, key=f"shown-{name}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            same = st.button("Same publication", key=f"join-{name}", disabled=bool(locked), help=locked, shortcut="y")
            two = st.button(
                "Different publications", key=f"apart-{name}", disabled=bool(locked), help=locked, shortcut="n"
            )
            st.caption(plain(proposal.pair.why))
        if len(alike) > 1:
            _draw_alike(topic_id, kind, alike)
        sides = st.columns(2, gap="medium")
        for side, title, at in zip(sides, marked(*proposal.titles), range(2), strict=True):
            year, doi, files = proposal.years[at], proposal.dois[at], proposal.sources[at]
            what = kind_and_status(details[at])
            about = [what, str(year or "no year"), doi or "no DOI", first_of(files, 3)]
            side.markdown(
                f"{title or 'No title'}  \n:small[:gray[{plain(' · '.join(part for part in about if part))}]]"
            )
        st.table(compared_fields(*details))
    title = proposal.titles[0][:60]
    if same:
        _do(lambda: _join(topic_id, (proposal.ids,)), f"Merged: {title}")
    if two:
        _do(lambda: _separate(topic_id, (proposal.ids,)), f"Not merged: {title}")


def compared_fields(one: Record, other: Record) -> list[dict[str, str]]:
    """Return a row for each field of one or both records, as Markdown; if both have it, differences are marked."""
    rows = []
    for name, read in COMPARED.items():
        mine, theirs = read(one), read(other)
        if mine or theirs:
            left, right = marked(mine, theirs) if mine and theirs else (plain(mine), plain(theirs))
            sign = "=" if mine.split() == theirs.split() else "≠" if mine and theirs else "one only"
            rows.append({"Field": name, "First": left or "–", "Second": right or "–", "Compared": sign})
    return rows


def _join(topic_id: str, pairs: tuple[tuple[str, str], ...]) -> None:
    batch = join_all(cache.workspace(), topic_id, pairs, seen="open")
    if kept := tuple(pair for pair in pairs if pair not in batch.left_out):
        _remember(topic_id, PairDecision(kept, batch.key))
    if batch.left_out:
        n = many(len(batch.left_out), "pair")
        state.say_once("left-out", f"{n} left out: merging would join publications marked as different.")


def _separate(topic_id: str, pairs: tuple[tuple[str, str], ...]) -> None:
    separate_all(cache.workspace(), topic_id, pairs, seen="open")
    _remember(topic_id, PairDecision(pairs))


def _remember(topic_id: str, decision: PairDecision) -> None:
    state.set_value(f"decided-{topic_id}", (*state.value(f"decided-{topic_id}", ()), decision))


def _draw_last_decision(topic_id: str) -> None:
    decisions: tuple[PairDecision, ...] = state.value(f"decided-{topic_id}", ())
    if not decisions:
        return
    last, locked = decisions[-1], why_locked()
    with st.container(horizontal=True, vertical_alignment="center", key="decided"):
        st.markdown(f"Last decision: {last.text}", width="content")
        if st.button("Undo", key="undo-pair", icon=":material/undo:", disabled=bool(locked), help=locked, shortcut="u"):
            state.set_value(f"decided-{topic_id}", decisions[:-1])
            state.raise_flag(f"undone-{topic_id}")
            _do(lambda: _withdraw(topic_id, last), f"Undone: {last.text}")


def _withdraw(topic_id: str, decision: PairDecision) -> None:
    """Undo a decision; its pairs are proposed again."""
    if decision.batch is None:
        reconsider(cache.workspace(), topic_id, decision.pairs)
    else:
        undo_batch(cache.workspace(), topic_id, decision.batch)


def _do(act: Callable[[], object], text: str) -> None:
    with state.noting("duplicates"):
        act()
        state.say_once("library", text)
    st.rerun()


def _draw_log(topic_id: str, counts: dict[str, int]) -> None:
    st.header("Merge log")
    rule_at, words_at, page_at = st.columns([0.35, 0.45, 0.2])
    rule = rule_at.selectbox(
        "Merged by",
        [None, *counts],
        format_func=lambda r: _sentence(RULES.get(r or "", r or "any rule")),
        key="log-rule",
    )
    words = words_at.text_input("Title contains", key="log-words")
    found = merges(cache.workspace(), topic_id, rule=rule, containing=words.strip())
    n_pages = max(1, -(-len(found) // LINES))
    page = page_at.number_input("Page", 1, n_pages, key=f"log-page-{rule}-{words}-{n_pages}", help=f"Of {n_pages:,}.")
    if not found:
        st.caption("No merges match these filters.")
    for merge in found[(page - 1) * LINES : page * LINES]:
        _draw_merge(topic_id, merge)


def _where(merge: Merge) -> str:
    return f"{merge.source} #{merge.number:,}"


def _sentence(words: str) -> str:
    return upper_first(words)


def _draw_merge(topic_id: str, merge: Merge) -> None:
    locked = why_locked()
    by = RULES.get(merge.rule, merge.rule)
    words = f"{plain(merge.title or 'No title')}  \n:small[:gray[{plain(_where(merge))}, by {plain(by)}]]"
    if title_key(merge.title) != title_key(merge.known_as) and merge.known_as:
        words += f"  \n:small[merged into: {plain(merge.known_as)}]"
    place, button = st.columns([0.88, 0.12], vertical_alignment="center")
    place.markdown(words)
    key = f"undo-{merge.source_id}-{merge.number}"
    if button.button("Undo", key=key, disabled=bool(locked), help=locked, icon=":material/undo:", width="stretch"):
        _undo(topic_id, merge)


def _undo(topic_id: str, merge: Merge) -> None:
    state.raise_flag(f"undone-{topic_id}")
    _do(
        lambda: undo(cache.workspace(), topic_id, merge.source_id, merge.number),
        f"Merge undone: {merge.title[:60]}",
    )
