"""What a change of the schema breaks for clients that were written before it.

Two bundles are walked side by side from their roots, what clients say and what they hear each by
its own rules; docs/schema/README.md states them. Only the wire counts: the names of definitions do
not.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from msgspec import Struct

from services.cli.schema.json_schema import HEARD, SAID, Schema, reference, referred

Side = Literal["said", "heard"]
Rule = Literal[
    "kind gone",
    "kind new",
    "field gone",
    "field required",
    "field no longer always there",
    "default changed",
    "pattern changed",
    "bounds narrower",
    "bounds wider",
    "form changed",
]
ROOTS: Final[Mapping[Side, tuple[str, ...]]] = {"said": SAID, "heard": HEARD}
LEAST: Final = ("minimum", "minLength", "minItems")
MOST: Final = ("maximum", "maxLength", "maxItems")
TAGS: Final = ("type", "game")
UNBOUNDED: Final = float("inf")
KNOWN: Final = frozenset(
    {
        *LEAST,
        *MOST,
        *("type", "const", "enum", "oneOf", "anyOf", "pattern", "properties", "required"),
        *("items", "prefixItems", "additionalProperties", "description", "default", "x-open"),
    }
)
"""Words of a schema that are compared, or mean nothing on the wire. Of any other (a bound that is
exclusive, a multiple) nobody here can tell what a change of it breaks.
"""


class Breach(Struct, frozen=True):
    """A rule that is broken, at a path such as `Command.action[play_card].card`."""

    rule: Rule
    path: str


class Pair(Struct, frozen=True, kw_only=True):
    """The same place in both bundles."""

    side: Side
    path: str
    old: Schema
    new: Schema

    def at(self, step: str, old: Schema, new: Schema) -> "Pair":
        return Pair(side=self.side, path=self.path + step, old=old, new=new)

    def breach(self, rule: Rule, step: str = "") -> Breach:
        return Breach(rule, self.path + step)


class Walk:
    """Compares two bundles; each pair of structs once for each side."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self._old, self._new = old["$defs"], new["$defs"]
        self._seen: set[tuple[Side, str, str]] = set()

    def breaches(self) -> Iterator[Breach]:
        for side, roots in ROOTS.items():
            for root in roots:
                at = Pair(side=side, path=root, old=reference(root), new=reference(root))
                yield from self._compare(at)

    def _compare(self, pair: Pair) -> Iterator[Breach]:
        yield from _defaults(pair)
        if self._was_here(pair):
            return
        old, new = _kinds(pair.old, self._old), _kinds(pair.new, self._new)
        yield from _kinds_changed(pair, old, new, open_=_is_open(pair.old, self._old))
        for kind in [kind for kind in old if kind in new]:
            step = "" if len(old) == len(new) == 1 else f"[{kind}]"
            yield from self._same_kind(pair.at(step, old[kind], new[kind]))

    def _was_here(self, pair: Pair) -> bool:
        """True the second time for a struct of many places: what it breaks is told once."""
        old, new = referred(pair.old), referred(pair.new)
        if old is None or new is None or "properties" not in self._old[old]:
            return False
        key = (pair.side, old, new)
        seen = key in self._seen
        self._seen.add(key)
        return seen

    def _same_kind(self, pair: Pair) -> Iterator[Breach]:
        yield from _pattern(pair)
        yield from _bounds(pair)
        yield from _other_words(pair)
        if "properties" in pair.old:
            yield from self._fields(pair)
        elif "prefixItems" in pair.old:
            yield from self._tuple(pair)
        else:
            yield from self._inner(pair)

    def _inner(self, pair: Pair) -> Iterator[Breach]:
        for word in ("items", "additionalProperties"):
            old, new = pair.old.get(word), pair.new.get(word)
            if isinstance(old, dict) and isinstance(new, dict):
                yield from self._compare(pair.at("[]", old, new))
            elif isinstance(old, dict):
                yield pair.breach("form changed", "[]")

    def _fields(self, pair: Pair) -> Iterator[Breach]:
        old, new = pair.old["properties"], pair.new.get("properties", {})
        yield from (pair.breach("field gone", f".{name}") for name in old.keys() - new.keys())
        was, is_ = set(pair.old["required"]), set(pair.new["required"])
        if pair.side == "said":
            yield from (pair.breach("field required", f".{name}") for name in is_ - was)
        else:
            gone = (was - is_) & new.keys()
            yield from (pair.breach("field no longer always there", f".{name}") for name in gone)
        for name in [name for name in old if name in new]:
            yield from self._compare(pair.at(f".{name}", old[name], new[name]))

    def _tuple(self, pair: Pair) -> Iterator[Breach]:
        old, new = pair.old["prefixItems"], pair.new["prefixItems"]
        if len(old) == len(new):
            for number, (was, is_) in enumerate(zip(old, new, strict=True)):
                yield from self._compare(pair.at(f"[{number}]", was, is_))


