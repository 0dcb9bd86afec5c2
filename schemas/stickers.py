"""Stickers: all that players may say to each other at a table (H23). Neutral: none is about cards.

Ids are frozen; a new one is added at the end. Their texts, which may be mended at any time, are in
`schemas/texts/stickers/`.
"""

from typing import Literal

StickerId = Literal[
    "salam",
    "good_luck",
    "well_played",
    "thanks",
    "sorry",
    "oops",
    "wow",
    "hurry",
    "thinking",
    "back_soon",
    "laugh",
    "goodbye",
]
