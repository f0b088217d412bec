"""Checks that information specialists make: for each rule strings that break it, and strings that look like it."""

from __future__ import annotations

import pytest

from core.query.checks import lint
from core.query.checks.corpus import lint_in_corpus
from core.query.checks.names import name_of, names_one_concept
from core.query.match import match, of_rows
from core.query.parser import parse
from core.query.spelling import exchanged, is_own_word, transpositions
from core.query.tree import Gap, Heading, Near, Term, apply_edits
from dashboard.query.documents import finding_document
from tests.core.query_scenes import FakeCorpus, texts_of

BROKEN = [
    # rule, dialect, text, where
    ("and-within-concept", "ovid", "1. heart attack*.ti,ab.\n2. myocardial infarct*.ti,ab.\n3. 1 and 2", "1 and 2"),
    ("and-within-concept", "ovid",
     "1. exp Asthma/\n2. (asthma* or wheez*).tw.\n3. inhal*.tw.\n4. 1 and 2\n5. 3 and 4", "1 and 2"),
    ("and-within-concept", "ovid",
     "1. lassitude.tw.\n2. tiredness.tw.\n3. weariness.tw.\n4. fatigue.tw.\n5. and/1-4", "and/1-4"),
    ("and-within-concept", "pubmed",
     '("Neoplasms"[Mesh] AND cancer*[tiab]) AND yoga[tiab]', '"Neoplasms"[Mesh] AND cancer*[tiab]'),
    ("and-within-concept", "ebsco",
     '(MH "Stroke" OR TI stroke) AND (AB stroke* OR TI "cerebrovascular accident") AND TI gait', None),
    ("and-within-concept", "scopus", 'TITLE-ABS-KEY(hypertension AND "high blood pressure")', None),
    ("operator-in-quotes", "pubmed",
     '"telehealth OR telemedicine"[tiab] AND rural[tiab]', '"telehealth OR telemedicine"[tiab]'),
    ("operator-in-quotes", "wos", 'TS=("school AND garden*" OR orchard)', '"school AND garden*"'),
    ("operator-in-quotes", "ovid", '"pain NOT chest".ti,ab. and nurs*.tw.', '"pain NOT chest".ti,ab.'),
    ("operator-in-quotes", "scopus", 'TITLE-ABS-KEY("heat W/3 wave") AND TITLE-ABS-KEY(city)', '"heat W/3 wave"'),
    ("operator-in-quotes", "ebsco", 'TI "nurse* N3 burnout" AND AB hospital', 'TI "nurse* N3 burnout"'),
    ("wildcard-outside-phrase", "pubmed", "(heart* attack* OR stroke[tiab]) AND aspirin[tiab]", "heart* attack*"),
    ("wildcard-outside-phrase", "pubmed", "likelihood ratio* OR specificity[tiab]", "likelihood ratio*"),
    ("wildcard-outside-phrase", "pubmed", "sleep apn* AND cpap[tiab]", "sleep apn*"),
    ("untagged-term", "pubmed", "asthma AND inhaler[tiab]", "asthma"),
    ("untagged-term", "pubmed", "(stroke OR apoplexy) AND gait[tiab]", "stroke"),
    ("untagged-term", "pubmed", '"Burnout, Professional"[Mesh] AND nurse retention', "nurse retention"),
    ("not-animals", "pubmed", 'asthma[tiab] NOT "Animals"[Mesh]', '"Animals"[Mesh]'),
    ("not-animals", "ovid", "1. stroke.tw.\n2. exp animals/\n3. 1 not 2", "exp animals/"),
    ("not-animals", "ebsco", '(TI asthma AND AB steroid*) NOT MH "Animals+"', 'MH "Animals+"'),
    ("not-animals", "ovid", "1. sepsis.tw.\n2. (rat or rats or mice or murine).tw.\n3. 1 not 2", "rat"),
    ("not-animals", "scopus", "TITLE-ABS-KEY(sepsis) AND NOT TITLE-ABS-KEY(animal* OR mouse)", "animal*"),
    ("misspelt-word", "pubmed", "haert[tiab] AND failure[tiab]", "haert[tiab]"),
    ("misspelt-word", "ovid", "1. (clincial adj2 trial*).tw.\n2. treatmnet*.tw.\n3. 1 or 2", "clincial"),
    ("misspelt-word", "wos", 'TS=("breast cacner" AND screening)', '"breast cacner"'),
    ("misspelt-word", "scopus", "TITLE-ABS-KEY(woodpecker OR {woodpecker nest} OR woodpekcer)", "woodpekcer"),
    ("unused-line", "ovid", "1. gout.tw.\n2. urate.tw.\n3. allopurinol.tw.\n4. 1 or 2", "allopurinol.tw."),
    ("unused-line", "ebsco", "S1 TI gout\nS2 TI urate\nS3 AB diet\nS4 S1 AND S3", "TI urate"),
    ("unused-line", "pubmed", "#1 gout[tiab]\n#2 urate[tiab]\n#3 diet[tiab]\n#4 #1 OR #2", "diet[tiab]"),
    ("short-stem", "pubmed", "wom*n[tiab]", "wom*n[tiab]"),
]  # fmt: skip

