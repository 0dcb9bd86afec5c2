"""The match after a match: the owner's rematch, how others come to it, and tickets for opening."""

import asyncio
import shlex
from collections import Counter
from pathlib import Path

import pytest

from schemas.commands import HokmOptions
from schemas.events import MatchOpened
from schemas.ids import MatchId
from services.cli.join.arrival import Parting, Wishes
from services.cli.join.next_match import Next, next_match
from services.cli.join.opening import Opening, again, opening
from services.cli.join.outside import Outside
from services.cli.join.session.player import Server
from services.cli.join.session.web import Error, Ticket, WebAway, WebDeclined
from services.cli.join.ways import Ways, ways_to
from services.cli.place import Place
from services.runtime.signing_keys import Keys
from services.runtime.tickets import Ticket as Leave
from services.runtime.tickets import day_at, sign
from tests.cli.joining import CARD, Answer, Paper, Seat, house, nobody, of_bots
from tests.table.hall import ANNE, BEHROUZ, MATCH, Hall, assert_happened
from tests.table.playing import live
from tests.waiting import until

OTHER = "m_" + "a" * 32
KEYS = Keys(b"n" * 32)


# Where the others go --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (OTHER, Next(OTHER, None)),
        (f"  {OTHER}  open-sesame ", Next(OTHER, "open-sesame")),
        (f"waraq join {OTHER} --code abc --server http://x", Next(OTHER, "abc")),
        (f"waraq join {OTHER} --data d --code=abc", Next(OTHER, "abc")),
        (f"waraq join {OTHER} --data d", Next(OTHER, None)),
        (f"waraq join {OTHER} --code", Next(OTHER, None)),
        (f"{OTHER} {'x' * 500}", Next(OTHER, "x" * 64)),
        ("y", None),
        ("", None),
        (OTHER + "0", None),
        (f"m_{'A' * 32}", None),
    ],
)
def test_an_id_with_its_code_or_the_whole_command_names_a_match(
    line: str, found: Next | None
) -> None:
    assert next_match(line) == found


def at_the_end(prompt: str, answer: str) -> Answer:
    """The first of what is offered, and at the end `answer`."""
    return lambda paper: answer if paper.prompts[-1].startswith(prompt) else "1"


async def both(hall: Hall, owner: Paper, friend: Paper) -> tuple[Parting, Parting, Next | None]:
    """Two people play a whole match of Hand at one table."""
    table = opening("hand", {"variant": "saudi", "seats": 2}, seat=0, others=("friend",))
    anne, behrouz = Seat(hall, player=ANNE), Seat(hall, player=BEHROUZ)
    opened = asyncio.create_task(anne.play(owner, Wishes(opening=table.action, code=table.code)))
    await until(lambda: "Free seats: 1" in owner.text, "the table")
    joined = await behrouz.play(friend, Wishes(code=table.code))
    return await opened, joined, behrouz.next


async def test_a_rematch_is_the_owners_and_a_friend_goes_where_he_is_told() -> None:
    owner = Paper(at_the_end("Another match at the same table", "y"))
    friend = Paper(at_the_end("Another match with them", f"waraq join {OTHER} --code abc"))
    async with Hall() as hall, house(hall):
        parted, joined, to = await both(hall, owner, friend)
    assert parted is Parting.AGAIN
    assert (joined, to) == (Parting.NEXT, Next(OTHER, "abc"))
    assert "Another match at the same table" not in friend.text


async def test_a_friend_who_names_no_match_goes_home() -> None:
    owner = Paper(at_the_end("Another match at the same table", "n"))
    friend = Paper(at_the_end("Another match with them", "yes please"))
    async with Hall() as hall, house(hall):
        assert await both(hall, owner, friend) == (Parting.ENDED, Parting.ENDED, None)
    assert "There is no match id in that." in friend.text


async def test_a_rematch_is_offered_at_the_end() -> None:
    async with Hall() as hall, house(hall):
        seat = Seat(hall)

        def answer(paper: Paper) -> str:
            return "y" if paper.prompts[-1].startswith("Another match") else "1"

        assert await seat.play(Paper(answer), OPEN) is Parting.AGAIN
        state = seat.client.state
        assert state is not None
        assert again(state.opened, 0).plan == state.opened.seats


async def test_a_rematch_of_a_guest_is_his_own_table() -> None:
    async with Hall() as hall:
        await hall.open()
        opened = live(hall).state.opened
        plan = again(opened, 2).plan
        assert [entry.filled_by for entry in plan] == ["anyone", "anyone", "owner", "anyone"]


async def test_nobody_is_shown_the_others_cards() -> None:
    """Looked at at each prompt up to the end of the first round, when all is told."""
    async with Hall() as hall, house(hall):
        looks: Counter[str] = Counter()

        def checked(player: str) -> Answer:
            def answer(paper: Paper) -> str:
                if "round_revealed" not in hall.types():
                    own = (m.data.decode() for m in hall.feeds if f".{player}." in m.subject)
                    known = {card for text in own for card in CARD.findall(text)}
                    assert set(CARD.findall(paper.text)) <= known
                    looks[player] += 1
                return "1"

            return answer

        await both(hall, Paper(checked(ANNE)), Paper(checked(BEHROUZ)))
        assert all(looks[player] > 3 for player in (ANNE, BEHROUZ))


# The commands that are shown ------------------------------------------------------------------


