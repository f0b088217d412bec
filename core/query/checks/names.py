"""Names of concepts: the words of a term, heading or proximity, and two names of one concept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from core.query.checks.outline import leaf_key
from core.query.spelling import american, irregular_singular, other_english, singular
from core.query.tree import ANY_ENDING, TEXT_FIELDS, Gap, Heading, Near, Node, Term, Word, all_joined
from core.text import STOP_WORDS, words

# The name of a leaf, with one word for the most frequent synonyms.

SHORTEST_COMMON = 5
"""Minimum number of letters that two forms of one word have in common at the beginning."""
N_FIRST = 3
"""Number of letters by which words that may be forms of one word are looked up."""
_INFLECTIONS = frozenset(["", "s", "es", "e", "ed", "ing", "y", "ies", "ion", "ions", "ation", "ations"])
_BASES = frozenset(["", "s", "e", "y", "ion", "is", "es"])
_ADJECTIVES = frozenset(["ive", "ic", "ical", "al", "is", "es", "tic", "tics"])
_SYNONYMS = (
    ("heart", "heart cardiac myocardi"),
    ("attack", "attack infarct"),
    ("cancer", "cancer neoplas tumor tumour carcinom malignan"),
    ("kidney", "kidney renal"),
    ("liver", "liver hepatic"),
    ("lung", "lung pulmonary"),
    ("brain", "brain cerebral"),
    ("stomach", "stomach gastric"),
    ("breast", "breast mammary"),
    ("child", "child children pediatr paediatr"),
    ("adolescent", "adolescen teen"),
    ("baby", "baby babies infant newborn neonat"),
    ("elderly", "elderly geriatric"),
    ("pregnancy", "pregnan gestation"),
    ("drug", "drug pharmaceutical"),
    ("smoking", "smoking tobacco"),
    ("doctor", "doctor physician"),
    ("injury", "injur wound"),
    ("bleeding", "bleed hemorrhag haemorrhag"),
    ("fever", "fever pyrexia febrile"),
    ("vaccine", "vaccin immunization immunisation"),
)
_ONE_WORD = {word: name for name, synonyms in _SYNONYMS for word in synonyms.split()}
_SHORTEST_SYNONYM = min(map(len, _ONE_WORD))
_LONGEST_SYNONYM = max(map(len, _ONE_WORD))
_SAME_NAMES = {
    frozenset(["cerebrovascular", "accident"]): frozenset(["stroke"]),
    frozenset(["high", "blood", "pressure"]): frozenset(["hypertension"]),
    frozenset(["hiv"]): frozenset(["human", "immunodeficiency", "virus"]),
}
_REDUNDANT = {american("mellitus"): "diabetes"}
"""Words that add nothing to another one."""
_LETTERS_OF_VARIANTS = ("", "s", "z", "o", "e", "a", "u")
"""Letters of which one spelling has another than the other: randomi?ed, wom?n, colo?r."""


@dataclass(frozen=True, slots=True)
class ConceptName:
    """The concept that a leaf names, without its field, order, spelling and endings."""

    words: tuple[str, ...]
    are_cut: tuple[bool, ...]
    """True for each word that is the letters before a wildcard."""
    fields: frozenset[str]
    """The text fields in which it is searched; empty: a subject heading."""
    leaf: Node
    key: frozenset[str]
    """Equal for all names that may be alike."""
    joined: str
    """All words without spaces: the same for health care and healthcare."""
    initials: frozenset[str]
    """Abbreviations of the name, as its first letters show them."""
    spelled: tuple[str, ...]
    """The words in their order, as they are written."""

    @property
    def abbreviation(self) -> str:
        """Return the name if it may be an abbreviation; empty: it can't be one."""
        word = self.joined.removesuffix("s") if len(self.joined) > SHORTEST_ABBREVIATION else self.joined
        is_one = len(self.words) == 1 and bool(self.fields)
        return word if is_one and SHORTEST_ABBREVIATION <= len(word) <= LONGEST_ABBREVIATION else ""


SHORTEST_ABBREVIATION, LONGEST_ABBREVIATION = 3, 6
"""Two letters stand for too many things: CT, MS, RA."""


