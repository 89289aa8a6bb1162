"""Messages become sentences: lists, counts, names, capitals, in English and in Portuguese."""

from __future__ import annotations

import ast
import inspect
import logging
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from companion.games.base import Message, Refusal, msg, msgn
from companion.games.sir_holland import SirHolland, desk, explain, rules
from companion.games.sir_holland.state import HouseRules
from companion.locale.catalogues import compile_catalogues
from companion.wording import PlainLog, Wording, languages

TERM = SirHolland().term
NAMES = {"red": "Ana", "blue": "Bruno"}


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """What `make` does before; here for a test that is run by hand."""
    compile_catalogues()


def say(message: Message, lang: str = "en", names: dict[str, str] | None = None) -> str:
    return Wording(lang, TERM, names)(message)


def both(message: Message, names: dict[str, str] | None = None) -> tuple[str, str]:
    return say(message, "en", names), say(message, "pt", names)


# --- lists and counts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "english", "portuguese"),
    [
        ([], "", ""),
        (["red"], "Red", "Vermelho"),
        (["red", "blue"], "Red and Blue", "Vermelho e Azul"),
        (["red", "blue", "green"], "Red, Blue and Green", "Vermelho, Azul e Verde"),
        (["red", "blue", "green", "yellow"], "Red, Blue, Green and Yellow", "Vermelho, Azul, Verde e Amarelo"),
    ],
)
def test_a_list_ends_with_and(seats, english, portuguese) -> None:
    assert both(msg("{seats:seats}", seats=seats)) == (english, portuguese)


@pytest.mark.parametrize(
    ("squares", "english", "portuguese"),
    [
        (["b1"], "To b1.", "Para b1."),
        (["b1", "d1"], "To b1 or d1.", "Para b1 ou d1."),
        (["b1", "d1", "roof"], "To b1, d1 or the terrace.", "Para b1, d1 ou o terraço."),
    ],
)
def test_a_list_of_what_can_be_picked_ends_with_or(squares, english, portuguese) -> None:
    assert say(msg("To {to:squares_or}.", to=squares)) == english
    assert say(msg("Para {to:squares_or}.", to=squares), "pt") == portuguese


def test_lists_of_figures_squares_and_numbers() -> None:
    figures = msg("{figures:figures}", figures=["red.1", "blue.2", "knight"])
    assert both(figures) == ("Red 1, Blue 2 and the Black Knight", "Vermelho 1, Azul 2 e o Cavaleiro Negro")
    assert both(msg("{s:squares}", s=["a1", "roof"])) == ("a1 and the terrace", "a1 e o terraço")
    assert both(msg("{n:numbers}", n=(1, 2, 7))) == ("1, 2 and 7", "1, 2 e 7")


def test_heights_name_every_seat() -> None:
    message = msg("({heights:heights})", heights=[("red", [5, 4]), ("blue", [3]), ("green", [])])
    assert both(message, NAMES) == ("(Ana 5 and 4; Bruno 3; Green none)", "(Ana 5 e 4; Bruno 3; Verde nenhum)")


@pytest.mark.parametrize(
    ("n", "english", "portuguese"),
    [(0, "0 heroes", "0 herói"), (1, "1 hero", "1 herói"), (2, "2 heroes", "2 heróis")],
)
def test_a_count_chooses_the_sentence(n, english, portuguese) -> None:
    message = msgn(
        "Most heroes saved: {seat:seat}, with {n} hero.",
        "Most heroes saved: {seat:seat}, with {n} heroes.",
        seat="red", n=n,
    )  # fmt: skip
    assert both(message) == (
        f"Most heroes saved: Red, with {english}.",
        f"Mais heróis salvos: Vermelho, com {portuguese}.",
    )


# --- names --------------------------------------------------------------------------------------------------------


def test_a_person_is_called_by_name_and_a_seat_without_one_by_colour() -> None:
    message = msg("{seat:seat}, {other:seat}, {seats:seats}", seat="red", other="green", seats=["blue", "yellow"])
    assert both(message, NAMES) == ("Ana, Green, Bruno and Yellow", "Ana, Verde, Bruno e Amarelo")


def test_figures_and_colours_keep_the_colour() -> None:
    message = msg("{hero:figure}: {seat:seat} ({colour:seat_colour})", hero="red.2", seat="red", colour="red")
    assert both(message, NAMES) == ("Red 2: Ana (Red)", "Vermelho 2: Ana (Vermelho)")


def test_an_empty_name_is_none() -> None:
    assert say(msg("{seat:seat} wins!", seat="red"), names={"red": ""}) == "Red wins!"


