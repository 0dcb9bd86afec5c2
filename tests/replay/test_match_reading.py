"""Reading match files: notes stay where they are, and bad input has its line and its reason."""

import io
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.replay import match_file as limits
from services.replay import match_reading
from services.replay.match_reading import Unreadable, read
from tests.bot.hurried import HURRIED
from tests.replay.files import (
    HEAD_KEY,
    as_bytes,
    broken_off,
    joined,
    over,
    pairs,
    read_all,
    read_one,
    rewritten,
    running,
)

FILES = {viewer: as_bytes(over(0), viewer, HEAD_KEY) for viewer in ("judge", "public", "seat:2")}
JUDGE = FILES["judge"]
LINES = JUDGE.splitlines(keepends=True)
LAST = len(LINES)
OTHER = as_bytes(over(1), "judge").splitlines(keepends=True)

json_texts = st.sampled_from(
    ["1", "-0.50e+3", "null", '"a\\u00e9\\/"', '"خال"', "[ 1 ,\t2 ]", '{"event":{"head":1} }', '""']
)
notes = st.tuples(
    st.integers(0, LAST - 1),
    st.integers(0, 7),
    st.text("0Aaz_.-", max_size=63).map(lambda name: f"_{name}"),
    json_texts,
)


@given(viewer=st.sampled_from(sorted(FILES)), noted=st.lists(notes, max_size=12))
def test_others_notes_stay_in_their_places_byte_for_byte(
    viewer: str, noted: list[tuple[int, int, str, str]]
) -> None:
    lines = FILES[viewer].splitlines(keepends=True)
    for at, place, name, value in noted:
        parts = pairs(lines[at])
        if name not in dict(parts):
            parts.insert(place, (name, value.encode()))
            lines[at] = joined(parts)
    data = b"".join(lines)
    assert rewritten(data) == data


def test_notes_are_told_apart_from_what_the_format_has() -> None:
    first, second = pairs(LINES[0]), pairs(LINES[1])
    lines = [
        joined([("_for", b'"you"'), *first]),
        joined([second[0], ("_", b"[1, 2]"), *second[1:], ("_why", b"null")]),
        *LINES[2:],
    ]
    file = read_one(b"".join(lines))
    assert [(note.place, note.name, note.value) for note in file.header.notes] == [
        (0, "_for", b'"you"')
    ]
    assert [(note.place, note.name, note.value) for note in file.lines[0].notes] == [
        (1, "_", b"[1, 2]"),
        (4, "_why", b"null"),
    ]


def test_several_matches_follow_one_another() -> None:
    parts = [JUDGE, as_bytes(running(1), "public"), as_bytes(broken_off(2), "seat:0")]
    files = read_all(b"".join(parts))
    assert [file.header.viewer for file in files] == ["judge", "public", "seat:0"]
    assert [file.header.over for file in files] == [True, False, True]
    assert rewritten(b"".join(parts)) == b"".join(parts)


def test_a_match_is_given_before_the_next_one_is_read() -> None:
    source = io.BytesIO(JUDGE + b"what is not read yet is not judged yet\n")
    files = read(source)
    assert next(files).header.events == LAST - 1
    assert source.tell() == len(JUDGE)
    with pytest.raises(Unreadable):
        next(files)


# Bad input ------------------------------------------------------------------------------------


def line(at: int, change: Callable[[bytes], bytes]) -> bytes:
    """The file with one line (from 1) changed."""
    return b"".join((*LINES[: at - 1], change(LINES[at - 1]), *LINES[at:]))


