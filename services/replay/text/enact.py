"""Acts done again by the rules: the entries that a table would have stored for them."""

from schemas.cards import encode_pack
from schemas.commands import (
    GAME_ACTIONS,
    AbandonMatch,
    Action,
    Command,
    RecordScore,
    StartMatch,
    TakeSeat,
)
from schemas.events import MatchOpened, SeatTaken, encode_event, tag_of
from schemas.ids import OPS, SCORING, CommandId, MatchId, Seat, house_voice
from schemas.refusals import Refusal
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Entry
from services.replay.actions import ANY_ID, NO_CODE, refuse_again
from services.replay.text.acts import Act, Sits
from services.replay.text.form import TextUntrue, shown
from services.replay.text.stamps import Stamp
from services.rules import match as rules
from services.rules import overtime, sight
from services.rules.chance import SealedChance
from services.rules.decider import Fact
from services.rules.history import event_of
from services.rules.match import MatchState, Step, Steps, evolve, game_of


class _Refused(Exception):
    """What was said cannot have been done; says why."""


class Enactment:
    """A match being done again; `entries` is what its log holds so far."""

    def __init__(self, match: MatchId, secret: bytes, opened: MatchOpened, stamp: Stamp) -> None:
        self.entries: list[Entry] = []
        self._match, self._secret, self._head = match, secret, NO_HEAD
        self._answered = {stamp.command}
        fact = Fact(body=opened, origin="player")
        self.state = evolve(None, fact)
        self._grow((Step(fact, self.state),), stamp)

    def do(self, act: Act, stamp: Stamp) -> None:
        """Raises `TextUntrue` for what the rules refuse, and for a command's second answer."""
        if stamp.command is not None and stamp.command in self._answered:
            raise self._untrue(stamp.line, f"the command {stamp.command} is answered twice")
        self._answered.add(stamp.command)
        chance = SealedChance(self._secret, self._match, self.state.nonces)
        try:
            steps = _steps(self.state, act, stamp.command, chance)
        except _Refused as refused:
            raise self._untrue(act.line, str(refused)) from None
        self._grow(steps, stamp)

    def _untrue(self, line: int, reason: str) -> TextUntrue:
        """What should have come next has this fault."""
        made = len(self.entries)
        return TextUntrue(line, reason, version=made + 1, events=made)

    def _grow(self, steps: Steps, stamp: Stamp) -> None:
        command = stamp.command
        for step in steps:
            self.entries.append(self._entry(step, stamp.time, command))
            self._head, self.state, command = self.entries[-1].head, step.state, None

    def _entry(self, step: Step, time: int, command: CommandId | None) -> Entry:
        event = event_of(step.fact, self._match, len(self.entries) + 1, time)
        line = encode_event(event).decode()
        return Entry(
            stream=self._match,
            version=event.version,
            type=tag_of(event.body),
            command=command,
            line=line,
            head=next_head(self._head, line),
            secret=encode_pack(step.fact.pack) if step.fact.pack else None,
        )


def _steps(state: MatchState, act: Act, command: str | None, chance: SealedChance) -> Steps:
    deed = act.deed
    if isinstance(deed, Sits):
        return _sit(state, act, deed, chance)
    if deed == "late":
        return _late(state, act, chance)
    if deed == "back":
        return _back(state, act, chance)
    if isinstance(deed, AbandonMatch) and command is None:
        _check(act, not state.over, "the match is over")
        return rules.follow(state, (rules.abandoned(deed.reason, chance),), chance)
    action = _score(state, act) if deed == "score" else deed
    said = _said(state, command, action)
    return _accepted(act, rules.decide(state, _voice(state, act), said, chance))


def _said(state: MatchState, command: str | None, action: Action) -> Command:
    move = state.move if isinstance(action, GAME_ACTIONS) else None
    return Command(id=command or ANY_ID, move=move, action=action)


def _accepted(act: Act, decided: Steps | Refusal) -> Steps:
    if isinstance(decided, Refusal):
        raise _Refused(f"{shown(act.said)} is against the rules: {decided.value}")
    return decided


def _check(act: Act, holds: bool, reason: str) -> None:  # noqa: FBT001 a condition, as assert's
    if not holds:
        raise _Refused(f"{shown(act.said)} cannot be: {reason}")


def _voice(state: MatchState, act: Act) -> str:
    """Who said it: the seat's owner, or the house for a seat that it holds."""
    if act.deed == "score":
        return SCORING
    if isinstance(act.deed, AbandonMatch):
        return OPS
    if isinstance(act.deed, StartMatch):
        return state.opened.owner
    chair = state.chairs[_seat(state, act)]
    if isinstance(act.deed, GAME_ACTIONS) and chair.control == "house":
        return house_voice(_seat(state, act))
    _check(act, chair.player is not None, "nobody owns the seat")
    assert chair.player is not None
    return chair.player


def _seat(state: MatchState, act: Act) -> Seat:
    assert act.seat is not None
    _check(act, act.seat < len(state.chairs), "the table has no such seat")
    return act.seat


def _sit(state: MatchState, act: Act, sits: Sits, chance: SealedChance) -> Steps:
    """An invitation's code is in no log: that he had it is believed, all else is asked."""
    seat = _seat(state, act)
    refusal = refuse_again(state, sits.player, TakeSeat(seat=seat, code=NO_CODE))
    if refusal is not None:
        return _accepted(act, refusal)
    body = SeatTaken(seat=seat, player=sits.player)
    return rules.follow(state, (Fact(body=body, origin="player", seat=seat),), chance)


def _late(state: MatchState, act: Act, chance: SealedChance) -> Steps:
    _check(act, sight.turn(state) == act.seat, "the seat is not on turn")
    return overtime.time_out(state, chance)


def _back(state: MatchState, act: Act, chance: SealedChance) -> Steps:
    seat = _seat(state, act)
    chair = state.chairs[seat]
    away = chair.control == "house" and chair.player is not None and not state.over
    _check(act, away, "the house does not hold the seat of anybody")
    return rules.follow(state, (rules.returned(seat),), chance)


def _score(state: MatchState, act: Act) -> RecordScore:
    """The points are the rules' own; `of` is the table's to check, and any will do here."""
    _check(act, state.ended is not None and not state.over, "no round waits for its score")
    assert state.ended is not None
    score = game_of(state).score(state.game)
    return RecordScore(round=state.ended, of=NO_HEAD, score=score)
