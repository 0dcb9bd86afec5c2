"""The contract's fixtures: each of its tests runs on both adapters."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.messaging.port import Bus
from tests.messaging.stage import MemoryStage, NatsStage, Stage


@pytest.fixture(params=["memory", "nats"])
async def stage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    made = MemoryStage() if request.param == "memory" else NatsStage(tmp_path / "broker")
    try:
        yield made
    finally:
        await made.close()


@pytest.fixture
async def bus(stage: Stage) -> Bus:
    return await stage.bus()
