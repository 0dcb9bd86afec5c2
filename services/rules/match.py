"""A match around its game: seats, nonces, start, the ends of rounds, time-outs, the end.

`refuse`, `decide`, `evolve` and `fold` are the whole of it. A command is asked, in this order:
does it belong to this game and its seats (`malformed`), may this voice say it (`not_allowed`), does
it sit (`not_seated`), is its move the present one (`stale_move`), then the lobby's and the game's
own refusals.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from schemas.cards import Card
from schemas.commands import (
    GAME_ACTIONS,
    AbandonMatch,
    Action,
    AddNonce,
    Advise,
    Command,
    GameAction,
    LeaveSeat,
    OpenMatch,
    RecordScore,
    StartMatch,
    TakeSeat,
)
from schemas.events import (
    CardsShuffled,
    ControlChanged,
    MatchAbandoned,
    MatchEnded,
    MatchOpened,
    MatchStarted,
    NonceAdded,
    RoundEnded,
    RoundRevealed,
    RoundScored,
    SeatLeft,
    SeatTaken,
    TurnTimedOut,
)
from schemas.ids import OPS, SCORING, AbandonReason, Hex32, Outcome, Round, Seat, house_seat
from schemas.refusals import Refusal
from services.rules import seats
from services.rules.decider import Chance, Fact, Game
from services.rules.games import ACTIONS, GAMES
from services.rules.moves import AROUND, DECISIONS, MID_TURN, MOVES, TURNS, WAITS

SEATINGS: Final = 1_000
"""The most times seats of one match may be taken: leaving and coming back ends somewhere."""
SEATINGS_EACH: Final = 20
"""The most times one player may take a seat of a match, so that nobody uses them up for others."""
CONSEQUENCES: Final = 32
"""The most facts that may follow one; the longest real chain is a scored round and its deal."""


class MatchState(Struct, frozen=True, kw_only=True):
    """`move` numbers the next decision, `waits` what the match has waited for, and `turns` the
    turns that those were parts of; `seatings`: how often each player took a seat; `ended` is a
    round that waits for its score; `outcome`: how the match came to its end; `packs` are the
    shuffles of the round in play, told at its end; `game` is the game's own state.
    """

    opened: MatchOpened
    chairs: seats.Chairs
    witnesses: tuple[seats.Witness, ...] = ()
    seatings: Mapping[str, int] = field(default_factory=dict)
    nonces: tuple[Hex32, ...] = ()
    move: int = 0
    waits: int = 0
    turns: int = 0
    started: bool = False
    outcome: Outcome | None = None
    packs: tuple[tuple[Card, ...], ...] = ()
    reveal: Round | None = None
    ended: Round | None = None
    totals: tuple[int, ...] = ()
    game: Any = None

    @property
    def over(self) -> bool:
        return self.outcome is not None


class Step(Struct, frozen=True):
    """A fact and the match after it."""

    fact: Fact
    state: MatchState


Steps = tuple[Step, ...]


def game_of(state: MatchState) -> Game:
    return GAMES[state.opened.ruleset]


# May I? ---------------------------------------------------------------------------------------


def may_say(voice: str, action: Action) -> bool:
    """Is this an action for this kind of voice at all?"""
    if voice == SCORING:
        return isinstance(action, RecordScore)
    if voice == OPS:
        return isinstance(action, AbandonMatch)
    if house_seat(voice) is not None:
        return isinstance(action, (*GAME_ACTIONS, Advise))
    return not isinstance(action, (RecordScore, AbandonMatch, Advise))


def seat_of(state: MatchState, voice: str) -> Seat | None:
    """The seat that `voice` speaks for now: its own, or for the house one that it holds."""
    seat = house_seat(voice)
    if seat is None:
        return seats.chair_of(state.chairs, voice)
    held = seat < len(state.chairs) and state.chairs[seat].control == "house"
    return seat if held else None


def refuse(state: MatchState, voice: str, command: Command) -> Refusal | None:
    """The first refusal that applies, None if the command is accepted."""
    action = command.action
    if not _belongs(state, action):
        return Refusal.MALFORMED
    if not may_say(voice, action) or isinstance(action, Advise):
        return Refusal.NOT_ALLOWED
    if isinstance(action, StartMatch) and voice != state.opened.owner:
        return Refusal.NOT_ALLOWED
    seat = seat_of(state, voice)
    if seat is None and isinstance(action, (*GAME_ACTIONS, LeaveSeat, AddNonce)):
        return Refusal.NOT_SEATED
    if command.move is not None and command.move != state.move:
        return Refusal.STALE_MOVE
    return _refuse_action(state, voice, seat, action)


def _belongs(state: MatchState, action: Action) -> bool:
    """False for another game's action and for a seat that this table has not."""
    if isinstance(action, TakeSeat):
        return action.seat < len(state.chairs)
    return not isinstance(action, GAME_ACTIONS) or isinstance(action, ACTIONS[state.opened.ruleset])


