"""Commands at the table: accepted once, refused with a code, and nothing else changes."""

from hashlib import sha256

import msgspec
import pytest
from msgspec.structs import replace

from schemas.commands import (
    AbandonMatch,
    AddNonce,
    ChooseTrump,
    Command,
    Discard,
    Draw,
    HokmOptions,
    HokmScore,
    LeaveSeat,
    OpenMatch,
    PlayCard,
    RecordScore,
    SeatPlan,
    StartMatch,
    TakeSeat,
    encode_command,
)
from schemas.events import MatchOpened, TrumpChosen, decode_event
from schemas.feed import Ask, Happened, History
from schemas.refusals import Refusal
from schemas.views import HokmView
from services.messaging.port import Message
from services.rules.match import MatchState
from services.table.live import rebuild
from tests.table.hall import (
    ALL_HOUSE,
    ANNE,
    BEHROUZ,
    CYRUS,
    DINA,
    FOUR_PEOPLE,
    MASKED,
    MATCH,
    PLAYERS,
    Hall,
    assert_happened,
    assert_refused,
)

HOKM = HokmOptions()


async def view_of(hall: Hall, voice: str) -> HokmView:
    view = (await hall.snapshot(voice)).view
    assert isinstance(view, HokmView)
    return view


async def hakem(hall: Hall) -> str:
    return PLAYERS[(await view_of(hall, ANNE)).hakem]


async def name_trump(hall: Hall) -> str:
    """Trump is named; the hakem."""
    voice = await hakem(hall)
    move = (await hall.snapshot(voice)).move
    assert_happened(await hall.say(voice, ChooseTrump(suit="S"), move=move))
    return voice


def state(hall: Hall) -> MatchState:
    live = rebuild(hall.rows())
    assert live is not None
    return live.state


async def test_a_command_is_answered_by_its_event_and_stored_with_its_id() -> None:
    async with Hall() as hall:
        answer = await hall.say(ANNE, OpenMatch(options=HOKM, seats=FOUR_PEOPLE))
        event = assert_happened(answer)
        assert isinstance(event.body, MatchOpened)
        (row,) = hall.rows()
        assert isinstance(answer, Happened)
        assert row.entry.command == answer.command
        assert decode_event(row.entry.line) == event


async def test_a_command_said_again_gets_its_event_again_and_is_not_stored_again() -> None:
    async with Hall() as hall:
        await hall.start()
        voice = await hakem(hall)
        move = (await hall.snapshot(voice)).move
        command = Command(id="x" * 16, move=move, action=ChooseTrump(suit="H"))
        first = await hall.repeat(voice, command)
        again = await hall.repeat(voice, command)
        assert first == again
        assert isinstance(first, Happened)
        assert isinstance(first.event.body, TrumpChosen)
        assert hall.types().count("trump_chosen") == 1


async def test_an_id_accepted_before_a_restart_is_known_after_it() -> None:
    async with Hall() as before:
        await before.start()
        voice = await hakem(before)
        move = (await before.snapshot(voice)).move
        command = Command(id="x" * 16, move=move, action=ChooseTrump(suit="H"))
        first = await before.repeat(voice, command)
    async with Hall(store=before.store) as after:
        assert await after.repeat(voice, command) == first
        thief = next(player for player in PLAYERS if player != voice)
        assert_refused(await after.repeat(thief, command), Refusal.NOT_ALLOWED)
        assert after.types().count("trump_chosen") == 1


