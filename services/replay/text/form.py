"""The form of a match's text: its tags, what may begin a line, its limits, what can be wrong."""

from typing import Final

FORM: Final = "text@1"
"""The value of the first tag; texts of this name will always be read as they are today."""
TEXT_CHARS: Final = 4_000_000
"""The longest text that is read, in characters; a match of Hokm to 100 points has 424,814."""
SHOWN_CHARS: Final = 60
"""The most characters of a wrong word that an error shows."""

STATED: Final = (
    "Waraq",
    "Match",
    "Ruleset",
    "Options",
    "Seats",
    "Owner",
    "Policy",
    "Key",
    "Shuffle",
    "Seal",
    "Secret",
    "Times",
    "Commands",
    "Head",
    "Digest",
)
"""The tags without which no match can be made again, or checked."""
DERIVED: Final = ("Opened", "Result", "Events")
"""Tags for the eye: each says what follows from the rest."""
INVITATION: Final = "Invitation"
"""The one tag that only some matches have."""
TAGS: Final = (*STATED, *DERIVED, INVITATION)
TABLES: Final = ("Times", "Commands")
"""Tags that are followed by words, one for each act."""

TRUMP: Final = "Trump"
SCORE: Final = "Score"
FOLLOWS: Final = ("Draw", "Round", "Five", "Cards", "Ended", "Winner")
"""What begins a line that only says what follows from the others."""

NOWHERE: Final = 0
"""The version of a fault that is a line's and no event's."""
OPENING: Final = 1
"""The version of `match_opened`."""


class TextUnreadable(ValueError):
    """The text has not the form of a match: at which line, counted from 1, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class TextUntrue(TextUnreadable):
    """The text can be read, and no match by the rules was what it says.

    `version`: that of the first event which the fault concerns, `NOWHERE` if that is not known or
    none; `events`: how many the rules had made of the text.
    """

    def __init__(self, line: int, reason: str, *, version: int = NOWHERE, events: int = 0) -> None:
        super().__init__(line, reason)
        self.version = version
        self.events = events


class MatchUnwritable(ValueError):
    """The entries are not those of a match that is over and was made by the rules; says why."""


def shown(words: str) -> str:
    """`words` as an error may show them: quoted, ASCII, and not longer than a line takes."""
    cut = words if len(words) <= SHOWN_CHARS else words[:SHOWN_CHARS] + "..."
    return ascii(cut)
