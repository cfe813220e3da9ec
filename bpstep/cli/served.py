"""textual-serve's server, kept to the user's own browser; imported only when it serves."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp_jinja2
import jinja2
from aiohttp import web
from aiohttp.typedefs import Handler
from textual_serve.server import Server

PAGE = "app_index.html"
OUTSIDE = re.compile(r'<link\b[^>]*\bhref="https?://[^"]*"[^>]*>')
"""Fonts from elsewhere: the page is complete, works offline and tells nobody without them."""

FONT = """<style>@font-face {
  font-family: "Roboto Mono";
  src: url("{{ config.static.url }}fonts/RobotoMono-VariableFont_wght.ttf");
}</style>"""


class LocalServer(Server):
    """Serves one command on this machine, and answers no page of another site.

    Whoever reaches the app can read and write the user's files with it. Pages of other sites that
    are open in the same browser could otherwise connect to it (cross-site WebSocket hijacking),
    also by a name of theirs that leads to 127.0.0.1 (DNS rebinding): RFC 6455, section 10.2.
    """

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing: that it listens is said once it does."""

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        names = [f"{host}:{self.port}" for host in ("127.0.0.1", "localhost")]
        bare = ["127.0.0.1", "localhost"] if self.port == 80 else []
        app.middlewares.append(_for_own_pages(frozenset([*names, *bare])))
        aiohttp_jinja2.get_env(app).loader = jinja2.DictLoader({PAGE: self._page()})
        return app

    def _page(self) -> str:
        """The page of textual-serve, with its own copy of the font in place of a linked one."""
        page = Path(self.templates_path, PAGE).read_text(encoding="utf-8")
        return OUTSIDE.sub(FONT, page)


def _for_own_pages(hosts: frozenset[str]) -> web.middlewares._Middleware:  # type: ignore[name-defined]
    """Refuses what was not asked of this machine by its own name, and by a page of this server."""

    @web.middleware
    async def refuse(request: web.Request, handler: Handler) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if request.host not in hosts or (origin and urlsplit(origin).netloc not in hosts):
            raise web.HTTPForbidden(text="bpstep answers its own pages only")
        return await handler(request)

    return refuse
