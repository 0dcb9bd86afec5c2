"""What a match's log tells of its luck in the end, known from the start.

A secret is told when all is over and a seed when its round is. Whoever checks the log has both at
hand from the first line on, so that a shuffle which is not the sealed one is named where it stands.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from schemas.events import (
    END_TAGS,
    CardsShuffled,
    Event,
    MatchAbandoned,
    MatchEnded,
    MatchOpened,
    NonceAdded,
    RoundRevealed,
    SeatDrawn,
    decode_event,
)
from schemas.ids import Hex32, MatchId, Round
from services.replay.reexecution import RecordedChance, Unlawful
from services.rules.chance import RevealedChance, SealedChance, round_seed, seal_of
from services.rules.decider import Chance, Fact
from services.rules.match import MatchState

TELLING: Final = END_TAGS.union(("match_opened", "nonce_added", "cards_shuffled", "round_revealed"))
"""The events in which luck is told, or what goes into it."""
DRAW_ROUND: Final[Round] = 1
"""The round whose seed draws a seat (H6, N4)."""


class Luck(Struct, frozen=True, kw_only=True):
    """`secret` only if it is the sealed one; `odd_seal`: the seal is not that of the secret, but
    every round was dealt from the secret, so it is the seal that was changed.
    """

    match: MatchId = ""
    secret: bytes | None = None
    odd_seal: bool = False
    seeds: Mapping[Round, bytes] = field(default_factory=dict)

    def chance(self, state: MatchState | None, fact: Fact, seal: Hex32 | None) -> Chance:
        """The luck that `fact` must have had, which comes after `state` and stands under `seal`."""
        if self.secret is not None and state is not None:
            return SealedChance(self.secret, self.match, state.nonces)
        seed = self._seed(fact)
        sealed = seed is not None and seal_of(seed) == seal
        return RevealedChance(seed) if seed is not None and sealed else RecordedChance(fact)

    def _seed(self, fact: Fact) -> bytes | None:
        match fact.body:
            case SeatDrawn():
                return self.seeds.get(DRAW_ROUND)
            case CardsShuffled(round=number):
                return self.seeds.get(number)
            case _:
                return None


def luck_of(lines: Iterable[str]) -> Luck:
    """The luck told in `lines`, those of `TELLING` events in order; what is unreadable in them is
    for others to find.
    """
    try:
        return _told([decode_event(line) for line in lines])
    except (ValueError, AssertionError):
        return Luck()


def _told(events: Sequence[Event]) -> Luck:
    seeds: dict[Round, bytes] = {}
    seals: dict[Round, Hex32] = {}
    nonces: list[Hex32] = []
    seal, secret = "", None
    for event in events:
        match event.body:
            case MatchOpened():
                seal = event.body.seal
            case NonceAdded(nonce=nonce):
                nonces.append(nonce)
            case CardsShuffled(round=number, seal=sealed_by):
                seals.setdefault(number, sealed_by)
            case RoundRevealed(round=number, seed=seed):
                seeds.setdefault(number, bytes.fromhex(seed))
            case MatchEnded() | MatchAbandoned():
                secret = bytes.fromhex(event.body.secret)
            case _:
                pass
    match = events[0].match if events else ""
    sealed = secret is not None and seal_of(secret) == seal
    odd = (
        secret is not None
        and not sealed
        and seal != ""
        and _all_from(secret, match, tuple(nonces), seals)
    )
    return Luck(match=match, secret=secret if sealed else None, odd_seal=odd, seeds=seeds)


def _all_from(
    secret: bytes, match: MatchId, nonces: tuple[Hex32, ...], seals: Mapping[Round, Hex32]
) -> bool:
    """True if there are rounds, and each of them is sealed as `secret` would have it."""
    return bool(seals) and all(
        seal_of(round_seed(secret, match, number, nonces)) == seal for number, seal in seals.items()
    )


class Sealed(Struct, frozen=True):
    """A shuffle and the seal that it stands under."""

    version: int
    seal: Hex32


def check_seal(seal: Hex32, shuffles: Sequence[Sealed]) -> None:
    """Raises `Unlawful` unless a shuffle is sealed as those before it in its round are."""
    if shuffles and shuffles[0].seal != seal:
        raise Unlawful(f"it is sealed otherwise than version {shuffles[0].version}, of its round")


def check_seed(revealed: RoundRevealed, shuffles: Iterable[Sealed]) -> None:
    """Raises `Unlawful` unless the seed is the one under whose seal each shuffle stands."""
    seal = seal_of(bytes.fromhex(revealed.seed))
    for shuffle in shuffles:
        if shuffle.seal != seal:
            raise Unlawful(f"the seed is not the one sealed at version {shuffle.version}")


def check_secret(state: MatchState, secret: Hex32) -> None:
    """Raises `Unlawful` unless the secret is the one that was sealed at the opening."""
    if seal_of(bytes.fromhex(secret)) != state.opened.seal:
        raise Unlawful("the secret is not the one that was sealed")
