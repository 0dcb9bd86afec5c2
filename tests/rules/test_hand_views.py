"""N28: a view is made only from what its viewer may know."""

from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.cards import HAND_PACK, HandCard
from schemas.commands import Discard, Draw, GameAction, HandOptions, LayOff, SwapJoker
from schemas.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    CardsShuffled,
    FireTaken,
    JokerSwapped,
    MeldsLaid,
)
from schemas.ids import Seat
from services.rules.decider import Fact
from services.rules.hand import GAME
from services.rules.hand.state import HandState, Turn
from services.rules.hand.view import HandJudge
from tests.rules.hand_play import (
    VARIANTS,
    Steps,
    after,
    cards,
    lay,
    match_steps,
    position,
    random_table,
    round_steps,
    scored,
    tosses,
)

SEEDS = st.integers(0, 2**32)
NOBODY = 9
"""A seat that knows only what all know."""


def told(state: HandState, seat: Seat) -> bytes:
    """All that the rules ever say to `seat`: its view, its hand, answers that it may get."""
    ids = range(1, len(state.melds) + 1)
    actions: list[GameAction] = [
        Draw(source="stock"),
        Draw(source="fire"),
        *(Discard(card=card) for card in HAND_PACK),
        *(LayOff(meld=each, card=card) for each in ids for card in HAND_PACK[each::9]),
        *(SwapJoker(meld=each, card=card) for each in ids for card in HAND_PACK[each::9]),
    ]
    answers = [GAME.refuse(state, seat, action) for action in actions]
    view, hand = GAME.view(state, seat), GAME.hand(state, seat)
    return msgspec.json.encode((view, hand, answers))


# Two deals that are equal in what a seat knows ------------------------------------------------


def shown(fact: Fact, before: HandState, seat: Seat) -> tuple[HandCard, ...]:
    """The cards that `fact` shows to `seat`: to all, or from the stock to it alone."""
    match fact.body:
        case CardDiscarded(card=card) | CardLaidOff(card=card) | FireTaken(card=card):
            return (card,)
        case JokerSwapped(card=card, joker=joker):
            return (card, joker)
        case MeldsLaid(melds=melds):
            return tuple(card for meld in melds for card in meld)
        case CardDrawn() if fact.seat == seat:
            return (before.stock[0],)
        case _:
            return ()


def other_deal(steps: Steps, seat: Seat, luck: Random) -> list[Fact]:
    """The same facts from packs that differ in every place that `seat` cannot know.

    Backwards: what is shown after a shuffle tells places of its pack, so that a card that was
    shuffled twice may be known in the one and hidden in the other.
    """
    facts = [fact for fact, _ in steps]
    states = [state for _, state in steps]
    known: set[HandCard] = set()
    for at in range(len(facts) - 1, 0, -1):
        facts[at] = permuted(facts[at], known, luck)
        known |= set(shown(facts[at], states[at - 1], seat))
    facts[0] = permuted(facts[0], known | deal_of(states, seat), luck)
    return facts


def deal_of(states: list[HandState], seat: Seat) -> set[HandCard]:
    dealt = next(state for state in states if GAME.dealt(state))
    return set(dealt.hands[seat]) if seat < len(dealt.hands) else set()


def permuted(fact: Fact, known: set[HandCard], luck: Random) -> Fact:
    """`fact`, if it is a shuffle with the cards that are not known exchanged among their places."""
    if fact.pack is None:
        return fact
    hidden = [card for card in fact.pack if card not in known]
    luck.shuffle(hidden)
    pack = tuple(card if card in known else hidden.pop() for card in fact.pack)
    return replace(fact, pack=pack)


def in_play(seed: int, luck: Random) -> Steps:
    """A round from its shuffle up to any moment before its end."""
    steps = round_steps(random_table(seed))
    return steps[: luck.randint(4, len(steps) - 1)]


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, seat=st.integers(0, 3))
def test_N28_two_deals_equal_in_what_a_seat_knows_give_it_the_same_bytes(
    seed: int, seat: Seat
) -> None:
    luck = Random(seed)
    steps = in_play(seed, luck)
    options = steps[0][1].options
    seat %= options.seats
    state: HandState = GAME.initial_state(options)
    for fact, (_, first) in zip(other_deal(steps, seat, luck), steps, strict=True):
        state = GAME.evolve(state, fact)
        if GAME.dealt(first):
            assert told(state, seat) == told(first, seat)


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS)
def test_N28_two_deals_equal_in_what_was_shown_give_a_spectator_the_same_bytes(seed: int) -> None:
    luck = Random(seed)
    steps = in_play(seed, luck)
    state: HandState = GAME.initial_state(steps[0][1].options)
    for fact, (_, first) in zip(other_deal(steps, NOBODY, luck), steps, strict=True):
        state = GAME.evolve(state, fact)
        if GAME.dealt(first):
            views = [GAME.view(each, None) for each in (state, first)]
            assert msgspec.json.encode(views[0]) == msgspec.json.encode(views[1])


