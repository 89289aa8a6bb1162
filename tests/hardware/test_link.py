"""The talk with a board, with a hand-turned clock and no port: what is posted, what is asked, when a link is over."""

import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import wire
from hardware import link, signals
from hardware.link import Known, Link, Timing, is_foreign
from tests.hardware.boards import OTHER, UID


class Talk:
    """A link and a board's voice."""

    def __init__(self, known=None, posted=None, port="/dev/x", named=True, board="b0a2", readers=2):
        self.known = known or Known()
        self.posted = [] if posted is None else posted
        self.now = 0.0
        self.board, self.readers = board, readers
        self.link = Link(port, self.known, self.posted.append, self.now, named=named)
        self._host = wire.Decoder()
        self._seq = 0
        self.uptime = 0

    def asked(self):
        """What the host has said since the last time."""
        return [(kind, *args) for _, kind, args in self._host.feed(self.link.take())]

    def say(self, kind, *args):
        data = wire.encode(self._seq, kind, *args)
        self._seq = (self._seq + 1) & 0xFF
        self.link.receive(data, self.now)

    def obey(self):
        """The board acknowledges all that it was told."""
        for seq, _, _ in self._host.feed(self.link.take()):
            self.say("ack", f"{seq:02X}")

    def lose(self):
        self._seq = (self._seq + 1) & 0xFF

    def greet(self, lying=(), ready=None, protocol=1, nonce=None):
        nonce = nonce or self.asked()[-1][1]
        self._seq = 0
        self.say("hello", nonce, protocol, "0.3.0", self.board)
        for number in range(self.readers):
            self.say("reader", number, "pn532", "presence,light")
        self.say("panel", 0, 7)
        for number, uid in lying:
            self.say("lying", number, uid)
        self.say("ready", *(ready or (self.readers, 1)))
        return self

    def wait(self, seconds, beats=True):
        """Time passes in small steps; the board beats."""
        for _ in range(round(seconds / 0.05)):
            self.now += 0.05
            if beats and round(self.now / 0.05) % 20 == 0:
                self.uptime += 1
                self.say("beat", self.uptime, 1, 0)
            self.link.tick(self.now)

    def names(self):
        return [signal.name for signal in self.posted]

    def tags(self):
        return [(s.name, s.reader[-1], s.uid) for s in self.posted if s.name.startswith("tag")]


def test_hello_to_ready():
    talk = Talk().greet(lying=[(1, UID)])
    assert talk.posted == [
        signals.BoardReady("b0a2", "0.3.0", 2, 1),
        signals.TagLying("b0a2/1", UID, False),
    ]
    assert talk.posted[1].to_json() == {"signal": "tag-lying", "reader": "b0a2/1", "uid": UID, "foreign": False}


def test_what_comes_before_the_right_hello_is_nothing():
    talk = Talk()
    nonce = talk.asked()[0][1]
    other = "0000" if nonce != "0000" else "0001"
    talk.say("on", 0, UID)
    talk.greet(nonce=other)
    talk.say("on", 0, UID)
    assert talk.posted == []
    talk.greet(nonce=nonce)
    assert talk.names() == ["board-ready"]


def test_each_hello_has_a_new_nonce():
    talk = Talk()
    talk.wait(5, beats=False)
    asked = [nonce for _, nonce in talk.asked()]
    assert len(asked) > 2
    assert len(set(asked)) > 1


def test_a_greeting_that_does_not_add_up_is_asked_for_again():
    talk = Talk().greet(ready=(3, 1))
    assert talk.posted == []
    talk.greet()
    assert talk.names() == ["board-ready"]


def test_a_greeting_that_never_adds_up_is_given_up():
    talk = Talk()
    for _ in range(5):
        talk.greet(ready=(3, 1))
    assert talk.link.ended
    assert talk.posted == [signals.BoardRefused("b0a2", "/dev/x", signals.GARBLED)]


def test_a_greeting_whose_end_is_lost_is_asked_for_again():
    talk = Talk()
    talk.say("hello", talk.asked()[0][1], 1, "0.3.0", "b0a2")
    talk.wait(0.6, beats=False)
    talk.greet()
    assert talk.names() == ["board-ready"]


