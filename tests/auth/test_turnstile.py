"""How often players may log in: the counts, and a real worker that keeps to them."""

from pathlib import Path

import pytest

from services.auth import turnstile
from services.auth.turnstile import EACH, Turnstile
from services.auth.worker import Logins
from services.messaging.server import MAX_CONNECTIONS
from services.runtime.rates import Rate
from tests.auth.asking import DOORMAN, asked, shown
from tests.auth.door import ANN, BOB, OTHERS, Player, door, refused, token
from tests.clocks import HandClock
from tests.waiting import until_async


def test_one_player_comes_in_so_often_and_then_slowly_and_others_as_before() -> None:
    clock = HandClock()
    doors = Turnstile(clock)
    assert [doors.stops(ANN) for _ in range(EACH.burst)] == [None] * EACH.burst
    assert doors.stops(ANN) == "too_often"
    assert doors.stops(BOB) is None
    clock.seconds += 1 / EACH.per_second
    assert [doors.stops(ANN), doors.stops(ANN)] == [None, "too_often"]


def test_all_together_come_in_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turnstile, "ALL", Rate(burst=3, per_second=1.0))
    clock = HandClock()
    doors = Turnstile(clock)
    found = [doors.stops(f"u_player{number:03d}") for number in range(4)]
    assert found == [None, None, None, "too_many"]
    clock.seconds += 1.0
    assert [doors.stops(ANN), doors.stops(BOB)] == [None, "too_many"]


def test_who_comes_too_often_uses_up_nothing_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turnstile, "EACH", Rate(burst=1, per_second=1.0))
    monkeypatch.setattr(turnstile, "ALL", Rate(burst=2, per_second=1.0))
    doors = Turnstile(HandClock())
    assert [doors.stops(ANN) for _ in range(9)] == [None, *["too_often"] * 8]
    assert doors.stops(BOB) is None


def test_everybody_may_come_back_at_once_to_a_broker_that_was_started_again() -> None:
    assert turnstile.ALL.burst >= MAX_CONNECTIONS


def test_made_up_tokens_of_a_player_cost_him_no_log_in() -> None:
    """Anybody can name him; only who has his token is counted."""
    logins = Logins(DOORMAN, HandClock())
    for _ in range(2 * EACH.burst):
        logins.answer(asked(auth_token=shown(keys=OTHERS)))
        logins.answer(asked(user=ANN, **{"pass": shown(keys=OTHERS)}))
    logins.answer(asked(auth_token=shown()))
    assert logins._counts == {"forged": 4 * EACH.burst, "let_in": 1}


@pytest.mark.slow
async def test_a_player_who_logs_in_again_and_again_is_refused_and_then_let_in_again(
    tmp_path: Path,
) -> None:
    with door(tmp_path) as broker:
        first = await Player(ANN).enter(broker.url)
        let_in = [not await refused(broker.url, token=token()) for _ in range(2 * EACH.burst)]
        assert all(let_in[: EACH.burst - 1])
        assert not all(let_in)
        assert not await refused(broker.url, token=token(BOB))
        assert await first.may_publish(f"cmdin.m_0123.{ANN}")

        async def again() -> bool:
            return not await refused(broker.url, token=token())

        await until_async(again, "a log-in by and by")
        await first.leave()
