"""A person's place at a table: the whole client, and a fold of what it was told.

Subscribe, ask the history's beginning and a snapshot, apply the next version, drop a lower one,
ask on a higher one (docs/architecture.md). The match is folded from what this player was told and
from nothing else: cards that it may not know are blanks here, so none can be shown.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from schemas import subjects
from schemas.commands import Action, Command, GameAction
from schemas.events import ENDS, MatchAbandoned, MatchEnded, MatchOpened, SeatTaken
from schemas.feed import Advice, Ask, Happened, History, Refused, Snapshot, decode_feed
from schemas.ids import MatchId, Seat
from schemas.refusals import Refusal
from schemas.views import View
from services.cli.belief import Belief
from services.cli.client import SAY_AGAIN, MatchClient
from services.cli.join.following import Followed, after, from_snapshot, seat_in
from services.messaging.port import Bus, Message, Subscription
from services.rules import match as rules
from services.rules import sight
from services.rules.match import MatchState
from services.runtime.tasks import happens

WAITING: Final = ("name_trump", "play", "discard_first", "draw", "act")
"""The games' steps that wait for a seat: after any other one more news is on its way."""
NEWS: Final = 1_000
"""Events that may wait to be told to the person; of more the oldest are not told."""
NO_ID: Final = "-" * 16
"""The id of a command that is never said: the rules are asked about its action."""


class Due(Struct, frozen=True):
    """Until when the seat on turn has time, as a snapshot said for `move`; `heard`: when, by this
    machine's steady clock. `left` are seconds.
    """

    move: int
    left: float
    heard: float


