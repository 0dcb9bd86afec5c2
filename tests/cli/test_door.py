"""What an embedded service's folder holds for players, and what each worker is told of it."""

import socket
from pathlib import Path

import pytest
from msgspec.structs import replace

from services.auth.nkeys import account_key
from services.cli.door import WEB_PORTS, broker_door, has_door, prepare_door
from services.cli.ops_ports import Worker
from services.cli.place import Access, Place, prepare, read_access, write_access
from services.cli.told import environment
from services.messaging.permissions import ROLES
from services.messaging.server import LOOPBACK

TOLD: dict[Worker, set[str]] = {
    "table": {
        "WARAQ_SHUFFLE_KEY_FILE",
        "WARAQ_LOG_URL",
        "WARAQ_NATS_PASSWORD",
        "WARAQ_TICKET_KEY_FILE",
        "WARAQ_TICKET_OLD_KEY_FILE",
    },
    "bot": {"WARAQ_NATS_PASSWORD"},
    "scoring": {"WARAQ_LOG_URL", "WARAQ_STANDINGS_URL", "WARAQ_NATS_PASSWORD"},
    "auth": {"WARAQ_ISSUER_SEED_FILE", "WARAQ_SESSION_KEY_FILE", "WARAQ_NATS_PASSWORD"},
    "web": {
        "WARAQ_SESSION_KEY_FILE",
        "WARAQ_SITE_KEY_FILE",
        "WARAQ_PROFILES_URL",
        "WARAQ_STANDINGS_URL",
        "WARAQ_TICKET_KEY_FILE",
        "WARAQ_TICKET_OLD_KEY_FILE",
    },
}
"""Of everything that is somebody's own, what each worker is told."""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, {})


def prepared(place: Place) -> Access:
    access = replace(prepare(place), port=4222)
    return prepare_door(place, access)


def test_keys_are_made_once_and_only_their_owner_can_read_them(place: Place) -> None:
    prepared(place)
    files = (place.session_key_file, place.issuer_file)
    before = [file.read_bytes() for file in files]
    assert [file.stat().st_mode & 0o777 for file in files] == [0o600, 0o600]
    prepared(place)
    assert [file.read_bytes() for file in files] == before


def test_ports_stay_as_they_were(place: Place) -> None:
    first, again = prepared(place), prepared(place)
    assert first.web_port != first.players_port
    assert (first.web_port, first.players_port) == (again.web_port, again.players_port)


def test_a_port_that_somebody_has_now_is_another_one(place: Place) -> None:
    first = prepared(place)
    with socket.socket() as somebody:
        somebody.bind((LOOPBACK, first.web_port))
        again = prepared(place)
    assert again.web_port != first.web_port
    assert again.web_port in WEB_PORTS
    assert again.players_port == first.players_port


def test_the_broker_takes_the_word_of_the_folders_seed(place: Place) -> None:
    door = broker_door(place, prepared(place))
    assert door.issuer == account_key(place.issuer_file.read_text()).public


def test_our_own_page_and_those_we_are_told_of_may_come_in(tmp_path: Path) -> None:
    place = Place(tmp_path, {"WARAQ_WEB_ORIGINS": "https://cards.example"})
    access = prepared(place)
    assert broker_door(place, access).origins == (
        f"http://127.0.0.1:{access.web_port}",
        f"http://localhost:{access.web_port}",
        "https://cards.example",
    )


def test_a_folder_of_before_there_were_players_gets_what_it_lacks(place: Place) -> None:
    write_access(place, Access(port=4222, passwords={"table": "kept"}, warden="kept"))
    access = prepare(place)
    assert access == read_access(place)
    assert (access.passwords["table"], access.warden) == ("kept", "kept")
    assert set(access.passwords) == set(ROLES)
    assert len(set(access.passwords.values())) == len(ROLES)


@pytest.mark.parametrize("worker", TOLD)
def test_a_worker_is_told_its_own_secrets_and_no_others(tmp_path: Path, worker: Worker) -> None:
    keys = {
        "WARAQ_SITE_KEY_FILE": "site.key",
        "WARAQ_TICKET_KEY_FILE": "ticket.key",
        "WARAQ_TICKET_OLD_KEY_FILE": "old.key",
    }
    place = Place(tmp_path, keys)
    prepared(place)
    told = environment(place, worker)
    own = set().union(*TOLD.values())
    assert {name for name in told if name in own} == TOLD[worker]


def test_an_outside_broker_has_a_door_if_we_are_told_of_it(tmp_path: Path) -> None:
    outside = {"WARAQ_NATS_URL": "nats://broker.example"}
    door = {"WARAQ_ISSUER_SEED_FILE": "seed", "WARAQ_PLAYERS_URL": "wss://play.cards.example"}
    assert not has_door(Place(tmp_path, outside))
    assert has_door(Place(tmp_path, outside | door))
    assert has_door(Place(tmp_path, {}))
