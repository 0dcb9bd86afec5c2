"""Eventful matches by the rules alone: nonces, seats left and taken, invitations, time-outs, the
house on somebody's seat and its owner's return, abandons. All of a match follows from its seed.

They go through the table's own desk, so the rows are those that a log holds after bad days; what
the house's voices say is what the hurried bots answer, or those of another policy.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import count
from random import Random
from typing import Final, Literal, get_args

from schemas.cards import SUITS
from schemas.commands import (
    AbandonMatch,
    Action,
    AddNonce,
    ChooseTrump,
    Command,
    GameAction,
    HokmOptions,
    LeaveSeat,
    OpenMatch,
    Options,
    PlayCard,
    RecordScore,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from schemas.ids import OPS, SCORING, AbandonReason, Level, Seat, house_voice
from schemas.subjects import Address
from schemas.views import BotTurn, HokmView
from services.event_log.port import Row
from services.replay.audit import Policy
from services.rules import sight
from services.rules.games import GAMES, PRESETS, ruleset_of
from services.rules.match import MatchState, game_of
from services.table import desk as desks
from services.table.desk import Desk
from services.table.live import Grown, LiveMatch
from services.table.secrets import key_from
from tests.bot.hurried import HURRIED
from tests.rules.hand_play import VARIANTS, random_action
from tests.streams import match_id

OWNER: Final = "u_owner0000"
GUESTS: Final = tuple(f"u_guest{number:04d}" for number in range(7))
PEOPLE: Final = (OWNER, *GUESTS)
CODE: Final = "let-me-in"
"""The code in the invitation link."""
OPENED: Final = 1_796_000_000_000
"""Unix ms of the first match's opening."""
PAUSE: Final = 20_000
"""The most milliseconds between two acts."""
SLIP: Final = 500
"""The most milliseconds that the clock is put back by."""

Fate = Literal["whole", "lobby", "played", "unscored"]
"""How a match ends: by its rules, or abandoned in its lobby, after `DECISIONS` at most (where it is
not over by then) or before its first round is scored.
"""
DECISIONS: Final = 150
FATES: Final[tuple[Fate, ...]] = get_args(Fate)
TABLES: Final[Mapping[str, tuple[Options, ...]]] = {
    "hokm": (
        HokmOptions(),
        PRESETS["hokm"]["home"],
        HokmOptions(target=5, win=2, kot=4, hakem_kot=6, show_five_before_trump=True),
    ),
    **{
        variant: tuple(table for table in VARIANTS if table.variant == variant)
        for variant in ("classic", "partnership", "saudi", "saudi_partnership")
    },
}
"""The options that a mixture of matches goes through, by game and variant."""


class Habits:
    """What is usual at one table, drawn once: shares of decisions, each from 0 to 1."""

    def __init__(self, luck: Random) -> None:
        self.rash = luck.choice((0.0, 0.2, 0.6))
        """A person does something legal at random."""
        self.late = luck.choice((0.0, 0.02, 0.15))
        """Time runs out for the seat on turn, a bot's too."""
        self.restless = luck.choice((0.0, 0.02, 0.1))
        """Somebody comes, goes or is back."""


class SteppingClock:
    """Each look is a moment later, or for a clock that was put right somewhat earlier."""

    def __init__(self, luck: Random, start: int) -> None:
        self._luck, self._now = luck, start

    def now(self) -> int:
        back = self._luck.random() < 0.01
        self._now += -self._luck.randrange(SLIP) if back else self._luck.randrange(PAUSE)
        return self._now

    def ticks(self) -> float:
        return 0.0


