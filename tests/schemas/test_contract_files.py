"""docs/schema/: the files that `waraq schema` writes are those that are committed, and hold up."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from services.cli.__main__ import main
from services.cli.schema.asyncapi import draft_7
from services.cli.schema.files import contract
from services.cli.schema.json_schema import HEARD, SAID

CHECKOUT = Path(__file__).parents[2]
FILES = contract()
ASYNCAPI = json.loads(FILES["asyncapi.json"])
BUNDLE = json.loads(FILES["schema.json"])


@pytest.mark.parametrize("name", FILES)
def test_the_committed_file_is_what_the_code_gives(name: str) -> None:
    """If this fails: `make schema`, and look at the diff, for clients will."""
    assert (CHECKOUT / "docs" / "schema" / name).read_bytes() == FILES[name]


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["schema", *words])


def test_the_command_writes_every_file_and_says_so(tmp_path: Path) -> None:
    done = run("--out", str(tmp_path / "new" / "folder"), "--json")
    assert done.exit_code == 0
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [Path(line["file"]).name for line in lines] == list(FILES)
    for line in lines:
        assert Path(line["file"]).read_bytes() == FILES[Path(line["file"]).name]
        assert line["bytes"] == len(FILES[Path(line["file"]).name])


def test_without_json_stdout_is_empty(tmp_path: Path) -> None:
    done = run("--out", str(tmp_path))
    assert (done.exit_code, done.stdout) == (0, "")
    assert "waraq.d.ts" in done.stderr


def test_a_folder_that_cannot_be_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert run("--out", str(tmp_path / "file")).exit_code == 2
    inside = run("--out", str(tmp_path / "file" / "folder"))
    assert inside.exit_code == 1
    assert "name another folder" in inside.stderr
    assert run().exit_code == 2


# AsyncAPI -------------------------------------------------------------------------------------


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for part in value.values():
            yield from references(part)
    if isinstance(value, list):
        for part in value:
            yield from references(part)


def resolve(reference: str) -> Any:
    found: Any = ASYNCAPI
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return found


def test_every_reference_of_the_document_leads_somewhere() -> None:
    found = set(references(ASYNCAPI))
    assert len(found) > 100
    for reference in found:
        assert resolve(reference) is not None


def test_every_operation_has_a_channel_and_every_channel_an_operation() -> None:
    used = [operation["channel"]["$ref"] for operation in ASYNCAPI["operations"].values()]
    assert sorted(used) == sorted(f"#/channels/{name}" for name in ASYNCAPI["channels"])
    assert {one["action"] for one in ASYNCAPI["operations"].values()} == {"send", "receive"}


def test_the_parameters_of_an_address_are_those_that_are_described() -> None:
    for channel in ASYNCAPI["channels"].values():
        assert set(re.findall(r"{(\w+)}", channel["address"])) == set(channel["parameters"])


def test_an_answer_is_a_message_of_the_feed() -> None:
    answers = [
        message["$ref"]
        for operation in ASYNCAPI["operations"].values()
        for message in operation.get("reply", {}).get("messages", ())
    ]
    assert len(answers) == 7
    assert all(answer.startswith("#/channels/feed/messages/") for answer in answers)


def test_every_message_belongs_to_a_channel_and_has_a_summary_and_an_example() -> None:
    listed = [name for channel in ASYNCAPI["channels"].values() for name in channel["messages"]]
    messages = ASYNCAPI["components"]["messages"]
    assert sorted(listed) == sorted(messages)
    for message in messages.values():
        assert message["summary"]
        assert message["examples"]


def test_who_may_say_and_hear_is_what_the_broker_lets_them() -> None:
    who = {
        name: (channel["x-senders"], channel["x-receivers"])
        for name, channel in ASYNCAPI["channels"].items()
    }
    assert "player" in who["commands"][0]
    assert who["feed"] == (["table"], ["player", "cli"])
    assert "player" not in who["events"][1]
    assert who["asks"][0][0] == "player"


def test_the_schemas_of_the_document_are_those_of_the_bundle_in_the_words_of_draft_7() -> None:
    schemas = ASYNCAPI["components"]["schemas"]
    assert set(schemas) == set(BUNDLE["$defs"])
    assert {*SAID, *HEARD} <= set(schemas)
    assert "prefixItems" not in json.dumps(schemas)
    pair = {"type": "array", "prefixItems": [{"type": "integer"}], "items": False}
    assert draft_7(pair)["items"] == [{"type": "integer"}]
    assert draft_7(pair)["additionalItems"] is False


# Texts ----------------------------------------------------------------------------------------


def test_every_struct_of_the_contract_says_what_it_is() -> None:
    silent = [
        name
        for name, schema in BUNDLE["$defs"].items()
        if "properties" in schema and not schema.get("description")
    ]
    assert silent == []


def test_no_file_names_a_host_or_a_folder_of_a_machine() -> None:
    for data in FILES.values():
        text = data.decode().replace("https://json-schema.org/draft/2020-12/schema", "")
        assert "://" not in text
        assert str(CHECKOUT) not in text
