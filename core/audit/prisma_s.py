"""Fill in the sixteen items of PRISMA-S from the recorded searches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from core.audit.filters import filters_in, outside_filters
from core.audit.press import VERDICTS
from core.audit.prisma_items import (
    ITEMS,
    NOTHING_RUN,
    ItemDraft,
    PrismaItem,
    called,
    cut_warning,
    cut_warnings,
    filed,
    grouped,
    live,
    local,
    moment,
    named,
    unfinished_warnings,
    where_run,
)
from core.audit.recorded_items import not_recorded, with_recorded
from core.audit.strategies import (
    ANSWERED,
    AuditAnswer,
    AuditFacts,
    Deduplication,
    FileFacts,
    ItemState,
    ReviewFacts,
    SearchFacts,
)
from core.report import (
    Block,
    Listing,
    Paragraph,
    Remark,
    ReportColumn,
    ReportHeading,
    Strategy,
    Table,
    Value,
    columns_of,
)
from core.text import listed, many, upper_first, was
from core.types import Ids, unique_ids

# Signs of a published search filter in a string. Only a person can confirm and cite the filter.


@dataclass(frozen=True, slots=True)
class FilterSign:
    name: str
    words: str
    """The words of the string that indicate the filter."""
    citation: str = ""
    """The publication of a filter that is in the string word for word; empty: only a person can tell which it is."""


_RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "a filter for randomized trials, such as the Cochrane Highly Sensitive Search Strategy",
        (
            r"randomi[sz]ed controlled trial\W{0,3}(?:\[(?:pt|publication type)\]|\.pt\.)",
            r"controlled clinical trial\W{0,3}(?:\[(?:pt|publication type)\]|\.pt\.)",
        ),
    ),
    ("a filter for systematic reviews that PubMed offers", (r"systematic(?: review)?\W?\[(?:sb|filter|pt)\]",)),
    (
        "a Clinical Queries filter of PubMed",
        (r"\(?(?:therapy|diagnosis|etiology|prognosis)/(?:broad|narrow)\W{0,2}\[filter\]",),
    ),
    ("a filter that leaves out studies in animals alone", (r"animals?\W[^\n]{0,60}\bnot\b[^\n]{0,60}\bhumans?\b",)),
    ("a filter or subset of the source", (r"[\w /-]{2,40}\[(?:filter|sb)\]",)),
)


def filter_signs(text: str) -> tuple[FilterSign, ...]:
    """Find published search filters in a string, and signs of others in the rest; empty: none.

    >>> [sign.words for sign in filter_signs("heat AND systematic[sb]")]
    ['systematic[sb]']
    >>> filter_signs("heat AND tree*")
    ()
    """
    signs = [FilterSign(each.name, each.text, f"{each.citation} {each.address}") for each in filters_in(text)]
    text = outside_filters(text)
    for name, patterns in _RULES:
        found = [re.search(pattern, text, re.IGNORECASE) for pattern in patterns]
        if all(found):
            words = " … ".join(" ".join(each[0].split()) for each in found if each)
            if not any(words in sign.words or sign.words in words for sign in signs):
                signs.append(FilterSign(name, words))
    return tuple(signs)


# Items 1 to 7: the sources that were searched, and the methods.

HOW = {"live": "asked directly", "local": "run over the topic", "file": "brought in as a file"}
_REGISTERS = re.compile(
    r"clinical_?-?trials?\.?_?-?gov|\bnct|ictrp|isrctn|euctr|\bctis\b|prospero|registr", re.IGNORECASE
)
_CITATIONS = re.compile(
    r"citing|cited|citation.?(?:search|chas|track)|snowball|reference.?list|backward|forward", re.IGNORECASE
)


def _searched_files(facts: AuditFacts) -> tuple[FileFacts, ...]:
    """Return files that may come from a search, without lists of core, screened and included publications."""
    return tuple(file for file in facts.files if file.role in ("corpus", "version"))


def databases_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 1, on the databases and their platforms."""
    if not facts.searches:
        return NOTHING_RUN
    parts = [
        f"{source} was searched through {_platform(facts, source)} ({named(labels)})."
        for source, labels in grouped(live(facts))
    ]
    files = _searched_files(facts)
    if runs := local(facts):
        parts.append(where_run(runs))
        parts += [_provided(file) for file in files if not file.version]
    for search in filed(facts):
        own = [file for file in files if file.version == search.version]
        parts += [_provided(file) for file in own]
        if not own:
            parts.append(f"{called([search.version])} was brought in; what was searched for it is not recorded.")
    needed = [file for file in files if file.version or runs]
    table = _sources_table(facts)
    if not runs and not filed(facts):
        return ItemDraft("known", "\n".join(parts), blocks=(table,))
    told = bool(needed) and all(file.provider for file in needed) and len(needed) >= len(filed(facts))
    if told:
        evidence = f"The format of {many(len(needed), 'file')}, or the identifiers of their records."
        step = "Confirm the databases and name the platform of each, or correct them."
        return ItemDraft("likely", "\n".join(parts), step, evidence, blocks=(table,))
    step = "Name each database that was searched and its platform, such as “MEDLINE (Ovid)”."
    return ItemDraft("open", "\n".join(parts), step, blocks=(table,))


