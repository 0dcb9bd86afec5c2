"""Between a person and the table: what is said to either, and that it is heard."""

import asyncio
from typing import Final, Literal

from msgspec.structs import replace

from schemas.commands import Action
from schemas.ids import Seat
from schemas.refusals import Refusal
from services.cli.client import CommandRefused, Stalled
from services.cli.join.client import TableClient
from services.cli.join.fitting import fitted
from services.cli.join.outside import Outside
from services.cli.join.people import chairs
from services.cli.join.speech import ASCII_DIGITS, Speech
from services.cli.join.terminal import Terminal
from services.rules.match import MatchState
from services.runtime.tasks import end, happens

TICK: Final = 1.0
"""Seconds between two looks at the connection."""
ANSWER_WITHIN: Final = 60.0
"""Seconds that the table has to answer, restarts included."""
CLOSED: Final = (Refusal.UNKNOWN_MATCH, Refusal.MATCH_OVER)
DONE: Final = "done"
UNANSWERED: Final = "unanswered"

Answer = Refusal | Literal["done", "unanswered"]
"""What came of a command."""


class Talk:
    """`wake` is set when the client or the terminal has something."""

    def __init__(
        self,
        client: TableClient,
        terminal: Terminal,
        speech: Speech,
        wake: asyncio.Event,
        outside: Outside,
    ) -> None:
        self.client = client
        self.terminal = terminal
        self.speech = speech
        self.outside = outside
        self.wake = wake
        self.shown = 0
        """How often something was shown."""
        self._lost = False
        self._returns = 0

    @property
    def state(self) -> MatchState:
        state = self.client.state
        assert state is not None, "learned on arrival"
        return state

    @property
    def seat(self) -> Seat | None:
        return self.client.seat

    # To the person ----------------------------------------------------------------------------

    def say(self, text: str, /, **values: object) -> None:
        """Show the text of that name."""
        self.show(self.speech.say(text, **values))

    def show(self, line: str) -> None:
        self.shown += 1
        self.terminal.show(line)

    def show_fitted(self, line: str) -> None:
        """Show a line of the table, in as many as the terminal's width takes."""
        for part in fitted(line, self.terminal.columns):
            self.show(part)

    def prompt(self, text: str) -> None:
        self.terminal.prompt(f"{text} ")

    def refused(self, code: Refusal) -> None:
        self.show(self.speech.refusal(code))

    def show_chairs(self) -> None:
        for line in chairs(self.speech, self.seat, self.state.chairs):
            self.show(line)

    def say_how(self, text: str, command: str, /, **values: object) -> None:
        """Show the text, and what is to be typed on a line of its own, as it is to be typed."""
        self.say(text, **values)
        self.show(f"  {command}")

    async def meet(self) -> None:
        """Learn what those who sit there are called."""
        names, around = self.outside.names, self.state.chairs
        await names.learn(around)
        self.speech = replace(self.speech, called=names.at(around))

    def take(self) -> str | None:
        """The next line that was typed, its digits plain."""
        line = self.terminal.take()
        return None if line is None else line.translate(ASCII_DIGITS).strip()

    async def line(self, text: str, /) -> str | None:
        """A line in answer to the text of that name; None where there is none to come."""
        self.prompt(self.speech.say(text))
        self.shown += 1
        while True:
            self.wake.clear()
            line = self.take()
            if line is not None:
                return line
            if self.terminal.ended or self.terminal.interrupted:
                return None
            await happens(self.wake, TICK)

    # To the table -----------------------------------------------------------------------------

    async def do(self, action: Action, *, move: int | None = None) -> bool:
        """Say it until it is answered; a refusal is told in words. False if nothing came of it."""
        answer = await self.attempt(action, move=move)
        if isinstance(answer, Refusal):
            await self.no(answer)
        return answer == DONE

    async def attempt(self, action: Action, *, move: int | None = None) -> Answer:
        """The same, and a refusal is not told."""
        saying = asyncio.create_task(self.client.do(action, within=ANSWER_WITHIN, move=move))
        while not saying.done() and not self.terminal.interrupted:
            await asyncio.wait({saying}, timeout=TICK)
            self.watch()
        if not saying.done():
            await end(saying)
            return UNANSWERED
        try:
            saying.result()
        except CommandRefused as error:
            return error.code
        except Stalled:
            self.client.gap = True
            self.say("no_answer")
            return UNANSWERED
        return DONE

    async def no(self, code: Refusal) -> None:
        """Tell a refusal in words, and look again how the match stands."""
        self.refused(code)
        self.client.gap = True
        if code in CLOSED and self.client.opened is not None:
            await self.client.look_for_end()

    async def quietly(self, action: Action) -> bool:
        """The same for what does not matter if it is refused."""
        try:
            await self.client.do(action, within=ANSWER_WITHIN)
        except (CommandRefused, Stalled):
            return False
        return True

    def watch(self) -> None:
        """Say when the connection is lost, and when it is back; a break that was over before it
        was noticed too, for something may have been missed in it.
        """
        client = self.client
        broken = not client.connected or client.returns > self._returns
        if broken and not self._lost:
            self._lost = True
            self.say("lost")
        if client.connected and self._lost:
            self._lost, self._returns = False, client.returns
            client.gap = True
            self.say("back")
