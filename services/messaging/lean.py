"""Loads nats-py without aiohttp, which it imports for websockets wherever it is installed.

Here aiohttp is installed for the web worker. Workers speak TCP to the broker, and each of them
would spend 0.2 s of a processor on it: together a third of the time that `waraq up` has. Where
aiohttp is loaded already, as in tests whose clients speak websocket, nothing is changed. Whoever
opens a websocket gives it back, whatever was loaded before.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Final

_TRANSPORT: Final = "nats.aio.transport"
_SPARED: Final = "aiohttp"
_NEEDED: Final = (_SPARED, "multidict")
"""What nats-py's websockets are made of."""


class _Without(Loader):
    """Runs a module as if `_SPARED` were not installed, which nats-py expects."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[_SPARED] = None  # type: ignore[assignment] # Python's own way to say "absent"
        try:
            self._loader.exec_module(module)
        finally:
            del sys.modules[_SPARED]


class _Finder(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _TRANSPORT or _SPARED in sys.modules:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Without(spec.loader)
        return spec


def spare_websockets() -> None:
    """Call it before nats-py is imported."""
    sys.meta_path.insert(0, _Finder())


def load_websockets() -> None:
    """Call it before nats-py opens a websocket."""
    transport = import_module(_TRANSPORT)
    for name in _NEEDED:
        setattr(transport, name, import_module(name))
