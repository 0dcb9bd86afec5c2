"""Decoders whose one error is `msgspec.DecodeError`, whatever bytes come."""

from typing import Any

import msgspec


def decoder(kind: Any) -> Any:
    """A function from JSON to `kind`; what is nested too deep for the parser is undecodable too."""
    decode = msgspec.json.Decoder(kind).decode

    def strict(data: bytes | str) -> Any:
        try:
            return decode(data)
        except RecursionError as error:
            raise msgspec.DecodeError("nested too deep") from error

    return strict
