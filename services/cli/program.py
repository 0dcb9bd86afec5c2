"""The program's own name, as it may be typed in any terminal."""

import shutil
import sys
from pathlib import Path
from typing import Final

PROGRAM: Final = "waraq"


def program() -> str:
    """The program as one may type it in any terminal, whatever folder it stands in."""
    return PROGRAM if shutil.which(PROGRAM) else str(Path(sys.executable).with_name(PROGRAM))
