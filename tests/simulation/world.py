"""The whole service in one process under one seed: its processes, its broker, its log, its time."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextvars import copy_context
from random import Random
from typing import Any, Final

import sqlalchemy as sa

from schemas import subjects
from services.bot import worker as bot
from services.cli.join.following import Followed
from services.event_log.memory import MemoryLog, MemoryStore
from services.messaging import streams
from services.messaging.memory import MemoryBroker
from services.messaging.port import BusError, Message
from services.runtime.clock import Clock
from services.runtime.worker import Unreachable
from services.scoring.standings import Standings
from services.scoring.worker import Scoring
from services.table import __main__ as table
from services.table.desk import Desk
from services.table.owner import Owner
from services.table.secrets import key_from
from services.table.shared import shared
from services.table.worker import owners_of, serve
from tests.bot.hurried import HURRIED, think
from tests.simulation.connection import Connection
from tests.simulation.loop import Killed, VirtualLoop
from tests.simulation.memory_database import MemoryDatabase
from tests.simulation.plan import MatchPlan, Plan
from tests.simulation.plants import HONEST, Plant
from tests.simulation.player import Sitter
from tests.simulation.process import Process, Role
from tests.simulation.storage import Handle, Weather
from tests.simulation.witness import Key, Witness, command_key

KEY: Final = key_from(b"simulated master key of 32 bytes")
EPOCH_MS: Final = 1_796_000_000_000
WIRE: Final = (0.0001, 0.001)
THREAD: Final = (0.0001, 0.002)
"""Seconds of one way to the broker, and of half a call in a thread; now and then a long one."""
LONG: Final = 0.002
LONG_FOR: Final = (0.05, 0.4)
RESTART: Final = (0.05, 1.0)
"""Seconds until a dead process is started again."""


def thread_delay(seed: int) -> Callable[[], float]:
    """Draws the seconds of half a call in a thread."""
    dice = Random(f"{seed}/threads")

    def delay() -> float:
        if dice.random() < LONG:
            return dice.uniform(*LONG_FOR)
        return dice.uniform(*THREAD)

    return delay


class WallClock:
    """What the system's clock says: it jumps when the world says so; ticks never go back."""

    def __init__(self, loop: VirtualLoop, origin: float) -> None:
        self.offset = 0
        self._loop = loop
        self._origin = origin

    def now(self) -> int:
        return EPOCH_MS + self.offset + round(self._loop.time() * 1000)

    def ticks(self) -> float:
        return self._origin + self._loop.time()


