"""What a table worker counts, for Prometheus. No label is a player, a match or a card."""

from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from schemas.refusals import Refusal
from services.table.stage import Stage

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
SIZES: Final = (1, 2, 5, 10, 20, 50, 100, 200)
ACCEPTED: Final = "accepted"
AGAIN: Final = "again"
"""Accepted before, and told again."""
FENCED: Final = "fenced"
REASONS: Final = (FENCED, "log", "broker")
"""Why an owner gives a partition up."""


class Held(Struct, frozen=True, kw_only=True):
    """What an owner has before it at a moment."""

    open: int
    live: int
    commands: int
    asks: int
    unconfirmed: int
    stalled: float
    """Seconds for which the broker has confirmed none of them."""


class TableMetrics:
    """One for a worker, shared by its owners; without a registry nobody is told."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self._registry = registry
        self.commands = Counter(
            "waraq_commands",
            "Commands answered: accepted, again (accepted before), or a refusal's code.",
            ["outcome"],
            registry=registry,
        )
        self.events = Counter(
            "waraq_events", "Events appended to the log, by type.", ["type"], registry=registry
        )
        self.turn_seconds = Histogram(
            "waraq_turn_seconds",
            "An owner's turn with something to append, until all that it says is sent.",
            buckets=SECONDS,
            registry=registry,
        )
        self.append_seconds = Histogram(
            "waraq_append_seconds",
            "What it waits for the log in such a turn.",
            buckets=SECONDS,
            registry=registry,
        )
        self.appended_seconds = Histogram(
            "waraq_command_appended_seconds",
            "From an accepted command received until its event is in the log.",
            buckets=SECONDS,
            registry=registry,
        )
        self.confirmed_seconds = Histogram(
            "waraq_command_confirmed_seconds",
            "From an accepted command received until the broker has confirmed its event.",
            buckets=SECONDS,
            registry=registry,
        )
        self.batch_commands = Histogram(
            "waraq_batch_commands", "Commands of such a turn.", buckets=SIZES, registry=registry
        )
        self.dead_letters = Counter("waraq_dead_letters", "Messages put aside.", registry=registry)
        self.claims = Counter("waraq_claims", "Times a partition was claimed.", registry=registry)
        self.lost = Counter(
            "waraq_partitions_lost",
            "Partitions given up: fenced by another owner, or for what log or broker said.",
            ["reason"],
            registry=registry,
        )
        self.scores_late = Counter(
            "waraq_scores_late",
            "Looks that found a round without its score after a minute.",
            registry=registry,
        )
        self.alarms_late = Counter(
            "waraq_alarms_late",
            "Ends of a turn or of a lobby that came more than a second late.",
            registry=registry,
        )
        self.stood_still = Counter(
            "waraq_stood_still",
            "Times that an owner found that its process had stood still.",
            registry=registry,
        )
        self.denied = Counter(
            "waraq_players_denied",
            "Players that were not heard for a while since they flooded.",
            registry=registry,
        )

        self.stream_messages = Gauge(
            "waraq_stream_messages", "What a stream holds.", ["stream"], registry=registry
        )
        self.stream_bytes = Gauge(
            "waraq_stream_bytes", "What a stream holds.", ["stream"], registry=registry
        )
        self.copies_away = Gauge(
            "waraq_stream_copies_away",
            "Copies of a stream that are offline or behind.",
            ["stream"],
            registry=registry,
        )
        self.stream_full = Gauge(
            "waraq_stream_full_ratio",
            "The part of a stream's limit that is used.",
            ["stream"],
            registry=registry,
        )

        # From the first look on there is a number: what never was is 0, not absent.
        for outcome in (ACCEPTED, AGAIN, *Refusal):
            self.commands.labels(outcome)
        for reason in REASONS:
            self.lost.labels(reason)

    def turned(self, stage: Stage, *, commands: int, seconds: float) -> None:
        """An owner's turn is over, committed and said; one in which nothing was is not measured."""
        accepted = sum(one.entry.command is not None for one in stage.happenings)
        self.commands.labels(ACCEPTED).inc(accepted)
        self.commands.labels(AGAIN).inc(len(stage.replies))
        for code, count in stage.codes.items():
            self.commands.labels(code).inc(count)
        for one in stage.happenings:
            self.events.labels(one.entry.type).inc()
        self.dead_letters.inc(len(stage.dead))
        if stage.happenings:
            self.turn_seconds.observe(seconds)
            self.batch_commands.observe(commands)

    def filled(self, stream: str, *, messages: int, size: int, full: float, away: int) -> None:
        """What a stream of the broker's holds, and how many of its copies are away."""
        self.copies_away.labels(stream).set(away)
        self.stream_messages.labels(stream).set(messages)
        self.stream_bytes.labels(stream).set(size)
        self.stream_full.labels(stream).set(full)

    def watch_draining(self, is_draining: Callable[[], bool]) -> None:
        """Whether it was asked to open no match any more."""
        Gauge(
            "waraq_draining", "1 once no match is opened here any more.", registry=self._registry
        ).set_function(is_draining)

    def watch(self, held: Callable[[], Iterable[Held]], *, partitions: int) -> None:
        """Gauges of what the owners that serve have before them, looked at when asked."""

        def gauge(name: str, says: str, of: Callable[[Held], int]) -> None:
            found = Gauge(name, says, registry=self._registry)
            found.set_function(lambda: sum(map(of, held())))

        Gauge("waraq_partitions", "Partitions of the log.", registry=self._registry).set(partitions)
        gauge("waraq_partitions_owned", "Partitions that this worker serves.", lambda _: 1)
        gauge("waraq_matches_open", "Matches that are not over.", lambda one: one.open)
        gauge("waraq_matches_in_memory", "Matches in memory.", lambda one: one.live)
        gauge("waraq_commands_waiting", "Commands not taken up yet.", lambda one: one.commands)
        gauge("waraq_asks_waiting", "Asks not taken up yet.", lambda one: one.asks)
        gauge(
            "waraq_events_unconfirmed",
            "Events in the log that the broker has not confirmed.",
            lambda one: one.unconfirmed,
        )
        Gauge(
            "waraq_events_stalled_seconds",
            "For how long events have waited in some partition and the broker has confirmed none.",
            registry=self._registry,
        ).set_function(lambda: max((one.stalled for one in held()), default=0.0))