def _platform(facts: AuditFacts, source: str) -> str:
    return (
        next(search.platform for search in live(facts) if search.source == source) or "a platform that is not recorded"
    )


def _provided(file: FileFacts) -> str:
    for_version = f" (version “{file.version}”)" if file.version else ""
    if file.told_by == "identifiers":
        return f"Most records of the file {file.name}{for_version} have identifiers of {file.provider}."
    if file.provider:
        return f"The file {file.name}{for_version} has the form of an export from {file.provider}."
    return f"The database of the file {file.name}{for_version} is not known."


def _sources_table(facts: AuditFacts) -> Table:
    rows = tuple(
        (search.version, search.source or None, search.platform or None, HOW[search.how]) for search in facts.searches
    )
    columns = columns_of("Version", "Searched", "Through", "How")
    return Table("prisma-s-sources", "What was searched for each version", columns, rows)


def at_once_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 2, on searching several databases at once."""
    if facts.searches and len(live(facts)) == len(facts.searches):
        sources = [source for source, _ in grouped(facts.searches)]
        text = f"No databases were searched at once on one platform: {listed(sources)} {was(len(sources))} asked "
        text += "through its own interface." if len(sources) == 1 else "each through its own interface."
        gathers = [name for name in sources if name in ("Europe PMC", "OpenAlex", "Semantic Scholar", "Dimensions")]
        if gathers:
            text += f" {listed(gathers)} gather{'s' if len(gathers) == 1 else ''} records from several collections."
        return ItemDraft("known", text)
    step = "Name the databases that were searched simultaneously on one platform, or state that none were."
    return ItemDraft("open", "", step)


def registers_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 3, on study registries."""
    found = [file.name for file in _searched_files(facts) if _REGISTERS.search(file.name)]
    if found:
        by = "its name" if len(found) == 1 else "their names"
        text = f"By {by}, {listed(found)} may come from a register of studies."
        step = "Name each register and describe its search, or state that none was searched."
        return ItemDraft("likely", text, step, "File names.")
    step = "Name the registers that were searched, such as ClinicalTrials.gov or the ICTRP, or state that none was."
    return ItemDraft("open", "", step)


def browsing_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 4, on online resources and browsing."""
    step = "Name the websites, journals or proceedings that were browsed and the method, or state that none were."
    return ItemDraft("open", "", step)


def citations_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 5, on citation searching."""
    files = _searched_files(facts)
    found = [file.name for file in files if _CITATIONS.search(file.name)]
    if found:
        text = (
            f"By {'its name' if len(found) == 1 else 'their names'}, {listed(found)} may come from a citation search."
        )
        step = "Name the publications whose references or citations were examined, or state that none were."
        return ItemDraft("likely", text, step, "File names.")
    if not facts.searches:
        return ItemDraft("open", "", "State whether reference lists or citing publications were examined, and how.")
    text = "No citation search is recorded: no search or file of this topic is known to come from one."
    evidence = f"{many(len(facts.searches), 'search')} and {many(len(files), 'file')} were checked."
    step = "Confirm that reference lists and citing publications were not examined, or describe the method."
    return ItemDraft("likely", text, step, evidence)


