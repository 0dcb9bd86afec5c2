"""The files of the contract, whole: pure, and the same bytes each time."""

from typing import Final

from services.cli.schema.asyncapi import document, encode
from services.cli.schema.examples import released_lines
from services.cli.schema.json_schema import bundle
from services.cli.schema.typescript import types

SCHEMA: Final = "schema.json"
ASYNCAPI: Final = "asyncapi.json"
TYPES: Final = "waraq.d.ts"


def contract() -> dict[str, bytes]:
    """Each file's bytes by its name."""
    schema = bundle()
    return {
        SCHEMA: encode(schema),
        ASYNCAPI: encode(document(schema, released_lines())),
        TYPES: types(schema).encode(),
    }
