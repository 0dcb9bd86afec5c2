"""H10, H23: a view is made only from what its viewer may know."""

from collections.abc import Callable
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import HOKM_PACK, SUITS, HokmCard
from schemas.commands import ChooseTrump, GameAction, HokmOptions, PlayCard
from schemas.events import CardPlayed, CardsShuffled, FiveDealt
from schemas.ids import Seat
from schemas.views import Play
from services.rules.decider import Fact
from services.rules.hokm import GAME
from services.rules.hokm.state import HokmState

Steps = list[tuple[Fact, HokmState]]
Position = Callable[..., HokmState]
PlayOut = Callable[[HokmState, str], Steps]
RandomMatch = Callable[..., Steps]
Reached = Callable[..., HokmState]

SEEDS = st.integers(0, 2**32)
ACTIONS: tuple[GameAction, ...] = (
    *(ChooseTrump(suit=suit) for suit in SUITS),
    *(PlayCard(card=card) for card in HOKM_PACK),
)


def told(state: HokmState, seat: Seat) -> bytes:
    """All that the rules ever say to `seat`: its view, its hand, each answer that it may get."""
    answers = [GAME.refuse(state, seat, action) for action in ACTIONS]
    return msgspec.json.encode((GAME.view(state, seat), GAME.hand(state, seat), answers))


def first_round(steps: Steps) -> Steps:
    """The facts of the first round, its score included."""
    deals = [at for at, (fact, _) in enumerate(steps) if isinstance(fact.body, FiveDealt)]
    return steps[: deals[1] - 1 if len(deals) > 1 else len(steps)]


def other_deal(steps: Steps, known: set[HokmCard], luck: Random) -> list[Fact]:
    """The same public facts from a pack that differs in all that is not `known`.

    A card that is known keeps its place in the pack, and so its seat.
    """
    facts = [fact for fact, _ in steps]
    at = max(at for at, fact in enumerate(facts) if isinstance(fact.body, CardsShuffled))
    pack = list(facts[at].pack or ())
    hidden = [place for place, card in enumerate(pack) if card not in known]
    swapped = hidden.copy()
    luck.shuffle(swapped)
    changed = pack.copy()
    for place, other in zip(hidden, swapped, strict=True):
        changed[place] = pack[other]
    facts[at] = msgspec.structs.replace(facts[at], pack=tuple(changed))
    return facts


def played(steps: Steps) -> set[HokmCard]:
    return {fact.body.card for fact, _ in steps if isinstance(fact.body, CardPlayed)}


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, seat=st.integers(0, 3), show=st.booleans())
def test_H23_two_deals_equal_in_what_a_seat_knows_give_it_the_same_bytes(
    random_match: RandomMatch, seed: int, seat: Seat, *, show: bool
) -> None:
    luck = Random(seed)
    options = HokmOptions(show_five_before_trump=show)
    steps = first_round(random_match(seed, options))
    dealt = next(at for at, (_, state) in enumerate(steps) if GAME.dealt(state))
    until = steps[: luck.randint(dealt + 1, len(steps))]
    known = played(until) | set(GAME.hand(until[-1][1], seat))
    state: HokmState = GAME.initial_state(options)
    for fact, (_, first) in zip(other_deal(until, known, luck), until, strict=True):
        state = GAME.evolve(state, fact)
        if GAME.dealt(first):
            assert told(state, seat) == told(first, seat)


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS)
def test_H23_two_deals_equal_in_the_played_cards_give_a_spectator_the_same_bytes(
    random_match: RandomMatch, seed: int
) -> None:
    luck = Random(seed)
    steps = first_round(random_match(seed))
    state: HokmState = GAME.initial_state(HokmOptions())
    for fact, (_, first) in zip(other_deal(steps, played(steps), luck), steps, strict=True):
        state = GAME.evolve(state, fact)
        if GAME.dealt(first):
            assert msgspec.json.encode(GAME.view(state, None)) == msgspec.json.encode(
                GAME.view(first, None)
            )


def test_the_two_deals_of_these_properties_do_differ(
    random_match: RandomMatch, reached: Reached
) -> None:
    """Else they would hold for any view at all."""
    for seed in range(10):
        steps = first_round(random_match(seed))[:6]
        state = steps[-1][1]
        other = reached(other_deal(steps, set(state.hands[state.hakem]), Random(seed)))
        assert GAME.judge(other) != GAME.judge(state)
        assert GAME.hand(other, state.hakem) == GAME.hand(state, state.hakem)


def test_a_spectators_view_holds_no_card_but_those_on_the_table(random_match: RandomMatch) -> None:
    for seed in range(5):
        for _, state in random_match(seed):
            if not GAME.dealt(state):
                continue
            view = msgspec.json.encode(GAME.view(state, None)).decode()
            shown = {card for card in HOKM_PACK if f'"{card}"' in view}
            on_table = {play.card for trick in (*state.earlier, state.trick) for play in trick}
            assert shown == on_table


def test_a_seats_view_holds_no_card_but_its_own_and_those_on_the_table(
    random_match: RandomMatch,
) -> None:
    for seed in range(3):
        for _, state in random_match(seed):
            for seat in range(4) if GAME.dealt(state) else ():
                view = msgspec.json.encode(GAME.view(state, seat)).decode()
                shown = {card for card in HOKM_PACK if f'"{card}"' in view}
                table = {play.card for trick in (*state.earlier, state.trick) for play in trick}
                assert shown == table | set(GAME.hand(state, seat))


def test_a_view_says_what_is_public(position: Position, play_out: PlayOut) -> None:
    state = play_out(position(("KD 4S", "9D 2S", "8D 3S", "7D 4H"), "S"), "KD 9D 8D 7D 4S")[-1][1]
    view = msgspec.to_builtins(GAME.view(state, 1))
    assert view == {
        "game": "hokm",
        "options": msgspec.to_builtins(HokmOptions()),
        "phase": "playing",
        "round": 1,
        "hakem": 0,
        "trump": "S",
        "turn": 1,
        "trick": ({"seat": 0, "card": "4S"},),
        "earlier": (
            tuple(
                msgspec.to_builtins(Play(seat, card))
                for seat, card in enumerate(("KD", "9D", "8D", "7D"))
            ),
        ),
        "tricks": (1, 0),
        "score": (0, 0),
        "left": (0, 1, 1, 1),
        "seat": 1,
        "hand": ("2S",),
        "playable": ("2S",),
        "winner": None,
    }


def test_playable_is_what_would_be_accepted_now(position: Position, play_out: PlayOut) -> None:
    state = play_out(position(("KD 4S", "9D 2S", "8D 3S", "7D 4H"), "S"), "KD")[-1][1]
    playable = [msgspec.to_builtins(GAME.view(state, seat))["playable"] for seat in range(4)]
    assert playable == [(), ("9D",), (), ()]