def contacts_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 6, on contacts."""
    step = "State whether authors, experts, manufacturers or others were contacted for further studies."
    return ItemDraft("open", "", step)


def other_methods_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 7, on other methods."""
    parts = []
    ranked = [search.version for search in facts.searches if search.is_ranked]
    made = [search.version for search in facts.searches if search.origin == "generated"]
    if ranked:
        kind = "are questions" if len(ranked) > 1 else "is a question"
        parts.append(
            f"{called(ranked)} {kind} in plain words: the best of a ranking by words were taken, not all that match."
        )
    if made:
        parts.append(f"The wording of {named(made)} was generated, not written by hand.")
    if parts:
        step = "Confirm, and add any other source or search method."
        return ItemDraft("likely", "\n".join(parts), step, "The record of the versions.")
    return ItemDraft("open", "", "Describe any other source or search method, or state that there was none.")


# Items 8 to 13: the strings, their limits and filters, their origin, and the dates on which they were run.

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


def strategies_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 8, on the full search strategies."""
    if not facts.searches:
        return NOTHING_RUN
    blocks = tuple(block for i, search in enumerate(facts.searches, start=1) for block in _strategy(i, search))
    unknown = [search.version for search in facts.searches if not search.text.strip()]
    entered = [search for search in filed(facts) if search.text.strip()]
    shown = [search.version for search in facts.searches if search.text.strip()]
    parts = []
    if shown:
        one = len(shown) == 1
        parts.append(
            f"The {'strategy' if one else 'strategies'} of {named(shown)} {'stands' if one else 'stand'} below sign by "
            f"sign, with the hits of {'its' if one else 'their'} lines where somebody counted."
        )
    if runs := local(facts):
        parts.append(where_run(runs))
    parts += [
        f"The wording of {named([search.version])} is what was entered beside the file ({_told_apart(search.text)}); "
        "whether it is exactly what was run is not recorded."
        for search in entered
    ]
    if unknown:
        parts.append(f"The wording of {named(unknown)} is not recorded.")
        step = "Copy the missing strategies here exactly as they were run, line by line with their hits."
        return ItemDraft("open", "\n".join(parts), step, blocks=blocks)
    if entered:
        step = "Confirm that these are the strategies exactly as they were run, or replace them here."
        return ItemDraft("likely", "\n".join(parts), step, "The wording was entered by hand.", blocks=blocks)
    return ItemDraft("known", "\n".join(parts), blocks=blocks)


def _told_apart(text: str) -> str:
    return f"{many(len(text), 'sign')}, checksum {sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _strategy(number: int, search: SearchFacts) -> Iterator[Block]:
    yield ReportHeading(f"Version “{search.version}”: {search.source or 'source not recorded'}", 4)
    if search.sentence:
        yield Paragraph(search.sentence)
    if warning := cut_warning(search):
        yield Remark(warning, is_warning=True)
    if not search.text.strip():
        yield Remark("The wording is not recorded.")
        return
    as_sent = search.sent and search.sent != (search.text,)
    read_as = f", read as {_DIALECTS.get(search.dialect, search.dialect)}" if search.dialect else ""
    how = {"live": "sent to the source unchanged", "local": "run unchanged", "file": "as entered"}[search.how]
    yield Strategy(search.text, f"As written{read_as}" if as_sent else f"As written{read_as}, {how}")
    if as_sent:
        yield from _sent(search)
    if search.lines:
        yield _lines(number, search)
    if search.changed_since:
        yield Remark(
            "The topic's publications have changed since this run, so the lines are counted over the current ones; "
            "the last line is the result of the run itself."
        )
    if search.losses:
        yield Paragraph("Parts that the source can't express as written:")
        yield Listing(search.losses)
    if search.notes:
        yield Paragraph("Notes from the search:")
        yield Listing(search.notes)


def _sent(search: SearchFacts) -> Iterator[Strategy]:
    n = len(search.sent)
    totals = search.form_totals if len(search.form_totals) == n else (None,) * n
    for place, (text, total) in enumerate(zip(search.sent, totals, strict=True), start=1):
        part = f", part {place} of {n}; the results of all parts were combined" if n > 1 else ""
        counted = f" ({many(total, 'record')} by the source's own count)" if total is not None else ""
        yield Strategy(text, f"Exactly as sent to {search.source}{part}{counted}")


def _lines(number: int, search: SearchFacts) -> Table:
    rows = tuple((line.number, line.text, line.n_hits, line.counted_in or None) for line in search.lines)
    columns = (
        ReportColumn("Line", "count"),
        ReportColumn("Search", "code"),
        ReportColumn("Hits", "count"),
        ReportColumn("Counted in"),
    )
    uncounted = any(line.n_hits is None for line in search.lines)
    note = "–: this line was not counted separately." if uncounted else ""
    return Table(f"strategy-{number}-lines", f"Lines of version “{search.version}”", columns, rows, note)


def limits_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 9, on limits and restrictions."""
    if not facts.searches:
        return NOTHING_RUN
    known = [search for search in facts.searches if search.text.strip()]
    none = [search.version for search in known if not search.limits]
    parts = [f"{called([s.version])}: {limit.rstrip('.')}." for s in known for limit in s.limits]
    if none:
        parts.append(
            f"{called(none)}: no limit to years, languages, kinds of publication or the like was found in the string."
        )
    for search in live(facts):
        if search.choices:
            parts.append(f"{called([search.version])}, as {search.source} was asked: {search.choices}")
    parts += _caps(facts)
    unknown = [search.version for search in facts.searches if not search.text.strip()]
    if unknown:
        parts.append(f"{called(unknown)}: the wording is not recorded, so its limits are not known.")
    warnings = cut_warnings(facts)
    why = "Give the reason for each limit" if any(search.limits for search in known) else ""
    if unknown:
        return ItemDraft(
            "open", "\n".join(parts), "Name each limit with its reason, or state that there were none.", "", warnings
        )
    if filed(facts):
        step = f"Confirm, and name any limits set outside the string. {why}".strip().rstrip(".") + "."
        return ItemDraft("likely", "\n".join(parts), step, "Read from the strings as entered.", warnings)
    return ItemDraft("known", "\n".join(parts), f"{why}, in your own words." if why else "", "", warnings)


