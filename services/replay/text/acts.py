"""From lines to acts: what players, scoring, operators and the clock did, with the line of each.

What only follows from it (the house's cards, who took a trick, points) is passed over here;
`services.replay.text.match_text` holds it against what the rules give.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from schemas.commands import AbandonMatch, AddNonce, GameAction, LeaveSeat, StartMatch
from schemas.ids import AbandonReason, Hex32, PlayerId, Seat
from services.replay.text.form import FOLLOWS, SCORE, TRUMP, TextUnreadable, shown
from services.replay.text.lines import Line


class Sits(Struct, frozen=True):
    """Somebody takes the seat."""

    player: PlayerId


Turn = Literal["late", "back", "score"]
"""Time is up for the seat; its owner is back; the round that ended is scored."""
Deed = Sits | LeaveSeat | AddNonce | StartMatch | AbandonMatch | GameAction | Turn


class Act(Struct, frozen=True):
    """`said`: the words that say it, on `line`."""

    line: int
    said: str
    seat: Seat | None
    deed: Deed


_NUMBER: Final = re.compile(r"[1-9][0-9]{0,4}\.")
_SEAT: Final = re.compile(r"([0-3]):")
_MOVE: Final = re.compile(r"([0-3]):([^:]+)")
_VERBS: Final = ("stock", "fire", "lay", "open", "off", "swap", "drop")
_MELD: Final = re.compile(r"#([1-9][0-9]?)")


def acts_of(lines: Iterable[Line], game: str) -> Iterator[Act]:
    """The acts in the order in which they were done; raises `TextUnreadable`."""
    for line in lines:
        label, *words = line.words
        if label in FOLLOWS:
            continue
        if label.startswith("("):
            yield from _asides(line, line.words)
        elif label == SCORE:
            yield from _scoring(line, words)
        elif game == "hokm" and (label == TRUMP or _NUMBER.fullmatch(label)):
            yield from _trick(line, words, trump=label == TRUMP)
        elif game == "hand" and _NUMBER.fullmatch(label):
            yield from _turn(line, words)
        else:
            raise TextUnreadable(line.line, f"no line of {game} begins with {shown(label)}")


# Asides ---------------------------------------------------------------------------------------


def _asides(line: Line, words: Iterable[str]) -> Iterator[Act]:
    for word in words:
        if not word.startswith("("):
            raise TextUnreadable(line.line, f"{shown(word)} stands where nobody is on turn")
        yield from _aside(line, word)


def _aside(line: Line, word: str) -> Iterator[Act]:
    """The act in parentheses, if it is one and does not only follow from others."""
    match word[1:-1].split():
        case ["new", "stock", _] | ["0" | "1" | "2" | "3", "house"]:
            return
        case ["start"]:
            yield Act(line.line, word, None, StartMatch())
        case ["abandoned", reason]:
            deed = AbandonMatch(reason=_read(line, reason, AbandonReason))
            yield Act(line.line, word, None, deed)
        case ["0" | "1" | "2" | "3" as seat, *said]:
            yield Act(line.line, word, int(seat), _of_seat(line, word, said))
        case _:
            raise TextUnreadable(line.line, f"{shown(word)} says nothing that can happen")


def _of_seat(line: Line, word: str, said: list[str]) -> Deed:
    match said:
        case ["late"]:
            return "late"
        case ["back"]:
            return "back"
        case ["leaves"]:
            return LeaveSeat()
        case ["sits", player]:
            return Sits(_read(line, player, PlayerId))
        case ["nonce", nonce]:
            return AddNonce(nonce=_read(line, nonce, Hex32))
        case _:
            raise TextUnreadable(line.line, f"{shown(word)} says nothing that a seat can do")


def _read(line: Line, word: str, kind: Any) -> Any:
    try:
        return msgspec.convert(word, kind)
    except msgspec.ValidationError as error:
        reason = f"{shown(word)} is not of the form that belongs here"
        raise TextUnreadable(line.line, reason) from error


# Lines of play --------------------------------------------------------------------------------


def _scoring(line: Line, words: Sequence[str]) -> Iterator[Act]:
    """What happened before the score, then the score: its points follow from the round."""
    asides = [word for word in words if word.startswith("(")]
    yield from _asides(line, asides)
    if len(asides) < len(words):
        yield Act(line.line, SCORE, None, "score")


def _trick(line: Line, words: Sequence[str], *, trump: bool) -> Iterator[Act]:
    """A line of Hokm. The card after (late) is the house's, which follows."""
    late: Seat | None = None
    for at, word in enumerate(words):
        said = _MOVE.fullmatch(word)
        if word == "->":
            yield from _asides(line, words[at + 2 :])
            return
        if word.startswith("("):
            done = list(_aside(line, word))
            late = _late(done, late)
            yield from done
        elif said is None:
            raise TextUnreadable(line.line, f"{shown(word)} is not a seat and its card: 0:AS")
        elif late == int(said[1]):
            late = None
        else:
            kind, name = ("choose_trump", "suit") if trump else ("play_card", "card")
            action = _action(line, word, {"type": kind, name: said[2]})
            yield Act(line.line, word, int(said[1]), action)


