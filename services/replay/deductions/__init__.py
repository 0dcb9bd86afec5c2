"""What a viewer could tell at a moment: from its view alone, and so for its eyes only.

Nothing here is given a state: what is not in the view cannot be in what follows from it.
"""

from schemas.views import HandView, HokmView
from services.replay.deductions import hand, hokm

Deduced = hokm.HokmDeduced | hand.HandDeduced


def deduced(view: HokmView | HandView) -> Deduced:
    """What follows from `view` for whom it was made, a seat or with `seat` null anybody."""
    return hokm.deduced(view) if isinstance(view, HokmView) else hand.deduced(view)