def test_a_tag_laid_in_the_middle_of_the_greeting_counts():
    talk = Talk()
    talk.say("hello", talk.asked()[0][1], 1, "0.3.0", "b0a2")
    talk.say("reader", 0, "pn532", "presence")
    talk.say("on", 0, UID)
    talk.say("ready", 1, 0)
    assert talk.names() == ["board-ready", "tag-on"]


def test_what_a_place_cannot_do_is_told():
    talk = Talk()
    talk.say("hello", talk.asked()[0][1], 1, "0.3.0", "b0a2")
    for number, can in enumerate(("presence", "light,sound", "presence,light")):
        talk.say("reader", number, "pn532", can)
    talk.say("panel", 2, 7)
    talk.say("panel", 3, 5)
    talk.say("ready", 3, 2)
    (ready,) = talk.posted
    assert [(p.kind, p.number) for p in ready.each() if not p.light] == [("reader", 0), ("panel", 3)]
    assert [(p.kind, p.number) for p in ready.each() if not p.presence] == [("reader", 1)]
    assert [(p.number, p.buttons) for p in ready.each() if p.kind == "panel"] == [(2, 7), (3, 5)]
    assert ready.to_json() == {"signal": "board-ready", "board": "b0a2", "firmware": "0.3.0", "readers": 3, "panels": 2}


def test_a_card_that_lay_there_before_is_not_taken_for_laid_when_its_line_was_lost():
    """The greeting has a hole, so the board is asked once more; only what comes after that was laid by somebody."""
    talk = Talk()
    talk.say("hello", talk.asked()[0][1], 1, "0.3.0", "b0a2")
    talk.say("reader", 0, "pn532", "presence")
    talk.lose()
    talk.say("ready", 1, 0)
    assert ("tags?",) in talk.asked()
    talk.say("lying", 0, UID)
    assert talk.posted[-1] == signals.TagLying("b0a2/0", UID, False, laid=False)


def test_what_lies_on_a_reader_that_comes_to_life_was_not_laid():
    talk = Talk().greet()
    talk.say("health", 0, "absent")
    talk.wait(1)
    talk.say("health", 0, "ok")
    talk.say("lying", 0, UID)
    assert talk.posted[-1] == signals.TagLying("b0a2/0", UID, False, laid=False)
    talk.say("off", 0, UID)
    talk.wait(1)
    talk.say("lying", 0, OTHER)  # nobody asked
    assert talk.posted[-1] == signals.TagLying("b0a2/0", OTHER, False, laid=False)


def test_a_board_with_more_places_than_anybody_builds_is_refused():
    talk = Talk(readers=200)
    for _ in range(5):
        talk.greet()
        talk.now += 10.0
    assert talk.names() == ["board-refused"] and talk.posted[0].reason == signals.GARBLED


def test_a_stuck_button_of_a_board_is_told_once_and_its_release_ends_it():
    talk = Talk().greet()
    talk.say("press", 0, 3)
    talk.wait(9.9)
    assert "stuck" not in talk.names()
    assert talk.link.due(talk.now) <= 0.15
    talk.wait(20)
    assert talk.names().count("stuck") == 1
    talk.say("release", 0, 3)
    assert talk.posted[-2:] == [signals.Stuck("b0a2/0", 3), signals.Release("b0a2/0", 3)]
    talk.say("press", 0, 3)
    talk.say("release", 0, 3)
    talk.wait(20)
    assert talk.names().count("stuck") == 1


def test_a_board_that_counts_its_buttons_from_nought_is_heard():
    talk = Talk().greet()
    talk.say("press", 0, 0)
    talk.say("release", 0, 0)
    talk.say("press", 0, 8)
    assert talk.posted[-2:] == [signals.Press("b0a2/0", 0), signals.Release("b0a2/0", 0)]


def test_on_and_off_once_a_stay():
    talk = Talk().greet()
    for _ in range(3):
        talk.say("on", 0, UID)
    talk.say("off", 0, OTHER)
    for _ in range(3):
        talk.say("off", 0, UID)
        talk.wait(0.2)
    talk.wait(1)
    talk.say("on", 0, UID)
    assert talk.tags() == [("tag-on", "0", UID), ("tag-off", "0", UID), ("tag-on", "0", UID)]


