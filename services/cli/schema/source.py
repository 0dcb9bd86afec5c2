"""What the source of `schemas` says beyond its types: names of types, and words under them.

Python keeps the docstring of a class; the one under a field or a named type is in the source only.
"""

import ast
import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from types import ModuleType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_origin

from msgspec import Struct

from schemas import cards, commands, events, feed, ids, refusals, views

MODULES: Final = (ids, cards, refusals, commands, events, views, feed)
"""In the order in which what they define is listed."""
_NAMED: Final = (Annotated, Literal, Union, UnionType)


def structs() -> dict[str, type[Struct]]:
    """Every struct of the contract by its name."""
    return {
        name: value
        for module in MODULES
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Struct) and value.__module__ in _ours()
    }


def named_types() -> dict[str, Any]:
    """Every named type that is no class: ids, numbers in bounds, small words, unions."""
    return {
        name: value
        for module in MODULES
        for name, value in vars(module).items()
        if get_origin(value) in _NAMED and not name.startswith("_")
    }


def _ours() -> frozenset[str]:
    return frozenset(module.__name__ for module in MODULES)


@cache
def words() -> Mapping[str, str]:
    """The docstrings under assignments: of `Seat` as `Seat`, of a field as `MatchOpened.seal`."""
    return dict(found for module in MODULES for found in _words_of(module))


def _words_of(module: ModuleType) -> Iterator[tuple[str, str]]:
    tree = ast.parse(inspect.getsource(module))
    yield from _under_assignments(tree.body, "")
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            yield from _under_assignments(statement.body, f"{statement.name}.")


def _under_assignments(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, str]]:
    for statement, after in pairwise(body):
        name, text = _assigned(statement), _text(after)
        if name and text:
            yield prefix + name, text


def _assigned(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


def _text(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Expr(value=ast.Constant(value=str() as text)):
            return inspect.cleandoc(text)
        case _:
            return None