def name_of(leaf: Node) -> ConceptName | None:
    """Return the name, if it consists of whole words or beginnings of words only."""
    if isinstance(leaf, Heading):
        found, fields = _heading_words(leaf), frozenset[str]()
    elif isinstance(leaf, Term):
        fields, found = frozenset(leaf.fields or TEXT_FIELDS), _term_words(leaf)
        if not fields & {*TEXT_FIELDS, "subject"}:
            return None
        fields &= frozenset(TEXT_FIELDS)
    elif isinstance(leaf, Near) and (terms := [part for part in leaf.parts if isinstance(part, Term)]):
        names = [name_of(term) for term in terms]
        if len(terms) < len(leaf.parts) or None in names:
            return None
        fields = frozenset.intersection(*(name.fields for name in names if name is not None))
        found = [pair for term in terms for pair in _term_words(term) or ()]
    else:
        return None
    if not found:
        return None
    named: dict[str, bool] = {}
    for word, is_cut in found:
        if word not in STOP_WORDS:
            synonym = _synonym(word)
            named[synonym or _one_spelling(word, is_cut)] = is_cut and synonym is None
    named = {word: is_cut for word, is_cut in named.items() if _REDUNDANT.get(word, "-") not in named}
    if same := _SAME_NAMES.get(frozenset(named)):
        named = dict.fromkeys(same, False)
    if not named or all(len(word) < N_FIRST for word in named):
        return None
    ordered = sorted(named)
    key = frozenset(word[:N_FIRST] for word in ordered)
    spelled = [word for word, _ in found]
    last = spelled[-1]
    joined = "".join((*map(american, spelled[:-1]), american(irregular_singular(last) or singular(last) or last)))
    are_cut = tuple(named[word] for word in ordered)
    return ConceptName(tuple(ordered), are_cut, fields, leaf, key, joined, _initials(spelled), tuple(spelled))


def _heading_words(heading: Heading) -> list[tuple[str, bool]] | None:
    """Return the words in their natural order: Chronic Obstructive Pulmonary Disease."""
    if heading.subheadings:
        return None
    return [(word, False) for part in reversed(heading.name.split(", ")) for word in words(part)]


def _term_words(term: Term) -> list[tuple[str, bool]] | None:
    found: list[tuple[str, bool]] = []
    for word in (word for run in term.chunks for word in run):
        is_cut = word.pieces[-1] == ANY_ENDING and len(word.pieces) > 1
        letters = _spelled(Word(word.pieces[:-1]) if is_cut else word)
        if letters is None:
            return None
        found.append((letters, is_cut))
    return found


def _spelled(word: Word) -> str | None:
    """Return a word without wildcards. One letter that differs between two spellings is no obstacle: colo?r, wom?n."""
    if word.is_plain:
        return str(word)
    for letter in _LETTERS_OF_VARIANTS:
        fits = all(isinstance(gap, str) or _holds(gap, len(letter)) for gap in word.pieces)
        spelled = "".join(piece if isinstance(piece, str) else letter for piece in word.pieces)
        if fits and (other_english(spelled) or other_english(f"{spelled}e") or irregular_singular(spelled)):
            return spelled
    return None


def _holds(gap: Gap, n: int) -> bool:
    return gap.most is not None and gap.least <= n <= gap.most


def _initials(spelled: list[str]) -> frozenset[str]:
    """Return the first letters of all words, and of those that are no stop words: quality of life, QOL."""
    every = ("".join(w[0] for w in spelled), "".join(w[0] for w in spelled if w not in STOP_WORDS))
    return frozenset(each for each in every if SHORTEST_ABBREVIATION <= len(each) <= LONGEST_ABBREVIATION)


def _synonym(word: str) -> str | None:
    for n in range(min(len(word), _LONGEST_SYNONYM), _SHORTEST_SYNONYM - 1, -1):
        name = _ONE_WORD.get(word[:n])
        if name is not None and (n > SHORTEST_COMMON or word[n:] in _INFLECTIONS):
            return name
    return None


def _one_spelling(word: str, is_cut: bool) -> str:
    """Return one spelling for British and American words, and the singular of irregular plurals."""
    if is_cut:  # the letters that bacteria* has in common with bacterium
        one = irregular_singular(word) or word
        common = next(word[:n] for n in range(len(word), -1, -1) if one.startswith(word[:n]))
        return american(common if len(common) >= N_FIRST else word)
    word = irregular_singular(word) or word
    word = min(word, other_english(word) or word)
    return word if word.endswith("is") else american(word)