def swapped(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(text: bytes) -> bytes:
        assert old in text
        return text.replace(old, new, 1)

    return change


def with_key(key: str, value: bytes) -> Callable[[bytes], bytes]:
    return lambda text: joined([(k, value if k == key else v) for k, v in pairs(text)])


def without(key: str) -> Callable[[bytes], bytes]:
    return lambda text: joined([(k, v) for k, v in pairs(text) if k != key])


def turned(text: bytes) -> bytes:
    return joined(pairs(text)[::-1])


NOT_FORM = "it is not in the promised form: keys in order and once, no spaces"
EVENT_FORM = "its event is not written in the promised form"
BAD = [
    (b"", 1, "the file is empty"),
    (b"\n", 1, "it is no JSON object"),
    (b"\x89PNG\r\n\x1a\n", 1, "it is not UTF-8"),
    (b"\xef\xbb\xbf" + JUDGE, 1, "it begins with a byte-order mark: a match file is UTF-8 without"),
    (JUDGE.decode().encode("utf-16"), 1, "it begins with a byte-order mark"),
    (JUDGE.decode().encode("utf-16-le"), 1, "it is no JSON object"),
    (JUDGE.replace(b"\n", b"\r\n"), 1, "it ends with CR LF: in a match file LF alone ends a line"),
    (b"[1]\n", 1, "it is no JSON object"),
    (b"{}\n", 1, 'no header: a match begins with {"format":"waraq-match@1"'),
    (b"[" * 60_000 + b"\n", 1, "it is no JSON object"),
    (line(1, lambda _: b""), 1, "an event where a header belongs: the events are more than"),
    (line(1, swapped(b"match@1", b"match@2")), 1, "its 'format' is not waraq-match@1"),
    (line(1, swapped(b'"m_', b'"n_')), 1, "its 'match' is not a match's id"),
    (line(1, with_key("viewer", b'"seat:4"')), 1, "its 'viewer' is not judge, public or"),
    (line(1, with_key("viewer", b'"public\\n"')), 1, "its 'viewer' is not judge, public or"),
    (line(1, with_key("events", b"0")), 1, "its 'events' is not a number from 1 to"),
    (line(1, with_key("events", b"50001")), 1, "its 'events' is not a number from 1 to"),
    (line(1, with_key("events", b"1e2")), 1, "its 'events' is not a number from 1 to"),
    (line(1, with_key("over", b"1")), 1, "its 'over' is not true or false"),
    (line(1, with_key("over", b"false")), 1, "the header's `over` is not what"),
    (line(1, with_key("head", b'"' + b"0" * 64 + b'"')), 1, "the header's head is not that of"),
    (line(1, with_key("signed", b"{}")), 1, "its 'signed' is not null or a key and a signature"),
    (line(1, swapped(b'"signature"', b'"_":1,"signature"')), 1, "its 'signed' is not null or"),
    (line(1, without("signed")), 1, "it has no 'signed'"),
    (line(1, turned), 1, NOT_FORM),
    (line(1, lambda text: text.replace(b",", b", ")), 1, NOT_FORM),
    (line(1, swapped(b"{", b'{"viewer":"public",')), 1, NOT_FORM),
    (line(1, swapped(b'"viewer"', b'"view\\u0065r"')), 1, NOT_FORM),
    (line(1, swapped(b"{", b'{"note":1,')), 1, "it has the unknown key 'note': notes begin with _"),
    (line(1, swapped(b"{", b'{"_%s":1,' % (b"x" * 64))), 1, "it has the unknown key"),
    (line(5, swapped(b"{", '{"_نت":1,'.encode())), 5, "it has the unknown key '_\\u0646\\u062a'"),
    (line(5, swapped(b"{", b'{"_a":1,"_a":1,')), 5, NOT_FORM),
    (line(5, swapped(b"\n", b"\r\n")), 5, "it ends with CR LF"),
    (line(5, lambda _: b"\n"), 5, "it is no JSON object"),
    (line(5, lambda _: b'{"event":\xff}\n'), 5, "it is not UTF-8"),
    (line(5, swapped(b'"event":{', b'"event":{ ')), 5, EVENT_FORM),
    (line(5, swapped(b'"version":4', b'"version":4,"_x":1')), 5, EVENT_FORM),
    (line(5, swapped(b'"version":4', b'"version":"4"')), 5, "its event is of no form that"),
    (
        line(2, swapped(f'"{HURRIED.name}"'.encode(), '"ثامب"'.encode())),
        2,
        "its event is of no form that this program knows",
    ),
    (line(5, without("head")), 5, "it has no 'head'"),
    (line(5, without("pack")), 5, "it has no 'pack'"),
    (line(5, swapped(b"{", b'{"cards":[],')), 5, "it has the unknown key 'cards'"),
    (line(5, with_key("head", b'"XY"')), 5, "its 'head' is not 64 hex digits"),
    (line(5, with_key("command", b'""')), 5, "its 'command' is not null or a command's id"),
    (line(5, with_key("pack", b'["1S"]')), 5, "its 'pack' is not null or a list of cards"),
    (line(5, with_key("pack", b'["AS\\n"]')), 5, "its 'pack' is not null or a list of cards"),
    (line(5, lambda _: OTHER[4]), 5, "its event is of another match than the header"),
    (line(5, lambda _: OTHER[0]), 5, f"a header where one of {LAST - 1} events belongs"),
    (line(9, lambda _: b""), LAST, f"the file ends after {LAST - 2} of the {LAST - 1} events"),
    (b"".join(LINES[:9]), 10, f"the file ends after 8 of the {LAST - 1} events"),
    (JUDGE[:-1], LAST, "the file is cut short: no newline ends its last line"),
    (JUDGE[:-200], LAST, "the file is cut short: no newline ends its last line"),
    (JUDGE + LINES[-1], LAST + 1, "an event where a header belongs: the events are more than"),
    (JUDGE + b"\n", LAST + 1, "it is no JSON object"),
    (line(5, swapped(b"{", b'{"_":"%s",' % (b"x" * 65_536))), 5, "it is longer than 65536 bytes"),
]


@pytest.mark.parametrize(("data", "number", "reason"), BAD)
def test_bad_input_has_its_line_and_a_reason(data: bytes, number: int, reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_all(data)
    assert (caught.value.line, caught.value.reason[: len(reason)]) == (number, reason)


@pytest.mark.parametrize("name", ["MATCH_BYTES", "FILE_BYTES"])
def test_more_bytes_than_a_match_or_a_file_may_have_are_not_read(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert getattr(limits, name) > 1_000_000
    monkeypatch.setattr(match_reading, name, len(JUDGE) - len(LINES[0]) - 1)
    with pytest.raises(Unreadable, match=r"more than|larger than"):
        read_all(JUDGE)


@given(seed=st.integers(0, 2**32), viewer=st.sampled_from(sorted(FILES)))
def test_whatever_happens_to_a_file_it_is_unreadable_or_written_again_as_it_is(
    seed: int, viewer: str
) -> None:
    random, data = Random(seed), bytearray(FILES[viewer])
    for _ in range(random.randrange(1, 4)):
        at, size = random.randrange(len(data)), random.choice((0, 1, 1, 400))
        data[at : at + size] = random.choice((b"", b"\n", b"_", b'"', b"}", random.randbytes(2)))
    try:
        found = rewritten(bytes(data))
    except Unreadable:
        return
    assert found == data
