"""What one who owns the log could do to a match, each with the version that must be named."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Final

from msgspec import Struct, field

from services.rules.chance import shuffled
from tests.verifier.matches import Message, chained

OTHER: Final = "5a" * 32
"""A head, a seed, a secret, a nonce: another one."""


class Forged(Struct, frozen=True):
    """Messages of seat 0 and the first false step that they must give."""

    messages: list[Message]
    step: str
    version: int
    options: dict[str, Any] = field(default_factory=dict)


Forgery = Callable[[list[Message]], Forged]


# Finding and changing ---------------------------------------------------------------------------


def bodies(messages: list[Message], kind: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each body of that type, and its place in the list."""
    for at, one in enumerate(messages):
        if one["event"]["body"]["type"] == kind:
            yield at, one["event"]["body"]


def first(messages: list[Message], *kinds: str) -> tuple[int, dict[str, Any]]:
    return min((found for kind in kinds for found in bodies(messages, kind)), key=lambda it: it[0])


def first_told(messages: list[Message], *kinds: str) -> int:
    """The place of the first such event that brought cards."""
    found = (at for kind in kinds for at, _ in bodies(messages, kind) if messages[at]["cards"])
    return min(found)


def numbered(messages: list[Message]) -> list[Message]:
    """The events in this order numbered anew and chained anew."""
    again = [
        {**one, "event": {**one["event"], "version": version}}
        for version, one in enumerate(messages, 1)
    ]
    return chained(again)


def set_in(kind: str, step: str, **fields: Any) -> Forgery:
    """Fields of the first body of that type changed, all heads made anew."""

    def forge(messages: list[Message]) -> Forged:
        at, body = first(messages, kind)
        assert any(body[name] != value for name, value in fields.items())
        body.update(fields)
        return Forged(chained(messages), step, at + 1)

    return forge


# The chain and what is missing ------------------------------------------------------------------


def a_changed_line(messages: list[Message]) -> Forged:
    messages[20]["event"]["time"] += 1
    return Forged(messages, "chain", 21)


def a_changed_head(messages: list[Message]) -> Forged:
    messages[20]["head"] = OTHER
    return Forged(messages, "chain", 21)


def a_dropped_event(messages: list[Message]) -> Forged:
    del messages[20]
    return Forged(messages, "versions", 21)


def a_dropped_beginning(messages: list[Message]) -> Forged:
    return Forged(messages[5:], "versions", 1)


def swapped_events(messages: list[Message]) -> Forged:
    one, two = messages[20]["event"], messages[21]["event"]
    one["version"], two["version"] = two["version"], one["version"]
    return Forged(messages, "chain", 21)


def an_event_of_two_kinds(messages: list[Message]) -> Forged:
    other = deepcopy(messages[20])
    other["event"]["time"] += 1
    return Forged([*messages, other], "versions", 21)


def an_event_told_with_other_cards(messages: list[Message]) -> Forged:
    at = first_told(messages, "five_dealt", "rest_dealt", "hand_dealt")
    other = {**messages[at], "cards": messages[at]["cards"][::-1]}
    return Forged([*messages, other], "versions", at + 1)


def an_event_of_another_match(messages: list[Message]) -> Forged:
    messages[20]["event"]["match"] = "m_" + "f" * 32
    return Forged(chained(messages), "match", 21)


def an_appended_event(messages: list[Message]) -> Forged:
    more = deepcopy(messages[-2])
    more["event"]["version"] = len(messages) + 1
    return Forged(chained([*messages, more]), "order", len(messages) + 1)


def a_cut_end(messages: list[Message]) -> Forged:
    head, cut = messages[-1]["head"], messages[:-3]
    return Forged(cut, "head", len(cut) + 1, {"head": head})


def another_log_than_was_seen(messages: list[Message]) -> Forged:
    head = messages[30]["head"]
    messages[20]["event"]["time"] += 1
    return Forged(chained(messages), "head", len(messages) + 1, {"head": head})


# What was sealed --------------------------------------------------------------------------------


def another_pack(messages: list[Message]) -> Forged:
    at, body = first(messages, "round_revealed")
    pack = body["packs"][-1]
    pack[0], pack[1] = pack[1], pack[0]
    return Forged(chained(messages), "pack", at + 1)


