"""TypeScript types, made from the JSON Schema: only the words that our schemas have are known."""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from services.cli.schema.json_schema import ABOUT, Schema, referred

WIDTH: Final = 96
"""Columns of a doc comment's text."""
_PLAIN: Final = {
    "string": "string",
    "integer": "number",
    "boolean": "boolean",
    "null": "null",
}
_BOUNDS: Final = (
    ("minimum", "At least {}"),
    ("maximum", "At most {}"),
    ("minItems", "At least {} items"),
    ("maxItems", "At most {} items"),
    ("maxLength", "At most {} characters"),
    ("pattern", "Pattern: `{}`"),
)
"""What a type of TypeScript cannot say of a value, in words."""


def types(bundle: Schema) -> str:
    """The file `waraq.d.ts`: an exported type for each definition, in their order."""
    head = "\n".join(_comment(f"{ABOUT}\n\nMade by `waraq schema`: do not edit.", ""))
    parts = ["\n".join(_declared(name, schema)) for name, schema in bundle["$defs"].items()]
    return "\n\n".join([head, *parts]) + "\n"


def _declared(name: str, schema: Schema) -> Iterator[str]:
    yield from _comment(_about(schema), "")
    if "properties" not in schema:
        yield f"export type {name} ={_broken(_type(schema))};"
        return
    yield f"export interface {name} {{"
    for key, part in schema["properties"].items():
        yield from _comment(_about(part), "  ")
        mark = "" if key in schema["required"] else "?"
        yield f"  readonly {key}{mark}: {_type(part)};"
    yield "}"


def _broken(union: str) -> str:
    """A union that is too long for a line, with a line for each kind."""
    if len(union) <= WIDTH:
        return f" {union}"
    return "".join(f"\n  | {kind}" for kind in union.split(" | "))


def _type(schema: Schema) -> str:
    name = referred(schema)
    if name is not None:
        return name
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return " | ".join(_type(part) for part in schema[word])
    return _shape(schema)


def _shape(schema: Schema) -> str:
    if schema["type"] == "object":
        return f"Readonly<Record<string, {_type(schema['additionalProperties'])}>>"
    if schema["type"] != "array":
        return _PLAIN[schema["type"]]
    if "prefixItems" in schema:
        return f"readonly [{', '.join(_type(part) for part in schema['prefixItems'])}]"
    item = _type(schema["items"])
    return f"readonly ({item})[]" if " " in item else f"readonly {item}[]"


def _about(schema: Schema) -> str:
    """The description, and in words what bounds and default the type cannot say."""
    said = [schema["description"]] if "description" in schema else []
    bounds = _bounds(schema)
    if bounds:
        said.append(f"{'. '.join(bounds)}.")
    if "default" in schema:
        said.append(f"Default: {json.dumps(schema['default'])}.")
    return "\n\n".join(said)


def _bounds(schema: Mapping[str, object]) -> list[str]:
    """Of what a pattern or a tuple says by itself nothing."""
    said = {"prefixItems": ("minItems", "maxItems"), "pattern": ("maxLength",)}
    implied = {word for key, words in said.items() if key in schema for word in words}
    return [text.format(schema[w]) for w, text in _BOUNDS if w in schema and w not in implied]


def _comment(text: str, indent: str) -> list[str]:
    """A doc comment, of one line where it fits; nothing for no text."""
    parts = text.replace("*/", "* /").split("\n\n") if text else []
    lines = [line for part in parts for line in _wrapped(part)]
    if not lines:
        return []
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def _wrapped(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
