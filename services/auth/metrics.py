"""What an auth worker counts, for Prometheus: never who, never a token."""

from typing import get_args

from prometheus_client import CollectorRegistry, Counter

from services.auth.doorman import Verdict


class AuthMetrics:
    """Of one worker; without a registry nobody is told."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.logins = Counter(
            "waraq_logins", "Log-ins answered, by verdict.", ["verdict"], registry=registry
        )
        for verdict in get_args(Verdict):
            self.logins.labels(verdict)
