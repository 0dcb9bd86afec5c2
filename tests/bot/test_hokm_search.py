"""The search: worlds that fit, one answer wherever it is asked, a gate before the rules."""

from math import sqrt
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.cards import SUITS
from schemas.commands import PlayCard
from schemas.ids import Seat
from schemas.views import BotTurn, HokmView, encode_turn
from services.bot.hokm import searches, suggest, suggest_by
from services.bot.hokm.bits import BIT, SUIT, Cards, cards_of, name_of, numbers
from services.bot.hokm.habits import CHROME, RULE
from services.bot.hokm.nevers import proper
from services.bot.hokm.position import read
from services.bot.hokm.rule import rule_card
from services.bot.hokm.search import Weighed, as_good, best, equals
from services.bot.hokm.sight import Sight
from services.bot.hokm.worlds import Unseen, _dealt_somehow, longest_suit, worlds
from services.rules.hokm import house
from services.rules.hokm.state import TRICKS_TO_WIN, HokmState
from tests.bot.positions import ME, RIGHT, position, turn
from tests.bot.rounds import card_turns, new_round, rule, said, turn_of, turns, view_of

rounds = st.integers(0, 2**32)
thorough = settings(max_examples=40, deadline=None)
few = settings(max_examples=10, deadline=None)
MINE = "AS KS QS JS TS 9S 8S 7S KH QH JH TH"
WORLDS = 3_000
HASTY = replace(CHROME, worlds=4)
"""The master's search in few worlds, where only the way matters."""


class TestTheRoundInThoughtIsTheRound:
    """Played out beside the rules, which decide."""

    @thorough
    @given(seed=rounds)
    def test_what_may_be_played_who_takes_the_trick_and_when_it_ends(self, seed: int) -> None:
        state, luck = new_round(seed), Random(seed)
        state = said(state, state.hakem, rule(turn_of(state, state.hakem)))
        thought = read(view_of(turn_of(state, state.hakem))).round
        thought.hands = [cards_of(held) for held in state.hands]
        while (seat := state.turn) is not None:
            view = view_of(turn_of(state, seat))
            assert thought.turn == seat
            assert thought.legal() == cards_of(view.playable)
            assert tuple(thought.taken) == view.tricks
            card = luck.choice(view.playable)
            state = said(state, seat, PlayCard(card=card))
            thought.play(next(numbers(cards_of([card]))))
        assert TRICKS_TO_WIN in thought.taken
        assert tuple(thought.taken) == state.tricks

    @thorough
    @given(seed=rounds)
    def test_what_a_seat_knows_is_all_in_its_view(self, seed: int) -> None:
        """Played from the deal or read from the view, the round is the same to the seat's eye."""
        state = new_round(seed)
        state = said(state, state.hakem, rule(turn_of(state, state.hakem)))
        thought = read(view_of(turn_of(state, state.hakem))).round
        while (seat := state.turn) is not None:
            view = view_of(turn_of(state, seat))
            known = read(view).round
            for field in ("trump", "hakem", "trick", "taken", "played", "void", "first_led"):
                assert getattr(known, field) == getattr(thought, field), field
            card = view.playable[-1]
            state = said(state, seat, PlayCard(card=card))
            thought.play(next(numbers(cards_of([card]))))


