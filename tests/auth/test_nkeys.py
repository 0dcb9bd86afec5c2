"""The broker's account keys in their text form, against what its own tools write."""

import pytest

from services.auth.nkeys import SEED_CHARS, NotASeed, account_key, seed_text

RAW = bytes(range(32))
SEED = "SAAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4HYMHI"
PUBLIC = "AAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3QPZV"
USERS_SEED = "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4HZVVA"


def test_a_seed_has_the_form_that_the_brokers_tools_write() -> None:
    assert seed_text(RAW) == SEED
    assert len(SEED) == SEED_CHARS
    assert account_key(SEED).public == PUBLIC


def test_a_file_may_end_in_a_newline() -> None:
    assert account_key(f"{SEED}\n") == account_key(SEED)


@pytest.mark.parametrize(
    "text",
    ["", "SA", PUBLIC, USERS_SEED, SEED[:-1], SEED.lower(), SEED.replace("B", "C"), "ü" * 58],
)
def test_what_is_no_accounts_seed_is_refused(text: str) -> None:
    with pytest.raises(NotASeed):
        account_key(text)


def test_a_key_does_not_show_itself() -> None:
    key = account_key(SEED)
    assert PUBLIC in repr(key)
    assert repr(key.seed) not in repr(key)