def _refuse_action(
    state: MatchState, voice: str, seat: Seat | None, action: Action
) -> Refusal | None:
    if isinstance(action, OpenMatch):
        return Refusal.MATCH_EXISTS
    if isinstance(action, RecordScore):
        return _refuse_score(state, action)
    if isinstance(action, TakeSeat) and not state.over:
        return _refuse_seat(state, voice, action)
    if state.over:
        return Refusal.MATCH_OVER
    if isinstance(action, (AddNonce, StartMatch)):
        return _refuse_lobby(state, seat, action)
    if isinstance(action, GAME_ACTIONS):
        return _refuse_game(state, seat, action)
    return None


def _refuse_seat(state: MatchState, voice: str, action: TakeSeat) -> Refusal | None:
    each, all_ = state.seatings.get(voice, 0), sum(state.seatings.values())
    if each >= SEATINGS_EACH or all_ >= SEATINGS:
        return Refusal.NOT_ALLOWED
    return seats.refuse_seat(
        state.chairs,
        voice,
        action,
        owner=state.opened.owner,
        witnesses=state.witnesses,
        hash_=state.opened.invitation,
    )


def _refuse_score(state: MatchState, action: RecordScore) -> Refusal | None:
    if state.over:
        return Refusal.MATCH_OVER
    if state.ended != action.round:
        return Refusal.STALE_MOVE
    right = game_of(state).score(state.game)
    return None if action.score == right else Refusal.NOT_ALLOWED


def _refuse_lobby(
    state: MatchState, seat: Seat | None, action: AddNonce | StartMatch
) -> Refusal | None:
    if state.started:
        return Refusal.WRONG_PHASE
    if isinstance(action, AddNonce):
        assert seat is not None
        return Refusal.NOT_ALLOWED if state.chairs[seat].nonce else None
    return None if all(chair.filled for chair in state.chairs) else Refusal.WRONG_PHASE


def _refuse_game(state: MatchState, seat: Seat | None, action: GameAction) -> Refusal | None:
    assert seat is not None
    if state.game is None:
        return Refusal.WRONG_PHASE
    return game_of(state).refuse(state.game, seat, action)


# What comes of it -----------------------------------------------------------------------------


def decide(state: MatchState, voice: str, command: Command, chance: Chance) -> Steps | Refusal:
    """The facts that `command` makes, each with the match after it, or why it makes none."""
    refusal = refuse(state, voice, command)
    if refusal is not None:
        return refusal
    return follow(state, (act(state, voice, command.action, chance),), chance)


def act(state: MatchState, voice: str, action: Action, chance: Chance) -> Fact:
    """The fact that an action makes which is not refused."""
    seat = seat_of(state, voice)
    match action:
        case TakeSeat():
            body = SeatTaken(seat=action.seat, player=voice)
            return Fact(body=body, origin="player", seat=action.seat)
        case LeaveSeat():
            assert seat is not None
            return Fact(body=SeatLeft(seat=seat), origin="player", seat=seat)
        case AddNonce():
            return Fact(body=NonceAdded(nonce=action.nonce), origin="player", seat=seat)
        case StartMatch():
            return Fact(body=MatchStarted(), origin="player", seat=seat)
        case RecordScore():
            totals = game_of(state).totals(state.game, action.score)
            scored = RoundScored(round=action.round, score=action.score, totals=totals)
            return Fact(body=scored, origin="rule")
        case AbandonMatch():
            return abandoned(action.reason, chance)
        case OpenMatch() | Advise():
            raise AssertionError(action)
        case _:
            assert seat is not None
            return Fact(
                body=game_of(state).act(state.game, seat, action), origin="player", seat=seat
            )


def abandoned(reason: AbandonReason, chance: Chance) -> Fact:
    return Fact(body=MatchAbandoned(reason=reason, secret=chance.secret()), origin="ops")


def returned(seat: Seat) -> Fact:
    """The owner of a seat that the house holds is back: he asked or spoke (H24)."""
    return Fact(body=ControlChanged(seat=seat, control="owner"), origin="ops", seat=seat)


def follow(state: MatchState, facts: tuple[Fact, ...], chance: Chance) -> Steps:
    """`facts` and all their consequences, each with the match after it."""
    steps: list[Step] = []
    for fact in facts:
        state = evolve(state, fact)
        steps.append(Step(fact, state))
    while (next_fact := consequence(state, chance)) is not None:
        assert len(steps) < CONSEQUENCES, "the rules do not come to rest"
        state = evolve(state, next_fact)
        steps.append(Step(next_fact, state))
    return tuple(steps)