def _caps(facts: AuditFacts) -> Iterator[str]:
    """Yield the caps of live searches, those that cut a search first."""
    same: dict[tuple[bool, int], list[str]] = {}
    for search in facts.searches:
        if search.most is not None:
            same.setdefault((search.is_cut, search.most), []).append(search.version)
    for (is_cut, most), labels in sorted(same.items(), key=lambda cap: not cap[0][0]):
        which = "the search" if len(labels) == 1 else "these searches"
        cut = f"it cut {which}" if is_cut else f"it did not cut {which}"
        yield f"{called(labels)}: the cap was {many(most, 'record')}, and {cut}."


def published_filters_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 10, on published search filters."""
    texts = [(search.name, search.text) for search in facts.recorded if search.text.strip()]
    texts += [(called([s.version]), s.text) for s in not_recorded(facts) if s.text.strip()]
    if not texts:
        return ItemDraft("open", "", "Cite each published search filter that was used, or state that none was.")
    evidence = (
        "The strings were checked for filters for randomized trials, systematic reviews, animals and Clinical "
        "Queries, for the published filters in Queryscape, and for the fields [filter] and [sb]; others are not "
        "recognised."
    )
    signs = [(name, sign) for name, text in texts for sign in filter_signs(text)]
    if signs:
        parts = [_filter_sentence(name, sign) for name, sign in signs]
        step = "Name and cite the published filter and state whether it was changed, or state that it is none."
        if all(sign.citation for _, sign in signs):
            step = "Confirm the filters, and that nothing in them was changed."
        return ItemDraft("likely", "\n".join(parts), step, evidence)
    step = "Confirm that none was used, or name and cite it and state whether it was changed."
    none = "No published search filter was recognised in the strings."
    return ItemDraft("likely", none, step, evidence, denials=(none,))


LONGEST_WORDS = 80
"""Signs of a published filter that item 10 repeats; the whole string is in item 8."""


def _filter_sentence(name: str, sign: FilterSign) -> str:
    if sign.citation:
        words = sign.words if len(sign.words) <= LONGEST_WORDS else f"{sign.words[:LONGEST_WORDS].rstrip()} …"
        filter_name = f"the published filter “{sign.name}” word for word: “{words}”"
        return f"{name} holds {filter_name}. Cite: {sign.citation}"
    return f"{name} looks as if it held {sign.name}: “{sign.words}”."


def prior_work_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 11, on prior work."""
    taken = [search.version for search in facts.searches if search.origin == "review"]
    if taken:
        text = f"The strategy of {named(taken)} is that of an earlier review."
        step = "Cite that review, and state which parts of its strategy were kept or changed."
        return ItemDraft(
            "likely", text, step, f"{called(taken)} {'have' if len(taken) > 1 else 'has'} the origin “review”."
        )
    step = "Cite earlier reviews whose strategies were reused or adapted, or state that there are none."
    return ItemDraft("open", "", step)


