"""Web of Science: TS=(...), NEAR/n."""

from core.query.dialects.base import TOPIC, YEARS, Dialect, NearForm, text
from core.query.tree import ANY_ENDING, Gap

WOS = Dialect(
    id="wos",
    label="Web of Science",
    reference="Web of Science Core Collection, search operators and wildcards, Clarivate",
    wildcards={"*": ANY_ENDING, "?": Gap(1, 1), "$": Gap(0, 1)},
    shortest_stem=3,
    leading_wildcard=True,
    tag_style="equals",
    tag_covers_run=True,
    near_forms=(NearForm("NEAR/"),),
    tags={
        "ts": TOPIC,
        "ti": text("title"),
        "ab": text("abstract"),
        "ak": text("keywords"),
        "all": text(),
        "kp": text("subject"),
        "py": YEARS,
        "dop": YEARS,
        "dt": text("publication_type"),
        "la": text("language"),
        "au": text("author"),
        "ad": text("affiliation"),
        "og": text("affiliation"),
        "so": text("journal"),
        "do": text("doi"),
        "ut": text("identifier"),
        "pmid": text("identifier"),
        "wc": text("other"),
        "su": text("other"),
        "cu": text("other"),
        "fo": text("other"),
        "fpy": text("other"),
        "is": text("other"),
    },
)
