"""Search strings for the PRESS check: known flaws from the six elements of PRESS 2015, and strings without one."""

from __future__ import annotations

from typing import NamedTuple

from core.audit.press import DomainId
from core.query.tree import DialectId


class Flaw(NamedTuple):
    name: str
    dialect: DialectId
    text: str
    domain: DomainId
    rule: str
    """The rule that finds it; empty: it is counted, and a finding without a rule reports it."""


FLAWS = (
    Flaw("A question instead of a strategy", "plain", "Which street trees cool a city at night?", "question", ""),
    Flaw("Limits without a concept", "pubmed", "english[la] AND 2010:2020[dp]", "question", ""),
    Flaw(
        "OR between two concepts",
        "pubmed",
        '("Hypertension"[Mesh] OR hypertens*[tiab]) OR ("Sodium, Dietary"[Mesh] OR salt[tiab] OR sodium[tiab])',
        "operators",
        "or-between-concepts",
    ),
    Flaw(
        "AND within one concept",
        "ovid",
        "1. exp Hypertension/\n2. hypertens*.tw.\n3. 1 and 2\n4. exp Diet, Sodium-Restricted/\n5. low salt.tw.\n"
        "6. 4 or 5\n7. 3 and 6",
        "operators",
        "and-within-concept",
    ),
    Flaw(
        "AND between two spellings",
        "pubmed",
        '(ageing[tiab] AND aging[tiab]) AND ("Exercise"[Mesh] OR exercis*[tiab])',
        "operators",
        "and-within-concept",
    ),
    Flaw(
        "AND between singular and plural",
        "pubmed",
        '("Women"[Mesh] OR woman[tiab]) AND women[tiab] AND ("Exercise"[Mesh] OR exercis*[tiab])',
        "operators",
        "and-within-concept",
    ),
    Flaw(
        "AND between forms of one word",
        "scopus",
        'TITLE-ABS-KEY(diagnosis AND diagnostic AND sepsis)',
        "operators",
        "and-within-concept",
    ),
    Flaw(
        "AND between one word and two",
        "wos",
        'TS=(healthcare AND "health care") AND TS=(burnout)',
        "operators",
        "and-within-concept",
    ),
    Flaw(
        "AND between a wildcard for two spellings and one of them",
        "ovid",
        '1. randomi?ed.tw.\n2. randomised.tw.\n3. 1 and 2\n4. gout.tw.\n5. 3 and 4',
        "operators",
        "and-within-concept",
    ),
    Flaw(
        "AND between an abbreviation and its words",
        "pubmed",
        'MRI[tiab] AND "magnetic resonance imaging"[tiab] AND ("Stroke"[Mesh] OR stroke*[tiab])',
        "operators",
        "and-within-concept",
    ),
    Flaw(
        "AND between an abbreviation and a heading in inverted order",
        "ovid",
        '1. exp Pulmonary Disease, Chronic Obstructive/\n2. COPD.tw.\n3. 1 and 2\n4. exercis*.tw.\n5. 3 and 4',
        "operators",
        "and-within-concept",
    ),
    Flaw(
        "AND between a heading and a proximity of its words",
        "ovid",
        '1. exp Heart Failure/\n2. (heart adj2 failure*).tw.\n3. 1 and 2\n4. exercis*.tw.\n5. 3 and 4',
        "operators",
        "and-within-concept",
    ),
    Flaw(
        "AND between the headings and the words of one concept",
        "pubmed",
        '("Aspergillus"[Mesh] OR "Pulmonary Aspergillosis"[Mesh]) AND (aspergill*[tiab] OR "fungal infection"[tiab])',
        "operators",
        "and-within-concept",
    ),
    Flaw(
        "AND between a heading and its words in another order",
        "pubmed",
        '"Diabetes Mellitus, Type 2"[Mesh] AND "type 2 diabetes"[tiab] AND ("Exercise"[Mesh] OR exercis*[tiab])',
        "operators",
        "and-within-concept",
    ),
    Flaw(
        "AND and OR without brackets",
        "pubmed",
        '"Asthma"[Mesh] OR asthma*[tiab] AND "Inhalation Spacers"[Mesh] OR spacer*[tiab]',
        "operators",
        "mixed-operators",
    ),
    Flaw(
        "NOT with a word that relevant publications may mention",
        "pubmed",
        '("Asthma"[Mesh] OR asthma*[tiab]) AND ("Adult"[Mesh] OR adult*[tiab]) NOT (child[tiab] OR children[tiab])',
        "operators",
        "not-words",
    ),
    Flaw(
        "NOT animals without AND humans",
        "ovid",
        "1. exp Stroke/\n2. stroke*.tw.\n3. 1 or 2\n4. exp Animals/\n5. 3 not 4",
        "operators",
        "not-animals",
    ),
    Flaw(
        "Proximity far too wide",
        "ovid",
        "1. exp Pressure Ulcer/\n2. (pressure adj50 (ulcer* or sore*)).tw.\n3. 1 or 2",
        "operators",
        "wide-proximity",
    ),
    Flaw(
        "Proximity operator of another database",
        "wos",
        'TS=(pressure ADJ3 ulcer*) AND TS=(mattress* OR "support surface*")',
        "operators",
        "unknown-operator",
    ),
    Flaw(
        "Operator inside a phrase",
        "scopus",
        'TITLE-ABS-KEY("delirium AND surgery")',
        "operators",
        "operator-in-quotes",
    ),
    Flaw(
        "Text words without a subject heading",
        "pubmed",
        "(delirium[tiab] OR confusion[tiab]) AND (hospital[tiab] OR hospitals[tiab])",
        "headings",
        "",
    ),
    Flaw(
        "Subject headings without text words",
        "ovid",
        "1. exp Delirium/\n2. exp Hospitals/\n3. hospital*.tw.\n4. 2 or 3\n5. 1 and 4",
        "headings",
        "",
    ),
    Flaw(
        "Heading that is not exploded",
        "pubmed",
        '("Neoplasms"[Mesh:NoExp] OR cancer*[tiab]) AND ("Exercise"[Mesh] OR exercis*[tiab])',
        "headings",
        "not-exploded",
    ),
    Flaw(
        "Heading restricted to the main focus",
        "ebsco",
        '(MM "Delirium" OR TI delirium OR AB delirium) AND (MH "Nurses+" OR TI nurse* OR AB nurse*)',
        "headings",
        "",
    ),
    Flaw(
        "Wildcard in a heading",
        "ovid",
        "1. exp Hypertens*/\n2. hypertens*.tw.\n3. 1 or 2",
        "headings",
        "wildcard-in-heading",
    ),
    Flaw(
        "British spelling only",
        "wos",
        'TS=(behaviour NEAR/3 therap*) AND TS=(insomnia OR sleepless*)',
        "words",
        "missing-variant",
    ),
    Flaw("Truncated too early", "ovid", "1. exp Catheters/\n2. cat*.tw.\n3. 1 or 2", "words", "short-stem"),
    Flaw(
        "The same term twice",
        "scopus",
        "TITLE-ABS-KEY(dementia OR alzheimer* OR dementia) AND TITLE-ABS-KEY(music*)",
        "words",
        "duplicate-term",
    ),
    Flaw(
        "One concept in titles only",
        "ovid",
        "1. exp Dementia/\n2. dementia*.tw.\n3. 1 or 2\n4. (music* or singing).ti.\n5. 3 and 4",
        "words",
        "title-only",
    ),
    Flaw(
        "Misspelt word",
        "pubmed",
        '("Hypertension"[Mesh] OR hypertenson[tiab]) AND ("Exercise"[Mesh] OR exercis*[tiab])',
        "spelling",
        "misspelt-word",
    ),
    Flaw(
        "Line that is never used",
        "ovid",
        "1. exp Asthma/\n2. asthma*.tw.\n3. wheez*.tw.\n4. 1 or 2\n5. exp Steroids/\n6. steroid*.tw.\n7. 5 or 6\n"
        "8. 4 and 7",
        "spelling",
        "unused-line",
    ),
    Flaw(
        "Line that does not exist",
        "ovid",
        "1. exp Asthma/\n2. asthma*.tw.\n3. 1 or 2\n4. exp Steroids/\n5. steroid*.tw.\n6. 4 or 5\n7. 3 and 9",
        "spelling",
        "unknown-line",
    ),
    Flaw(
        "Wrong line combined, one concept left out",
        "ebsco",
        'S1 (MH "Asthma+")\nS2 TI asthma* OR AB asthma*\nS3 S1 OR S2\nS4 (MH "Steroids+")\n'
        "S5 TI steroid* OR AB steroid*\nS6 S4 OR S5\nS7 S3 AND S5",
        "spelling",
        "unused-line",
    ),
    Flaw(
        "Field tag of another database",
        "pubmed",
        '("Asthma"[Mesh] OR asthma*.tw.) AND ("Steroids"[Mesh] OR steroid*[tiab])',
        "spelling",
        "unknown-field",
    ),
    Flaw(
        "Unbalanced brackets",
        "scopus",
        "TITLE-ABS-KEY((asthma* OR wheez*) AND (steroid* OR corticosteroid*)",
        "spelling",
        "unbalanced-bracket",
    ),
    Flaw(
        "Quote that is never closed",
        "pubmed",
        '("Asthma"[Mesh] OR "bronchial asthma[tiab]) AND "Steroids"[Mesh]',
        "spelling",
        "unbalanced-quote",
    ),
    Flaw(
        "Wildcard of another database",
        "pubmed",
        '("Asthma"[Mesh] OR asthma$[tiab]) AND ("Steroids"[Mesh] OR steroid*[tiab])',
        "spelling",
        "foreign-wildcard",
    ),
    Flaw(
        "Operators in lower case",
        "pubmed",
        '("Asthma"[Mesh] or asthma*[tiab]) and ("Steroids"[Mesh] or steroid*[tiab])',
        "spelling",
        "lower-case-operator",
    ),
    Flaw(
        "Curly quotes",
        "wos",
        "TS=(“pressure ulcer*” OR “bed sore*”) AND TS=(mattress*)",
        "spelling",
        "curly-quotes",
    ),
    Flaw(
        "Wildcard where the database ignores it",
        "pubmed",
        '("Asthma"[Mesh] OR *asthma[tiab]) AND ("Steroids"[Mesh] OR steroid*[tiab])',
        "spelling",
        "wildcard-not-allowed",
    ),
    Flaw(
        "Truncated phrase without quotes",
        "pubmed",
        '("Pressure Ulcer"[Mesh] OR pressure ulcer*) AND ("Beds"[Mesh] OR mattress*[tiab])',
        "spelling",
        "wildcard-outside-phrase",
    ),
    Flaw(
        "Language limit without a reason",
        "pubmed",
        '("Asthma"[Mesh] OR asthma*[tiab]) AND ("Steroids"[Mesh] OR steroid*[tiab]) AND english[la]',
        "limits",
        "language-limit",
    ),
    Flaw(
        "Limit joined by OR",
        "ebsco",
        '(MH "Asthma+" OR TI asthma* OR AB asthma*) AND (MH "Steroids+" OR TI steroid* OR AB steroid*) OR PY 2010-2020',
        "limits",
        "limit-in-or",
    ),
    Flaw(
        "Dates in the future",
        "pubmed",
        '("Asthma"[Mesh] OR asthma*[tiab]) AND ("Steroids"[Mesh] OR steroid*[tiab]) AND 2105:3000[dp]',
        "limits",
        "",
    ),
    Flaw(
        "Dates in the wrong order",
        "scopus",
        "TITLE-ABS-KEY(asthma* AND steroid*) AND PUBYEAR > 2019 AND PUBYEAR < 2001",
        "limits",
        "impossible-years",
    ),
    Flaw(
        "Limit applied twice",
        "ovid",
        "1. exp Asthma/\n2. asthma*.tw.\n3. 1 or 2\n4. limit 3 to yr=\"2010-Current\"\n5. exp Steroids/\n"
        "6. steroid*.tw.\n7. 5 or 6\n8. 4 and 7\n9. limit 8 to yr=\"2010-Current\"",
        "limits",
        "duplicate-term",
    ),
    Flaw(
        "Limit to humans, which drops what is not indexed yet",
        "pubmed",
        '("Asthma"[Mesh] OR asthma*[tiab]) AND ("Steroids"[Mesh] OR steroid*[tiab]) AND humans[Mesh]',
        "limits",
        "humans-limit",
    ),
)  # fmt: skip


