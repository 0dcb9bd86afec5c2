"""A conversation with the table, whole and the same each time: what docs/clients.md shows.

Anne opens a table against two masks, Behrouz takes the seat that is left; what the house's seats
and Behrouz do is the house's move. Whatever the page shows is kept under a name.
"""

from typing import Final

from msgspec import Struct

from schemas import subjects
from schemas.advice import Candidate, Reason
from schemas.commands import (
    Action,
    AddNonce,
    Advise,
    Command,
    HokmOptions,
    OpenMatch,
    PlayCard,
    SeatPlan,
    StartMatch,
    Suggestion,
    TakeSeat,
    encode_command,
)
from schemas.feed import Advice, Ask, Feed, Happened, encode_ask, encode_feed
from schemas.ids import house_voice
from schemas.views import HokmView
from services.messaging.port import Message
from services.rules import sight
from services.rules.hokm.play import CARD_CLOCK
from services.table.waits import LOBBY
from tests.table.hall import ANNE, BEHROUZ, MATCH, Hall
from tests.table.playing import live, play_house
from tests.waiting import until

PLAN: Final = (
    SeatPlan(seat=0, filled_by="owner"),
    SeatPlan(seat=1, filled_by="house", level="black"),
    SeatPlan(seat=2, filled_by="anyone"),
    SeatPlan(seat=3, filled_by="house", level="black"),
)
SEAT: Final = 0
"""Anne's."""
NONCE: Final = "0f" * 32
LATER: Final = 3.0
"""Seconds that pass before each thing that is said, so that times differ."""


class Line(Struct, frozen=True):
    """One message on its subject; `data` is its bytes as text."""

    subject: str
    data: str