class TestWorlds:
    @thorough
    @given(seed=rounds)
    def test_each_deals_every_unseen_card_to_somebody_who_may_hold_it(self, seed: int) -> None:
        for view in card_turns(seed):
            at, luck = read(view), Random(seed)
            unseen = Unseen(at)
            for world in (*worlds(at, luck, 3), _dealt_somehow(unseen)):
                assert fits(world, unseen, view.left), view

    @pytest.mark.parametrize(
        ("earlier", "shares"),
        [
            pytest.param(("0: 2D 3D 4D 5D",), (12, 12, 12), id="nothing is known"),
            pytest.param(("0: 2D 3D 4C 5D",), (7, 12, 7), id="the partner is out of diamonds"),
        ],
    )
    def test_a_card_lies_with_each_as_often_as_he_has_room_for_it(
        self, earlier: tuple[str, ...], shares: tuple[int, int, int]
    ) -> None:
        """The ace of hearts: of the 26 that are no diamonds he who has none holds 12."""
        view = position(MINE, trump="S", earlier=earlier, hakem=ME)
        drawn = worlds(read(view), Random(1), WORLDS)
        for seat, share in zip((1, 2, 3), shares, strict=True):
            expected = share / sum(shares)
            error = sqrt(expected * (1 - expected) / WORLDS)
            held = sum(bool(world[seat] & cards_of(["AH"])) for world in drawn) / WORLDS
            assert abs(held - expected) <= 4 * error, seat

    @few
    @given(seed=rounds)
    def test_the_hakem_holds_more_of_the_trump_that_he_named(self, seed: int) -> None:
        state = new_round(seed)
        state = said(state, state.hakem, rule(turn_of(state, state.hakem)))
        state = said(state, state.hakem, rule(turn_of(state, state.hakem)))
        assert state.turn is not None
        at = read(view_of(turn_of(state, state.turn)))
        hakem, partner = state.hakem, (state.hakem + 2) % 4
        drawn = worlds(at, Random(seed), 200)
        trumps = [
            sum((world[seat] & SUIT[at.round.trump]).bit_count() for world in drawn)
            for seat in (hakem, partner)
        ]
        assert trumps[0] > trumps[1]

    def test_five_cards_name_the_trump_that_the_rules_name(self) -> None:
        luck = Random(3)
        for _ in range(500):
            five = luck.sample(range(52), 5)
            named = house.longest_suit([name_of(card) for card in five])
            assert SUITS[longest_suit(five)] == named


class TestTheGate:
    def test_the_rules_card_stands_where_the_gain_is_within_one_error(self) -> None:
        own, other = weighed(0, [0.4, 0.6, 0.4, 0.6]), weighed(1, [0.9, 0.1, 0.9, 0.3])
        assert best([own, other], rules=0) is own
        assert as_good(own, other)

    def test_it_is_left_for_a_sure_gain(self) -> None:
        own, other = weighed(0, [0.4, 0.6, 0.4, 0.6]), weighed(1, [0.6, 0.8, 0.6, 0.9])
        assert best([own, other], rules=0) is other
        assert not as_good(own, other)

    def test_a_gain_in_every_world_alike_is_sure_however_small(self) -> None:
        own, other = weighed(0, [0.25] * 4), weighed(1, [0.5] * 4)
        assert best([own, other], rules=0) is other

    def test_cards_that_win_the_same_are_the_rules_to_choose_from(self) -> None:
        one, two = weighed(0, [0.5] * 4), weighed(1, [0.5] * 4)
        assert best([one, two], rules=1) is two


class TestEqualCards:
    def test_what_lies_between_two_of_mine_is_mine_or_gone(self) -> None:
        view = position("KD QD TD 3D 2D", trump="S", earlier=["0: JD 4D 5D 6D"])
        assert sets_of(view) == [{"2D", "3D"}, {"TD", "QD", "KD"}]

    def test_a_card_on_the_table_parts_them(self) -> None:
        view = position("KD JD 3D", trump="S", trick="QD")
        assert sets_of(view) == [{"3D"}, {"JD"}, {"KD"}]

    def test_suits_are_never_equal(self) -> None:
        assert sets_of(position("AS 2H", trump="S")) == [{"AS"}, {"2H"}]


