"""Help, usage errors and colours in the language of whoever types, by real processes."""

import argparse
import os
import re
import subprocess
import sys

import pytest

from companion import cli, usage
from companion.games import find_game
from companion.wording import Wording, languages

ENGLISH = re.compile(r"\b(usage|error|options|example|the|and|invalid|choose|expected|arguments?|required|default)\b")


@pytest.fixture(autouse=True)
def english_again():
    yield
    usage.speak(Wording("en"))


def gryphon(*words: str, lang: str = "pt_BR.UTF-8") -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("LC_")} | {"LANG": lang}
    program = [sys.executable, "-X", "utf8", "-m", "companion", *words]
    return subprocess.run(program, capture_output=True, text=True, env=env, timeout=60)


def parsers(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    found = [parser]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                found += parsers(one)
    return found


def test_every_help_is_in_portuguese_word_for_word():
    """Every line of every command's help is another one than in English, but for usage, examples and names."""
    pages = {}
    for lang in ("en", "pt"):
        usage.speak(Wording(lang))
        pages[lang] = {parser.prog: parser.format_help() for parser in parsers(cli._parser())}
    assert len(pages["pt"]) > 20
    for text in pages["pt"].values():
        words = re.sub(r"(?s)^.*?\n\n", "", text, count=1)
        words = re.sub(r"(?m)^exemplo:(.*\n?)*", "", words)
        assert not (left := re.search(r"\b(the|and|that|which|default|options|number)\b", words)), (left, text)
        assert text.startswith("uso: ") and "exemplo: " in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["demo", "--seats", "9"], "demo: erro: argumento --seats: escolha inválida: 9 (escolha entre 2, 3, 4)"),
        (["demo", "--seats", "x"], "erro: argumento --seats: 'x' não é um número inteiro"),
        (["demo", "--sead", "1", "--nonsense"], "erro: argumentos desconhecidos: --sead 1 --nonsense"),
        (["nonsense"], "escolha inválida: 'nonsense'"),
        (["judge", "order"], "erro: faltam estes argumentos: --seats, --gryphon, --cards"),
        (["history"], "erro: faltam estes argumentos: AÇÃO"),
        (["cards", "import"], "erro: faltam estes argumentos: ARQUIVO"),
        (["--data"], "erro: argumento --data: falta o valor"),
        (["--data", ""], "é preciso dar o nome de um arquivo ou pasta"),
        (["devices", "bind", "--seats", "roxo"], "devem ser cores diferentes entre: vermelho,azul,verde,amarelo"),
        (["devices", "watch", "--for", "soon"], "não é um número de segundos"),
        (["devices", "wiring", "nonsense"], "não é nenhum destes"),
        (["history", "show", "x"], "não é número de um jogo"),
        (["judge", "order", "--seats", "roxo,azul", "--gryphon", "azul", "--cards", "azul=1"],
         '"roxo" não está entre vermelho, azul, verde, amarelo.'),
    ],
)  # fmt: skip
def test_usage_errors_are_in_portuguese(words, said):
    answer = gryphon(*words)
    assert answer.returncode == 2
    assert said in answer.stderr
    assert not ENGLISH.search(answer.stderr.replace("--", " ")), answer.stderr


WITH_SIGNS = (
    ["devices", "bind", "{}"], ["--{}"], ["demo", "--{}=1"], ["demo", "--seats", "{}"], ["{}"],
    ["judge", "may", "--state", "{}"], ["cards", "forget", "{}"],
)  # fmt: skip


@pytest.mark.parametrize("words", WITH_SIGNS)
def test_what_was_typed_is_quoted_without_signs_that_a_terminal_obeys(words):
    bad = "a\x1b[31m\r\u202eb"
    answer = gryphon(*(word.format(bad) for word in words), lang="C.UTF-8")
    assert answer.returncode != 0
    assert answer.stderr.replace("\n", "").isprintable(), answer.stderr


def test_usage_errors_are_in_english_where_the_system_is():
    answer = gryphon("demo", "--seats", "9", lang="en_GB.UTF-8")
    assert answer.returncode == 2
    assert "usage: gryphon demo" in answer.stderr and "error: argument --seats: invalid choice: 9" in answer.stderr


@pytest.mark.parametrize("words", [["--lang", "pt", "--help"], ["demo", "--lang=pt", "--help"]])
def test_help_follows_the_language_that_is_asked_for(words):
    assert gryphon(*words, lang="C").stdout.startswith("uso: gryphon")


def test_colours_may_be_typed_in_every_language():
    game = find_game("sir-holland")
    assert game is not None
    for lang in languages():
        words = Wording(lang, game.term)
        usage.speak(words)
        assert [usage.colour(f" {name.upper()} ") for name in usage.colours(game.colours, ",").split(",")] == list(
            game.colours
        )
    assert usage.colour("Mauve") == "mauve"


ORDERS = (
    ["--seats", "amarelo,vermelho,azul", "--gryphon", "Amarelo", "--cards", "amarelo=4,vermelho=2,AZUL=2"],
    ["--seats", "yellow,red,blue", "--gryphon", "yellow", "--cards", "yellow=4,red=2,blue=2"],
    ["--seats", "yellow,vermelho,blue", "--gryphon", "amarelo", "--cards", "yellow=4,red=2,azul=2"],
)


def test_a_question_to_the_judge_may_be_typed_in_portuguese():
    answers = [gryphon("judge", "order", *words) for words in ORDERS]
    assert [answer.returncode for answer in answers] == [0, 0, 0]
    assert len({answer.stdout for answer in answers}) == 1