def test_a_reader_that_sees_no_removal_ends_the_stay_with_the_next_on():
    talk = Talk()
    talk.say("hello", talk.asked()[0][1], 1, "0.3.0", "b0a2")
    talk.say("reader", 0, "keyboard", "light")
    talk.say("ready", 1, 0)
    talk.say("on", 0, UID)
    talk.say("on", 0, UID)
    assert talk.tags() == [("tag-on", "0", UID), ("tag-off", "0", UID), ("tag-on", "0", UID)]


def test_a_flicker_of_275_milliseconds_is_nothing():
    talk = Talk().greet()
    talk.say("on", 0, UID)
    for _ in range(5):
        talk.say("off", 0, UID)
        talk.wait(0.25)
        talk.say("on", 0, UID)
        talk.wait(0.5)
    assert talk.tags() == [("tag-on", "0", UID)]


def test_another_tag_ends_the_stay_at_once():
    talk = Talk().greet()
    talk.say("on", 0, UID)
    talk.say("off", 0, UID)
    talk.say("on", 0, OTHER)
    talk.say("on", 0, UID)  # the off was lost
    assert talk.tags() == [
        ("tag-on", "0", UID),
        ("tag-off", "0", UID),
        ("tag-on", "0", OTHER),
        ("tag-off", "0", OTHER),
        ("tag-on", "0", UID),
    ]


def test_readers_keep_their_tags_apart():
    talk = Talk().greet()
    for _ in range(3):
        talk.say("on", 0, UID)
        talk.say("on", 1, OTHER)
    assert talk.tags() == [("tag-on", "0", UID), ("tag-on", "1", OTHER)]


def test_a_collision_takes_the_tag_off():
    talk = Talk().greet()
    talk.say("on", 0, UID)
    talk.say("collision", 0)
    talk.say("on", 0, UID)
    assert talk.names()[1:] == ["tag-on", "tag-off", "collision", "tag-on"]


@pytest.mark.parametrize(
    ("uid", "foreign"),
    [
        *(("08A1B2C3", True), ("18A1B2C3", False), ("08A1B20000C3D4", False), ("00080A0B", False)),
        *((uid, True) for uid in ("00000000", "FFFFFFFF", "11111111", "00" * 7, "FF" * 10)),
        *((uid, True) for uid in ("01020304", "00010203", "01020304050607", "00010203040506070809")),
        *((uid, False) for uid in ("01020305", "FFFFFFFE", "04010203040506", "04030201")),
    ],
)
def test_uids_that_are_no_cards_own_are_foreign(uid, foreign):
    talk = Talk().greet()
    talk.say("on", 0, uid)
    assert talk.posted[-1].foreign is is_foreign(uid) is foreign


@pytest.mark.parametrize("name", ["gpio", "GPIO", "hsu-0", "board1", "abc/0", "0x12", "a.b", "~"])
def test_a_board_with_a_name_that_is_no_chips_is_refused(name):
    talk = Talk(board=name).greet()
    assert talk.posted == [signals.BoardRefused(name, "/dev/x", signals.BAD_ID)]
    assert talk.link.ended and talk.known.boards == {}


@pytest.mark.parametrize("name", ["e6614c311b4b2a2f", "ABC", "0"])
def test_a_board_with_an_id_in_hex_is_used(name):
    assert Talk(board=name).greet().names() == ["board-ready"]


@pytest.mark.parametrize("noise", [b"", b"ets Jun  8 2016 00:22:57\r\nrst:0x1 (POWERON_RESET)\r\n"])
def test_a_board_that_starts_anew_when_its_port_is_opened_has_time_for_it(noise):
    talk = Talk()
    while talk.now < Timing().boot - 0.2:
        talk.wait(0.1, beats=False)
        talk.link.receive(noise, talk.now)
    assert talk.posted == []
    assert talk.greet().names() == ["board-ready"]


