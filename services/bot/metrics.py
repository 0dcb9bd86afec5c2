"""What a bot worker counts, for Prometheus. No label is a player, a match or a card."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge

from schemas.views import BotTurn
from services.bot.thoughts import TOGETHER, Thoughts, in_twenties


class BotMetrics:
    """Of one worker; without a registry nobody is told. No number tells of one turn more than that
    it was asked and answered, which all at its table see.
    """

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self._registry = registry
        self.taken = Counter(
            "waraq_turns_taken", "Turns that the broker handed out here.", registry=registry
        )
        self._waiting = Gauge(
            "waraq_turns_waiting",
            f"Turns handed out and not looked at yet, in whole {TOGETHER}s.",
            registry=registry,
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
        self._thoughts = Thoughts(registry)
        self._thinkers = Gauge(
            "waraq_thinkers",
            f"Thinking processes, as of the latest {TOGETHER} thoughts.",
            registry=registry,
        )
        self._running: Callable[[], int] = lambda: 0
        self.died = Counter(
            "waraq_thinkers_ended",
            "Thinking processes that died or did not answer.",
            registry=registry,
        )

    def watch_pool(self, *, running: Callable[[], int], waiting: Callable[[], int]) -> None:
        """How many processes there are, and how many turns wait for one. Another process says that
        a turn takes a search, so that of those, too, is told with the thoughts only.
        """
        self._running = running
        gauge = Gauge(
            "waraq_searches_waiting",
            f"Turns that wait for a process to be thought about in, in whole {TOGETHER}s.",
            registry=self._registry,
        )
        gauge.set_function(lambda: in_twenties(waiting()))

    def wait(self, turns: int) -> None:
        """So many are not looked at yet: for as long as others are thought about here."""
        self._waiting.set(in_twenties(turns))

    def said(self, turn: BotTurn, seconds: float) -> None:
        """An answer that was found in so many seconds is given now: when it was found may be long
        before, and is nobody's to know.
        """
        game = str(turn.view.__struct_config__.tag)
        self.answered.labels(game, turn.level, turn.task).inc()
        if self._thoughts.add(game, turn.level, seconds):
            self._thinkers.set(self._running())
