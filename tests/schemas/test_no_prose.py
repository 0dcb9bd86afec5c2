"""No name, chat or prose is in the log, so that erasing a player's name breaks no proof."""

from collections.abc import Iterator

from msgspec import inspect

from schemas.events import Event

PACKS = frozenset({"packs"})
"""Cards as the shuffle made them; the audit makes each pack again from its seed."""


def texts(found: inspect.Type, name: str = "") -> Iterator[tuple[str, inspect.StrType]]:
    """Every piece of text that an event may hold, with the field it stands in."""
    match found:
        case inspect.StrType():
            yield name, found
        case inspect.StructType(fields=fields):
            for field in fields:
                yield from texts(field.type, field.name)
        case inspect.UnionType(types=types):
            for one in types:
                yield from texts(one, name)
        case inspect.VarTupleType(item_type=item):
            yield from texts(item, name)
        case inspect.TupleType(item_types=items):
            for one in items:
                yield from texts(one, name)
        case inspect.IntType() | inspect.BoolType() | inspect.LiteralType() | inspect.NoneType():
            pass
        case _:
            raise AssertionError(found)


def test_no_text_of_an_event_is_a_persons_to_write() -> None:
    """Every other text has a pattern of ids, of digits or of cards, and a longest length."""
    free = {name for name, text in texts(inspect.type_info(Event)) if text.pattern is None}
    assert free == PACKS


def test_there_is_text_to_look_at() -> None:
    assert {"match", "owner", "seal", "secret", "card", "nonce"} <= {
        name for name, _ in texts(inspect.type_info(Event))
    }