class TableClient:
    """One player at one match. `wake` is set whenever something was heard."""

    def __init__(self, bus: Bus, player: str, match: MatchId, wake: asyncio.Event) -> None:
        self.player = player
        self.match = match
        self.opened: MatchOpened | None = None
        self.ended: MatchEnded | MatchAbandoned | None = None
        self.unknown = False
        self.gap = True
        self.due: Due | None = None
        self.news: deque[Happened] = deque(maxlen=NEWS)
        self.jumped = False
        """True after a snapshot has told what no event did."""
        self.returns = 0
        """How often the connection came back."""
        self._followed: Followed | None = None
        self._snapshots = 0
        self._belief = Belief()
        self._advice: Advice | Refusal | None = None
        self._bus = bus
        self._wake = wake
        self._heard = asyncio.Event()
        self._match_client = MatchClient(bus, player, match)
        self._listening: Subscription | None = None

    # The connection ---------------------------------------------------------------------------

    async def enter(self) -> None:
        """Hear the feed from now on; raises `BusError`."""
        subject = subjects.feed(self.player, self.match)
        self._listening = await self._bus.subscribe(subject, self.hear)
        self._bus.on_reconnect(self._came_back)

    async def leave(self) -> None:
        """Hear it no more."""
        if self._listening is not None:
            await self._listening.stop()

    async def _came_back(self) -> None:
        """What was said meanwhile is lost."""
        self.returns += 1
        self.gap = True
        self._wake.set()

    @property
    def connected(self) -> bool:
        return self._bus.connected

    async def ask(self, ask: Ask | None = None) -> None:
        """Ask for a snapshot, or what else `ask` says; it comes by the feed."""
        await self._match_client.ask(ask)

    async def learn(self, within: float) -> bool:
        """Ask how the match was opened and how it stands; False if that was not told in time.

        True also for a match that is not there: see `unknown`.
        """
        if self.opened is None:
            await self.ask(Ask(what="history"))
        if not await self._until(lambda: self.opened is not None or self.unknown, within):
            return False
        return self.unknown or await self.refresh(within)

    async def look_for_end(self) -> None:
        """Ask how a match ended that the table plays no more."""
        self.gap = True
        await self.ask(Ask(what="history", since=self.version))

    async def refresh(self, within: float) -> bool:
        """Ask for a snapshot and wait for it; False if none came in so many seconds."""
        had = self._snapshots
        await self.ask()
        return await self._until(lambda: self._snapshots > had, within)

    async def advise(self, within: float) -> Advice | Refusal | None:
        """Ask for the master's look at the present move (H21), again every two seconds; None if
        nothing came of it in so many seconds, or the match has gone on.
        """
        self._advice = None
        version, end = self.version, time.monotonic() + within

        def answered() -> bool:
            return self._advice is not None or self.version != version

        while not answered() and (left := end - time.monotonic()) > 0:
            await self.ask(Ask(what="advice"))
            await self._until(answered, min(left, SAY_AGAIN))
        return self._advice

    async def do(self, action: Action, *, within: float, move: int | None = None) -> Happened:
        """Say it until it is answered; raises `CommandRefused`, `Stalled`."""
        return await self._match_client.do(action, within=within, move=move)

    async def _until(self, met: Callable[[], bool], within: float) -> bool:
        end = time.monotonic() + within
        while not met():
            self._heard.clear()
            if not await happens(self._heard, end - time.monotonic()):
                return met()
        return True

    # Hearing ----------------------------------------------------------------------------------

    def hear(self, message: Message) -> None:
        feed = decode_feed(message.data)
        self._match_client.take(feed)
        match feed:
            case Happened():
                self._happened(feed)
            case Snapshot():
                self._replaced(feed)
            case History():
                self._learned(feed)
            case Advice():
                self._advised(feed)
            case Refused(command=None, code=code):
                if code is Refusal.UNKNOWN_MATCH:
                    self.unknown = self.opened is None
                self._advice = code
            case _:
                pass
        self._heard.set()
        self._wake.set()

    def _advised(self, told: Advice) -> None:
        """One for an earlier move is of no use any more."""
        if self.state is not None and told.move == self.state.move:
            self._advice = told

    def _happened(self, told: Happened) -> None:
        body, have = told.event.body, self._followed
        if have is None or told.event.version > have.version + 1:
            self.gap = True
        elif told.event.version == have.version + 1 and not self.gap:
            self._followed = after(have, told)
            self.news.append(told)
            # What one's seat holds in a match that goes on is told by a snapshot only.
            dealt = have.state is None or have.state.started
            self.gap = dealt and isinstance(body, SeatTaken) and body.player == self.player
        if isinstance(body, ENDS):
            self.ended = body

    def _replaced(self, told: Snapshot) -> None:
        have = self._followed
        self._snapshots += 1
        if not self._belief.takes(told.version, have=self.version):
            self.gap = True  # ask once more: it came late, or the log was put back from a copy
            self._wake.set()
            return
        self.jumped = self.jumped or (have is not None and told.version > have.version)
        self._followed = from_snapshot(self.player, told, self.opened)
        self.gap = False
        if told.due is not None:
            left = (told.due - told.now) / 1000
            self.due = Due(move=told.move, left=left, heard=time.monotonic())

    def _learned(self, told: History) -> None:
        """The first event says how the match was opened, the last one perhaps how it ended."""
        for happened in told.events:
            body = happened.event.body
            if isinstance(body, MatchOpened):
                self.opened = body
            elif isinstance(body, ENDS):
                self.ended = body

    # Seeing -----------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        return self._followed.version if self._followed else 0

    @property
    def state(self) -> MatchState | None:
        return self._followed.state if self._followed else None

    @property
    def over(self) -> bool:
        return self.ended is not None or (self.state is not None and self.state.over)

    @property
    def seat(self) -> Seat | None:
        return seat_in(self._followed) if self._followed else None

    @property
    def view(self) -> View | None:
        """What this player may see, None before the first deal."""
        return sight.view(self.state, self.seat) if self.state is not None else None

    def away(self) -> bool:
        """True while the house plays this player's seat."""
        state, seat = self.state, self.seat
        if state is None or seat is None or self.over or not state.started:
            return False
        return state.chairs[seat].control == "house"

    def my_turn(self) -> View | None:
        """The view, if the match waits for this player and all that is needed is known."""
        state, seat = self.state, self.seat
        if self.gap or self.over or state is None or seat is None or sight.turn(state) != seat:
            return None
        ready = state.game.step in WAITING and state.chairs[seat].control == "owner"
        return self.view if ready else None

    def refuse(self, action: GameAction) -> Refusal | None:
        """May I? By the rules' own word, on what this player knows."""
        state = self.state
        assert state is not None
        command = Command(id=NO_ID, move=state.move, action=action)
        return rules.refuse(state, self.player, command)

    def time_left(self) -> float | None:
        """Seconds until the house plays for this player, None if that was not told yet."""
        state, due = self.state, self.due
        if state is None or due is None or due.move != state.move:
            return None
        return max(0.0, due.left - (time.monotonic() - due.heard))

    def free_seats(self) -> tuple[Seat, ...]:
        """The seats that this player may try to take."""
        state = self.state
        if state is None:
            return ()
        mine = state.opened.owner == self.player
        free = (
            seat
            for seat, chair in enumerate(state.chairs)
            if chair.player is None
            and chair.plan.filled_by != "house"
            and (chair.plan.filled_by != "owner" or mine)
        )
        return tuple(free)


def well_typed(action: GameAction) -> bool:
    """False for an action that the table could not even read, such as five hundred melds."""
    try:
        msgspec.convert(msgspec.to_builtins(action), type(action))
    except msgspec.ValidationError:
        return False
    return True
