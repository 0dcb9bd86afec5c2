"""A broker with a door for players, the workers that answer for it, and tokens of all sorts."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace
from nats.aio.client import Client
from nats.errors import Error as ClientError

from services.auth.nkeys import account_key, seed_text
from services.messaging.permissions import inbox
from services.messaging.server import Broker, Door
from services.runtime.clock import SystemClock
from services.runtime.key_files import create_key_file
from services.runtime.shutdown import READY
from services.runtime.signing_keys import Keys
from services.runtime.tokens import Session, session_token
from tests.broker import password, running_broker
from tests.messaging.raw import Raw

ANN, BOB = "u_ann00000", "u_bob00000"
ORIGIN: Final = "https://cards.example"
SEED: Final = seed_text(bytes(range(32)))
ISSUER: Final = account_key(SEED)
KEYS, OLD, OTHERS = Keys(b"n" * 32), Keys(b"o" * 32), Keys(b"x" * 32)
HOUR_MS: Final = 3_600_000
WORKER_WITHIN: Final = 20.0
CHECKOUT: Final = Path(__file__).parents[2]


def session(player: str = ANN, *, lasts: int = HOUR_MS) -> Session:
    """A guest's, from now on for so many ms."""
    now = SystemClock().now()
    return Session(player=player, kind="guest", issued=now, end=now + lasts)


def token(player: str = ANN, *, keys: Keys = KEYS, lasts: int = HOUR_MS) -> str:
    return session_token(session(player, lasts=lasts), keys)


def expired() -> str:
    made = session()
    return session_token(replace(made, issued=made.issued - 2, end=made.issued - 1), KEYS)


class AuthWorker:
    """The real worker as a process of its own."""

    def __init__(self, broker: Broker, folder: Path, more: dict[str, str]) -> None:
        ours, theirs = os.pipe()
        kept = {name: text for name, text in os.environ.items() if not name.startswith("WARAQ_")}
        told = {
            "PYTHONPATH": os.pathsep.join([str(CHECKOUT), os.environ.get("PYTHONPATH", "")]),
            "WARAQ_NATS_URL": broker.url,
            "WARAQ_NATS_PASSWORD": password("auth"),
            "WARAQ_ISSUER_SEED_FILE": str(key_file(folder, "issuer.seed", SEED.encode())),
            "WARAQ_SESSION_KEY_FILE": str(key_file(folder, "session.key", KEYS.signs)),
            "WARAQ_SESSION_OLD_KEY_FILE": str(key_file(folder, "session.old", OLD.signs)),
            "WARAQ_READY_FD": str(theirs),
        }
        self.log = folder / "auth.log"
        with self.log.open("ab") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "services.auth"],
                env=kept | told | more,
                stdin=subprocess.DEVNULL,
                stderr=said,
                pass_fds=(theirs,),
            )
        os.close(theirs)
        self._ready = ours

    def wait_ready(self) -> None:
        readable, _, _ = select.select([self._ready], [], [], WORKER_WITHIN)
        assert readable, f"the auth worker was not ready in {WORKER_WITHIN} s"
        assert os.read(self._ready, len(READY)) == READY, self.log.read_text()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(WORKER_WITHIN)

    def close(self) -> None:
        self.kill()
        os.close(self._ready)


def key_file(folder: Path, name: str, key: bytes) -> Path:
    create_key_file(folder / name, key)
    return folder / name


@contextmanager
def auth_worker(broker: Broker, folder: Path, **more: str) -> Iterator[AuthWorker]:
    worker = AuthWorker(broker, folder, more)
    try:
        worker.wait_ready()
        yield worker
    finally:
        worker.close()


@contextmanager
def door(folder: Path, **more: str) -> Iterator[Broker]:
    """A broker that takes the word of one auth worker, which runs."""
    with broker_with_door(folder) as broker, auth_worker(broker, folder, **more):
        yield broker


@contextmanager
def broker_with_door(folder: Path) -> Iterator[Broker]:
    entry = Door(issuer=ISSUER.public, origins=(ORIGIN,))
    with running_broker(folder / "broker", door=entry) as broker:
        yield broker


class Player(Raw):
    """One who came in by a token."""

    async def enter(self, url: str, **how: Any) -> "Player":
        """`how`: what the client says of itself, a token by default."""
        said = how or {"token": token(self.user)}
        self.client = Client()
        await self.client.connect(
            url,
            inbox_prefix=inbox(self.user),
            error_cb=self._refused,
            allow_reconnect=False,
            **said,
        )
        return self

    async def leave(self) -> None:
        with contextlib.suppress(OSError):
            await self.client.close()


async def refused(url: str, **how: Any) -> bool:
    """True if the broker lets nobody in who says that."""
    player = Player(ANN)
    try:
        await player.enter(url, **how)
    except (ClientError, OSError):
        return True
    finally:
        await player.leave()
    return False
