"""Published search filters with their sources, and their insertion into a search string."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from core.errors import InputError, NotFoundError
from core.query.adaptation import Loss
from core.query.dialects import DIALECTS
from core.query.equivalence import same
from core.query.match import Bits, Corpus, Semantics, count, match, none_of
from core.query.parser import parse
from core.query.translation import reading_summary, translate
from core.query.tree import DialectId, Node, Not, ParsedQuery, group_of


@dataclass(frozen=True, slots=True)
class PublishedFilter:
    filter_id: str
    name: str
    finds: str
    dialect: DialectId
    text: str
    """As published; numbered lines are joined with brackets."""
    citation: str
    address: str
    is_excluded: bool = False
    """The filter describes publications to leave out: it is inserted with NOT."""
    variants: tuple[str, ...] = ()
    """Other wordings in circulation, which are recognised too."""
    is_second_hand: bool = False
    """The wording was not compared with the publication that is cited."""

    @property
    def source(self) -> str:
        """Return the citation, with a warning if the wording is second-hand."""
        return f"{self.citation} {SECOND_HAND}" if self.is_second_hand else self.citation


SECOND_HAND = "The wording comes from copies in use: compare it with this source before you cite it."


_HANDBOOK = (
    "Lefebvre C, Glanville J, Briscoe S, et al. Technical Supplement to Chapter 4: Searching for and selecting studies."
    " In: Higgins JPT, et al. (eds). Cochrane Handbook for Systematic Reviews of Interventions. Cochrane."
)
_HANDBOOK_AT = (
    "https://training.cochrane.org/handbook/current/chapter-04-technical-supplement-searching-and-selecting-studies"
)
_HSSS = (
    "Lefebvre C, Manheimer E, Glanville J. Chapter 6: Searching for studies. In: Higgins JPT, Green S (eds). Cochrane"
    " Handbook for Systematic Reviews of Interventions, version 5.1.0. Cochrane, 2011, section 6.4.11."
)
_HSSS_AT = "http://handbook-5-1.cochrane.org"
_QUERIES = (
    "National Library of Medicine. Clinical Queries Filters. In: PubMed Help (NBK3827), after Haynes RB, Wilczynski NL,"
    " et al., Health Information Research Unit, McMaster University."
)
_QUERIES_AT = "https://www.ncbi.nlm.nih.gov/books/NBK3827/"
_TREATMENT = (
    "Haynes RB, McKibbon KA, Wilczynski NL, Walter SD, Werre SR. Optimal search strategies for retrieving"
    " scientifically strong studies of treatment from Medline. BMJ 2005;330:1179."
)
_TREATMENT_AT = "https://doi.org/10.1136/bmj.38446.498542.8F"
_DIAGNOSIS = (
    "Haynes RB, Wilczynski NL. Optimal search strategies for retrieving scientifically strong studies of diagnosis from"
    " Medline. BMJ 2004;328:1040."
)
_DIAGNOSIS_AT = "https://doi.org/10.1136/bmj.38068.557998.EE"
_PROGNOSIS = (
    "Wilczynski NL, Haynes RB. Developing optimal search strategies for detecting clinically sound prognostic studies"
    " in MEDLINE. BMC Medicine 2004;2:23."
)
_PROGNOSIS_AT = "https://doi.org/10.1186/1741-7015-2-23"
_REVIEWS = (
    "Montori VM, Wilczynski NL, Morgan D, Haynes RB. Optimal search strategies for retrieving systematic reviews from"
    " Medline. BMJ 2005;330:68."
)
_REVIEWS_AT = "https://doi.org/10.1136/bmj.38336.804167.47"
_EMBASE_DIAGNOSIS = (
    "Wilczynski NL, Haynes RB, Hedges Team. EMBASE search strategies for identifying methodologically sound diagnostic"
    " studies for use by clinicians and researchers. BMC Medicine 2005;3:7."
)
_EMBASE_DIAGNOSIS_AT = "https://doi.org/10.1186/1741-7015-3-7"
_EMBASE_CAUSATION = (
    "Haynes RB, Kastner M, Wilczynski NL, Hedges Team. Developing optimal search strategies for detecting clinically"
    " sound and relevant causation studies in EMBASE. BMC Med Inform Decis Mak 2005;5:8."
)
_EMBASE_CAUSATION_AT = "https://doi.org/10.1186/1472-6947-5-8"
_EMBASE_PROGNOSIS = (
    "Wilczynski NL, Haynes RB. Optimal search strategies for identifying clinically sound prognostic studies in EMBASE:"
    " an analytic survey. J Am Med Inform Assoc 2005;12:481-485."
)
_EMBASE_PROGNOSIS_AT = "https://doi.org/10.1197/jamia.M1752"
_HARVARD = (
    "Harvard Library. Systematic Reviews and Meta Analysis: Filters for Non-randomized and Observational Designs,"
    " after Furlan AD, Irvin E, Bombardier C. J Clin Epidemiol 2006;59:1303-1311."
)
_HARVARD_AT = "https://guides.library.harvard.edu/c.php?g=309982&p=2079546"

_ALL = (
    PublishedFilter(
        "cochrane-rct-sensitive-pubmed",
        "Cochrane HSSS, sensitivity-maximizing (PubMed)",
        "Randomized trials",
        "pubmed",
        "(randomized controlled trial[pt] OR controlled clinical trial[pt] OR randomized[tiab] OR placebo[tiab] OR"
        " drug therapy[sh] OR randomly[tiab] OR trial[tiab] OR groups[tiab]) NOT (animals[mh] NOT humans[mh])",
        _HSSS,
        _HSSS_AT,
    ),
    PublishedFilter(
        "cochrane-rct-precise-pubmed",
        "Cochrane HSSS, sensitivity- and precision-maximizing (PubMed)",
        "Randomized trials",
        "pubmed",
        "(randomized controlled trial[pt] OR controlled clinical trial[pt] OR randomized[tiab] OR placebo[tiab] OR"
        " clinical trials as topic[mesh:noexp] OR randomly[tiab] OR trial[ti]) NOT (animals[mh] NOT humans[mh])",
        _HSSS,
        _HSSS_AT,
    ),
    PublishedFilter(
        "cochrane-rct-sensitive-ovid",
        "Cochrane HSSS, sensitivity-maximizing (Ovid MEDLINE)",
        "Randomized trials",
        "ovid",
        "(randomized controlled trial.pt. or controlled clinical trial.pt. or randomized.ab. or placebo.ab. or"
        " drug therapy.fs. or randomly.ab. or trial.ab. or groups.ab.) not (exp animals/ not humans.sh.)",
        _HSSS,
        _HSSS_AT,
    ),
    PublishedFilter(
        "cochrane-rct-precise-ovid",
        "Cochrane HSSS, sensitivity- and precision-maximizing (Ovid MEDLINE)",
        "Randomized trials",
        "ovid",
        "(randomized controlled trial.pt. or controlled clinical trial.pt. or randomized.ab. or placebo.ab. or"
        " clinical trials as topic.sh. or randomly.ab. or trial.ti.) not (exp animals/ not humans.sh.)",
        _HSSS,
        _HSSS_AT,
    ),
    PublishedFilter(
        "cochrane-rct-cinahl",
        "Cochrane CINAHL RCT filter (EBSCOhost)",
        "Randomized trials",
        "ebsco",
        '(MH "randomized controlled trials" OR MH "double-blind studies" OR MH "single-blind studies" OR'
        ' MH "random assignment" OR MH "pretest-posttest design" OR MH "cluster sample" OR'
        " TI (randomised OR randomized) OR AB random* OR TI trial OR"
        ' (MH "sample size" AND AB (assigned OR allocated OR control)) OR MH "placebos" OR'
        ' PT "randomized controlled trial" OR AB (control W5 group) OR MH "crossover design" OR'
        ' MH "comparative studies" OR AB (cluster W3 RCT)) NOT'
        ' ((MH "animals+" OR MH "animal studies" OR TI (animal model*)) NOT MH "human")',
        "Glanville J, Dooley G, Wisniewski S, Foxlee R, Noel-Storr A. Development of a search filter to identify"
        " reports of controlled clinical trials within CINAHL Plus. Health Info Libr J 2019;36:73-90.",
        "https://doi.org/10.1111/hir.12251",
        is_second_hand=True,
    ),
    PublishedFilter(
        "cochrane-rct-embase",
        "Cochrane Embase RCT filter (Embase.com)",
        "Randomized trials",
        "embase",
        "('randomized controlled trial'/exp OR 'controlled clinical trial'/de OR random*:ti,ab,tt OR"
        " 'randomization'/de OR 'intermethod comparison'/de OR placebo:ti,ab,tt OR compare:ti,tt OR compared:ti,tt OR"
        " comparison:ti,tt OR ((evaluated:ab OR evaluate:ab OR evaluating:ab OR assessed:ab OR assess:ab) AND"
        " (compare:ab OR compared:ab OR comparing:ab OR comparison:ab)) OR (open NEXT/1 label):ti,ab,tt OR ((double OR"
        " single OR doubly OR singly) NEXT/1 (blind OR blinded OR blindly)):ti,ab,tt OR 'double blind procedure'/de OR"
        " (parallel NEXT/1 group*):ti,ab,tt OR crossover:ti,ab,tt OR 'cross over':ti,ab,tt OR ((assign* OR match OR"
        " matched OR allocation) NEAR/6 (alternate OR group OR groups OR intervention OR interventions OR patient OR"
        " patients OR subject OR subjects OR participant OR participants)):ti,ab,tt OR assigned:ti,ab,tt OR"
        " allocated:ti,ab,tt OR (controlled NEAR/8 (study OR design OR trial)):ti,ab,tt OR volunteer:ti,ab,tt OR"
        " volunteers:ti,ab,tt OR 'human experiment'/de OR trial:ti,tt) NOT ((((random* NEXT/1 sampl* NEAR/8 ('cross"
        " section*' OR questionnaire* OR survey OR surveys OR database OR databases)):ti,ab,tt) NOT ('comparative"
        " study'/de OR 'controlled study'/de OR 'randomised controlled':ti,ab,tt OR 'randomized controlled':ti,ab,tt"
        " OR 'randomly assigned':ti,ab,tt)) OR ('cross-sectional study'/de NOT ('randomized controlled trial'/exp OR"
        " 'controlled clinical trial'/de OR 'controlled study'/de OR 'randomised controlled':ti,ab,tt OR 'randomized"
        " controlled':ti,ab,tt OR 'control group':ti,ab,tt OR 'control groups':ti,ab,tt)) OR ('case control*':ti,ab,tt"
        " AND random*:ti,ab,tt NOT ('randomised controlled':ti,ab,tt OR 'randomized controlled':ti,ab,tt)) OR"
        " ('systematic review':ti,tt NOT (trial:ti,tt OR study:ti,tt)) OR (nonrandom*:ti,ab,tt NOT random*:ti,ab,tt)"
        " OR 'random field*':ti,ab,tt OR ('random cluster' NEAR/4 sampl*):ti,ab,tt OR (review:ab AND review:it NOT"
        " trial:ti,tt) OR ('we searched':ab AND (review:ti,tt OR review:it)) OR 'update review':ab OR (databases"
        " NEAR/5 searched):ab OR ((rat:ti,tt OR rats:ti,tt OR mouse:ti,tt OR mice:ti,tt OR swine:ti,tt OR"
        " porcine:ti,tt OR murine:ti,tt OR sheep:ti,tt OR lambs:ti,tt OR pigs:ti,tt OR piglets:ti,tt OR rabbit:ti,tt"
        " OR rabbits:ti,tt OR cat:ti,tt OR cats:ti,tt OR dog:ti,tt OR dogs:ti,tt OR cattle:ti,tt OR bovine:ti,tt OR"
        " monkey:ti,tt OR monkeys:ti,tt OR trout:ti,tt OR marmoset*:ti,tt) AND 'animal experiment'/de) OR ('animal"
        " experiment'/de NOT ('human experiment'/de OR 'human'/de)))",
        _HANDBOOK,
        _HANDBOOK_AT,
        is_second_hand=True,
    ),
    PublishedFilter(
        "animals-pubmed",
        "Studies in animals without humans (PubMed)",
        "Studies in animals alone, to leave out",
        "pubmed",
        "animals[mh] NOT humans[mh]",
        _HANDBOOK,
        _HANDBOOK_AT,
        is_excluded=True,
    ),
    PublishedFilter(
        "animals-ovid",
        "Studies in animals without humans (Ovid MEDLINE)",
        "Studies in animals alone, to leave out",
        "ovid",
        "exp animals/ not humans.sh.",
        _HANDBOOK,
        _HANDBOOK_AT,
        is_excluded=True,
    ),
    PublishedFilter(
        "queries-therapy-sensitive-pubmed",
        "Clinical Queries: therapy, sensitive (PubMed)",
        "Studies of treatment",
        "pubmed",
        "(clinical[Title/Abstract] AND trial[Title/Abstract]) OR clinical trials as topic[MeSH Terms] OR clinical"
        " trial[Publication Type] OR random*[Title/Abstract] OR random allocation[MeSH Terms] OR therapeutic use[MeSH"
        " Subheading]",
        _QUERIES,
        _QUERIES_AT,
    ),
    PublishedFilter(
        "queries-therapy-specific-pubmed",
        "Clinical Queries: therapy, specific (PubMed)",
        "Studies of treatment",
        "pubmed",
        "randomized controlled trial[Publication Type] OR (randomized[Title/Abstract] AND controlled[Title/Abstract]"
        " AND trial[Title/Abstract])",
        _QUERIES,
        _QUERIES_AT,
    ),
    PublishedFilter(
        "queries-diagnosis-sensitive-pubmed",
        "Clinical Queries: diagnosis, sensitive (PubMed)",
        "Studies of diagnosis",
        "pubmed",
        "sensitiv*[Title/Abstract] OR sensitivity and specificity[MeSH Terms] OR diagnose[Title/Abstract] OR"
        " diagnosed[Title/Abstract] OR diagnoses[Title/Abstract] OR diagnosing[Title/Abstract] OR"
        " diagnosis[Title/Abstract] OR diagnostic[Title/Abstract] OR diagnosis[MeSH:noexp] OR (diagnostic"
        " equipment[MeSH:noexp] OR diagnostic errors[MeSH:noexp] OR diagnostic imaging[MeSH:noexp] OR diagnostic"
        " services[MeSH:noexp]) OR diagnosis, differential[MeSH:noexp] OR diagnosis[Subheading:noexp]",
        _QUERIES,
        _QUERIES_AT,
    ),
    PublishedFilter(
        "queries-diagnosis-specific-pubmed",
        "Clinical Queries: diagnosis, specific (PubMed)",
        "Studies of diagnosis",
        "pubmed",
        "specificity[Title/Abstract]",
        _QUERIES,
        _QUERIES_AT,
    ),
    PublishedFilter(
        "queries-etiology-sensitive-pubmed",
        "Clinical Queries: etiology, sensitive (PubMed)",
        "Studies of causes and risks",
        "pubmed",
        "risk*[Title/Abstract] OR risk*[MeSH:noexp] OR (risk adjustment[MeSH:noexp] OR risk assessment[MeSH:noexp] OR"
        " risk factors[MeSH:noexp] OR risk management[MeSH:noexp] OR risk taking[MeSH:noexp]) OR cohort studies[MeSH"
        " Terms] OR group[Text Word] OR groups[Text Word] OR grouped [Text Word]",
        _QUERIES,
        _QUERIES_AT,
    ),
    PublishedFilter(
        "queries-etiology-specific-pubmed",
        "Clinical Queries: etiology, specific (PubMed)",
        "Studies of causes and risks",
        "pubmed",
        "(relative[Title/Abstract] AND risk*[Title/Abstract]) OR (relative risk[Text Word]) OR risks[Text Word] OR"
        " cohort studies[MeSH:noexp] OR (cohort[Title/Abstract] AND study[Title/Abstract]) OR (cohort[Title/Abstract]"
        " AND studies[Title/Abstract])",
        _QUERIES,
        _QUERIES_AT,
    ),
    PublishedFilter(
        "queries-prognosis-sensitive-pubmed",
        "Clinical Queries: prognosis, sensitive (PubMed)",
        "Studies of prognosis",
        "pubmed",
        "incidence[MeSH:noexp] OR mortality[MeSH Terms] OR follow up studies[MeSH:noexp] OR prognos*[Text Word] OR"
        " predict*[Text Word] OR course*[Text Word]",
        _QUERIES,
        _QUERIES_AT,
    ),
    PublishedFilter(
        "queries-prognosis-specific-pubmed",
        "Clinical Queries: prognosis, specific (PubMed)",
        "Studies of prognosis",
        "pubmed",
        "prognos*[Title/Abstract] OR (first[Title/Abstract] AND episode[Title/Abstract]) OR cohort[Title/Abstract]",
        _QUERIES,
        _QUERIES_AT,
    ),
    PublishedFilter(
        "queries-prediction-sensitive-pubmed",
        "Clinical Queries: clinical prediction guides, sensitive (PubMed)",
        "Clinical prediction guides",
        "pubmed",
        "predict*[tiab] OR predictive value of tests[mh] OR score[tiab] OR scores[tiab] OR scoring system[tiab] OR"
        " scoring systems[tiab] OR observ*[tiab] OR observer variation[mh]",
        _QUERIES,
        _QUERIES_AT,
    ),
    PublishedFilter(
        "queries-prediction-specific-pubmed",
        "Clinical Queries: clinical prediction guides, specific (PubMed)",
        "Clinical prediction guides",
        "pubmed",
        "validation[tiab] OR validate[tiab]",
        _QUERIES,
        _QUERIES_AT,
    ),
    PublishedFilter(
        "hedges-therapy-sensitive-ovid",
        "Hedges: therapy, best sensitivity (Ovid MEDLINE)",
        "Studies of treatment",
        "ovid",
        "clinical trial.mp. or clinical trial.pt. or random:.mp. or tu.xs.",
        _TREATMENT,
        _TREATMENT_AT,
    ),
    PublishedFilter(
        "hedges-therapy-specific-ovid",
        "Hedges: therapy, best specificity (Ovid MEDLINE)",
        "Studies of treatment",
        "ovid",
        "randomized controlled trial.mp. or randomized controlled trial.pt.",
        _TREATMENT,
        _TREATMENT_AT,
    ),
    PublishedFilter(
        "hedges-therapy-balanced-ovid",
        "Hedges: therapy, best balance (Ovid MEDLINE)",
        "Studies of treatment",
        "ovid",
        "randomized controlled trial.pt. or randomized.mp. or placebo.mp.",
        _TREATMENT,
        _TREATMENT_AT,
    ),
    PublishedFilter(
        "hedges-diagnosis-sensitive-ovid",
        "Hedges: diagnosis, best sensitivity (Ovid MEDLINE)",
        "Studies of diagnosis",
        "ovid",
        "sensitiv:.mp. or diagnos:.mp. or di.fs.",
        _DIAGNOSIS,
        _DIAGNOSIS_AT,
    ),
    PublishedFilter(
        "hedges-diagnosis-specific-ovid",
        "Hedges: diagnosis, best specificity (Ovid MEDLINE)",
        "Studies of diagnosis",
        "ovid",
        "specificity.tw.",
        _DIAGNOSIS,
        _DIAGNOSIS_AT,
        is_second_hand=True,
    ),
    PublishedFilter(
        "hedges-prognosis-sensitive-ovid",
        "Hedges: prognosis, best sensitivity (Ovid MEDLINE)",
        "Studies of prognosis",
        "ovid",
        "incidence.sh. or exp mortality/ or follow-up studies.sh. or prognos:.tw. or predict:.tw. or course:.tw.",
        _PROGNOSIS,
        _PROGNOSIS_AT,
    ),
    PublishedFilter(
        "hedges-prognosis-specific-ovid",
        "Hedges: prognosis, best specificity (Ovid MEDLINE)",
        "Studies of prognosis",
        "ovid",
        "prognos:.tw. or first episode.tw. or cohort.tw.",
        _PROGNOSIS,
        _PROGNOSIS_AT,
    ),
    PublishedFilter(
        "hedges-prognosis-balanced-ovid",
        "Hedges: prognosis, best balance (Ovid MEDLINE)",
        "Studies of prognosis",
        "ovid",
        "prognosis.sh. or diagnosed.tw. or cohort:.mp. or predictor:.tw. or death.tw. or exp models, statistical/",
        _PROGNOSIS,
        _PROGNOSIS_AT,
    ),
    PublishedFilter(
        "hedges-reviews-sensitive-ovid",
        "Hedges: systematic reviews, best sensitivity (Ovid MEDLINE)",
        "Systematic reviews",
        "ovid",
        "search:.tw. or meta-analysis.mp,pt. or review.pt. or di.xs. or associated.tw.",
        _REVIEWS,
        _REVIEWS_AT,
        variants=("search:.tw. or meta analysis.mp,pt. or review.pt. or di.xs. or associated.tw.",),
    ),
    PublishedFilter(
        "hedges-reviews-balanced-ovid",
        "Hedges: systematic reviews, best balance (Ovid MEDLINE)",
        "Systematic reviews",
        "ovid",
        "meta-analysis.mp,pt. or review.pt. or search:.tw.",
        _REVIEWS,
        _REVIEWS_AT,
        variants=("meta analysis.mp,pt. or review.pt. or search:.tw.",),
    ),
    PublishedFilter(
        "hedges-diagnosis-sensitive-embase",
        "Hedges: diagnosis, best sensitivity (Ovid Embase)",
        "Studies of diagnosis",
        "ovid",
        "di.fs. or predict:.tw. or specificity.tw.",
        _EMBASE_DIAGNOSIS,
        _EMBASE_DIAGNOSIS_AT,
    ),
    PublishedFilter(
        "hedges-diagnosis-precise-embase",
        "Hedges: diagnosis, high specificity with more sensitivity (Ovid Embase)",
        "Studies of diagnosis",
        "ovid",
        "specificity.tw. or accurac:.tw.",
        _EMBASE_DIAGNOSIS,
        _EMBASE_DIAGNOSIS_AT,
    ),
    PublishedFilter(
        "hedges-etiology-specific-embase",
        "Hedges: causation, best specificity (Ovid Embase)",
        "Studies of causes and risks",
        "ovid",
        "cohort.tw. or relative risk:.tw.",
        _EMBASE_CAUSATION,
        _EMBASE_CAUSATION_AT,
    ),
    PublishedFilter(
        "hedges-etiology-balanced-embase",
        "Hedges: causation, best balance (Ovid Embase)",
        "Studies of causes and risks",
        "ovid",
        "risk.tw. or mortalit:.tw. or cohort.tw.",
        _EMBASE_CAUSATION,
        _EMBASE_CAUSATION_AT,
    ),
    PublishedFilter(
        "hedges-prognosis-specific-embase",
        "Hedges: prognosis, best specificity (Ovid Embase)",
        "Studies of prognosis",
        "ovid",
        "prognos:.tw. or survival.tw.",
        _EMBASE_PROGNOSIS,
        _EMBASE_PROGNOSIS_AT,
    ),
    PublishedFilter(
        "hedges-prognosis-balanced-embase",
        "Hedges: prognosis, best balance (Ovid Embase)",
        "Studies of prognosis",
        "ovid",
        "follow-up.mp. or prognos:.tw. or ep.fs.",
        _EMBASE_PROGNOSIS,
        _EMBASE_PROGNOSIS_AT,
    ),
    PublishedFilter(
        "sign-observational-ovid",
        "SIGN observational studies (Ovid MEDLINE)",
        "Observational studies",
        "ovid",
        "Epidemiologic studies/ or exp case control studies/ or exp cohort studies/ or Case control.tw. or (cohort adj"
        " (study or studies)).tw. or Cohort analy$.tw. or (Follow up adj (study or studies)).tw. or (observational adj"
        " (study or studies)).tw. or Longitudinal.tw. or Retrospective.tw. or Cross sectional.tw. or Cross-sectional"
        " studies/",
        "Scottish Intercollegiate Guidelines Network. Search filters: observational studies, Medline.",
        "https://www.sign.ac.uk/using-our-guidelines/methodology/search-filters/",
        is_second_hand=True,
    ),
    PublishedFilter(
        "observational-pubmed",
        "Harvard Library: observational studies (PubMed)",
        "Observational studies",
        "pubmed",
        '"cohort studies"[mesh] OR "case-control studies"[mesh] OR "comparative study"[pt] OR "risk factors"[mesh] OR'
        ' "cohort"[tw] OR "compared"[tw] OR "groups"[tw] OR "case control"[tw] OR "multivariate"[tw]',
        _HARVARD,
        _HARVARD_AT,
    ),
    PublishedFilter(
        "observational-embase",
        "Harvard Library: observational studies (Embase.com)",
        "Observational studies",
        "embase",
        "'clinical article'/exp OR 'controlled study'/exp OR 'major clinical study'/exp OR 'prospective study'/exp OR"
        " 'cohort analysis'/exp OR 'cohort':ti,ab OR 'compared':ti,ab OR 'groups':ti,ab OR 'case control':ti,ab OR"
        " 'multivariate':ti,ab",
        _HARVARD,
        _HARVARD_AT,
    ),
    PublishedFilter(
        "qualitative-pubmed",
        "Duke University: qualitative research (PubMed)",
        "Qualitative research",
        "pubmed",
        "qualitative research [MeSH] OR qualitative[tiab] OR themes[tiab]",
        "Duke University Medical Center Library. Qualitative Research: Database Search Filters for Qualitative Health"
        " Research, after the Health Services Research Queries of the National Library of Medicine.",
        "https://guides.mclibrary.duke.edu/qualitative/strategies",
    ),
    PublishedFilter(
        "systematic-reviews-pubmed",
        "Systematic reviews subset (PubMed)",
        "Systematic reviews",
        "pubmed",
        "systematic[sb]",
        "National Library of Medicine. Search Strategy Used to Create the PubMed Systematic Reviews Filter.",
        "https://www.nlm.nih.gov/bsd/pubmed_subsets/sysreviews_strategy.html",
    ),
    PublishedFilter(
        "children-alone-pubmed",
        "Studies in children without adults (PubMed)",
        "Studies in children alone, to leave out where adults are wanted",
        "pubmed",
        '("Adolescent"[Mesh] OR "Child"[Mesh] OR "Infant"[Mesh] OR adolescen*[tiab] OR child*[tiab] OR'
        " schoolchild*[tiab] OR infant*[tiab] OR girl*[tiab] OR boy[tiab] OR boys[tiab] OR boyhood[tiab] OR teen[tiab]"
        " OR teens[tiab] OR teenager*[tiab] OR youth*[tiab] OR pediatr*[tiab] OR paediatr*[tiab] OR puber*[tiab]) NOT"
        ' ("Adult"[Mesh] OR adult*[tiab] OR man[tiab] OR men[tiab] OR woman[tiab] OR women[tiab])',
        "University Library, Vrije Universiteit Amsterdam. A roadmap for searching literature in PubMed: Filters.",
        "https://libguides.vu.nl/PMroadmap/filters",
        is_excluded=True,
    ),
    PublishedFilter(
        "children-pubmed",
        "Children and adolescents (PubMed)",
        "Studies of children, by age",
        "pubmed",
        "Infan* OR toddler* OR minors OR minors* OR boy OR boys OR boyfriend OR boyhood OR girl* OR kid OR kids OR"
        " child OR child* OR children* OR schoolchild* OR schoolchild OR school child[tiab] OR school child*[tiab] OR"
        " adolescen* OR juvenil* OR youth* OR teen* OR under*age* OR pubescen* OR pediatrics[mh] OR pediatric* OR"
        " paediatric* OR peadiatric* OR school[tiab] OR school*[tiab] OR prematur* OR preterm*",
        "Leclercq E, Leeflang MMG, van Dalen EC, Kremer LCM. Validation of search filters for identifying pediatric"
        " studies in PubMed. J Pediatr 2013;162:629-634.",
        "https://doi.org/10.1016/j.jpeds.2012.09.012",
    ),
)
FILTERS: Mapping[str, PublishedFilter] = MappingProxyType({each.filter_id: each for each in _ALL})


def filter_named(filter_id: str) -> PublishedFilter:
    if filter_id not in FILTERS:
        raise NotFoundError(f'unknown filter "{filter_id}": list the filters with `query filters`')
    return FILTERS[filter_id]


# Insertion: the search string, the operator and the filter, each in brackets, in the dialect of the string.

_NUMBERED = re.compile(r"^([ \t]*(?:S|#)?)(\d+)([.:)]?[ \t]+)", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FilterInsertion:
    text: str
    """The search string with the filter."""
    filter_text: str
    """The filter in the dialect of the string."""
    dialect: DialectId
    losses: tuple[Loss, ...] = ()
    """What the filter loses in this dialect; places are those in the published text."""


def insert_filter(parsed: ParsedQuery, published: PublishedFilter) -> FilterInsertion:
    """Join a search string and a filter with AND, or with NOT for a filter that describes what to leave out.

    >>> insert_filter(parse("heat[ti] OR cold[ti]", "pubmed"), FILTERS["animals-pubmed"]).text
    '(heat[ti] OR cold[ti]) NOT (animals[mh] NOT humans[mh])'
    """
    if parsed.kind == "question":
        raise InputError("a filter can't be added to a question: write it with words and operators first")
    if parsed.root is None:
        raise InputError("there is no search string to add the filter to: type at least one word")
    if mistakes := reading_summary(parsed):
        raise InputError(f"fix the search string before you add a filter. {mistakes}")
    filter_text, losses = in_dialect(published.filter_id, parsed.dialect)
    if published.is_excluded and losses:  # it would exclude more than its own, such as studies in animals and humans
        label = DIALECTS[parsed.dialect].label
        raise InputError(
            f"{label} can't express this filter exactly, so it would also leave out studies in humans: "
            "exclude studies in animals when you screen"
        )
    filter_root = parse(filter_text, parsed.dialect).root if filter_text else None
    if filter_root is None:
        raise InputError(f"{DIALECTS[parsed.dialect].label} can't express any part of this filter")
    expected = group_of("AND", (parsed.root, Not(filter_root) if published.is_excluded else filter_root))
    for text in _joined(parsed, filter_text, is_excluded=published.is_excluded):
        again = parse(text, parsed.dialect)
        if again.root is not None and not reading_summary(again) and same(expected, again.root):
            return FilterInsertion(text, filter_text, parsed.dialect, losses)
    raise InputError("the filter can't be joined to this search string: write the string on one line and try again")


def _joined(parsed: ParsedQuery, filter_text: str, *, is_excluded: bool) -> Iterator[str]:
    """Yield ways to write both: on lines of their own after a numbered history, then on one line."""
    word = DIALECTS[parsed.dialect].not_word if is_excluded else "AND"
    numbers = list(_NUMBERED.finditer(parsed.text))
    if len(parsed.lines) > 1 and numbers:
        sign, number, gap = numbers[-1][1], int(numbers[-1][2]), numbers[-1][3]
        by = sign.strip()
        added = f"{sign}{number + 1}{gap}{filter_text}\n{sign}{number + 2}{gap}{by}{number} {word} {by}{number + 1}"
        yield f"{parsed.text.rstrip()}\n{added}"
    yield f"({parsed.text.strip()}) {word} ({filter_text})"


@cache
def in_dialect(filter_id: str, dialect: DialectId) -> tuple[str, tuple[Loss, ...]]:
    """Return the filter in a dialect, and its losses there; as published in its own."""
    published = FILTERS[filter_id]
    if dialect == published.dialect:
        return published.text, ()
    translation = translate(parse(published.text, published.dialect), dialect)
    return translation.text, translation.losses


# The effect on the publications of a topic.


@dataclass(frozen=True, slots=True)
class FilterPrice:
    n_before: int
    n_after: int
    n_core_before: int
    n_core_after: int
    untestable: tuple[str, ...] = ()
    """Parts of the filter that a corpus of titles and abstracts can't test; they are left out of the counts."""
    is_testable: bool = True
    """False: no part of the filter can be tested, so the counts don't change."""


