"""The master's look (H21) at the table: who may ask, who answers, and to whom it is told."""

import logging

import msgspec
import pytest

from schemas import subjects
from schemas.advice import Candidate, Reason
from schemas.cards import HAND_PACK, HOKM_PACK, HokmCard
from schemas.commands import (
    COMMAND_BYTES,
    Advise,
    ChooseTrump,
    Command,
    Discard,
    Draw,
    GameAction,
    LayOff,
    LeaveSeat,
    PlayCard,
    Suggestion,
    SwapJoker,
    decode_command,
    encode_command,
)
from schemas.feed import Advice, Ask, encode_ask
from schemas.ids import house_voice
from schemas.refusals import Refusal
from schemas.views import BotTurn, HokmView
from services.bot.policy import suggest
from services.messaging.port import Message
from services.rules import sight
from services.table import advice
from tests.table.hall import (
    ALL_HOUSE,
    ANNE,
    BEHROUZ,
    MASKED,
    MATCH,
    PLAYERS,
    Hall,
    assert_happened,
    assert_refused,
)
from tests.table.playing import (
    live,
    play_house,
    shelf,
    time_runs_out,
    to_the_end_of_a_round,
)
from tests.waiting import until

WATCHER = "u_watcher00"


def told(hall: Hall, voice: str) -> list[Advice]:
    return [feed for feed in hall.heard(voice) if isinstance(feed, Advice)]


async def taken_up(hall: Hall) -> None:
    """What was said before has been decided: an ask that came after it is answered."""
    await hall.snapshot(WATCHER)


async def ask(hall: Hall, voice: str) -> None:
    """Ask for advice, and wait until that was taken up."""
    data = encode_ask(Ask(what="advice"))
    await hall.line.publish([Message(subject=subjects.ask(MATCH, voice), data=data)])
    await taken_up(hall)


async def advise(hall: Hall, voice: str, said: Suggestion, *, move: int | None) -> None:
    """Let a bot say this, and wait until the table has acknowledged it."""
    data = encode_command(Command(id=hall.new_id(), move=move, action=Advise(suggestion=said)))
    await hall.line.publish([Message(subject=subjects.command_in(MATCH, voice), data=data)])
    await until(lambda: not list(hall.broker.stream("COMMANDS").matching("cmd.>")), "its ack")
    await taken_up(hall)


def advices_wanted(hall: Hall) -> list[BotTurn]:
    return [turn for turn in hall.asked_of_bots() if turn.task == "advise"]


def on_turn(hall: Hall) -> int:
    seat = sight.turn(live(hall).state)
    assert seat is not None
    return seat


def player_on_turn(hall: Hall) -> str:
    return PLAYERS[on_turn(hall)]


def playing(card: HokmCard) -> Suggestion:
    return _suggestion(PlayCard(card=card))


def _suggestion(action: GameAction) -> Suggestion:
    return Suggestion(actions=(action,), reason=Reason(why="low_card", cards=()))


async def a_trick_in(hall: Hall) -> None:
    """A table of people that plays cards already."""
    await hall.start()
    await play_house(hall, own=True)
    await play_house(hall, own=True)


async def question(hall: Hall) -> tuple[str, BotTurn]:
    """At a table where cards are played, who is on turn has asked; and what a bot was asked."""
    await a_trick_in(hall)
    asker = player_on_turn(hall)
    await ask(hall, asker)
    (turn,) = advices_wanted(hall)
    return asker, turn


# Asking ---------------------------------------------------------------------------------------


async def test_H21_who_is_on_turn_gets_the_master_asked_with_his_own_view_at_full_strength() -> (
    None
):
    async with Hall() as hall:
        await a_trick_in(hall)
        seat, state = on_turn(hall), live(hall).state
        await ask(hall, PLAYERS[seat])
        (turn,) = advices_wanted(hall)
        view = sight.view(state, seat)
        assert view is not None
        assert turn == BotTurn(
            match=MATCH, seat=seat, move=state.move, level="chrome", task="advise", view=view
        )
        assert hall.turns[-1].subject == f"turn.{MATCH}.{seat}"


async def test_H21_the_hakem_may_ask_which_suit_to_name() -> None:
    async with Hall() as hall:
        await hall.start()
        await ask(hall, player_on_turn(hall))
        (turn,) = advices_wanted(hall)
        assert isinstance(turn.view, HokmView)
        assert turn.view.phase == "choosing_trump"


async def test_H21_off_turn_it_is_refused_and_no_bot_is_asked() -> None:
    async with Hall() as hall:
        await a_trick_in(hall)
        waiting = [player for player in PLAYERS if player != player_on_turn(hall)]
        for player in waiting:
            answer = await hall.ask(player, Ask(what="advice"))
            refused = assert_refused(answer, Refusal.NOT_YOUR_TURN)
            assert refused.move == live(hall).state.move
            assert refused.command is None
        assert advices_wanted(hall) == []


