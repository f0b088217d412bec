"""How to read the numbers, in the words that the metrics say about themselves; and where they come from."""

from __future__ import annotations

from collections.abc import Mapping

from core.audit.document import Block, Column, Heading, Listing, Paragraph, Table
from core.audit.quality.types import QualityFacts
from core.comparing.compare import REGION_LABELS
from core.metrics import METRICS
from core.types import RegionKind

TRUTH = ("true_precision", "true_recall")
"""Metrics that need a known truth; the report has none."""
REGIONS: Mapping[RegionKind, str] = {
    "cosine": "Accepts what is close enough to the centre of the core publications, by the cosine of their vectors.",
    "nearest_core": "Accepts what is close to some core publications: the mean similarity to the nearest three counts.",
    "mvee": "Accepts what lies in the smallest ellipse around the found core publications on the landscape.",
    "hull": "Accepts what lies between the found core publications on the landscape.",
    "cluster": "Accepts the k-means cluster that still holds most of the found core publications together.",
    "mvee_embedding": "The smallest ellipsoid around the found core publications among the vectors.",
    "hull_embedding": "What lies between the found core publications among the vectors.",
    "cluster_projection": "The cluster on the landscape that still holds most of the found core publications.",
}
_LITQEVAL = "Saknini M et al. LitQEval (2024). github.com/Mohammadsaknini/LitQEval"
_WILSON = (
    "Wilson EB. Probable inference, the law of succession, and statistical inference. Journal of the American "
    "Statistical Association 1927;22:209-212."
)
_RIJSBERGEN = "van Rijsbergen CJ. Information Retrieval, second edition. Butterworths 1979."
_VENNA = (
    "Venna J, Kaski S. Neighborhood preservation in nonlinear projection methods: an experimental study. Artificial "
    "Neural Networks, ICANN 2001:485-491."
)
_UMAP = "McInnes L, Healy J, Melville J. UMAP: uniform manifold approximation and projection. arXiv:1802.03426 (2018)."
_LSA = (
    "Deerwester S et al. Indexing by latent semantic analysis. Journal of the American Society for Information Science "
    "1990;41:391-407."
)


def how_to_read(facts: QualityFacts) -> list[Block]:
    """What each number and each region means."""
    kinds = dict.fromkeys(kind for version in facts.versions for kind in version.evaluation.regions)
    columns = (Column("Number"), Column("What it means"), Column("Formula", "code"), Column("Not defined"))
    rows = tuple(
        (metric.label, metric.sentence, metric.formula, metric.undefined)
        for name, metric in METRICS.items()
        if name not in TRUTH
    )
    return [
        Heading("How to read the numbers"),
        Paragraph(
            "Nobody judged these publications. Semantic precision says how many lie near the core publications, not "
            "how many are relevant; core recall says how many known publications were found, not how many there are."
        ),
        Paragraph(
            "An interval of core recall is a confidence interval, as far as the core publications are like a random "
            "sample of all that matter. The range of any other score says how far it moves "
            "with the choice of core publications. One version is said to score higher than another only where the "
            "range of their difference, over the same resampled core sets, leaves out zero."
        ),
        Table("metrics", "The numbers", columns, rows),
        Table(
            "regions",
            "The regions",
            (Column("Region"), Column("What it accepts")),
            tuple((REGION_LABELS[kind], REGIONS[kind]) for kind in kinds),
        ),
    ]


def references(facts: QualityFacts) -> list[Block]:
    """What the numbers rest on."""
    used = [_LITQEVAL, _RIJSBERGEN, _WILSON]
    used += [_VENNA] * (facts.honesty is not None)
    used += [_UMAP] * (facts.landscape is not None and facts.landscape.settings.get("method") == "umap")
    used += [_LSA] * (facts.embedder.embedder == "lsa")
    return [Heading("References"), Listing(tuple(used), is_numbered=True)]