def updates_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 12, on updates."""
    again = [search for search in facts.searches if search.repeats]
    if again:
        parts = [
            f"The search of {search.source} of {moment(search.repeats or '')} was run again on "
            f"{moment(search.began or '')} with the same string ({named([search.version])})."
            for search in again
        ]
        step = "Confirm, and describe any other updates of the search, such as alerts."
        return ItemDraft("likely", "\n".join(parts), step, "A run that repeats an earlier one is recorded.")
    step = "Describe any updates of the search, such as reruns or alerts, or state that there were none."
    return ItemDraft("open", "", step)


def dates_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 13, on the dates of the searches."""
    warnings = (*cut_warnings(facts), *unfinished_warnings(facts))
    if not facts.searches:
        return replace(NOTHING_RUN, warnings=warnings)
    parts = [_date(search) for search in facts.searches]
    rows = tuple(
        (s.version, s.source or None, s.began if s.how != "file" else None, s.ended if s.how == "live" else None)
        for s in facts.searches
    )
    columns = columns_of("Version", "Searched", "Began (ISO 8601)", "Ended (ISO 8601)")
    table = Table("prisma-s-dates", "Dates of the searches", columns, rows, "–: not recorded, or finished at once.")
    undated = [search.version for search in facts.searches if search.began is None]
    if undated:
        step = f"Give the date when the search of {named(undated)} was last run."
        return ItemDraft("open", "\n".join(parts), step, "", warnings, (table,))
    if local(facts):
        step = "Confirm, or give the dates when the databases behind these publications were last searched."
        evidence = "The time of each run is recorded; the date of the database search is not."
        return ItemDraft("likely", "\n".join(parts), step, evidence, warnings, (table,))
    return ItemDraft("known", "\n".join(parts), "", "", warnings, (table,))


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


# Items 14 to 16: peer review, the numbers of records, and deduplication.

PRESS = "PRESS 2015 (McGowan J et al., J Clin Epidemiol 2016;75:40-46, doi 10.1016/j.jclinepi.2016.01.021)"


