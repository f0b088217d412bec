"""Items 1 to 7: what was searched, and in which ways."""

from __future__ import annotations

import re

from core.audit.document import Column, Table
from core.audit.reporting.drafts import (
    NOTHING_RUN,
    Draft,
    called,
    filed,
    grouped,
    live,
    local,
    many,
    named,
    was,
    where_run,
)
from core.audit.types import AuditFacts, FileFacts
from core.text import listed

HOW = {"live": "asked directly", "local": "run over the topic", "file": "brought in as a file"}
_REGISTERS = re.compile(
    r"clinical_?-?trials?\.?_?-?gov|\bnct|ictrp|isrctn|euctr|\bctis\b|prospero|registr", re.IGNORECASE
)
_CITATIONS = re.compile(
    r"citing|cited|citation.?(?:search|chas|track)|snowball|reference.?list|backward|forward", re.IGNORECASE
)


def _searched_files(facts: AuditFacts) -> tuple[FileFacts, ...]:
    """Files that a search may have given: not the lists of core publications."""
    return tuple(file for file in facts.files if file.role != "core")


def databases(facts: AuditFacts) -> Draft:
    """Item 1."""
    if not facts.searches:
        return NOTHING_RUN
    said = [
        f"{source} was searched through {_platform(facts, source)} ({named(labels)})."
        for source, labels in grouped(live(facts))
    ]
    files = _searched_files(facts)
    if runs := local(facts):
        said.append(where_run(runs))
        said += [_provided(file) for file in files if not file.version]
    for search in filed(facts):
        own = [file for file in files if file.version == search.version]
        said += [_provided(file) for file in own]
        if not own:
            said.append(f"{called([search.version])} was brought in; what was searched for it is not recorded.")
    needed = [file for file in files if file.version or runs]
    table = _sources_table(facts)
    if not runs and not filed(facts):
        return Draft("known", "\n".join(said), blocks=(table,))
    told = bool(needed) and all(file.provider for file in needed) and len(needed) >= len(filed(facts))
    if told:
        evidence = f"The form of {many(len(needed), 'file')}, or the identifiers of their records."
        step = "Confirm the databases and name the platform of each, or say what was searched."
        return Draft("likely", "\n".join(said), step, evidence, blocks=(table,))
    step = "Say which databases were searched, and on which platform each, such as “MEDLINE (Ovid)”."
    return Draft("open", "\n".join(said), step, blocks=(table,))


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
    return f"From which database the file {file.name}{for_version} comes can't be told."


def _sources_table(facts: AuditFacts) -> Table:
    rows = tuple(
        (search.version, search.source or None, search.platform or None, HOW[search.how]) for search in facts.searches
    )
    columns = (Column("Version"), Column("Searched"), Column("Through"), Column("How"))
    return Table("prisma-s-sources", "What was searched for each version", columns, rows)


def at_once(facts: AuditFacts) -> Draft:
    """Item 2."""
    if facts.searches and len(live(facts)) == len(facts.searches):
        sources = [source for source, _ in grouped(facts.searches)]
        text = f"No databases were searched at once on one platform: {listed(sources)} {was(len(sources))} asked "
        text += "through its own interface." if len(sources) == 1 else "each through its own interface."
        gathers = [name for name in sources if name in ("Europe PMC", "OpenAlex", "Semantic Scholar", "Dimensions")]
        if gathers:
            text += f" {listed(gathers)} gather{'s' if len(gathers) == 1 else ''} records from several collections."
        return Draft("known", text)
    step = "Say whether several databases were searched at once on one platform, and which ones; or that none were."
    return Draft("open", "", step)


def registers(facts: AuditFacts) -> Draft:
    """Item 3."""
    found = [file.name for file in _searched_files(facts) if _REGISTERS.search(file.name)]
    if found:
        by = "its name" if len(found) == 1 else "their names"
        text = f"By {by}, {listed(found)} may come from a register of studies."
        step = "Name each register and how it was searched, or say that none was."
        return Draft("likely", text, step, "The names of files.")
    step = "Name the registers that were searched, such as ClinicalTrials.gov or the ICTRP, or say that none was."
    return Draft("open", "", step)


def browsing(facts: AuditFacts) -> Draft:
    """Item 4."""
    step = "Name the websites, journals or proceedings that were looked through and how, or say that none were."
    return Draft("open", "", step)


def citations(facts: AuditFacts) -> Draft:
    """Item 5."""
    files = _searched_files(facts)
    found = [file.name for file in files if _CITATIONS.search(file.name)]
    if found:
        text = (
            f"By {'its name' if len(found) == 1 else 'their names'}, {listed(found)} may come from a citation search."
        )
        step = "Say whose references or citing publications were looked through, and with what; or that none were."
        return Draft("likely", text, step, "The names of files.")
    if not facts.searches:
        return Draft("open", "", "Say whether reference lists or citing publications were looked through, and how.")
    text = "No citation search is recorded: no search or file of this topic is known to come from one."
    evidence = f"{many(len(facts.searches), 'search').replace('searchs', 'searches')} and {many(len(files), 'file')} "
    evidence += "were looked at."
    step = "Confirm that reference lists and citing publications were not looked through, or say how they were."
    return Draft("likely", text, step, evidence)


def contacts(facts: AuditFacts) -> Draft:
    """Item 6."""
    step = "Say whether authors, experts, manufacturers or others were asked for further studies, or that nobody was."
    return Draft("open", "", step)


def other_methods(facts: AuditFacts) -> Draft:
    """Item 7."""
    said = []
    ranked = [search.version for search in facts.searches if search.is_ranked]
    made = [search.version for search in facts.searches if search.origin == "generated"]
    if ranked:
        kind = "are questions" if len(ranked) > 1 else "is a question"
        said.append(
            f"{called(ranked)} {kind} in plain words: the best of a ranking by words were taken, not all that match."
        )
    if made:
        said.append(f"The wording of {named(made)} was generated, not written by hand.")
    if said:
        step = "Confirm, and add any other source or way of searching."
        return Draft("likely", "\n".join(said), step, "What is recorded of the versions.")
    return Draft("open", "", "Describe any other source or way of searching, or say that there was none.")