class World:
    """Everything that is there. `chaos` and `checks` do the rest."""

    def __init__(self, plan: Plan, loop: VirtualLoop, plant: Plant = HONEST) -> None:
        self.plan = plan
        self.loop = loop
        self.plant = plant
        self.witness = Witness()
        self.broker = MemoryBroker(plan.seed, plan.faults)
        self.store = MemoryStore(partitions=plan.partitions)
        self.log = MemoryLog(self.store)
        self.weather = Weather(lost=plan.lost, unknown=plan.unknown)
        self.database = MemoryDatabase()
        self.clocks: list[WallClock] = []
        self.processes: dict[str, Process] = {}
        self.connections: dict[str, Connection] = {}
        self.owners: dict[str, Sequence[Owner]] = {}
        self.sitters: list[Sitter] = []
        self.followed: list[tuple[str, Followed]] = []
        self.dead: list[Process] = []
        self.broker_up = True
        self.ending = False
        self.reconnecting: list[asyncio.Future[None]] = []
        self._outside = copy_context()
        self._ids = Random(f"{plan.seed}/ids")
        self._wire = Random(f"{plan.seed}/wire")
        self._dice = Random(f"{plan.seed}/world")
        self._starts: dict[str, Callable[[], None]] = {}
        self._generation: dict[str, int] = {}

    # Processes --------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start every process that the plan names."""
        for number in range(self.plan.tables):
            self._keep(f"table{number}", "table", self._table)
        for number in range(self.plan.bots):
            self._keep(f"bot{number}", "bot", self._bot)
        for number in range(self.plan.scorers):
            self._keep(f"scoring{number}", "scoring", self._scoring)
        for player in sorted({guest.player for one in self.plan.matches for guest in one.guests}):
            self._keep(player, "player", self._player)

    def _keep(
        self, name: str, role: Role, main: Callable[[Process], Coroutine[Any, Any, None]]
    ) -> None:
        def start() -> None:
            if self.ending:
                return
            if not self.broker_up:
                self.loop.call_later(self._dice.uniform(*RESTART), start)
                return
            process = Process(name, role, self.loop, lambda: self._died(process))
            self.processes[name] = process
            self.connections[name] = self._connect(process)
            self.witness.note("started", name)
            process.start(self._run(process, main))

        self._starts[name] = start
        start()

    def _connect(self, process: Process) -> Connection:
        return Connection(
            process,
            self.broker,
            self.witness,
            outside=self._outside,
            delay=lambda: self._wire.uniform(*WIRE),
        )

    async def _run(
        self, process: Process, main: Callable[[Process], Coroutine[Any, Any, None]]
    ) -> None:
        """As a supervisor sees it: whatever ends by itself is started again."""
        try:
            await main(process)
        except (Killed, asyncio.CancelledError):
            raise
        except (Unreachable, BusError):
            self.witness.note("unreachable", process.name)
        except BaseException as error:  # noqa: BLE001 whatever ended it, a supervisor sees it
            if process.alive:
                self.witness.breaks("worker_failed", f"{process.name}: {error!r}")
        if process.alive and not process.stop.is_set():
            process.kill()

    def _died(self, process: Process) -> None:
        self.witness.note("ended" if self.ending else "died", process.name)
        self.dead.append(process)
        self._outside.copy().run(self._tidy, process)

    def _tidy(self, process: Process) -> None:
        """What the broker and the database see of a death, and the supervisor."""
        self.connections[process.name].sever()
        if process.handle is not None:
            process.handle.leave()
        self.loop.call_later(self._dice.uniform(*RESTART), self._starts[process.name])

    def _handle(self, process: Process) -> Handle:
        number = self._generation[process.name] = self._generation.get(process.name, 0) + 1
        dice = Random(f"{self.plan.seed}/{process.name}/{number}")
        handle = Handle(process, self.store, self.weather, self.witness, dice)
        process.handle = handle.log
        return handle

    def _clock(self) -> Clock:
        clock = WallClock(self.loop, self._dice.uniform(0.0, 1e6))
        self.clocks.append(clock)
        return self.plant.clock(clock)

    def new_id(self) -> str:
        return f"{self._ids.getrandbits(128):032x}"

    # What runs in them ------------------------------------------------------------------------

    async def _table(self, process: Process) -> None:
        bus = self.plant.bus(self.connections[process.name])
        log = self.plant.log(self._handle(process))
        await table._prepare(bus, streams.all_streams(self.plan.partitions))
        desk = Desk(KEY, HURRIED.name, self._clock())
        of = shared(log=log, bus=bus, desk=desk, name=process.name, partitions=self.plan.partitions)
        self.owners[process.name] = owners = owners_of(of)
        await serve(of, owners, process.stop, lambda: None)

    async def _bot(self, process: Process) -> None:
        bus = self.connections[process.name]
        await bot.run(bus, process.stop, lambda: None, think=think, new_id=self.new_id)

    async def _scoring(self, process: Process) -> None:
        standings = Standings(self._statements(process))
        standings.create()
        scoring = Scoring(
            log=self.plant.cursor(self._handle(process)),
            bus=self.connections[process.name],
            standings=standings,
            new_id=self.new_id,
        )
        await scoring.run(process.stop, lambda: None)

    def _statements(self, process: Process) -> sa.Engine:
        """The standings' database, with a point at which the process may die in a transaction."""
        engine = self.database.engine()

        def before(*_: object) -> None:
            process.point("statement")

        sa.event.listen(engine, "before_cursor_execute", before)
        return engine

    async def _player(self, process: Process) -> None:
        bus = self.connections[process.name]
        mine = self._all_sitters(process.name, bus)

        def hear(message: Message) -> None:
            for sitter in mine:
                if message.subject == subjects.feed(process.name, sitter.match):
                    sitter.hear(message)

        await bus.subscribe(f"feed.{process.name}.*", hear)
        self.sitters += mine
        await asyncio.gather(*(sitter.live() for sitter in mine))
        await process.stop.wait()

    def _all_sitters(self, player: str, bus: Connection) -> list[Sitter]:
        return [
            Sitter(bus, plan, guest, self._own_dice(plan, player), self)
            for plan in self.plan.matches
            for guest in plan.guests
            if guest.player == player
        ]

    def _own_dice(self, plan: MatchPlan, player: str) -> Random:
        return Random(f"{self.plan.seed}/{plan.match}/{player}")

    def stored_commands(self) -> set[Key]:
        """What waits in the stream COMMANDS."""
        stream = self.broker._streams.get(streams.COMMANDS)
        stored = () if stream is None else stream.matching("cmd.>")
        return {key for one in stored if (key := command_key(one.message)) is not None}

    # A notebook for players -------------------------------------------------------------------

    def saw(self, match: str, followed: Followed) -> None:
        self.followed.append((match, followed))

    def foreign_id(self, match: str, voice: str) -> str | None:
        others = [key for key in self.witness.said if key[0] == match and key[1] != voice]
        return others[-1][2] if others else None