class Talk:
    """Says, hears and keeps at one hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.lines: dict[str, Line] = {}

    def keep_feed(self, name: str, voice: str, feed: Feed) -> None:
        self.lines[name] = Line(subjects.feed(voice, MATCH), encode_feed(feed).decode())

    async def ask(self, name: str, voice: str, ask: Ask | None = None) -> Feed:
        """Ask, and keep both sides as `<name> asked` and `<name>`."""
        said = encode_ask(ask or Ask()).decode()
        self.lines[f"{name} asked"] = Line(subjects.ask(MATCH, voice), said)
        found = await self.hall.ask(voice, ask)
        self.keep_feed(name, voice, found)
        return found

    async def say(self, name: str, voice: str, action: Action, *, move: int | None = None) -> None:
        """Say a command, and keep both sides as `<name> said` and `<name>`."""
        self.hall.clock.seconds += LATER
        command = Command(id=self.hall.new_id(), move=move, action=action)
        data = encode_command(command)
        self.lines[f"{name} said"] = Line(subjects.command_in(MATCH, voice), data.decode())
        self.keep_feed(name, voice, await self.hall.send(voice, data))

    async def be_advised(self, name: str, voice: str, seat: int, said: Suggestion) -> None:
        """Ask for advice, and keep that and the answer, which the house at `seat` gives."""
        asked, turns = Ask(what="advice"), len(self.hall.turns)
        data = encode_ask(asked)
        self.lines[f"{name} asked"] = Line(subjects.ask(MATCH, voice), data.decode())
        line = self.hall.line
        await line.publish([Message(subject=subjects.ask(MATCH, voice), data=data)])
        await until(lambda: len(self.hall.turns) > turns, "a bot to be asked")
        move = self.hall.asked_of_bots()[-1].move
        advice = Command(id="advice-000000000001", move=move, action=Advise(suggestion=said))
        subject = subjects.command_in(MATCH, house_voice(seat))
        await line.publish([Message(subject=subject, data=encode_command(advice))])
        await until(lambda: self._advices(voice), "the advice")
        self.keep_feed(name, voice, self._advices(voice)[-1])

    def _advices(self, voice: str) -> list[Advice]:
        return [feed for feed in self.hall.heard(voice) if isinstance(feed, Advice)]

    def keep_latest(self, name: str, voice: str, tag: str) -> None:
        """Keep the last event of that tag as `voice` was told it."""
        self.keep_feed(name, voice, self.told(voice, tag)[-1])

    def told(self, voice: str, tag: str) -> list[Happened]:
        """The events of that tag that `voice` was told."""
        told = [feed for feed in self.hall.heard(voice) if isinstance(feed, Happened)]
        return [one for one in told if _tag(one) == tag]


def _tag(happened: Happened) -> str:
    tag = happened.event.body.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


async def conversation() -> dict[str, Line]:
    """What was said and heard, by name."""
    async with Hall() as hall:
        talk = Talk(hall)
        await _lobby(talk)
        await _play(talk)
        await _presence(talk)
    async with Hall() as hall:
        return talk.lines | await _abandoned(hall)


async def _lobby(talk: Talk) -> None:
    await talk.ask("unknown", ANNE)
    await talk.say("open", ANNE, OpenMatch(options=HokmOptions(), seats=PLAN))
    await talk.ask("lobby", BEHROUZ)
    await talk.say("seat", BEHROUZ, TakeSeat(seat=2))
    await talk.say("nonce", ANNE, AddNonce(nonce=NONCE))
    await talk.say("start", ANNE, StartMatch())
    await until(lambda: "five_dealt" in talk.hall.types(), "the first deal")
    talk.keep_latest("shuffled", ANNE, "cards_shuffled")
    talk.keep_latest("five", ANNE, "five_dealt")


async def _play(talk: Talk) -> None:
    """To Anne's first card, a card out of turn, and the table as it is then."""
    while live(talk.hall).state.game.trump is None or sight.turn(live(talk.hall).state) != SEAT:
        await play_house(talk.hall, own=True)
    talk.keep_latest("rest", ANNE, "rest_dealt")
    await talk.ask("turn", ANNE)
    view = sight.view(live(talk.hall).state, SEAT)
    assert isinstance(view, HokmView)
    await talk.be_advised("advice", ANNE, SEAT, advice_on(view))
    card, other = view.playable[0], next(one for one in view.hand if one != view.playable[0])
    move = live(talk.hall).state.move
    await talk.say("card", ANNE, PlayCard(card=card), move=move)
    await talk.say("refused", ANNE, PlayCard(card=other), move=move + 1)
    await talk.say("stale", ANNE, PlayCard(card=other), move=move)
    version = live(talk.hall).version
    await talk.ask("history", ANNE, Ask(what="history", since=version - 2))


def advice_on(view: HokmView) -> Suggestion:
    """What a bot might say of Anne's two cards: written here, so that the page does not change with
    the bots.
    """
    low, high = view.playable
    return Suggestion(
        actions=(PlayCard(card=low),),
        reason=Reason(why="low_card", cards=(low,)),
        candidates=(
            Candidate(card=low, chance=412, equal=True),
            Candidate(card=high, chance=397, equal=False),
        ),
    )


async def _presence(talk: Talk) -> None:
    """Anne is silent until the house holds her seat; then she asks, and has it back."""
    hall = talk.hall
    while live(hall).state.chairs[SEAT].control == "owner":
        if sight.turn(live(hall).state) != SEAT:
            await play_house(hall, own=True)
            continue
        version = live(hall).version
        hall.turn_clock(CARD_CLOCK)
        await until(lambda: live(hall).version > version, "the house to play for Anne")  # noqa: B023
    await until(lambda: talk.told(ANNE, "control_changed"), "Anne to be told of it")
    talk.keep_latest("late", ANNE, "turn_timed_out")
    talk.keep_latest("held", ANNE, "control_changed")
    await talk.ask("back", ANNE)
    talk.keep_latest("returned", ANNE, "control_changed")


async def _abandoned(hall: Hall) -> dict[str, Line]:
    """Another lobby, in which nobody starts."""
    talk = Talk(hall)
    await hall.open(PLAN)
    hall.turn_clock(LOBBY)
    await until(lambda: "match_abandoned" in hall.types(), "the lobby to be closed")
    await talk.ask("closed", ANNE)
    return talk.lines
