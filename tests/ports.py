"""Ports of loopback that nobody has: whoever is given one may lose it until he listens on it."""

import socket
from contextlib import ExitStack
from typing import Final

LOOPBACK: Final = "127.0.0.1"


def free_port() -> int:
    (port,) = free_ports(1)
    return port


def free_ports(many: int) -> list[int]:
    """So many, wherever they are."""
    with ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in range(many)]
        for probe in probes:
            probe.bind((LOOPBACK, 0))
        return [probe.getsockname()[1] for probe in probes]


def free_row(rows: range) -> int:
    """The first port of the first row that is free: a row is all ports from one of `rows` up to the
    next. Tests that run at the same time look in different places.
    """
    for first in rows:
        if all(map(_is_free, range(first, first + rows.step))):
            return first
    raise AssertionError(f"no {rows.step} free ports in a row: {rows}")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True