def a_pack_more(messages: list[Message]) -> Forged:
    at, body = first(messages, "round_revealed")
    body["packs"].append(body["packs"][-1])
    return Forged(chained(messages), "pack", at + 1)


def a_pack_less(messages: list[Message]) -> Forged:
    at, body = first(messages, "round_revealed")
    del body["packs"][-1]
    return Forged(chained(messages), "pack", at + 1)


def another_seed_with_its_own_packs(messages: list[Message]) -> Forged:
    at, body = first(messages, "round_revealed")
    body["seed"] = OTHER
    labels = [shuffle["label"] for _, shuffle in bodies(messages[:at], "cards_shuffled")]
    packs = zip(labels, body["packs"], strict=True)
    seed = bytes.fromhex(OTHER)
    body["packs"] = [list(shuffled(seed, label, tuple(sorted(pack)))) for label, pack in packs]
    return Forged(chained(messages), "seal", at + 1)


def another_nonce_after_the_seal(messages: list[Message]) -> Forged:
    _, body = first(messages, "nonce_added")
    body["nonce"] = OTHER
    at, _ = first(messages, "round_revealed")
    return Forged(chained(messages), "seed", at + 1)


def a_late_nonce(messages: list[Message]) -> Forged:
    at, _ = first(messages, "match_started")
    messages[at], messages[at - 1] = messages[at - 1], messages[at]
    return Forged(numbered(messages), "order", at + 1)


def another_seat_drawn(messages: list[Message]) -> Forged:
    at, body = first(messages, "seat_drawn")
    body["seat"] = (body["seat"] + 1) % 2
    return Forged(chained(messages), "seat", at + 1)


def another_dealer_later(messages: list[Message]) -> Forged:
    *_, (at, body) = [*bodies(messages, "five_dealt"), *bodies(messages, "hand_dealt")]
    who = "hakem" if "hakem" in body else "dealer"
    body[who] = (body[who] + 2) % 4
    return Forged(chained(messages), "dealer", at + 1)


def a_round_that_is_not_revealed(messages: list[Message]) -> Forged:
    at, _ = first(messages, "round_revealed")
    del messages[at]
    return Forged(numbered(messages), "order", at + 1)


def a_deal_before_its_shuffle(messages: list[Message]) -> Forged:
    at, _ = first(messages, "five_dealt", "hand_dealt")
    shuffles = (place for place, body in bodies(messages, "cards_shuffled"))
    shuffle = max(place for place in shuffles if place < at)
    messages.insert(shuffle, messages.pop(at))
    return Forged(numbered(messages), "order", shuffle + 1)


def a_round_shuffled_twice(messages: list[Message]) -> Forged:
    *_, (at, _) = bodies(messages, "cards_shuffled")
    messages.insert(at, deepcopy(messages[at]))
    return Forged(numbered(messages), "order", at + 2)


# The cards --------------------------------------------------------------------------------------


def another_card_dealt_to_me(messages: list[Message]) -> Forged:
    at = first_told(messages, "five_dealt", "rest_dealt", "hand_dealt")
    cards = messages[at]["cards"]
    held = {card for one in messages for card in one["cards"]}
    cards[2] = next(card for card in ("2S", "3S", "4S", "JK1", "JK2") if card not in held)
    return Forged(messages, "cards", at + 1)


def cards_in_another_order(messages: list[Message]) -> Forged:
    at = first_told(messages, "rest_dealt", "hand_dealt")
    messages[at]["cards"].reverse()
    return Forged(messages, "cards", at + 1)


def a_card_that_came_from_nowhere(messages: list[Message]) -> Forged:
    at, _ = first(messages, "card_played", "card_discarded")
    messages[at]["cards"] = ["2S"]
    return Forged(messages, "cards", at + 1)


def a_played_card_that_was_not_dealt(messages: list[Message]) -> Forged:
    """The second play is made the first one's card: no two can have played it."""
    kind = "card_played" if any(bodies(messages, "card_played")) else "card_discarded"
    (_, one), (at, two), *_ = bodies(messages, kind)
    two["card"] = one["card"]
    return Forged(chained(messages), "play", at + 1)


