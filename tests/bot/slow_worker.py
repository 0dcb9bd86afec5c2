"""The bot worker with a thinker that takes its time: `python -m tests.bot.slow_worker GATE COUNT`
(see `slow_thinker`); all else of it is the real one.
"""

import sys

from services.bot import pool
from services.bot.__main__ import main

if __name__ == "__main__":
    program = (sys.executable, "-m", "tests.bot.slow_thinker", *sys.argv[1:])
    pool.THINKER = program  # type: ignore[assignment,misc]  # of this process alone
    main()
