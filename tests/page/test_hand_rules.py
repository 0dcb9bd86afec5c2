"""What the page says may be done in Hand, and what it shows before the table has answered, is what
the rules say: on the shared cases and on positions of whole matches.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest
from msgspec import Struct

from schemas.cards import HAND_PACK
from schemas.commands import Discard, Draw, GameAction, LayMelds, LayOff, SwapJoker
from schemas.ids import Seat
from schemas.refusals import Refusal
from services.cli.referee import Case, ScriptedChance, settle
from services.rules.decider import Fact
from services.rules.games import read_options
from services.rules.hand import GAME
from services.rules.hand.search import candidates, pool_of, spell
from services.rules.hand.state import HandState, low_ace
from services.rules.melds import is_joker
from tests.page.hand_asked import Question, answers
from tests.rules.hand_play import VARIANTS, Table, match_steps, random_action, table_actions

CASES: Final = sorted((Path(__file__).parents[1] / "cases").glob("hand-*.json"))
LEFT_TO_THE_TABLE: Final = {
    Refusal.CANNOT_OPEN,
    Refusal.NO_LEGAL_FINISH,
    Refusal.NO_USE_FOR_JOKER,
}
"""What needs a search: the page leaves it to the table."""
OF_A_VIEW: Final = (
    Refusal.MATCH_OVER,
    Refusal.NOT_YOUR_TURN,
    Refusal.WRONG_PHASE,
    Refusal.CARD_NOT_HELD,
    Refusal.MUST_OPEN_FIRST,
    Refusal.MUST_PLACE_JOKER,
    Refusal.CANNOT_DISCARD_TAKEN_CARD,
    Refusal.DUPLICATE_CARD,
    Refusal.TOO_MANY_JOKERS,
    Refusal.NOT_A_MELD,
    Refusal.OPENING_TOO_LOW,
    Refusal.NOT_OPENED,
    Refusal.UNKNOWN_MELD,
    Refusal.DOES_NOT_FIT,
    Refusal.WRONG_SWAP_CARD,
)
"""The refusals that a view tells."""
ASKED: Final = 0.08
"""How many of the positions of a match are asked about."""


Move = tuple[HandState, Seat, GameAction]
"""What a seat does, after the state in which it does it."""


class Position(Struct, frozen=True):
    """A seat at a match that waits, and what it might do."""

    state: HandState
    seat: Seat
    actions: tuple[GameAction, ...]


def told(position: Position) -> list[str | None]:
    """What the rules refuse, but for what the page leaves to them."""
    said = (GAME.refuse(position.state, position.seat, one) for one in position.actions)
    return [None if one in LEFT_TO_THE_TABLE else one for one in said]


def disagreements(positions: list[Position]) -> list[tuple[GameAction, str | None, str | None]]:
    """Actions, with what the page and the rules say, where they do not say the same."""
    views = [GAME.view(each.state, each.seat) for each in positions]
    asked = (
        Question("whyNot", (view,), each.actions)
        for view, each in zip(views, positions, strict=True)
    )
    return [
        (action, ours, table)
        for each, said in zip(positions, answers(asked), strict=True)
        for action, ours, table in zip(each.actions, said, told(each), strict=True)
        if ours != table
    ]


# The shared cases -----------------------------------------------------------------------------


def case_positions(path: Path) -> Iterator[Position]:
    """The case before each of its steps that is a command at all."""
    case = msgspec.json.decode(path.read_bytes(), type=Case)
    state, chance = GAME.initial_state(read_options(case.game, case.options)), ScriptedChance(case)
    state = settle(GAME, state, chance)
    for step in case.steps:
        try:
            action = msgspec.json.decode(step.command, type=GameAction)
        except msgspec.DecodeError:
            continue
        yield Position(state, step.seat, (action,))
        if GAME.refuse(state, step.seat, action) is None:
            body = GAME.act(state, step.seat, action)
            done = GAME.evolve(state, Fact(body=body, origin="player", seat=step.seat))
            state = settle(GAME, done, chance)


def test_the_page_refuses_what_the_shared_cases_refuse() -> None:
    positions = [position for path in CASES for position in case_positions(path)]
    assert len(positions) > 1_000
    assert disagreements(positions) == []


# Positions of whole matches -------------------------------------------------------------------


def match_positions(number: int, luck: Random) -> Iterator[Position]:
    table = Table(VARIANTS[number % len(VARIANTS)], number, partial(random_action, luck=luck))
    for _, state in match_steps(table):
        waits = state.turn is not None and state.step in {"discard_first", "draw", "act"}
        if (waits and luck.random() < ASKED) or state.step in {"score", "over"}:
            seat = state.turn if state.turn is not None and luck.random() < 0.9 else 0
            yield Position(state, seat, tuple(attempts(state, seat, luck)))


def attempts(state: HandState, seat: Seat, luck: Random) -> Iterator[GameAction]:
    """What somebody might try: what fits, what almost fits, anything."""
    held = state.hands[seat] or HAND_PACK[:1]
    yield from (Draw(source="stock"), Draw(source="fire"))
    if state.now.taken is not None:
        yield Discard(card=state.now.taken)
    for _ in range(6):
        card = luck.choice(held if luck.random() < 0.9 else HAND_PACK)
        meld = luck.randrange(1, len(state.melds) + 2)
        yield Discard(card=card)
        yield LayOff(meld=meld, card=card, end=luck.choice(("low", "high", None)))
        yield SwapJoker(meld=meld, card=card)
    for joker in filter(is_joker, held):
        yield from (LayOff(meld=meld.id, card=joker) for meld in state.melds)
    alone = candidates(pool_of(held), low_ace(state.options))[:3]
    melds = [LayMelds(melds=spell((meld,), held)) for meld in alone]
    for action in (*table_actions(state, seat, luck)[:12], *melds):
        yield action
        if isinstance(action, LayMelds):
            yield spoiled(action, luck)


def spoiled(action: LayMelds, luck: Random) -> LayMelds:
    """The same melds with one of them changed a little."""
    at = luck.randrange(len(action.melds))
    cards = list(action.melds[at])
    changes = {
        "order": lambda: luck.sample(cards, len(cards)),
        "fewer": lambda: cards[1:],
        "twice": lambda: [*cards, luck.choice(cards)],
        "joker": lambda: [*cards, luck.choice(("JK1", "JK2"))],
        "other": lambda: [*cards, luck.choice(HAND_PACK)],
    }
    changed = tuple(changes[luck.choice(sorted(changes))]())
    return LayMelds(melds=(*action.melds[:at], changed, *action.melds[at + 1 :]))


def test_the_page_refuses_what_the_rules_refuse_in_thousands_of_tries() -> None:
    luck = Random(11)
    positions = [one for number in range(8) for one in match_positions(number, luck)]
    seen = Counter(code for position in positions for code in told(position))
    assert {code for code in OF_A_VIEW if seen[code] < 5} == set()
    assert seen[None] > 1_000
    assert disagreements(positions) == []


def test_melds_by_the_number_none_and_six_are_malformed() -> None:
    (position,) = list(case_positions(CASES[0]))[:1]
    view = GAME.view(position.state, position.seat)
    tries = [{"type": "lay_melds", "melds": [["2S1"]] * count} for count in (0, 6)]
    assert answers([Question("whyNot", (view,), tries)]) == [["malformed", "malformed"]]


# Before the table has answered ----------------------------------------------------------------


def moves_of(number: int) -> list[Move]:
    """Every move of a whole match, with the state before it."""
    moves: list[Move] = []
    luck = Random(number)

    def choose(state: HandState, seat: Seat) -> GameAction:
        action = random_action(state, seat, luck=luck)
        moves.append((state, seat, action))
        return action

    assert list(match_steps(Table(VARIANTS[number % len(VARIANTS)], number, choose)))
    return moves


def shown(view: Any) -> dict[str, Any]:
    """The view as it is sent."""
    sent: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(view))
    return sent


def expected(state: HandState, seat: Seat, action: GameAction) -> dict[str, Any]:
    """The view after the move; of a card from the stock its owner knows only that it came."""
    done = GAME.evolve(state, Fact(body=GAME.act(state, seat, action), origin="player", seat=seat))
    view = shown(GAME.view(done, seat))
    if action == Draw(source="stock"):
        view |= {"hand": list(state.hands[seat]), "drawn": None}
    if done.step == "end_round" and done.hands[seat]:
        view |= {"phase": "draw"}  # that the round is void now is said by its own event
    return view


def accepted(path: Path) -> list[Move]:
    """What a shared case does, with the state before it."""
    return [
        (one.state, one.seat, one.actions[0])
        for one in case_positions(path)
        if GAME.refuse(one.state, one.seat, one.actions[0]) is None
    ]


@pytest.mark.parametrize("number", range(0, 8, 2))
def test_a_move_is_shown_as_the_table_will_show_it(number: int) -> None:
    check_shown(moves_of(number))


def test_what_the_shared_cases_do_is_shown_as_the_table_will_show_it() -> None:
    short = [path for path in CASES if "random" not in path.stem]
    check_shown([move for path in short for move in accepted(path)])


def check_shown(moves: list[Move]) -> None:
    views = [GAME.view(state, seat) for state, seat, _ in moves]
    asked = (
        Question("foreseen", (view, action))
        for view, (*_, action) in zip(views, moves, strict=True)
    )
    for ours, move in zip(answers(asked), moves, strict=True):
        assert ours == expected(*move), move[2]


def test_a_move_is_confirmed_by_its_own_event_and_by_no_other() -> None:
    moves = moves_of(4)[:200]
    actions = [action for *_, action in moves]
    bodies = [GAME.act(*move) for move in moves]
    asked = [Question("confirms", (body,), actions) for body in bodies]
    for body, action, said in zip(bodies, actions, answers(asked), strict=True):
        confirmed = [other for other, yes in zip(actions, said, strict=True) if yes]
        assert action in confirmed
        assert {type(other) for other in confirmed} == {type(action)}, body
        if not isinstance(action, Draw):
            assert len(set(map(msgspec.json.encode, confirmed))) == 1, body