CLEAN = [
    # rule, dialect, text
    ("and-within-concept", "ovid", "1. exp Asthma/\n2. asthma*.tw.\n3. 1 or 2\n4. exercise.tw.\n5. 3 and 4"),
    ("and-within-concept", "ovid",
     "1. exp Shoulder/\n2. (shoulder adj3 pain).tw.\n3. rotator cuff.tw.\n4. or/1-3\n5. tear*.tw.\n6. 4 and 5"),
    ("and-within-concept", "ovid", "1. gout.tw.\n2. diet.tw.\n3. adult/\n4. 1 and 2 and 3"),
    ("and-within-concept", "pubmed",
     '("Lung Neoplasms"[Mesh] OR lung cancer[tiab]) AND ("Kidney Neoplasms"[Mesh] OR renal cancer[tiab])'),
    ("and-within-concept", "pubmed", "(nurse[tiab] OR nurses[tiab] OR burnout[tiab]) AND (nurse[ti] OR nurses[ti])"),
    ("and-within-concept", "wos",
     "TS=(child* OR infant*) AND TS=(family OR parent*) AND TS=(infant* OR feeding OR breast milk)"),
    ("and-within-concept", "plain", "(tool OR software OR app) AND (cloud AND (software OR app OR service))"),
    ("and-within-concept", "ebsco", 'MH "Stroke/rehabilitation" AND TI stroke'),
    ("and-within-concept", "pubmed",
     '(CT[tiab] OR "computed tomography"[tiab]) AND (MRI[tiab] OR "magnetic resonance imaging"[tiab])'),
    ("and-within-concept", "pubmed", 'CT[tiab] AND "clinical trial"[tiab]'),
    ("and-within-concept", "pubmed",
     '(PET[tiab] OR "positron emission tomography"[tiab]) AND "patient education training"[tiab]'),
    ("and-within-concept", "pubmed", 'type[tiab] AND "type 2 diabetes"[tiab]'),
    ("and-within-concept", "pubmed", 'ageing[tiab] AND age[tiab] AND agent*[tiab]'),
    ("and-within-concept", "ovid", "1. exp Heart Failure/\n2. (heart adj2 transplant*).tw.\n3. 1 and 2"),
    ("and-within-concept", "pubmed", '"Insulin"[Mesh] AND (diabetes[tiab] OR "insulin resistance"[tiab])'),
    ("and-within-concept", "pubmed", '"Diabetes Mellitus, Type 2"[Mesh] AND "type 1 diabetes"[tiab]'),
    ("operator-in-quotes", "pubmed", '"head and neck"[tiab] OR "mother or child"[tiab]'),
    ("operator-in-quotes", "wos", 'TS=("HEAD AND NECK CANCER")'),
    ("operator-in-quotes", "pubmed", '"Outcome AND Process"[Mesh] OR "heart"[tiab] AND "attack"[tiab]'),
    ("operator-in-quotes", "scopus", 'TITLE-ABS-KEY("vitamin N" OR "NOT alone")'),
    ("wildcard-outside-phrase", "pubmed", '"heart* attack*"[tiab] OR "vaccin* schedul*"'),
    ("wildcard-outside-phrase", "pubmed", "heart* attack*[tiab] OR breast-feed*"),
    ("wildcard-outside-phrase", "pubmed", "stroke* AND organi*ation*[tiab]"),
    ("wildcard-outside-phrase", "wos", "TS=(heart* attack*)"),
    ("untagged-term", "pubmed", 'asthma[tiab] AND "inhaler" AND child*'),
    ("untagged-term", "pubmed", "asthma[all] AND Humans[Mesh]"),
    ("untagged-term", "pubmed", "asthma[tiab] AND 2010:2020[dp]"),
    ("untagged-term", "wos", "TS=(asthma) AND inhaler"),
    ("not-animals", "pubmed", "asthma[tiab] NOT (Animals[Mesh] NOT Humans[Mesh])"),
    ("not-animals", "ovid", "1. stroke.tw.\n2. exp animals/ not humans/\n3. 1 not 2"),
    ("not-animals", "ovid", "1. stroke.tw.\n2. animals/\n3. humans/\n4. 2 and 3\n5. 2 not 4\n6. 1 not 5"),
    ("not-animals", "pubmed", "(asthma[tiab] NOT animals[mh]) OR (asthma[tiab] AND humans[mh])"),
    ("not-animals", "ebsco", 'TI asthma NOT (MH "Animals+" NOT MH "Humans")'),
    ("not-animals", "scopus", "TITLE-ABS-KEY(rat AND liver) AND NOT TITLE-ABS-KEY(review)"),
    ("misspelt-word", "pubmed", "causal[tiab] AND casual[tiab]"),
    ("misspelt-word", "wos", "TS=(trail* AND trial* AND dairy AND diary)"),
    ("misspelt-word", "ovid", "1. (nuclear or unclear).tw.\n2. (marital or martial).tw.\n3. 1 and 2"),
    ("misspelt-word", "pubmed", "SLEEP[tiab] AND LEVIR[tiab] AND PAINT[tiab]"),
    ("unused-line", "ovid", "1. gout.tw.\n2. urate.tw.\n3. 1 or 2"),
    ("unused-line", "ebsco", "S1 TI gout\nS2 TI urate\nS3 S1 OR S2"),
    ("unused-line", "pubmed", "#1 gout[tiab]\n#2 urate[tiab]\n#3 #1 AND #2"),
    ("short-stem", "pubmed", '"organi*ation*"[tiab] OR "heart* attack*"[tiab]'),
]  # fmt: skip


