"""The browser that tests drive: Debian's chromium, or the one that `WARAQ_BROWSER` names."""

import os
import shutil
from typing import Final

import pytest

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")


def all_come() -> bool:
    """Do all guests come, each language on phone and desk (`make persons`)? Else some do."""
    return bool(os.environ.get("WARAQ_ALL_GUESTS"))


def browser() -> str:
    """Where it is; skips if there is none, fails if `WARAQ_BROWSER_NEEDED` is set (`.ci/run`)."""
    named = os.environ.get("WARAQ_BROWSER")
    found = next(filter(None, map(shutil.which, (named,) if named else BROWSERS)), None)
    if found is None and os.environ.get("WARAQ_BROWSER_NEEDED"):
        pytest.fail("no browser, and WARAQ_BROWSER_NEEDED is set: apt-get install chromium")
    return found or pytest.skip("no browser: apt-get install chromium, or name it: WARAQ_BROWSER")