def peer_review_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 14, on peer review."""
    signed = [review for review in facts.reviews if review.signed_at is not None]
    begun = [review for review in facts.reviews if review.signed_at is None and not review.edited]
    parts = [
        f"{upper_first(_reviewed([r]))} was peer reviewed with {PRESS} by {r.reviewer or 'an unnamed reviewer'}, "
        f"signed on {moment(r.signed_at or '')}{f'; verdict: {_verdict(r.verdict)}' if r.verdict else ''}."
        for r in signed
    ]
    if not signed and facts.n_reviews_signed:
        parts.append(
            f"{many(facts.n_reviews_signed, 'signed peer review')} with {PRESS} {was(facts.n_reviews_signed)} made."
        )
    if begun:
        parts.append(f"A peer review with PRESS of {_reviewed(begun)} is begun and not signed.")
    parts += [
        f"The review of {_reviewed([r])} was changed after it was signed: {listed(r.edited)}."
        for r in facts.reviews
        if r.edited
    ]
    if facts.n_reviews_signed:
        left = [s.version for s in facts.searches if s.version not in _versions(facts.reviews)]
        if signed and left:
            parts.append(f"No review of {named(left)} is recorded.")
        return ItemDraft("known", "\n".join(parts))
    if facts.reviews:
        step = "Have the reviewer sign it, or describe another review of the strategy."
        evidence = "A review has been requested here."
        if not begun:
            step = "Have the reviewer sign it again, or describe another review of the strategy."
            evidence = "A review was signed here and has changed since."
        return ItemDraft("likely", "\n".join(parts), step, evidence)
    step = "Start a peer review (PRESS) here, describe one made elsewhere, or state that there was none."
    return ItemDraft("open", "No peer review of these strategies is recorded." if facts.searches else "", step)


def _reviewed(found: Sequence[ReviewFacts]) -> str:
    """List the reviewed versions and searches, within a sentence."""
    labels, names = _versions(found), unique_ids(review.version for review in found if review.is_search)
    parts = [named(labels)] if labels else []
    if names:
        parts.append(f"the search{'es' if len(names) > 1 else ''} {listed([f'“{name}”' for name in names])}")
    return listed(parts)


def _versions(found: Sequence[ReviewFacts]) -> Ids:
    return unique_ids(review.version for review in found if not review.is_search)


def _verdict(verdict: str) -> str:
    return next((words for name, words in VERDICTS.items() if name == verdict), verdict).lower()


def total_records_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 15, on the total number of records."""
    unfinished = unfinished_warnings(facts)
    if not facts.searches:
        return ItemDraft("open", NOTHING_RUN.text, NOTHING_RUN.next_step, "", unfinished)
    parts = [_came(search) for search in facts.searches]
    if facts.n_found is not None and len(facts.searches) > 1:
        parts.append(f"In all: {many(facts.n_found, 'different publication')}.")
    cut = cut_warnings(facts)
    warnings = (*cut, *unfinished)
    table = _records_table(facts)
    if len(live(facts)) == len(facts.searches):
        return ItemDraft(
            "known",
            "\n".join(parts),
            (cut and "Raise the cap and run the search again, or report the cut.") or "",
            "",
            warnings,
            (table,),
        )
    if all(search.n_publications is None for search in facts.searches):
        return ItemDraft("open", "\n".join(parts), "Enter the records of each source.", "", warnings, (table,))
    evidence = (
        "The results of runs over the topic's publications are recorded; those of the databases are not."
        if local(facts)
        else "The records in the files are counted; whether every result was exported is not recorded."
    )
    step = "Confirm, or give the number of records that each database reported."
    return ItemDraft("likely", "\n".join(parts), step, evidence, warnings, (table,))


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
            return f"{name}: {many(search.n_publications, 'publication')}; the records were not counted."
        n, p = search.n_records, search.n_publications
        return f"{name}: {many(n, 'record')} from {search.source}, {many(p, 'publication')}.{aside}"
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
        f" {many(search.n_repeated, 'repeated record')} {was(search.n_repeated)} left out." if search.n_repeated else ""
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
        *columns_of("Version", "Searched"),
        *columns_of("The source's own count", "Records", "Unreadable", "Publications", kind="count"),
        ReportColumn("Cap"),
    )
    return Table(
        "prisma-s-records", "Records and publications of each search", columns, tuple(rows), "–: not recorded."
    )