async def test_who_does_not_sit_is_refused_as_his_card_would_be() -> None:
    async with Hall() as hall:
        await a_trick_in(hall)
        answer = await hall.ask(WATCHER, Ask(what="advice"))
        assert_refused(answer, Refusal.NOT_SEATED)
        assert advices_wanted(hall) == []


async def test_in_the_lobby_and_between_rounds_it_is_the_wrong_phase() -> None:
    async with Hall() as hall:
        await hall.open()
        assert_refused(await hall.ask(ANNE, Ask(what="advice")), Refusal.WRONG_PHASE)
    async with Hall() as hall:
        await hall.start()
        await to_the_end_of_a_round(hall)
        assert_refused(await hall.ask(ANNE, Ask(what="advice")), Refusal.WRONG_PHASE)


async def test_after_the_end_the_match_is_over_and_no_such_match_is_unknown() -> None:
    async with Hall() as hall:
        await hall.open()
        await time_runs_out(hall)
        assert_refused(await hall.ask(ANNE, Ask(what="advice")), Refusal.MATCH_OVER)
        nowhere = "m_" + "9" * 32
        answer = await hall.ask(ANNE, Ask(what="advice"), match=nowhere)
        assert_refused(answer, Refusal.UNKNOWN_MATCH)


async def test_whom_the_house_stands_in_for_gets_his_seat_back_and_then_the_master_asked() -> None:
    """H24: who asks is back. The bot's turn of his seat is taken from it with that."""
    async with Hall() as hall:
        await hall.start(MASKED)
        while on_turn(hall) != 0:
            await play_house(hall, own=True)
        while live(hall).state.chairs[0].control != "house" or on_turn(hall) != 0:
            if on_turn(hall) == 0:
                await time_runs_out(hall)
            else:
                await play_house(hall, own=True)
        assert hall.asked_of_bots()[-1].task == "play"
        await ask(hall, ANNE)
        assert live(hall).state.chairs[0].control == "owner"
        assert hall.asked_of_bots()[-1].task == "advise"


# Answering ------------------------------------------------------------------------------------


async def test_H21_the_bots_advice_is_told_to_who_asked_and_to_nobody_else() -> None:
    async with Hall() as hall:
        asker, turn = await question(hall)
        said = suggest(turn)
        await advise(hall, house_voice(turn.seat), said, move=turn.move)
        assert told(hall, asker) == [Advice(match=MATCH, move=turn.move, suggestion=said)]
        others = [one for one in (*PLAYERS, WATCHER) if one != asker]
        assert [told(hall, other) for other in others] == [[]] * 4
        assert_happened(await hall.say(asker, said.actions[0], move=turn.move))


async def test_it_is_in_no_log_and_no_move_and_touches_no_clock() -> None:
    async with Hall() as hall:
        await a_trick_in(hall)
        asker, rows = player_on_turn(hall), hall.rows()
        before, wait = await hall.snapshot(asker), shelf(hall).wait(MATCH)
        hall.clock.seconds += 5
        await ask(hall, asker)
        (turn,) = advices_wanted(hall)
        await advise(hall, house_voice(turn.seat), suggest(turn), move=turn.move)
        assert told(hall, asker)
        assert hall.rows() == rows
        assert shelf(hall).wait(MATCH) == wait
        after = await hall.snapshot(asker)
        assert msgspec.structs.replace(after, now=before.now) == before
        assert not hall.store.dead


async def test_whoever_asks_again_while_a_bot_thinks_makes_it_think_no_second_time() -> None:
    async with Hall() as hall:
        await a_trick_in(hall)
        asker = player_on_turn(hall)
        for _ in range(3):
            await ask(hall, asker)
        assert len(advices_wanted(hall)) == 1
        hall.clock.seconds += advice.PATIENCE
        await ask(hall, asker)
        assert len(advices_wanted(hall)) == 2, "a bot that died is not waited for"
        assert told(hall, asker) == []


async def test_a_second_ask_is_answered_from_memory_while_the_move_is_the_present_one() -> None:
    async with Hall() as hall:
        asker, turn = await question(hall)
        await advise(hall, house_voice(turn.seat), suggest(turn), move=turn.move)
        hall.clock.seconds += advice.PATIENCE
        again = await hall.ask(asker, Ask(what="advice"))
        assert [again] * 2 == told(hall, asker)
        assert len(advices_wanted(hall)) == 1
        for _ in range(4):  # round the table, to the same seat and another move
            await play_house(hall, own=True)
        while player_on_turn(hall) != asker:
            await play_house(hall, own=True)
        await ask(hall, asker)
        assert len(advices_wanted(hall)) == 2
        assert len(told(hall, asker)) == 2