def price_filter(
    parsed: ParsedQuery, insertion: FilterInsertion, corpus: Corpus, semantics: Semantics, core: Bits
) -> FilterPrice:
    """Count hits and core publications over a corpus, with and without the filter."""
    filter_root = parse(insertion.filter_text, insertion.dialect).root
    after_root = parse(insertion.text, insertion.dialect).root
    if parsed.root is None or filter_root is None or after_root is None:
        raise InputError("there is nothing to count: add the filter to a search string first")
    before = _set(parsed.root, corpus, semantics)
    after = _set(after_root, corpus, semantics)
    alone = match(filter_root, corpus, semantics)
    leaves = [alone.nodes[i] for i in sorted(alone.untestable)]
    words = tuple(dict.fromkeys(leaf.extent.of(insertion.filter_text).strip() for leaf in leaves))
    return FilterPrice(
        count(before), count(after), count(before & core), count(after & core), words, alone.root is not None
    )


def _set(root: Node, corpus: Corpus, semantics: Semantics) -> Bits:
    found = match(root, corpus, semantics).root
    return none_of(len(corpus.ids)) if found is None else found


# Recognition in a search string.


@cache
def _wordings() -> tuple[tuple[str, PublishedFilter], ...]:
    texts = ((_plain(text), each) for each in FILTERS.values() for text in (each.text, *each.variants))
    return tuple(sorted(texts, key=lambda pair: -len(pair[0])))


