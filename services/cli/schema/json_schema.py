"""The JSON Schema (2020-12) of all that clients say and hear, made from the structs of `schemas`.

msgspec makes the schemas; here named types become definitions of their own, so that a card or a
seat is said once, a struct's tag becomes a `const`, and the words of the source are put in.
"""

from collections.abc import Mapping
from typing import Any, Final, get_args

import msgspec

from schemas.commands import Command
from schemas.events import Event
from schemas.feed import Ask, Feed
from services.cli.schema.source import named_types, structs, words

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
DEFINITIONS: Final = "#/$defs/"
SAID: Final = ("Command", "Ask")
"""The roots of what clients send."""
HEARD: Final = ("Feed", "Event")
"""The roots of what clients receive."""
OPEN: Final = frozenset(
    {
        *("Feed", "Body", "Refusal", "StickerId"),
        *("Options", "Score", "RoundResult", "View", "HandVariant"),
    }
)
"""What may get more kinds or values later, where it is heard: `x-open` in the schema. All other
lists of values are closed.
"""
OPEN_WORDS: Final = "More may come: ignore what you do not know."
ABOUT: Final = (
    "All that clients of Waraq say (Command, Ask) and hear (Feed, Event). What is said has no field"
    " beyond these; what is heard may get more fields, and more kinds of message: ignore what you"
    " do not know. docs/clients.md tells the conversation, docs/schema/README.md what may change."
)
_ANNOTATIONS: Final = ("default", "description")
_PYTHON_END: Final = r"(?!\n)"
"""After `$` in our patterns; in JSON Schema's regular expressions `$` is the very end already."""


def bundle() -> Schema:
    """One schema for any message, with a definition for each kind of thing."""
    roots, made = msgspec.json.schema_components(
        [Command, Ask, Feed, Event], ref_template=DEFINITIONS + "{name}"
    )
    named = {name: _alone(kind) for name, kind in named_types().items()}
    tidied = {
        name: _tidy_parts(schema, _others(named, name)) for name, schema in (named | made).items()
    }
    described = {name: _opened(name, _described(name, schema)) for name, schema in tidied.items()}
    return {
        "$schema": DIALECT,
        "title": "Waraq",
        "description": ABOUT,
        "oneOf": [_tidy(root, named) for root in roots],
        "$defs": _used(described),
    }


def reference(name: str) -> Schema:
    return {"$ref": DEFINITIONS + name}


def referred(schema: Schema) -> str | None:
    """The name of the definition that `schema` refers to, None if it does not."""
    found = schema.get("$ref")
    return found.removeprefix(DEFINITIONS) if isinstance(found, str) else None


def _alone(kind: object) -> Schema:
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=DEFINITIONS + "{name}")
    return schema


def _others(named: Mapping[str, Schema], name: str) -> dict[str, Schema]:
    return {other: schema for other, schema in named.items() if other != name}


def _tidy(schema: Any, named: Mapping[str, Schema]) -> Any:
    """The schema with references to named types wherever one of them is written out in full."""
    if not isinstance(schema, dict):
        return schema
    bare = {key: value for key, value in schema.items() if key not in _ANNOTATIONS}
    kept = {key: value for key, value in schema.items() if key in _ANNOTATIONS}
    for name, full in named.items():
        if bare == full:
            return {**reference(name), **kept}
    return _tidy_parts(schema, named)


def _tidy_parts(schema: Schema, named: Mapping[str, Schema]) -> Schema:
    tidied: Schema = {}
    for key, value in schema.items():
        match key, value:
            case "title" | "discriminator", _:
                pass
            case "enum", [only]:
                tidied["const"] = only
            case "default", tuple():
                tidied[key] = list(value)
            case "pattern", str():
                tidied["pattern"] = value.replace(_PYTHON_END, "")
            case "properties" | "$defs", dict():
                tidied[key] = {name: _tidy(part, named) for name, part in value.items()}
            case "anyOf" | "prefixItems", list():
                word = "oneOf" if "discriminator" in schema else key
                tidied[word] = [_tidy(part, named) for part in value]
            case _:
                tidied[key] = _tidy(value, named)
    return tidied


def _described(name: str, schema: Schema) -> Schema:
    """With the source's words, and for a feed message with every field required: it is written
    whole, whatever its defaults, but for one that leaves them out.
    """
    struct = structs().get(name)
    if struct is None:
        text = words().get(name)
        return {"description": text, **schema} if text else schema
    fields = {field.encode_name: field.name for field in msgspec.structs.fields(struct)}
    parts = {
        key: _with_words(part, words().get(f"{name}.{fields.get(key, key)}"))
        for key, part in schema["properties"].items()
    }
    written = struct in get_args(Feed) and not struct.__struct_config__.omit_defaults
    whole = {"required": list(parts)} if written else {}
    return {**schema, "properties": parts, **whole}


def _opened(name: str, schema: Schema) -> Schema:
    if name not in OPEN:
        return schema
    about = f"{schema['description']} {OPEN_WORDS}" if "description" in schema else OPEN_WORDS
    return {**schema, "description": about, "x-open": True}


def _with_words(part: Schema, text: str | None) -> Schema:
    return {**part, "description": text} if text else part


def _used(defs: Mapping[str, Schema]) -> dict[str, Schema]:
    """The definitions that a root refers to, in their order."""
    found: set[str] = set()
    waiting = [*SAID, *HEARD]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += references(defs[name])
    return {name: schema for name, schema in defs.items() if name in found}


def references(schema: Any) -> list[str]:
    """The names of all definitions that `schema` refers to, one by one as they stand in it."""
    if isinstance(schema, list):
        return [name for part in schema for name in references(part)]
    if not isinstance(schema, dict):
        return []
    own = referred(schema)
    return ([own] if own else []) + references(list(schema.values()))