async def test_anothers_command_id_is_not_allowed_and_rolls_nothing_back() -> None:
    async with Hall() as hall:
        await hall.open()
        taken = Command(id="y" * 16, action=TakeSeat(seat=1))
        assert_happened(await hall.repeat(BEHROUZ, taken))
        copied = replace(taken, action=TakeSeat(seat=2))
        assert_refused(await hall.repeat(CYRUS, copied), Refusal.NOT_ALLOWED)
        assert_happened(await hall.say(CYRUS, TakeSeat(seat=2)))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json",
        b"\xff\xfe",
        b"[" * 3000,
        b'{"id":"short","action":{"type":"start_match"}}',
        b'{"id":"0190aa176b1e7c3e9d54","action":{"type":"fold"}}',
        b'{"id":"0190aa176b1e7c3e9d54","action":{"type":"start_match"},"seat":1}',
        b'{"id":"0190aa176b1e7c3e9d54","action":{"type":"start_match","more":1}}',
        b'{"id":"0190aa176b1e7c3e9d54","move":1,"action":{"type":"play_card","card":"ZZ"}}',
        b'{"id":"0190aa176b1e7c3e9d54","move":1,"action":{"type":"play_card","card":"KD1"}}',
        b'{"id":"0190aa176b1e7c3e9d54","move":1,"action":{"type":"play_card","card":"AS\\n"}}',
        b'{"id":"0190aa176b1e7c3e9d54","move":-1,"action":{"type":"choose_trump","suit":"S"}}',
        b'{"id":"0190aa176b1e7c3e9d54","move":1e400,"action":{"type":"choose_trump","suit":"S"}}',
        b'{"id":"0190aa176b1e7c3e9d54","action":{"type":"choose_trump","suit":"S"}}',
        b'{"id":"0190aa176b1e7c3e9d54","action":{"type":"take_seat","seat":4}}',
    ],
)
async def test_what_cannot_be_read_is_malformed_and_changes_nothing(data: bytes) -> None:
    async with Hall() as hall:
        await hall.start()
        before, snapshot = state(hall), await hall.snapshot(ANNE)
        assert_refused(await hall.send(ANNE, data), Refusal.MALFORMED)
        assert state(hall) == before
        assert await hall.snapshot(ANNE) == snapshot


async def test_malformed_names_the_id_where_it_can_be_read() -> None:
    async with Hall() as hall:
        await hall.open()
        data = b'{"id":"0190aa176b1e7c3e9d54","action":{"type":"fold"}}'
        said = assert_refused(await hall.send(ANNE, data), Refusal.MALFORMED)
        assert said.command == "0190aa176b1e7c3e9d54"
        said = assert_refused(await hall.send(ANNE, b"{"), Refusal.MALFORMED)
        assert said.command is None


@pytest.mark.parametrize(
    "options",
    [
        {"win": 3, "kot": 2},
        {"kot": 3, "hakem_kot": 2},
        {"win": 101},
        {"target": 0},
        {"target": 101},
    ],
)
async def test_H17_unsound_options_are_malformed(options: dict[str, int]) -> None:
    async with Hall() as hall:
        plan = msgspec.to_builtins(FOUR_PEOPLE)
        action = {"type": "open_match", "options": {"game": "hokm", **options}, "seats": plan}
        data = msgspec.json.encode({"id": "x" * 16, "action": action})
        assert_refused(await hall.send(ANNE, data), Refusal.MALFORMED)
        assert hall.rows() == ()


@pytest.mark.parametrize(
    "plan",
    [
        FOUR_PEOPLE[:3],
        FOUR_PEOPLE[::-1],
        (FOUR_PEOPLE[0],) * 4,
        tuple(replace(one, filled_by="owner") for one in FOUR_PEOPLE),
        tuple(replace(one, filled_by="invited") for one in FOUR_PEOPLE),
        tuple(replace(one, level="white") for one in FOUR_PEOPLE),
        tuple(replace(one, level=None) for one in ALL_HOUSE),
    ],
)
async def test_an_unsound_plan_of_seats_is_malformed(plan: tuple[SeatPlan, ...]) -> None:
    async with Hall() as hall:
        answer = await hall.say(ANNE, OpenMatch(options=HOKM, seats=plan))
        assert_refused(answer, Refusal.MALFORMED)


async def test_a_match_that_nobody_opened_is_unknown() -> None:
    async with Hall() as hall:
        assert_refused(await hall.say(ANNE, StartMatch()), Refusal.UNKNOWN_MATCH)
        assert_refused(await hall.ask(ANNE), Refusal.UNKNOWN_MATCH)
        assert_refused(await hall.ask(ANNE, Ask(what="history")), Refusal.UNKNOWN_MATCH)


async def test_a_second_opening_finds_the_match_there() -> None:
    async with Hall() as hall:
        await hall.open()
        answer = await hall.say(BEHROUZ, OpenMatch(options=HOKM, seats=FOUR_PEOPLE))
        assert_refused(answer, Refusal.MATCH_EXISTS)


