"""Which settings a worker reads, by letting it read them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from services.runtime import settings

READERS: Final[Mapping[str, Callable[[Mapping[str, str]], object]]] = {
    "table": settings.table_settings,
    "bot": settings.bot_settings,
    "scoring": settings.scoring_settings,
    "auth": settings.auth_settings,
    "web": settings.web_settings,
}
OF_ALL: Final = frozenset({"WARAQ_LOG_LEVEL"})
"""What is read before a worker's own settings."""
ELSEWHERE: Final = frozenset({"WARAQ_READY_FD", "WARAQ_DRAINING", "WARAQ_OPS_CHOSEN"})
"""What a supervisor says, and no manifest."""


class Asked(Mapping[str, str]):
    """An environment that remembers which names it was asked for."""

    def __init__(self, said: Mapping[str, str]) -> None:
        self._said = said
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return self._said[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._said)

    def __len__(self) -> int:
        return len(self._said)


def read(worker: str, environment: Mapping[str, str]) -> frozenset[str]:
    """The names that `worker` asks for; raises `SettingMissing` where this does not do."""
    asked = Asked(environment)
    READERS[worker](asked)
    return frozenset(asked.names) | OF_ALL


def ours(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith("WARAQ_")}
