"""The contract's files by others' rules: ajv for the JSON Schema, the official schema of AsyncAPI,
TypeScript's own compiler; and by real messages of whole matches, and by messages that are wrong.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec import Struct

from schemas.commands import decode_command
from schemas.feed import Happened, Snapshot, encode_feed
from services.cli.schema.examples import released_lines
from services.cli.schema.files import contract
from services.rules import seats, sight
from services.rules.history import unfold
from tests.eventful import mixed
from tests.npm_packages import NODE, node_modules

pytestmark = pytest.mark.slow

FILES: Final = contract()
JUDGE: Final = Path(__file__).with_name("judge.cjs")
USES: Final = Path(__file__).with_name("uses.ts")
MATCHES: Final = 10
"""Hokm and each variant of Hand, twice."""


class Message(Struct, frozen=True, array_like=True):
    """A message and the definition that it is of."""

    root: str
    text: str


class Judged(Struct, frozen=True):
    """`verdicts`: what is wrong with each message, None for nothing; `once`: is it one of the kinds
    of all messages, and no other?
    """

    meta: list[Any]
    asyncapi: list[Any]
    verdicts: list[str | None]
    once: list[bool]


def judged(messages: list[Message]) -> Judged:
    asked = {
        "schema": json.loads(FILES["schema.json"]),
        "asyncapi": json.loads(FILES["asyncapi.json"]),
        "messages": messages,
    }
    done = subprocess.run(
        [NODE, JUDGE],
        input=msgspec.json.encode(asked),
        env={"NODE_PATH": str(node_modules())},
        capture_output=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=Judged)


def released() -> Iterator[Message]:
    for root, lines in released_lines().lines.items():
        for line in lines:
            yield Message(root, json.dumps(line))


def played() -> Iterator[Message]:
    """Of whole matches every event as one seat is told it, and what that seat may see then."""
    for number, rows in enumerate(mixed(MATCHES)):
        for seen in unfold(row.entry for row in rows):
            event, head, state = seen.event, seen.stored.head, seen.after
            seat = (event.version + number) % len(state.chairs)
            cards = sight.cards_dealt(seen.before or state, event.body, state, seat)
            happened = Happened(event=event, head=head, cards=cards)
            snapshot = Snapshot(
                match=event.match,
                version=event.version,
                head=head,
                now=event.time,
                move=state.move,
                due=None,
                sitting=seats.sitting(state.chairs),
                view=sight.view(state, seat),
            )
            yield Message("Event", seen.stored.line)
            yield Message("Feed", encode_feed(happened).decode())
            yield Message("Feed", encode_feed(snapshot).decode())


def test_the_files_and_all_that_is_said_in_whole_matches_are_right() -> None:
    messages = [*released(), *played()]
    found = judged(messages)
    assert found.meta == []
    assert found.asyncapi == []
    wrong = [pair for pair in zip(messages, found.verdicts, strict=True) if pair[1] is not None]
    assert wrong == []
    assert all(found.once)
    assert len(messages) > 3_000


# What is wrong --------------------------------------------------------------------------------

ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    -1,
    2**53,
    1.5,
    "",
    "x",
    "m_\n",
    "KD1",
    "AS",
    [],
    {},
    ["AS"],
)
"""Values that are put in the place of each value of a command."""


def mutants(value: Any) -> Iterator[Any]:
    """The value with one thing in it dropped, doubled, added or replaced."""
    yield from ODD
    if isinstance(value, str):
        yield from (value + "\n", value + "x", value[:-1], value.upper())
    if isinstance(value, list):
        yield from (value[:-1], value + value, [*value, *value, *value])
        for number, part in enumerate(value):
            for other in mutants(part):
                yield [*value[:number], other, *value[number + 1 :]]
    if isinstance(value, dict):
        yield {**value, "more": 1}
        for key, part in value.items():
            yield {name: kept for name, kept in value.items() if name != key}
            for other in mutants(part):
                yield {**value, key: other}


def is_command(text: str) -> bool:
    try:
        decode_command(text.encode())
    except msgspec.DecodeError:
        return False
    return True


def test_the_schema_takes_exactly_the_commands_that_the_table_can_read() -> None:
    commands = [msgspec.json.decode(m.text) for m in released() if m.root == "Command"]
    texts = list({json.dumps(mutant) for command in commands for mutant in mutants(command)})
    found = judged([Message("Command", text) for text in texts])
    differ = [
        text
        for text, verdict in zip(texts, found.verdicts, strict=True)
        if is_command(text) != (verdict is None)
    ]
    assert differ == []
    readable = sum(verdict is None for verdict in found.verdicts)
    assert readable > 50
    assert len(texts) - readable > 1_000


# TypeScript -----------------------------------------------------------------------------------


def compiled(folder: Path, *files: Path) -> str:
    """What the compiler says against these files; empty for nothing."""
    tsc = node_modules() / "typescript" / "bin" / "tsc"
    words = ["--strict", "--noEmit", "--lib", "es2022", "--types", "", "--pretty", "false"]
    done = subprocess.run(
        [NODE, tsc, *words, *files], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With the types in it."""
    (tmp_path / "waraq.d.ts").write_bytes(FILES["waraq.d.ts"])
    return tmp_path


def test_the_types_compile_and_tell_right_from_wrong(folder: Path) -> None:
    uses = folder / "uses.ts"
    uses.write_text(USES.read_text())
    assert compiled(folder, folder / "waraq.d.ts", uses) == ""


def test_every_released_message_is_of_its_type(folder: Path) -> None:
    """Also: it has no key that its type has not."""
    lines = ['import type { Ask, Command, Event, Feed } from "./waraq";']
    for number, message in enumerate(released()):
        lines.append(f"export const m{number}: {message.root} = {message.text};")
    file = folder / "messages.ts"
    file.write_text("\n".join(lines))
    assert compiled(folder, file) == ""
    file.write_text("\n".join(lines).replace('"type": "play_card"', '"type": "play_cards"'))
    assert "play_cards" in compiled(folder, file)