class CleanString(NamedTuple):
    name: str
    dialect: DialectId
    text: str


CLEAN = (
    CleanString(
        "PubMed, three concepts",
        "pubmed",
        '("Delirium"[Mesh] OR delirium[tiab] OR "acute confusion"[tiab]) AND ("Melatonin"[Mesh] OR melatonin[tiab] OR '
        'ramelteon[tiab]) AND ("Hospitalization"[Mesh] OR hospitali*[tiab] OR inpatient*[tiab])',
    ),
    CleanString(
        "PubMed, sensitive filter for trials",
        "pubmed",
        '("Pressure Ulcer"[Mesh] OR "pressure ulcer*"[tiab] OR bedsore*[tiab] OR "bed sore*"[tiab]) AND '
        '("randomized controlled trial"[pt] OR "controlled clinical trial"[pt] OR randomi*[tiab] OR placebo[tiab] OR '
        '"drug therapy"[sh] OR randomly[tiab] OR trial[tiab] OR groups[tiab]) NOT (animals[mh] NOT humans[mh])',
    ),
    CleanString(
        "PubMed, lines of a search history",
        "pubmed",
        '#1 "Asthma"[Mesh] OR asthma*[tiab] OR wheez*[tiab]\n'
        '#2 "Inhalation Spacers"[Mesh] OR spacer*[tiab] OR "holding chamber*"[tiab]\n'
        '#3 "Emergency Service, Hospital"[Mesh] OR emergenc*[tiab]\n#4 #1 AND #2 AND #3',
    ),
    CleanString(
        "PubMed, with dates",
        "pubmed",
        '("Urban Renewal"[Mesh] OR "green space*"[tiab] OR greenspace*[tiab] OR parks[tiab] OR park[tiab]) AND '
        '("Heat Stress Disorders"[Mesh] OR "heat stress"[tiab] OR "heat wave*"[tiab] OR heatwave*[tiab]) AND '
        "2000:2020[dp]",
    ),
    CleanString(
        "Ovid MEDLINE, two concepts",
        "ovid",
        "1. exp Heart Failure/\n2. (heart adj2 failure*).tw,kf.\n3. (cardiac adj2 (failure* or insufficien*)).tw,kf.\n"
        "4. or/1-3\n5. exp Exercise Therapy/\n6. (exercis* adj3 (train* or program*)).tw,kf.\n7. rehabilitat*.tw,kf.\n"
        "8. or/5-7\n9. 4 and 8",
    ),
    CleanString(
        "Ovid MEDLINE, sensitivity-maximizing filter for trials",
        "ovid",
        "1. exp Schizophrenia/\n2. schizophreni*.tw.\n3. 1 or 2\n4. exp Antipsychotic Agents/\n5. antipsychotic*.tw.\n"
        "6. neuroleptic*.tw.\n7. 4 or 5 or 6\n8. randomized controlled trial.pt.\n9. controlled clinical trial.pt.\n"
        "10. randomi?ed.ab.\n11. placebo.ab.\n12. drug therapy.fs.\n13. randomly.ab.\n14. trial.ab.\n15. groups.ab.\n"
        "16. or/8-15\n17. exp animals/ not humans.sh.\n18. 16 not 17\n19. 3 and 7 and 18",
    ),
    CleanString(
        "Ovid MEDLINE, with hits",
        "ovid",
        "1     exp Dementia/     201345\n2     (dement* or alzheimer*).tw.     240112\n3     1 or 2     300210\n"
        "4     exp Music Therapy/     4100\n5     (music* or singing or song*).tw.     38712\n6     4 or 5     39500\n"
        "7     3 and 6     812",
    ),
    CleanString(
        "Ovid Embase",
        "ovid",
        "1. exp atrial fibrillation/\n2. ((atrial or atrium or auricular) adj3 fibrillat*).ti,ab,kw.\n3. 1 or 2\n"
        "4. exp anticoagulant agent/\n5. (anticoagul* or warfarin or apixaban).ti,ab,kw.\n6. 4 or 5\n7. 3 and 6\n"
        "8. (conference abstract or editorial or letter or note).pt.\n9. 7 not 8",
    ),
    CleanString(
        "Ovid PsycINFO",
        "ovid",
        "1. exp Insomnia/\n2. (insomni* or sleepless*).ti,ab,id.\n3. 1 or 2\n4. exp Cognitive Behavior Therapy/\n"
        "5. (cognitive adj2 (therap* or behavio?r*)).ti,ab,id.\n6. 4 or 5\n7. 3 and 6",
    ),
    CleanString(
        "Embase.com",
        "embase",
        "('heart failure'/exp OR 'heart failure':ti,ab,kw OR ((cardiac NEAR/2 insufficien*):ti,ab,kw)) AND "
        "('telemedicine'/exp OR telemedicine:ti,ab,kw OR telehealth:ti,ab,kw OR ((remote NEAR/2 monitor*):ti,ab,kw))",
    ),
    CleanString(
        "Embase.com, lines",
        "embase",
        "#1 'gout'/exp OR gout*:ti,ab,kw\n#2 'allopurinol'/exp OR allopurinol:ti,ab,kw OR febuxostat:ti,ab,kw\n"
        "#3 #1 AND #2\n#4 [animals]/lim NOT [humans]/lim\n#5 #3 NOT #4",
    ),
    CleanString(
        "CINAHL on EBSCO, lines",
        "ebsco",
        'S1 (MH "Pressure Ulcer+")\nS2 TI ( pressure N2 (ulcer* OR sore*) ) OR AB ( pressure N2 (ulcer* OR sore*) )\n'
        'S3 S1 OR S2\nS4 (MH "Beds and Mattresses+")\nS5 TI mattress* OR AB mattress*\nS6 S4 OR S5\nS7 S3 AND S6',
    ),
    CleanString(
        "CINAHL on EBSCO, one string",
        "ebsco",
        '((MH "Nurses+") OR TI nurse* OR AB nurse*) AND ((MH "Burnout, Professional+") OR TI burnout OR AB burnout OR '
        'TI "compassion fatigue" OR AB "compassion fatigue")',
    ),
    CleanString(
        "Web of Science",
        "wos",
        'TS=("heat island*" OR (urban NEAR/3 heat*)) AND TS=(tree* OR "green roof*" OR vegetation) AND '
        "TS=(temperature* OR cooling)",
    ),
    CleanString(
        "Web of Science, lines",
        "wos",
        '#1 TS=(telehealth OR telemedicine OR "remote consultation*")\n#2 TS=(rural OR remote)\n'
        "#3 TS=(antenatal OR prenatal OR pregnan*)\n#4 #1 AND #2 AND #3",
    ),
    CleanString(
        "Scopus",
        "scopus",
        'TITLE-ABS-KEY("machine learning" OR "deep learning") AND TITLE-ABS-KEY(sepsis OR septic*) AND '
        "TITLE-ABS-KEY(predict* OR warning)",
    ),
    CleanString(
        "Scopus, with years and proximity",
        "scopus",
        "TITLE-ABS-KEY((school* W/3 garden*) AND (nutrition* OR diet* OR vegetable*)) AND PUBYEAR > 1999",
    ),
    CleanString(
        "Cochrane Library, lines",
        "cochrane",
        "#1 MeSH descriptor: [Migraine Disorders] explode all trees\n#2 (migrain*):ti,ab,kw\n#3 #1 OR #2\n"
        "#4 MeSH descriptor: [Acupuncture Therapy] explode all trees\n#5 (acupunct* OR electroacupunct*):ti,ab,kw\n"
        "#6 #4 OR #5\n#7 #3 AND #6",
    ),
    CleanString(
        "ProQuest",
        "proquest",
        'noft("domestic violence" OR (partner NEAR/3 (abuse OR violence))) AND noft(shelter* OR refuge*) AND '
        "noft(child OR children OR adolescen*)",
    ),
    CleanString(
        "Short query for a broad scan",
        "pubmed",
        '("Sepsis"[Mesh] OR sepsis[tiab] OR septic*[tiab]) AND ("Procalcitonin"[Mesh] OR procalcitonin[tiab])',
    ),
)
