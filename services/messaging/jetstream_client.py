"""The broker's client, made steady against what a player can put on the wire.

nats-py decodes subject, reply and the headers' first line as UTF-8 in its read loop, and takes any
white space for the protocol's blanks; what does not fit ends the connection. A player may write
any bytes into the match's token of his own subjects, and what lies in a stream would come again
after each reconnect. There is no public hook before that, so two methods and two patterns of the
client are replaced here and nowhere else; tests/messaging/test_wire.py holds them.

It also takes the end of a log-in for the end of everything. Here it is that of one connection: the
next one logs in with what the password is by then.
"""

import re
from contextlib import suppress
from typing import Any, Final

from nats.aio.client import Client
from nats.errors import Error
from nats.protocol import parser

LOGIN_ENDED: Final = "authentication expired"
"""In the broker's words, of a user or of his account."""
_BLANKS: Final = rb"[ \t]+"
_WORD: Final = rb"([^ \t\r\n]+)"
_REPLY: Final = rb"(" + _WORD + _BLANKS + rb")?"
_TO: Final = _BLANKS + _WORD + _BLANKS + _WORD + _BLANKS + _REPLY
_MSG: Final = re.compile(rb"\AMSG" + _TO + rb"(\d+)\r\n")
_HMSG: Final = re.compile(rb"\AHMSG" + _TO + rb"(\d+)" + _BLANKS + rb"(\d+)\r\n")


class SteadyClient(Client):
    """Illegible subjects become legible and of no known form; illegible headers are dropped."""

    def __init__(self) -> None:
        super().__init__()
        assert parser.MSG_RE.groups == _MSG.groups, "another nats-py: look at its parser"
        assert parser.HMSG_RE.groups == _HMSG.groups, "another nats-py: look at its parser"
        parser.MSG_RE, parser.HMSG_RE = _MSG, _HMSG

    async def _process_msg(
        self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes
    ) -> None:
        told = headers if not headers or _is_text(headers) else b""
        await super()._process_msg(sid, _legible(subject), _legible(reply), data, told)

    async def give_up(self) -> None:
        """Close it after a try to connect, with what one that was cancelled has left open."""
        await self.close()
        line: Any = self._transport
        if line:
            line.close()
            with suppress(OSError):  # one that is gone cannot be closed better
                await line.wait_closed()

    async def _process_err(self, err_msg: str) -> None:
        if LOGIN_ENDED not in err_msg.lower():
            await super()._process_err(err_msg)
            return
        error = Error(f"nats: {err_msg}")
        await self._error_cb(error)
        await self._process_op_err(error)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _legible(subject: bytes) -> bytes:
    return subject if _is_text(subject) else subject.decode(errors="replace").encode()
