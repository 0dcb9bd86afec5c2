"""`waraq status`: who works, ready or not, with what before them; how full the streams are.

Workers say it themselves, by NATS' own convention for services; `waraq doctor` looks deeper.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from services.cli import say
from services.cli.doctor import of_door
from services.cli.doctor.of_broker import FILL, survey_by
from services.cli.doctor.of_workers import STALLED, stalled_of, workers_by
from services.cli.exits import DIFFERENCE, UNREACHABLE, Stop, stop
from services.cli.place import Place, as_json, at_place, login, no_broker, shown_url
from services.messaging import streams
from services.messaging.discovery import Seen
from services.messaging.jetstream_survey import BrokerFound, StreamFound
from services.messaging.permissions import KINDS
from services.messaging.port import BusError, StreamSpec
from services.runtime.logs import log_to_stderr
from services.runtime.settings import Login

UNTOLD: Final = frozenset({"partitions", "draining"})
"""Numbers that are told in other words."""
IF_ANY: Final = frozenset({"events_stalled_seconds"})


T = TypeVar("T")


class WorkerLine(Struct, frozen=True, kw_only=True, tag_field="kind", tag="worker"):
    """One worker, as it says itself: `numbers` are of what it has before it."""

    worker: str
    id: str
    at: str
    version: str
    began: str
    ready: bool
    missing: tuple[str, ...]
    done: int
    failed: int
    numbers: dict[str, int]
    owned: tuple[int, ...]


class StreamLine(Struct, frozen=True, kw_only=True, tag_field="kind", tag="stream"):
    """`fill`: the part of its limit that is used; EVENTS and TURNS drop their oldest at it, as they
    should. `waiting`: messages that its readers have yet to be given.
    """

    stream: str
    messages: int
    bytes: int
    fill: float
    waiting: int


class DoorLine(Struct, frozen=True, kw_only=True, tag_field="kind", tag="door"):
    """Where players come in: `web`, or the log-ins that auth workers answer. `ok` is None for one
    that was not asked, since nothing here says where it is.
    """

    door: str
    ok: bool | None
    what: str


Line = WorkerLine | StreamLine | DoorLine


class Whole(Struct, frozen=True, kw_only=True, tag_field="kind", tag="whole"):
    """The service as a whole; `wrong`: what is not as it should be, in words."""

    ok: bool
    wrong: tuple[str, ...]


@click.command()
@at_place
@as_json
def status(place: Place, *, as_json: bool) -> None:
    """Say who works, whether each is ready, what it has before it, and how full the streams are.

    Exit code 4 where something is not as it should be: `waraq doctor` says what to do about it; 5
    where the broker does not answer. What answers is said all the same, and the whole at the end.
    """
    log_to_stderr("status", "critical")  # what a connection says on the way is in the answer
    found = _found(place)
    doors = _doors(place)
    wrong = (*found.silent, *_wrong(found.workers, found.broker, doors))
    lines: list[Line] = [*map(_worker, found.workers or ()), *map(_stream, found.broker.streams)]
    for one in (*lines, *doors):
        say.result(one, say.foreign(_prose(one)), as_json=as_json)
    say.result(Whole(ok=not wrong, wrong=wrong), _verdict(wrong), as_json=as_json)
    if found.away:
        stop(UNREACHABLE, found.away)
    if wrong:
        stop(DIFFERENCE, f"{len(wrong)} things are not as they should be: see `waraq doctor`")


class Found(Struct, frozen=True, kw_only=True):
    """What answered. `workers`: None where they could not be asked; `silent`: what did not answer,
    in words; `away`: what to say, and to do, where nothing of the broker did.
    """

    workers: tuple[Seen, ...] | None
    broker: BrokerFound
    silent: tuple[str, ...] = ()
    away: str = ""


def _found(place: Place) -> Found:
    try:
        entry = login(place, "cli")
    except Stop as error:
        if error.exit_code != UNREACHABLE:
            raise
        return Found(workers=None, broker=_NOTHING, silent=(error.message,), away=error.message)
    return asyncio.run(_asked(place, entry))


async def _asked(place: Place, entry: Login) -> Found:
    """Workers and each stream by themselves: what does not answer hides nothing of the others."""
    specs = streams.all_streams(1)
    workers, each = await asyncio.gather(
        _or_fault(workers_by(entry)),
        asyncio.gather(*(_or_fault(survey_by(entry, (one,))) for one in specs)),
    )
    broker = _together(one for one in each if not isinstance(one, BusError))
    silent = [
        f"the stream {spec.name} does not answer: {shown_url(str(one))}"
        for spec, one in zip(specs, each, strict=True)
        if isinstance(one, BusError)
    ]
    if not isinstance(workers, BusError):
        return Found(workers=workers, broker=broker, silent=tuple(silent))
    if len(silent) == len(specs):
        away = no_broker(place, workers)
        return Found(workers=None, broker=broker, silent=(away,), away=away)
    silent.insert(0, f"the workers could not be asked: {shown_url(str(workers))}")
    return Found(workers=None, broker=broker, silent=tuple(silent))


async def _or_fault(asking: Awaitable[T]) -> T | BusError:
    try:
        return await asking
    except BusError as error:
        return error


_NOTHING: Final = BrokerFound(version="", streams=(), missing=(), skew=0, milliseconds=0)


def _together(each: Iterable[BrokerFound]) -> BrokerFound:
    found = _NOTHING
    for one in each:
        found = replace(
            one, streams=found.streams + one.streams, missing=found.missing + one.missing
        )
    return found


def _doors(place: Place) -> tuple[DoorLine, ...]:
    return tuple(
        DoorLine(
            door=one.check, ok=None if one.level == "note" else one.level == "ok", what=one.what
        )
        for one in of_door.look(place)
    )


def _worker(one: Seen) -> WorkerLine:
    stands = one.standing
    return WorkerLine(
        worker=one.worker,
        id=one.id,
        at=one.at,
        version=one.version,
        began=one.began,
        ready=stands.ready,
        missing=stands.missing,
        done=stands.done,
        failed=stands.failed,
        numbers=dict(stands.numbers),
        owned=stands.owned,
    )


def _stream(found: StreamFound) -> StreamLine:
    return StreamLine(
        stream=found.name,
        messages=found.messages,
        bytes=found.bytes,
        fill=round(_fill(found), 3),
        waiting=sum(one.pending for one in found.readers),
    )


def _spec(name: str) -> StreamSpec:
    return next(one for one in streams.all_streams(1) if one.name == name)


def _fill(found: StreamFound) -> float:
    return streams.fill(_spec(found.name), messages=found.messages, size=found.bytes)


# What is wrong --------------------------------------------------------------------------------


def _wrong(
    workers: Sequence[Seen] | None, broker: BrokerFound, doors: Iterable[DoorLine]
) -> Iterator[str]:
    for kind in KINDS if workers is not None else ():
        if not any(one.worker == kind for one in workers or ()):
            yield f"no {kind} worker answers"
    for one in workers or ():
        if not one.standing.ready:
            yield f"the {one.worker} worker {one.at} misses {', '.join(one.standing.missing)}"
        if one.worker == "table" and stalled_of(one) >= STALLED[1]:
            yield f"the broker confirms no event of the table worker {one.at}: matches stand still"
    yield from _without_owner(workers or ())
    for name in broker.missing:
        yield f"the stream {name} is missing"
    for found in broker.streams:
        if found.away:
            yield f"copies of the stream {found.name} are away or behind: {', '.join(found.away)}"
        if _spec(found.name).discard == "new" and _fill(found) >= FILL[1]:
            yield f"the stream {found.name} is full: what is said is not taken"
    yield from (f"{one.door}: {one.what}" for one in doors if one.ok is False)


def _without_owner(workers: Sequence[Seen]) -> Iterator[str]:
    tables = [one.standing for one in workers if one.worker == "table"]
    partitions = max((one.numbers.get("partitions", 0) for one in tables), default=0)
    alone = set(range(partitions)) - {owned for one in tables for owned in one.owned}
    if alone:
        yield f"{len(alone)} of {partitions} partitions have no owner: {_some(sorted(alone))}"


# In words -------------------------------------------------------------------------------------


def _prose(one: Line) -> str:
    match one:
        case WorkerLine():
            state = "ready" if one.ready else f"NOT READY ({', '.join(one.missing)})"
            return f"{one.worker:<9} {one.at:<24} {one.version:<8} {state:<8} {_before(one)}"
        case StreamLine():
            size = f"{one.messages} messages, {one.bytes >> 20} MiB"
            return f"{one.stream:<9} {size:<24} {one.fill:>4.0%} full, {one.waiting} wait"
        case DoorLine():
            state = {None: "-", True: "ok", False: "NOT OK"}[one.ok]
            return f"{one.door:<9} {state:<24} {one.what}"


def _before(one: WorkerLine) -> str:
    said = [f"{one.done} done"]
    said += [f"{one.failed} failed"] if one.failed else []
    said += [f"partitions {_some(one.owned)}"] if one.owned else []
    said += ["draining"] if one.numbers.get("draining") else []
    said += [
        f"{number} {name.replace('_', ' ')}"
        for name, number in one.numbers.items()
        if name not in UNTOLD and (number or name not in IF_ANY)
    ]
    return ", ".join(said)


def _some(numbers: Sequence[int]) -> str:
    """`0-3 7`: neighbours together."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(f"{one[0]}-{one[-1]}" if len(one) > 1 else str(one[0]) for one in runs)


def _verdict(wrong: Sequence[str]) -> str:
    return (
        "\n".join(("wrong:", *(f"  {say.foreign(one)}" for one in wrong)))
        if wrong
        else "all is well"
    )
