"""A rolling upgrade, and back: workers of an earlier revision and of this one at the same log and
broker, replaced one after the other by SIGTERM while matches are played.
"""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest

from tests.drills.rig import NOTHING, Load, Rig
from tests.service.up_process import CHECKOUT

pytestmark = [pytest.mark.slow, pytest.mark.drill]

EARLIER: Final = "b2e373a"
"""The revision that is upgraded from: the last that was landed before this drill was written."""


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """Its code, out of this repository's history."""
    words = ["git", "-C", str(CHECKOUT), "archive", EARLIER, "schemas", "services", "migrations"]
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"the history with {EARLIER} is not here (a shallow clone?)")
    folder = tmp_path / "earlier"
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


async def test_workers_are_replaced_one_by_one_and_back_while_matches_go_on(
    tmp_path: Path, earlier: Path
) -> None:
    async with Rig(tmp_path) as rig:
        assert rig.waraq("db", "upgrade", code=earlier).code == 0
        old = [await rig.start("table", earlier), await rig.start("table", earlier)]
        old_bot, old_scoring = await rig.start("bot", earlier), await rig.start("scoring", earlier)
        load = Load(rig)
        await load.begin()
        await load.more(2)

        # First the log, which the earlier workers go on with, then table workers one by one.
        assert rig.waraq("db", "upgrade").code == 0
        new = [await rig.start("table")]
        await rig.shared_by(*old, new[0])
        await load.more(2)
        await rig.stop(old[0])
        await rig.shared_by(old[1], new[0])
        await load.more(2)
        new.append(await rig.start("table"))
        await rig.stop(old[1])
        await rig.shared_by(*new)

        # Then bots and scoring: for a moment there are both of each.
        new_bot, new_scoring = await rig.start("bot"), await rig.start("scoring")
        await load.more(2)
        await rig.stop(old_bot)
        await rig.stop(old_scoring)
        await load.more(2)

        # And back, as when the new one turns out to be bad.
        back = [await rig.start("table", earlier), await rig.start("bot", earlier)]
        await rig.start("scoring", earlier)
        for worker in (new[0], new_bot, new_scoring):
            await rig.stop(worker)
        await rig.shared_by(new[1], back[0])
        await load.more(2)
        await load.finish()

        found = await rig.numbers()
        assert not any(found[name] for name in NOTHING), found
        assert found["positions_whole"]
        assert found["matches_in_log"] == len(load.played)
        assert rig.waraq("audit", "--all").code == 0
        assert all(one.held for one in rig.partitions())
