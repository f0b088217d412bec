"""Items 14 to 16: peer review, how many records came, and what became of those of the same publication."""

from __future__ import annotations

from core.audit.document import Block, Column, Table, Value
from core.audit.press.domains import VERDICTS
from core.audit.reporting.drafts import (
    NOTHING_RUN,
    Draft,
    called,
    cut_warnings,
    live,
    local,
    many,
    moment,
    named,
    unfinished_warnings,
    was,
)
from core.audit.types import AuditFacts, Deduplication, SearchFacts
from core.text import listed
from core.types import unique_ids

PRESS = "PRESS 2015 (McGowan J et al., J Clin Epidemiol 2016;75:40-46, doi 10.1016/j.jclinepi.2016.01.021)"


def peer_review(facts: AuditFacts) -> Draft:
    """Item 14."""
    signed = [review for review in facts.reviews if review.signed_at is not None]
    begun = unique_ids(review.version for review in facts.reviews if review.signed_at is None and not review.edited)
    said = [
        f"{called([r.version])} was peer reviewed with {PRESS} by {r.reviewer or 'an unnamed reviewer'}, signed on "
        f"{moment(r.signed_at or '')}{f'; verdict: {_verdict(r.verdict)}' if r.verdict else ''}."
        for r in signed
    ]
    if not signed and facts.n_reviews_signed:
        said.append(
            f"{many(facts.n_reviews_signed, 'signed peer review')} with {PRESS} {was(facts.n_reviews_signed)} made."
        )
    if begun:
        said.append(f"A peer review with PRESS of {named(begun)} is begun and not signed.")
    said += [
        f"The review of {named([r.version])} was changed after it was signed: {listed(r.edited)}."
        for r in facts.reviews
        if r.edited
    ]
    if facts.n_reviews_signed:
        left = [s.version for s in facts.searches if s.version not in {r.version for r in facts.reviews}]
        if signed and left:
            said.append(f"No review of {named(left)} is recorded.")
        return Draft("known", "\n".join(said))
    if facts.reviews:
        step = "Have the reviewer sign it, or say how else the strategy was reviewed."
        evidence = "A review is begun here."
        if not begun:
            step = "Have the reviewer sign it again, or say how else the strategy was reviewed."
            evidence = "A review was signed here, and changed since."
        return Draft("likely", "\n".join(said), step, evidence)
    step = "Begin a peer review (PRESS) here, describe one that was made elsewhere, or say that there was none."
    return Draft("open", "No peer review of these strategies is recorded." if facts.searches else "", step)


def _verdict(verdict: str) -> str:
    return next((words for name, words in VERDICTS.items() if name == verdict), verdict).lower()


def total_records(facts: AuditFacts) -> Draft:
    """Item 15."""
    unfinished = unfinished_warnings(facts)
    if not facts.searches:
        return Draft("open", NOTHING_RUN.text, NOTHING_RUN.next_step, "", unfinished)
    said = [_came(search) for search in facts.searches]
    if facts.n_found is not None and len(facts.searches) > 1:
        said.append(f"All together these are {many(facts.n_found, 'different publication')}.")
    cut = cut_warnings(facts)
    warnings = (*cut, *unfinished)
    table = _records_table(facts)
    if len(live(facts)) == len(facts.searches):
        return Draft(
            "known",
            "\n".join(said),
            (cut and "Raise the cap and run the search again, or report the cut.") or "",
            "",
            warnings,
            (table,),
        )
    if all(search.n_publications is None for search in facts.searches):
        return Draft("open", "\n".join(said), "Say how many records each source gave.", "", warnings, (table,))
    evidence = (
        "What a run over the topic's publications found is recorded; what the databases gave is not."
        if local(facts)
        else "The records in the files are counted; whether all that the source found was exported is not recorded."
    )
    step = "Confirm, or say how many records each database gave by its own count."
    return Draft("likely", "\n".join(said), step, evidence, warnings, (table,))


def _came(search: SearchFacts) -> str:
    name = called([search.version])
    if search.how == "local":
        if search.n_publications is None:
            return f"{name} was not run, so there is no number."
        return f"{name} found {search.n_publications:,} of {search.source}."
    aside = f" {many(search.n_aside, 'record')} could not be read." if search.n_aside else ""
    if search.how == "file":
        if search.n_publications is None:
            return f"{name} was not run, so there is no number."
        if search.n_records is None:
            return f"{name} came with {many(search.n_publications, 'publication')}; the records were not counted."
        n, p = search.n_records, search.n_publications
        return f"{name} came with {many(n, 'record')} of {many(p, 'publication')} from {search.source}.{aside}"
    parts = len(search.sent) > 1
    own = (
        "gave no count of its own"
        if search.n_total is None
        else (f"found {many(search.n_total, 'record')} by its own count{'s of the parts together' if parts else ''}")
    )
    if search.total_last is not None and search.total_last != search.n_total:
        own += f" ({search.total_last:,} as the search ended)"
    fetched = "not counted" if search.n_records is None else many(search.n_records, "record")
    again = (
        f" {many(search.n_repeated, 'record')} came again and {was(search.n_repeated)} left out."
        if search.n_repeated
        else ""
    )
    of = f", of {many(search.n_publications, 'publication')}" if search.n_publications is not None else ""
    return f"{name}: {search.source} {own}; fetched: {fetched}{of}.{again}{aside}"


