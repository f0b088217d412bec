"""People with a browser profile of their own: each page is watched for errors and for requests to the outside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, WebSocket

from tests.browser.pages import PATIENCE_MS, Explore
from tests.browser.servers import Server

DESK = {"width": 1440, "height": 900}
OUTSIDE = re.compile(r"^(?!(?:http|ws)s?://(?:localhost|127\.0\.0\.1)[:/]|data:|blob:|about:)")
HINTS_CLOSED = "localStorage.setItem('queryscape-hints', 'query threshold landscape core');"
NO_CANVAS = "HTMLCanvasElement.prototype.getContext = () => null;"


@dataclass
class Watch:
    """What a page did that nobody should miss."""

    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    """Addresses on other machines that it asked for."""
    n_sent: int = 0
    """Messages to the server."""

    def over(self, page: Page) -> None:
        """Look at everything that this page does."""
        page.on("pageerror", lambda error: self.errors.append(f"{error.name}: {error.message}"))
        page.on("console", self._hear)
        page.on("websocket", self._listen)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")

    def _listen(self, socket: WebSocket) -> None:
        if OUTSIDE.match(socket.url):
            self.outside.append(socket.url)
        socket.on("framesent", self._count)

    def _count(self, _: object) -> None:
        self.n_sent += 1

    def stop(self, route: Route) -> None:
        """Nothing is allowed to reach another machine."""
        self.outside.append(route.request.url)
        route.abort()


class Visitors:
    """Opens pages and closes them; what went wrong in any of them fails the test at the end."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.watch = Watch()
        self._contexts: list[BrowserContext] = []

    def __enter__(self) -> Visitors:
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        for context in self._contexts:
            context.close()
        if kind is None:
            assert self.watch.errors == [], self.watch.errors
            assert self.watch.outside == []

    def take_pictures(self, folder: Path) -> None:
        """What each visitor sees now, for whoever looks into a failure."""
        for n, page in enumerate(page for context in self._contexts for page in context.pages):
            page.screenshot(path=folder / f"visitor-{n}.png", full_page=True)
            print(f"see {folder / f'visitor-{n}.png'}; errors: {self.watch.errors}")

    def enter(
        self,
        server: Server,
        link: Mapping[str, Any] | None = None,
        *,
        path: str = "",
        first_time: bool = False,
        canvas: bool = True,
        size: Mapping[str, int] = DESK,
        **look: Any,
    ) -> Explore:
        """A new visitor follows a link. `look` goes to the browser, such as color_scheme."""
        context = self.browser.new_context(viewport={**size}, accept_downloads=True, **look)
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.route(OUTSIDE, self.watch.stop)
        if not first_time:
            context.add_init_script(HINTS_CLOSED)
        if not canvas:
            context.add_init_script(NO_CANVAS)
        page = context.new_page()
        self.watch.over(page)
        page.goto(f"{server.url}/{path}?{urlencode(link or {}, doseq=True)}")
        return Explore(page)

    def open(self, server: Server, topic: str, version: str, **more: Any) -> Explore:
        """A new visitor looks at one version, and its landscape is there."""
        link = {"topic": topic, "version": version, **more.pop("link", {})}
        explore = self.enter(server, link, **more)
        explore.wait_until_painted(topic, version)
        return explore
