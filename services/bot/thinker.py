"""A process that thinks for the bot worker: `python -m services.bot.thinker`.

A turn in a line on stdin, a thought about it in a line on stdout, until stdin ends. That is how it
ends with the worker, in the middle of a thought too, and with one that was killed: nobody is left
to hold the other end. It knows the view that it is given and has no connection to anything.
"""

import os
import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Final

import msgspec
from msgspec import Struct

from schemas.commands import Suggestion
from schemas.views import BotTurn, decode_turn
from services.bot.policy import suggest
from services.runtime.faults import place_of


class Thought(Struct, frozen=True, kw_only=True):
    """Either what to do, or the kind and the place of the fault that the policy had."""

    suggestion: Suggestion | None = None
    fault: str | None = None


_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Thought).decode


def decode_thought(line: bytes) -> Thought:
    """The thought in `line`; raises `msgspec.DecodeError`."""
    return _decode(line)


def serve(policy: Callable[[BotTurn], Suggestion]) -> None:
    """Think about each turn that comes, until the process ends because no more can come."""
    lines: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read, args=(lines,), daemon=True).start()
    while True:
        said = _encode(_think(policy, lines.get()))
        try:
            sys.stdout.buffer.write(said + b"\n")
            sys.stdout.buffer.flush()
        except OSError:
            os._exit(0)  # the worker has gone; a normal end would try to flush once more


def _read(lines: SimpleQueue[bytes]) -> None:
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)  # whatever is being thought about, nobody waits for it


def _think(policy: Callable[[BotTurn], Suggestion], line: bytes) -> Thought:
    try:
        return Thought(suggestion=policy(decode_turn(line)))
    except Exception as error:  # noqa: BLE001 - one turn the policy cannot play stops no other
        return Thought(fault=place_of(error))


if __name__ == "__main__":
    serve(suggest)
