"""From a match file back to what a log stores, and whether the file is what it says.

Who watched a match, or sat at it, has no packs in his file. Once it is over they are known to
everybody: by the reveals of its rounds, and by its secret.
"""

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from schemas.cards import Card, encode_pack
from schemas.events import (
    ENDS,
    CardsShuffled,
    Event,
    RoundRevealed,
    decode_event,
    tag_of,
)
from schemas.ids import Hex32, MatchId
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Entry, Row
from services.replay.audit import LOG, Fault, Finding, Questions, audit_match
from services.replay.match_file import MatchFile, match_file
from services.replay.rebuild import JUDGE, PUBLIC, ViewerUnknown
from services.replay.signed_heads import check
from services.rules.chance import SealedChance
from services.rules.history import fact_of
from services.rules.match import MatchState, consequence, evolve

Pack = tuple[Card, ...]


def entries(file: MatchFile) -> tuple[Entry, ...]:
    """What a log stores of the match, as far as the file's viewer knew it.

    Only the judge's file knows the commands' ids, and the packs of a round that is being played.
    Nothing is checked: `audit_file` does.
    """
    events = [decode_event(line.event) for line in file.lines]
    packs = [line.pack for line in file.lines] if _is_judges(file) else _packs(events)
    return tuple(
        Entry(
            stream=file.header.match,
            version=event.version,
            type=tag_of(event.body),
            command=line.command,
            line=line.event,
            head=line.head,
            secret=None if pack is None else encode_pack(pack),
        )
        for line, event, pack in zip(file.lines, events, packs, strict=True)
    )


def audit_file(file: MatchFile, asked: Questions = LOG) -> Finding:
    """The audit of the file's match and of what the file says besides: a seat's cards, and the
    signature.
    """
    stored = entries(file)
    finding = audit_match(stored, replace(asked, viewers=not _is_judges(file)))
    if not finding.ok:
        return finding
    known = len(stored) if finding.unproven is None else finding.unproven - 1
    fault = _other_cards(file, stored[:known]) or _unsigned(file)
    return replace(finding, ok=fault is None, first_bad=fault)


def chain_fault(file: MatchFile) -> Fault | None:
    """The first event that does not chain to its head: of any file, also of a running match."""
    head = NO_HEAD
    for version, line in enumerate(file.lines, 1):
        head = next_head(head, line.event)
        if head != line.head:
            return Fault(version, "the line does not chain to its head")
    return None


def as_rows(stored: Sequence[Entry]) -> tuple[Row, ...]:
    """The rows of a log that has nothing else."""
    return tuple(
        Row(partition=0, position=position, entry=entry) for position, entry in enumerate(stored, 1)
    )


def _is_judges(file: MatchFile) -> bool:
    return file.header.viewer == JUDGE


def _unsigned(file: MatchFile) -> Fault | None:
    signed = file.header.signed
    if signed is None or check(signed, file.last_head) == "good":
        return None
    return Fault(file.header.events, "the signature is not that of the key that it names")


def _other_cards(file: MatchFile, stored: Sequence[Entry]) -> Fault | None:
    """The first line whose cards are not those that a seat got, as far as `stored` tells."""
    viewer = file.header.viewer
    if viewer in {JUDGE, PUBLIC}:
        return None
    try:
        right = match_file(as_rows(stored), viewer).lines
    except ViewerUnknown:
        return Fault(1, f"the match has no {viewer}")
    for version, (ours, theirs) in enumerate(zip(right, file.lines, strict=False), 1):
        if ours.cards != theirs.cards:
            return Fault(version, f"the cards are not those that this event gave {viewer}")
    return None


# The packs of a match that is over ------------------------------------------------------------


def _packs(events: Sequence[Event]) -> list[Pack | None]:
    """The pack of each event: None for all that are no shuffle, and for those of a round that was
    being played.
    """
    told, last = _revealed(events), events[-1].body
    pairs = zip(events, told, strict=True)
    hidden = any(isinstance(one.body, CardsShuffled) and pack is None for one, pack in pairs)
    if not hidden or not isinstance(last, ENDS):
        return told
    return _unrevealed(events, told, last.secret)


def _revealed(events: Sequence[Event]) -> list[Pack | None]:
    """Those of rounds that came to their end. Whether they are right is for the audit to say."""
    packs: list[Pack | None] = [None] * len(events)
    waiting: list[int] = []
    for place, event in enumerate(events):
        if isinstance(event.body, CardsShuffled):
            waiting.append(place)
        elif isinstance(event.body, RoundRevealed):
            for shuffle, pack in zip(waiting, event.body.packs, strict=False):
                packs[shuffle] = pack
            waiting = []
    return packs


def _unrevealed(
    events: Sequence[Event], told: Sequence[Pack | None], secret: Hex32
) -> list[Pack | None]:
    """With those of a round that was broken off: the match's secret makes them again."""
    packs, state = list(told), None
    with suppress(Exception):  # the audit says which event the rules cannot take
        for place, event in enumerate(events):
            if packs[place] is None and isinstance(event.body, CardsShuffled):
                packs[place] = _made_again(state, event.match, secret)
            state = evolve(state, fact_of(event, packs[place]))
    return packs


def _made_again(state: MatchState | None, match: MatchId, secret: Hex32) -> Pack | None:
    """The pack of the shuffle that follows here."""
    assert state is not None
    fact = consequence(state, SealedChance(bytes.fromhex(secret), match, state.nonces))
    return fact.pack if fact is not None else None
