"""Who is who at the table, as seen from one's own chair (H2, N3)."""

from typing import Final

from schemas.commands import HandOptions, HokmOptions, Options
from schemas.events import MatchOpened
from schemas.ids import Seat
from services.cli.join.session.strangers import short_id
from services.cli.join.speech import Speech
from services.rules.hand.state import in_sides
from services.rules.hokm.masks import masks
from services.rules.seats import Chair, Chairs, level
from services.scoring.terms import XO_POINTS

FOUR: Final = 4
CHAIRS: Final = ("you", "right", "partner", "left")
"""By how many seats further one sits; seat + 1 is the right-hand neighbour."""


def sides(options: Options) -> bool:
    """True where partners sit opposite."""
    return isinstance(options, HokmOptions) or in_sides(options)


def who(speech: Speech, options: Options, me: Seat | None, seat: Seat) -> str:
    """`you`, `your partner`, or a seat by its number; before it the name of who has one."""
    if me == seat:
        return speech.say("you")
    placed = me is not None and sides(options)
    place = speech.say(CHAIRS[(seat - (me or 0)) % FOUR] if placed else "seat", seat=seat)
    return called(speech, seat, place)


def called(speech: Speech, seat: Seat, place: str) -> str:
    """The place, with the name of who sits there if he has one."""
    name = speech.called.get(seat)
    return place if name is None else speech.say("called", place=place, name=speech.quote(name))


def unit(speech: Speech, options: Options, me: Seat | None, number: int) -> str:
    """Who has a score: a seat, or a side."""
    if not sides(options):
        return who(speech, options, me, number)
    if me is None:
        return speech.say("side", side=number)
    return speech.say("we" if me % 2 == number else "they")


def score(speech: Speech, options: Options, me: Seat | None, points: tuple[int, ...]) -> str:
    """Each unit's points in a row."""
    text = "side_score" if sides(options) else "seat_score"
    return speech.say("comma").join(
        speech.say(text, unit=unit(speech, options, me, number), points=one)
        for number, one in enumerate(points)
    )


def rules_of_table(speech: Speech, opened: MatchOpened) -> list[str]:
    """What is played, for all to see before the start."""
    options = opened.options
    if isinstance(options, HandOptions):
        variant = speech.say(f"variant_{options.variant}")
        seats, rounds = options.seats, options.rounds
        return [speech.say("table_hand", variant=variant, seats=seats, rounds=rounds)]
    lines = [
        speech.say(
            "table_hokm",
            target=options.target,
            win=options.win,
            kot=options.kot,
            hakem_kot=options.hakem_kot,
        )
    ]
    if options.show_five_before_trump:
        lines.append(speech.say("table_five"))
    strength = masks(opened.seats)
    if strength is None:
        return [*lines, speech.say("table_open")]
    masked = speech.say("table_masked", level=speech.say(f"level_{strength}"), points=XO_POINTS)
    return [*lines, masked]


def chairs(speech: Speech, me: Seat | None, around: Chairs) -> list[str]:
    """A line a seat: who has it and who plays it."""
    return [
        speech.say("chair", seat=seat, sits=_sits(speech, me, seat, chair))
        for seat, chair in enumerate(around)
    ]


def _sits(speech: Speech, me: Seat | None, seat: Seat, chair: Chair) -> str:
    strength = level(chair)
    house = "" if strength is None else speech.say("house", level=speech.say(f"level_{strength}"))
    if chair.player is None:
        return house or speech.say(f"free_{chair.plan.filled_by}")
    if seat == me:
        owner = called(speech, seat, speech.say("you"))
    elif seat in speech.called:
        owner = speech.quote(speech.called[seat])
    else:
        owner = short_id(chair.player)
    return speech.say("held", owner=owner, house=house) if house else owner
