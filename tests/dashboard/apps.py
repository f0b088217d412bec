"""The app without a browser: open it, and read what it shows and tells its browser parts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[2] / "dashboard" / "app.py"
SECONDS = 60


def open_app(**link: str) -> AppTest:
    """The app as a link opens it."""
    app = AppTest.from_file(str(APP), default_timeout=SECONDS)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def told(app: AppTest) -> dict[str, dict[str, Any]]:
    """What the browser parts were told, by name."""
    found: dict[str, dict[str, Any]] = {}

    def walk(node: Any) -> None:
        for child in getattr(node, "children", {}).values():
            if getattr(child, "type", "") == "bidi_component" and child.proto.json:
                document = json.loads(child.proto.json)
                found[document.get("part", "code")] = document
            walk(child)

    walk(app._tree)
    return found


def messages(app: AppTest) -> str:
    """What its boxes say."""
    boxes = (*app.error, *app.warning, *app.info, *app.sidebar.warning)
    return " ".join(box.value for box in boxes).replace("\\", "").replace("\u2060", "")


def numbers(text: str) -> list[str]:
    """The numbers in a text, as they stand."""
    return re.findall(r"\d[\d.,]*\d|\d", text)