@pytest.mark.parametrize(
    ("voice", "action"),
    [
        (ANNE, AbandonMatch(reason="operator")),
        (ANNE, RecordScore(round=1, of="0" * 64, score=HokmScore(side=0, kind="win", points=1))),
        (BEHROUZ, StartMatch()),
        ("scoring", StartMatch()),
        ("ops", StartMatch()),
        ("house1", StartMatch()),
        ("house1", TakeSeat(seat=1)),
        ("ops", LeaveSeat()),
    ],
)
async def test_an_action_that_is_not_for_this_voice(voice: str, action: StartMatch) -> None:
    async with Hall() as hall:
        await hall.open()
        assert_refused(await hall.say(voice, action), Refusal.NOT_ALLOWED)


async def test_who_does_not_sit_cannot_play() -> None:
    async with Hall() as hall:
        await hall.start()
        move = (await hall.snapshot(ANNE)).move
        stranger = await hall.say("u_stranger0", ChooseTrump(suit="S"), move=move)
        assert_refused(stranger, Refusal.NOT_SEATED)
        house = await hall.say("house0", ChooseTrump(suit="S"), move=move)
        assert_refused(house, Refusal.NOT_SEATED)


async def test_a_stale_move_is_refused_and_so_is_one_that_lies_ahead_for_ever() -> None:
    async with Hall() as hall:
        await hall.start()
        voice = await hakem(hall)
        move = (await hall.snapshot(voice)).move
        late = await hall.say(voice, ChooseTrump(suit="S"), move=move - 1)
        assert_refused(late, Refusal.STALE_MOVE)
        card = (await view_of(hall, voice)).hand[0]
        early = Command(id="z" * 16, move=move + 1, action=PlayCard(card=card))
        assert_refused(await hall.repeat(voice, early), Refusal.STALE_MOVE)
        assert_happened(await hall.say(voice, ChooseTrump(suit="S"), move=move))
        assert_refused(await hall.repeat(voice, early), Refusal.STALE_MOVE)
        assert_happened(await hall.repeat(voice, replace(early, id="w" * 16)))


async def test_the_rules_own_refusals_come_through() -> None:
    async with Hall() as hall:
        await hall.start()
        voice = await hakem(hall)
        move = (await hall.snapshot(voice)).move
        card = (await view_of(hall, voice)).hand[0]
        other = next(player for player in PLAYERS if player != voice)
        early = await hall.say(voice, PlayCard(card=card), move=move)
        assert_refused(early, Refusal.WRONG_PHASE)
        wrong_seat = await hall.say(other, ChooseTrump(suit="S"), move=move)
        assert_refused(wrong_seat, Refusal.NOT_YOUR_TURN)
        foreign = await hall.say(voice, Draw(source="stock"), move=move)
        assert_refused(foreign, Refusal.MALFORMED)


async def test_a_refusal_leaves_state_and_clock_as_they_were() -> None:
    async with Hall() as hall:
        await hall.start()
        voice = await hakem(hall)
        before, snapshot = state(hall), await hall.snapshot(voice)
        hall.clock.seconds += 3
        await hall.say(voice, ChooseTrump(suit="S"), move=snapshot.move + 5)
        await hall.send(voice, b"{")
        after = await hall.snapshot(voice)
        assert state(hall) == before
        assert after.due == snapshot.due
        assert after.move == snapshot.move


async def test_a_seat_is_taken_once_left_and_taken_again() -> None:
    async with Hall() as hall:
        await hall.open()
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=1)))
        assert_refused(await hall.say(CYRUS, TakeSeat(seat=1)), Refusal.SEAT_TAKEN)
        assert_refused(await hall.say(BEHROUZ, TakeSeat(seat=2)), Refusal.NOT_ALLOWED)
        assert_refused(await hall.say(CYRUS, TakeSeat(seat=0)), Refusal.SEAT_TAKEN)
        assert_happened(await hall.say(BEHROUZ, LeaveSeat()))
        assert_refused(await hall.say(BEHROUZ, LeaveSeat()), Refusal.NOT_SEATED)
        assert_happened(await hall.say(CYRUS, TakeSeat(seat=1)))


async def test_an_invited_seat_wants_its_code() -> None:
    invitation = sha256(b"friend").hexdigest()
    plan = (FOUR_PEOPLE[0], replace(FOUR_PEOPLE[1], filled_by="invited"), *FOUR_PEOPLE[2:])
    async with Hall() as hall:
        opening = OpenMatch(options=HOKM, seats=plan, invitation=invitation)
        assert_happened(await hall.say(ANNE, opening))
        assert_refused(await hall.say(BEHROUZ, TakeSeat(seat=1)), Refusal.WRONG_CODE)
        wrong = await hall.say(BEHROUZ, TakeSeat(seat=1, code="foe"))
        assert_refused(wrong, Refusal.WRONG_CODE)
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=1, code="friend")))