def deduplicated_item(facts: AuditFacts) -> ItemDraft:
    """Draft item 16, on deduplication."""
    made = facts.deduplication
    software = _software_table(facts)
    if not made.n_records:
        parts = []
        if local(facts):
            parts.append("Each publication of this topic is there once, and no records of files are kept for it.")
        step = "Describe how duplicates were found and removed, and the software used, or state that this was not done."
        return ItemDraft("open", "\n".join(parts), step, blocks=software)
    parts = [
        f"Each record was compared with those before it by {_tool(facts)}: by DOI, PMID and the source's own "
        "identifier, then by its title together with year and first author.",
        _merged(made),
    ]
    if n := made.n_two_versions:
        has = "has" if n == 1 else "have"
        parts.append(f"{many(n, 'publication')} {has} a record of the preprint and one of the published version.")
    if n := made.n_retracted:
        parts.append(f"{many(n, 'publication')} {was(n)} retracted.")
    if made.n_kept_apart:
        alike = "looks alike or was one" if made.n_kept_apart == 1 else "look alike or were one"
        parts.append(f"A person kept {many(made.n_kept_apart, 'pair')} apart that {alike}.")
    if made.n_undecided is None:
        parts.append("Undecided pairs that look alike were not counted.")
    elif made.n_undecided:
        least = "at least " if made.is_at_least else ""
        look = "looks" if made.n_undecided == 1 else "look"
        parts.append(f"About {least}{many(made.n_undecided, 'pair')} that {look} alike are not decided yet.")
    else:
        parts.append("No pair that looks alike waits for a decision.")
    step = "Decide about the similar pairs in the library of the topic." if made.n_undecided else ""
    return ItemDraft("known", "\n".join(parts), step, blocks=(_rules_table(made), *software))


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
    rows += [("Pairs kept apart by a person", made.n_kept_apart), ("Undecided pairs", made.n_undecided)]
    note = "There may be more undecided pairs than are counted." if made.is_at_least else ""
    columns = (ReportColumn("What"), ReportColumn("Number", "count"))
    return Table("prisma-s-duplicates", f"Deduplication of the records of {made.over}", columns, tuple(rows), note)


def _software_table(facts: AuditFacts) -> tuple[Block, ...]:
    if not facts.software:
        return ()
    columns = columns_of("Software", "Version")
    return (Table("prisma-s-software", "Software used", columns, facts.software),)


# The sixteen items: the recorded facts, the likely answers, and the open questions.


@dataclass(frozen=True, slots=True)
class FilledItem:
    item: PrismaItem
    state: ItemState
    text: str
    """The text for the report; paragraphs are lines. Empty: nothing is known."""
    next_step: str
    """The next step; empty: none."""
    recorded: str = ""
    """The text that Queryscape drafts itself, and that "confirmed" confirms. Empty: none."""
    evidence: str = ""
    """The reason why it is likely; empty if it is known or open."""
    answer: AuditAnswer | None = None
    """A person's answer."""
    change: str = ""
    """The differences between the record and the confirmed text; empty: none."""
    warnings: tuple[str, ...] = ()
    """Warnings for readers, such as a search that was cut."""
    blocks: tuple[Block, ...] = ()
    """Tables and strategies that belong to the item."""
    is_recorded: bool = False
    """Queryscape recorded the content of `recorded`; it is not a guess."""
    denials: Ids = ()
    """Lines of `recorded` that say that something was not done, only because nothing of it is recorded."""

    @property
    def set_aside(self) -> tuple[str, ...]:
        """Recorded lines that a person's own words replaced: readers see both."""
        if self.answer is None or self.answer.state == "confirmed" or not self.is_recorded:
            return ()
        terms = set(_statements(self.text))
        return tuple(line for line in _statements(self.recorded) if line not in terms)

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(block for block in self.blocks if isinstance(block, Table))


@dataclass(frozen=True, slots=True)
class Completeness:
    n_known: int
    n_likely: int
    n_open: int
    n_said: int
    n_changed: int
    n: int
    sentence: str


