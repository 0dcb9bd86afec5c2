"""A player: the whole client of the contract, who plays from its own view, and sometimes errs.

Subscribe, ask a snapshot, apply version `have + 1`, drop a lower one, ask on a higher one, say the
same bytes again after 2 s without an answer. It says one command at a time.
"""

import asyncio
from random import Random
from typing import Final, Protocol

from schemas import subjects
from schemas.commands import (
    Action,
    Command,
    Discard,
    LeaveSeat,
    OpenMatch,
    PlayCard,
    StartMatch,
    TakeSeat,
    encode_command,
)
from schemas.events import SeatTaken
from schemas.feed import (
    Ask,
    Happened,
    Refused,
    Sitting,
    Snapshot,
    decode_feed,
    encode_ask,
)
from schemas.ids import Seat
from schemas.refusals import Refusal
from schemas.views import BotTurn, View
from services.bot.policy import choose
from services.cli.join.following import Followed, after, from_snapshot, seat_in
from services.messaging.port import Bus, Message
from services.rules import sight
from services.rules.match import MatchState, game_of
from services.rules.moves import MOVES
from tests.simulation.plan import Guest, MatchPlan

SAY_AGAIN: Final = 2.0
SILENCE: Final = 4.0
"""Seconds without news after which a snapshot is asked for: the last message may be lost."""
WAITING: Final = ("name_trump", "play", "discard_first", "draw", "act")
"""The games' steps that wait for a seat: after any other one more news is on its way."""
CLOSED: Final = (Refusal.MATCH_OVER, Refusal.UNKNOWN_MATCH)
SLEEP: Final = (26.0, 80.0)
"""Seconds that a player sleeps, drawn between these: past its clock, once or twice."""


class Notebook(Protocol):
    """Where players write what they saw, for the checks after the run."""

    def saw(self, match: str, followed: Followed) -> None: ...

    def foreign_id(self, match: str, voice: str) -> str | None:
        """A command id of somebody else."""
        ...


