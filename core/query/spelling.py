"""Spellings of English words: British and American, singular and plural, hyphens, and exchanged letters."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
"""American beginnings that other words share: hem, fetch, estrange."""
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
# Stems with s in both British and American English, or with z in both.
_S_STEMS = (
    "adv advert appra ar br bru cerca chass circumc compr comprom conc cru dem demob desp dev disgu enterpr exc exerc "
    "expert fra franch gu improv inc ir likew merchand no otherw parad pel pen po pr pra prec prem prom ra rev s sunr "
    "superv surm surpr telev treat turqu v w"
)
_ALWAYS_S = frozenset(_S_STEMS.split())
_ALWAYS_Z = ("si", "caps", "s", "pr", "ma", "se", "res", "overs", "downs", "gl", "agon")


def other_english(word: str) -> str | None:
    """Return the British spelling of an American word, or the reverse; None: the two are alike, or it isn't known.

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
    for both in ("meter", "meters", "liter", "liters"):  # a meter is also a device, so only one direction is safe
        table.pop(both, None)
    return table


_ALWAYS_S_LONG = tuple(stem for stem in _ALWAYS_S if len(stem) > 3)
_YSE = frozenset(["anal", "paral", "catal", "dial", "hydrol", "breathal", "electrol", "reanal"])
_DOUBLES = frozenset(_DOUBLED.split())
_IN_TABLE = _table()


def plural(word: str) -> str | None:
    """Return the regular plural of a word that may be a noun; None: it has none, or it is one.

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
    """Return the singular of a regular plural; None: it doesn't look like one.

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


_IRREGULAR = """
    men man; women woman; children child; teeth tooth; feet foot; geese goose; mice mouse; lice louse; criteria
    criterion; phenomena phenomenon; bacteria bacterium; media medium; data datum; ova ovum; sera serum; strata stratum;
    atria atrium; bronchi bronchus; fungi fungus; nuclei nucleus; stimuli stimulus; foci focus; bacilli bacillus; loci
    locus; emboli embolus; thrombi thrombus; uteri uterus; vertebrae vertebra; larvae larva; biopsies biopsy; indices
    index; appendices appendix; matrices matrix; vertices vertex; cortices cortex; knives knife; lives life; wives wife;
    leaves leaf; halves half; calves calf; selves self; metastases metastasis; diagnoses diagnosis; prognoses prognosis;
    analyses analysis; crises crisis; hypotheses hypothesis; prostheses prosthesis; psychoses psychosis; neuroses
    neurosis; stenoses stenosis; thromboses thrombosis; syntheses synthesis; bases basis; oases oasis; axes axis
"""
_SINGULARS = dict(pair.split() for pair in _IRREGULAR.split(";"))


def irregular_singular(word: str) -> str | None:
    """Return the singular of an irregular plural, or the word itself if it has such a plural; None: neither.

    >>> irregular_singular("women"), irregular_singular("woman"), irregular_singular("robots")
    ('woman', 'woman', None)
    """
    return _SINGULARS.get(word) or (word if word in _WITH_PLURAL else None)


_WITH_PLURAL = frozenset(_SINGULARS.values())


def joined(text: str) -> str | None:
    """Return meta-model without its hyphen; None unless exactly one hyphen joins two words.

    >>> joined("meta-model"), joined("face-to-face")
    ('metamodel', None)
    """
    first, hyphen, second = text.partition("-")
    return first + second if hyphen and first.isalpha() and second.isalpha() else None


SHORTEST_SPELLED = 4
"""Maximum number of letters of words whose spellings do not differ."""
_AMERICAN = (
    (re.compile("our"), "or"),
    (re.compile("is(?=[eia]|$)"), "iz"),
    (re.compile("ys(?=[ei]|$)"), "yz"),
    (re.compile("[ao]e"), "e"),
    (re.compile("ll"), "l"),
    (re.compile("(?<=[^aeiou])re(?=s?$)"), "er"),
)


def american(word: str) -> str:
    """Return one spelling for British and American, right or wrong: only for comparing two words.

    >>> american("behaviour") == american("behavior"), american("anaesthetise") == american("anesthetize")
    (True, True)
    """
    if len(word) <= SHORTEST_SPELLED:
        return word
    for british, ours in _AMERICAN:
        word = british.sub(ours, word)
    return word


# Words with two neighbouring letters swapped: "haert" for "heart".