def found_in(text, dialect, rule):
    return [finding for finding in lint(parse(text, dialect)) if finding.rule == rule]


@pytest.mark.parametrize(("rule", "dialect", "text", "where"), BROKEN)
def test_a_broken_rule_is_reported_and_its_fix_repairs_it(rule, dialect, text, where):
    found = found_in(text, dialect, rule)
    assert found
    assert where is None or found[0].span.of(text) == where
    if found[0].fix is not None:
        after = apply_edits(text, found[0].fix.edits)
        assert len(found_in(after, dialect, rule)) < len(found)
        assert not [f for f in lint(parse(after, dialect)) if f.severity == "error"]


@pytest.mark.parametrize(("rule", "dialect", "text"), CLEAN)
def test_what_looks_like_a_broken_rule_is_left_alone(rule, dialect, text):
    assert found_in(text, dialect, rule) == []


# rule, dialect, text, text after the fix
FIXES = [
    ("and-within-concept", "wos", "TS=(renal AND kidney AND diet)", "TS=((renal OR kidney) AND diet)"),
    ("and-within-concept", "ovid", "1. a1.tw.\n2. b2.tw.\n3. b3.tw.\n4. and/1-3", None),
    ("operator-in-quotes", "wos", 'TI="a OR b OR c"', '(TI="a" OR TI="b" OR TI="c")'),
    ("operator-in-quotes", "ovid", '"a AND b".ti,ab.', '("a".ti,ab. AND "b".ti,ab.)'),
    ("not-animals", "ebsco", 'TI a NOT MH "Animals+"', 'TI a NOT (MH "Animals+" NOT MH "Humans")'),
    ("not-animals", "pubmed",
     "a[ti] NOT (mice[ti] OR animals[mh])", "a[ti] NOT ((mice[ti] OR animals[mh]) NOT Humans[mh])"),
    ("misspelt-word", "ovid", "Paitent$.tw.", "Patient$.tw."),
    ("unused-line", "ovid", "1. a.ti.\n2. b.ti.\n3. c.ti.\n4. or/1-2", "1. a.ti.\n2. b.ti.\n3. c.ti.\n4. or/1-3"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "dialect", "text", "after"), FIXES)
