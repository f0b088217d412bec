"""EBSCOhost: a tag before a term, Nn and Wn."""

from core.query.dialects.base import YEARS, Dialect, NearForm, Tag, text
from core.query.tree import ANY_ENDING, Gap

EBSCO = Dialect(
    id="ebsco",
    label="EBSCOhost",
    reference="EBSCOhost, searching with field codes, wildcards and proximity, EBSCO Connect",
    wildcards={"*": ANY_ENDING, "?": Gap(1, 1), "#": Gap(0, 1)},
    shortest_stem=1,
    run_is_phrase=True,
    tag_style="space",
    near_forms=(NearForm("N", most=255), NearForm("W", ordered=True, most=255)),
    line_mark="S",
    tags={
        "ti": text("title"),
        "ab": text("abstract"),
        "kw": text("keywords"),
        "tx": text("title", "abstract", "keywords", "subject", "full_text", "other"),
        "mh": Tag("heading", explode=False),  # MH "Stress+" explodes
        "mm": Tag("heading", explode=False, major=True),
        "de": Tag("heading", explode=False),
        "su": text("subject"),
        "mj": text("subject"),
        "mw": text("subheading"),
        "pt": text("publication_type"),
        "dt": YEARS,
        "py": YEARS,
        "la": text("language"),
        "au": text("author"),
        "af": text("affiliation"),
        "so": text("journal"),
        "jn": text("journal"),
        "an": text("identifier"),
        "pm": text("identifier"),
        "is": text("other"),
        "zg": text("other"),
    },
)
