"""What a bot worker counts, for Prometheus. No label is a player, a match or a card."""

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from schemas.views import BotTurn

SECONDS: Final = (0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class BotMetrics:
    """Of one worker; without a registry nobody is told. Times are by level and task, never by view:
    they tell nothing of cards.
    """

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self._registry = registry
        self.taken = Counter(
            "waraq_turns_taken", "Turns that the broker handed out here.", registry=registry
        )
        self.waiting = Gauge(
            "waraq_turns_waiting", "Turns handed out and not looked at yet.", registry=registry
        )
        self.answered = Counter(
            "waraq_turns_answered",
            "Turns answered with a command.",
            ["game", "level", "task"],
            registry=registry,
        )
        self.failed = Counter(
            "waraq_turns_failed", "Turns to which the policy had no answer.", registry=registry
        )
        self.given_up = Counter(
            "waraq_turns_given_up",
            "Turns that a later one of their match overtook while they were thought about.",
            registry=registry,
        )
        self.thought_seconds = Histogram(
            "waraq_thought_seconds",
            "From a turn taken up to what is said on it, the wait for a process included.",
            ["game", "level"],
            buckets=SECONDS,
            registry=registry,
        )
        self.searches = Gauge(
            "waraq_searches",
            "Turns that are thought about, wait for it, or are held.",
            registry=registry,
        )
        self.died = Counter(
            "waraq_thinkers_ended",
            "Thinking processes that died or did not answer.",
            registry=registry,
        )

    def watch_processes(self, running: Callable[[], int]) -> None:
        """A gauge, looked at when asked."""
        thinkers = Gauge("waraq_thinkers", "Thinking processes.", registry=self._registry)
        thinkers.set_function(running)

    def thought(self, turn: BotTurn, seconds: float) -> None:
        """An answer was found in so many seconds."""
        game = str(turn.view.__struct_config__.tag)
        self.answered.labels(game, turn.level, turn.task).inc()
        self.thought_seconds.labels(game, turn.level).observe(seconds)
