"""The page and its files: what is served, as what, and what a browser may do for them."""

import re
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest

from services.web.files import FOLDER, KINDS, TEXTS, Files
from services.web.page import policy
from services.web.rates import FILES, READS
from tests.web.serving import NATS, Site, site

HEAVIEST: Final = 400_000
"""Bytes that the first screen may have."""
PLAIN: Final = {"Accept-Encoding": "identity"}
PACKED: Final = {"Accept-Encoding": "gzip"}
SERVED: Final = sorted(
    path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.suffix in KINDS
)
MODULES: Final = {name for name in SERVED if name.endswith(".js") and name != "verify.js"}
IMPORTED: Final = re.compile(r'\bimport\("([^"]+)"\)')
"""What is loaded later."""
IMPORT: Final = re.compile(r'^(?:import|export)\b[^"]*?\bfrom "([^"]+)"', re.MULTILINE)


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Site]:
    async with site(tmp_path) as found:
        yield found


class Tags(HTMLParser):
    """The page's tags with what they say, and the text within scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inline = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] in {"script", "style"}:
            self.inline += data.strip()

    def linked(self, rel: str) -> set[str | None]:
        return {at.get("href") for tag, at in self.found if tag == "link" and at["rel"] == rel}


PAGE: Final = Tags((FOLDER / "index.html").read_text())


async def test_the_page_is_at_the_root_under_a_strict_policy(here: Site) -> None:
    answer = await here.ask("GET", "/")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.body == (FOLDER / "index.html").read_bytes()
    said = answer.headers["Content-Security-Policy"]
    assert said == policy(NATS)
    assert "unsafe" not in said
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("nats", "place"),
    [
        ("ws://127.0.0.1:25000", "ws://127.0.0.1:25000"),
        ("wss://play.cards.example/door?a;b", "wss://play.cards.example"),
        ("wss://somebody:secret@[::1]:443", "wss://[::1]:443"),
    ],
)
def test_the_page_may_speak_to_its_own_origin_and_the_broker_alone(nats: str, place: str) -> None:
    allowed = dict(one.split(" ", 1) for one in policy(nats).split("; "))
    assert allowed.pop("connect-src") == f"'self' {place}"
    kinds = {"script-src", "style-src", "img-src", "font-src"}
    assert {kind for kind, whence in allowed.items() if whence == "'self'"} == kinds
    assert allowed["default-src"] == allowed["frame-ancestors"] == "'none'"


def test_nothing_is_written_into_the_page_that_its_policy_forbids() -> None:
    assert PAGE.inline == ""
    for tag, at in PAGE.found:
        assert not [name for name in at if name.startswith("on") or name == "style"], tag
        for name in ("src", "href"):
            assert (at.get(name) or "/static/").startswith("/static/"), at


def test_the_page_names_files_that_are_there_and_every_module_that_it_begins_with() -> None:
    """So that a browser asks for all of them in one go, not one import after the other."""
    preloaded = {str(name).removeprefix("/static/") for name in PAGE.linked("modulepreload")}
    assert preloaded | {"play/main.js"} == begun_with("play/main.js")
    for rel in ("stylesheet", "icon", "preload"):
        assert {str(name).removeprefix("/static/") for name in PAGE.linked(rel)} <= set(SERVED)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_module_imports_by_relative_paths_what_is_there(name: str) -> None:
    if "vendor" not in name:
        assert imports(name, IMPORT) | imports(name, IMPORTED) <= MODULES


def test_the_rooms_come_when_home_is_there() -> None:
    first = begun_with("play/main.js")
    later = {wanted for name in MODULES for wanted in imports(name, IMPORTED)}
    assert later == {"play/rooms.js", "view/rooms.js"}
    assert not first & later
    assert first | {one for name in later for one in begun_with(name)} >= MODULES


def begun_with(name: str) -> set[str]:
    """That module and all that it cannot begin without."""
    found, new = {name}, {name}
    while new:
        new = {one for name in new for one in imports(name, IMPORT)} - found
        found |= new
    return found


def imports(name: str, kind: re.Pattern[str]) -> set[str]:
    """What that module imports, by name."""
    path = FOLDER / name
    code = re.sub(r"/\*\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    wanted = kind.findall(code)
    assert all(one.startswith(".") for one in wanted), wanted
    found = ((path.parent / one).resolve() for one in wanted)
    return {one.relative_to(FOLDER.resolve()).as_posix() for one in found}


def test_what_home_waits_for_is_light() -> None:
    """Unpacked, in the language with the longest words; fonts whose letters it has not included."""
    linked = [*PAGE.linked("stylesheet"), *PAGE.linked("preload"), *PAGE.linked("icon")]
    names = {str(name).removeprefix("/static/") for name in linked} | begun_with("play/main.js")
    fonts = {name for name in SERVED if name.endswith(".woff2")}
    sizes = [(FOLDER / name).stat().st_size for name in {"index.html"} | names | fonts]
    words = [size_of_words(language) for language in ("fa", "ar", "en")]
    assert 200_000 < sum(sizes) + max(words) < HEAVIEST


def size_of_words(language: str) -> int:
    """All that is loaded to speak that language."""
    theirs = TEXTS.rglob(f"{language}.json")
    return sum(path.stat().st_size for path in (FOLDER / f"words/{language}.json", *theirs))


async def test_every_file_is_served_as_what_it_is(here: Site) -> None:
    for name in SERVED:
        answer = await here.ask("GET", f"/static/{name}", headers=PLAIN)
        assert answer.status == 200, name
        assert answer.body == (FOLDER / name).read_bytes(), name
        assert answer.headers["Content-Type"] == KINDS[Path(name).suffix], name
        assert answer.headers["X-Content-Type-Options"] == "nosniff", name


async def test_the_sentences_of_every_client_are_served_as_they_are(here: Site) -> None:
    for path in TEXTS.rglob("*.json"):
        answer = await here.ask("GET", f"/static/texts/{path.relative_to(TEXTS).as_posix()}")
        assert answer.body == path.read_bytes()


async def test_a_file_of_no_known_kind_is_not_served(here: Site) -> None:
    others = [path for path in FOLDER.rglob("*") if path.is_file() and path.suffix not in KINDS]
    assert "README.md" in {path.name for path in others}
    for path in others:
        name = path.relative_to(FOLDER).as_posix()
        assert (await here.ask("GET", f"/static/{name}")).error == (404, "not_found"), name
    assert (await here.ask("GET", "/static/texts/__init__.py")).error == (404, "not_found")


async def test_a_file_that_has_not_changed_is_not_sent_again(here: Site) -> None:
    for coding in (PLAIN, PACKED):
        first = await here.ask("GET", "/static/play/main.js", headers=coding)
        assert first.headers["Cache-Control"] == "no-cache"
        again = {**coding, "If-None-Match": f'"other", {first.headers["ETag"]}'}
        answer = await here.ask("GET", "/static/play/main.js", headers=again)
        assert (answer.status, answer.body) == (304, b"")
        assert answer.headers["ETag"] == first.headers["ETag"]


async def test_text_is_packed_for_who_takes_it_and_a_font_is_not(here: Site) -> None:
    plain = await here.ask("GET", "/static/vendor/nats-core.js", headers=PLAIN)
    packed = await here.ask("GET", "/static/vendor/nats-core.js", headers=PACKED)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert plain.body == packed.body
    assert int(packed.headers["Content-Length"]) * 2 < int(plain.headers["Content-Length"])
    assert {"Accept-Encoding", "Origin"} == set(packed.headers["Vary"].split(", "))
    assert plain.headers["ETag"] != packed.headers["ETag"]
    font = await here.ask("GET", "/static/vendor/vazirmatn-latin.woff2", headers=PACKED)
    assert "Content-Encoding" not in font.headers


async def test_head_says_how_much_get_would_send(here: Site) -> None:
    for path in ("/", "/static/play/main.js"):
        answer = await here.ask("HEAD", path, headers=PLAIN)
        got = await here.ask("GET", path, headers=PLAIN)
        assert (answer.status, answer.body) == (200, b"")
        assert answer.headers["Content-Length"] == str(len(got.body))


def test_what_is_linked_to_is_not_served(tmp_path: Path) -> None:
    (tmp_path / "outside.js").write_text("secret")
    inside = tmp_path / "page"
    inside.mkdir()
    (inside / "own.js").write_text("own")
    (inside / "linked.js").symlink_to(tmp_path / "outside.js")
    kept: dict[str, Any] = Files(inside, inside)._kept
    assert set(kept) == {"own.js", "texts/own.js"}


async def test_a_house_full_of_people_may_open_the_page_at_once(here: Site) -> None:
    """Its files are counted apart: whoever loads it again and again may still ask for lists."""
    assert FILES.burst > 20 * len(SERVED)
    for _ in range(READS.burst + 1):
        assert (await here.ask("HEAD", "/static/icon.svg")).status == 200
    assert (await here.ask("GET", "/terms")).status == 200


async def test_who_asks_for_files_without_end_is_told_to_wait(here: Site) -> None:
    for _ in range(FILES.burst):
        await here.ask("HEAD", "/static/icon.svg")
    answer = await here.ask("GET", "/static/icon.svg")
    assert answer.error == (429, "too_many")
    here.clock.ms += 1_000
    assert (await here.ask("GET", "/static/icon.svg")).status == 200