def names_one_concept(one: ConceptName, other: ConceptName) -> bool:
    """Return True if each word of one is a form of a word of the other.

    >>> a, b = name_of(Heading("Heart Diseases")), name_of(Term(("cardiac disease",), quoted=True))
    >>> names_one_concept(a, b)
    True
    """
    if len(one.words) != len(other.words):
        return False
    left = list(zip(other.words, other.are_cut, strict=True))
    for word, is_cut in zip(one.words, one.are_cut, strict=True):
        match = next((each for each in left if _is_one_word(word, each[0], is_cut, each[1])), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _is_one_word(a: str, b: str, a_is_cut: bool, b_is_cut: bool) -> bool:
    if (a_is_cut and b.startswith(a)) or (b_is_cut and a.startswith(b)):
        return True
    if a_is_cut or b_is_cut:
        return False
    if a == b or (singular(a) or a) == (singular(b) or b):
        return True
    n = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return any(_are_endings(a[i:], b[i:]) for i in range(SHORTEST_COMMON, n + 1))


def _are_endings(a: str, b: str) -> bool:
    """Return True for endings of one word: infect-ed and infect-ion, diagnos-is and diagnos-tic, but not gener-al and
    gener-ation.
    """
    if a in _INFLECTIONS and b in _INFLECTIONS:
        return True
    return (a in _BASES and b in _ADJECTIVES) or (a in _ADJECTIVES and b in _BASES)


# The names of the alternatives in a part, and what two parts have in common.

MOST_FORMS = 8
"""Maximum number of names with the same beginnings that are compared."""
MOST_NAMES = 1_000
"""Maximum number of alternatives of a part that are compared."""
LEAST_SHARE = 0.5
"""Minimum share of the smaller part's names that the other part has too."""
FEWEST_SHARED = 2
NamePair = tuple[ConceptName, ConceptName]


@dataclass(slots=True)
class ConceptNames:
    """The names of a part, by what they are compared by."""

    by_key: dict[frozenset[str], list[ConceptName]] = field(default_factory=dict)
    by_joined: dict[str, ConceptName] = field(default_factory=dict)
    by_initials: dict[str, ConceptName] = field(default_factory=dict)

    @classmethod
    def of(cls, names: Iterable[ConceptName]) -> ConceptNames:
        found = cls()
        for name in names:
            found.by_key.setdefault(name.key, []).append(name)
            found.by_joined.setdefault(name.joined, name)
            for initials in name.initials:
                found.by_initials.setdefault(initials, name)
        return found

    @property
    def kind(self) -> Literal["headings", "words", "both"]:
        """Return the kind of all names: a part of headings and a part of words are often one concept."""
        kinds = {bool(name.fields) for name in self}
        return "both" if len(kinds) != 1 else "words" if True in kinds else "headings"

    def __len__(self) -> int:
        return len(self.by_key)

    def __iter__(self) -> Iterator[ConceptName]:
        return (name for names in self.by_key.values() for name in names)


def names_in(node: Node, known: dict[int, ConceptNames]) -> ConceptNames:
    """Return the names of the alternatives in a part."""
    if id(node) not in known:
        leaves = islice(all_joined(node, "OR"), MOST_NAMES)
        known[id(node)] = ConceptNames.of(name for leaf in leaves if (name := name_of(leaf)))
    return known[id(node)]


NameIdentity = Callable[[ConceptName], str | None]


def no_identity(_: ConceptName) -> str | None:
    return None


def alike_names(ones: ConceptNames, others: ConceptNames, identity: NameIdentity = no_identity) -> NamePair | None:
    """Return the first two names of one concept, if the parts share enough of them.

    `identity`: what a thesaurus calls the concept; None: it has no such name.
    """
    pairs = list(_pairs(ones, others, identity))
    if any(_narrows(a, b) for a, b in pairs):
        return None
    shared: dict[frozenset[str], NamePair] = {}
    for a, b in pairs:
        if leaf_key(a.leaf) != leaf_key(b.leaf):  # a term on both sides matches both parts by itself
            shared.setdefault(a.key, (a, b))
    smaller = min(len(ones), len(others))
    fewest = 1 if {ones.kind, others.kind} == {"headings", "words"} else min(smaller, FEWEST_SHARED)
    if not shared or len(shared) < max(smaller * LEAST_SHARE, fewest):
        return None
    return min(shared.values(), key=lambda pair: pair[0].leaf.span.start)


def _pairs(ones: ConceptNames, others: ConceptNames, identity: NameIdentity) -> Iterator[NamePair]:
    for key in ones.by_key.keys() & others.by_key.keys():
        few, more = ones.by_key[key][:MOST_FORMS], others.by_key[key][:MOST_FORMS]
        yield from ((a, b) for a in few for b in more if names_one_concept(a, b))
    for joined in ones.by_joined.keys() & others.by_joined.keys():
        yield ones.by_joined[joined], others.by_joined[joined]
    yield from _abbreviated(ones, others)
    yield from ((b, a) for a, b in _abbreviated(others, ones))
    if identity is not no_identity:
        known = {found: name for name in ones if (found := identity(name)) is not None}
        yield from ((known[found], name) for name in others if (found := identity(name)) in known)


def _abbreviated(ones: ConceptNames, others: ConceptNames) -> Iterator[NamePair]:
    """Yield MRI with magnetic resonance imaging, unless the part of MRI spells it out by itself."""
    for name in ones:
        short = name.abbreviation
        if short and short in others.by_initials and short not in ones.by_initials:
            yield name, others.by_initials[short]


def _narrows(one: ConceptName, other: ConceptName) -> bool:
    """Return True for heat[tiab] AND heat[ti]: a part that repeats the other in fewer fields is meant to narrow it."""
    return bool(one.fields and other.fields) and (one.fields < other.fields or other.fields < one.fields)
