"""Refusals: an expected no, as a stable code. Groups stand in the order in which they are asked."""

from enum import StrEnum


class Refusal(StrEnum):
    """Stable codes; docs/clients.md says what each asks of a client."""

    # Before the rules, in this order.
    MALFORMED = "malformed"
    UNKNOWN_MATCH = "unknown_match"
    FAULT = "fault"
    NOT_ALLOWED = "not_allowed"
    NOT_SEATED = "not_seated"
    STALE_MOVE = "stale_move"
    # The lobby.
    MATCH_EXISTS = "match_exists"
    SEAT_TAKEN = "seat_taken"
    WRONG_CODE = "wrong_code"
    SEEN_CARDS = "seen_cards"
    DRAINING = "draining"
    TICKET_INVALID = "ticket_invalid"
    # Both games, in Hokm's order.
    MATCH_OVER = "match_over"
    WRONG_PHASE = "wrong_phase"
    NOT_YOUR_TURN = "not_your_turn"
    CARD_NOT_HELD = "card_not_held"
    MUST_FOLLOW_SUIT = "must_follow_suit"
    # Hand.
    CANNOT_OPEN = "cannot_open"
    MUST_OPEN_FIRST = "must_open_first"
    MUST_PLACE_JOKER = "must_place_joker"
    CANNOT_DISCARD_TAKEN_CARD = "cannot_discard_taken_card"
    DUPLICATE_CARD = "duplicate_card"
    TOO_MANY_JOKERS = "too_many_jokers"
    NOT_A_MELD = "not_a_meld"
    OPENING_TOO_LOW = "opening_too_low"
    NO_LEGAL_FINISH = "no_legal_finish"
    NOT_OPENED = "not_opened"
    UNKNOWN_MELD = "unknown_meld"
    DOES_NOT_FIT = "does_not_fit"
    WRONG_SWAP_CARD = "wrong_swap_card"
    NO_USE_FOR_JOKER = "no_use_for_joker"
