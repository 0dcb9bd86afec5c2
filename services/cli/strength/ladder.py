"""The rungs: who has to beat whom, by how much, over how many deals.

How many is fixed before the first one is played. Were they dealt until the interval is clear of
its bound, it would be clear more often than the truth is.
"""

from typing import Final, Literal

from msgspec import Struct

from services.cli.duel.estimates import Estimate
from services.cli.duel.matchup import Name
from services.cli.duel.outcome import Outcome, Sum

LEAST_JUDGED: Final = 400
"""Deals; of fewer nothing is judged."""
WIDE: Final = 2_000
"""Deals between bots that think for less than a few milliseconds."""
SEARCHED: Final = 800
"""Deals with a bot of Hokm that searches, some seconds of a processor each."""
SEEN: Final = 400
"""Deals of a rung that promises nothing."""
QUICK: Final = 6
"""Deals that show that it runs."""


class Rung(Struct, frozen=True, kw_only=True):
    """`above`: what the lower end of the interval has to exceed, of a's share of the rounds in
    Hokm, of its lead in points a round in Hand; None where that is only looked at.
    """

    name: str
    game: Literal["hokm", "hand"]
    a: Name
    b: Name
    deals: int
    above: float | None
    variant: str = "classic"
    seats: int = 4

    @property
    def table(self) -> dict[str, object]:
        """Words for the options."""
        return {} if self.game == "hokm" else {"variant": self.variant, "seats": self.seats}

    @property
    def title(self) -> str:
        hand = f", {self.variant.replace('_', ' ')}, {self.seats} seats"
        return f"{self.a} over {self.b}{'' if self.game == 'hokm' else hand}"


class Climbed(Struct, frozen=True, kw_only=True):
    """A rung and what came of it; `held` is None where nothing was judged."""

    rung: Rung
    found: Sum
    held: bool | None


class Line(Struct, frozen=True, kw_only=True):
    """What is printed of a rung; `command` plays the very same again."""

    rung: str
    game: str
    above: float | None
    held: bool | None
    command: str
    outcome: Outcome


def _seen(variant: str, seats: int) -> Rung:
    name = f"hand-chrome-black-{variant.replace('_', '-')}-{seats}"
    return Rung(
        name=name,
        game="hand",
        a="chrome",
        b="black",
        deals=SEEN,
        above=None,
        variant=variant,
        seats=seats,
    )


RUNGS: Final = (
    Rung(name="hokm-black-white", game="hokm", a="black", b="white", deals=WIDE, above=0.55),
    Rung(name="hokm-chrome-black", game="hokm", a="chrome", b="black", deals=SEARCHED, above=0.56),
    Rung(name="hokm-chrome-rule", game="hokm", a="chrome", b="rule", deals=SEARCHED, above=0.5),
    Rung(name="hand-black-white", game="hand", a="black", b="white", deals=WIDE, above=10),
    Rung(name="hand-chrome-black", game="hand", a="chrome", b="black", deals=WIDE, above=8),
    _seen("classic", 2),
    _seen("saudi", 4),
    _seen("partnership", 4),
    _seen("saudi_partnership", 4),
)


def estimate_of(rung: Rung, found: Sum) -> Estimate:
    """What the rung is judged by. In Hokm every round is won by somebody."""
    if rung.game == "hand":
        return found.points
    assert found.won is not None, "a round of Hokm has a winner"
    return found.won


def climbed(rung: Rung, found: Sum) -> Climbed:
    """Judged before anything is rounded."""
    judged = rung.above is not None and found.deals >= LEAST_JUDGED
    held = judged and rung.above is not None and estimate_of(rung, found).low > rung.above
    return Climbed(rung=rung, found=found, held=held if judged else None)


def again(one: Climbed) -> str:
    """The command that plays the very same rung again."""
    rung, found = one.rung, one.found
    table = "".join(f" --{name} {value}" for name, value in rung.table.items())
    return (
        f"waraq duel --game {rung.game} --a {rung.a} --b {rung.b}{table}"
        f" --deals {found.deals} --seed {found.matchup.seed}"
    )
