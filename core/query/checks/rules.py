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
    ("empty", "Nothing to look for", "A query needs at least one word."),
    ("too-long", "Too long", "So many characters are hardly a search string, so they are not read."),
    ("unbalanced-bracket", "Bracket without its partner", "Where a bracket is missing, a database guesses or refuses."),
    ("unbalanced-quote", "Quote without its partner", "An open quote turns operators into words of a phrase."),
    ("wrong-quotes", "Braces that are no quotes", "Only some databases take {braces} for exact phrases."),
    (
        "missing-term",
        "Operator or field without a term",
        "AND, OR and NOT join two terms; here one is missing.",
    ),
    ("missing-space", "Missing space", "An operator glued to a word is read as a part of that word."),
    ("near-group", "Not allowed close to each other", "Only words, phrases and ORs of them can stand in a proximity."),
    ("unknown-operator", "Operator of another database", "Another database writes this proximity like that."),
    ("unknown-field", "Unknown field", "The database does not have this field, or nothing stands before it."),
    ("no-word", "No word in it", "Only signs: there is nothing to look for."),
    ("wildcard-alone", "Wildcard alone", "A wildcard without letters stands for every word."),
    ("too-deep", "Too deep", "So many levels can't be read; what goes beyond them was left out."),
    ("unknown-line", "Line that does not exist", "A line can only refer to lines above it."),
    ("several-histories", "Several histories in one", "Only the last is the result; search the others one by one."),
    ("line-numbers", "Line numbers that need a look", "Other numbers would make another search of the same lines."),
    ("text-left-out", "Text that was not read", "It stands before the first line, so no line holds it."),
    ("contradiction", "Asked for and excluded", "What must match must not match as well, so nothing can."),
)
_WARNINGS = (
    ("adjacent-terms", "No operator between terms", "Both must match, as if AND stood there. Often OR was meant."),
    ("words-beside-near", "Words without quotes near others", "Databases differ in whether these words are a phrase."),
    ("empty-brackets", "Empty brackets", "There is nothing in these brackets; a database may refuse them."),
    ("lower-case-operator", "Operator in lower case", "Some databases take and, or, not for words then."),
    (
        "mixed-operators",
        "AND and OR without brackets",
        "Databases differ in what they do first; brackets make sure.",
    ),
    ("leading-not", "NOT at the beginning", "Most databases need something to take away from."),
    ("unused-line", "Line that is never used", "No later line refers to it, so it changes nothing."),
    ("joined-lines", "Lines joined by OR", "The history refers to a heading, and several lines stand under it."),
    ("mixed-dialects", "Lines of different databases", "Each database reads only its own way of writing correctly."),
    ("limit-left-out", "Limit left out", "A limit that titles and abstracts can't tell, such as a study design."),
    ("duplicate-term", "The same twice", "It adds nothing. Often a slip: another spelling was meant."),
    ("absorbed-group", "Brackets that change nothing", "a OR (a AND b) is a; a AND (a OR b) is a."),
    ("short-stem", "Too few letters before a wildcard", "It stands for too many words; databases cut or refuse it."),
    ("wildcard-not-allowed", "Wildcard where none is taken", "The database ignores it there or refuses the search."),
    ("foreign-wildcard", "Wildcard of another database", "Here the sign is no wildcard, so endings are missed."),
    ("wildcard-in-heading", "Wildcard in a subject heading", "Headings are names from a list and searched whole."),
    ("no-hits", "Finds nothing here", "No publication of this corpus matches: misspelt, or cut short, or in vain."),
    ("not-removes-core", "NOT removes core publications", "What it excludes holds publications you know to belong."),
    (
        "not-term-removes-core",
        "Term of a NOT removes core publications",
        "One of the terms that a NOT excludes occurs in publications you know to belong.",
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
        "Between quotes AND, OR and NOT are words of the phrase, so the phrase is hardly ever found.",
    ),
    (
        "wildcard-outside-phrase",
        "Wildcard among words without quotes",
        "PubMed searches words with a wildcard as a phrase only in quotes, with a field tag, or with a hyphen.",
    ),
    (
        "misspelt-word",
        "Exchanged letters",
        "Two neighbouring letters are exchanged, so hardly anything is found.",
    ),
)
_HINTS = (
    ("spaced-field", "Space in a field tag", "Read as the field tag; a database may take it for a word."),
    ("subsumed-term", "Covered by a broader term", "A word finds every phrase with it, and tree* finds trees."),
    ("subsumed-by-hits", "Adds nothing here", "All it finds in this corpus is found by the others in the OR."),
    ("stem-without-wildcard", "Cut short, but no wildcard", "Only the letters as they stand are looked for."),
    ("missing-variant", "Another spelling is missing", "British and American, hyphen or not, singular or plural."),
    ("mixed-fields", "With and without field", "A field seems to be forgotten: such a term is looked for anywhere."),
    ("curly-quotes", "Curly quotes", "A word processor made them; not every database takes them for quotes."),
    (
        "untagged-term",
        "Term without field tag in PubMed",
        "PubMed adds headings and other terms to it (automatic term mapping). Quotes or a field tag prevent that.",
    ),
    ("long-or", "Very long OR", "So many alternatives are hard to check by eye."),
    ("heading-line", "Heading", "It is a label of the lines below it, and nothing is searched for."),
    ("hit-count", "Number of hits", "A database printed it behind the search."),
    ("not-testable", "Can't be tested here", "The corpus lacks what it asks for, so the query is run without it."),
)


def _rules(severity: Severity, rows: tuple[tuple[str, str, str], ...]) -> dict[str, Rule]:
    return {id: Rule(id, title, severity, explanation) for id, title, explanation in rows}


RULES: dict[str, Rule] = {**_rules("error", _ERRORS), **_rules("warning", _WARNINGS), **_rules("hint", _HINTS)}
"""By id, most severe first."""
