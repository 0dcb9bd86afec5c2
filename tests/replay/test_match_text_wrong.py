"""Texts that are no match's: each kind of fault is one error, with its line and what is wrong."""

from random import Random

import pytest

from schemas.commands import HokmOptions
from services.replay.text import form
from services.replay.text.form import TEXT_CHARS, TextUnreadable, TextUntrue
from services.replay.text.match_text import read, write
from tests.eventful import eventful
from tests.replay.example_texts import HOKM, SAUDI


def wrong(text: str) -> str:
    with pytest.raises(TextUnreadable) as raised:
        read(text)
    return str(raised.value)


def kind_of(text: str) -> type[TextUnreadable]:
    with pytest.raises(TextUnreadable) as raised:
        read(text)
    return raised.type


def found(old: str, new: str, text: str = HOKM) -> tuple[int, int]:
    """The version at which an edit is found, and how many events the rules had made."""
    assert text.count(old) == 1, old
    with pytest.raises(TextUntrue) as raised:
        read(text.replace(old, new))
    return raised.value.version, raised.value.events


def edited(old: str, new: str, text: str = HOKM) -> str:
    """What is wrong after an edit, which must be found at its own line."""
    assert text.count(old) == 1, old
    line, _, reason = wrong(text.replace(old, new)).partition(": ")
    assert line == f"line {text[: text.index(old)].count(chr(10)) + 1}", reason
    return reason


def replaced(old: str, new: str, text: str = HOKM) -> str:
    """What is wrong after an edit that can only be noticed elsewhere."""
    assert text.count(old) == 1, old
    return wrong(text.replace(old, new)).partition(": ")[2]


# What was done --------------------------------------------------------------------------------

FOURTH = "4. 2:4C"
MATCH = read(HOKM)


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("4. 2:4S", "'2:4S' is against the rules: card_not_held"),
        ("4. 3:AC", "'3:AC' is against the rules: not_your_turn"),
        ("4. 2:KH", "'2:KH' is against the rules: card_not_held"),
        ("4. 2:4X", "'2:4X': no such card, suit or end is in this game"),
        ("4. 2:AS1", "'2:AS1': no such card, suit or end is in this game"),
        ("4. 4:4C", "'4:4C' is not a seat and its card: 0:AS"),
        ("4. 2", "'2' is not a seat and its card: 0:AS"),
        ("4. drop", "'drop' is not a seat and its card: 0:AS"),
        ("4. (3 late) 2:4C", "'(3 late)' cannot be: the seat is not on turn"),
        ("4. (2 back) 2:4C", "'(2 back)' cannot be: the house does not hold the seat of anybody"),
        ("4. (2 leaves) 2:4C", "'(2 leaves)' cannot be: nobody owns the seat"),
        ("4. (start) 2:4C", "'(start)' is against the rules: wrong_phase"),
        ("4. (2 waits) 2:4C", "'(2 waits)' says nothing that a seat can do"),
        ("4. (rain) 2:4C", "'(rain)' says nothing that can happen"),
        ("4. (abandoned bored) 2:4C", "'bored' is not of the form that belongs here"),
        ("4. (2 sits me) 2:4C", "'me' is not of the form that belongs here"),
        ("4. (1 nonce 12) 2:4C", "'12' is not of the form that belongs here"),
        ("4. (2 2:4C", "a parenthesis stands alone"),
        ("Turn 4. 2:4C", "no line of hokm begins with 'Turn'"),
        ("4. 2: drop 4C", "'2:' is not a seat and its card: 0:AS"),
    ],
)
def test_what_cannot_be_done_in_hokm_is_told_at_its_line(new: str, reason: str) -> None:
    assert edited(FOURTH, new) == reason


def test_H13_a_card_that_does_not_follow_is_told() -> None:
    assert edited("3:3H -> 2", "3:AC -> 2") == "'3:AC' is against the rules: must_follow_suit"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("(start)", "(0 sits u_guest0001)", "'(0 sits u_guest0001)' is against the rules: seat_ta"),
        ("(start)", "(9 sits u_guest0001)", "'(9 sits u_guest0001)' says nothing that can happen"),
        ("(start)", "start", "no line of hokm begins with 'start'"),
        ("(start)", "(start) start", "'start' stands where nobody is on turn"),
        ("Trump 3:D", "Trump 3:X", "'3:X': no such card, suit or end is in this game"),
        ("Trump 3:D", "Trump 3:D 3:D", "'3:D' is against the rules: wrong_phase"),
        ("Score side", "Score (3 late) side", "'(3 late)' cannot be: the seat is not on turn"),
        ("Winner", "(abandoned fault)\nWinner", "'(abandoned fault)' cannot be: the match is over"),
    ],
)
def test_what_cannot_be_around_the_play_is_told(old: str, new: str, reason: str) -> None:
    spare = HOKM.replace("[Commands", "1 1 1\n[Commands").replace("[Head", "- - -\n[Head")
    assert edited(old, new, spare).startswith(reason)