def test_a_board_that_never_greets_is_told_after_the_time_of_the_wire_page():
    talk = Talk()
    talk.wait(Timing().boot - 0.2, beats=False)
    assert talk.posted == []
    talk.wait(1.3, beats=False)
    assert talk.posted == [signals.LinkLost(None, "/dev/x", signals.HUNG)]


def test_readers_and_panels_that_were_never_announced_are_nonsense():
    talk = Talk().greet()
    for frame in [("on", 7, UID), ("press", 3, 1), ("press", 0, 8), ("on", 0, "04"), ("health", 0, "fine"), ("on",)]:
        talk.say(*frame)
    assert talk.names() == ["board-ready"]
    assert talk.link.wrong == 6


def test_buttons_in_pairs():
    talk = Talk().greet()
    for kind in ("release", "press", "press", "release", "release"):
        talk.say(kind, 0, 3)
    assert talk.names()[1:] == ["press", "release", "press", "release"]


def test_health_is_passed_on():
    talk = Talk().greet()
    talk.say("health", 1, "absent")
    assert talk.posted[-1].to_json() == {"signal": "health", "reader": "b0a2/1", "state": "absent"}


def test_a_gap_is_counted_and_asks_for_tags():
    talk = Talk().greet()
    talk.asked()
    talk.lose()  # on 0
    talk.say("beat", 1, 1, 0)
    assert talk.asked() == [("tags?",)]
    talk.say("lying", 0, UID)
    talk.say("ack", "01")
    assert talk.link.decoder.lost == 1
    assert talk.posted[-1] == signals.TagLying("b0a2/0", UID, False, laid=True)
    talk.say("on", 0, OTHER)
    talk.lose()  # off 0
    talk.wait(1.2)
    talk.say("ack", "02")
    assert talk.tags()[-1] == ("tag-off", "0", OTHER)


def test_an_answer_with_a_hole_lifts_nothing():
    talk = Talk().greet()
    talk.say("on", 0, UID)
    talk.asked()
    talk.lose()
    talk.say("beat", 1, 1, 0)
    assert talk.asked() == [("tags?",)]
    talk.lose()  # lying 0
    talk.say("ack", "01")
    assert talk.tags() == [("tag-on", "0", UID)]
    talk.wait(1.2)
    assert talk.asked() == [("tags?",)]
    talk.say("lying", 0, UID)
    talk.say("ack", "02")
    assert talk.tags() == [("tag-on", "0", UID)]


def test_a_board_that_cannot_count_is_not_asked_without_end():
    talk = Talk().greet()
    talk.asked()
    asked = 0
    for _ in range(200):
        talk.now += 0.01
        talk.lose()
        talk.say("beat", 1, 1, 0)
        for kind, *_ in talk.asked():
            asked += kind == "tags?"
            talk.say("ack", f"{asked:02X}")
    assert asked <= 3


def test_three_seconds_of_silence():
    talk = Talk().greet()
    talk.say("on", 0, UID)
    talk.wait(2.9, beats=False)
    assert talk.names()[-1] == "tag-on"
    talk.wait(0.2, beats=False)
    assert talk.posted[-1] == signals.LinkLost("b0a2", "/dev/x", signals.SILENT)
    assert talk.link.ended


def test_an_unknown_kind_is_a_sign_of_life():
    talk = Talk().greet()
    for _ in range(5):
        talk.wait(1, beats=False)
        talk.say("weather", "fine")
    assert talk.names() == ["board-ready"]
    assert talk.link.wrong == 0


def test_a_command_is_sent_once_more_then_the_board_is_hung():
    talk = Talk().greet()
    talk.link.light(0, "locked")
    talk.wait(0.45)
    assert talk.asked() == [("light", "0", "locked")]
    talk.wait(0.3)
    assert talk.asked() == [("light", "0", "locked")]
    talk.wait(1)
    assert talk.posted[-1] == signals.LinkLost("b0a2", "/dev/x", signals.HUNG)


def test_a_late_answer_to_the_first_try_counts():
    talk = Talk().greet()
    talk.link.light(0, "locked")
    talk.wait(0.7)
    talk.say("ack", "01")
    talk.wait(2)
    assert talk.names() == ["board-ready"]


