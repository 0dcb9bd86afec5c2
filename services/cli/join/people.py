"""Who is who at the table, as seen from one's own chair (H2, N3)."""

from typing import Final

from schemas.commands import HandOptions, HokmOptions, Options
from schemas.ids import Seat
from services.cli.join.speech import Speech
from services.rules.hand.state import in_sides
from services.rules.seats import Chairs, level

FOUR: Final = 4
CHAIRS: Final = ("you", "right", "partner", "left")
"""By how many seats further one sits; seat + 1 is the right-hand neighbour."""


def sides(options: Options) -> bool:
    """True where partners sit opposite."""
    return isinstance(options, HokmOptions) or in_sides(options)


def who(speech: Speech, options: Options, me: Seat | None, seat: Seat) -> str:
    """`you`, `your partner`, or a seat by its number."""
    if me == seat:
        return speech.say("you")
    if me is None or not sides(options):
        return speech.say("seat", seat=seat)
    return speech.say(CHAIRS[(seat - me) % FOUR], seat=seat)


def unit(speech: Speech, options: Options, me: Seat | None, number: int) -> str:
    """Who has a score: a seat, or a side."""
    if not sides(options):
        return who(speech, options, me, number)
    if me is None:
        return speech.say("side", side=number)
    return speech.say("we" if me % 2 == number else "they")


def score(speech: Speech, options: Options, me: Seat | None, points: tuple[int, ...]) -> str:
    """Each unit's points in a row."""
    return speech.say("comma").join(
        f"{unit(speech, options, me, number)} {speech.digits(one)}"
        for number, one in enumerate(points)
    )


def rules_of_table(speech: Speech, options: Options) -> str:
    """What is played, for all to see before the start."""
    if isinstance(options, HandOptions):
        variant = speech.say(f"variant_{options.variant}")
        return speech.say("table_hand", variant=variant, seats=options.seats, rounds=options.rounds)
    return speech.say(
        "table_hokm",
        target=options.target,
        win=options.win,
        kot=options.kot,
        hakem_kot=options.hakem_kot,
    )


def chairs(speech: Speech, me: Seat | None, around: Chairs) -> list[str]:
    """A line a seat: who has it and who plays it."""
    lines = []
    for seat, chair in enumerate(around):
        strength = level(chair)
        if strength is not None:
            sits = speech.say("house", level=speech.say(f"level_{strength}"))
        elif chair.player is None:
            sits = speech.say(f"free_{chair.plan.filled_by}")
        else:
            sits = speech.say("you" if seat == me else "somebody")
        lines.append(speech.say("chair", seat=seat, sits=sits))
    return lines