async def test_the_answers_of_two_bots_to_one_question_are_told_once() -> None:
    async with Hall() as hall:
        asker, turn = await question(hall)
        for _ in range(2):
            await advise(hall, house_voice(turn.seat), suggest(turn), move=turn.move)
        assert len(told(hall, asker)) == 1


# What nobody waits for ------------------------------------------------------------------------


def silent(hall: Hall, feeds: int) -> bool:
    """Nothing but the watcher's snapshots has been said since there were so many feeds."""
    said = hall.feeds[feeds:]
    return all(message.subject == subjects.feed(WATCHER, MATCH) for message in said)


async def test_an_advice_that_was_not_asked_for_is_dropped_without_an_answer() -> None:
    async with Hall() as hall:
        await a_trick_in(hall)
        state, heard = live(hall).state, len(hall.feeds)
        turn = sight.advice_turn(MATCH, state)
        assert turn is not None
        await advise(hall, house_voice(turn.seat), suggest(turn), move=state.move)
        assert silent(hall, heard)
        assert not hall.store.dead


@pytest.mark.parametrize("past", [1, None, -1])
async def test_one_for_another_move_or_none_is_dropped(past: int | None) -> None:
    async with Hall() as hall:
        asker, turn = await question(hall)
        move = None if past is None else turn.move - past
        await advise(hall, house_voice(turn.seat), suggest(turn), move=move)
        assert told(hall, asker) == []


async def test_one_that_comes_after_the_card_was_played_is_dropped() -> None:
    async with Hall() as hall:
        _, turn = await question(hall)
        await play_house(hall, own=True)
        heard = len(hall.feeds)
        await advise(hall, house_voice(turn.seat), suggest(turn), move=turn.move)
        assert silent(hall, heard)


async def test_one_from_the_voice_of_a_seat_that_is_not_on_turn_is_dropped() -> None:
    async with Hall() as hall:
        _, turn = await question(hall)
        heard = len(hall.feeds)
        for seat in range(4):
            if seat != turn.seat:
                await advise(hall, house_voice(seat), suggest(turn), move=turn.move)
        assert silent(hall, heard)


async def test_one_for_a_seat_that_changed_hands_is_dropped() -> None:
    """Who asked has gone, and the house plays on: its own turn is asked of a bot."""
    async with Hall() as hall:
        asker, turn = await question(hall)
        assert_happened(await hall.say(asker, LeaveSeat()))
        await until(lambda: hall.asked_of_bots()[-1].task == "play", "a bot asked to play")
        heard = len(hall.feeds)
        for move in (turn.move, turn.move + 1):
            await advise(hall, house_voice(turn.seat), suggest(turn), move=move)
        assert silent(hall, heard)
        await play_house(hall, own=True)


