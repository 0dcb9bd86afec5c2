"""The broker: reached, JetStream on, streams as they should be and not full, read by somebody."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from msgspec.structs import replace

from services.cli.doctor.finding import Finding, measured, see
from services.cli.doctor.of_log import clock
from services.cli.exits import Stop
from services.cli.place import Place, login, shown_url
from services.event_log.port import LogError
from services.event_log.sql import open_reader
from services.messaging import streams
from services.messaging.jetstream_survey import BrokerFound, StreamFound, survey
from services.messaging.port import BusError, ConsumerSpec, JetStreamOff, LoginRefused, StreamSpec
from services.runtime.settings import Login

CONNECT_WITHIN: Final = 3.0
"""Seconds that the broker has to take us."""
FILL: Final = (0.5, 0.9)
"""The part of a stream's limit that is used: a warning; bad, for it is as good as full."""
SLOW_MS: Final = (100.0, 1_000.0)
BACKLOG: Final = (1_000.0, 10_000.0)
"""Messages that wait for a reader."""
SORTING: Final = "subject_transform"
"""The part of a stream's configuration that sorts commands by partition."""
READERS: Final[dict[ConsumerSpec, tuple[str, str]]] = {
    streams.bots(): ("bot", "bots-late"),
    streams.ended_rounds(): ("scoring", "rounds-without-score"),
}
"""Of each shared reader: which worker it is, and where to read what to do without one."""


def look(place: Place) -> Iterator[Finding]:
    """Raises nothing: a broker that cannot be reached is a finding."""
    try:
        entry = login(place, "cli")
    except Stop as error:
        yield Finding(check="broker", level="unreachable", what=error.message, next="waraq up")
        return
    partitions = _partitions(place)
    specs = streams.all_streams(partitions or 1, replicas=_replicas(place))
    try:
        found = asyncio.run(survey_by(entry, specs))
    except LoginRefused:
        what = f"{shown_url(entry.url)} refuses the log-in of {entry.user}"
        yield Finding(check="broker", level="unreachable", what=what, next=see("broker-lost"))
    except JetStreamOff as error:
        yield Finding(check="broker", level="unreachable", what=str(error), next=see("broker-lost"))
    except BusError:
        what = f"no broker answers ({shown_url(entry.url)})"
        yield Finding(check="broker", level="unreachable", what=what, next=see("broker-lost"))
    else:
        yield from _stands(found if partitions else _unsorted(found), specs)


def _unsorted(found: BrokerFound) -> BrokerFound:
    """By how many partitions commands are to be sorted is not known: then it is not odd either."""
    return replace(found, streams=tuple(map(_unsorted_stream, found.streams)))


def _unsorted_stream(stream: StreamFound) -> StreamFound:
    return replace(stream, odd=tuple(one for one in stream.odd if one != SORTING))


async def survey_by(entry: Login, specs: tuple[StreamSpec, ...]) -> BrokerFound:
    """Raises as `survey`."""
    return await survey(
        entry.url, user=entry.user, password=entry.password, specs=specs, within=CONNECT_WITHIN
    )


def _partitions(place: Place) -> int | None:
    """The log's, which COMMANDS is sorted by; None if it is away, which is told elsewhere."""
    try:
        with closing(open_reader(place.log_url)) as log:
            return log.info().partitions
    except LogError:
        return None


def _replicas(place: Place) -> int:
    said = place.environ.get("WARAQ_STREAM_REPLICAS", "1")
    return int(said) if said.isdecimal() else 1


def _stands(found: BrokerFound, specs: tuple[StreamSpec, ...]) -> Iterator[Finding]:
    what = f"nats-server {found.version}, a question takes {found.milliseconds} ms"
    yield measured("broker", found.milliseconds, SLOW_MS, what, see("broker-lost"))
    if len(found.missing) < len(specs):
        yield clock("broker clock", found.skew)
    for name in found.missing:
        what = "is missing: no table worker has made it yet, or its store was lost"
        yield Finding(
            check=f"stream {name}", level="bad", what=what, next=see("partition-without-owner")
        )
    wanted = {spec.name: spec for spec in specs}
    for stream in found.streams:
        yield from _stream(stream, wanted[stream.name])


def _stream(stream: StreamFound, spec: StreamSpec) -> Iterator[Finding]:
    check = f"stream {stream.name}"
    if stream.odd:
        what = f"not as it should be: {', '.join(stream.odd)}; a table worker mends it as it begins"
        yield Finding(check=check, level="warning", what=what, next=see("partition-without-owner"))
    if stream.replicas < spec.replicas:
        what = f"is stored on {stream.replicas} nodes, not {spec.replicas}"
        yield Finding(check=check, level="warning", what=what, next=see("broker-lost"))
    if stream.away:
        what = f"copies that are away or behind: {', '.join(stream.away)}"
        yield Finding(check=check, level="warning", what=what, next=see("broker-lost"))
    yield _fill(stream, spec)
    yield from _readers(stream)


def _fill(stream: StreamFound, spec: StreamSpec) -> Finding:
    """Of the limit that is nearer, messages or bytes. EVENTS drops its oldest as it should; what
    does not fit into the others is lost.
    """
    check = f"stream {stream.name}"
    held = f"{stream.messages} messages, {stream.bytes >> 20} MiB"
    if spec.retention == "limits":
        return Finding(check=check, level="ok", what=f"{held}, {stream.replicas} copies")
    part = streams.fill(spec, messages=stream.messages, size=stream.bytes)
    what = f"{held}, {part:.0%} full, {stream.replicas} copies"
    return measured(check, part, FILL, what, see("stream-fill"))


def _readers(stream: StreamFound) -> Iterator[Finding]:
    there = {one.name: one for one in stream.readers}
    for spec, (worker, heading) in READERS.items():
        if spec.stream != stream.name:
            continue
        reader = there.get(spec.name)
        if reader is None or not reader.bound:
            what = f"no {worker} worker listens"
            yield Finding(check=f"{worker} workers", level="bad", what=what, next=see(heading))
            continue
        what = f"{reader.pending} wait, {reader.unacked} are being worked on"
        yield measured(f"{worker} workers", reader.pending, BACKLOG, what, see(heading))