def _plain(text: str) -> str:
    """Return a text without what changes nothing: case, spaces beside brackets, line ends."""
    text = re.sub(r"\s+", " ", text).casefold().strip()
    return re.sub(r" ?([()\[\]]) ?", r"\1", text)


def filters_in(text: str) -> tuple[PublishedFilter, ...]:
    """Name the published filters whose exact text is in a search string, longest first.

    A filter inside another one that was found is not named again.

    >>> [each.filter_id for each in filters_in("heat AND (Validation [tiab] OR validate[tiab])")]
    ['queries-prediction-specific-pubmed']
    """
    return _separated(text)[0]


def outside_filters(text: str) -> str:
    """Return the rest of a search string without the published filters in it; unchanged if there are none."""
    found, rest = _separated(text)
    return rest if found else text


def _separated(text: str) -> tuple[tuple[PublishedFilter, ...], str]:
    rest, found = _plain(text), []
    for wording, published in _wordings():
        if wording in rest and _stands_alone(rest, wording):
            found.append(published)
            rest = rest.replace(wording, "\n")
    return tuple(found), rest


def _stands_alone(text: str, wording: str) -> bool:
    """Return True if the wording is the whole text, or a bracket or a line of it, and not the end of a longer list."""
    at = text.find(wording)
    before, after = text[:at], text[at + len(wording) :]
    starts = not before or before[-1] in "(\n" or before.endswith(("and ", "not "))
    ends = not after or after[0] in ")\n" or after.startswith((" and ", " not "))
    return starts and ends
