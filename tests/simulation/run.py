"""The simulation of many seeds, or of one.

    python -m tests.simulation.run --seeds 200 --first-seed 1 [--seed N] [--plant NAME]

Progress on stderr, one JSON line of numbers on stdout. Ends with exit code 4 at the first seed in
which an invariant does not hold, and names it: `--seed N` brings exactly that run back. With
`--plant` a bug is planted, and the run must end so.
"""

import argparse
import json
import logging
import sys
import time
from collections import Counter
from typing import Any, Final

from tests.simulation.plants import HONEST, PLANTS, Plant
from tests.simulation.simulation import Outcome, simulate

DIFFERENT: Final = 4
"""The exit code of a check that found a difference."""
SHOWN: Final = 10
"""The most broken invariants of one seed that are shown."""
SHOWN_LETTERS: Final = 1_000


def run(seeds: range, plant: Plant) -> dict[str, Any]:
    """Numbers of all seeds, up to the first that is broken."""
    counts: Counter[str] = Counter()
    began, virtual, done = time.process_time(), 0.0, 0
    broken: Outcome | None = None
    for seed in seeds:
        outcome = simulate(seed, plant)
        counts.update(outcome.counts)
        virtual, done = virtual + outcome.seconds, done + 1
        _tell(outcome)
        if outcome.broken:
            broken = outcome
            break
    return {
        "first_seed": seeds.start,
        "seeds": done,
        "broken_seed": broken.seed if broken else None,
        "broken": sorted({one.invariant for one in broken.broken}) if broken else [],
        "virtual_seconds": round(virtual),
        "cpu_seconds": round(time.process_time() - began, 1),
        **dict(sorted(counts.items())),
    }


def _tell(outcome: Outcome) -> None:
    state = "broken" if outcome.broken else "whole"
    _say(f"seed {outcome.seed}: {state}, {outcome.seconds:.0f} virtual s, {outcome.trace[:12]}")
    for one in outcome.broken[:SHOWN]:
        _say(f"  {one.invariant}: {one.where[:SHOWN_LETTERS]}")


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--seed", type=int, help="this one only, with what the workers log")
    parser.add_argument("--plant", choices=sorted(PLANTS), help="a bug that must be found")
    return parser.parse_args()


def main() -> int:
    words = _words()
    first, count = words.first_seed, words.seeds
    if words.seed is not None:
        first, count = words.seed, 1
        logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    else:
        logging.disable(logging.WARNING)
    found = run(range(first, first + count), PLANTS.get(words.plant, HONEST))
    sys.stdout.write(json.dumps(found) + "\n")
    return DIFFERENT if found["broken_seed"] is not None else 0


if __name__ == "__main__":
    sys.exit(main())