def _late(done: Iterable[Act], before: Seat | None) -> Seat | None:
    """The seat whose time ran out, if one's did."""
    return next((act.seat for act in done if act.deed == "late"), before)


def _turn(line: Line, words: Sequence[str]) -> Iterator[Act]:
    """A line of Hand. All that a seat does after (late) is the house's, which follows."""
    said = _SEAT.fullmatch(words[0]) if words else None
    if said is None:
        raise TextUnreadable(line.line, "a turn begins with its number and its seat: 12. 3:")
    seat, late = int(said[1]), None
    for part in _parts(line, words[1:]):
        if part[0].startswith("("):
            done = list(_aside(line, part[0]))
            late = _late(done, late)
            yield from done
        elif late is None:
            yield Act(line.line, " ".join(part), seat, _done(line, part))


def _parts(line: Line, words: Sequence[str]) -> Iterator[list[str]]:
    """Each verb with what belongs to it, each aside alone."""
    part: list[str] = []
    for word in words:
        if word in _VERBS or word.startswith("("):
            if part:
                yield part
            part = [word]
        elif not part or part[0].startswith("("):
            raise TextUnreadable(line.line, f"{shown(word)} is none of {', '.join(_VERBS)}")
        else:
            part.append(word)
    if part:
        yield part


def _done(line: Line, part: list[str]) -> GameAction:
    return _action(line, " ".join(part), _said(line, part))


def _said(line: Line, part: list[str]) -> dict[str, object]:
    """The fields of the action; what only follows is left out."""
    match part:
        case ["stock" | "fire" as pile, _] | ["stock" | "fire" as pile]:
            return {"type": "draw", "from": pile}
        case ["lay", _, *_] | ["open", _, _, *_]:
            listed = part[1:] if part[0] == "lay" else part[2:]
            return {"type": "lay_melds", "melds": _melds(line, listed)}
        case ["off", meld, card]:
            return {"type": "lay_off", "meld": _meld(line, meld), "card": card}
        case ["off", meld, card, end]:
            return {"type": "lay_off", "meld": _meld(line, meld), "card": card, "end": end}
        case ["swap", meld, card, "for", _] | ["swap", meld, card]:
            return {"type": "swap_joker", "meld": _meld(line, meld), "card": card}
        case ["drop", card]:
            return {"type": "discard", "card": card}
        case _:
            raise TextUnreadable(line.line, f"{shown(' '.join(part))} is not said in full")


def _melds(line: Line, words: Sequence[str]) -> list[list[str]]:
    """The cards behind each #number; the numbers themselves follow."""
    melds: list[list[str]] = []
    for word in words:
        if _MELD.fullmatch(word):
            melds.append([])
        elif melds:
            melds[-1].append(word)
        else:
            raise TextUnreadable(line.line, f"a meld begins with its number, not {shown(word)}")
    return melds


def _meld(line: Line, word: str) -> int:
    found = _MELD.fullmatch(word)
    if found is None:
        raise TextUnreadable(line.line, f"{shown(word)} is no meld's number: #3")
    return int(found[1])


def _action(line: Line, words: str, said: dict[str, object]) -> GameAction:
    try:
        action: GameAction = msgspec.convert(said, GameAction)
    except msgspec.ValidationError as error:
        reason = f"{shown(words)}: no such card, suit or end is in this game"
        raise TextUnreadable(line.line, reason) from error
    return action
