"""The tables and their columns: names, types, units, and what NULL means (docs/analytics.md).

A row's struct is its table: a field is a column, its description what the page says of it. Two
columns more, `game` and `day`, are in the names of the folders. A new meaning is a new name.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

FORMAT: Final = "waraq-tables@1"
"""The name of these tables; columns may be added under it, none changes its meaning."""

Held = Literal["player", "bot", "house"]
"""Who played a seat: its owner; a bot whose seat it is; the house for somebody who is away."""

MATCH: Final = Meta(description="the match's id")
ROUND: Final = Meta(description="the round's number in its match, from 1")
VERSION: Final = Meta(description="the version of the event in its match's log, from 1")
TURN: Final = Meta(
    description="the how-manieth turn of the round, from 1; in Hokm each decision is one, naming"
    " trump the first; in Hand the starter's first discard is the first"
)
TIME: Final = Meta(description="when it was done, UTC, to the millisecond")
THINK: Final = Meta(
    description="milliseconds from when the match began to wait for this to `time`, pace and"
    " network in it; NULL where the clock was put back meanwhile"
)
SEAT: Final = Meta(description="the seat, 0 to 3")
UNIT: Final = Meta(description="what points are counted for: the seat's side (0, 1), or the seat")
PLAYER: Final = Meta(
    description="who owns the seat, also while the house holds it; NULL: nobody does"
)
HELD: Final = Meta(
    description="who played it: `player`, its owner; `bot`, whose seat it is; `house`, for"
    " somebody who was away or had left"
)
LEVEL: Final = Meta(description="`white`, `black`, `chrome`; NULL where a player played")


class MatchRow(Struct, frozen=True, kw_only=True):
    """Each match that is over, and each that is being played and has a round that was revealed."""

    match: Annotated[str, MATCH]
    ruleset: Annotated[str, Meta(description="`hokm@1` or `hand@1`")]
    variant: Annotated[str | None, Meta(description="Hand's variant; NULL in Hokm")]
    seats: Annotated[int, Meta(description="how many seats the table has")]
    target: Annotated[int | None, Meta(description="points to win; NULL in Hand")]
    rounds_planned: Annotated[int | None, Meta(description="rounds agreed on; NULL in Hokm")]
    options: Annotated[str, Meta(description="all options as JSON, as in `match_opened`")]
    policy: Annotated[str, Meta(description="the version of the bots' policy")]
    owner: Annotated[str, Meta(description="the player who opened it")]
    levels: Annotated[
        tuple[str | None, ...],
        Meta(description="by seat, the level of the bot it was opened with; NULL: a person's seat"),
    ]
    status: Annotated[str, Meta(description="`playing`, `ended` or `abandoned`")]
    outcome: Annotated[
        str | None,
        Meta(description="`ended`, `operator`, `fault` or `expired`; NULL: it is being played"),
    ]
    opened: Annotated[datetime, Meta(description="when it was opened, UTC")]
    started: Annotated[datetime | None, Meta(description="when play began; NULL: never")]
    ended: Annotated[datetime | None, Meta(description="when it ended; NULL: it is being played")]
    events: Annotated[
        int,
        Meta(description="events in the log; while it is played, up to the last revealed round"),
    ]
    rounds: Annotated[int, Meta(description="how many of its rounds are in these tables")]
    unit: Annotated[str, Meta(description="what points are counted for: `side` or `seat`")]
    totals: Annotated[
        tuple[int, ...], Meta(description="points by unit; empty before a round was scored")
    ]
    winner: Annotated[int | None, Meta(description="the unit that won; NULL: none has")]


class RoundRow(Struct, frozen=True, kw_only=True):
    """Each round that was played to its end and revealed."""

    match: Annotated[str, MATCH]
    round: Annotated[int, ROUND]
    dealt: Annotated[datetime, Meta(description="when it was dealt, UTC")]
    ended: Annotated[datetime, Meta(description="when its last card was down, UTC")]
    duration_ms: Annotated[
        int | None, Meta(description="milliseconds between; NULL where the clock was put back")
    ]
    starter: Annotated[int, Meta(description="the seat that begins: in Hokm the hakem")]
    dealer: Annotated[int | None, Meta(description="the seat that dealt; NULL in Hokm")]
    trump: Annotated[str | None, Meta(description="`S`, `H`, `D`, `C`; NULL in Hand")]
    tricks: Annotated[tuple[int, ...] | None, Meta(description="by side; NULL in Hand")]
    kind: Annotated[
        str,
        Meta(description="Hokm: `win`, `kot`, `hakem_kot`; Hand: `out`, `hand`, `void`"),
    ]
    won_by: Annotated[int | None, Meta(description="the unit that won it; NULL: a void round")]
    points: Annotated[
        int | None, Meta(description="what it is worth to `won_by`; NULL in Hand: see `scores`")
    ]
    went_out: Annotated[
        int | None, Meta(description="the seat that went out; NULL in Hokm and if nobody did")
    ]
    opened: Annotated[
        tuple[bool, ...] | None, Meta(description="by seat, whether it has opened; NULL in Hokm")
    ]
    turns: Annotated[int, Meta(description="turns that were played, as `turn` counts them")]
    decisions: Annotated[int, Meta(description="its rows in `plays`")]
    timeouts: Annotated[int, Meta(description="how often time was up for the seat on turn")]
    reshuffles: Annotated[
        int | None, Meta(description="how often the fire became the stock; NULL in Hokm")
    ]
    scored: Annotated[bool, Meta(description="whether its points are recorded (`scores`)")]


class DealRow(Struct, frozen=True, kw_only=True):
    """What each seat was dealt, in the rounds of `rounds`."""

    match: Annotated[str, MATCH]
    round: Annotated[int, ROUND]
    seat: Annotated[int, SEAT]
    unit: Annotated[int, UNIT]
    player: Annotated[str | None, PLAYER]
    held: Annotated[Held, HELD]
    level: Annotated[str | None, LEVEL]
    starter: Annotated[bool, Meta(description="whether it begins: in Hokm the hakem")]
    cards: Annotated[
        tuple[str, ...], Meta(description="its cards in the order of the deal: 13; Hand 14 or 15")
    ]
    first_five: Annotated[
        tuple[str, ...] | None, Meta(description="those dealt before trump was named; NULL in Hand")
    ]
    cards_left: Annotated[
        tuple[str, ...] | None, Meta(description="those it still held at the end; NULL in Hokm")
    ]


class PlayRow(Struct, frozen=True, kw_only=True):
    """Each decision of a seat, in the rounds of `rounds`."""

    match: Annotated[str, MATCH]
    round: Annotated[int, ROUND]
    version: Annotated[int, VERSION]
    turn: Annotated[int, TURN]
    time: Annotated[datetime, TIME]
    think_ms: Annotated[int | None, THINK]
    seat: Annotated[int, SEAT]
    unit: Annotated[int, UNIT]
    player: Annotated[str | None, PLAYER]
    held: Annotated[Held, HELD]
    level: Annotated[str | None, LEVEL]
    timed_out: Annotated[
        bool, Meta(description="time was up, and the table moved by rule, whoever held the seat")
    ]
    action: Annotated[
        str,
        Meta(
            description="`trump_chosen`, `card_played`; `card_drawn`, `fire_taken`, `melds_laid`,"
            " `card_laid_off`, `joker_swapped`, `card_discarded`"
        ),
    ]
    card: Annotated[
        str | None, Meta(description="the card, also one drawn; NULL: `trump_chosen`, `melds_laid`")
    ]
    suit: Annotated[str | None, Meta(description="the trump named; NULL for all other actions")]
    trick: Annotated[int | None, Meta(description="Hokm's trick, from 1; NULL: no `card_played`")]
    place: Annotated[
        int | None, Meta(description="which card of the trick, 1 leads; NULL: no `card_played`")
    ]
    led: Annotated[
        str | None, Meta(description="the suit that was led to it; NULL: no `card_played`")
    ]
    took: Annotated[
        bool | None, Meta(description="whether this card took the trick; NULL: no `card_played`")
    ]
    meld: Annotated[
        int | None,
        Meta(description="the meld it went to, the first of several; NULL: it went to none"),
    ]
    value: Annotated[int | None, Meta(description="what was laid is worth; NULL: no `melds_laid`")]
    opening: Annotated[
        bool | None, Meta(description="whether the seat opened by it; NULL: no `melds_laid`")
    ]
    stock: Annotated[int | None, Meta(description="cards left in the stock; NULL: no `card_drawn`")]
    cards: Annotated[int, Meta(description="cards that the seat holds afterwards")]


class MeldRow(Struct, frozen=True, kw_only=True):
    """Each meld that was laid, in the rounds of `rounds`; in Hand only."""

    match: Annotated[str, MATCH]
    round: Annotated[int, ROUND]
    meld: Annotated[int, Meta(description="its number in its round, from 1")]
    version: Annotated[int, VERSION]
    turn: Annotated[int, TURN]
    seat: Annotated[int, Meta(description="the seat that laid it")]
    unit: Annotated[int, UNIT]
    kind: Annotated[str, Meta(description="`run` or `set`")]
    cards: Annotated[tuple[str, ...], Meta(description="as it was laid, a run's in order")]
    value: Annotated[int, Meta(description="what it was worth then")]
    opening: Annotated[bool, Meta(description="whether it was part of the seat's opening")]
    cards_in_the_end: Annotated[tuple[str, ...], Meta(description="as it lay at the round's end")]
    laid_off: Annotated[int, Meta(description="cards added to it later, by whomever")]
    swapped: Annotated[int, Meta(description="jokers taken out of it")]


class ScoreRow(Struct, frozen=True, kw_only=True):
    """The points of each unit in each round of `rounds` whose points are recorded."""

    match: Annotated[str, MATCH]
    round: Annotated[int, ROUND]
    unit: Annotated[int, Meta(description="the side or the seat: `matches.unit` says which")]
    points: Annotated[
        int, Meta(description="Hokm: won, 0 for the other side; Hand: penalties, below 0 is good")
    ]
    total: Annotated[int, Meta(description="all points so far, this round's in it")]
    won: Annotated[bool, Meta(description="whether the round was this unit's; false if void")]


class BotRow(Struct, frozen=True, kw_only=True):
    """Each row of `plays` that a bot decided, with what its view offered."""

    match: Annotated[str, MATCH]
    round: Annotated[int, ROUND]
    version: Annotated[int, VERSION]
    move: Annotated[int, Meta(description="the number of the decision in its match")]
    time: Annotated[datetime, TIME]
    think_ms: Annotated[int | None, THINK]
    seat: Annotated[int, SEAT]
    held: Annotated[Held, Meta(description="`bot`, whose seat it is; `house`, for somebody")]
    level: Annotated[str, Meta(description="`white`, `black`, `chrome`")]
    policy: Annotated[str, Meta(description="the version of the bots' policy")]
    phase: Annotated[
        str, Meta(description="`choosing_trump`, `playing`; `discard_first`, `draw`, `act`")
    ]
    action: Annotated[str, Meta(description="what it did, as in `plays`")]
    card: Annotated[str | None, Meta(description="as in `plays`")]
    cards: Annotated[int, Meta(description="cards that it held before")]
    playable: Annotated[
        tuple[str, ...] | None,
        Meta(description="the cards that it could play; NULL while choosing trump and in Hand"),
    ]
    trick: Annotated[
        tuple[str, ...] | None, Meta(description="the cards on the table; NULL in Hand")
    ]
    fire: Annotated[
        str | None, Meta(description="the card on top of the fire; NULL if none, and in Hokm")
    ]
    stock: Annotated[int | None, Meta(description="cards in the stock; NULL in Hokm")]
    melds: Annotated[int | None, Meta(description="melds on the table; NULL in Hokm")]
    bar: Annotated[int | None, Meta(description="what an opening must be worth; NULL in Hokm")]
    opened: Annotated[bool | None, Meta(description="whether the seat had opened; NULL in Hokm")]


AnyRow = MatchRow | RoundRow | DealRow | PlayRow | MeldRow | ScoreRow | BotRow

TABLES: Final[Mapping[str, type[AnyRow]]] = {
    "matches": MatchRow,
    "rounds": RoundRow,
    "deals": DealRow,
    "plays": PlayRow,
    "melds": MeldRow,
    "scores": ScoreRow,
    "bot_decisions": BotRow,
}
"""Every table by its name, in the order in which they are told of."""


class Column(Struct, frozen=True, kw_only=True):
    """A column as DuckDB names its type, and what it means."""

    name: str
    type: str
    about: str


FOLDER_COLUMNS: Final = (
    Column(name="game", type="VARCHAR", about="`hokm` or `hand`"),
    Column(name="day", type="DATE", about="the day, in UTC, on which the match was opened"),
)
"""What every table has besides, in the names of its folders."""


def columns(table: str) -> Iterator[Column]:
    """The columns in the files of `table`, in order."""
    for field in msgspec.structs.fields(TABLES[table]):
        annotation = field.type
        (meta,) = (one for one in annotation.__metadata__ if isinstance(one, Meta))
        assert meta.description is not None
        type_ = _sql_type(msgspec.inspect.type_info(annotation.__origin__))
        yield Column(name=field.name, type=type_, about=meta.description)


def _sql_type(kind: msgspec.inspect.Type) -> str:
    match kind:
        case msgspec.inspect.UnionType(types=types):
            (only,) = (one for one in types if not isinstance(one, msgspec.inspect.NoneType))
            return _sql_type(only)
        case msgspec.inspect.VarTupleType(item_type=item):
            return f"{_sql_type(item)}[]"
        case msgspec.inspect.StrType() | msgspec.inspect.LiteralType():
            return "VARCHAR"
        case msgspec.inspect.IntType():
            return "BIGINT"
        case msgspec.inspect.BoolType():
            return "BOOLEAN"
        case msgspec.inspect.DateTimeType():
            return "TIMESTAMP"
        case _:
            raise AssertionError(kind)
