"""What a board says about its board.json, in the language of the table."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import Message, msg
from companion.plan_words import PLACES, REASONS, reason
from companion.wording import Wording
from firmware.board import BadBoard, check
from tests.firmware.test_plan import REFUSED  # puts the firmware's files where a board has them

from main import wired  # isort: skip

REFUSALS = [plan for plan, _ in REFUSED]


def refusal(plan: Any) -> str:
    with pytest.raises(BadBoard) as refused:
        check(plan)
    return str(refused.value)


def said(text: str, lang: str) -> str:
    return Wording(lang)(msg("{why}", why=reason(text)))


@pytest.mark.parametrize("plan", REFUSALS, ids=str)
def test_every_refusal_is_told_in_every_language(plan: Any) -> None:
    text = refusal(plan)
    assert isinstance(reason(text), Message)
    assert said(text, "en") == text[:1].upper() + text[1:]
    assert said(text, "pt").lower() not in (text.lower(), "")


def test_what_a_board_without_a_plan_says_is_told_in_every_language() -> None:
    for text in ("", "{"):
        _, _, remark = wired(None, text)
        assert isinstance(reason(remark.removeprefix("board.json: ")), Message)


def test_no_sentence_is_idle_and_none_hides_another() -> None:
    """Each is what some refusal comes to; so a sentence that the firmware changes is missed here."""
    found = [reason(refusal(plan)) for plan in REFUSALS]
    found += [reason(wired(None, text)[2].removeprefix("board.json: ")) for text in ("", "{")]
    assert {message.id for message in found} == {message.id for message in REASONS}
    places = {value.id for message in found for value in message.params.values() if isinstance(value, Message)}
    assert places == {message.id for message in PLACES}


def test_places_are_told_in_words() -> None:
    assert said("reader 1, lamp: place 1 on GP22 is in use already (reader 0, lamp)", "pt") == (
        'Leitor 1, "lamp": o lugar 1 em GP22 já está em uso (leitor 0, "lamp")'
    )
    assert said('the plan: there is no "reader 0" here; it takes mcu, readers, panels', "pt") == (
        'O plano: aqui não há "reader 0"; só mcu, readers, panels'
    )


@pytest.mark.parametrize("text", ["reader 0: a shark ate it", "", "reader 7x: 3 is no pin of this board"])
def test_what_a_newer_board_says_is_told_as_it_is(text: str) -> None:
    assert reason(text) == text