EIGHTH = "8. 2: stock TD2, swap #4 TD2 for JK1, lay #7 4H2 JK1 6H2, drop 7S2"


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("8. 2: stock TD2, swap #4 7S2", "'swap #4 7S2' is against the rules: wrong_swap_card"),
        ("8. 2: stock TD2, swap #9 TD2", "'swap #9 TD2' is against the rules: unknown_meld"),
        ("8. 2: fire, swap #4 TD2", "'swap #4 TD2' is against the rules: card_not_held"),
        ("8. 2: swap #4 TD2", "'swap #4 TD2' is against the rules: wrong_phase"),
        ("8. 3: stock", "'stock' is against the rules: not_your_turn"),
        ("8. stock TD2", "a turn begins with its number and its seat: 12. 3:"),
        ("8.", "a turn begins with its number and its seat: 12. 3:"),
        ("8. 2: take TD2", "'take' is none of stock, fire, lay, open, off, swap, drop"),
        ("8. 2: (1 leaves) TD2", "'TD2' is none of stock, fire, lay, open, off, swap, drop"),
        ("8. 2: stock TD2, lay #7 4H2 6H2", "'lay #7 4H2 6H2' is against the rules: not_a_meld"),
        ("8. 2: stock TD2, lay #7", "'lay #7' is against the rules: not_a_meld"),
        ("8. 2: stock TD2, lay 4H2 6H2", "a meld begins with its number, not '4H2'"),
        ("8. 2: stock TD2, lay", "'lay' is not said in full"),
        ("8. 2: stock TD2, lay #1 #2 #3 #4 #5 #6", "'lay #1 #2 #3 #4 #5 #6': no such card, suit"),
        ("8. 2: stock TD2, off #3", "'off #3' is not said in full"),
        ("8. 2: stock TD2, off #3 KH2 mid", "'off #3 KH2 mid': no such card, suit or end"),
        ("8. 2: stock TD2, off #0 KH2", "'#0' is no meld's number: #3"),
        ("8. 2: stock TD2, drop KH1", "'drop KH1' is against the rules: card_not_held"),
        ("Trump 2:S", "no line of hand begins with 'Trump'"),
    ],
)
def test_what_cannot_be_done_in_hand_is_told_at_its_line(new: str, reason: str) -> None:
    assert edited(EIGHTH, new, SAUDI).startswith(reason)


# What follows ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Cards 0: 8S 6S", "Cards 0: 8S 7S", "'7S' stands where '6S' belongs"),
        ("Draw 2:JD", "Draw 2:JH", "'2:JH' stands where '2:JD' belongs"),
        ("Five 3", "Five 2", "'2:' stands where '3:' belongs"),
        ("Round 1", "Round 2", "'2' stands where '1' belongs"),
        ("2:TD -> 1", "2:TD -> 3", "'3' stands where '1' belongs"),
        ("(2 late) 2:TD", "(2 late) 2:3D", "'2:3D' stands where '2:TD' belongs"),
        ("(2 late) 2:TD", "(2 late)", "'->' stands where '2:TD' belongs"),
        ("4. 2:4C", "5. 2:4C", "'5.' stands where '4.' belongs"),
        ("4. 2:4C", "4. (2 house) 2:4C", "'(2 house)' stands where '2:4C' belongs"),
        ("Ended 2:7", "Ended 3:7", "'3:7' stands where '2:7' belongs"),
        ("1 win 1, now", "1 kot 2, now", "'kot' stands where 'win' belongs"),
        ("now 0:1", "now 0:2", "'0:2' stands where '0:1' belongs"),
        ("Winner side 1", "Winner side 0", "'0' stands where '1' belongs"),
        ("0:1, won", "0:2, won", "Result: '0:2, won by side 1' stands where '0:1, won by side 1'"),
        ("31.151 UTC", "31.152 UTC", "Opened: '2026-11-30 00:53:31.152 UTC' stands where"),
        ('Events "66"', 'Events "67"', "Events: '67' stands where '66' belongs"),
    ],
)
def test_what_does_not_follow_is_told_with_what_does(old: str, new: str, reason: str) -> None:
    assert edited(old, new).startswith(reason)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (EIGHTH, EIGHTH.replace("stock TD2", "stock TD1"), "'TD1' stands where 'TD2' belongs"),
        (EIGHTH, EIGHTH.replace("#7", "#8"), "'#8' stands where '#7' belongs"),
        (EIGHTH, EIGHTH.replace("for JK1", "for JK2"), "'JK2' stands where 'JK1' belongs"),
        ("open 103 #4", "open 102 #4", "'102' stands where '103' belongs"),
        ("(3 late), stock KS2, drop KS2", "(3 late), stock KS2, drop KH2", "'KH2' stands where"),
        ("Round 2, dealer 2", "Round 2, dealer 1", "'1' stands where '2' belongs"),
        ("2: (new stock 49), fire", "2: fire", "'fire' stands where '(new stock 49)' belongs"),
        ("Score 100 100 6", "Score 100 100 5", "'5' stands where '6' belongs"),
        ("Winner seat 2", "Winner side 2", "'side' stands where 'seat' belongs"),
    ],
)
def test_what_does_not_follow_in_hand_is_told_too(old: str, new: str, reason: str) -> None:
    assert edited(old, new, SAUDI).startswith(reason)


