"""The bot worker with a thinker that takes its time: `python -m tests.bot.slow_worker GATE COUNT`
(see `slow_thinker`); all else of it is the real one.
"""

import sys
from functools import partial

from services.bot.__main__ import work
from services.runtime.worker import run_worker

if __name__ == "__main__":
    thinker = (sys.executable, "-m", "tests.bot.slow_thinker", *sys.argv[1:])
    run_worker("bot", partial(work, thinker))