def consequence(state: MatchState, chance: Chance) -> Fact | None:
    """The next fact that follows by rule or chance; None when the match waits for somebody."""
    if state.over:
        return None
    seat = seats.due_autopilot(state.chairs)
    if seat is not None:
        body = ControlChanged(seat=seat, control="house")
        return Fact(body=body, origin="rule", seat=seat)
    if not state.started:
        return None
    if state.reveal is not None:
        return _revealed(state, state.reveal, chance)
    return _next_round(state, chance)


def _revealed(state: MatchState, round_: Round, chance: Chance) -> Fact:
    body = RoundRevealed(round=round_, seed=chance.seed(round_), packs=state.packs)
    return Fact(body=body, origin="rule")


def _next_round(state: MatchState, chance: Chance) -> Fact | None:
    game = game_of(state)
    if state.ended is not None:
        return None
    winner = game.winner(state.game)
    if winner is None:
        return game.consequence(state.game, chance)
    body = MatchEnded(winner=winner, totals=state.totals, secret=chance.secret())
    return Fact(body=body, origin="rule")


# Folding --------------------------------------------------------------------------------------


def fold(facts: Iterable[Fact]) -> MatchState | None:
    """The match after `facts`, None if there are none."""
    state: MatchState | None = None
    for fact in facts:
        state = evolve(state, fact)
    return state


def evolve(state: MatchState | None, fact: Fact) -> MatchState:
    """The match after `fact`. Never refuses: what is in the stream has happened."""
    if state is None:
        assert isinstance(fact.body, MatchOpened), "a stream begins with match_opened"
        chairs = seats.chairs_for(fact.body.seats, fact.body.owner)
        return MatchState(opened=fact.body, chairs=chairs)
    kind, rules = type(fact.body), game_of(state)
    after = _evolve_match(state, fact) if kind in AROUND else state
    game = after.game if state.game is None else rules.evolve(state.game, fact)
    return replace(
        after,
        chairs=_forgiven(after.chairs, fact, rules, game),
        move=state.move + (kind in MOVES),
        waits=state.waits + (kind in WAITS),
        turns=state.turns + (kind in TURNS),
        game=game,
    )


def _forgiven(chairs: seats.Chairs, fact: Fact, rules: Game, game: Any) -> seats.Chairs:
    """Who ends a turn by himself has not let time pass twice in a row; who only begins one may."""
    seat, kind = fact.seat, type(fact.body)
    if fact.origin != "player" or kind not in DECISIONS or seat is None:
        return chairs
    goes_on = kind in MID_TURN and rules.turn(game) == seat
    return chairs if goes_on else seats.acted(chairs, seat)


def _evolve_match(state: MatchState, fact: Fact) -> MatchState:
    match fact.body:
        case MatchStarted():
            game = game_of(state).initial_state(state.opened.options)
            return replace(state, started=True, game=game)
        case CardsShuffled():
            assert fact.pack is not None, "a shuffle without its pack"
            return replace(state, packs=(*state.packs, fact.pack))
        case RoundEnded(round=number):
            return replace(state, ended=number, reveal=number)
        case RoundRevealed():
            return replace(state, packs=(), reveal=None)
        case RoundScored(totals=totals):
            return replace(state, ended=None, totals=totals)
        case MatchEnded():
            return replace(state, outcome="ended")
        case MatchAbandoned(reason=reason):
            return replace(state, outcome=reason)
        case NonceAdded(nonce=nonce):
            assert fact.seat is not None
            chairs = seats.gave_nonce(state.chairs, fact.seat)
            return replace(state, chairs=chairs, nonces=(*state.nonces, nonce))
        case _:
            return _evolve_chairs(state, fact)


def _evolve_chairs(state: MatchState, fact: Fact) -> MatchState:
    match fact.body:
        case SeatTaken() as taken:
            chairs = seats.seat_taken(state.chairs, taken)
            times = state.seatings.get(taken.player, 0) + 1
            return replace(state, chairs=chairs, seatings={**state.seatings, taken.player: times})
        case SeatLeft() as left:
            return _seat_left(state, left)
        case TurnTimedOut() as expired:
            return replace(state, chairs=seats.timed_out(state.chairs, expired))
        case ControlChanged() as changed:
            return replace(state, chairs=seats.control_changed(state.chairs, changed))
        case _:
            raise AssertionError(fact)


def _seat_left(state: MatchState, left: SeatLeft) -> MatchState:
    chair = state.chairs[left.seat]
    chairs = seats.seat_left(state.chairs, left, dealt=state.started)
    if not state.started or chair.player is None:
        return replace(state, chairs=chairs)
    witness = seats.Witness(chair.player, left.seat)
    return replace(state, chairs=chairs, witnesses=(*state.witnesses, witness))