@pytest.mark.parametrize("name", ["{seat}", "{0}", "}", "%s", "Zé & Lu", "[b]x[/b]"])
def test_a_name_is_never_read_as_a_sentence(name) -> None:
    message = msg("{tied:seats}: {what}", tied=["blue", "red"], what=msg("{seat:seat}", seat="red"))
    assert say(message, names={"red": name}) == f"Blue and {name}: {name}"


def test_what_has_no_name_stands_as_it_is() -> None:
    assert say(msg("({seat:seat})", seat="e661/0"), "pt") == "(e661/0)"
    assert say(msg("on {at:square}, {x:unheard_of}, {n}", at="c2", x="y", n=3)) == "On c2, y, 3"
    assert Wording("pt")(msg("{seat:seat} wins!", seat="red")) == "Red venceu!"  # no game, no names


KINDS = [
    ("seat", "red", "Red", "Vermelho"),
    ("seat", "blue", "Blue", "Azul"),
    ("seat", "green", "Green", "Verde"),
    ("seat_colour", "yellow", "Yellow", "Amarelo"),
    ("figure", "green.1", "Green 1", "Verde 1"),
    ("figure", "wizard", "the Dark Wizard", "o Mago Negro"),
    ("figure", "knight", "the Black Knight", "o Cavaleiro Negro"),
    ("card", 3, "3 (Explosion)", "Explosão (3)"),
    ("card_name", 1, "Hide", "Esconder"),
    ("card_name", 2, "Chase", "Perseguir"),
    ("card_name", 4, "Capture", "Capturar"),
    ("card_name", 5, "Climb", "Escalar"),
    ("card_name", 6, "Portal", "Portal"),
    ("card_name", 7, "Rest", "Descansar"),
    ("square", "roof", "the terrace", "o terraço"),
    ("square", "e5", "e5", "e5"),
    ("terrain", "P", "a portal", "um portal"),
    ("terrain", "D", "a dungeon", "um calabouço"),
    ("terrain", "R", "a rope", "uma corda"),
    ("terrain", "S", "a secret passage", "uma passagem secreta"),
    ("terrain", "H", "the secret room", "a sala secreta"),
    ("terrain", "W", "a wall", "uma parede"),
    ("terrain_cards", "P", "portals", "portais"),
    ("terrain_cards", "D", "dungeons", "calabouços"),
    ("terrain_cards", "R", "ropes", "cordas"),
    ("terrain_cards", "S", "secret passages", "passagens secretas"),
    ("terrain_cards", "H", "secret rooms", "salas secretas"),
    ("terrain_cards", "W", "walls", "paredes"),
    ("special", 1, "hide a hero", "esconder um herói"),
    ("special", 2, "move a villain", "mover um vilão"),
    ("special", 3, "blow up a card", "explodir uma carta"),
    ("special", 4, "move the villains", "mover os vilões"),
    ("special", 5, "climb", "escalar"),
    ("special", 6, "use the portals", "usar os portais"),
]


@pytest.mark.parametrize(("kind", "value", "english", "portuguese"), KINDS)
def test_every_kind_has_its_name(kind, value, english, portuguese) -> None:
    # after a colon, as the first letter of a sentence is another matter
    assert both(msg(f": {{x:{kind}}}", x=value)) == (f": {english}", f": {portuguese}")


def test_these_are_all_kinds() -> None:
    """A kind in a sentence is a name of the game, a list of such names, or the house's own."""
    tree = ast.parse(inspect.getsource(explain.term))
    cases = {n.pattern.value.value for n in ast.walk(tree) if isinstance(n, ast.match_case)
             and isinstance(n.pattern, ast.MatchValue) and isinstance(n.pattern.value, ast.Constant)}  # fmt: skip
    assert cases == {kind for kind, *_ in KINDS}
    house = {"", "seats", "figures", "squares", "squares_or", "numbers", "heights"}
    assert {kind for m in explain._SENTENCES.values() for _, kind in fields(m.id)} <= cases | house


# --- sentences ----------------------------------------------------------------------------------------------------


def test_a_sentence_begins_with_a_capital_and_a_name_within_keeps_its_letter() -> None:
    message = msg("{by:figure}, {at:square}, {by:figure}", by="wizard", at="roof")
    assert both(message) == (
        "The Dark Wizard, the terrace, the Dark Wizard",
        "O Mago Negro, o terraço, o Mago Negro",
    )
    assert say(msg("")) == ""
    assert Wording("en", TERM, {"red": "élodie"})(msg("{seat:seat} wins!", seat="red")) == "Élodie wins!"


def test_a_message_can_hold_a_message() -> None:
    inner = msg("{figure:figure} {n}", figure="knight", n=msg("{at:square}", at="roof"))
    assert both(msg("Taken: {what}", what=inner)) == (
        "Taken: the Black Knight the terrace",
        "Taken: o Cavaleiro Negro o terraço",
    )


