"""Bad days, by seed: what goes wrong, when, and that it ends."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Final

from services.messaging.memory import MemoryBroker
from services.messaging.memory_consumer import NO_FAULTS
from tests.simulation.process import Process, Trap
from tests.simulation.world import World

FREEZE: Final = (0.3, 12.0)
CUT: Final = (0.05, 4.0)
BROKER_DOWN: Final = (0.05, 3.0)
LOG_DOWN: Final = (0.05, 4.0)
CLOCK_STEP_MS: Final = 24 * 3600 * 1000
TAIL: Final = 30
"""The most messages that a stream loses of its end."""
POINTS: Final = {
    "table": ("before_commit", "after_commit", "before_confirm", "after_confirm", "before_tell"),
    "bot": ("before_tell", "before_ack", "step"),
    "scoring": ("before_tell", "before_ack", "statement", "step"),
}


class Chaos:
    """Does one act after another, in the time that the plan gives it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._dice = Random(f"{world.plan.seed}/chaos")
        self._tasks: set[asyncio.Task[None]] = set()
        self._acts: dict[str, Callable[[], Awaitable[None]]] = {
            "kill": self._kill,
            "trap": self._trap,
            "freeze": self._freeze,
            "cut": self._cut,
            "broker_down": self._broker_down,
            "broker_wiped": self._broker_wiped,
            "broker_tail": self._broker_tail,
            "log_down": self._log_down,
            "locks_lost": self._locks_lost,
            "clock_step": self._clock_step,
        }

    async def run(self) -> None:
        plan, loop = self._world.plan, self._world.loop
        end = loop.time() + plan.chaos
        names, weights = list(plan.acts), list(plan.acts.values())
        while loop.time() < end and not self._world.witness.broken:
            await asyncio.sleep(self._dice.expovariate(1.0 / plan.pause))
            act = self._dice.choices(names, weights)[0]
            task = asyncio.create_task(self._do(act))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _do(self, act: str) -> None:
        self._world.witness.note(f"act_{act}")
        await self._acts[act]()

    async def heal(self) -> None:
        """Bad days are over: what is broken is mended, what is frozen goes on."""
        world = self._world
        while self._tasks:
            await asyncio.wait(list(self._tasks))
        world.broker.dice.faults = NO_FAULTS
        world.weather.lost = world.weather.unknown = 0.0
        for process in world.processes.values():
            process.set_trap(None)

    # Processes --------------------------------------------------------------------------------

    def _one_of(self, *roles: str) -> Process | None:
        there = [one for one in self._world.processes.values() if one.role in roles]
        running = [one for one in there if one.state == "running"]
        return self._dice.choice(running) if running else None

    async def _kill(self) -> None:
        process = self._one_of("table", "table", "bot", "scoring")
        if process is not None:
            process.kill()

    async def _trap(self) -> None:
        """The process will die at a named point."""
        process = self._one_of("table", "bot", "scoring")
        if process is not None:
            point = self._dice.choice((*POINTS[process.role], "before_ack", "step"))
            count = self._dice.randint(1, 400 if point == "step" else 4)
            process.set_trap(Trap(point, count))

    async def _freeze(self) -> None:
        """A zombie: the database has given its lock away, and then it goes on."""
        process = self._one_of("table", "table", "bot", "scoring")
        if process is None:
            return
        process.freeze()
        await asyncio.sleep(self._dice.uniform(0.0, 0.2))
        if process.handle is not None and process.state == "frozen":
            process.handle.leave()
        await asyncio.sleep(self._dice.uniform(*FREEZE))
        process.thaw()

    # The broker -------------------------------------------------------------------------------

    async def _cut(self) -> None:
        process = self._one_of("table", "table", "bot", "scoring", "player")
        if process is None:
            return
        await self._away(process, self._dice.uniform(*CUT))

    async def _away(self, process: Process, seconds: float) -> None:
        bus = self._world.connections[process.name].bus
        if bus.connected and process.alive:
            self._world.broker.disconnect(bus)
            await asyncio.sleep(seconds)
            await self._back(process)

    async def _back(self, process: Process) -> None:
        bus = self._world.connections[process.name].bus
        if process.alive and not bus.connected and self._world.broker_up:
            # It ends when the process has answered; one that dies or is frozen may never.
            task = asyncio.ensure_future(self._world.broker.reconnect(bus))
            self._world.reconnecting.append(task)

    async def _broker_down(self) -> None:
        await self._restart(lambda _: None)

    async def _broker_wiped(self) -> None:
        await self._restart(lambda broker: broker.wipe())

    async def _broker_tail(self) -> None:
        count = self._dice.randint(1, TAIL)
        await self._restart(lambda broker: lose_tail(broker, count))

    async def _restart(self, meanwhile: Callable[[MemoryBroker], None]) -> None:
        world = self._world
        if not world.broker_up:
            return
        world.broker_up = False
        for bus in list(world.broker.buses):
            world.broker.disconnect(bus)
        before = world.stored_commands()
        meanwhile(world.broker)
        world.witness.lost |= before - world.stored_commands()
        await asyncio.sleep(self._dice.uniform(*BROKER_DOWN))
        world.broker_up = True
        for process in list(world.processes.values()):
            await asyncio.sleep(self._dice.uniform(0.0, 0.3))
            await self._back(process)

    # The database -----------------------------------------------------------------------------

    async def _log_down(self) -> None:
        self._world.weather.down = True
        if self._dice.random() < 0.5:
            self._lose_sessions()
        await asyncio.sleep(self._dice.uniform(*LOG_DOWN))
        self._world.weather.down = False

    async def _locks_lost(self) -> None:
        """Every session is ended by the database: owners live on and do not know it."""
        self._lose_sessions()

    def _lose_sessions(self) -> None:
        self._world.store.holders.clear()
        self._world.store.crew.clear()

    async def _clock_step(self) -> None:
        step = self._dice.randint(-CLOCK_STEP_MS, CLOCK_STEP_MS)
        for clock in self._world.clocks:
            clock.offset += step


def lose_tail(broker: MemoryBroker, count: int) -> None:
    """A broker that was cut off from power: what it had not synced is gone, and its sequences are
    used again.
    """
    for name, stream in broker._streams.items():
        tail = list(stream._stored)[-count:]
        for sequence in tail:
            stream.remove(sequence)
        if tail:
            stream._last = tail[0] - 1
        kept = {one.message.headers.get("Nats-Msg-Id") for one in stream.matching(">")}
        stream._ids = {known: at for known, at in stream._ids.items() if known in kept}
        for consumer in broker._consumers[name]:
            consumer._waiting = type(consumer._waiting)(
                one for one in consumer._waiting if stream.get(one) is not None
            )
            for sequence in [one for one in consumer._pending if stream.get(one) is None]:
                consumer._pending.pop(sequence).cancel()
