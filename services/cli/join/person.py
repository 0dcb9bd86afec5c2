"""A person at a table, from sitting down to getting up: what is shown, asked and done."""

import asyncio
from typing import Final, Literal

from msgspec import Struct

from schemas.commands import GameAction, LeaveSeat, StartMatch
from schemas.events import MatchEnded
from schemas.refusals import Refusal
from services.cli.join.advice import advice_lines
from services.cli.join.arrival import Parting, Wishes, arrive, invite
from services.cli.join.client import TableClient
from services.cli.join.games import either
from services.cli.join.games.hand import ORDERS
from services.cli.join.games.trouble import Trouble
from services.cli.join.news import Ears, told
from services.cli.join.next_match import Next, next_match
from services.cli.join.outside import Outside
from services.cli.join.patience import Patience
from services.cli.join.people import score, unit
from services.cli.join.speech import Speech
from services.cli.join.talk import TICK, Talk
from services.cli.join.terminal import Terminal
from services.rules.hokm.masks import gives_xo
from services.runtime.tasks import happens

REFRESH: Final = 2.0
"""Seconds that a prompt waits for the clock; then it is shown without it."""
HINT_WITHIN: Final = 6.0
"""Seconds that the master's look is waited for: long enough to be asked for three times."""
BACK_AFTER: Final = 10
"""Lines about others, some two tricks, after which who is away is asked again."""
SHOWN: Final = 40
"""Letters of what was typed that are shown again."""
FIRST: Final = "1"
"""The first of what is offered, where it is yes or no too."""
GOING: Final = ("no", "quit", "leave")
"""Words that decline another match."""
PLAYING_ON: Final = ("", "no")
"""What says to Ctrl-C's question that it was not meant."""
NEVER: Final = -1
"""The move at which nothing was done."""


class Asked(Struct, frozen=True):
    """What a person is asked, and at which move."""

    kind: Literal["start", "back", "turn"]
    move: int


