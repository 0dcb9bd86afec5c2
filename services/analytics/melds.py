"""Every meld that was laid, and what became of it."""

from collections import Counter
from collections.abc import Iterator

from schemas.commands import HandOptions
from schemas.events import CardLaidOff, JokerSwapped, MeldsLaid, RoundEnded
from schemas.views import HandView, Meld
from services.analytics.plays import turn_of
from services.analytics.story import Round, Step, before, seat_of, unit_of
from services.analytics.tables import MeldRow
from services.rules import melds as rules
from services.rules import sight
from services.rules.hand.state import low_ace


def meld_rows(round_: Round) -> Iterator[MeldRow]:
    laid = [step for step in round_.steps if isinstance(step.event.body, MeldsLaid)]
    if not laid:
        return
    bodies = [step.event.body for step in round_.steps]
    grown = Counter(body.meld for body in bodies if isinstance(body, CardLaidOff))
    swapped = Counter(body.meld for body in bodies if isinstance(body, JokerSwapped))
    table = {meld.id: meld for meld in _table(round_)}
    for step in laid:
        for number, cards in _numbered(step):
            yield _row(round_, step, table[number], cards, (grown[number], swapped[number]))


def _numbered(step: Step) -> Iterator[tuple[int, tuple[str, ...]]]:
    assert isinstance(step.event.body, MeldsLaid)
    yield from enumerate(step.event.body.melds, step.event.body.first_id)


def _table(round_: Round) -> tuple[Meld, ...]:
    """The melds as they lay in the end."""
    last = next(step for step in round_.steps if isinstance(step.event.body, RoundEnded))
    view = sight.view(last.after, None)
    assert isinstance(view, HandView)
    return view.melds


def _row(
    round_: Round, step: Step, end: Meld, cards: tuple[str, ...], later: tuple[int, int]
) -> MeldRow:
    body, seat, options = step.event.body, seat_of(step), before(step).opened.options
    assert isinstance(body, MeldsLaid)
    assert isinstance(options, HandOptions)
    shape = rules.read(cards)
    assert shape is not None, "what was laid is a meld"
    return MeldRow(
        match=step.event.match,
        round=round_.number,
        meld=end.id,
        version=step.event.version,
        turn=turn_of(round_, step),
        seat=seat,
        unit=unit_of(options, seat),
        kind=end.kind,
        cards=cards,
        value=rules.value(shape, low_ace(options)),
        opening=body.opening,
        cards_in_the_end=end.cards,
        laid_off=later[0],
        swapped=later[1],
    )