def test_a_fixed_text_is_translated() -> None:
    assert Wording("en").text("The line is empty.") == "The line is empty."
    assert Wording("pt").text("The line is empty.") == "A linha está vazia."
    assert Wording("pt").text("Nobody has translated this.") == "Nobody has translated this."


def test_languages() -> None:
    assert languages() == ("en", "pt")


def test_an_unknown_language_falls_back_to_english() -> None:
    words = Wording("tlh", TERM, NAMES)
    assert words(msg("{seat:seat} wins!", seat="red")) == "Ana wins!"
    assert words.text("The line is empty.") == "The line is empty."
    assert words.lang == "tlh"


# --- every refusal ------------------------------------------------------------------------------------------------

SAMPLES: dict[str, Any] = {
    "seat": "red",
    "seats": ["red", "blue"],
    "figure": "red.1",
    "figures": ["red.1", "blue.2"],
    "square": "c2",
    "squares_or": ["b1", "d1"],
    "numbers": [1, 2, 7],
    "card": 3,
    "terrain": "P",
    "terrain_cards": "R",
    "special": 3,
}
PLAIN: dict[str, Any] = {"n": 3, "left": 1, "found": 4, "name": "pink", "at": "f9"}
VILLAINS = {"by", "villain", "figure of outside", "figures"}
"""Fields in which a villain may come."""
TERRACE = {
    "to of not_next", "to of not_a_climb", "up of not_a_climb", "at of climb_one", "to of portal_step", "at of too_far",
    "at of fall_there",
}  # fmt: skip
"""Fields in which the terrace may come."""


def fields(text: str) -> list[tuple[str, str]]:
    return [(name, kind or "") for _, name, kind, _ in Formatter().parse(text) if name is not None]


def facts(reason: str, text: str, terrace: bool) -> dict[str, Any]:
    found = {}
    for name, kind in fields(text):
        found[name] = SAMPLES[kind] if kind else PLAIN[name]
        if {name, f"{name} of {reason}"} & VILLAINS:
            found[name] = ["red.1", "wizard"] if kind == "figures" else "wizard"
        if terrace and f"{name} of {reason}" in TERRACE:
            found[name] = "roof"
    return found


def every_refusal(terrace: bool) -> Iterator[tuple[str, Message]]:
    for reason, template in explain._SENTENCES.items():
        refusal = Refusal("R0", reason, **facts(reason, template.id, terrace))
        yield reason, explain.sentence(refusal)


@pytest.mark.parametrize("reason", ["too_far", "portal_far", "villain_far"])
def test_one_step_that_is_missing_is_counted_as_one(reason) -> None:
    for n, en, pt in ((1, " 1 (portal )?step[. ]", " 1 passo[. ]"), (2, " 2 (portal )?steps", " 2 passos")):
        refusal = Refusal("R29", reason, **facts(reason, explain._SENTENCES[reason].id, False) | {"n": n, "left": 0})
        assert re.search(en, say(explain.sentence(refusal), "en", NAMES))
        assert re.search(pt, say(explain.sentence(refusal), "pt", NAMES))


@pytest.mark.parametrize("terrace", [False, True])
@pytest.mark.parametrize("lang", ["en", "pt"])
def test_every_refusal_is_a_sentence(lang, terrace) -> None:
    told = {reason: say(message, lang, NAMES) for reason, message in every_refusal(terrace)}
    assert len(told) == len(explain._SENTENCES) > 70
    for reason, text in told.items():
        assert not text[0].islower() or re.match(r"[a-e][1-5] ", text), reason
        assert text[-1] == ".", reason
        assert not set(text) & set("{}"), reason
        assert "  " not in text, reason
        assert not re.search(r"\b(roof|wizard|knight|red|blue)\.?\d?\b", text) or reason == "unknown_colour", text


@pytest.mark.parametrize("terrace", [False, True])
def test_every_refusal_is_good_portuguese_whatever_is_named(terrace) -> None:
    """No "de o", "em o", "por o", "a o": they would have to be contracted; and no name with a small letter first."""
    for reason, message in every_refusal(terrace):
        text = say(message, "pt", NAMES)
        assert text != say(message, "en", NAMES), reason
        assert not re.search(r"\b(de|em|por|a) (o|a|um|uma) (Mago|Cavaleiro|terraço)", text), text
        assert not re.search(r"[.!?] [a-záéíóúâêôãõç]", text), text


