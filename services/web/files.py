"""`GET /static/…`: the page's files, found by name in a list made when the worker begins.

What a request says never reaches the file system: no path outside, no name that is too long.
"""

from pathlib import Path
from typing import Final

from aiohttp import web

from services.web.answers import Declined

FOLDER: Final = Path(__file__).parent / "static"


class Files:
    """Every file below `folder`, but what is linked to."""

    def __init__(self, folder: Path = FOLDER) -> None:
        found = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        self._paths = {path.relative_to(folder).as_posix(): path for path in found}

    async def file(self, request: web.Request) -> web.FileResponse:
        path = self._paths.get(request.match_info["name"])
        if path is None:
            raise Declined("not_found", "there is no such file")
        return web.FileResponse(path)