def test_a_hand_that_was_not_dealt_is_told_rather_than_the_card_that_it_gives() -> None:
    text = HOKM.replace(FOURTH, "4. 2:4S").replace("KC 6C 4C\n", "KC 6C\n")
    assert wrong(text).startswith("line 24: \"the line's end\" stands where '4C' belongs")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Winner side 1\n", "", "the line 'Winner side 1' is missing"),
        ("9. 3:AD 0:6S 1:7D 2:9S -> 3\n", "", "'Score' cannot be: no round waits for its score"),
        ("Score side 1 win 1, now 0:1\n", "", "Times: the play has 45 acts after the opening"),
        ("target 1, ", "target 2, ", "the match is not over: what ended it is missing"),
        ("00129", "00128", "'2:JD' stands where '0:8H' belongs: by the rules this line is Draw"),
        ("[Policy", "Winner side 1\n[Policy", "'Winner side 1' is one too many"),
    ],
)
def test_what_is_missing_or_too_much_is_told(old: str, new: str, reason: str) -> None:
    assert replaced(old, new).startswith(reason)


@pytest.mark.parametrize(
    ("old", "new", "event"),
    [
        (FOURTH, "4. 2:4S", '"seat":2,"body":{"type":"card_played","card":"4C"'),
        (FOURTH, "4. (2 back) 2:4C", '"seat":2,"body":{"type":"card_played","card":"4C"'),
        ("Cards 2: KS", "Cards 2: AS", '"rest_dealt"'),
        ("Five 3", "Five 2", '"five_dealt"'),
        ("Draw 2:JD", "Draw 2:JH", '"hakem_drawn"'),
        ("2:TD -> 1", "2:TD -> 3", '"trick_taken","by":1,"tricks":[2,3]'),
        ("(2 late) 2:TD", "(2 late) 2:3D", '"card_played","card":"TD"'),
        ("4. 2:4C", "5. 2:4C", '"card_played","card":"4C"'),
        ("Ended 2:7", "Ended 3:7", '"round_ended"'),
        ("now 0:1", "now 0:2", '"round_scored"'),
        ("Winner side 1", "Winner side 0", '"match_ended"'),
        ("Winner side 1\n", "", '"match_ended"'),
        ("win 1, kot 2", "win 3, kot 2", '"match_opened"'),
        ("23418e0c", "23418e0d", '"match_opened"'),
        (
            "913fe9380d0b829be65f2b7d4b6d181e",
            "a890b6624a43aba5ff054fece6cd8cd4",
            '"card_played","card":"QH"',
        ),
    ],
)
def test_what_is_not_true_is_found_at_the_version_of_its_event(
    old: str, new: str, event: str
) -> None:
    (right,) = (entry.version for entry in MATCH if event in entry.line)
    assert found(old, new)[0] == right


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('Events "66"', 'Events "67"'),
        ("0:1, won", "0:2, won"),
        ("19328 2243", "19327 2244"),
        ("19328 2243", "2243"),
        ("913fe9380d0b", "913fe9380d0c"),
        ("622e9dbb", "622e9dbc"),
    ],
)
def test_a_fault_of_a_tag_or_a_table_is_no_events(old: str, new: str) -> None:
    assert found(old, new)[0] == 0