def test_some_refusals_in_portuguese() -> None:
    told = {reason: say(message, "pt", NAMES) for reason, message in every_refusal(terrace=True)}
    assert told["villain_there"] == (
        "Vermelho 1 não pode parar em c2: o Mago Negro está lá. Passe direto, ou pare antes ou depois."
    )
    assert told["card_used"] == "Ana já usou Explosão (3). Ela volta com um descanso. Ainda na mão: 1, 2 e 7."
    assert told["too_far"] == "Vermelho 1 precisa de 3 passos até o terraço. Passos de herói que restam: 1."
    assert told["not_your_hero"] == "Vermelho 1 é de Ana. Ana só move Vermelho 1 e Azul 2."
    assert told["no_hero"] == "O Mago Negro é um vilão. Só Perseguir (2) e Capturar (4) movem vilões."
    assert told["special_used"] == "Ana, não dá mais para explodir uma carta: já acabou."
    assert told["explode_card"] == "A carta em c2 é um portal. Portais e calabouços não explodem."
    assert told["fall_there"] == "A queda de Vermelho 1 não vai até o terraço. Ana escolhe b1 ou d1."


def test_every_refusal_brings_what_its_sentence_needs() -> None:
    """A field without a value would be found only by the player who makes that very mistake."""
    calls = [
        node
        for module in (rules, SirHolland)
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal"
    ]
    named = [(c.args[1].value, {k.arg for k in c.keywords}) for c in calls if isinstance(c.args[1], ast.Constant)]
    assert len(named) > 40
    for reason, given in named:
        assert {name for name, _ in fields(explain._SENTENCES[reason].id)} <= given, reason


# --- the dispute desk ---------------------------------------------------------------------------------------------


def test_the_order_in_portuguese() -> None:
    places = desk.explain_order(("yellow", "red", "blue"), "yellow", {"yellow": 4, "red": 2, "blue": 2})
    assert [say(p.message, "pt", NAMES) for p in places] == [
        "Ana e Bruno jogaram 2. O grifo está com Amarelo; contando dali para a esquerda, Ana vem primeiro.",
        "Ana e Bruno jogaram 2. O grifo está com Amarelo; à esquerda de Ana, Bruno vem em seguida.",
        "Amarelo vem depois de Bruno: 4 é maior que 2.",
    ]


def test_the_winner_in_portuguese() -> None:
    seats, levels = ("red", "blue"), {"red": [5, 2], "blue": [5]}
    _, steps = desk.winner(seats, "red", "rested", {"red": 0, "blue": 1}, levels, HouseRules())
    assert [say(s.message, "pt", NAMES) for s in steps] == ["Mais heróis salvos: Bruno, com 1 herói."]
    _, steps = desk.winner(seats, "red", "rested", {"red": 0, "blue": 0}, levels, HouseRules())
    assert [say(s.message, "pt", NAMES) for s in steps] == [
        "Heróis salvos: empate de Ana e Bruno, sem nenhum.",
        "Heróis ainda na torre: Ana chegou mais alto (Ana 5 e 2; Bruno 5).",
    ]


# --- foreign text -------------------------------------------------------------------------------------------------

ORDERS = ["\x1b[2J", "\r", "\n", "\a", "\x00", "\x9b31m", "\u202e", "\u2066", "\u200b", "\u2028", "\ud800"]
"""Signs that a terminal or a screen obeys, that cannot be seen, or that no stream can encode."""


@pytest.mark.parametrize("order", ORDERS)
def test_no_sign_of_foreign_text_is_obeyed(order: str) -> None:
    for message in (
        msg("The file {name} is strange.", name=f"a{order}b"),
        msg("The file {name} is strange.", name=Path(f"a{order}b")),
        msg("Line {n}: {why:message}", n=1, why=msg("{word} is no word.", word=f"a{order}b")),
        msg("{who:seats}.", who=[f"a{order}b", "red"]),
        msg("{seat:seat} goes first.", seat="red"),
    ):
        text = say(message, names={"red": f"a{order}b"})
        assert text.isprintable(), ascii(text)
        assert text.replace("\\", "").lower().startswith(("a", "the file a", "line 1: a")), "the rest of it is kept"


def test_other_letters_than_ours_are_kept() -> None:
    name = "Zoë 🐉 王小明 علي"
    assert say(msg("{seat:seat} goes first.", seat="red"), names={"red": name}) == f"{name} goes first."


def test_a_sentence_that_begins_with_a_path_keeps_its_letters() -> None:
    assert say(msg("{file} is there.", file="games/a.txt")) == "games/a.txt is there."
    assert say(msg("{file} is there.", file=Path("a.txt"))) == "a.txt is there."
    assert say(msg("{why:message} Go on.", why=msg("{file} is there.", file=Path("a")))) == "a is there. Go on."
    assert say(msg("{what} is there.", what="somebody")) == "Somebody is there."


def test_the_log_obeys_nothing_and_keeps_a_traceback() -> None:
    try:
        raise ValueError("here")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "a board says %s", ("\x1b[2J\nx",), sys.exc_info())
    first, *trace = PlainLog().format(record).split("\n")
    assert first == r"a board says \x1b[2J\nx"
    assert trace[0].startswith("Traceback") and trace[-1] == "ValueError: here"
