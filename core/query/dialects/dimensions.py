"""Dimensions: the fields are chosen beside the search box, so a string has none."""

from core.query.dialects.base import Dialect
from core.query.tree import ANY_ENDING, Gap

DIMENSIONS = Dialect(
    id="dimensions",
    label="Dimensions",
    reference="Dimensions Search Language, full-text searching, Digital Science",
    capitals_only=True,
    wildcards={"*": ANY_ENDING, "?": Gap(1, 1)},
    wildcard_in_phrase=False,
    window="tilde",
    searches_topic=True,
)