def test_a_fix_writes_what_a_specialist_would(rule, dialect, text, after):
    found = found_in(text, dialect, rule)
    assert len(found) == (after is not None)
    if after is not None:
        assert apply_edits(text, found[0].fix.edits) == after


ADJACENT = [
    # dialect, text, the labels of its fixes
    ("pubmed", "gout[tiab] OR urate[tiab] tophus[tiab] OR podagra[tiab]", ["Write OR", "Write AND"]),
    ("pubmed", 'heart attack[tiab] "myocardial infarction"[tiab]', ["Write OR", "Write AND"]),
    ("pubmed", "(gout[tiab] OR urate[tiab]) AND diet[tiab] AND (gout[tiab] urate[tiab])", ["Write OR", "Write AND"]),
    ("scopus", 'TITLE-ABS-KEY("tumour marker" "tumor markers")', ["Write OR", "Write AND"]),
    ("pubmed", "gout[tiab] allopurinol[tiab]", ["Write AND", "Write OR"]),
    ("pubmed", "(gout[tiab] OR urate[tiab]) (diet[tiab] OR food[tiab])", ["Write AND", "Write OR"]),
    ("pubmed", "gout[tiab]\ngout[mesh] OR urate[tiab]", ["Write AND", "Write OR"]),
    ("wos", "TS=(gout AND (diet) (exercise) AND food)", ["Write AND", "Write OR"]),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text", "labels"), ADJACENT)
def test_the_likelier_operator_is_offered_first(dialect, text, labels):
    (finding,) = found_in(text, dialect, "adjacent-terms")
    assert [fix.label for fix in (finding.fix, *finding.other_fixes)] == labels
    for fix in (finding.fix, *finding.other_fixes):
        assert not found_in(apply_edits(text, fix.edits), dialect, "adjacent-terms")
    document = finding_document(finding)
    assert [fix["label"] for fix in (document["fix"], *document["other_fixes"])] == labels


def test_all_other_findings_of_the_reading_are_kept():
    parsed = parse("(a AND b", "plain")
    assert [f for f in lint(parsed) if f.rule == "unbalanced-bracket"] == list(parsed.findings)


def test_an_unused_line_is_a_warning_that_says_what_to_do():
    (finding,) = found_in("1. a.ti.\n2. b.ti.\n3. c.ti.\n4. 1 or 3", "ovid", "unused-line")
    assert finding.severity == "warning"
    assert "Line 2" in finding.message


CORPUS = FakeCorpus(
    texts_of(["heart and rat", "heart of mice", "rat and mice in heart", "heart", "rat", *["woodpecker nest"] * 5])
)


def in_corpus(text, core=()):
    parsed = parse(text, "plain")
    matched = match(parsed.root, CORPUS, "literal")
    return [
        (finding, finding.span.of(text))
        for finding in lint_in_corpus(parsed, matched, CORPUS.texts, of_rows(core, len(CORPUS.ids)))
    ]


def test_terms_of_a_not_that_remove_core_publications_each_with_its_number():
    text = "heart NOT (rat OR (mice OR shade))"
    found = [(f, w) for f, w in in_corpus(text, core=[0, 1, 2]) if f.rule == "not-term-removes-core"]
    assert [(w, f.severity) for f, w in found] == [("rat", "warning"), ("mice", "warning")]
    assert "2 core publications, 1 of them alone" in found[0][0].message
    assert apply_edits(text, found[1][0].fix.edits) == "heart NOT (rat OR (shade))"
    (rat, where) = next((f, w) for f, w in in_corpus(text, core=[0]) if f.rule == "not-term-removes-core")
    assert where == "rat"
    assert "1 core publication that" in rat.message


def test_terms_that_remove_the_same_core_publication_say_so():
    found = [f for f, _ in in_corpus("heart NOT (rat OR mice)", core=[2]) if f.rule == "not-term-removes-core"]
    assert [(f.severity, f.fix) for f in found] == [("hint", None)] * 2


@pytest.mark.parametrize(
    ("text", "core"), [("heart NOT rat", [0]), ("heart NOT (rat OR mice)", [3]), ("heart OR (rat AND mice)", [0, 1])]
)
def test_a_not_of_one_term_or_without_core_has_no_finding_for_its_terms(text, core):
    assert "not-term-removes-core" not in [f.rule for f, _ in in_corpus(text, core)]


def test_exchanged_letters_are_found_against_the_words_of_the_corpus():
    text = "Woodpekcer OR heart"
    ((finding, where),) = [(f, w) for f, w in in_corpus(text) if f.rule == "misspelt-word"]
    assert where == "Woodpekcer"
    assert "5 times" in finding.message
    assert apply_edits(text, finding.fix.edits) == "Woodpecker OR heart"


@pytest.mark.parametrize("text", ["heart OR rat", "woodpecker", "mcie OR heart", "zebra"])
def test_words_that_are_rare_or_right_in_the_corpus_are_left_alone(text):
    assert "misspelt-word" not in [f.rule for f, _ in in_corpus(text)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Heading("Fractures, Bone"), Term(("bone fracture",), quoted=True), True),
        (Term(("diagnos", Gap(0, None))), Heading("Diagnosis"), True),
        (Term(("renal tumours",), quoted=True), Term(("kidney cancer",), quoted=True), True),
        (Term(("cardiology",)), Term(("cardiovascular",)), False),
        (Term(("research",)), Term(("researcher",)), False),
        (Term(("breast cancer",), quoted=True), Term(("cancer",)), False),
        (Term(("generation",)), Term(("general",)), False),
        (Term(("anaesthesia",)), Term(("anesthesia",)), True),
        (Term(("wom", Gap(1, 1), "n")), Term(("women",)), True),
        (Term(("colo", Gap(0, 1), "r")), Term(("color",)), True),
        (Term(("bacteria", Gap(0, None))), Term(("bacteria",)), True),
        (Term(("criteria",)), Term(("criterion",)), True),
        (Term(("vitamin d",), quoted=True), Heading("Vitamin D"), True),
        (Term(("vitamin d",), quoted=True), Heading("Vitamin E"), False),
        (Near((Term(("heart",)), Term(("failure",))), 2), Heading("Heart Failure"), True),
    ],
)
def test_names_of_one_concept(one, other, same):
    assert names_one_concept(name_of(one), name_of(other)) is same


def test_a_heading_with_subheadings_and_an_author_name_no_concept():
    assert name_of(Heading("Asthma", subheadings=("therapy",))) is None
    assert name_of(Term(("Smith",), fields=("author",))) is None


@pytest.mark.parametrize(
    ("word", "right"),
    [("haert", "heart"), ("clincial", "clinical"), ("paitents", "patients"), ("heart", None), ("trail", None)],
)
def test_exchanged_letters(word, right):
    assert exchanged(word) == right
    if right:
        assert word in transpositions(right)
    else:
        assert is_own_word(word)