def test_the_two_deals_of_these_properties_do_differ() -> None:
    """Else they would hold for any view at all. Drawn cards and reshuffled stocks differ too."""
    draws = reshuffles = 0
    for seed in range(12):
        steps = round_steps(random_table(seed))[:-1]
        state: HandState = GAME.initial_state(steps[0][1].options)
        for fact, (_, first) in zip(other_deal(steps, 0, Random(seed)), steps, strict=True):
            state = GAME.evolve(state, fact)
            if isinstance(fact.body, CardsShuffled) and fact.body.label != "deal":
                reshuffles += state.stock != first.stock
            if isinstance(fact.body, CardDrawn) and fact.seat != 0:
                draws += state.now.drawn != first.now.drawn
        assert GAME.hand(state, 0) == GAME.hand(steps[-1][1], 0)
    assert draws > 20
    assert reshuffles > 0


# What is in a view ----------------------------------------------------------------------------


def named(view: object) -> set[HandCard]:
    text = msgspec.json.encode(view).decode()
    return {card for card in HAND_PACK if f'"{card}"' in text}


def test_N28_a_view_names_no_card_but_the_viewers_own_and_what_was_shown() -> None:
    for seed in range(4):
        public: set[HandCard] = set()
        before: HandState | None = None
        for fact, state in round_steps(random_table(seed)):
            public |= set(shown(fact, before, NOBODY)) if before is not None else set()
            before = state
            if not GAME.dealt(state):
                continue
            assert named(GAME.view(state, None)) <= public
            for seat in range(state.options.seats):
                assert named(GAME.view(state, seat)) <= public | set(state.hands[seat])


def test_N28_the_drawn_card_is_shown_to_its_owner_alone_the_taken_one_to_all() -> None:
    state = position("2S1 3S1", now=Turn(drawn="3S1"))
    drawn = [msgspec.to_builtins(GAME.view(state, seat))["drawn"] for seat in (0, 1, 2, 3, None)]
    assert drawn == ["3S1", None, None, None, None]
    state = position("2S1 3S1", now=Turn(taken="3S1"))
    seen = [msgspec.to_builtins(GAME.view(state, seat)) for seat in (0, 1, 2, 3, None)]
    assert [view["taken"] for view in seen] == ["3S1"] * 5
    assert [view["drawn"] for view in seen] == [None] * 5


def test_a_view_says_what_is_public() -> None:
    state = position("KS1 KH1 KD1 QS1 QH1 QD1 2S1", opened=False, fire="2C1 9H1", bar=60)
    state = after(state, lay("KS1 KH1 KD1, QS1 QH1 QD1"))
    view = msgspec.to_builtins(GAME.view(state, 1))
    assert view == {
        "game": "hand",
        "options": msgspec.to_builtins(state.options),
        "phase": "act",
        "round": 1,
        "dealer": 3,
        "turn": 0,
        "bar": 60,
        "opened": (True, False, False, False),
        "melds": (
            {"id": 1, "owner": 0, "kind": "set", "cards": cards("KS1 KH1 KD1")},
            {"id": 2, "owner": 0, "kind": "set", "cards": cards("QS1 QH1 QD1")},
        ),
        "fire": cards("2C1 9H1"),
        "tosses": msgspec.to_builtins(tosses("2C1 9H1")),
        "stock": 3,
        "reshuffles": 0,
        "left": (1, 1, 1, 1),
        "must_open": False,
        "must_place": (),
        "taken": None,
        "drawn": None,
        "totals": (0, 0, 0, 0),
        "contenders": (0, 1, 2, 3),
        "seat": 1,
        "hand": cards("9C2"),
        "winner": None,
    }


def test_a_spectator_has_no_seat_and_no_hand() -> None:
    view = msgspec.to_builtins(GAME.view(position("2S1 3S1"), None))
    assert (view["seat"], view["hand"], view["left"]) == (None, (), (2, 1, 1, 1))


def test_N28_the_tosses_of_a_round_outlive_a_reshuffle() -> None:
    state = position("2S1 3S1", fire="KH1 9S1", stock=())
    state = after(state, Discard(card="2S1"))
    assert state.fire == cards("2S1")
    seen = msgspec.to_builtins(GAME.view(state, None))
    assert [toss["card"] for toss in seen["tosses"]] == ["KH1", "9S1", "2S1"]


def test_until_the_next_deal_a_seat_sees_what_it_was_left_with() -> None:
    state = after(position("2S1", others="9C2 KD1"), Discard(card="2S1"))
    assert state.step == "score"
    for _ in range(2):
        assert GAME.hand(state, 1) == cards("9C2 KD1")
        assert msgspec.to_builtins(GAME.view(state, 1))["hand"] == cards("9C2 KD1")
        state = GAME.evolve(state, scored(state))


def test_the_judges_state_always_has_every_key() -> None:
    keys = [field.name for field in msgspec.structs.fields(HandJudge)]
    assert " ".join(keys) == (
        "phase round dealer turn hands opened bar melds fire stock reshuffles must_open"
        " must_place totals contenders winner last_round"
    )
    for options in VARIANTS[:1] + VARIANTS[-1:]:
        for _, state in match_steps(random_table(6, options)):
            if GAME.dealt(state):
                judged = msgspec.to_builtins(GAME.judge(state))
                assert list(judged) == keys
                assert all(list(hand) == sorted(hand) for hand in judged["hands"])
                assert (judged["turn"] is None) == (judged["phase"] in {"scoring", "match_over"})


def test_saudi_options_are_shown_to_all() -> None:
    options = HandOptions(variant="saudi", seats=2, rounds=9)
    view = msgspec.to_builtins(GAME.view(position("2S1 3S1", options=options), None))
    assert view["options"] == {"game": "hand", "variant": "saudi", "seats": 2, "rounds": 9}
