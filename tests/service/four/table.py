"""Four clients at one table, each a process behind a bad network, each with one beside it that
never drops.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from services.cli.client import new_match_id
from tests.service.four.cutter import Cut, Cutter
from tests.service.four.steady import Steady, steady
from tests.service.guests import session
from tests.service.up_process import CHECKOUT, Up, environment
from tests.waiting import until

WITHIN: Final = 240.0
"""Seconds for one match with all its cuts; on a quiet machine it takes fifteen."""
CODE: Final = "our own table"
PLANS: Final = ("owner", "anyone", "invited", "anyone")

Words = Sequence[str | Path]
Options = Mapping[str, object]
Versions = dict[int, dict[str, Any]]


class Saw(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a client saw and did: its snapshots and the heads it heard, by version; its commands,
    the first answer to each, and how often it said one again; how often it lost its connection
    and had it back.
    """

    views: Versions
    heads: dict[int, str]
    said: list[dict[str, Any]]
    accepted: list[dict[str, Any]]
    refused: list[dict[str, Any]]
    again: int
    drops: int
    returns: int


class Chair(Struct, frozen=True, kw_only=True):
    """One seat after the match: how it was cut, what who dropped saw, and who did not drop."""

    name: str
    seat: int
    cuts: tuple[Cut, ...]
    saw: Saw
    steady: Steady


class Played(Struct, frozen=True, kw_only=True):
    """A match that is over, and who sat there, by seat."""

    match: str
    options: Options
    chairs: tuple[Chair, ...]


class Table:
    """`clients` are four commands, by seat; `seed` says when which one is cut."""

    def __init__(self, up: Up, options: Options, clients: Sequence[Words], seed: str) -> None:
        self._up = up
        self._options = options
        self._clients = clients
        self._seed = seed
        self._match = new_match_id()

    async def play(self) -> Played:
        """The whole match."""
        async with asyncio.TaskGroup() as group:
            sitting = [group.create_task(self._seat(seat)) for seat in range(len(PLANS))]
        chairs = tuple(one.result() for one in sitting)
        return Played(match=self._match, options=self._options, chairs=chairs)

    async def _seat(self, seat: int) -> Chair:
        guest = await asyncio.to_thread(session, self._up)
        port = urlsplit(guest["nats"]).port
        assert port is not None
        cutter = Cutter(port, Random(f"{self._seed} {seat}"))
        url = self._up.ready["nats"]
        async with cutter.listening(), steady(url, guest, self._match) as beside:
            told = self._part(seat, guest) | {"nats": f"ws://127.0.0.1:{cutter.port}"}
            saw = await self._run(seat, told)
            await until(lambda: beside.over, "who never dropped to see the end")
        name = f"{self._match} seat {seat}, WARAQ_TEST_SEED={self._seed.partition(' ')[0]}"
        return Chair(name=name, seat=seat, cuts=tuple(cutter.done), saw=saw, steady=beside)

    def _part(self, seat: int, guest: dict[str, Any]) -> dict[str, Any]:
        """What a client is told; the owner alone what to open, the invited alone the code."""
        code = CODE if PLANS[seat] == "invited" else None
        opening = self._opening() if PLANS[seat] == "owner" else None
        return {**guest, "match": self._match, "seat": seat, "code": code, "opening": opening}

    def _opening(self) -> dict[str, Any]:
        seats = [{"seat": seat, "filled_by": who} for seat, who in enumerate(PLANS)]
        code = sha256(CODE.encode()).hexdigest()
        return {"type": "open_match", "options": self._options, "seats": seats, "invitation": code}

    async def _run(self, seat: int, told: dict[str, Any]) -> Saw:
        process = await asyncio.create_subprocess_exec(
            *self._clients[seat],
            env=environment(self._up.data, {}),
            cwd=CHECKOUT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(WITHIN):
                out, err = await process.communicate(json.dumps(told).encode())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        assert (process.returncode, err) == (0, b""), err.decode()
        return msgspec.json.decode(out, type=Saw)
