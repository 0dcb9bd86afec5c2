"""Tags: the opening of a match in words, and back; how it stands at the end."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from schemas.commands import Options, SeatPlan
from schemas.events import MatchAbandoned, MatchEnded, MatchOpened
from schemas.ids import Hex32, MatchId, PlayerId, matches
from services.replay.actions import is_sound
from services.replay.rebuild import unit_word
from services.replay.text.form import (
    FORM,
    INVITATION,
    OPENING,
    TextUnreadable,
    TextUntrue,
    shown,
)
from services.replay.text.lines import Form
from services.replay.text.sheet import Seen
from services.rules.chance import SHUFFLE, seal_of
from services.rules.games import GAMES, read_options

_YES: Final = {True: "yes", False: "no"}
_FLAGS: Final = {"yes": True, "no": False}


# Written --------------------------------------------------------------------------------------


def written(name: str, value: str) -> str:
    """A tag's line."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def first_tags(seen: list[Seen]) -> list[str]:
    """What a person wants to know of a match before its play."""
    first, body = seen[0].event, seen[0].event.body
    assert isinstance(body, MatchOpened)
    said = {
        "Waraq": FORM,
        "Match": first.match,
        "Ruleset": body.ruleset,
        "Options": _options_said(body.options),
        "Seats": ", ".join(map(_seat_said, body.seats)),
        "Owner": body.owner,
        "Opened": _date(first.time),
        "Result": _result(seen[-1]),
        "Events": str(len(seen)),
    }
    return [written(name, value) for name, value in said.items()]


def last_tags(opened: MatchOpened, secret: Hex32) -> list[str]:
    """What the bytes need besides the play."""
    said = {
        "Policy": opened.policy,
        "Key": opened.key,
        "Shuffle": opened.shuffle,
        "Seal": opened.seal,
        "Secret": secret,
    }
    if opened.invitation is not None:
        said[INVITATION] = opened.invitation
    return [written(name, value) for name, value in said.items()]


def _options_said(options: Options) -> str:
    said: dict[str, Any] = msgspec.to_builtins(options)
    del said["game"]
    return ", ".join(f"{name} {_value_said(value)}" for name, value in said.items())


def _value_said(value: object) -> str:
    return _YES[value] if isinstance(value, bool) else str(value)


def _seat_said(plan: SeatPlan) -> str:
    return f"{plan.seat} {plan.filled_by}" + (f" {plan.level}" if plan.level else "")


def _date(time: int) -> str:
    moment = datetime.fromtimestamp(time // 1000, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S}.{time % 1000:03d} UTC"


def _result(last: Seen) -> str:
    score = ":".join(map(str, last.after.totals)) or "no score"
    match last.event.body:
        case MatchEnded(winner=winner):
            return f"{score}, won by {unit_word(last.after)} {winner}"
        case MatchAbandoned(reason=reason):
            return f"{score}, abandoned ({reason})"
        case _:
            return f"{score}, not over"


# Read -----------------------------------------------------------------------------------------


def opening(form: Form) -> MatchOpened:
    """The opening that the tags say; raises `TextUnreadable`."""
    _check_form(form)
    ruleset = form.value("Ruleset")
    return MatchOpened(
        ruleset=ruleset,
        options=_options(form, ruleset.partition("@")[0]),
        seats=_seats(form),
        owner=_checked(form, "Owner", PlayerId),
        invitation=_checked(form, INVITATION, Hex32) if INVITATION in form.tags else None,
        seal=_checked(form, "Seal", Hex32),
        shuffle=form.value("Shuffle"),
        key=form.value("Key"),
        policy=form.value("Policy"),
    )


def match_of(form: Form) -> MatchId:
    return _checked(form, "Match", MatchId)


def secret_of(form: Form) -> bytes:
    return bytes.fromhex(_checked(form, "Secret", Hex32))


def check_opening(form: Form, body: MatchOpened, secret: bytes) -> None:
    """Would a table have opened this match, and is this its secret? Raises `TextUntrue`."""
    if not is_sound(body):
        raise _untrue(form, "Options", "no match is opened with these options and these seats")
    if seal_of(secret) != body.seal:
        raise _untrue(form, "Secret", "the secret is not the one that was sealed: see the tag Seal")


def _check_form(form: Form) -> None:
    known = {"Waraq": (FORM,), "Ruleset": tuple(GAMES), "Shuffle": (SHUFFLE,)}
    for name, values in known.items():
        if form.value(name) not in values:
            raise _bad(form, name, f"{shown(form.value(name))}; known here: {', '.join(values)}")


def _options(form: Form, game: str) -> Options:
    said = form.value("Options")
    words = dict(_pair(form, part.strip()) for part in said.split(","))
    try:
        return read_options(game, words)
    except (ValueError, msgspec.ValidationError) as error:
        raise _bad(form, "Options", str(error)) from error


def _pair(form: Form, part: str) -> tuple[str, object]:
    name, _, value = part.partition(" ")
    if not value or not name.isidentifier():
        raise _bad(form, "Options", f"{shown(part)} is no option and its value")
    if value.isdecimal() and value.isascii() and len(value) < 5:
        return name, int(value)
    return name, _FLAGS.get(value, value)


def _seats(form: Form) -> tuple[SeatPlan, ...]:
    return tuple(_seat(form, part.split()) for part in form.value("Seats").split(","))


def _seat(form: Form, words: list[str]) -> SeatPlan:
    names = ("seat", "filled_by", "level")
    try:
        said: Mapping[str, object] = dict(zip(names, words, strict=False))
        return msgspec.convert(said, SeatPlan, strict=False)
    except msgspec.ValidationError as error:
        raise _bad(form, "Seats", f"{shown(' '.join(words))}: {error}") from error


def _checked(form: Form, name: str, kind: object) -> str:
    value = form.value(name)
    if not matches(value, kind):
        raise _bad(form, name, f"{shown(value)} is not of the form that this tag has")
    return value


def _bad(form: Form, name: str, reason: str) -> TextUnreadable:
    return TextUnreadable(form.tags[name].line, f"{name}: {reason}")


def _untrue(form: Form, name: str, reason: str) -> TextUntrue:
    return TextUntrue(form.tags[name].line, f"{name}: {reason}", version=OPENING)
