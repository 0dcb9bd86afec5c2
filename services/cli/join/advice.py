"""The master's look (H21) in a terminal: the best move, why, and how good the others are."""

from collections.abc import Sequence

from schemas.advice import Candidate
from schemas.commands import Suggestion
from schemas.views import View
from services.cli.join.games import either
from services.cli.join.speech import Speech


def advice_lines(speech: Speech, view: View, said: Suggestion) -> list[str]:
    """The next move and the rest of the turn, the reason, the chance of each card."""
    moves = [either.offer_text(speech, view, action) for action in said.actions]
    lines = [speech.say("hint_best", move=moves[0])]
    lines += [speech.say("hint_then", move=move) for move in moves[1:]]
    lines.append(speech.say("hint_why", reason=speech.reason(said.reason)))
    if said.candidates:
        chances = speech.say("comma").join(_chances(speech, said))
        lines.append(speech.say("hint_chances", chances=chances))
    if _looks_wrong(said.candidates):
        lines.append(speech.say("hint_chance_is_not_all"))
    return lines


def _chances(speech: Speech, said: Suggestion) -> list[str]:
    """In percent; beside the best those are marked that are as good as can be told."""
    return [
        speech.say(
            "hint_equal" if at and one.equal else "hint_chance",
            card=one.card,
            percent=_percent(one),
        )
        for at, one in enumerate(said.candidates)
    ]


def _percent(one: Candidate) -> int:
    return round(one.chance / 10)


def _looks_wrong(candidates: Sequence[Candidate]) -> bool:
    """True if by its number another card were better, or as good and is not called so: the number
    is of the round, and the choice is by the match and by what is never done.
    """
    best = _percent(candidates[0]) if candidates else 0
    return any(_percent(one) > best - (not one.equal) for one in candidates[1:])
