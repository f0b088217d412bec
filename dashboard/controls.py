"""What can be tuned: one entry per setting, with its words and its range. The sliders themselves are in the browser."""

from __future__ import annotations

from typing import Any

from core.settings import CosineMode

Control = dict[str, Any]

COSINE_MODES: dict[CosineMode, tuple[str, str]] = {
    "leave_one_out": (
        "Least similar core, left out",
        "Each core publication against the centre of the others; the threshold is the lowest of these similarities.",
    ),
    "least_similar_core": (
        "Least similar core",
        "The lowest similarity of a core publication to the centre. Kinder than it should be: it helped to shape it.",
    ),
    "quantile": (
        "Quantile of the core",
        "Lets a share of the core publications fall outside, the least typical first.",
    ),
    "best": ("Best F-beta", "The threshold at which F-beta is highest for this version."),
    "fixed": ("Fixed", "The threshold that you set. The published 0.69 belongs to text-embedding-3-small."),
}

CONTROLS: dict[str, Control] = {
    "min_similarity": {
        "label": "Similarity threshold",
        "help": "A publication is relevant if its cosine similarity to the core's centre is at least this.",
        "min": -1.0,
        "max": 1.0,
        "step": 0.001,
    },
    "quantile": {
        "label": "Core outside",
        "help": "Share of the core publications that may fall below the threshold.",
        "min": 0.0,
        "max": 1.0,
        "step": 0.01,
    },
    "min_core_share": {
        "label": "Core share",
        "help": "The cluster must hold more than this share of the found core publications.",
        "min": 0.5,
        "max": 0.95,
        "step": 0.05,
    },
    "decay_limit": {
        "label": "Decay limit",
        "help": "Number of relevant publications at which the decay reaches 0: nobody reads that many.",
        "min": 500,
        "max": 500_000,
        "step": 1,
        "scale": "log",
    },
    "decay_onset": {
        "label": "Decay onset",
        "help": "How late the decay sets in; larger is later.",
        "min": 0.2,
        "max": 6.0,
        "step": 0.01,
        "scale": "log",
    },
    "decay_steepness": {
        "label": "Decay steepness",
        "help": "How fast the decay falls once it has set in.",
        "min": 0.5,
        "max": 60.0,
        "step": 0.1,
        "scale": "log",
    },
    "beta": {
        "label": "Beta",
        "help": "Weight of recall against precision in F-beta: 1 weighs both alike, 2 weighs recall higher.",
        "min": 0.25,
        "max": 8.0,
        "step": 0.01,
        "scale": "log",
    },
    "cosine_mode": {
        "label": "Found by",
        "help": "How the similarity threshold is found.",
        "options": [{"value": mode, "label": label, "help": text} for mode, (label, text) in COSINE_MODES.items()],
    },
}
"""By the name of the setting that each one moves."""
