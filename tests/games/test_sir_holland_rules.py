"""Sir Holland: every rule and ruling of the rule book has a test that carries its id, or stands here with the reason.

The tests are sorted by subject: setup, round, heroes, villains, cards, order, playouts.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from companion.games import sir_holland
from companion.games.base import Switch
from companion.games.sir_holland import codec, explain, rules, setup
from companion.games.sir_holland.rulebook import RULEBOOK
from companion.games.sir_holland.state import State
from tests.games.picture import plain, tidy, turn, why

NOT_IN_CODE = {
    "R4": "The character cards have no power. Their quarter turns are R67.",
    "R7": "A list of parts. The gryphon is a field that always names one seat (R20).",
    "R8": "A count of parts for the people who unpack the box.",
    "A60": "No code turns a card when a hero hides; the figure alone is tracked (R54).",
}

FILES = sorted(Path(__file__).parent.glob("test_sir_holland_*.py"))
TESTS = {
    node.name: node
    for file in FILES
    for node in ast.parse(file.read_text("utf-8")).body
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
}


def ids(name: str) -> set[str]:
    """The rules that a test's name carries."""
    return set(re.findall(r"(?<=_)[RA]\d+[a-c]?(?=_)", name))


def test_every_rule_is_in_a_test_name_or_in_the_list() -> None:
    """Nothing in the rule book is forgotten, and nothing is both tested and called untestable."""
    named = {id for name in TESTS for id in ids(name)}
    book = {rule.id for rule in RULEBOOK.rules}
    assert named - book == set(), "no such rule"
    assert book - named - set(NOT_IN_CODE) == set(), "neither tested nor listed"
    assert named & set(NOT_IN_CODE) == set(), "both tested and listed"
    assert set(NOT_IN_CODE) <= book


def test_every_test_of_a_rule_states_its_promise() -> None:
    """A test that carries a rule has one sentence that says what it promises."""
    for name, node in TESTS.items():
        if ids(name):
            promise = ast.get_docstring(node)
            assert promise and promise.endswith(".") and "\n" not in promise, name


def test_no_two_tests_have_the_same_name() -> None:
    """A later test of the same name would hide the earlier one from pytest or from this file."""
    tests = [name for f in FILES for name in re.findall(r"(?m)^def (test_\w+)", f.read_text("utf-8"))]
    assert sorted(tests) == sorted(set(tests))


@pytest.mark.parametrize("switch", RULEBOOK.switches, ids=lambda s: s.id)
def test_every_value_of_every_switch_is_played(switch: Switch) -> None:
    """Each value of a switch that is not its default is set in a test named after its ruling."""
    own = [ast.unparse(node) for name, node in TESTS.items() if switch.ruling in ids(name)]
    for value in switch.values[1:]:
        pattern = rf"['\"]?{switch.id}['\"]?\s*[=:]\s*{value!r}"
        assert any(re.search(pattern, text) for text in own), f"{switch.id}={value!r}"
    assert len(own) > 1, "the default wants a test, too"


def reasons_and_rules() -> tuple[set[str], set[str]]:
    """What the code gives as reasons, and the rules that it names with them."""
    reasons, named = set(), set()
    for module in (rules, setup, codec, sir_holland):
        for call in ast.walk(ast.parse(Path(module.__file__).read_text("utf-8"))):
            if isinstance(call, ast.Call):
                first = {"Refusal": 0, "fault": 1}.get(ast.unparse(call.func).rpartition(".")[2])
                if first is not None:
                    rule, reason = call.args[first : first + 2]
                    reasons |= {n.value for n in ast.walk(reason) if isinstance(n, ast.Constant)}
                    named |= {n.value for n in ast.walk(rule) if isinstance(n, ast.Constant)} - {"rested"}
    return reasons, named


def test_every_reason_of_a_refusal_has_a_sentence_of_its_own() -> None:
    """Each reason that the code gives is in words, no sentence is there for nothing, and no two are the same."""
    reasons, _ = reasons_and_rules()
    assert reasons == set(explain._SENTENCES)
    sentences = [m.id for m in explain._SENTENCES.values()]
    assert len(set(sentences)) == len(sentences)


def test_every_rule_that_refuses_is_in_the_rule_book() -> None:
    """The ids in the code are ids of the book."""
    _, named = reasons_and_rules()
    assert len(named) > 30
    assert {id for id in named if RULEBOOK.find(id) is None} == set()


@pytest.mark.parametrize(
    ("state", "words", "sentence"),
    [
        (
            turn(2, plain("b3: red.2", "c3: blue.1")),
            "move red.2 c3",
            "Red 2 cannot stop on c3: Blue 1 stands there. One hero per card, dungeons excepted.",
        ),
        (
            turn(2, plain("b3: red.2", "c3: wizard")),
            "move red.2 c3",
            "Red 2 cannot stop on c3: the Dark Wizard stands there. Walk past, or stop before or after it.",
        ),
        (
            turn(2, plain("d2: red.2")),
            "move red.2 d3",
            "Red 2 cannot go up from d2: no rope lies there. A rope or 5 (Climb) leads up.",
        ),
        (
            turn(3),
            "villain wizard c3",
            "Red played 3 (Explosion). That card does not allow this; 2 (Chase) does.",
        ),
        (
            turn(4, plain("d3: wizard")),
            "villain wizard d4",
            (
                "The Dark Wizard cannot go from d3 to d4. Villains step sideways, and up or down only on the portals;"
                " ropes and passages do not carry them."
            ),
        ),
        (
            turn(6, plain("c5: red.1")),
            "portal red.1 roof",
            "Portals end at level 5: Red 1 cannot reach the terrace with one. A rope or 5 (Climb) leads out.",
        ),
        (turn(7), "end", "Red played 7 (Rest): take all cards back and the gryphon. Nothing else can be done."),
    ],
)
def test_refusals_say_what_is_wrong_and_what_would_be_right(state: State, words: str, sentence: str) -> None:
    """The English sentence is exactly this, and every language has one."""
    assert why(state, words) == sentence
    assert why(state, words, "pt").strip()


# --- the pictures themselves ------------------------------------------------------------------------------------


def test_a_picture_is_read_as_it_is_drawn() -> None:
    """Drawing what was read gives the same picture, figures on the terrace and lying ones included."""
    picture = """
        R         W  P                W         W
        W         S  P                R         W
        W         W  P:wizard,knight  R         H:(red.2)
        R:blue.1  S  P                W         W
        R         D  P                D:blue.2  R
        roof: red.1
        """
    drawn = tidy(plain("roof: red.1", "e3: (red.2)", "c3: wizard knight", "a2: blue.1"))
    assert drawn == tidy(drawn) == tidy(picture)
    assert [line.split() for line in drawn.splitlines()] == [line.split() for line in picture.strip().splitlines()]