class TestTheMastersAnswer:
    @few
    @given(seed=rounds)
    def test_is_the_same_for_play_and_advice_in_whatever_order_the_cards_came(
        self, seed: int
    ) -> None:
        luck = Random(seed)
        for asked in turns(seed):
            view = view_of(asked)
            other = replace(
                view,
                hand=tuple(luck.sample(view.hand, len(view.hand))),
                playable=tuple(luck.sample(view.playable, len(view.playable))),
            )
            played = suggest_by(asked, HASTY)
            advised = suggest_by(replace(asked, view=other, task="advise"), HASTY)
            assert advised.actions == played.actions
            assert advised.reason == played.reason

    @few
    @given(seed=rounds)
    def test_depends_on_nothing_that_the_seat_cannot_see(self, seed: int) -> None:
        """The cards of the others are dealt anew between them: not a byte changes."""
        state, luck = new_round(seed), Random(seed)
        while (seat := state.turn) is not None:
            asked, other = (turn_of(one, seat) for one in (state, dealt_anew(state, seat, luck)))
            assert encode_turn(asked) == encode_turn(other)
            assert hint(asked) == hint(other)
            state = said(state, seat, rule(asked))

    @few
    @given(seed=rounds)
    def test_weighs_each_playable_card_once_equal_ones_together(self, seed: int) -> None:
        for asked in turns(seed):
            view = view_of(asked)
            if view.trump is None:
                continue
            found = suggest_by(replace(asked, task="advise"), HASTY).candidates
            sets = equals(read(view).round, cards_of(view.playable))
            named = [cards_of([one.card]) for one in found]
            assert len(named) == len(sets)
            assert all(sum(bool(one & cards) for one in named) == 1 for cards in sets)
            assert found[0].equal

    @few
    @given(seed=rounds)
    def test_the_rules_card_is_never_against_the_nevers(self, seed: int) -> None:
        for view in card_turns(seed):
            at = read(view)
            assert BIT[rule_card(at.round)] & proper(Sight(at.round, at.round.legal()))

    def test_leaves_the_rules_sometimes_and_not_often(self) -> None:
        asked = [one for seed in range(2) for one in turns(seed) if searches(chrome(one))]
        left = [one for one in asked if suggest(chrome(one)).actions != (rule(one),)]
        assert len(asked) / 50 <= len(left) <= len(asked) / 3

    def test_white_forgets_what_was_played_before_the_trick(self) -> None:
        """The queen is the highest diamond out, and black knows it."""
        view = position("QD 4D 9H 8H", trump="S", earlier=["1: AD KD 5D 6D"], hakem=RIGHT)
        asked = turn(view)
        white = replace(CHROME, remembers=False, worlds=0)
        assert suggest_by(asked, RULE).actions == (PlayCard(card="QD"),)
        assert suggest_by(asked, white).actions != (PlayCard(card="QD"),)


def fits(world: list[Cards], unseen: Unseen, left: tuple[int, ...]) -> bool:
    dealt = [card for seat in unseen.others for card in numbers(world[seat])]
    return (
        sorted(dealt) == unseen.cards
        and [held.bit_count() for held in world] == list(left)
        and all(
            seat in unseen.takers[card] for seat in unseen.others for card in numbers(world[seat])
        )
    )


def weighed(card: int, chances: list[float]) -> Weighed:
    return Weighed(cards=BIT[card], chances=tuple(chances), won=tuple(one > 0.5 for one in chances))


def chrome(asked: BotTurn) -> BotTurn:
    return replace(asked, level="chrome")


def hint(asked: BotTurn) -> bytes:
    return msgspec.json.encode(suggest_by(replace(asked, task="advise"), HASTY))


def sets_of(view: HokmView) -> list[set[str]]:
    sets = equals(read(view).round, cards_of(view.playable))
    return [{name_of(card) for card in numbers(cards)} for cards in sets]


def dealt_anew(state: HokmState, seat: Seat, luck: Random) -> HokmState:
    """The state with the cards that `seat` does not see exchanged at random: those in the other
    hands, and those not dealt yet.
    """
    others = [at for at in range(4) if at != seat]
    hidden = [card for at in others for card in state.hands[at]]
    hidden += state.pack
    luck.shuffle(hidden)
    cards = iter(hidden)
    hands = tuple(
        held if at == seat else tuple(next(cards) for _ in held)
        for at, held in enumerate(state.hands)
    )
    return replace(state, hands=hands, pack=tuple(cards))
