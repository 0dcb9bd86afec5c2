"""Stickers: all that players may say to each other at a table (H23). Neutral: none is about cards.

Ids are frozen; a new one is added at the end. Their texts may be mended at any time.
"""

from typing import Final, Literal

from msgspec import Struct

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


class Words(Struct, frozen=True, kw_only=True):
    """One sticker in Persian, Arabic and English."""

    fa: str
    ar: str
    en: str


TEXTS: Final[dict[StickerId, Words]] = {
    "salam": Words(fa="سلام!", ar="السلام عليكم!", en="Hello!"),
    "good_luck": Words(fa="موفق باشید!", ar="بالتوفيق للجميع!", en="Good luck!"),
    "well_played": Words(fa="آفرین، عالی بود!", ar="أحسنت!", en="Well played!"),
    "thanks": Words(fa="ممنون!", ar="شكرًا!", en="Thanks!"),
    "sorry": Words(fa="ببخشید!", ar="المعذرة!", en="Sorry!"),
    "oops": Words(fa="ای وای!", ar="يا خسارة!", en="Oops!"),
    "wow": Words(fa="به‌به!", ar="ما شاء الله!", en="Wow!"),
    "hurry": Words(fa="لطفاً زودتر!", ar="بسرعة من فضلك!", en="Hurry up, please!"),
    "thinking": Words(fa="دارم فکر می‌کنم…", ar="دعوني أفكّر…", en="Let me think…"),
    "back_soon": Words(fa="الان برمی‌گردم!", ar="سأعود حالًا!", en="Back in a moment!"),
    "laugh": Words(fa="هاهاها!", ar="ههههه!", en="Ha ha!"),
    "goodbye": Words(fa="خداحافظ!", ar="مع السلامة!", en="Goodbye!"),
}