def test_commands_go_one_by_one_and_nak_is_an_answer():
    talk = Talk().greet()
    talk.asked()
    talk.link.light(0, "locked")
    talk.link.light(1, "off")
    talk.link.sound(0, "click")  # has no buzzer
    talk.wait(0.1)
    assert talk.asked() == [("light", "0", "locked")]
    talk.say("nak", "01", "no", "light")
    assert talk.asked() == [("light", "1", "off")]
    talk.say("ack", "02")
    talk.wait(1)
    assert talk.asked() == []


def test_a_silent_port_is_missed_only_if_somebody_asked_for_it():
    for named, said in ((True, ["link-lost"]), (False, [])):
        talk = Talk(named=named)
        talk.wait(20, beats=False)
        assert talk.names() == said
        assert talk.link.ended


def again(talk, port="/dev/x", **kwargs):
    return Talk(known=talk.known, posted=talk.posted, port=port, **kwargs)


def test_after_a_loss_what_lies_is_lying_and_what_is_gone_is_off():
    talk = Talk().greet()
    talk.say("on", 0, UID)
    talk.say("on", 1, OTHER)
    talk.link.end(signals.UNPLUGGED)
    assert talk.names()[-1] == "link-lost"
    back = again(talk, port="/dev/y").greet(lying=[(0, UID)])
    assert talk.names()[4:] == ["link-back", "board-ready", "tag-lying", "tag-off"]
    assert talk.tags()[-1] == ("tag-off", "1", OTHER)
    back.say("on", 0, UID)  # it never left, as far as anybody was told
    assert talk.names().count("tag-on") == 2


def test_a_flicker_is_told_to_those_who_wait_whether_a_card_stays():
    """The table counts what lies still, and a TagOff comes late; `devices watch` hears nothing of it."""
    talk = Talk().greet()
    for _ in range(2):
        talk.say("on", 0, UID)
        talk.say("off", 0, UID)
        talk.say("off", 0, UID)
        talk.wait(0.1)
    talk.say("lying", 0, UID)
    talk.say("on", 0, UID)
    assert [s.seen for s in talk.posted if isinstance(s, signals.Sight)] == [False, True, False, True]
    assert talk.tags() == [("tag-on", "0", UID)]
    talk.say("off", 0, UID)
    talk.wait(0.5)
    talk.say("on", 0, UID)
    talk.say("on", 0, OTHER)
    assert [name for name in talk.names() if name != "board-ready"][5:] == [
        "sight", "tag-off", "tag-on", "tag-off", "tag-on"]  # fmt: skip


def test_what_a_board_said_before_it_was_lost_holds():
    talk = Talk().greet()
    talk.say("on", 0, UID)
    talk.say("off", 0, UID)
    talk.say("press", 0, 1)
    talk.link.end(signals.UNPLUGGED)
    assert talk.names()[1:] == ["tag-on", "sight", "press", "tag-off", "release", "link-lost"]
    again(talk).greet().say("press", 0, 1)
    assert talk.names()[-2:] == ["board-ready", "press"]


def test_another_board_on_the_same_port_is_not_the_lost_one():
    talk = Talk().greet()
    talk.link.end(signals.UNPLUGGED)
    again(talk, board="c0de").greet()
    assert talk.names() == ["board-ready", "link-lost", "board-ready"]


def test_a_board_that_restarts_by_itself_is_greeted_anew():
    talk = Talk().greet()
    talk.say("beat", 100, 1, 0)
    talk.say("beat", 1, 1, 0)
    assert talk.posted[-1] == signals.LinkLost("b0a2", "/dev/x", signals.RESTARTED)


@pytest.mark.parametrize(("protocol", "reason"), [(0, signals.TOO_OLD), (2, signals.TOO_NEW)])
def test_another_protocol_is_refused_once_with_what_to_do(protocol, reason):
    talk = Talk().greet(protocol=protocol)
    again(talk).greet(protocol=protocol)
    assert talk.posted == [signals.BoardRefused("b0a2", "/dev/x", reason)]