SHORTEST_EXCHANGED = 4
"""Minimum number of letters of a word to test for swapped letters. Shorter ones are too often another word."""
_FREQUENT = """
    abnormal abuse access accuracy activity acute additional adherence administration admission adolescent adult
    adverse after against aged agent alcohol allergy analysis anatomy anemia anesthesia animal antibiotic antibody
    antigen anxiety aorta arterial artery arthritis assay assessment association asthma atrial attack attention autism
    bacteria bariatric baseline before behavior behaviour benefit biomarker biopsy birth bladder bleeding blind blood
    body bone bowel brain breast breathing cancer carcinoma cardiac cardiovascular cataract catheter cause cell
    cerebral cervical cesarean change chemotherapy chest child childhood children cholesterol chronic cirrhosis climate
    clinic clinical cognitive cohort colon colorectal communication community comparison complication concentration
    condition congenital consumption contrast control controlled coronary cost coverage criteria culture cytology
    dementia dental depression depressive design detection development device diabetes diabetic diagnose diagnosis
    diagnostic dialysis diarrhea diet dietary disability disease disorder distress double drug dying early education
    effect effective effectiveness efficacy elderly emergency endoscopy energy environment environmental epidemiology
    epilepsy evaluation event evidence exercise experience experimental exposure failure family fatigue feasibility
    female fever fibrosis financial fluid fracture function functional gastric general genetic geriatric glucose growth
    guideline headache health healthcare healthy hearing heart hemorrhage hepatic hepatitis history hospital human
    hypertension imaging immune immunity impact impairment implementation incidence infant infection inflammation
    influence information inhibitor injection injury insulin intake intensive intervention intestinal ischemia kidney
    knowledge laboratory learning lesion leukemia level literature liver logistic longitudinal lung lymphoma magnetic
    malaria male malignant management marker maternal measurement medical medication medicine melanoma memory
    metabolic method model monitoring mortality mother multicenter multiple muscle mutation national neck neonatal
    neoplasm nerve network neural nursing nutrition obesity observational occupational online operative oral outcome
    outpatient overweight oxygen pain palliative parent participant patient pediatric performance physical physician
    physiology placebo plasma pneumonia policy population positive postoperative practice pregnancy pregnant
    prevalence prevention preventive primary probability procedure prognosis program progression prospective prostate
    protein protocol psychiatric psychological public pulmonary quality random randomised randomized ratio receptor
    record recovery rectal reduction reference regression rehabilitation relationship reliability renal research
    respiratory response retrospective review risk safety sample school screening secondary sensitivity sepsis serum
    severe severity sexual shoulder single sleep smoking social specificity spinal spine statistical stomach strategy
    strength stress stroke students study subject substance suicide surgery surgical survey survival symptom syndrome
    system systematic systems technique technology test tests therapeutic therapy thyroid tissue tobacco tomography
    toxicity training transplantation trauma treatment trial tuberculosis tumor tumour ultrasound urban urinary urine
    vaccine vaccination validation validity vascular virus vision vitamin weight women work workers workplace wound
    young
"""
_RESEMBLING = (
    "trail trails dairy brian angel bread form marital martial casual causal unclear nuclear lever devil salve does "
    "acre clod etst riks pian pani brake beat caner cornal fats filed leif cots boyd livre multicentre united untied "
    "scared sacred diary silver sliver calm clam clot colt quite quiet best bets used sued sign sing life lief"
)
"""Words and names in their own right, although a frequent word has the same letters."""


def transpositions(word: str) -> Iterator[str]:
    """Yield every word that results from swapping two different neighbouring letters.

    >>> list(transpositions("heat"))
    ['ehat', 'haet', 'heta']
    """
    for i in range(len(word) - 1):
        if word[i] != word[i + 1]:
            yield word[:i] + word[i + 1] + word[i] + word[i + 2 :]


def _exchanged() -> dict[str, str]:
    frequent = _FREQUENT.split()
    known = frozenset(frequent) | frozenset(_RESEMBLING.split())
    pairs = ((wrong, word) for word in frequent for wrong in transpositions(word))
    return {wrong: word for wrong, word in pairs if wrong not in known}


_EXCHANGED = _exchanged()


def exchanged(word: str) -> str | None:
    """Return the frequent word that results from swapping two neighbouring letters; None: there is none.

    >>> exchanged("haert"), exchanged("treatmnet"), exchanged("trail")
    ('heart', 'treatment', None)
    """
    if right := _EXCHANGED.get(word):
        return right
    if word.endswith("s") and (right := _EXCHANGED.get(word[:-1])):
        return f"{right}s"
    return None


# Long words with a letter missing: "hypertenson" for "hypertension".

SHORTEST_FULL = 9
"""Minimum number of letters of a frequent word that is recognised without one of them."""
_NOT_MISSING = frozenset(["mediation", "mediations", "eduction", "inception"])
"""Words in their own right, although a frequent word has one letter more."""


def _lost_letters() -> dict[str, str]:
    long_words = [word for word in _FREQUENT.split() if len(word) >= SHORTEST_FULL]
    known = frozenset(_FREQUENT.split()) | _NOT_MISSING
    pairs = ((word[:i] + word[i + 1 :], word) for word in long_words for i in range(1, len(word) - 1))
    return {wrong: word for wrong, word in pairs if wrong not in known and other_english(word) != wrong}


_LOST = _lost_letters()


def with_lost_letter(word: str) -> str | None:
    """Return the frequent long word that this is without one of its inner letters; None: there is none.

    >>> with_lost_letter("hypertenson"), with_lost_letter("mediation")
    ('hypertension', None)
    """
    if right := _LOST.get(word):
        return right
    if word.endswith("s") and (right := _LOST.get(word[:-1])):
        return f"{right}s"
    return None


def is_own_word(word: str) -> bool:
    """Return True if the word is frequent, or known to resemble a frequent word."""
    return word in _OWN_WORDS or word.removesuffix("s") in _OWN_WORDS


_OWN_WORDS = frozenset(_FREQUENT.split()) | frozenset(_RESEMBLING.split())