def test_what_is_refused_is_found_after_the_events_that_the_rules_made() -> None:
    version, events = found(FOURTH, "4. 2:4S")
    assert version == events + 1
    assert found("2:TD -> 1", "2:TD -> 3")[1] == len(MATCH)
    assert found("target 1, ", "target 2, ")[0] == found("target 1, ", "target 2, ")[1] + 1
    assert found("[Policy", "Winner side 1\n[Policy") == (len(MATCH) + 1, len(MATCH))


# What only the bytes hold ---------------------------------------------------------------------

HEAD = "Head: these acts lead to "
DIGEST = "Digest: these acts lead to "


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("19328 2243", "19327 2244", HEAD),
        ("19328 2243", "19329 2243", HEAD),
        ("622e9dbb", "622e9dbc", HEAD),
        ("thumb@1", "thumb@2", HEAD),
        ('"04096', '"04097', HEAD),
        ("- 913fe9", "913fe9", "Commands: the play has 46 acts after the opening, this table 45"),
        ("- 913fe9380d0b829be65f2b7d4b6d181e", "913fe9380d0b829be65f2b7d4b6d181e -", DIGEST),
        ("913fe9380d0b", "913fe9380d0c", DIGEST),
        ("09369a7c", "09369a7d", DIGEST),
        ("23418e0c", "23418e0d", "Secret: the secret is not the one that was sealed"),
        ("9fb5adb3", "9fb5adb4", "Secret: the secret is not the one that was sealed"),
        (
            "19328 2243",
            "2243",
            "Times: the play has 46 acts after the opening, this table 45 words",
        ),
        ("19328 2243", "1 19328 2243", "Times: the play has 46 acts after the opening, this table"),
        ('u_owner0000"]', 'u_owner0001"]', "'(3 sits u_owner0000)' is against the rules: not"),
    ],
)
def test_an_edited_time_id_or_secret_is_noticed(old: str, new: str, reason: str) -> None:
    assert replaced(old, new).startswith(reason)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("19328", "soon", "'soon' is no number of milliseconds"),
        ("19328", "1" * 16, "'1111111111111111' is no number of milliseconds"),
        ("19328", "9" * 15, "'999999999999999' leads to no time from 1970 to 9999"),
        ("19328", "-1796000011152", "'-1796000011152' leads to no time from 1970 to 9999"),
        ('[Times "17', '[Times "x', "'x96000011151' is no number of milliseconds"),
        ("913fe9380d0b829be65f2b7d4b6d181e", "a1", "'a1' is not of the form that a command's id"),
        (
            "913fe9380d0b829be65f2b7d4b6d181e",
            "a890b6624a43aba5ff054fece6cd8cd4",
            "the command a890",
        ),
    ],
)
def test_what_no_table_holds_is_told(old: str, new: str, reason: str) -> None:
    assert edited(old, new).startswith(reason)


# Tags, form and size --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("hokm@1", "hokm@2", "Ruleset: 'hokm@2'; known here: hokm@1, hand@1"),
        ("text@1", "text@2", "Waraq: 'text@2'; known here: text@1"),
        ("waraq-shuffle@1", "dice", "Shuffle: 'dice'; known here: waraq-shuffle@1"),
        ("target 1, ", "target 0, ", "Options: Expected `int` >= 1 - at `$.target`"),
        ("target 1, ", "target 1, colour red, ", "Options: hokm has no colour"),
        ("target 1", "target", "Options: 'target' is no option and its value"),
        ("trump no", "trump maybe", "Options: Expected `bool`, got `str`"),
        ("win 1, kot 2", "win 3, kot 2", "Options: no match is opened with these options and thes"),
        ("[Match", "[Event", "there is no tag 'Event'"),
        ("[Seats", '[Ruleset "x"]\n[Seats', "the tag Ruleset stands here for the second time"),
        ('"m_', '"n_', "Match: 'n_00000000000000000000000000000129' is not of the form"),
        ('"u_owner0000"', '"me"', "Owner: 'me' is not of the form that this tag has"),
        ("1 anyone", "1 everyone", "Seats: '1 everyone': Invalid enum value 'everyone'"),
        ("1 anyone", "", "Seats: '': Object missing required field"),
        ('"66"]', "66]", "'[Events 66]' is no tag: a tag is [Name \"value\"]"),
        ('"66"]', '"66"] Draw', "'Draw' stands behind a tag"),
        ("(start)", "{(start)", "the comment that begins here has no end"),
        ("(start)", "} (start)", "a comment ends here that has not begun"),
        ("Draw", "Dr\u00e4w", "letters other than ASCII may stand in comments only"),
        ("thumb@1", "th\u00fcmb@1", "letters other than ASCII may stand in comments only"),
        ("[Policy", "\u00a0[Policy", "letters other than ASCII may stand in comments only"),
    ],
)
def test_what_is_not_of_the_form_is_told(old: str, new: str, reason: str) -> None:
    assert kind_of(HOKM.replace(old, new, 1)) is (
        TextUntrue if "no match is opened" in reason else TextUnreadable
    )
    place, _, found = wrong(HOKM.replace(old, new, 1)).partition(": ")
    assert found.startswith(reason)
    assert place.removeprefix("line ").isdecimal()