def test_two_boards_with_one_id():
    talk = Talk().greet()
    for second in range(6):
        twin = again(talk, port="/dev/y")
        twin.now = second * 1.0
        twin.greet()
        assert twin.link.ended
    assert talk.posted[1:] == [signals.BoardRefused("b0a2", "/dev/y", signals.TWIN)]
    talk.link.end(signals.UNPLUGGED)
    again(talk, port="/dev/y").greet()
    assert talk.names()[-2:] == ["link-back", "board-ready"]


board_frames = st.one_of(
    st.tuples(st.sampled_from(["on", "off", "lying"]), st.integers(0, 2), st.sampled_from([UID, OTHER, "08A1B2C3"])),
    st.tuples(st.just("collision"), st.integers(0, 2)),
    st.tuples(st.sampled_from(["press", "release"]), st.integers(0, 1), st.integers(0, 8)),
    st.tuples(st.just("ack"), st.sampled_from(["00", "01", "02", "03"])),
    st.tuples(st.sampled_from(["hello"]), st.just("0000"), st.integers(0, 2), st.just("1"), st.just("ab")),
    st.sampled_from([("lost",), ("wait",), ("again",), ("weather", "fine")]),
)


@given(st.lists(board_frames, max_size=60))
def test_whatever_a_board_says_ons_and_offs_and_presses_take_turns(frames):
    talk = Talk().greet()
    for kind, *args in frames:
        if kind == "lost":
            talk.lose()
        elif kind == "wait":
            talk.wait(0.4)
        elif kind == "again":
            talk.link.end(signals.UNPLUGGED)
        else:
            talk.say(kind, *args)
        if talk.link.ended:
            talk = again(talk).greet(lying=[(0, UID)])
    on, down = {}, set()
    for signal in talk.posted:
        if isinstance(signal, signals.TagOn):
            assert signal.reader not in on
            on[signal.reader] = signal.uid
        elif isinstance(signal, signals.TagOff):
            assert on.pop(signal.reader, signal.uid) == signal.uid
        elif isinstance(signal, signals.Press):
            assert signal.button not in down
            down.add(signal.button)
        elif isinstance(signal, signals.Release):
            down.remove(signal.button)


noise = st.one_of(
    st.binary(max_size=200),
    st.sampled_from([b"on 0 04A1B20000C3D4\n", b"05 on 0 04A1B20000C3D4*7F31\n", b"05 on 0 04A1B20000C3D4*", b"\n"]),
)


@given(st.lists(noise, max_size=6), st.booleans())
def test_random_bytes_are_no_tag_and_no_exception(pieces, greeted):
    talk = Talk()
    if greeted:
        talk.greet()
    for piece in pieces:
        talk.link.receive(piece, talk.now)
    assert talk.names() == ["board-ready"] * greeted
    talk.link.receive(b"\n", talk.now)
    if greeted:
        talk.say("on", 0, UID)
        assert talk.names()[-1] == "tag-on"