async def test_H23_who_has_seen_a_seats_cards_may_take_that_seat_only() -> None:
    async with Hall() as hall:
        await hall.start()
        assert_happened(await hall.say(BEHROUZ, LeaveSeat()))
        assert_happened(await hall.say(CYRUS, LeaveSeat()))
        assert_refused(await hall.say(BEHROUZ, TakeSeat(seat=2)), Refusal.SEEN_CARDS)
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=1)))


async def test_a_match_starts_once_and_only_when_every_seat_is_filled() -> None:
    async with Hall() as hall:
        await hall.open()
        assert_refused(await hall.say(ANNE, StartMatch()), Refusal.WRONG_PHASE)
        for seat, player in ((1, BEHROUZ), (2, CYRUS), (3, DINA)):
            assert_happened(await hall.say(player, TakeSeat(seat=seat)))
        assert_happened(await hall.say(ANNE, StartMatch()))
        assert_refused(await hall.say(ANNE, StartMatch()), Refusal.WRONG_PHASE)
        assert_refused(await hall.say(ANNE, AddNonce(nonce="0" * 64)), Refusal.WRONG_PHASE)


async def test_a_seat_adds_one_nonce_and_the_deal_depends_on_it() -> None:
    async with Hall() as plain, Hall() as mixed:
        await plain.start(MASKED)
        await mixed.open(MASKED)
        assert_happened(await mixed.say(ANNE, AddNonce(nonce="ab" * 32)))
        assert_refused(await mixed.say(ANNE, AddNonce(nonce="cd" * 32)), Refusal.NOT_ALLOWED)
        assert_refused(await mixed.say(DINA, AddNonce(nonce="cd" * 32)), Refusal.NOT_SEATED)
        assert_happened(await mixed.say(ANNE, StartMatch()))
        secrets = [
            [r.entry.secret for r in hall.rows() if r.entry.secret] for hall in (plain, mixed)
        ]
        assert secrets[0] != secrets[1]


async def test_a_command_on_a_subject_that_no_client_can_have_is_dropped_and_nothing_stops() -> (
    None
):
    async with Hall() as hall:
        await hall.open()
        command = encode_command(Command(id="x" * 16, action=StartMatch()))
        for voice in ("root", "u_UPPER000", "house9"):
            subject = f"cmdin.{MATCH}.{voice}"
            await hall.line.publish([Message(subject=subject, data=command)])
        assert_refused(await hall.say(ANNE, StartMatch()), Refusal.WRONG_PHASE)
        assert not [feed for feed in hall.feeds if ".root." in feed.subject]


async def test_history_gives_each_player_the_events_with_his_own_cards() -> None:
    async with Hall() as hall:
        await hall.start()
        await name_trump(hall)
        for player in PLAYERS:
            history = await hall.ask(player, Ask(what="history"))
            assert isinstance(history, History)
            assert [one.event.version for one in history.events] == [
                row.entry.version for row in hall.rows()
            ]
            given = [card for one in history.events for card in one.cards]
            assert sorted(given) == sorted((await view_of(hall, player)).hand)
            told = [feed for feed in hall.heard(player) if isinstance(feed, Happened)]
            heard = [replace(feed, command=None) for feed in told]
            assert list(history.events)[-len(heard) :] == heard
        later = await hall.ask(ANNE, Ask(what="history", since=3))
        assert isinstance(later, History)
        assert later.events[0].event.version == 4


async def test_a_spectator_sees_the_table_and_no_cards() -> None:
    async with Hall() as hall:
        await hall.start()
        await name_trump(hall)
        view = await view_of(hall, "u_spectator")
        assert view.seat is None
        assert view.hand == view.playable == ()


async def test_another_games_action_and_a_seat_that_is_not_there_are_malformed_before_all() -> None:
    async with Hall() as hall:
        await hall.open()
        for voice, action in ((DINA, Draw(source="stock")), (ANNE, Discard(card="KS1"))):
            answer = await hall.say(voice, action, move=99)
            assert_refused(answer, Refusal.MALFORMED)
