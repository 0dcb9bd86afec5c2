"""Display names: in a table of their own, changed and erased by their owner alone."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from services.event_log.sql import file_url
from services.web.players import IDS
from services.web.profiles import Profile, Profiles, ProfilesError
from tests.web.serving import START, Site, site


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Site]:
    async with site(tmp_path) as found:
        yield found


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def profiles(request: pytest.FixtureRequest, tmp_path: Path) -> Profiles:
    if request.param == "sqlite":
        return Profiles(file_url(tmp_path / "profiles.db"))
    return Profiles(request.getfixturevalue("postgres_url"))


async def name_of(here: Site, player: str) -> list[dict[str, Any]]:
    answer = await here.ask("GET", f"/profiles?ids={player}")
    found: list[dict[str, Any]] = answer.json["profiles"]
    return found


async def test_a_player_names_himself_and_anybody_may_read_it(here: Site) -> None:
    ann, bob = await here.guest(), await here.guest()
    for name in ("آن", " Ann "):
        put = await here.ask("PUT", "/profile", ann["token"], json={"name": name})
        assert put.json == {"player": ann["player"], "name": name.strip()}
    answer = await here.ask("GET", f"/profiles?ids={bob['player']},{ann['player']}")
    assert answer.json == {"profiles": [{"player": ann["player"], "name": "Ann"}]}


async def test_a_player_erases_his_name_and_no_others(here: Site) -> None:
    ann, bob = await here.guest(), await here.guest()
    for one in (ann, bob):
        await here.ask("PUT", "/profile", one["token"], json={"name": "N"})
    for _ in range(2):
        assert (await here.ask("DELETE", "/profile", ann["token"])).status == 204
    assert await name_of(here, ann["player"]) == []
    assert len(await name_of(here, bob["player"])) == 1


async def test_without_a_session_nobody_changes_a_name(here: Site) -> None:
    for token in (None, "", "a.b"):
        put = await here.ask("PUT", "/profile", token, json={"name": "N"})
        assert put.error == (401, "refused")
        assert (await here.ask("DELETE", "/profile", token)).error == (401, "refused")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"name": ""}, (422, "bad_name")),
        ({"name": "\u202eevil"}, (422, "bad_name")),
        ({"name": "x" * 25}, (422, "bad_name")),
        ({"name": 1}, (400, "bad_request")),
        ({}, (400, "bad_request")),
        ({"name": "N", "player": "u_bob00000"}, (400, "bad_request")),
    ],
)
async def test_a_bad_name_is_not_taken(
    here: Site, body: dict[str, Any], error: tuple[int, str]
) -> None:
    ann = await here.guest()
    assert (await here.ask("PUT", "/profile", ann["token"], json=body)).error == error
    assert await name_of(here, ann["player"]) == []


@pytest.mark.parametrize(
    "ids", ["", "x", "u_*", "u_ann00000,", ",".join(["u_ann00000"] * (IDS + 1))]
)
async def test_names_are_asked_by_a_few_proper_ids(here: Site, ids: str) -> None:
    assert (await here.ask("GET", f"/profiles?ids={ids}")).error == (400, "bad_request")
    assert (await here.ask("GET", "/profiles")).error == (400, "bad_request")


def test_the_latest_name_stands_in_either_database(profiles: Profiles) -> None:
    profiles.create()
    profiles.create()
    for name in ("A", "B"):
        profiles.put(Profile("u_ann00000", name), START)
    assert profiles.named(["u_ann00000", "u_bob00000"]) == (Profile("u_ann00000", "B"),)
    profiles.erase("u_ann00000")
    assert profiles.named(["u_ann00000"]) == ()
    profiles.close()


def test_what_is_erased_is_not_left_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "profiles.db"
    profiles = Profiles(file_url(file))
    profiles.create()
    profiles.put(Profile("u_ann00000", "a-name-of-ann"), START)
    assert b"a-name-of-ann" in file.read_bytes()
    profiles.erase("u_ann00000")
    profiles.close()
    assert b"a-name-of-ann" not in file.read_bytes()


async def test_a_database_that_does_not_answer_is_said_to_be_busy(tmp_path: Path) -> None:
    file = tmp_path / "secret.db"
    async with site(tmp_path, url=file_url(file)) as here:
        ann = await here.guest()
        here.profiles.close()
        file.unlink()
        file.mkdir()
        put = await here.ask("PUT", "/profile", ann["token"], json={"name": "N"})
        ready = await here.ask("GET", "/readyz")
    assert (put.error, ready.error) == ((503, "busy"), (503, "busy"))
    assert b"secret" not in put.body + ready.body


def test_a_fault_of_the_database_is_told_by_its_kind_and_without_the_name(tmp_path: Path) -> None:
    profiles = Profiles(file_url(tmp_path))
    with pytest.raises(ProfilesError) as fault:
        profiles.put(Profile("u_ann00000", "a-name-of-ann"), START)
    assert str(fault.value) == "OperationalError"


async def test_many_at_once_are_all_answered(here: Site) -> None:
    ann = await here.guest()
    await here.ask("PUT", "/profile", ann["token"], json={"name": "N"})
    asked = [here.ask("GET", f"/profiles?ids={ann['player']}") for _ in range(150)]
    statuses = {answer.status for answer in await asyncio.gather(*asked)}
    assert statuses <= {200, 503}
    assert 200 in statuses