async def test_one_that_the_rules_would_refuse_is_dropped_and_logged_without_cards(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with Hall() as hall:
        asker, turn = await question(hall)
        assert isinstance(turn.view, HokmView)
        playable = turn.view.playable
        not_mine = next(c for c in ("AS", "AH", "AD", "AC") if c not in turn.view.hand)
        wrong: tuple[GameAction, ...] = (
            PlayCard(card=not_mine),
            ChooseTrump(suit="S"),
            Discard(card="KS1"),
        )
        for action in wrong:
            await advise(hall, house_voice(turn.seat), _suggestion(action), move=turn.move)
        assert told(hall, asker) == []
        lines = [vars(one) for one in caplog.records if one.levelno == logging.ERROR]
        assert [line["refusal"] for line in lines] == [
            "card_not_held",
            "wrong_phase",
            "malformed",
        ]
        assert not_mine not in str(lines)
        await advise(hall, house_voice(turn.seat), playing(playable[0]), move=turn.move)
        assert len(told(hall, asker)) == 1, "a right one after it is told"


async def test_one_that_names_a_card_its_asker_does_not_see_is_dropped_and_logged_without_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Another's, in whatever part of it."""
    async with Hall() as hall:
        asker, turn = await question(hall)
        right = suggest(turn)
        hidden = live(hall).state.game.hands[(turn.seat + 2) % 4][0]
        for wrong in (
            {"reason": Reason(why="low_card", cards=(hidden,))},
            {"candidates": (*right.candidates, Candidate(card=hidden, chance=1, equal=False))},
            {"actions": (*right.actions, PlayCard(card=hidden))},
        ):
            said = msgspec.structs.replace(right, **wrong)
            await advise(hall, house_voice(turn.seat), said, move=turn.move)
        assert told(hall, asker) == []
        lines = [vars(one) for one in caplog.records if one.levelno == logging.ERROR]
        assert len(lines) == 3
        assert hidden not in str(lines)
        await advise(hall, house_voice(turn.seat), right, move=turn.move)
        assert told(hall, asker) == [Advice(match=MATCH, move=turn.move, suggestion=right)]


async def test_an_advice_from_a_player_is_not_allowed() -> None:
    async with Hall() as hall:
        asker, turn = await question(hall)
        for voice in (asker, WATCHER, "scoring", "ops"):
            said = await hall.say(voice, Advise(suggestion=suggest(turn)), move=turn.move)
            assert_refused(said, Refusal.NOT_ALLOWED)


async def test_the_advice_for_a_match_that_is_not_there_is_dropped() -> None:
    async with Hall() as hall:
        nobody = Advise(suggestion=playing("AS"))
        data = encode_command(Command(id=hall.new_id(), move=1, action=nobody))
        await hall.line.publish([Message(subject=f"cmdin.{MATCH}.house0", data=data)])
        await hall.open()
        assert not [message for message in hall.feeds if ".house0" in message.subject]


async def test_with_a_new_owner_of_the_partition_nothing_is_owed_and_asking_again_helps() -> None:
    async with Hall() as hall:
        asker, turn = await question(hall)
        broker, store = hall.broker, hall.store
    async with Hall(broker=broker, store=store) as hall:
        await taken_up(hall)
        await advise(hall, house_voice(turn.seat), suggest(turn), move=turn.move)
        assert told(hall, asker) == []
        await ask(hall, asker)
        assert advices_wanted(hall) == [turn]
        await advise(hall, house_voice(turn.seat), suggest(turn), move=turn.move)
        assert len(told(hall, asker)) == 1


# The bots' own turns --------------------------------------------------------------------------


async def test_the_turns_of_bots_go_on_as_they_were_beside_it() -> None:
    """A bot's turn is asked again where it is not answered, whatever people ask meanwhile."""
    async with Hall() as hall:
        await hall.start(MASKED)
        while on_turn(hall) == 0:
            await play_house(hall, own=True)
        before = len(hall.turns)
        assert_refused(await hall.ask(ANNE, Ask(what="advice")), Refusal.NOT_YOUR_TURN)
        hall.turn_clock(2.0)
        await until(lambda: len(hall.turns) > before, "the bot asked again")
        assert {turn.task for turn in hall.asked_of_bots()[before:]} == {"play"}


async def test_nobody_can_ask_for_the_house() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        for voice in (ANNE, WATCHER):
            assert_refused(await hall.ask(voice, Ask(what="advice")), Refusal.NOT_SEATED)
        assert advices_wanted(hall) == []


async def test_only_so_many_questions_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "REMEMBERED", 1)
    async with Hall() as hall:
        await a_trick_in(hall)
        await ask(hall, player_on_turn(hall))
        assert hall.owner._tenure is not None
        questions = hall.owner._tenure._adviser._questions
        other = msgspec.structs.replace(live(hall), match="m_" + "2" * 32)
        adviser = hall.owner._tenure._adviser
        adviser._question(other, BEHROUZ, 0.0)
        assert list(questions) == [other.match]


def test_hokms_largest_advice_fits_into_a_command() -> None:
    """All thirteen cards of a hand weighed, each named with its chance."""
    cards = tuple(card for card in HOKM_PACK if card.endswith("S"))
    assert_fits(
        Suggestion(
            actions=(PlayCard(card="AS"),),
            reason=Reason(why="save_from_hakem_kot", cards=cards),
            candidates=tuple(Candidate(card=card, chance=1_000, equal=False) for card in cards),
        )
    )


def test_hands_longest_advice_fits_into_a_command() -> None:
    """Fifteen cards, the fire's among them, each laid off by itself but for the one that is thrown,
    and four jokers freed before that.
    """
    cards = HAND_PACK[:15]
    swaps = (SwapJoker(meld=35, card=card) for card in cards[:4])
    laid = (LayOff(meld=35, card=card, end="high") for card in cards[:-1])
    assert_fits(
        Suggestion(
            actions=(Draw(source="fire"), *swaps, *laid, Discard(card=cards[-1])),
            reason=Reason(why="go_out", cards=cards),
        )
    )


def assert_fits(said: Suggestion) -> None:
    """Said by a bot with the longest id it is no more than the broker takes, and can be read."""
    data = encode_command(Command(id="x" * 36, move=2**31, action=Advise(suggestion=said)))
    assert len(data) <= COMMAND_BYTES
    assert decode_command(data).action == Advise(suggestion=said)
