"""Events where they may not come, and cards told with what brings none; all heads made anew."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Final

from tests.verifier.forgeries import OTHER, Forged, Forgery, bodies, first, numbered
from tests.verifier.matches import Message, chained

Body = dict[str, Any]

OPENED: Final[Body] = {"type": "match_opened", "ruleset": "hokm@1", "options": {"game": "hokm"}}
"""As much of an opening as the verifier reads, but for its seal and shuffle."""
REST: Final[Body] = {"type": "rest_dealt"}
RESULTS: Final[dict[str, Body]] = {
    "hokm": {"game": "hokm", "hakem": 0, "tricks": [7, 0]},
    "hand": {"game": "hand", "left": [[], [], []]},
}


def put_in(messages: list[Message], at: int, body: Body, seat: int | None = None) -> list[Message]:
    """Another event at that place, with the time and origin of the one that stood there."""
    event = {**messages[at]["event"], "seat": seat, "body": body}
    more = {**messages[at], "event": event, "cards": []}
    return numbered([*messages[:at], more, *messages[at:]])


def before(kind: str, body: Body, *, later: int = 0, seat: int | None = None) -> Forgery:
    """That event so many places behind the one before the first of `kind`."""

    def forge(messages: list[Message]) -> Forged:
        at = first(messages, kind)[0] + later
        return Forged(put_in(messages, at, deepcopy(body), seat), "order", at + 1)

    return forge


def without(*kinds: str, shows: int = 0) -> Forgery:
    """Without the first event of `kinds`: it is missed so many places behind where it was."""

    def forge(messages: list[Message]) -> Forged:
        at, _ = first(messages, *kinds)
        return Forged(numbered(messages[:at] + messages[at + 1 :]), "order", at + shows + 1)

    return forge


def told(kind: str, cards: Sequence[str], *, whose: Callable[[Any], bool] = bool) -> Forgery:
    """Cards with the first event of `kind`, which brings seat 0 none."""

    def forge(messages: list[Message]) -> Forged:
        at = next(at for at, _ in bodies(messages, kind) if whose(messages[at]["event"]))
        messages[at]["cards"] = list(cards)
        return Forged(messages, "cards", at + 1)

    return forge


def a_second_rest_that_fills_hands_again(messages: list[Message]) -> Forged:
    """A seat plays its first card of the round once more, and holds it again by that time."""
    plays = [at for at, _ in bodies(messages, "card_played")]
    card = messages[plays[0]]["event"]["body"]["card"]
    seat = messages[plays[0]]["event"]["seat"]
    again = next(at for at in plays[4:] if messages[at]["event"]["seat"] == seat)
    messages[again]["event"]["body"]["card"] = card
    return Forged(put_in(messages, again, REST), "order", again + 1)


def no_opening(messages: list[Message]) -> Forged:
    return Forged(numbered(messages[1:]), "opened", 1)


def an_end_of_another_game(messages: list[Message]) -> Forged:
    at, body = first(messages, "round_ended")
    body["result"] = RESULTS["hand" if body["result"]["game"] == "hokm" else "hokm"]
    return Forged(chained(messages), "order", at + 1)


def tricks_that_nobody_took(messages: list[Message]) -> Forged:
    """Who is hakem in the next round hangs on them."""
    at, body = first(messages, "round_ended")
    body["result"]["tricks"].reverse()
    return Forged(chained(messages), "order", at + 1)


def opened_twice(messages: list[Message]) -> Forged:
    return Forged(put_in(messages, 2, deepcopy(messages[0]["event"]["body"])), "order", 3)


def card(kind: str, code: str, **more: Any) -> Body:
    return {"type": kind, "card": code, **more}


def shuffle(label: str, number: int) -> Body:
    body = {"type": "cards_shuffled", "round": number, "label": label, "cards": 0, "seal": OTHER}
    return {**body, "cards": 3}


BOTH: Final[dict[str, Forgery]] = {
    "no opening": no_opening,
    "opened twice": opened_twice,
    "started twice": before("match_started", {"type": "match_started"}, later=1, seat=0),
    "no start": without("match_started"),
    "no shuffle": without("cards_shuffled"),
    "no seat drawn": without("seat_drawn"),
    "no deal": without("five_dealt", "hand_dealt"),
    "no end of a round": without("round_ended"),
    "no score": without("round_scored"),
    "an end of another game": an_end_of_another_game,
    "an end in a round": before("round_ended", {"type": "match_ended", "secret": OTHER}),
    "another round scored": before("round_scored", {"type": "round_scored", "round": 9}),
    "a stock too early": before("match_started", shuffle("stock1", 1), later=1),
    "a stock of another round": before("round_ended", shuffle("stock1", 7)),
    "a stock unheard of": before("round_ended", shuffle("stock9", 1)),
    "a shuffle named like an event": before("round_ended", shuffle("card_discarded", 1)),
    "cards at the start": told("match_started", ["AS", "AH"]),
    "cards at a score": told("round_scored", ["AS"]),
    "cards at a seat in the lobby": told("seat_taken", ["AS1"]),
    "cards at a nonce": told("nonce_added", ["AS1"]),
}
"""In whole matches of either game."""
HOKM: Final[dict[str, Forgery]] = {
    "tricks that nobody took": tricks_that_nobody_took,
    "a second rest": a_second_rest_that_fills_hands_again,
    "rest before five": before("five_dealt", REST),
    "rest before trump": before("trump_chosen", REST),
    "a card in the lobby": before("match_started", card("card_played", "AS"), seat=0),
    "a card at the start": before("cards_shuffled", card("card_played", "AS"), seat=0),
    "a card before the rest": before("rest_dealt", card("card_played", "AS"), seat=0),
    "a card of another game": before("trump_chosen", card("card_discarded", "AS1"), seat=0),
    "no card": without("card_played", shows=3),
    "no trick": without("trick_taken"),
    "no trump": without("trump_chosen"),
    "no rest": without("rest_dealt"),
    "cards at a trick": told("trick_taken", ["AS"]),
}
HAND: Final[dict[str, Forgery]] = {
    "rest in another game": before("card_drawn", REST),
    "a card in the lobby": before("match_started", card("card_discarded", "AS1"), seat=0),
    "a card at the start": before("cards_shuffled", card("card_discarded", "AS1"), seat=0),
    "a card before the deal": before("hand_dealt", card("card_discarded", "AS1"), seat=0),
    "a draw before the deal": before("hand_dealt", {"type": "card_drawn", "stock": 62}, seat=0),
    "a meld before the deal": before("hand_dealt", {"type": "melds_laid", "melds": []}, seat=0),
    "a second draw": before("card_drawn", {"type": "card_drawn", "stock": 61}, later=1, seat=0),
    "no draw": without("card_drawn", "fire_taken"),
    "a new stock in play": before("card_drawn", shuffle("stock1", 7), later=2),
    "a stock unheard of in play": before("card_drawn", shuffle("stock9", 1), later=2),
    "cards at another's draw": told("card_drawn", ["AS1"], whose=lambda it: it["seat"] != 0),
    "cards at a discard": told("card_discarded", ["AS1"]),
}
GIVEN_UP: Final[dict[str, dict[str, Forgery]]] = {
    "hokm": {
        "no deal, then given up": without("five_dealt"),
        "trump too early, then given up": before("five_dealt", {"type": "trump_chosen"}, seat=0),
    },
    "hand": {
        "no deal, then given up": without("hand_dealt"),
        "cards without a deal": told("match_abandoned", ["AS1", "AS2"]),
    },
}
"""In matches that are given up in their first round."""


def disorders(game: str) -> dict[str, Forgery]:
    """All that are tried on a whole match of `game`, by name."""
    return {**BOTH, **{"hokm": HOKM, "hand": HAND}[game]}


# Lines ------------------------------------------------------------------------------------------


def line(**fields: Any) -> Forgery:
    """Fields of the fifth event itself changed or added."""

    def forge(messages: list[Message]) -> Forged:
        messages[4]["event"].update(fields)
        return Forged(chained(messages), "line", 5)

    return forge


def inside(**fields: Any) -> Forgery:
    """Fields of the opening changed or added."""

    def forge(messages: list[Message]) -> Forged:
        messages[0]["event"]["body"].update(fields)
        return Forged(chained(messages), "line", 1)

    return forge


def keys_in_another_order(messages: list[Message]) -> Forged:
    event = messages[4]["event"]
    messages[4]["event"] = {"time": event["time"], **event, "body": event["body"]}
    return Forged(chained(messages), "line", 5)


def no_origin(messages: list[Message]) -> Forged:
    del messages[4]["event"]["origin"]
    return Forged(chained(messages), "line", 5)


LINES: Final[dict[str, Forgery]] = {
    "an unknown key": line(note="x"),
    "an unknown origin": line(origin="dealer"),
    "an origin of many": line(origin=["player"]),
    "a time before all times": line(time=-1),
    "a time after all times": line(time=253_402_300_800_000),
    "a time that is a float": line(time=1_796_000_000_000.5),
    "a time that is text": line(time="1796000000000"),
    "keys in another order": keys_in_another_order,
    "no origin": no_origin,
    "a float": inside(seats=[{"seat": 0.5}]),
    "2^53": inside(seats=[[2**53]]),
    "below -2^53": inside(seats=-(2**53)),
    "not ASCII": inside(owner="بازیکن"),
    "a key that is not ASCII": inside(سوگند="x"),
    "a key of digits": inside(seats=[{"0": "x"}]),
}
"""Lines that break the law of lines, in a match that is right in all else."""