def fill(facts: AuditFacts) -> tuple[FilledItem, ...]:
    """Fill in all sixteen items, in order."""
    return tuple(
        _filled(item, with_recorded(facts, item.number, _DRAFTS[item.number]), facts.answers.get(item.item))
        for item in ITEMS
    )


_DRAFTS: dict[int, Callable[[AuditFacts], ItemDraft]] = {
    1: databases_item,
    2: at_once_item,
    3: registers_item,
    4: browsing_item,
    5: citations_item,
    6: contacts_item,
    7: other_methods_item,
    8: strategies_item,
    9: limits_item,
    10: published_filters_item,
    11: prior_work_item,
    12: updates_item,
    13: dates_item,
    14: peer_review_item,
    15: total_records_item,
    16: deduplicated_item,
}


def _filled(item: PrismaItem, draft: ItemDraft, answer: AuditAnswer | None) -> FilledItem:
    made = FilledItem(
        item,
        draft.state,
        draft.text,
        draft.next_step,
        "" if draft.state == "open" else draft.text,  # a missing answer can't be confirmed
        draft.evidence,
        answer,
        warnings=draft.warnings,
        blocks=draft.blocks,
        is_recorded=draft.state == "known" and bool(draft.text),
        denials=draft.denials,
    )
    if answer is None:
        return made
    if answer.state == "not done":
        text = f"Not done: this was not part of the search. {answer.text}".strip()
        return replace(made, state=ANSWERED, text=text, next_step="")
    if answer.state == "own":
        return replace(made, state=ANSWERED, text=answer.text, next_step="")
    if changed := what_changed(answer.text, draft.text):
        step = "Confirm the current record, or answer in your own words." if made.recorded else made.next_step
        return replace(made, state="changed", text=draft.text or answer.text, next_step=step, change=changed)
    return replace(made, state=ANSWERED, next_step="") if made.recorded else made


def what_changed(confirmed: str, recorded: str) -> str:
    """Describe which lines of a confirmed text are no longer recorded, and which are new; empty: none.

    >>> what_changed("PubMed found 20 records.", "PubMed found 25 records.")
    'No longer recorded: “PubMed found 20 records.” New: “PubMed found 25 records.”'
    >>> what_changed("The same.", "The same. ")
    ''
    """
    before, now = _statements(confirmed), _statements(recorded)
    if before == now:
        return ""
    gone, new = [line for line in before if line not in now], [line for line in now if line not in before]
    parts = [f"No longer recorded: {_quoted(gone)}" if gone else "", f"New: {_quoted(new)}" if new else ""]
    return " ".join(part for part in parts if part) or "Only the order has changed."


def _statements(text: str) -> list[str]:
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [line for line in lines if line]


def _quoted(lines: Sequence[str]) -> str:
    return " ".join(f"“{line}”" for line in lines)


def completeness(filled: Sequence[FilledItem]) -> Completeness:
    n = {state: sum(one.state == state for one in filled) for state in ("known", "likely", "open", ANSWERED, "changed")}
    done, total = n["known"] + n[ANSWERED], len(filled)
    if done == total:
        sentence = f"All {total} items are answered: {n['known']} from the record, {n[ANSWERED]} by people."
    else:
        left = [
            f"{n['likely']} {_are(n['likely'])} prefilled and not confirmed" if n["likely"] else "",
            f"{n['changed']} no longer {'agree' if n['changed'] > 1 else 'agrees'} with what was confirmed"
            if n["changed"]
            else "",
            f"{n['open']} {_are(n['open'])} open" if n["open"] else "",
        ]
        whence = [
            f"{n['known']} from the record" if n["known"] else "",
            f"{n[ANSWERED]} by people" if n[ANSWERED] else "",
        ]
        how = " and ".join(part for part in whence if part)
        sentence = f"{done} of {total} items are answered: {how}. " if done else "No item is answered yet. "
        sentence += f"{listed([part for part in left if part])}."
    return Completeness(n["known"], n["likely"], n["open"], n[ANSWERED], n["changed"], total, sentence)


def _are(n: int) -> str:
    return "is" if n == 1 else "are"