async def test_who_opens_a_table_is_shown_how_the_others_come_to_it() -> None:
    ways = Ways(mine=("--server", "http://x"), others=("--server", "http://x"))
    table = opening("hokm", {}, seat=0, others=("friend", "anyone", "black"))
    assert table.code is not None
    async with Hall() as hall:
        paper = nobody()
        seat = Seat(hall, player=ANNE, outside=Outside(ways=ways))
        await seat.play(paper, Wishes(opening=table.action, code=table.code))
    assert f"  waraq join {MATCH} --code {table.code} --server http://x" in paper.lines
    assert paper.lines.count(f"  waraq join {MATCH} --server http://x") == 3  # all, back, away


async def test_who_sits_down_is_shown_no_code() -> None:
    table = opening("hokm", {}, seat=0, others=("friend",))
    assert table.code is not None
    async with Hall() as hall:
        assert_happened(await hall.say(ANNE, table.action))
        paper = nobody()
        await Seat(hall, player=BEHROUZ).play(paper, Wishes(code=table.code))
    assert table.code not in paper.text


def test_what_stands_in_a_shell_is_quoted() -> None:
    ways = Ways(mine=("--data", "my data"), others=())
    assert ways.back(MATCH) == f"waraq join {MATCH} --data 'my data'"
    assert ways.invitation(MATCH, "abc") == f"waraq join {MATCH} --code abc"


def test_a_shown_command_works_in_whatever_folder_the_other_terminal_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    place = Place(data=tmp_path / "data", environ={})
    here = Server(url="http://127.0.0.1:1", key=str(place.data), advice="", here=True)
    ways = ways_to(place, here, None)
    for words in (shlex.split(ways.back(MATCH)), shlex.split(ways.invitation(MATCH, "abc"))):
        assert Path(words[0]).is_absolute()
        assert words[words.index("--data") + 1] == str(tmp_path / "data")


@pytest.mark.parametrize("word", ["quit", "leave", "no", "n"])
async def test_who_wants_no_other_match_may_say_so(word: str) -> None:
    owner = Paper(at_the_end("Another match at the same table", "n"))
    friend = Paper(at_the_end("Another match with them", word))
    async with Hall() as hall, house(hall):
        assert await both(hall, owner, friend) == (Parting.ENDED, Parting.ENDED, None)
    assert "no match id" not in friend.text


def test_a_rematch_keeps_the_house_and_gives_a_friend_a_new_code() -> None:
    table = opening("hokm", {}, seat=0, others=("black", "friend", "black"))
    assert again(opened_as(table), 0).plan == table.plan
    assert again(opened_as(table), 0).code not in {None, table.code}


def opened_as(table: Opening) -> MatchOpened:
    return MatchOpened(
        ruleset="hokm@1",
        options=table.options,
        seats=table.plan,
        owner=ANNE,
        invitation=table.action.invitation,
        seal="0" * 64,
        shuffle="waraq-shuffle@1",
        key="0" * 16,
        policy="thumb@1",
    )


# Tickets --------------------------------------------------------------------------------------


class Given:
    """A web worker's answers to `POST /ticket`."""

    def __init__(self, hall: Hall, fault: Exception | None = None) -> None:
        self.asked: list[MatchId] = []
        self._hall = hall
        self._fault = fault

    async def __call__(self, match: MatchId) -> Ticket:
        self.asked.append(match)
        if self._fault is not None:
            raise self._fault
        day = day_at(self._hall.clock.now(), 0)
        leave = Leave(player=ANNE, match=match, day=day)
        return Ticket(ticket=sign(KEYS, leave), left=4)


OPEN = Wishes(opening=of_bots(HokmOptions()).action)


async def test_H22_where_matches_are_counted_a_ticket_is_had_for_the_match() -> None:
    async with Hall(tickets=KEYS) as hall:
        counter, paper = Given(hall), nobody()
        seat = Seat(hall, player=ANNE, outside=Outside(ticket=counter))
        assert await seat.play(paper, OPEN) is Parting.AWAY
        assert counter.asked == [MATCH]
        assert "Left: 4" in paper.text
        assert "match_opened" in hall.types()


async def test_H22_where_they_are_not_counted_none_is_asked_for() -> None:
    async with Hall() as hall:
        counter = Given(hall)
        seat = Seat(hall, player=ANNE, outside=Outside(ticket=counter))
        assert await seat.play(nobody(), OPEN) is Parting.AWAY
        assert counter.asked == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (WebDeclined(Error(error="none_left", text="new ones at\x1b[2J midnight")), "none_left"),
        (WebAway("no answer in 10 s"), "no_answer"),
    ],
)
async def test_H22_without_a_ticket_the_table_is_not_opened_and_it_is_said_why(
    fault: Exception, said: str
) -> None:
    async with Hall(tickets=KEYS) as hall:
        paper = nobody()
        seat = Seat(hall, player=ANNE, outside=Outside(ticket=Given(hall, fault)))
        assert await seat.play(paper, OPEN) is Parting.REFUSED
        assert hall.types() == []
    assert f"({said})" in paper.text
    assert "\x1b" not in paper.text


async def test_H22_a_ticket_that_the_table_does_not_take_is_told() -> None:
    async with Hall(tickets=Keys(b"other" * 8)) as hall:
        paper = nobody()
        seat = Seat(hall, player=ANNE, outside=Outside(ticket=Given(hall)))
        assert await seat.play(paper, OPEN) is Parting.REFUSED
    assert "This ticket is not valid for this match." in paper.text
