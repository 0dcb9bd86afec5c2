"""Display names: what may be shown to others."""

import pytest

from services.web.names import MARKS_IN_A_ROW, NAME_CHARS, NameRefused, proper_name


@pytest.mark.parametrize(
    "name",
    [
        "A",
        "علی",
        "می\u200cخواهم",  # noqa: RUF001 as above
        "Ann 2",
        "نور الدين",
        "مُحَمَّد",
        "🃏",
        "👨\u200d👩\u200d👧",
        "O'Neil",
        "x" * NAME_CHARS,
    ],
)
def test_what_people_are_called_is_a_name(name: str) -> None:
    assert proper_name(name) == name


def test_space_around_a_name_is_no_part_of_it() -> None:
    assert proper_name("  Ann\u00a0") == "Ann"


def test_a_joiner_around_it_is_no_part_of_it() -> None:
    assert proper_name("\u0639\u0644\u06cc\u200c ") == "\u0639\u0644\u06cc"


def test_a_name_is_kept_composed() -> None:
    assert proper_name("e\u0301") == "\u00e9"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * (NAME_CHARS + 1),
        "a\nb",
        "a\x00",
        "a\x1b[31m",
        "a\x7f",
        "a\u2028b",
        "\u202eevil",
        "a\u202db",
        "\u2066a\u2069",
        "a\u200fb",
        "a\u061cb",
        "a\u200bb",
        "\ufeffa",
        "a\u00adb",
        "\u200c\u200d",
        "\u3164",
        "a\u2800",
        "\ue000",
        "\U000e0041",
        "\u0301",
        "a" + "\u0316" * (MARKS_IN_A_ROW + 1),
        "a" + ("\u0316" * MARKS_IN_A_ROW + "\u200d") * 2 + "b",
        "\u0316a",
        "\U0001d159",
        "a\u200c\u200cb",
        "a \u200db",
    ],
    ids=ascii,
)
def test_what_plays_tricks_on_a_screen_is_no_name(name: str) -> None:
    assert isinstance(proper_name(name), NameRefused)
