"""The two letters that stand for a MeSH subheading: Ovid writes them, PubMed writes the name."""

from __future__ import annotations

_NAMES = """
ab abnormalities|ad administration & dosage|ae adverse effects|ag agonists|aa analogs & derivatives|an analysis
ah anatomy & histology|ai antagonists & inhibitors|bi biosynthesis|bs blood supply|bl blood|cf cerebrospinal fluid
ch chemistry|ci chemically induced|cs chemical synthesis|cl classification|co complications|cn congenital
cy cytology|df deficiency|di diagnosis|dg diagnostic imaging|dh diet therapy|de drug effects|dt drug therapy
ec economics|ed education|em embryology|en enzymology|ep epidemiology|es ethics|eh ethnology|et etiology
ge genetics|gd growth & development|hi history|im immunology|in injuries|ir innervation|ip instrumentation
is isolation & purification|lj legislation & jurisprudence|me metabolism|mt methods|mi microbiology|mo mortality
nu nursing|og organization & administration|ps parasitology|py pathogenicity|pa pathology|pk pharmacokinetics
pd pharmacology|pp physiopathology|ph physiology|po poisoning|pc prevention & control|px psychology|re radiation effects
rt radiotherapy|rh rehabilitation|sc secondary|st standards|sn statistics & numerical data|sd supply & distribution
su surgery|tu therapeutic use|th therapy|to toxicity|tm transmission|tr transplantation|td trends|ul ultrastructure
ur urine|ut utilization|ve veterinary|vi virology
"""
CODES = {name: code for pair in _NAMES.replace("\n", "|").split("|") if pair for code, name in [pair.split(" ", 1)]}
"""Two letters for each name, in lower case."""


def code_of(name: str) -> str:
    """The two letters; what has none stays.

    >>> code_of("Adverse Effects"), code_of("prevention and control"), code_of("ae")
    ('ae', 'pc', 'ae')
    """
    plain = " ".join(name.lower().replace(" and ", " & ").split())
    return CODES.get(plain, plain)