def _records_table(facts: AuditFacts) -> Table:
    rows: list[tuple[Value, ...]] = []
    for s in facts.searches:
        total = s.total_last if s.total_last is not None else s.n_total
        cap = None if s.most is None else f"{s.most:,}, cut the search" if s.is_cut else f"{s.most:,}, did not cut"
        aside = None if s.n_records is None else s.n_aside
        rows.append((s.version, s.source or None, total, s.n_records, aside, s.n_publications, cap))
    columns = (
        *(Column("Version"), Column("Searched"), Column("The source's own count", "count")),
        *(Column("Records that came", "count"), Column("Not readable", "count"), Column("Publications", "count")),
        Column("Cap"),
    )
    return Table(
        "prisma-s-records", "Records and publications of each search", columns, tuple(rows), "–: not recorded."
    )


def deduplicated(facts: AuditFacts) -> Draft:
    """Item 16."""
    made = facts.deduplication
    software = _software_table(facts)
    if not made.n_records:
        said = []
        if local(facts):
            said.append("Each publication of this topic is there once, and no records of files are kept for it.")
        step = "Say how duplicates were found and taken out, and with what software; or that this was not done."
        return Draft("open", "\n".join(said), step, blocks=software)
    said = [
        f"Each record was compared with those before it by {_tool(facts)}: by DOI, PMID and the source's own "
        "identifier, then by its title together with year and first author.",
        _merged(made),
    ]
    if made.n_kept_apart:
        alike = "looks alike or was one" if made.n_kept_apart == 1 else "look alike or were one"
        said.append(f"A person kept {many(made.n_kept_apart, 'pair')} apart that {alike}.")
    if made.n_undecided is None:
        said.append("Pairs that look alike and that nobody decided about were not counted.")
    elif made.n_undecided:
        least = "at least " if made.is_at_least else ""
        look = "looks" if made.n_undecided == 1 else "look"
        said.append(f"About {least}{many(made.n_undecided, 'pair')} that {look} alike nobody has decided yet.")
    else:
        said.append("No pair that looks alike waits for a decision.")
    step = "Decide about the pairs that look alike, in the library of the topic." if made.n_undecided else ""
    return Draft("known", "\n".join(said), step, blocks=(_rules_table(made), *software))


def _tool(facts: AuditFacts) -> str:
    version = dict(facts.software).get("Queryscape", "")
    return f"Queryscape {version}".strip()


def _merged(made: Deduplication) -> str:
    n = made.n_records - made.n_publications
    if not n:
        return f"None of {many(made.n_records, 'record')} of {made.over} was of the same publication as another."
    by = [f"{n_by:,} by {rule}" for rule, n_by in made.by_rule]
    if made.n_by_hand:
        by.append(f"{made.n_by_hand:,} by a person's decision")
    rules = f": {listed(by)}" if by else ""
    return (
        f"Of {many(made.n_records, 'record')} of {made.over}, {n:,} {was(n)} of a publication that another record had "
        f"brought{rules}. {many(made.n_publications, 'publication')} {was(made.n_publications)} left."
    )


def _rules_table(made: Deduplication) -> Table:
    rows: list[tuple[Value, ...]] = [("Records", made.n_records)]
    rows += [(f"Merged by {rule}", n) for rule, n in made.by_rule]
    rows += [("Merged by a person's decision", made.n_by_hand), ("Publications left", made.n_publications)]
    rows += [("Pairs that a person kept apart", made.n_kept_apart), ("Pairs nobody decided about", made.n_undecided)]
    note = "There may be more undecided pairs than are counted." if made.is_at_least else ""
    columns = (Column("What"), Column("Number", "count"))
    return Table("prisma-s-duplicates", f"Deduplication of the records of {made.over}", columns, tuple(rows), note)


def _software_table(facts: AuditFacts) -> tuple[Block, ...]:
    if not facts.software:
        return ()
    columns = (Column("Software"), Column("Version"))
    return (Table("prisma-s-software", "Software that took part", columns, facts.software),)
