"""The page's files, read once when the worker begins: what a request says reaches no file system.

Served is what lies in the page's folder and the sentences of `schemas/texts`, if its kind is in
`KINDS`; nothing that is linked to. A browser asks each time whether a file has changed, so that no
page is ever put together of two versions, and is answered 304 as long as it has not.
"""

import gzip
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from aiohttp import web
from msgspec import Struct

from schemas import texts
from services.web.answers import Declined

FOLDER: Final = Path(__file__).parent / "static"
TEXTS: Final = Path(texts.__file__).parent
PAGE: Final = "index.html"
KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
"""What is served at all, by its ending."""
PACKED: Final = frozenset(KINDS) - {".woff2"}
"""What is worth packing: a font is packed already."""

VARY: Final = "Accept-Encoding, Origin"


class Kept(Struct, frozen=True):
    """A file as it is sent: `packed` by gzip, where that helps."""

    kind: str
    tag: str
    body: bytes
    packed: bytes | None


class Files:
    """Every file of a known kind below `folder`, and below `sentences` as `texts/…`."""

    def __init__(self, folder: Path = FOLDER, sentences: Path = TEXTS) -> None:
        theirs = {f"texts/{name}": kept for name, kept in _kept_below(sentences).items()}
        self._kept = _kept_below(folder) | theirs

    async def file(self, request: web.Request) -> web.Response:
        return self.answer(request, request.match_info["name"], {})

    def answer(self, request: web.Request, name: str, more: Mapping[str, str]) -> web.Response:
        """The file, or that it is the one that the browser has; with `more` headers."""
        kept = self._kept.get(name)
        if kept is None:
            raise Declined("not_found", "there is no such file")
        packs = kept.packed is not None and "gzip" in request.headers.get("Accept-Encoding", "")
        tag = f'"{kept.tag}{"-gzip" if packs else ""}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": VARY, **more}
        if any(tag == f'"{one.value}"' for one in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        headers |= {"Content-Type": kept.kind} | ({"Content-Encoding": "gzip"} if packs else {})
        return web.Response(body=kept.packed if packs else kept.body, headers=headers)


def _kept_below(folder: Path) -> dict[str, Kept]:
    found = (path for path in folder.rglob("*") if path.suffix in KINDS)
    return {
        path.relative_to(folder).as_posix(): _kept(path)
        for path in found
        if path.is_file() and not path.is_symlink()
    }


def _kept(path: Path) -> Kept:
    body = path.read_bytes()
    packed = gzip.compress(body, mtime=0) if path.suffix in PACKED else None
    return Kept(KINDS[path.suffix], sha256(body).hexdigest()[:32], body, packed)
