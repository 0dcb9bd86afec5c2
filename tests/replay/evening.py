"""A whole match at a table in one process, with what happens in an evening.

Everybody has a client. One leaves and another takes the seat, he comes back, one lets time pass
once, one sleeps until the house holds the seat and wakes up later, somebody watches.
"""

from random import Random
from typing import Final

from msgspec import Struct

from schemas.cards import SUITS
from schemas.commands import (
    ChooseTrump,
    GameAction,
    LeaveSeat,
    OpenMatch,
    Options,
    PlayCard,
    RecordScore,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from schemas.feed import Ask, History, decode_feed
from schemas.ids import SCORING, Seat, house_voice
from schemas.views import BotTurn, HandView, View
from services.bot.policy import choose
from services.rules import sight
from services.rules.match import MatchState, game_of
from services.table.live import LiveMatch
from tests.replay.clients import Client
from tests.rules.hand_play import random_action
from tests.table.hall import ANNE, MATCH, PLAYERS, Hall, assert_happened
from tests.waiting import until

EVA: Final = "u_eva00000"
"""She watches, and sits in for somebody who has left."""
WATCHER: Final = "u_watcher00"
LONG_ENOUGH: Final = 61.0
"""Seconds after which any turn is over."""
LEAVES: Final = 6
SITS_IN: Final = 10
GOES: Final = 18
RETURNS: Final = 22
LATE: Final = 14
SLEEPS: Final = range(26, 48)
"""Decisions from the start at which these things happen."""


class Played(Struct, frozen=True):
    """What was kept of an evening: the clients, and the table's own states by version."""

    clients: dict[str, Client]
    watcher: Client
    table: dict[int, LiveMatch]


async def evening(hall: Hall, options: Options, seed: int) -> Played:
    """A match from its opening to its end."""
    host = Evening(hall, options, seed)
    await host.begin()
    while not host.state.over:
        await host.decide()
        await host.catch_up()
    await host.look_back()
    return host.played


class Evening:
    """`decisions` counts those of the seats."""

    def __init__(self, hall: Hall, options: Options, seed: int) -> None:
        self.played = Played({}, Client(WATCHER), {})
        self._hall = hall
        self._options = options
        self._players = PLAYERS[: getattr(options, "seats", 4)]
        self._dice = Random(seed)
        self._decisions = 0
        self._heard = 0

    @property
    def live(self) -> LiveMatch:
        """What the table itself has in memory."""
        tenure = self._hall.owner._tenure
        assert tenure is not None
        return tenure._shelf.live[MATCH]

    @property
    def state(self) -> MatchState:
        return self.live.state

    async def begin(self) -> None:
        plan = tuple(
            SeatPlan(seat=seat, filled_by="anyone" if seat else "owner")
            for seat in range(len(self._players))
        )
        await self._say(ANNE, OpenMatch(options=self._options, seats=plan))
        for seat, player in enumerate(self._players[1:], 1):
            await self._say(player, TakeSeat(seat=seat))
        await self._say(ANNE, StartMatch())
        self.played.watcher.hear(await self._hall.snapshot(WATCHER))

    async def _say(self, voice: str, action: OpenMatch | TakeSeat | LeaveSeat | StartMatch) -> None:
        move = self.state.move if isinstance(action, LeaveSeat) else None
        assert_happened(await self._hall.say(voice, action, move=move))
        await self.catch_up()

    # Hearing ----------------------------------------------------------------------------------

    async def catch_up(self) -> None:
        """Everybody hears what was said, and whoever missed something asks."""
        self._hear()
        self.played.table[self.live.version] = self.live
        for player in self._sitting():
            client = self.played.clients.setdefault(player, Client(player))
            if client.gap:
                client.hear(await self._hall.snapshot(player))
                self._hear()

    def _hear(self) -> None:
        messages = self._hall.feeds[self._heard :]
        self._heard += len(messages)
        for message in messages:
            client = self.played.clients.get(message.subject.split(".")[1])
            if client is not None and not _is_snapshot(message.data):
                client.hear(decode_feed(message.data))

    def _sitting(self) -> list[str]:
        return [chair.player for chair in self.state.chairs if chair.player is not None]

    async def look_back(self) -> None:
        """The watcher, who was told nothing, asks for all that came after what he saw first."""
        watcher, more = self.played.watcher, True
        while more:
            page = await self._hall.ask(WATCHER, Ask(what="history", since=watcher.version))
            assert isinstance(page, History)
            watcher.hear(page)
            more = page.more

    # Deciding ---------------------------------------------------------------------------------

    async def decide(self) -> None:
        """The next thing that the match waits for, and what else happens meanwhile."""
        if self.state.ended is not None:
            await self._score()
            return
        self._decisions += 1
        await self._come_and_go()
        seat = sight.turn(self.state)
        assert seat is not None
        if self._lets_time_pass(seat):
            await self._time_passes()
        else:
            await self._move(seat)

    async def _score(self) -> None:
        live = self.live
        assert live.state.ended is not None
        assert live.ended_head is not None
        score = game_of(live.state).score(live.state.game)
        action = RecordScore(round=live.state.ended, of=live.ended_head, score=score)
        assert_happened(await self._hall.say(SCORING, action))

    async def _come_and_go(self) -> None:
        second, now = self._players[1], self._decisions
        if now == LEAVES:
            await self._say(second, LeaveSeat())
        elif now == SITS_IN:
            await self._say(EVA, TakeSeat(seat=1))
        elif now == GOES:
            await self._say(EVA, LeaveSeat())
        elif now == RETURNS:
            await self._say(second, TakeSeat(seat=1))
        elif now == SLEEPS.stop:
            self.played.clients[ANNE].hear(await self._hall.snapshot(ANNE))
            self._hear()

    def _lets_time_pass(self, seat: Seat) -> bool:
        by_owner = self.state.chairs[seat].control == "owner"
        asleep = seat == 0 and self._decisions in SLEEPS
        return by_owner and (asleep or self._decisions == LATE)

    async def _time_passes(self) -> None:
        before = self.live.version
        self._hall.turn_clock(LONG_ENOUGH)
        await until(lambda: self.live.version > before, "the house to play")

    async def _move(self, seat: Seat) -> None:
        state = self.state
        chair, view = state.chairs[seat], sight.view(state, seat)
        assert view is not None
        owner = chair.player if chair.control == "owner" else None
        action = self._chosen(seat, view)
        voice = owner or house_voice(seat)
        assert_happened(await self._hall.say(voice, action, move=state.move))

    def _chosen(self, seat: Seat, view: View) -> GameAction:
        """A good move or, as often, any."""
        if self._dice.random() < 0.5:
            return self._any(seat, view)
        turn = BotTurn(
            match=MATCH, seat=seat, move=self.state.move, level="white", task="play", view=view
        )
        return choose(turn)

    def _any(self, seat: Seat, view: View) -> GameAction:
        if isinstance(view, HandView):
            return random_action(self.state.game, seat, luck=self._dice)
        if view.trump is None:
            return ChooseTrump(suit=self._dice.choice(SUITS))
        return PlayCard(card=self._dice.choice(view.playable))


def _is_snapshot(data: bytes) -> bool:
    """A snapshot is heard by whoever asked for it, there and then."""
    return data.startswith(b'{"type":"snapshot"')