ANY: Final[tuple[Forgery, ...]] = (
    a_changed_line,
    a_changed_head,
    a_dropped_event,
    a_dropped_beginning,
    swapped_events,
    an_event_of_two_kinds,
    an_event_told_with_other_cards,
    an_event_of_another_match,
    an_appended_event,
    a_cut_end,
    another_log_than_was_seen,
    another_pack,
    a_pack_more,
    a_pack_less,
    another_seed_with_its_own_packs,
    another_nonce_after_the_seal,
    a_late_nonce,
    another_seat_drawn,
    another_dealer_later,
    a_round_that_is_not_revealed,
    a_deal_before_its_shuffle,
    a_round_shuffled_twice,
    another_card_dealt_to_me,
    cards_in_another_order,
    a_card_that_came_from_nowhere,
    a_played_card_that_was_not_dealt,
)
"""In both games."""
FIELDS: Final[dict[str, Forgery]] = {
    "another seed": set_in("round_revealed", "seal", seed=OTHER),
    "another secret": set_in("match_ended", "secret", secret=OTHER),
    "another label": set_in("cards_shuffled", "order", label="stock2"),
    "another number of cards": set_in("cards_shuffled", "order", cards=51),
    "another round": set_in("cards_shuffled", "order", round=2),
    "no seal": set_in("cards_shuffled", "form", seal=None),
}
"""In both games, in one field."""


# Hokm alone, Hand alone -------------------------------------------------------------------------


def another_card_shown(messages: list[Message]) -> Forged:
    at, body = first(messages, "hakem_drawn")
    body["shown"][-1] = "AS" if body["shown"][-1] != "AS" else "AH"
    return Forged(chained(messages), "shown", at + 1)


def the_ace_for_another(messages: list[Message]) -> Forged:
    at, body = first(messages, "hakem_drawn")
    body["hakem"] = (body["hakem"] + 1) % 4
    return Forged(chained(messages), "shown", at + 1)


def another_card_drawn(messages: list[Message]) -> Forged:
    at = first_told(messages, "card_drawn")
    held = {card for one in messages for card in one["cards"]}
    messages[at]["cards"] = [next(f"{rank}S1" for rank in "23456789" if f"{rank}S1" not in held)]
    return Forged(messages, "cards", at + 1)


def another_fire_card(messages: list[Message]) -> Forged:
    at, body = first(messages, "fire_taken")
    body["card"] = "JK1" if body["card"] != "JK1" else "JK2"
    return Forged(chained(messages), "play", at + 1)


def a_joker_from_nowhere(messages: list[Message]) -> Forged:
    at, body = first(messages, "joker_swapped")
    body["joker"] = "JK1" if body["joker"] != "JK1" else "JK2"
    return Forged(chained(messages), "play", at + 1)


def other_cards_left(messages: list[Message]) -> Forged:
    at, body = first(messages, "round_ended")
    next(cards for cards in body["result"]["left"] if cards).pop()
    return Forged(chained(messages), "play", at + 1)


def a_stock_of_another_size(messages: list[Message]) -> Forged:
    at, body = first(messages, "card_drawn")
    body["stock"] += 1
    return Forged(chained(messages), "play", at + 1)


def a_new_stock_of_another_size(messages: list[Message]) -> Forged:
    stocks = (
        (at, body)
        for at, body in bodies(messages, "cards_shuffled")
        if body["label"].startswith("stock")
    )
    at, body = next(stocks)
    body["cards"] += 1
    return Forged(chained(messages), "order", at + 1)


ONLY: Final[dict[str, tuple[Forgery, ...]]] = {
    "hokm": (another_card_shown, the_ace_for_another),
    "hand": (
        another_card_drawn,
        another_fire_card,
        a_joker_from_nowhere,
        other_cards_left,
        a_stock_of_another_size,
        a_new_stock_of_another_size,
    ),
}


def forgeries(game: str) -> dict[str, Forgery]:
    """All that are tried on a match of `game`, by name."""
    named = {forgery.__name__.replace("_", " "): forgery for forgery in (*ANY, *ONLY[game])}
    return {**named, **FIELDS}