class Sitter:
    """One player at one match."""

    def __init__(
        self, bus: Bus, plan: MatchPlan, guest: Guest, dice: Random, notebook: Notebook
    ) -> None:
        self.match = plan.match
        self.over = False
        self._quit = False
        self._plan = plan
        self._guest = guest
        self._bus = bus
        self._dice = dice
        self._notebook = notebook
        self._news = asyncio.Event()
        self._answers: dict[str, Happened | Refused] = {}
        self._followed: Followed | None = None
        self._sitting: tuple[Sitting, ...] = ()
        self._move = 0
        self._gap = True

    # Hearing ----------------------------------------------------------------------------------

    def hear(self, message: Message) -> None:
        feed = decode_feed(message.data)
        match feed:
            case Happened():
                if feed.command is not None:
                    self._answers[feed.command] = feed  # an event outranks a refusal
                self._happened(feed)
            case Refused(command=str() as command):
                self._answers.setdefault(command, feed)
            case Snapshot():
                self._replaced(feed)
            case _:
                pass
        self._news.set()

    def _replaced(self, told: Snapshot) -> None:
        if self._followed is not None and told.version < self._followed.version:
            return
        self._followed = from_snapshot(self._guest.player, told)
        self._sitting, self._move, self._gap = told.sitting, told.move, False
        self._saw()

    def _happened(self, told: Happened) -> None:
        have = self._followed
        if have is None or told.event.version > have.version + 1:
            self._gap = True
        elif told.event.version == have.version + 1 and not self._gap:
            self._follow(have, told)

    def _follow(self, have: Followed, told: Happened) -> None:
        body = told.event.body
        self._followed = after(have, told)
        self._move += type(body) in MOVES
        sat_down = isinstance(body, SeatTaken) and body.player == self._guest.player
        if sat_down or (have.state is None and (type(body) in MOVES)):
            self._gap = True  # what is on the table is told by a snapshot only
        else:
            self._saw()

    def _saw(self) -> None:
        assert self._followed is not None
        state = self._followed.state
        self.over = self.over or (state is not None and state.over)
        self._notebook.saw(self.match, self._followed)

    # Saying -----------------------------------------------------------------------------------

    def _new_id(self) -> str:
        return f"{self._guest.player}-{self._dice.getrandbits(64):016x}"

    async def _say(self, data: bytes) -> None:
        subject = subjects.command_in(self.match, self._guest.player)
        await self._bus.publish([Message(subject=subject, data=data)])

    async def _do(self, action: Action, *, move: int | None) -> Happened | Refused:
        """Say it until it is answered."""
        command = Command(id=self._new_id(), move=move, action=action)
        data = encode_command(command)
        if self._falls(self._guest.temper.doubles):
            await self._say(data)
        while True:
            await self._say(data)
            answer = await self._answer(command.id)
            if answer is not None:
                return answer

    async def _answer(self, command: str) -> Happened | Refused | None:
        loop = asyncio.get_running_loop()
        end = loop.time() + SAY_AGAIN
        while command not in self._answers and loop.time() < end:
            await self._hears_something(end - loop.time())
        return self._answers.get(command)

    async def _hears_something(self, within: float) -> bool:
        self._news.clear()
        try:
            async with asyncio.timeout(within):
                await self._news.wait()
        except TimeoutError:
            return False
        return True

    async def _ask(self, ask: Ask) -> None:
        subject = subjects.ask(self.match, self._guest.player)
        await self._bus.publish([Message(subject=subject, data=encode_ask(ask))])

    # Living -----------------------------------------------------------------------------------

    async def live(self) -> None:
        """From the opening to the end of the match."""
        await asyncio.sleep(self._plan.begins)
        if self._guest == self._plan.guests[0]:
            await self._do(OpenMatch(options=self._plan.options, seats=self._plan.seats), move=None)
        elif self._guest.seat is not None:
            await self._sit_down(self._guest.seat)
        await self._until_started()
        while not self.over and not self._quit:
            await self._turn()

    async def _sit_down(self, seat: Seat) -> None:
        """Until the seat is mine: the match may not be open yet."""
        while True:
            answer = await self._do(TakeSeat(seat=seat), move=None)
            if isinstance(answer, Happened) or answer.code not in CLOSED:
                return
            await asyncio.sleep(self._dice.uniform(0.1, 0.5))
            if self.over:
                return

    async def _until_started(self) -> None:
        while self._followed is None or self._followed.state is None:
            await self._listen()
            mine = self._guest == self._plan.guests[0] and self._plan.starts
            filled = all(one.player or one.level for one in self._sitting)
            if mine and self._sitting and filled and not self._gap:
                await self._do(StartMatch(), move=self._move)
                self._gap = True

    async def _listen(self) -> None:
        """Until there is news; on a gap, or when it is silent for long, ask."""
        if self._gap:
            await self._ask(Ask())
        if not await self._hears_something(SAY_AGAIN if self._gap else SILENCE):
            self._gap = True

    async def _turn(self) -> None:
        view = self._my_turn()
        if view is None:
            await self._listen()
            return
        temper = self._guest.temper
        await self._perhaps_ask()
        await asyncio.sleep(self._dice.uniform(0.0, temper.think))
        if self._falls(temper.sleeps):
            await asyncio.sleep(self._dice.uniform(*SLEEP))
        if self._falls(temper.quits):
            self._quit = True
            return
        if self._falls(temper.errs):
            await self._err(view)
        if self._falls(temper.leaves):
            await self._leave_and_return(view)
        view = self._my_turn()
        if view is not None:
            await self._play(view)
            await self._perhaps_ask()

    async def _perhaps_ask(self) -> None:
        """For advice, which may come or not; nothing is waited for."""
        if self._falls(self._guest.temper.asks):
            await self._ask(Ask(what="advice"))

    def _my_turn(self) -> View | None:
        """My view, if the match waits for me and I know all that I need."""
        followed = self._followed
        if self._gap or followed is None or followed.state is None:
            return None
        seat = seat_in(followed)
        if seat is None or sight.turn(followed.state) != seat:
            return None
        waits = followed.state.game.step in WAITING
        return sight.view(followed.state, seat) if waits else None

    async def _play(self, view: View) -> None:
        version = self._version()
        answer = await self._do(self._chosen(view), move=self._move)
        if isinstance(answer, Refused) or self._version() == version:
            self._gap = True

    def _version(self) -> int:
        return self._followed.version if self._followed else 0

    def _chosen(self, view: View) -> Action:
        state = self._state()
        seat = view.seat
        assert seat is not None
        if self._dice.random() < 0.2:
            return game_of(state).house_move(view)
        level = self._dice.choice(("white", "black"))
        turn = BotTurn(
            match=self.match,
            seat=seat,
            move=self._move,
            level="white" if level == "white" else "black",
            task="play",
            view=view,
        )
        return choose(turn)

    def _state(self) -> MatchState:
        assert self._followed is not None
        assert self._followed.state is not None
        return self._followed.state

    async def _leave_and_return(self, view: View) -> None:
        """The house plays in between; only my own seat is open to me (seen_cards)."""
        assert view.seat is not None
        await self._do(LeaveSeat(), move=self._move)
        await asyncio.sleep(self._dice.uniform(0.0, 1.0))
        await self._do(TakeSeat(seat=view.seat), move=None)
        self._gap = True

    # Erring -----------------------------------------------------------------------------------

    async def _err(self, view: View) -> None:
        """One thing that no honest client says; whatever the answer, the match goes on."""
        kind = self._dice.choice(("garbage", "illegal", "stale", "foreign", "history", "late"))
        if kind == "garbage":
            await self._say(self._dice.randbytes(self._dice.randint(0, 60)))
        elif kind == "history":
            await self._ask(Ask(what="history", since=self._dice.randint(0, self._version())))
        elif kind == "foreign":
            await self._say_foreign(view)
        else:
            move = {"illegal": 0, "stale": -1, "late": 2}[kind]
            await self._do(self._illegal(view), move=max(0, self._move + move))

    async def _say_foreign(self, view: View) -> None:
        command = self._notebook.foreign_id(self.match, self._guest.player)
        if command is not None:
            said = Command(id=command, move=self._move, action=self._chosen(view))
            await self._say(encode_command(said))

    def _illegal(self, view: View) -> Action:
        card = self._dice.choice(("AS", "2H", "TD"))
        return PlayCard(card=card) if view.hand and len(view.hand[0]) == 2 else Discard(card="JK2")

    def _falls(self, chance: float) -> bool:
        return chance > 0 and self._dice.random() < chance