def breaches(old: Schema, new: Schema) -> list[Breach]:
    """Every rule that the step from `old` to `new` breaks, in the order of their paths."""
    return sorted(set(Walk(old, new).breaches()), key=lambda one: (one.path, one.rule))


# One place ------------------------------------------------------------------------------------


def _kinds(schema: Schema, defs: dict[str, Schema]) -> dict[str, Schema]:
    """The alternatives of a schema by what tells them apart on the wire: a value, a tag, a form."""
    name = referred(schema)
    if name is not None:
        return _kinds(defs[name], defs)
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return {k: v for part in schema[word] for k, v in _kinds(part, defs).items()}
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if values is not None:
        return {repr(value): {} for value in values}
    return {_form(schema): schema}


def _form(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"tuple of {len(schema['prefixItems'])}"
    parts: dict[str, Any] = schema.get("properties", {})
    tags = [parts[tag]["const"] for tag in TAGS if "const" in parts.get(tag, {})]
    return str(tags[0] if tags else schema["type"])


def _is_open(schema: Schema, defs: dict[str, Schema]) -> bool:
    """True for a union or a list of values that says so, also beside null."""
    name = referred(schema)
    if name is not None:
        return _is_open(defs[name], defs)
    return "x-open" in schema or any(_is_open(part, defs) for part in schema.get("anyOf", ()))


def _kinds_changed(
    pair: Pair, old: dict[str, Schema], new: dict[str, Schema], *, open_: bool
) -> Iterator[Breach]:
    """Nothing that was said may be refused now; nothing is heard that was not before, but what is
    open may get more of what it has. There what is gone may be what somebody waits for, by another
    name now.
    """
    gone, come = old.keys() - new.keys(), new.keys() - old.keys()
    if len(old) == len(new) == 1 and gone:
        yield pair.breach("form changed")
    elif pair.side == "said":
        yield from (pair.breach("kind gone", f"[{kind}]") for kind in gone)
    else:
        gone_too = gone if open_ else ()
        yield from (pair.breach("kind gone", f"[{kind}]") for kind in gone_too)
        more = {_sort(schema) for schema in old.values()} - {"form"} if open_ else ()
        strange = (kind for kind in come if _sort(new[kind]) not in more)
        yield from (pair.breach("kind new", f"[{kind}]") for kind in strange)


def _sort(schema: Schema) -> Literal["value", "tagged", "form"]:
    """A value, a struct with a tag, or what can only be told by its form, as null can."""
    if not schema:
        return "value"
    parts = schema.get("properties", {})
    return "tagged" if any("const" in parts.get(tag, {}) for tag in TAGS) else "form"


def _defaults(pair: Pair) -> Iterator[Breach]:
    """Who leaves a field out must go on meaning the same."""
    if (
        pair.side == "said"
        and "default" in pair.old
        and pair.old["default"] != pair.new.get("default")
    ):
        yield pair.breach("default changed")


def _pattern(pair: Pair) -> Iterator[Breach]:
    """Which of two patterns is narrower nobody can tell in general, so any other one is a breach;
    but what is said may lose its pattern.
    """
    old, new = pair.old.get("pattern"), pair.new.get("pattern")
    if old != new and not (pair.side == "said" and new is None):
        yield pair.breach("pattern changed")


def _other_words(pair: Pair) -> Iterator[Breach]:
    old, new = (
        {word: value for word, value in schema.items() if word not in KNOWN}
        for schema in (pair.old, pair.new)
    )
    if old != new:
        yield pair.breach("form changed")


def _bounds(pair: Pair) -> Iterator[Breach]:
    lower = [(pair.old.get(w, -UNBOUNDED), pair.new.get(w, -UNBOUNDED)) for w in LEAST]
    upper = [(-pair.old.get(w, UNBOUNDED), -pair.new.get(w, UNBOUNDED)) for w in MOST]
    for old, new in lower + upper:
        if pair.side == "said" and new > old:
            yield pair.breach("bounds narrower")
        if pair.side == "heard" and new < old:
            yield pair.breach("bounds wider")