def test_thousands_of_random_streams():
    """Lines of the wire with bytes flipped, cut, doubled and mixed with noise; 100,000 of them in `make long`."""
    dice = random.Random(11)
    good = [
        wire.encode(seq, *frame) for seq, frame in enumerate([("on", 0, UID), ("off", 0, UID), ("lying", 1, OTHER)])
    ]
    talk = Talk().greet()
    for _ in range(100_000 if os.environ.get("GRYPHON_LONG") else 3_000):
        spoilt = bytearray(dice.choice(good))
        for bit in dice.sample(range(8 * (len(spoilt) - 1)), dice.randrange(1, 3)):
            spoilt[bit // 8] ^= 1 << bit % 8
        stream = bytes(spoilt) + dice.randbytes(dice.randrange(40)) + b"\n"
        cut = dice.randrange(len(stream))
        talk.link.receive(stream[:cut], talk.now)
        talk.link.receive(stream[cut:], talk.now)
        talk.wait(0.05)
    assert talk.names() == ["board-ready"]


def test_due_never_asks_to_spin():
    talk = Talk()
    assert 0 < talk.link.due(talk.now) <= Timing().answer
    talk.greet()
    assert 0 < talk.link.due(talk.now) <= Timing().silence


# --- a board that says more than anybody can do ---------------------------------------------------------------------

FLOODS = {
    "presses": lambda n: [("press", 0, 3), ("release", 0, 3)],
    "buttons in turn": lambda n: [("press", 0, n % 7 + 1)],
    "cards": lambda n: [("on", 0, UID), ("off", 0, UID), ("on", 0, OTHER)],
    "collisions": lambda n: [("collision", 1)],
    "health": lambda n: [("health", 0, "deaf"), ("health", 0, "ok")],
    "hello": lambda n: [("hello", "0000", 1, "0.3.0", "b0a2")],
    "beats": lambda n: [("beat", 1000 + n, 1, 0)],
    "newer kinds": lambda n: [("weather", "fine")],
}


@pytest.mark.parametrize("kind", FLOODS)
@pytest.mark.parametrize("a_second", [200, 10_000])
def test_a_board_that_floods_is_heard_for_a_moment_and_named_once(kind, a_second):
    talk = Talk().greet()
    before = len(talk.posted)
    for n in range(10 * a_second):
        talk.now += 1 / a_second
        for line in FLOODS[kind](n):
            talk.say(*line)
        talk.link.tick(talk.now)
    # a board that greets all the time is asked what lies there, and answers nothing
    reasons = {signals.FLOODED, signals.HUNG} if kind == "hello" else {signals.FLOODED}
    (lost,) = [s for s in talk.posted if isinstance(s, signals.LinkLost)]
    assert lost == talk.posted[-1] and lost.reason in reasons
    assert len(talk.posted) - before < 6 * link.BURST


@pytest.mark.parametrize("rubbish", [b"x" * 40 + b"\n", b"\n", b"x" * 4096, b"\xff\x00" * 50, b"00 on 0 04A1*0000\n"])
@pytest.mark.parametrize("greeted", [True, False])
def test_rubbish_without_end_is_not_listened_to_for_long(rubbish, greeted):
    talk = Talk()
    if greeted:
        talk.greet()
    for _ in range(10_000):
        talk.now += 0.0001
        talk.link.receive(rubbish, talk.now)
    assert talk.link.flooded
    lost = [s for s in talk.posted if isinstance(s, signals.LinkLost)]
    assert lost == [signals.LinkLost("b0a2" if greeted else None, "/dev/x", signals.FLOODED)]


def test_four_people_in_a_hurry_are_no_flood():
    """Each hammers on a button, eight times a second, and every press clicks."""
    talk = Talk().greet()
    for n in range(600):
        talk.say("press", 0, n % 7 + 1)
        talk.say("release", 0, n % 7 + 1)
        talk.say("ack", "00")
        talk.now += 1 / 32
    assert not talk.link.ended


def test_the_greeting_of_the_largest_board_is_no_flood():
    talk = Talk(readers=60).greet(lying=[(n, f"04{n:06X}00C3D4") for n in range(60)])
    for n in range(60):
        talk.say("off", n, f"04{n:06X}00C3D4")
    assert not talk.link.ended


def test_what_waited_while_the_table_was_stopped_is_no_flood():
    """A laptop that slept: the buffers of the system hold minutes of beats, and the link goes on."""
    talk = Talk().greet()
    talk.now += 600.0
    beats = b"".join(wire.encode(talk._seq + n & 0xFF, "beat", n, 1000, 0) for n in range(700))
    talk.link.receive(beats[:16384], talk.now)
    assert not talk.link.ended


@pytest.mark.parametrize("lost", ["release", "press and release"])
def test_after_a_gap_nothing_is_known_to_be_stuck(lost):
    """A lost release is no stuck button, and a press and a release still take turns."""
    talk = Talk().greet()
    talk.say("press", 0, 3)
    if lost != "release":
        talk.say("release", 0, 3)
        talk.say("press", 0, 3)
    talk.wait(2)
    talk.lose()
    for _ in range(20):
        talk.wait(1)
        talk.obey()
    assert "stuck" not in talk.names()
    talk.say("press", 0, 3)
    talk.wait(10)
    assert talk.names()[-3:] == ["release", "press", "stuck"]
