"""Every rule that a finding can name, with its subject and the reason for it."""

from __future__ import annotations

from dataclasses import dataclass

from core.query.tree import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    """Stable, because other programs read it."""
    title: str
    severity: Severity
    """The usual severity; a finding can be milder if the dialect is more tolerant."""
    explanation: str


_ERRORS = (
    ("empty", "Nothing to search for", "A query needs at least one word."),
    ("too-long", "Too long", "A text this long is unlikely to be a search string, so it is not read."),
    ("unbalanced-bracket", "Unmatched bracket", "If a bracket is missing, databases guess or refuse."),
    ("unbalanced-quote", "Unmatched quote", "An unclosed quote turns operators into words of a phrase."),
    ("wrong-quotes", "Braces that are not quotes", "Only some databases read {braces} as exact phrases."),
    (
        "missing-term",
        "Operator or field without a term",
        "AND, OR and NOT join two terms; here one is missing.",
    ),
    ("missing-space", "Missing space", "An operator attached to a word is read as part of that word."),
    (
        "near-group",
        "Not allowed in a proximity search",
        "A proximity operator joins only words, phrases and ORs of them.",
    ),
    ("unknown-operator", "Operator of another database", "This is how another database writes proximity."),
    ("unknown-field", "Unknown field", "The database does not have this field, or there is nothing before it."),
    ("no-word", "No words in it", "Only special characters: there is nothing to search for."),
    ("wildcard-alone", "Wildcard alone", "A wildcard without letters matches every word."),
    ("too-deep", "Too deep", "There are too many levels to read; the deepest were left out."),
    ("unknown-line", "Line that does not exist", "A line can only refer to lines above it."),
    ("several-histories", "Several search histories", "Only the last one is the result; search the others separately."),
    ("line-numbers", "Line numbers to check", "With other numbers, the same lines would be another search."),
    ("text-left-out", "Text that was not read", "It comes before the first line, so it belongs to no line."),
    ("unknown-heading", "Misspelt heading", "MeSH does not have this heading, but has one with almost the same name."),
    ("contradiction", "Required and excluded", "The same term is required and excluded, so nothing can match."),
)
_WARNINGS = (
    ("adjacent-terms", "No operator between terms", "Both must match, as with AND. Often OR was intended."),
    ("words-beside-near", "Words without quotes near others", "Databases differ in whether these words are a phrase."),
    ("empty-brackets", "Empty brackets", "There is nothing in these brackets; a database may refuse them."),
    ("lower-case-operator", "Operator in lower case", "Some databases then read and, or, not as words."),
    (
        "mixed-operators",
        "AND and OR without brackets",
        "Databases differ in which they evaluate first; brackets make it clear.",
    ),
    ("leading-not", "NOT at the beginning", "Most databases need a term before NOT."),
    ("unused-line", "Unused line", "No later line refers to it, so it changes nothing."),
    ("joined-lines", "Lines joined by OR", "The history refers to a heading that has several lines under it."),
    ("mixed-dialects", "Lines of different databases", "Each database reads only its own syntax correctly."),
    ("limit-left-out", "Limit left out", "A limit that titles and abstracts don't show, such as a study design."),
    ("duplicate-term", "Duplicate term", "It adds nothing. Often a typo: another spelling was intended."),
    ("absorbed-group", "Brackets that change nothing", "a OR (a AND b) is a; a AND (a OR b) is a."),
    ("short-stem", "Too few letters before a wildcard", "It matches too many words; databases truncate or refuse it."),
    ("wildcard-not-allowed", "Wildcard not allowed here", "The database ignores it there or refuses the search."),
    (
        "foreign-wildcard",
        "Wildcard of another database",
        "This character is not a wildcard here, so other endings are missed.",
    ),
    ("wildcard-in-heading", "Wildcard in a subject heading", "Headings are names from a list and are searched whole."),
    (
        "no-hits",
        "Finds nothing here",
        "No publication in this corpus matches: it is misspelt, truncated, or not needed.",
    ),
    (
        "heading-replaced",
        "Heading with another name",
        "MeSH has this name as an entry term or former name of a heading.",
    ),
    (
        "heading-after-period",
        "Heading newer than the period",
        "Indexers use a heading only from the year of its introduction; older publications don't carry it.",
    ),
    ("not-removes-core", "NOT removes core publications", "It excludes publications that you know are relevant."),
    (
        "not-term-removes-core",
        "Term of a NOT removes core publications",
        "An excluded term occurs in publications that you know are relevant.",
    ),
    (
        "not-animals",
        "NOT removes studies of humans",
        "Studies of animals and humans have both headings and words. NOT (animals NOT humans) keeps them.",
    ),
    (
        "and-within-concept",
        "AND within one concept",
        "Alternatives of one concept are joined with OR. With AND a publication must use all of them.",
    ),
    (
        "operator-in-quotes",
        "Operator in quotes",
        "Between quotes AND, OR and NOT are words of the phrase, so the phrase is rarely found.",
    ),
    (
        "wildcard-outside-phrase",
        "Wildcard among words without quotes",
        "PubMed searches words with a wildcard as a phrase only in quotes, with a field tag, or with a hyphen.",
    ),
    (
        "misspelt-word",
        "Swapped letters",
        "Two neighbouring letters are swapped, so almost nothing is found.",
    ),
)
_HINTS = (
    ("spaced-field", "Space in a field tag", "Read as the field tag; a database may read it as a word."),
    ("subsumed-term", "Covered by a broader term", "A word finds every phrase with it, and tree* finds trees."),
    (
        "subsumed-by-hits",
        "Adds nothing here",
        "The other terms in the OR find everything that it finds in this corpus.",
    ),
    ("stem-without-wildcard", "Truncated without a wildcard", "Only these exact letters are searched."),
    ("missing-variant", "Another spelling is missing", "British and American, hyphen or not, singular or plural."),
    ("mixed-fields", "With and without field", "A field seems to be missing: the term is searched everywhere."),
    ("curly-quotes", "Curly quotes", "They come from a word processor; not every database reads them as quotes."),
    (
        "untagged-term",
        "Term without field tag in PubMed",
        "PubMed adds headings and other terms to it (automatic term mapping). Quotes or a field tag prevent that.",
    ),
    (
        "or-between-concepts",
        "OR between two concepts",
        "Nothing is joined by AND, so every publication on any of the concepts is found.",
    ),
    ("not-words", "NOT with words or headings", "Relevant publications may mention what the NOT excludes."),
    ("wide-proximity", "Very wide proximity", "So many words may be between them that AND finds the same."),
    ("title-only", "Concept in titles only", "Titles are short: many relevant publications mention it elsewhere."),
    ("not-exploded", "Broad heading not exploded", "Publications often have only one of its narrower headings."),
    ("language-limit", "Limit to a language", "It removes relevant publications in other languages."),
    ("limit-in-or", "Limit joined by OR", "Everything that the limit allows is found, whatever its subject."),
    ("humans-limit", "Limit to humans", "It removes publications that are not indexed yet."),
    ("impossible-years", "Years to check", "The years are in the wrong order, or exclude each other."),
    ("long-or", "Very long OR", "So many alternatives are hard to check by eye."),
    ("heading-line", "Heading", "It labels the lines below it and is not searched."),
    ("hit-count", "Number of hits", "A database printed it after the search."),
    (
        "heading-not-in-file",
        "Heading not in the MeSH file",
        "The loaded file has no such heading; it may be incomplete.",
    ),
    ("heading-by-name", "Heading without MeSH", "Without a MeSH file, headings match by name and are not exploded."),
    ("not-testable", "Can't be tested here", "The corpus lacks the data for it, so the query is run without it."),
)


def _rules(severity: Severity, rows: tuple[tuple[str, str, str], ...]) -> dict[str, Rule]:
    return {id: Rule(id, title, severity, explanation) for id, title, explanation in rows}


RULES: dict[str, Rule] = {**_rules("error", _ERRORS), **_rules("warning", _WARNINGS), **_rules("hint", _HINTS)}
"""By id, most severe first."""
