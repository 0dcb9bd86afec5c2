"""What a scoring worker counts, for Prometheus. No label is a player or a match."""

from prometheus_client import CollectorRegistry, Counter, Gauge


class ScoringMetrics:
    """Of one worker; without a registry nobody is told. Several may keep the same standings: each
    counts what it took itself.
    """

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.rounds = Counter(
            "waraq_rounds_scored", "Ended rounds answered with a score.", registry=registry
        )
        self.failed = Counter(
            "waraq_rounds_failed", "Ended rounds that could not be scored.", registry=registry
        )
        self.taken = Counter(
            "waraq_standings_events", "Events taken into the standings.", registry=registry
        )
        self.behind = Gauge(
            "waraq_standings_behind",
            "Events that the log had and the standings had not, at the latest look.",
            registry=registry,
        )
        self.behind_most = Gauge(
            "waraq_standings_behind_most",
            "Of them, those of the partition that is the furthest behind.",
            registry=registry,
        )
        self.caught_up = Gauge(
            "waraq_standings_caught_up_timestamp_seconds",
            "When the standings last had all that the log had.",
            registry=registry,
        )
