"""OpenAlex: one filter for a whole string; words are stemmed there unless the filter says otherwise."""

from core.query.dialects.base import YEARS, Dialect, text
from core.query.tree import ANY_ENDING, Gap

OPENALEX = Dialect(
    id="openalex",
    label="OpenAlex",
    reference="OpenAlex technical documentation, search entities",
    capitals_only=True,
    wildcards={"*": ANY_ENDING, "?": Gap(1, 1)},
    shortest_stem=3,
    wildcard_in_phrase=False,
    window="tilde",
    tag_style="colon",
    tag_covers_run=True,
    tag_covers_rest=True,
    tags={
        "title_and_abstract.search": text("title", "abstract"),
        "title_and_abstract.search.exact": text("title", "abstract"),
        "title_and_abstract.search.no_stem": text("title", "abstract"),
        "title.search": text("title"),
        "title.search.exact": text("title"),
        "title.search.no_stem": text("title"),
        "display_name.search": text("title"),
        "abstract.search": text("abstract"),
        "abstract.search.exact": text("abstract"),
        "abstract.search.no_stem": text("abstract"),
        "default.search": text(),
        "search": text(),
        "keyword.search": text("keywords"),
        "fulltext.search": text("full_text"),
        "publication_year": YEARS,
        "type": text("publication_type"),
        "language": text("language"),
        "raw_affiliation_strings.search": text("affiliation"),
    },
)
