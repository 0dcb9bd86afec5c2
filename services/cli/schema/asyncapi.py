"""The AsyncAPI 3.0 document: which message on which subject, and who may say and hear it.

It is written from a client's side: a client *sends* commands and asks, and *receives* feeds; what
it may not receive (`event.>`) is there for analytics. Who may do what is read from the broker's
permissions, examples are the released lines.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from services.cli.schema.channels import CHANNELS, ChannelPlan, receivers, senders
from services.cli.schema.examples import Examples
from services.cli.schema.json_schema import Schema, referred

VERSION: Final = "0.2.0"
"""Of the contract: rises with whatever changes in a released schema (docs/schema/README.md)."""
ABOUT: Final = (
    "Card tables for Hokm and Hand. Written from a client's side: it sends commands and asks, and"
    " receives feeds. Identity is the subject, and the broker enforces it; nothing is ever said to"
    " a reply subject. docs/clients.md tells the whole conversation."
)
_COMPONENTS: Final = "#/components/schemas/"
_SERVERS: Final = {
    "websocket": ("ws", "NATS over websocket, for browsers and whoever has a session."),
    "nats": ("nats", "NATS over TCP."),
}


def document(bundle: Schema, examples: Examples) -> Schema:
    """The document for the schemas of `bundle`."""
    schemas = {name: draft_7(schema) for name, schema in bundle["$defs"].items()}
    messages = {
        name: message
        for plan in CHANNELS
        for name, message in _messages(plan, bundle["$defs"], examples)
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Waraq",
            "version": VERSION,
            "description": ABOUT,
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {name: _server(protocol, about) for name, (protocol, about) in _SERVERS.items()},
        "channels": {plan.name: _channel(plan, bundle["$defs"]) for plan in CHANNELS},
        "operations": {plan.operation: _operation(plan) for plan in CHANNELS},
        "components": {
            "schemas": schemas,
            "messages": messages,
            "securitySchemes": {"session": _session()},
        },
    }


def _server(protocol: str, about: str) -> Schema:
    return {
        "host": "{host}",
        "protocol": protocol,
        "description": about,
        "variables": {"host": {"description": "As the session names it, or the operator."}},
        "security": [{"$ref": "#/components/securitySchemes/session"}],
    }


def _session() -> Schema:
    return {
        "type": "apiKey",
        "in": "password",
        "description": "The token of a session, as the connection's token (docs/clients.md).",
    }


def _channel(plan: ChannelPlan, defs: Mapping[str, Schema]) -> Schema:
    return {
        "address": plan.address,
        "description": plan.about,
        "parameters": {name: {"description": text} for name, text in plan.parameters.items()},
        "messages": {
            name: {"$ref": f"#/components/messages/{name}"} for name in _kinds(plan, defs)
        },
        "x-senders": senders(plan),
        "x-receivers": receivers(plan),
    }


def _operation(plan: ChannelPlan) -> Schema:
    operation: Schema = {
        "action": plan.action,
        "channel": {"$ref": f"#/channels/{plan.name}"},
        "summary": plan.summary,
    }
    if plan.answers:
        operation["reply"] = {
            "channel": {"$ref": "#/channels/feed"},
            "messages": [{"$ref": f"#/channels/feed/messages/{name}"} for name in plan.answers],
        }
    return operation


# Messages -------------------------------------------------------------------------------------


def _kinds(plan: ChannelPlan, defs: Mapping[str, Schema]) -> dict[str, str]:
    """The message's name for each kind that the channel carries: its struct's."""
    if plan.union is None:
        return {plan.payload: plan.payload}
    parts = defs[plan.union]["oneOf"]
    return {name: name for part in parts if (name := referred(part)) is not None}


def _messages(
    plan: ChannelPlan, defs: Mapping[str, Schema], examples: Examples
) -> Iterator[tuple[str, Schema]]:
    for name in _kinds(plan, defs):
        schema = defs[name]
        tag = schema["properties"].get("type", {}).get("const", name.lower())
        message: Schema = {"name": tag, "title": name, "payload": _payload(plan, name)}
        if "description" in schema:
            message["summary"] = schema["description"]
        if plan.headers:
            message["headers"] = _headers(plan.headers)
        if plan.payload == "Command":
            message["correlationId"] = {"location": "$message.payload#/id"}
        message["examples"] = [{"payload": found} for found in examples.of(plan.payload, tag)]
        yield name, message


def _payload(plan: ChannelPlan, name: str) -> Schema:
    """The whole message, and which kind of action or body it has."""
    if plan.kind_at is None:
        return {"$ref": _COMPONENTS + name}
    kind = {"type": "object", "properties": {plan.kind_at: {"$ref": _COMPONENTS + name}}}
    return {"allOf": [{"$ref": _COMPONENTS + plan.payload}, kind]}


def _headers(headers: Mapping[str, str]) -> Schema:
    parts = {name: {"type": "string", "description": text} for name, text in headers.items()}
    return {"type": "object", "properties": parts}


# Schemas as AsyncAPI has them -----------------------------------------------------------------


def draft_7(schema: Any) -> Any:
    """The same schema in the words of draft 7, which are AsyncAPI's: tuples are written otherwise,
    and beside a reference nothing else may stand.
    """
    if isinstance(schema, list):
        return [draft_7(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: draft_7(value) for key, value in schema.items()}
    if "prefixItems" in schema:
        parts["items"] = parts.pop("prefixItems")
        parts["additionalItems"] = False
    name = referred(schema)
    if name is None:
        return parts
    reference = {"$ref": _COMPONENTS + name}
    del parts["$ref"]
    return {"allOf": [reference], **parts} if parts else reference


def encode(document: Schema) -> bytes:
    """The bytes of a JSON file: the same for the same document."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"
