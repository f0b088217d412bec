"""A small knowledge base and the page Knowledge over it, for tests without a browser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from streamlit.testing.v1 import AppTest

from core.knowledge.templates import Leg, Template, TemplateStep
from dashboard import cache
from data.explore.workspace import Workspace
from data.knowledge.builder import KnowledgeBaseParts
from data.knowledge.templates import save_template
from tests.dashboard.apps import open_alone, settled
from tests.data.knowledge_bases import parts_of

ODD = "*Odd* <img src=x onerror=alert(1)> $x$ :material/home: " + "word " * 400
PAPERS = {f"p{n}": ("paper", f"Paper {n} on shade", f"Shade of trees in street {n}.") for n in range(60)}
ENTITIES = PAPERS | {
    "ito": ("author", "Ito"),
    "roy": ("author", "Roy"),
    "elm": ("institution", "University of Elm", "long text " * 100_000),
    "mute": ("author", ""),
    "odd": ("author", ODD, "<script>alert(1)</script> **bold**"),
}
WRITES = "author___writes___paper"
AT = "author___affiliated_with___institution"
CITES = "paper___cites___paper"
RELATIONS = [
    *(("ito", WRITES, f"p{n}") for n in range(55)),
    *(("roy", WRITES, f"p{n}") for n in range(50, 60)),
    ("ito", AT, "elm"),
    ("roy", AT, "elm"),
    ("odd", WRITES, "p0"),
    ("p0", CITES, "p1"),
    ("p1", CITES, "p2"),
    ("p2", CITES, "p0"),
    ("p0", CITES, "p0"),
]
BY_AUTHOR = Template(
    "own-author",
    (Leg((TemplateStep((WRITES,), "paper", "forward"),), "author", "author"),),
    "Which papers are by {author}?",
)
BY_INSTITUTION = Template(
    "own-place",
    (
        Leg(
            (TemplateStep((AT,), "author", "back"), TemplateStep((WRITES,), "paper", "forward")),
            "institution",
            "institution",
        ),
    ),
    "Which papers come from {institution}?",
)


def keep(root: Path, parts: KnowledgeBaseParts | None = None, *templates: Template) -> None:
    with Workspace.open(root) as workspace:
        made = parts or parts_of(ENTITIES, RELATIONS, answer_types=("paper",))
        workspace.knowledge.save("small", made, origin="by hand")
        base = workspace.knowledge.open("small")
        for template in templates:
            save_template(workspace.store, base, template)


def open_page(**link: str | Sequence[str]) -> AppTest:
    return settled(open_alone("knowledge/page.py", **link))


def buttons(app: AppTest, prefix: str) -> list[str]:
    """What buttons say whose keys begin so."""
    said = [button.label for button in app.button if (button.key or "").startswith(prefix)]
    return [text.replace("\\", "").replace("\u2060", "") for text in said]


def head(app: AppTest) -> str:
    return next(iter(app.header), app.title[0]).value.replace("\\", "")


def linked(app: AppTest, name: str) -> list[str]:
    """What the link holds under a name."""
    found = app.query_params.get(name, [])
    return [found] if isinstance(found, str) else list(found)


def step(relation: str, direction: str, kind: str) -> str:
    return json.dumps([relation, direction, kind], separators=(",", ":"))


def row_of(entity_id: str) -> int:
    return cache.workspace().knowledge.open("small").entity(entity_id).row


def htmls(app: AppTest) -> str:
    return " ".join(html.proto.body for html in app.get("html"))
