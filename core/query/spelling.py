"""Spelling variants of English words: British and American, singular and plural, joined and hyphenated."""

from __future__ import annotations

import re

_OUR = (
    "arm behavi cand clam col endeav fav ferv flav glam harb hon hum lab neighb od parl ranc rum sav splend tum val "
    "vap vig"
)
_RE = "cent fib lit met theat calib spect sab lust meag somb kilomet centimet millimet nanomet micromet"
_DOUBLED = (
    "cancel channel counsel dial duel equal fuel funnel initial jewel label level libel marshal model panel pedal "
    "pencil quarrel remodel rival shovel signal spiral stencil swivel symbol total travel tunnel unravel"
)
_BEGINNINGS = (
    ("aetiolog", "etiolog"),
    ("anaem", "anem"),
    ("anaesth", "anesth"),
    ("archaeolog", "archeolog"),
    ("artefact", "artifact"),
    ("caesar", "cesar"),
    ("coeliac", "celiac"),
    ("diarrhoea", "diarrhea"),
    ("encyclopaedi", "encyclopedi"),
    ("faec", "fec"),
    ("foet", "fet"),
    ("gynaecolog", "gynecolog"),
    ("haem", "hem"),
    ("hypoglycaem", "hypoglycem"),
    ("hyperglycaem", "hyperglycem"),
    ("ischaem", "ischem"),
    ("leukaem", "leukem"),
    ("manoeuv", "maneuv"),
    ("mould", "mold"),
    ("oedema", "edema"),
    ("oesophag", "esophag"),
    ("oestr", "estr"),
    ("orthopaed", "orthoped"),
    ("paediatr", "pediatr"),
    ("plough", "plow"),
    ("septicaem", "septicem"),
    ("sulph", "sulf"),
    ("uraem", "urem"),
)
_UNSURE = ("hem", "fec", "fet", "estr", "cesar", "mold")
"""American beginnings of other words as well: hem, fetch, estrange."""
_WHOLE = (
    ("aluminium", "aluminum"),
    ("ageing", "aging"),
    ("analogue", "analog"),
    ("catalogue", "catalog"),
    ("defence", "defense"),
    ("dialogue", "dialog"),
    ("grey", "gray"),
    ("judgement", "judgment"),
    ("licence", "license"),
    ("offence", "offense"),
    ("programme", "program"),
    ("sceptical", "skeptical"),
)
_IS = re.compile(r"(\w{3,})is(e|es|ed|er|ers|ing|ation|ations|ational|able)")
_IZ = re.compile(r"(\w{3,})iz(e|es|ed|er|ers|ing|ation|ations|ational|able)")
_YS = re.compile(r"(\w{2,})ys(e|ed|ing|er|ers)")
_YZ = re.compile(r"(\w{2,})yz(e|ed|es|ing|er|ers)")
_LL = re.compile(r"(\w+)ll(ed|ing|er|ers|ings)")
_L = re.compile(r"(\w+)l(ed|ing|er|ers|ings)")
# Written with s on both sides of the ocean, or with z.
_S_STEMS = (
    "adv advert appra ar br bru cerca chass circumc compr comprom conc cru dem demob desp dev disgu enterpr exc exerc "
    "expert fra franch gu improv inc ir likew merchand no otherw parad pel pen po pr pra prec prem prom ra rev s sunr "
    "superv surm surpr telev treat turqu v w"
)
_ALWAYS_S = frozenset(_S_STEMS.split())
_ALWAYS_Z = ("si", "caps", "s", "pr", "ma", "se", "res", "overs", "downs", "gl", "agon")


def other_english(word: str) -> str | None:
    """The British spelling of an American word, or the other way round; None: it has one, or it isn't known.

    >>> other_english("behaviour"), other_english("randomized"), other_english("exercise")
    ('behavior', 'randomised', None)
    """
    return _IN_TABLE.get(word) or _by_beginning(word) or _by_ending(word)


def _by_beginning(word: str) -> str | None:
    for british, ours in _BEGINNINGS:
        for here, there in ((british, ours), (ours, british)):
            if word.startswith(here) and here not in _UNSURE:
                return there + word[len(here) :]
    return None


