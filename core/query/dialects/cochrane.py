"""Cochrane Library: codes after a colon, MeSH headings in square brackets, NEAR and NEXT."""

from core.query.dialects.base import Dialect, NearForm, Tag, text
from core.query.tree import ANY_ENDING, Gap

COCHRANE = Dialect(
    id="cochrane",
    label="Cochrane Library",
    reference="Cochrane Library, search manager help, Wiley",
    wildcards={"*": ANY_ENDING, "?": Gap(0, 1)},
    shortest_stem=3,
    leading_wildcard=True,
    wildcard_in_phrase=False,
    tag_style="codes",
    thesaurus="mesh",
    subheading_codes=True,
    # The help says "within n words of each other". Guides disagree on whether the words between are counted;
    # strategies of Cochrane reviews write Ovid's adj3 as near/3.
    near_forms=(NearForm("NEAR/", more=1), NearForm("NEXT", ordered=True, more=1, most=1)),
    near_default=6,
    tags={
        "ti": text("title"),
        "ab": text("abstract"),
        "kw": text("keywords", "subject"),
        "mh": Tag("heading"),
        "mh ^": Tag("heading", explode=False),
        "au": text("author"),
        "so": text("journal_word"),
        "pt": text("publication_type_only"),
        "an": text("cochrane_accession_number"),
        "doi": text("doi"),
    },
)