class EventfulMatch:
    """A match being made: `rows` is what its log holds so far."""

    def __init__(
        self,
        seed: int,
        options: Options,
        plan: tuple[SeatPlan, ...] | None = None,
        policy: Policy = HURRIED,
    ) -> None:
        self.match, self.rows, self.luck = match_id(seed), list[Row](), Random(seed)
        self.choose = policy.choose
        clock = SteppingClock(self.luck, OPENED + seed)
        self.desk = Desk(key_from(b"k" * 32), policy.name, clock)
        self.habits = Habits(self.luck)
        self.live: LiveMatch | None = None
        plan = plan or _plan(self.luck, GAMES[ruleset_of(options)].seats(options))
        invited = any(entry.filled_by == "invited" for entry in plan)
        hash_ = sha256(CODE.encode()).hexdigest() if invited else None
        assert self.say(OWNER, OpenMatch(options=options, seats=plan, invitation=hash_))

    @property
    def state(self) -> MatchState:
        assert self.live is not None
        return self.live.state

    def say(self, voice: str, action: Action) -> bool:
        """Say it, meaning the present move; true if it is accepted."""
        move = self.live.state.move if self.live else None
        command = Command(id=_command_id(self.luck), move=move, action=action)
        ruling = desks.rule(self.desk, self.live, Address(self.match, voice), command)
        self._take(ruling.grown)
        return ruling.refused is None

    def ask(self, voice: str) -> None:
        """Ask, which gives an owner the seat back that the house holds for him."""
        assert self.live is not None
        self._take(desks.give_back(self.desk, self.live, voice))

    def run_out(self) -> None:
        """Time is up for the seat on turn."""
        assert self.live is not None
        self._take(desks.time_out(self.desk, self.live))

    def expire(self) -> None:
        assert self.live is not None
        self._take(desks.expire(self.desk, self.live))

    def _take(self, grown: Grown | None) -> None:
        if grown is None:
            return
        self.live = grown.live
        for happening in grown.happenings:
            position = len(self.rows) + 1
            self.rows.append(Row(partition=0, position=position, entry=happening.entry))


def _plan(luck: Random, seats: int) -> tuple[SeatPlan, ...]:
    """Any plan: a person's seat at most, guests with and without a code, the house at any level."""
    owners = luck.randrange(seats + 1)  # one above the last: the owner does not sit
    return tuple(_planned(luck, seat, owners=seat == owners) for seat in range(seats))


def _planned(luck: Random, seat: Seat, *, owners: bool) -> SeatPlan:
    if owners:
        return SeatPlan(seat=seat, filled_by="owner")
    if luck.random() < 0.5:
        return SeatPlan(seat=seat, filled_by="house", level=luck.choice(get_args(Level)))
    return SeatPlan(seat=seat, filled_by="anyone" if luck.random() < 0.6 else "invited")


def _command_id(luck: Random) -> str:
    """As clients make them: of hex digits, or shorter ones of other letters."""
    if luck.random() < 0.7:
        return f"{luck.getrandbits(128):032x}"
    letters = "0123456789ABCXYZabcxyz_-"
    return "".join(luck.choices(letters, k=luck.randrange(16, 37)))


# A match from its lobby to its end ------------------------------------------------------------


def eventful(
    seed: int,
    options: Options,
    fate: Fate | None = None,
    plan: tuple[SeatPlan, ...] | None = None,
    policy: Policy = HURRIED,
) -> list[Row]:
    """The rows of the match of `seed`; without a fate or a plan the seed chooses it too."""
    match = EventfulMatch(seed, options, plan, policy)
    drawn = match.luck.choices(FATES, weights=(7, 1, 1, 1))[0]
    chosen = fate or drawn
    _lobby(match)
    if chosen == "lobby":
        _abandon(match)
        return match.rows
    assert match.say(OWNER, StartMatch())
    _play(match, chosen)
    return match.rows


def asleep(seed: int, options: Options) -> list[Row]:
    """The rows of a match in which time runs out for every seat: in Hand each round is void."""
    match = EventfulMatch(seed, options)
    _lobby(match)
    assert match.say(OWNER, StartMatch())
    while not match.state.over:
        if match.state.ended is None:
            match.run_out()
        else:
            _score(match)
    return match.rows


def mixed(number: int, first: int = 0) -> Iterator[list[Row]]:
    """`number` matches of the seeds from `first` on: Hokm and the four variants of Hand in turn."""
    for seed in range(first, first + number):
        yield list(_of_mixture(seed))


@cache
def _of_mixture(seed: int) -> tuple[Row, ...]:
    """Kept, for many files ask for the first of them."""
    return tuple(eventful(seed, table_of(seed)))