@pytest.mark.parametrize(
    "letter",
    [
        *("\x00", "\x07", "\x0b", "\x1b", "\r", "\x7f", "\x85", "\x9b", "\udcff"),
        *("\u2028", "\u202a", "\u202d", "\u202e", "\u2066", "\u2069"),
    ],
)
@pytest.mark.parametrize("place", ["{%s}(start)", "%%%s\n(start)", "(start)%s", '["%s"]\n(start)'])
def test_what_changes_how_a_text_is_shown_stands_nowhere(letter: str, place: str) -> None:
    reason = edited("(start)", place % f"a{letter}b")
    assert reason == f"{letter!a} may stand nowhere: it can change how other letters are shown"
    assert kind_of(HOKM.replace("(start)", place % f"a{letter}b")) is TextUnreadable


def test_a_comment_may_be_of_any_letters_and_lines_may_end_with_a_return() -> None:
    text = HOKM.replace("(start)", "{چه\u200cدستی!\tΩ}\n% ♠ é\n(start)")
    assert read(text.replace("\n", "\r\n")) == read(HOKM)


@pytest.mark.parametrize("name", form.STATED)
def test_a_tag_that_is_missing_is_named(name: str) -> None:
    lines = [line for line in HOKM.splitlines() if not line.startswith(f"[{name} ")]
    assert wrong("\n".join(lines)).endswith(
        'a match begins with a tag [Waraq "..."]' if name == "Waraq" else f"{name} is missing"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00\x01\xff" * 1_000,
        "1. e4 e5 2. Nf3",
        '[Event "?"]\n\n1. e4',
        "{" * 100_000,
        "(" * 100_000,
        '[Waraq "' + "\\" * 100_000,
        '{"type":"event"}\n' * 10_000,
        "x" * (TEXT_CHARS + 1),
    ],
)
def test_what_is_no_match_at_all_is_told_shortly(text: str) -> None:
    assert len(wrong(text)) < 200


def test_another_card_that_was_lawful_too_is_told_as_a_possibility() -> None:
    reason = replaced("3:7H 0:AH", "3:JH 0:AH")
    assert reason.startswith(HEAD)
    assert "this tag, an act (another was possible), a time, or" in reason


def test_an_invitation_is_believed_and_its_hash_is_the_heads() -> None:
    seed = next(seed for seed in range(99) if "invited" in str(eventful(seed, HokmOptions())[0]))
    text = write([row.entry for row in eventful(seed, HokmOptions())])
    line = next(line for line in text.splitlines() if line.startswith("[Invitation"))
    assert replaced(line, f'[Invitation "{"0" * 64}"]', text).startswith(HEAD)


# Anything else --------------------------------------------------------------------------------


def spoilt(text: str, luck: Random) -> str:
    """The text after one small accident."""
    lines = text.split("\n")
    at, other = luck.randrange(len(lines)), luck.randrange(len(lines))
    words = lines[at].split(" ")
    match luck.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            luck.shuffle(words)
            lines[at] = " ".join(words)
        case 4:
            words[luck.randrange(len(words))] = luck.choice(HOKM.split())
            lines[at] = " ".join(words)
        case _:
            place = luck.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:place] + chr(luck.randrange(1, 300)) + lines[at][place + 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize("text", [HOKM, SAUDI], ids=["hokm", "saudi"])
def test_a_spoilt_text_is_the_same_match_or_none(text: str) -> None:
    luck, match, refused = Random(7), read(text), 0
    for _ in range(120):
        try:
            assert read(spoilt(text, luck)) == match
        except TextUnreadable:
            refused += 1
    assert refused > 80