def _by_ending(word: str) -> str | None:
    if (
        (found := _IS.fullmatch(word))
        and not found.group(1).endswith(_ALWAYS_S_LONG)
        and found.group(1) not in _ALWAYS_S
    ):
        return f"{found.group(1)}iz{found.group(2)}"
    if (found := _IZ.fullmatch(word)) and found.group(1) not in _ALWAYS_Z:
        return f"{found.group(1)}is{found.group(2)}"
    if (found := _YS.fullmatch(word)) and found.group(1) in _YSE:
        return f"{found.group(1)}yz{found.group(2)}"
    if (found := _YZ.fullmatch(word)) and found.group(1) in _YSE:
        return f"{found.group(1)}ys{found.group(2)}"
    if (found := _LL.fullmatch(word)) and f"{found.group(1)}l" in _DOUBLES:
        return f"{found.group(1)}l{found.group(2)}"
    if (found := _L.fullmatch(word)) and f"{found.group(1)}l" in _DOUBLES:
        return f"{found.group(1)}ll{found.group(2)}"
    return None


def _table() -> dict[str, str]:
    pairs = list(_WHOLE)
    endings = (
        "",
        "s",
        "al",
        "ally",
        "ism",
        "ed",
        "ing",
        "ful",
        "able",
        "hood",
        "hoods",
        "less",
        "ist",
        "ists",
        "ation",
    )
    pairs += [(f"{stem}our{end}", f"{stem}or{end}") for stem in _OUR.split() for end in endings]
    pairs += [(f"{stem}re{end}", f"{stem}er{end}") for stem in _RE.split() for end in ("", "s")]
    pairs += [(f"{british}s", f"{ours}s") for british, ours in _WHOLE]
    table: dict[str, str] = {}
    for british, ours in pairs:
        table[british] = ours
        table[ours] = british
    for both in ("meter", "meters", "liter", "liters"):  # a meter is also a device, so only one way is sure
        table.pop(both, None)
    return table


_ALWAYS_S_LONG = tuple(stem for stem in _ALWAYS_S if len(stem) > 3)
_YSE = frozenset(["anal", "paral", "catal", "dial", "hydrol", "breathal", "electrol", "reanal"])
_DOUBLES = frozenset(_DOUBLED.split())
_IN_TABLE = _table()


def plural(word: str) -> str | None:
    """The regular plural of a word that may be a noun; None: it has none, or it is one.

    >>> plural("family"), plural("process"), plural("robots")
    ('families', 'processes', None)
    """
    if len(word) < 3 or not word.isalpha():
        return None
    if word.endswith(("ss", "x", "ch", "sh")):
        return f"{word}es"
    if word.endswith("s"):
        return None
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def singular(word: str) -> str | None:
    """What a regular plural is the plural of; None: it doesn't look like one.

    >>> singular("families"), singular("processes"), singular("analysis")
    ('family', 'process', None)
    """
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is", "ics")):
        return None
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


def joined(text: str) -> str | None:
    """meta-model without its hyphen; None if there is not exactly one between two words.

    >>> joined("meta-model"), joined("face-to-face")
    ('metamodel', None)
    """
    first, hyphen, second = text.partition("-")
    return first + second if hyphen and first.isalpha() and second.isalpha() else None


SHORTEST_SPELLED = 4
"""Letters up to which spellings do not differ."""
_AMERICAN = (
    (re.compile("our"), "or"),
    (re.compile("is(?=[eia]|$)"), "iz"),
    (re.compile("ys(?=[ei]|$)"), "yz"),
    (re.compile("[ao]e"), "e"),
    (re.compile("ll"), "l"),
    (re.compile("(?<=[^aeiou])re(?=s?$)"), "er"),
)


def american(word: str) -> str:
    """One spelling for British and American, right or not: only for telling whether two words are the same.

    >>> american("behaviour") == american("behavior"), american("anaesthetise") == american("anesthetize")
    (True, True)
    """
    if len(word) <= SHORTEST_SPELLED:
        return word
    for british, ours in _AMERICAN:
        word = british.sub(ours, word)
    return word
