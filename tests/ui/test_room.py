"""What stands where: pictures are as large as the words beside them allow, and neither covers the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from companion.ui import card_words
from companion.ui.boards.cards import CardRing
from companion.ui.boards.sir_holland.hand import Hand, HandCard
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.pen import Pen
from companion.ui.screens import cover
from companion.ui.screens.reveal import Reason
from companion.ui.theme import look, t, u
from companion.ui.widgets import Figure, Heading, Pic, SeatMark, Text
from companion.ui.words import say
from tests import screens

SMALL = [(800, 480), (480, 800)]
SHAPES = [*SMALL, (1280, 800)]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator:
    """Opens a scene in English."""
    monkeypatch.setattr(cover, "HOLD", 0.02)
    there = []

    def open_at(scene: str, size: tuple[int, int], text: str = "normal"):
        there.append(screens.open_scene(scene, "en", size, {"text": text}))
        return there[-1]

    yield open_at
    for s in there:
        s.close()


def _lines(reason: Reason) -> list[Text]:
    """Its words, without the number of the rule."""
    return [w for w in reason.walk() if isinstance(w, Text) and w.text in (reason.head, reason.text) and w.text]


@pytest.mark.parametrize("size", SHAPES)
@pytest.mark.parametrize("scene", ["04_cover_hand", "04_choose_hand"])
def test_the_words_of_a_card_stand_in_its_middle(opened, scene: str, size: tuple[int, int]) -> None:
    cards = opened(scene, size).all(lambda w: isinstance(w, HandCard))
    assert len(cards) == 7
    short = [card for card in cards if card.does.high(18, card.does.width) < t(30)]
    assert len(short) >= 6
    for card in short:
        above = card.top - card.name.y - card.name.high(card.name.px, card.name.width)
        below = card.does.top - card.does.high(card.does.px, card.does.width) - card.y
        assert above == pytest.approx(below, abs=u(3))


@pytest.mark.parametrize("text", ["normal", "huge"])
@pytest.mark.parametrize("size", SHAPES)
@pytest.mark.parametrize("scene", ["05_reveal_two", "05_reveal_no_tie", "05_reveal_tie", "05_reveal_two_ties"])
def test_reasons_leave_the_cards_what_they_do_not_need(opened, scene: str, size: tuple[int, int], text: str) -> None:
    s = opened(scene, size, text)
    ids = s.root.screen.ids_
    reasons = s.all(lambda w: isinstance(w, Reason))
    needed = sum(reason.high(ids.left.width) for reason in reasons) + (len(reasons) - 1) * ids.reasons.spacing
    spare = ids.reasons.height - needed
    card = s.root.screen.cards[0]
    # the cards are as wide as there is room, or higher than the reasons, or have all that these do not need
    widest = card.height >= u(card.HEAD) + card.width * 1.36 - 1
    assert spare < 2 or widest or ids.cards.height >= ids.left.height * 0.62 - 1
    if spare > 0:
        assert all(line.font_size >= t(20) - 0.5 for reason in reasons for line in _lines(reason))


@pytest.mark.parametrize("scene", ["05_reveal_no_tie", "05_reveal_tie", "05_reveal_two_ties"])
def test_cards_on_a_narrow_screen_are_large(opened, scene: str) -> None:
    cards = opened(scene, (480, 800)).root.screen.cards
    assert min(card.ids.card.height for card in cards) >= u(80)


@pytest.mark.parametrize("text", ["normal", "huge"])
@pytest.mark.parametrize("size", SHAPES)
@pytest.mark.parametrize("scene", ["05_reveal_no_tie", "05_reveal_tie", "05_reveal_two_ties"])
def test_a_mark_stands_nearer_to_its_own_card_than_to_the_next(
    opened, scene: str, size: tuple[int, int], text: str
) -> None:
    s = opened(scene, size, text)
    cards = s.root.screen.cards
    marks = [next(w for w in card.walk() if isinstance(w, SeatMark)) for card in cards]
    heads = [next(w for w in card.walk() if isinstance(w, Heading)) for card in cards]
    for mark, head in zip(marks, heads[1:], strict=False):
        assert head.x - mark.right >= u(11)
    # a place and its mark stand together, however wide the card is
    assert all(mark.right - head.x <= u(52) + t(60) for mark, head in zip(marks, heads, strict=True))
    for mark, card in zip(marks, cards, strict=True):
        picture = card.ids.card
        wide = min(picture.width, picture.height / 1.36)
        # at most half of it stands out beside the card
        assert mark.right <= picture.center_x + wide / 2 + mark.width / 2 + u(1)


@pytest.mark.parametrize("size", SHAPES)
def test_a_heros_number_stays_inside_its_box(opened, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands out is covered by the next picture."""
    digits = []
    monkeypatch.setattr(Pen, "_digit", lambda _, digit, right, *__: digits.append(right))
    figures = opened("02_minute_1", size).all(lambda w: isinstance(w, Figure))
    for figure in figures:
        digits.clear()
        figure.paint(Pen(figure._group))
        assert max(digits) <= figure.right + 1


@pytest.mark.parametrize("text", ["normal", "huge"])
@pytest.mark.parametrize("size", SHAPES)
def test_the_arrow_of_the_table_lies_between_the_cards(
    opened, size: tuple[int, int], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = opened("02_minute_3", size, text).one(lambda w: isinstance(w, CardRing))
    arrows = []
    monkeypatch.setattr(Pen, "pic", lambda _, name, x, y, px, *__: arrows.append((y, px)) if name == "mark_left" else 0)
    ring.paint(Pen(ring._group))
    (low, px), high = arrows[0], ring.card_size[1]
    for seat in ring.seats:
        x, y = ring.card_at(seat)
        if abs(x - ring.center_x) < 1:
            assert y + high / 2 <= low or y - high / 2 >= low + px


@pytest.mark.parametrize("text", ["normal", "huge"])
@pytest.mark.parametrize("size", SHAPES)
@pytest.mark.parametrize("scene", ["01_start_saved", "01_start_lost_saved", "03_tower_laid"])
def test_marks_on_a_small_tower_stand_apart(opened, scene: str, size: tuple[int, int], text: str) -> None:
    tower = opened(scene, size, text).one(lambda w: isinstance(w, Tower))
    for square in ("b1", "d1"):
        spots = tower.spots(square, tower.figures)
        assert len(spots) == 4
        for one, other in combinations(spots, 2):
            assert max(abs(one.x - other.x), abs(one.y - other.y)) >= one.px - 2


@pytest.mark.parametrize("size", SMALL)
def test_large_letters_say_both_halves_of_a_picked_card(opened, size: tuple[int, int]) -> None:
    said = " ".join(opened("04_cover_picked", size, "huge").texts())
    assert say(card_words.head(2)) in said
    assert say(card_words.SPECIAL[2]) in said


@pytest.mark.parametrize("text", ["normal", "huge"])
@pytest.mark.parametrize("size", SMALL)
def test_the_hand_of_a_free_seat_is_seen(opened, size: tuple[int, int], text: str) -> None:
    s = opened("04_choose_free", size, text)
    hands = s.all(lambda w: isinstance(w, Hand))
    assert [hand.opacity for hand in hands] == [1] * 4
    assert min(hand.fit()[0] for hand in hands) >= u(24)


@pytest.mark.parametrize("size", SMALL)
def test_nobody_speaks_without_words(opened, size: tuple[int, int]) -> None:
    screen = opened("04_choose_free", size, "huge").root.screen
    speakers = [w for w in screen.foot.walk() if isinstance(w, Pic) and w.art == "gryphon"]
    assert bool(speakers) == (look.width > look.height)
