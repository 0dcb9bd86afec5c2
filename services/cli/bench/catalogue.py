"""Every measure by its name: what it needs, what runs it, and what its numbers say and do not."""

import importlib
from collections.abc import Callable, Mapping
from typing import Final, Literal

from msgspec import Struct

from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Found

Plot = Literal["lines", "bars"]


class Measure(Struct, frozen=True, kw_only=True):
    """`run` names a function, loaded when it is called. `says`: what is measured, and what the
    number does not say. `on`: where it is measured.
    """

    title: str
    run: str
    says: str
    on: Literal["each database", "postgresql", "no database"] = "each database"
    peer: bool = False
    plot: Plot | None = None
    along: str = ""
    """What a plot's lines run along."""


MEASURES: Final[Mapping[str, Measure]] = {
    "latency": Measure(
        title="From a command to its event",
        run="latency:latency",
        says=(
            "An open loop says 500 commands a second at 50 live tables of Hokm, through the real"
            " broker and one table worker, and the event of each is heard on the feed of the"
            " match's owner. Time runs from the moment at which a command was due, so a generator"
            " that falls behind is no help. CPU time is the worker's alone, and says on a busy"
            " machine what milliseconds cannot. It does not say what a network adds, nor what"
            " bots and scoring take of the same cores: none run here."
        ),
    ),
    "costs": Measure(
        title="What a command costs",
        run="costs:costs",
        says=(
            "The open loop of `latency`, with a scoring worker: how long each process kept a"
            " processor busy, a command, and what a command leaves behind. `capacity.md` reckons"
            " with it. At 500 commands a second a transaction carries some; where less is said"
            " each command costs more, and there is time for it. One connection stands for all"
            " players: the broker sends an event to each seat's, and no bot thinks here. What"
            " PostgreSQL uses is seen only if it runs on this machine."
        ),
    ),
    "closed": Measure(
        title="Closed loop",
        run="throughput:closed_loop",
        says=(
            "80 players, a table each, say their next command when they have seen the event of"
            " the one before. The load generator is one Python process on the same cores as"
            " broker and table, and decodes each event: the number is that of all three together."
        ),
    ),
    "drain": Measure(
        title="Backlog drain",
        run="throughput:drain",
        says=(
            "Whole rounds are said at 150 tables while no table worker runs; one is started, and"
            " time runs from the first event seen to the last. It takes all these matches over at"
            " the same time. The start of the process is not in it."
        ),
    ),
    "fold": Measure(
        title="Fold and replay",
        run="folding:folding",
        on="no database",
        peer=True,
        says=(
            "Whole matches of bots, as lines in memory, are decoded and folded by all rules of"
            " the game into frozen states. Beside it the library replays the same events, also"
            " from memory, once into an aggregate that folds them by the same rules: the same"
            " duties, and the budget is for that; and once into one that only counts. We count"
            " too, after our decoding: what the log's part costs without the rules. The last ratio"
            " spares the library the rules, not us. None of this waits for anything, so seconds are"
            " those of the processor. No database is read here; `growth` has that."
        ),
    ),
    "audit": Measure(
        title="Audit",
        run="auditing:auditing",
        on="no database",
        says=(
            "Whole matches of bots, as rows in memory, are audited: chain, seals, every shuffle"
            " and every fact made again by the rules and compared byte for byte, each decision"
            " asked of the rules. Beside it the mere fold of the same rows, in the same run. On"
            " one core; seconds are those of the processor. What `--bots` adds is the bots' own"
            " think time (`bots`), a database's reading is in `growth`."
        ),
    ),
    "append": Measure(
        title="Append",
        run="appending:appending",
        peer=True,
        plot="bars",
        along="events a transaction",
        says=(
            "From facts in memory to a commit, at 1 and at 100 events a transaction. The library"
            " once has the log's duties (heads are chained, its table is append-only), once it is"
            " as it comes. The plain inserts are rows that were ready before, into a table with"
            " the log's columns and keys: a limit, not a rival. At 1 a transaction all sides wait"
            " for the disk, and their order is the disk's mood. Whether PostgreSQL forces commits"
            " to the disk stands with the versions: where fsync is off its numbers are not those"
            " of production, its ratios are."
        ),
    ),
    "publish": Measure(
        title="Broker, confirmed publishes",
        run="publishing:publishing",
        on="no database",
        says=(
            "Lines of the log go into a stream on disk, 500 at a time, until each is confirmed:"
            " by the bus as the outbox does it, and by the broker's bare client with one subject"
            " for all answers. The broker forces to the disk every two minutes by itself; the log"
            " is the truth, so nothing waits for that."
        ),
    ),
    "takeover": Measure(
        title="Take-over",
        run="takeover:takeover",
        says=(
            "`kill -9` of the owner while another table worker waits for its lock; at once the"
            " next command is said, and time runs until its event is seen. With PostgreSQL the"
            " standby takes 16 partitions, and the command's may be any of them. It does not say"
            " how long a machine takes that is cut off instead of dead: the server drops its lock"
            " only when the connection counts as dead."
        ),
    ),
    "up": Measure(
        title="Start",
        run="starting:starting",
        on="no database",
        says=(
            "From `waraq up` to its line `ready`: broker, table, bots and scoring on SQLite, in a"
            " folder where they ran before. What `make up` does before that on a new machine,"
            " installing, is not in it."
        ),
    ),
    "bots": Measure(
        title="Bots",
        run="deciding:deciding",
        on="no database",
        says=(
            "Matches of four bots of one level, in process, each decision on its own clock. What"
            " chrome searches in Hokm is thought here too, not beside it as in a bot worker. The"
            " longest decision includes whatever else the machine did in that moment."
        ),
    ),
    "memory": Measure(
        title="Memory of a table worker",
        run="memory:memory",
        says=(
            "The log holds 2,500 matches in the middle of a round; a worker takes all of them"
            " over, then 500 are played in at 500 commands a second. Resident memory, Python and"
            " its libraries included. Up to 4,096 matches stay in memory, live or idle, so all of"
            " these do; beyond that the ones unused for longest are dropped and rebuilt from the"
            " log on demand."
        ),
    ),
    "growth": Measure(
        title="As the log grows",
        run="growth:growth",
        plot="lines",
        along="matches in the log",
        says=(
            "One log is filled up to 100,000 matches of 20 events, 2 million in all. At each size:"
            " append of ready entries, 100 a transaction; loading and folding one match of 1,000"
            " events; take-over after `kill -9`. The filling matches are not open, as most matches"
            " of a real log are not: what a new owner has to wake up grows with the open ones, and"
            " that is not measured here."
        ),
    ),
    "workers": Measure(
        title="More table workers",
        run="workers:workers",
        on="postgresql",
        plot="lines",
        along="table workers",
        says=(
            "The closed loop with 1, 2 and 4 table workers, which own equal shares of the 16"
            " partitions. On a machine of few cores broker, database and load generator are there"
            " before any worker: it shows that more workers do no harm, not how far they scale."
        ),
    ),
    "tables": Measure(
        title="More live tables",
        run="latency:tables",
        plot="lines",
        along="live tables",
        says=(
            "The open loop of `latency` at 500 commands a second over 10, 100 and 1,000 tables:"
            " the same load, spread wider. Match follows match at each table, so that openings"
            " and deals are in it: at 10 tables many of them, at 1,000 none. At 10 a table hears"
            " 50 commands a second, more than people or bots ever say."
        ),
    ),
}


def runner(measure: Measure) -> Callable[[Conditions], Found]:
    module, _, name = measure.run.partition(":")
    found: Callable[[Conditions], Found] = getattr(
        importlib.import_module(f"services.cli.bench.{module}"), name
    )
    return found