class Person:
    """`wake` is set when the client or the terminal has something."""

    def __init__(
        self,
        client: TableClient,
        terminal: Terminal,
        speech: Speech,
        wake: asyncio.Event,
        outside: Outside | None = None,
    ) -> None:
        self.next: Next | None = None
        """Where this person goes from here, if he parts for another match."""
        self._client = client
        self._terminal = terminal
        self._wake = wake
        self._talk = Talk(client, terminal, speech, wake, outside or Outside())
        self._patience = Patience()
        self._offers: tuple[GameAction, ...] = ()
        self._order = ORDERS[0]
        self._asked: Asked | None = None
        self._asked_at = NEVER
        self._paged = NEVER
        self._clocked = NEVER
        self._declined = NEVER
        self._lobby = ""
        self._opened: Wishes | None = None
        """What this table was opened with, if it was from here."""

    @property
    def _speech(self) -> Speech:
        return self._talk.speech

    @property
    def _begun(self) -> bool:
        return self._talk.state.started

    async def stay(self, wishes: Wishes) -> Parting:
        """From here to the end of the match, or of the person's stay."""
        self._opened = wishes if wishes.opening is not None else None
        await self._client.enter()
        try:
            return await arrive(self._talk, wishes) or await self._go_on()
        finally:
            await self._client.leave()

    async def _go_on(self) -> Parting:
        while True:
            self._wake.clear()
            self._talk.watch()
            await self._settle()
            self._tell()
            if self._client.over:
                return await self._finish()
            asked = self._ask()
            self._put(asked)
            parting = await self._listen(asked)
            if parting is not None:
                return parting

    async def _settle(self) -> None:
        """Ask the table where something may be missing, and for the clock before a prompt."""
        client = self._client
        if client.over:
            return
        if self._patience.asks(client.version, gap=client.gap, away=client.away()):
            await client.ask()
        if client.my_turn() is not None and self._clocked != self._talk.state.move:
            self._clocked = self._talk.state.move
            await client.refresh(REFRESH)
        await self._talk.meet()

    # Telling ----------------------------------------------------------------------------------

    def _tell(self) -> None:
        """What has happened, a line each."""
        state = self._talk.state
        masked = gives_xo(state.opened)
        ears = Ears(self._speech, state.opened.options, self._client.seat, masked)
        if self._client.jumped:
            self._client.jumped, self._paged = False, NEVER
            self._talk.say("caught_up")
        while self._client.news:
            text = told(ears, self._client.news.popleft())
            if text is not None:
                self._talk.show(text)
        if not state.started and not self._client.over:
            self._tell_lobby()

    def _tell_lobby(self) -> None:
        text = self._lobby_text()
        if text not in {self._lobby, self._speech.say("not_started")}:
            self._talk.show(text)
        self._lobby = text

    def _lobby_text(self) -> str:
        """What the table waits for before the start."""
        state = self._talk.state
        free = sum(not chair.filled for chair in state.chairs)
        if free:
            return self._speech.say("lobby_free", free=free)
        mine = state.opened.owner == self._client.player
        return self._speech.say("not_started" if mine else "lobby_full")

    # Asking -----------------------------------------------------------------------------------

    def _ask(self) -> Asked | None:
        """What the person is asked now."""
        client, state = self._client, self._talk.state
        if client.away():
            return Asked("back", NEVER)
        if client.my_turn() is not None:
            return Asked("turn", state.move)
        mine = state.opened.owner == client.player and not state.started
        ready = mine and all(chair.filled for chair in state.chairs) and not client.gap
        return Asked("start", state.move) if ready and state.move != self._declined else None

    def _put(self, asked: Asked | None) -> None:
        """Put the question, unless it stands there already with nothing shown after it, or little
        while the house plays and nobody needs to answer.
        """
        after = self._talk.shown - self._asked_at
        far = BACK_AFTER if asked is not None and asked.kind == "back" else 1
        if asked is not None and asked == self._asked and after < far:
            return
        if asked is not None and asked.kind == "turn":
            self._put_turn(asked)
        elif asked is not None:
            self._talk.prompt(self._speech.say(f"ask_{asked.kind}"))
        self._asked, self._asked_at = asked, self._talk.shown

    def _put_turn(self, asked: Asked) -> None:
        view = self._client.my_turn()
        assert view is not None
        if asked.move != self._paged:
            self._paged = asked.move
            self._offers = either.offers(view, self._client.refuse)
            self._show_page()
        self._talk.prompt(self._speech.say(either.ask(view)))

    def _show_page(self) -> None:
        """The table, and on one's turn what may be done and in which time; before the start who
        sits there, and to who opened the table how others come to it.
        """
        view = self._client.view
        if view is None:
            self._talk.show_chairs()
            if self._opened is not None:
                invite(self._talk, self._opened)
            return
        self._talk.show("")
        lines = either.page(self._speech, view, self._order)
        left = None
        if self._client.my_turn() is not None:
            lines += either.hint(self._speech, view)
            lines += either.offer_lines(self._speech, view, self._offers)
            left = self._client.time_left()
        for line in lines:
            self._talk.show_fitted(line)
        if left is not None:
            self._talk.say("time_left", seconds=round(left))

    # Hearing ----------------------------------------------------------------------------------

    async def _listen(self, asked: Asked | None) -> Parting | None:
        terminal = self._terminal
        if terminal.interrupted:
            return await self._interrupted()
        declined = self._declined == self._talk.state.move
        hears = terminal.always or asked is not None or declined
        line = self._talk.take() if hears else None
        if line is not None:
            self._asked = None
            return await self._answer(asked, line)
        if terminal.ended and (hears or not self._talk.state.started):
            return self._go_away()
        await happens(self._wake, TICK)
        return None

    async def _answer(self, asked: Asked | None, line: str) -> Parting | None:
        word = self._speech.meaning(line)
        if word == "quit":
            return self._go_away()
        if word == "leave":
            sure = await self._talk.line("ask_leave" if self._begun else "ask_leave_lobby")
            return await self._leave() if self._means(sure, "yes") else None
        if word in {"help", "show", "sort"}:
            self._look(word)
        elif asked is None:
            await self._between(word)
        else:
            await self._reply(asked, line)
        return None

    async def _reply(self, asked: Asked, line: str) -> None:
        """A line that answers what was asked."""
        if asked.kind == "turn" and self._means(line, "hint"):
            await self._hint()
        elif asked.kind == "turn":
            await self._move(line)
        elif asked.kind == "back":
            await self._client.ask()
        elif line in {"", FIRST} or self._means(line, "yes") or self._means(line, "start"):
            await self._talk.do(StartMatch(), move=asked.move)
        else:
            self._declined = asked.move
            self._talk.say("not_started")

    async def _between(self, word: str) -> None:
        """A line that nothing asked for."""
        if self._begun and word:
            self._talk.say("not_now")
        elif word == "start":
            await self._talk.do(StartMatch(), move=self._talk.state.move)
        elif word:
            self._talk.show(self._lobby_text())

    async def _move(self, line: str) -> None:
        view = self._client.my_turn()
        if view is None or not line:
            return
        read = either.read(self._speech, view, self._offers, line)
        if isinstance(read, Trouble):
            shown = {key: _shown(value) for key, value in read.values.items()}
            self._talk.say(read.text, **shown)
            return
        refusal = self._client.refuse(read)
        if refusal is not None:
            self._talk.refused(refusal)
            return
        await self._talk.do(read, move=self._talk.state.move)

    async def _hint(self) -> None:
        """The master's look (H21), or why there is none."""
        view = self._client.my_turn()
        if view is None:
            return
        said = await self._client.advise(HINT_WITHIN)
        if isinstance(said, Refusal):
            self._talk.refused(said)
        elif said is None or self._client.my_turn() != view:
            self._talk.say("hint_none")
        else:
            for line in advice_lines(self._speech, view, said.suggestion):
                self._talk.show_fitted(line)

    def _look(self, word: str) -> None:
        view = self._client.view
        if word == "sort":
            self._order = ORDERS[(ORDERS.index(self._order) + 1) % len(ORDERS)]
            self._talk.say(f"sorted_{self._order}")
        if word == "help" and view is not None:
            self._talk.say(either.how(view))
        if word == "help":
            self._talk.say("help")
        self._show_page()

    def _means(self, line: str | None, word: str) -> bool:
        return line is not None and self._speech.meaning(line) == word

    # Going ------------------------------------------------------------------------------------

    def _go_away(self) -> Parting:
        text = "away" if self._begun else "away_lobby"
        self._talk.say_how(text, self._talk.outside.ways.back(self._client.match))
        return Parting.AWAY

    async def _leave(self) -> Parting | None:
        if not await self._talk.do(LeaveSeat()):
            return None
        self._talk.say("gone")
        return Parting.LEFT

    async def _interrupted(self) -> Parting | None:
        """Ctrl-C asks, again where the answer means nothing; pressed again it goes, and the seat is
        kept.
        """
        self._terminal.interrupted = False
        while (answer := await self._talk.line("ask_interrupt")) is not None:
            word = self._speech.meaning(answer)
            if word in {"leave", "l"}:
                return await self._leave()
            if word in {"quit", "later"}:
                break
            if word in PLAYING_ON:
                return None
            self._talk.say("no_choice", word=_shown(answer))
        return self._go_away()

    async def _finish(self) -> Parting:
        """Say how it ended. A rematch is offered to who opened the table; the others are asked
        where it is, for the service tells nobody: they hear it from him.
        """
        if not self._tell_result() or self._client.seat is None:
            return Parting.ENDED
        if self._talk.state.opened.owner == self._client.player:
            again = self._means(await self._talk.line("ask_again"), "yes")
            return Parting.AGAIN if again else Parting.ENDED
        self.next = await self._hear_next()
        return Parting.ENDED if self.next is None else Parting.NEXT

    async def _hear_next(self) -> Next | None:
        while line := await self._talk.line("ask_next"):
            if self._speech.meaning(line) in GOING:
                return None
            found = next_match(line)
            if found is None:
                self._talk.say("no_id")
            if found is not None or not self._terminal.always:  # a script is not asked again
                return found
        return None

    def _tell_result(self) -> bool:
        """Say who has won; False if nobody has."""
        ended, view = self._client.ended, self._client.view
        winner, totals = None, self._talk.state.totals
        if isinstance(ended, MatchEnded):
            winner, totals = ended.winner, ended.totals
        elif view is not None:
            winner = view.winner
        if winner is None:
            self._talk.say("abandoned")
            return False
        options, me = self._talk.state.opened.options, self._client.seat
        points = score(self._speech, options, me, totals)
        self._talk.say("won", unit=unit(self._speech, options, me, winner), score=points)
        return True


def _shown(value: object) -> object:
    """What was typed, as it may be written to a terminal."""
    if not isinstance(value, str):
        return value
    return "".join(letter for letter in value[:SHOWN] if letter.isprintable())
