"""Items 8 to 13: the strings, their limits and filters, where they come from, and when they were run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from core.audit.document import Block, Column, Heading, Listing, Paragraph, Remark, Strategy, Table
from core.audit.reporting.drafts import (
    NOTHING_RUN,
    Draft,
    called,
    cut_warning,
    cut_warnings,
    filed,
    live,
    local,
    many,
    moment,
    named,
    unfinished_warnings,
    where_run,
)
from core.audit.reporting.published_filters import filter_signs
from core.audit.types import AuditFacts, SearchFacts

_DIALECTS = {
    "pubmed": "PubMed",
    "ovid": "Ovid",
    "wos": "Web of Science",
    "scopus": "Scopus",
    "ebsco": "EBSCOhost",
    "dimensions": "Dimensions",
    "openalex": "OpenAlex",
    "plain": "plain words with AND, OR and NOT",
}


def strategies(facts: AuditFacts) -> Draft:
    """Item 8."""
    if not facts.searches:
        return NOTHING_RUN
    blocks = tuple(block for i, search in enumerate(facts.searches, start=1) for block in _strategy(i, search))
    unknown = [search.version for search in facts.searches if not search.text.strip()]
    entered = [search for search in filed(facts) if search.text.strip()]
    shown = [search.version for search in facts.searches if search.text.strip()]
    said = []
    if shown:
        one = len(shown) == 1
        said.append(
            f"The {'strategy' if one else 'strategies'} of {named(shown)} {'stands' if one else 'stand'} below sign by "
            f"sign, with the hits of {'its' if one else 'their'} lines where somebody counted."
        )
    if runs := local(facts):
        said.append(where_run(runs))
    said += [
        f"The wording of {named([search.version])} is what was entered beside the file ({_told_apart(search.text)}); "
        "whether it is exactly what was run is not recorded."
        for search in entered
    ]
    if unknown:
        said.append(f"The wording of {named(unknown)} is not recorded.")
        step = "Copy the missing strategies here exactly as they were run, line by line with their hits."
        return Draft("open", "\n".join(said), step, blocks=blocks)
    if entered:
        step = "Confirm that these are the strategies exactly as they were run, or put the right ones here."
        return Draft("likely", "\n".join(said), step, "The wording was entered by hand.", blocks=blocks)
    return Draft("known", "\n".join(said), blocks=blocks)


def _told_apart(text: str) -> str:
    """By what another wording is noticed that was brought in under the same name after this one was confirmed."""
    return f"{many(len(text), 'sign')}, checksum {sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _strategy(number: int, search: SearchFacts) -> Iterator[Block]:
    """One search with all that belongs to its string."""
    yield Heading(f"Version “{search.version}”: {search.source or 'what was searched is not recorded'}", 4)
    if search.sentence:
        yield Paragraph(search.sentence)
    if warning := cut_warning(search):
        yield Remark(warning, is_warning=True)
    if not search.text.strip():
        yield Remark("The wording is not recorded.")
        return
    as_sent = search.sent and search.sent != (search.text,)
    read_as = f", read as {_DIALECTS.get(search.dialect, search.dialect)}" if search.dialect else ""
    how = {"live": "sent to the source as it is", "local": "run as it is", "file": "as it was entered"}[search.how]
    yield Strategy(search.text, f"As it was written{read_as}" if as_sent else f"As it was written{read_as}, and {how}")
    if as_sent:
        yield from _sent(search)
    if search.lines:
        yield _lines(number, search)
    if search.changed_since:
        yield Remark(
            "The topic's publications have changed since this run, so the lines are counted over those of today; the "
            "last line is the result of the run itself."
        )
    if search.losses:
        yield Paragraph("What the source could not be told as it is written:")
        yield Listing(search.losses)
    if search.notes:
        yield Paragraph("What was noted during the search:")
        yield Listing(search.notes)


def _sent(search: SearchFacts) -> Iterator[Strategy]:
    n = len(search.sent)
    totals = search.form_totals if len(search.form_totals) == n else (None,) * n
    for place, (text, total) in enumerate(zip(search.sent, totals, strict=True), start=1):
        part = f", part {place} of {n}; what the parts found was united" if n > 1 else ""
        counted = f" ({many(total, 'record')} by the source's own count)" if total is not None else ""
        yield Strategy(text, f"Exactly as it was sent to {search.source}{part}{counted}")


def _lines(number: int, search: SearchFacts) -> Table:
    rows = tuple((line.number, line.text, line.n_hits, line.counted_in or None) for line in search.lines)
    columns = (Column("Line", "count"), Column("Search", "code"), Column("Hits", "count"), Column("Counted in"))
    uncounted = any(line.n_hits is None for line in search.lines)
    note = "–: nobody counted this line by itself." if uncounted else ""
    return Table(f"strategy-{number}-lines", f"Lines of version “{search.version}”", columns, rows, note)


def limits(facts: AuditFacts) -> Draft:
    """Item 9."""
    if not facts.searches:
        return NOTHING_RUN
    known = [search for search in facts.searches if search.text.strip()]
    none = [search.version for search in known if not search.limits]
    said = [f"{called([s.version])}: {limit.rstrip('.')}." for s in known for limit in s.limits]
    if none:
        said.append(
            f"{called(none)}: no limit to years, languages, kinds of publication or the like was found in the string."
        )
    for search in live(facts):
        if search.choices:
            said.append(f"{called([search.version])}, as {search.source} was asked: {search.choices}")
    said += _caps(facts)
    unknown = [search.version for search in facts.searches if not search.text.strip()]
    if unknown:
        said.append(f"{called(unknown)}: the wording is not recorded, so its limits are not known.")
    warnings = cut_warnings(facts)
    why = "Say why each limit was set" if any(search.limits for search in known) else ""
    if unknown:
        return Draft(
            "open", "\n".join(said), "Say which limits were set, and why; or that there were none.", "", warnings
        )
    if filed(facts):
        step = f"Confirm, and say whether limits were set beside the string. {why}".strip().rstrip(".") + "."
        return Draft("likely", "\n".join(said), step, "Read from the strings as they were entered.", warnings)
    return Draft("known", "\n".join(said), f"{why}, in your own words." if why else "", "", warnings)


def _caps(facts: AuditFacts) -> Iterator[str]:
    """The caps of live searches; those that cut come first."""
    same: dict[tuple[bool, int], list[str]] = {}
    for search in facts.searches:
        if search.most is not None:
            same.setdefault((search.is_cut, search.most), []).append(search.version)
    for (is_cut, most), labels in sorted(same.items(), key=lambda cap: not cap[0][0]):
        which = "the search" if len(labels) == 1 else "these searches"
        cut = f"it cut {which}" if is_cut else f"it did not cut {which}"
        yield f"{called(labels)}: the cap was {many(most, 'record')}, and {cut}."


def published_filters(facts: AuditFacts) -> Draft:
    """Item 10."""
    texts = [search for search in facts.searches if search.text.strip()]
    if not texts:
        return Draft("open", "", "Say whether a published search filter was used, and cite it; or that none was.")
    evidence = (
        "The strings were looked through for filters for randomized trials, systematic reviews, animals and Clinical "
        "Queries, and for the fields [filter] and [sb]; others are not recognised."
    )
    signs = [(search.version, sign) for search in texts for sign in filter_signs(search.text)]
    if signs:
        said = [f"{called([version])} looks as if it held {sign.name}: “{sign.words}”." for version, sign in signs]
        step = "Say which published filter it is, whether it was changed, and cite it; or that it is none."
        return Draft("likely", "\n".join(said), step, evidence)
    step = "Confirm that none was used, or name and cite it and say whether it was changed."
    return Draft("likely", "No published search filter was recognised in the strings.", step, evidence)


def prior_work(facts: AuditFacts) -> Draft:
    """Item 11."""
    taken = [search.version for search in facts.searches if search.origin == "review"]
    if taken:
        text = f"The strategy of {named(taken)} is that of an earlier review."
        step = "Cite that review, and say what of its strategy was kept and what was changed."
        return Draft(
            "likely", text, step, f"{called(taken)} {'have' if len(taken) > 1 else 'has'} the origin “review”."
        )
    step = "Say whether strategies of earlier reviews were taken over or adapted, and cite these; or that none were."
    return Draft("open", "", step)


def updates(facts: AuditFacts) -> Draft:
    """Item 12."""
    again = [search for search in facts.searches if search.repeats]
    if again:
        said = [
            f"The search of {search.source} of {moment(search.repeats or '')} was run again on "
            f"{moment(search.began or '')} with the same string ({named([search.version])})."
            for search in again
        ]
        step = "Confirm, and say how else the search was kept up to date, such as by alerts."
        return Draft("likely", "\n".join(said), step, "A run that repeats an earlier one is recorded.")
    step = "Say how the search was updated, such as by running it again or by alerts; or that it was not."
    return Draft("open", "", step)


def dates(facts: AuditFacts) -> Draft:
    """Item 13."""
    warnings = (*cut_warnings(facts), *unfinished_warnings(facts))
    if not facts.searches:
        return replace(NOTHING_RUN, warnings=warnings)
    said = [_date(search) for search in facts.searches]
    rows = tuple(
        (s.version, s.source or None, s.began if s.how != "file" else None, s.ended if s.how == "live" else None)
        for s in facts.searches
    )
    columns = (Column("Version"), Column("Searched"), Column("Began (ISO 8601)"), Column("Ended (ISO 8601)"))
    table = Table("prisma-s-dates", "When each search was run", columns, rows, "–: not recorded, or over at once.")
    undated = [search.version for search in facts.searches if search.began is None]
    if undated:
        step = f"Say when the search of {named(undated)} was last run."
        return Draft("open", "\n".join(said), step, "", warnings, (table,))
    if local(facts):
        step = "Confirm, or say when the databases that these publications come from were last searched."
        evidence = "The moment of each run is recorded, that of a search in a database is not."
        return Draft("likely", "\n".join(said), step, evidence, warnings, (table,))
    return Draft("known", "\n".join(said), "", "", warnings, (table,))


def _date(search: SearchFacts) -> str:
    name = called([search.version])
    if search.began is None:
        brought = f"; it was brought in on {moment(search.brought_at)}" if search.brought_at else ""
        return f"{name}: when the search was run is not recorded{brought}."
    if search.how == "local":
        return f"{name}: run over {search.source} on {moment(search.began)}."
    began, ended = moment(search.began), moment(search.ended or search.began)
    if began == ended:  # to the minute
        return f"{name}: {search.source} was searched on {began}."
    return f"{name}: {search.source} was searched from {began} until {ended}."
