"""Logs: JSON lines with ids; of a fault its kind and place, never its text."""

import json
import logging
from typing import Any

from services.runtime.faults import place_of, trace_of
from services.runtime.logs import JsonLines


def logged(error: BaseException | None = None, **extra: object) -> dict[str, Any]:
    info = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("x", logging.ERROR, "f.py", 1, "said %s", ("it",), info)
    vars(record).update(extra)
    line: dict[str, Any] = json.loads(JsonLines("table").format(record))
    return line


def raised() -> AssertionError:
    try:
        hand = ("AS", "KD")
        assert "2C" in hand, f"2C is not in {hand}"
    except AssertionError as error:
        return error
    raise RuntimeError


def test_a_line_has_time_level_worker_what_was_said_and_the_ids() -> None:
    line = logged(match="m_1", command="c_1")
    assert line.pop("time")
    assert line == {
        "level": "error",
        "worker": "table",
        "said": "said it",
        "match": "m_1",
        "command": "c_1",
    }


def test_a_fault_is_told_by_kind_and_place_and_names_no_card() -> None:
    line = logged(raised())
    assert line["trace"].startswith("AssertionError: test_logs.py:")
    for text in (json.dumps(line), place_of(raised()), trace_of(raised())):
        assert "AS" not in text.replace("AssertionError", "")
        assert "2C" not in text


def test_of_a_group_the_first_fault_itself_is_told() -> None:
    inner = raised()
    group = ExceptionGroup("of tasks", [ExceptionGroup("inner", [inner]), ValueError()])
    assert trace_of(group) == trace_of(inner)
