"""Run by tests in a process of its own: every socket that it opens is noted, and the last line says which.

python tests/data/listening_in.py commands WORKSPACE ADDRESS FOLDER_OF_A_MODEL_OR_NAME
python tests/data/listening_in.py pages WORKSPACE
python tests/data/listening_in.py app WORKSPACE PORT
python tests/data/listening_in.py script WORKSPACE PORT
"""

from __future__ import annotations

import contextlib
import io
import json
import socket
import sys
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[2]
EVENTS = frozenset({"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.sendmsg"})
noted: list[str] = []


def note(event: str, given: tuple[Any, ...]) -> None:
    """Where something would be sent; what stays within this machine's files (AF_UNIX) is no network."""
    if event in EVENTS:
        where = given[1] if event in ("socket.connect", "socket.sendto", "socket.sendmsg") else given[:2]
        if not isinstance(where, str | bytes):
            noted.append(f"{event} {where}")


def commands(root: str, address: str) -> dict[str, list[Any]]:
    """Exit status and last line of each command that would go out."""
    from dashboard.cli import main

    where = ("--data-dir", root)
    service = ("--base-url", f"{address}/v1")
    topic = ("--topic", "Tea Brewing")
    asked: dict[str, tuple[str, ...]] = {
        "source preview": ("source", "preview", "tea", "--sources", "pubmed", "openalex", "europepmc", "dimensions"),
        "source run": ("source", "run", "tea", *topic, "--source", "pubmed"),
        "source core": ("source", "core", "tea", *topic, "--source", "europepmc"),
        "embed openai": ("embed", *topic, "--embedder", "openai:m", *service),
        "embed a model of a hub": ("embed", *topic, "--embedder", "st:some/model"),
        "judge": ("judge", *topic, "--versions", "review", "--model", "m", *service),
        "get": ("get", "litqeval", "--from", address),
        "get collection": ("get", "cranfield", "--from", address),
    }
    found: dict[str, list[Any]] = {}
    for name, arguments in asked.items():
        status: Any = 0
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
            try:
                main([*arguments, *where])
            except SystemExit as e:
                status = e.code
        found[name] = [status, (said.getvalue().strip().splitlines() or [""])[-1]]
    return found


def pages(root: str) -> dict[str, Any]:
    """What each page of the app shows of errors, as a browser would get it."""
    import os

    from streamlit.testing.v1 import AppTest

    os.environ["QUERYSCAPE_DATA_DIR"] = root
    from dashboard import cache

    app = AppTest.from_file(str(TOP / "dashboard" / "app.py"), default_timeout=120)
    app.run()
    found = {}
    folder = TOP / "dashboard"
    for path in sorted((folder / "about.py", *folder.glob("*/page.py"), *folder.glob("*/*_page.py"))):
        name = path.relative_to(folder).as_posix()
        app.switch_page(name).run()
        boxes = [box.value for box in (*app.error, *app.warning, *app.info, *app.caption, *app.markdown)]
        found[name] = [bool(app.exception), " ".join(boxes)]
    cache.jobs().wait()
    cache.workspace().close()
    return found


def connection(port: str) -> dict[str, Any]:
    """One that is made, so that it shows whether it would be noted."""
    with socket.create_connection(("localhost", int(port)), timeout=20):
        return {}


def app(root: str, port: str) -> None:
    """The web app, until it is ended; each new place that something is sent to is a line of its own."""
    from dashboard.cli import main

    main(["--port", port, "--data-dir", root, "--no-token"])


def script(root: str, port: str) -> None:
    """The web app as `streamlit run dashboard/app.py` starts it, on every interface."""
    import os

    from streamlit.web.cli import main

    os.environ["QUERYSCAPE_DATA_DIR"] = root
    where = ("--server.port", port, "--server.address", "0.0.0.0")
    sys.argv = ["streamlit", "run", str(TOP / "dashboard" / "app.py"), *where]
    main()


def tell(event: str, given: tuple[Any, ...]) -> None:
    """Note it, and say so at once."""
    before = len(noted)
    note(event, given)
    for line in noted[before:]:
        print(line, flush=True)


def run() -> None:
    """What was asked for, then one line of JSON."""
    what, *given = sys.argv[1:]
    served = {"app": app, "script": script}
    sys.addaudithook(tell if what in served else note)
    if what in served:
        served[what](*given)
        return
    found = {"commands": commands, "pages": pages, "connection": connection}[what](*given)
    print(json.dumps({"noted": noted, "found": found}))


if __name__ == "__main__":
    run()
