"""Thinks as the real one does, for longer: until the file that its argument names is there.

`python -m tests.bot.slow_thinker GATE COUNT`: it adds a line with its number to the file COUNT at
the beginning of each thought, so that a test sees who thinks and how often.
"""

import os
import sys
import time
from pathlib import Path

from schemas.commands import Suggestion
from schemas.views import BotTurn
from services.bot.policy import suggest
from services.bot.thinker import serve


def think(turn: BotTurn) -> Suggestion:
    gate, count = Path(sys.argv[1]), Path(sys.argv[2])
    with count.open("a") as file:
        file.write(f"{os.getpid()}\n")
    while not gate.exists():
        time.sleep(0.005)
    return suggest(turn)


if __name__ == "__main__":
    serve(think)