def table_of(number: int) -> Options:
    """The options of the match of that number in the mixture."""
    kinds = tuple(TABLES.values())
    tables = kinds[number % len(kinds)]
    return tables[number // len(kinds) % len(tables)]


def _lobby(match: EventfulMatch) -> None:
    """People take seats, some go again, some add nonces, until every chair is filled."""
    for _ in range(match.luck.randrange(4)):
        _restless(match)
    _fill(match)
    for chair in match.state.chairs:
        if chair.player is not None and match.luck.random() < 0.5:
            match.say(chair.player, AddNonce(nonce=f"{match.luck.getrandbits(256):064x}"))


def _fill(match: EventfulMatch) -> None:
    """Somebody on every chair; the owner's own comes first, for he may have sat down elsewhere."""
    plan = match.state.opened.seats
    for entry in sorted(plan, key=lambda entry: entry.filled_by != "owner"):
        if match.state.chairs[entry.seat].filled:
            continue
        if entry.filled_by == "owner":
            match.say(OWNER, LeaveSeat())
        _somebody_sits(match, entry.seat)
    assert all(chair.filled for chair in match.state.chairs)


def _play(match: EventfulMatch, fate: Fate) -> None:
    last = match.luck.randrange(DECISIONS)
    for done in count():
        if match.state.over:
            return
        due = fate == "played" and done == last
        if due or (fate == "unscored" and match.state.ended is not None):
            _abandon(match)
        else:
            _step(match)


def _abandon(match: EventfulMatch) -> None:
    """By the operator, or in the lobby by time too."""
    if not match.state.started and match.luck.random() < 0.5:
        match.expire()
        return
    reason = match.luck.choice(get_args(AbandonReason))
    assert match.say(OPS, AbandonMatch(reason=reason))


def _step(match: EventfulMatch) -> None:
    """One thing that the match waits for, and perhaps somebody who comes or goes before."""
    if match.luck.random() < match.habits.restless:
        _restless(match)
    if match.state.ended is not None:
        _score(match)
    elif match.luck.random() < match.habits.late:
        match.run_out()
    else:
        _move(match)


def _score(match: EventfulMatch) -> None:
    state, live = match.state, match.live
    assert live is not None
    assert live.ended_head is not None
    assert state.ended is not None
    score = game_of(state).score(state.game)
    assert match.say(SCORING, RecordScore(round=state.ended, of=live.ended_head, score=score))


# People ---------------------------------------------------------------------------------------


def _restless(match: EventfulMatch) -> None:
    """Somebody is back, goes, or sits down on a seat that nobody owns."""
    seat = match.luck.randrange(len(match.state.chairs))
    player = match.state.chairs[seat].player
    if player is None:
        _somebody_sits(match, seat)
    elif match.state.chairs[seat].control == "house":
        match.ask(player)
    else:
        match.say(player, LeaveSeat())


def _somebody_sits(match: EventfulMatch, seat: Seat) -> None:
    """The first who may: refused are those who sit, who saw other cards, or have no right to it."""
    people = match.luck.sample(PEOPLE, k=len(PEOPLE))
    any(match.say(player, TakeSeat(seat=seat, code=CODE)) for player in people)


def _move(match: EventfulMatch) -> None:
    """The seat on turn decides: the house as its bot does, a person now and then at random.

    A person whose seat the house holds may speak in time: that gives him his seat back.
    """
    state = match.state
    seat = sight.turn(state)
    assert seat is not None
    chair, turn = state.chairs[seat], sight.bot_turn(match.match, state)
    present = chair.player is not None and match.luck.random() < 0.2
    if turn is not None and not present:
        assert match.say(house_voice(seat), match.choose(turn))
        return
    assert chair.player is not None
    assert match.say(chair.player, _by_person(match, seat))


def _by_person(match: EventfulMatch, seat: Seat) -> GameAction:
    state, luck = match.state, match.luck
    view = sight.view(state, seat)
    assert view is not None
    if luck.random() >= match.habits.rash:
        turn = BotTurn(
            match=match.match, seat=seat, move=state.move, level="white", task="play", view=view
        )
        return match.choose(turn)
    if isinstance(view, HokmView):
        return PlayCard(card=luck.choice(view.playable)) if view.trump else _any_trump(luck)
    return random_action(state.game, seat, luck=luck)


def _any_trump(luck: Random) -> ChooseTrump:
    return ChooseTrump(suit=luck.choice(SUITS))
