"""The referee against a second one that was written from the protocol's text alone, in lockstep.

`GRYPHON_LONG=1` plays thousands of games instead of dozens, `GRYPHON_FROM=n` starts at another first game.
"""

from __future__ import annotations

import copy
import itertools
import json
import os
import random
from typing import Any

import pytest

from companion.games.sir_holland.rulebook import RULEBOOK
from companion.referee import Referee
from tests.torture.naive_referee import (
    COLOURS,
    COLUMNS,
    ROOF,
    SQUARES,
    SWITCHES,
    VILLAINS,
    NaiveReferee,
    card_at,
    heroes_of,
    legal_tower,
    order_of,
    squares_with,
)

LONG = os.environ.get("GRYPHON_LONG") == "1"
FROM = int(os.environ.get("GRYPHON_FROM", "0"))
GAMES = 4000 if LONG else 16
BATCHES = 8
RULES = {entry.id for entry in RULEBOOK.rules}
SINGLES = [{name: value} for name, values in SWITCHES.items() for value in values[1:]]

Json = dict[str, Any]


def ask(referee: Referee, **request: Any) -> Json:
    """Ask the real referee; its answer has to be one JSON line."""
    line = referee.answer((json.dumps(request) + "\n").encode())
    assert "\n" not in line.rstrip("\n")
    answer = json.loads(line)
    assert isinstance(answer, dict) and "id" in answer and type(answer["ok"]) is bool
    return answer


def key(choice: Json) -> str:
    return json.dumps(choice, sort_keys=True)


# --- positions ------------------------------------------------------------------------------------------------------


def random_rules(rng: random.Random, game: int) -> Json:
    """All defaults, each switch alone, or a handful of switches."""
    kind = game % 4
    if kind == 0:
        return {}
    if kind == 1:
        return dict(SINGLES[game // 4 % len(SINGLES)])
    chosen = rng.sample(sorted(SWITCHES), rng.randint(2, 9))
    return {name: rng.choice(SWITCHES[name][1:]) for name in chosen}


def random_tower(rng: random.Random) -> list[str]:
    """A tower after some explosions, every third with the passages side by side or one above the other."""
    tower = legal_tower(rng)
    close = rng.random() < 0.4
    for blasts in range(400):
        passages = squares_with({"tower": tower}, "S")
        columns = [COLUMNS.index(square[0]) for square in passages]
        levels = [int(square[1]) for square in passages]
        near = abs(columns[0] - columns[1]) + abs(levels[0] - levels[1]) == 1
        if (near if close else blasts >= 6) or blasts > 300:
            break
        at = rng.choice([square for square in SQUARES if card_at({"tower": tower}, square) not in "PD"])
        column = COLUMNS.index(at[0])
        cards = [row[column] for row in tower]
        cards.insert(0, cards.pop(5 - int(at[1])))
        tower = [row[:column] + card + row[column + 1 :] for row, card in zip(tower, cards, strict=True)]
    return tower


def random_past(rng: random.Random, seats: list[str], rules: Json) -> Json:
    """Hands, rests, gryphon and round as some rounds of play may have left them."""
    hands = {seat: [1, 2, 3, 4, 5, 6, 7] for seat in seats}
    rests = dict.fromkeys(seats, 0)
    past: Json = {"gryphon": rng.choice(seats), "round": 1, "final": False, "hands": hands, "rests": rests, "last": {}}
    eager = rng.choice((0.1, 0.4, 0.8))
    for _ in range(rng.randint(0, 14)):
        before = copy.deepcopy(past)
        cards = {}
        for seat in seats:
            no_rest = rules.get("third_rest") == "pass" and rests[seat] >= 2
            hand = [card for card in hands[seat] if card != 7 or not no_rest]
            if hand:
                cards[seat] = 7 if 7 in hand and rng.random() < eager else rng.choice(hand)
        for seat in order_of(seats, past["gryphon"], cards):
            hands[seat].remove(cards[seat])
            if cards[seat] == 7:
                hands[seat][:] = range(1, 8)
                rests[seat] += 1
                past["gryphon"] = seat
        past["round"] += 1
        past["last"] = cards
        if min(rests.values()) >= 2:
            if rules.get("extra_round") == "no":
                return before
            past["final"] = True
            break
    return past


def random_position(rng: random.Random, seats: list[str], rules: Json) -> Json:
    """A position in the choosing phase that play may lead to, as the protocol prints it."""
    past = random_past(rng, seats, rules)
    last = past.pop("last")
    state = {"game": "sir-holland", "rules": rules, "seats": seats, **past, "phase": "choose"}
    state.update(tower=random_tower(rng), locked=[], cards={}, queue=[], turn=None, out=[], result=None)
    figures: dict[str, str] = {}
    high = rng.random() < 0.6
    places = [s for s in SQUARES if not high or int(s[1]) >= rng.choice((1, 2, 3, 4, 5))]
    for seat in seats:
        for hero in heroes_of(seat):
            free = [s for s in places if s in ("b1", "d1") or s not in figures.values()] or ["b1"]
            figures[hero] = rng.choice(free)
            if rng.random() < 0.2 and ROOF not in [figures.get(h) for h in heroes_of(seat)]:
                figures[hero] = ROOF
    special = [s for s in (*squares_with(state, "S"), *squares_with(state, "H")) if s not in figures.values()]
    for hero in rng.sample(sorted(figures), min(len(figures), len(special), rng.randint(0, 3))):
        if figures[hero] != ROOF:
            figures[hero] = special.pop()
    room = squares_with(state, "H")[0]
    state["lying"] = sorted(hero for hero, where in figures.items() if where == room)
    if rules.get("hide_ends") == "owner_turn":
        for seat, card in last.items():
            hero = rng.choice(heroes_of(seat))
            if card == 1 and figures[hero] not in (ROOF, room) and figures[hero][0] != "c":
                state["lying"] = sorted([*state["lying"], hero])
    open_to = [s for s in SQUARES if s not in ("b1", "d1") or rules.get("villain_in_dungeon") != "forbidden"]
    if rules.get("hero_on_villain", "no_stop") == "no_stop" or rng.random() < 0.5:
        taken = [where for hero, where in figures.items() if hero not in state["lying"]]
        open_to = [s for s in open_to if s in ("b1", "d1") or s not in taken]
    spots = rng.sample(open_to, 2)
    near = [s for s in open_to if any(s[1] == w[1] and s != w for w in figures.values() if w != ROOF)]
    if len(near) > 2 and rng.random() < 0.5:
        spots = rng.sample(near, 2)
    shared = [s for s in squares_with(state, "S") if s in open_to and s in figures.values()]
    if shared and rng.random() < 0.3:
        spots = [shared[0], rng.choice([s for s in open_to if s != shared[0]])]
    state["figures"] = {**figures, **dict(zip(VILLAINS, spots, strict=True))}
    return state


# --- choices --------------------------------------------------------------------------------------------------------


def liking(state: Json, choice: Json) -> float:
    """How much a game gains in interest by a choice."""
    do = choice["do"]
    if do == "end":
        return 0.3
    if do == "lock":
        return {7: 0.7, 1: 0.7}.get(choice["card"], 1.0)
    if do == "explode":
        return 0.4
    if do == "villain":
        last = choice["path"][-1]
        on_hero = any(where == last for figure, where in state["figures"].items() if figure not in VILLAINS)
        return 6.0 if on_hero else 0.3
    if "path" in choice:
        last = choice["path"][-1]
        if last == ROOF:
            return 12.0
        start = state["figures"][choice["hero"]]
        like = 4.0 if last[1] > start[1] else 0.7
        if any(card_at(state, step) in "SH" for step in choice["path"] if step != ROOF):
            like *= 2
        if last in (state["figures"]["wizard"], state["figures"]["knight"]):
            like *= 3
        return like
    return 2.0


def mutated(rng: random.Random, state: Json, choices: list[Json]) -> Any:
    """A choice that is near to a legal one, often well-formed and mostly illegal."""
    seat = rng.choice(state["seats"])
    hero = rng.choice(heroes_of(seat))
    path = [rng.choice((*SQUARES, ROOF)) for _ in range(rng.randint(1, 3))]
    fresh = [
        {"do": "lock", "seat": seat, "card": rng.randint(1, 7)},
        {"do": "unlock", "seat": seat},
        {"do": "rest", "seat": seat},
        {"do": "end", "seat": seat},
        {"do": "hide", "seat": seat, "hero": hero},
        {"do": "fall", "seat": seat, "hero": hero, "to": rng.choice((*SQUARES, ROOF))},
        {"do": "explode", "seat": seat, "at": rng.choice((*SQUARES, ROOF))},
        {"do": "move", "seat": seat, "hero": hero, "path": path},
        {"do": "climb", "seat": seat, "hero": hero, "path": path},
        {"do": "portal", "seat": seat, "hero": hero, "path": path},
        {"do": "villain", "seat": seat, "villain": rng.choice(VILLAINS), "path": path},
    ]
    if not choices or rng.random() < 0.4:
        return rng.choice(fresh)
    choice: Any = copy.deepcopy(rng.choice(choices))
    kind = rng.randint(0, 7)
    if kind == 0:
        choice["seat"] = rng.choice((*COLOURS, "pink", 3, None))
    elif kind == 1:
        choice["do"] = rng.choice([entry["do"] for entry in fresh] + ["jump", 7])
    elif kind == 2 and "hero" in choice:
        choice["hero"] = rng.choice([*state["figures"], "red.3", "yellow.1", 1])
    elif kind == 3 and len(choice) > 2:
        del choice[rng.choice(sorted(set(choice) - {"do", "seat"}))]
    elif kind == 4:
        choice[rng.choice(("extra", "card", "path", "at"))] = rng.choice((1, "a1", [], ["a1"], None, True, 1.0))
    elif kind == 5 and "path" in choice:
        choice["path"].append(rng.choice((*SQUARES, ROOF, "a6", 5)))
    elif kind == 6 and "path" in choice:
        at = rng.randrange(len(choice["path"]))
        choice["path"][at] = rng.choice((*SQUARES, ROOF, state["figures"][rng.choice(sorted(state["figures"]))]))
    elif kind == 7 and "path" in choice:
        choice["path"] = choice["path"][:-1]
    return choice


# --- lockstep -------------------------------------------------------------------------------------------------------


class Pair:
    """Both referees at one table; every question goes to both."""

    def __init__(self, game: int) -> None:
        self.game = game
        self.ours = Referee()
        self.naive = NaiveReferee()
        self.start: Json = {}
        self.trail: list[Json] = []

    def both(self, **request: Any) -> tuple[Json, Json]:
        if request["cmd"] in ("new", "load"):
            self.start, self.trail = request, []
        elif request["cmd"] in ("play", "undo"):
            self.trail.append(request)
        return ask(self.ours, **request), self.naive.answer(request)

    def differ(self, what: str, ours: Any, naive: Any, **facts: Any) -> str:
        told = {"game": self.game, "what": what, **facts, "ours": ours, "naive": naive, "state": self.naive.state}
        return "\n" + "\n".join(f"{name}: {json.dumps(value)}" for name, value in told.items())

    def begin(self, **request: Any) -> None:
        ours, naive = self.both(**request)
        assert ours["ok"] and ours["state"] == naive["state"], self.differ("start", ours, naive, start=request)

    def compare_choices(self) -> list[Json]:
        ours, naive = self.both(cmd="choices")
        listed = [key(choice) for choice in ours["choices"]]
        wanted = {key(choice) for choice in naive["choices"]}
        extra, missing = sorted(set(listed) - wanted), sorted(wanted - set(listed))
        assert not extra and not missing, self.differ("choices", extra, missing)
        assert len(listed) == len(set(listed)), self.differ("twice", listed, None)
        return list(ours["choices"])

    def compare_check(self, choice: Any, command: str) -> bool:
        """Whether both agree on a choice; a legal one is played if that was the command."""
        ours, naive = self.both(cmd=command, choice=choice)
        verdicts = [a.get("legal", a["ok"]) if a["ok"] else a["error"]["code"] for a in (ours, naive)]
        assert verdicts[0] == verdicts[1], self.differ(command, ours, naive, choice=choice)
        refusal = ours if ours.get("legal") is False else ours.get("error", {})
        if ours.get("legal") is False or refusal.get("code") == "illegal":
            assert refusal["message"], self.differ("message", ours, naive, choice=choice)
            over = self.naive.table()["phase"] == "over"
            assert over or refusal["rule"] in RULES, self.differ("rule", ours, naive, choice=choice)
        if command == "play" and ours["ok"]:
            assert ours["state"] == naive["state"], self.differ("play", ours["state"], None, choice=choice)
            assert ours["events"] and all(isinstance(event, dict) for event in ours["events"])
        return bool(ours["ok"] and command == "play")

    def compare_state(self) -> None:
        ours, naive = self.both(cmd="state")
        assert ours["state"] == naive["state"], self.differ("state", ours["state"], naive["state"])

    def compare_undo(self) -> None:
        ours, naive = self.both(cmd="undo")
        assert ours.get("state") == naive.get("state"), self.differ("undo", ours, naive)
        assert ours["ok"] == naive["ok"], self.differ("undo", ours, naive)
        if not ours["ok"]:
            assert ours["error"]["code"] == "nothing-to-undo"

    def compare_reload(self) -> None:
        """What `state` prints can be loaded, and gives the same choices once the locks are off."""
        printed = copy.deepcopy(self.naive.state)
        fresh, naive = Referee(), NaiveReferee()
        ours = ask(fresh, cmd="load", state=printed)
        assert ours["ok"], self.differ("reload", ours, None)
        naive.answer({"cmd": "load", "state": printed})
        assert ours["state"] == naive.state, self.differ("reload", ours["state"], naive.state)
        listed = {key(choice) for choice in ask(fresh, cmd="choices")["choices"]}
        wanted = {key(choice) for choice in naive.answer({"cmd": "choices"})["choices"]}
        assert listed == wanted, self.differ("reloaded choices", sorted(listed - wanted), sorted(wanted - listed))


def play_game(game: int) -> None:
    rng = random.Random(f"sir-holland {game}")
    pair = Pair(game)
    seats = rng.sample(COLOURS, rng.randint(2, 4))
    rules = random_rules(rng, game)
    if rng.random() < 0.4:
        swapped = rng.random() < 0.3
        villains = {"wizard": "c4", "knight": "c2"} if swapped else {"wizard": "c2", "knight": "c4"}
        set_up: Json = {"gryphon": rng.choice(seats), "tower": legal_tower(rng), "villains": villains}
        pair.begin(cmd="new", game="sir-holland", seats=seats, rules=rules, **set_up)
    else:
        pair.begin(cmd="load", state=random_position(rng, seats, rules))
    for _ in range(400):
        choices = pair.compare_choices()
        state = pair.naive.table()
        if rng.random() < 0.05:
            assert ask(pair.ours, cmd="choices")["choices"] == choices
            for seat in seats:
                wanted = [choice for choice in choices if choice["seat"] == seat]
                assert ask(pair.ours, cmd="choices", seat=seat)["choices"] == wanted
            pair.compare_reload()
        for _ in range(2):
            pair.compare_check(mutated(rng, state, choices), "check")
        if rng.random() < 0.02 and len(choices) < 40:
            ours, naive = pair.both(cmd="perft", depth=rng.randint(0, 2))
            assert ours["nodes"] == naive["nodes"], pair.differ("perft", ours, naive)
        if rng.random() < 0.03:
            for _ in range(rng.choice((1, 1, 3, 500))):
                pair.compare_undo()
                if not pair.naive.past:
                    break
            continue
        if rng.random() < 0.1:
            pair.compare_check(mutated(rng, state, choices), "play")
            pair.compare_state()
            continue
        if state["phase"] == "over":
            break
        assert choices, pair.differ("stuck", None, None)
        choice = rng.choices(choices, [liking(state, c) for c in choices])[0]
        assert pair.compare_check(choice, "play")
        pair.compare_state()


@pytest.mark.parametrize("batch", range(BATCHES))
def test_games_in_lockstep(batch: int) -> None:
    for game in range(FROM + batch, FROM + GAMES, BATCHES):
        play_game(game)


def test_every_single_switch_in_one_game_each() -> None:
    for game in range(len(SINGLES)):
        play_game(4 * game + 1)


BESIDE = ["RWPWW", "WWPRW", "RWPRH", "SSPWW", "RDPDR"]
APART = ["RWPWW", "WSPRW", "WWPRH", "RSPWW", "RDPDR"]
# Walks that random games hardly ever meet: tower, rules, red.1, wizard, card, paths of red.1 (legal or not).
RARE: list[tuple[list[str], Json, str, str, int, dict[str, bool]]] = [
    (APART, {"pass_villain": "no"}, "b2", "b2", 2, {"a2": True, "a2 b2 b4": False, "c2 b2 b4": False}),
    (APART, {"pass_villain": "no", "hop_from_start": "free"}, "b2", "b2", 2, {"b4": True, "b4 c4": True}),
    (APART, {"pass_villain": "no"}, "a1", "b1", 2, {"b1": True, "b1 c1": False}),
    (BESIDE, {"hop_from_start": "free"}, "a2", "e5", 2, {"b2": True, "b2 a2 b2": True, "b2 a2": False}),
    (BESIDE, {"hop_from_start": "free"}, "a2", "e5", 2, {"b2 c2 d2": True, "b2 c2 d2 e2": False}),
    (BESIDE, {}, "a2", "e5", 2, {"b2": True, "b2 a2 b2": True, "b2 c2 d2": False, "b2 a2": False}),
    (BESIDE, {}, "a2", "e5", 1, {"b2": True, "b2 c2": False, "b2 a2 b2": False}),
]


@pytest.mark.parametrize(("tower", "rules", "hero", "wizard", "card", "paths"), RARE)
def test_rare_walks(tower: list[str], rules: Json, hero: str, wizard: str, card: int, paths: dict[str, bool]) -> None:
    pair = Pair(-1)
    seats = ["red", "blue"]
    villains = {"wizard": "c2", "knight": "c4"}
    ask(pair.ours, cmd="new", game="sir-holland", seats=seats, gryphon="red", rules=rules, villains=villains, seed=1)
    state = ask(pair.ours, cmd="state")["state"]
    state["tower"] = tower
    state["figures"].update({"red.1": hero, "red.2": "d5", "wizard": wizard, "knight": "e4"})
    pair.begin(cmd="load", state=state)
    assert pair.compare_check({"do": "lock", "seat": "red", "card": card}, "play")
    assert pair.compare_check({"do": "lock", "seat": "blue", "card": 7}, "play")
    pair.compare_choices()
    for path, legal in paths.items():
        choice = {"do": "move", "seat": "red", "hero": "red.1", "path": path.split()}
        assert pair.compare_check(choice, "play") == legal, path
        if legal:
            pair.compare_undo()


def test_a_free_hop_binds_no_hero_and_is_not_bound() -> None:
    pair = Pair(-2)
    rules = {"hop_from_start": "free", "climb_same_hero": "on"}
    ask(pair.ours, cmd="new", game="sir-holland", seats=["red", "blue"], gryphon="red", rules=rules, seed=1)
    state = ask(pair.ours, cmd="state")["state"]
    state["tower"] = APART
    state["figures"].update({"red.1": "b2", "red.2": "e4", "wizard": "a1", "knight": "e1"})
    pair.begin(cmd="load", state=state)
    hop = {"do": "move", "seat": "red", "hero": "red.1", "path": ["b4"]}
    back = {"do": "move", "seat": "red", "hero": "red.1", "path": ["b2"]}
    climb = {"do": "climb", "seat": "red", "hero": "red.2", "path": ["e5"]}
    for seat, card in (("red", 5), ("blue", 7)):
        assert pair.compare_check({"do": "lock", "seat": seat, "card": card}, "play")
    for choice in (hop, climb, back):
        assert pair.compare_check(choice, "play")
        pair.compare_choices()
    assert not pair.compare_check({**hop, "path": ["c2"]}, "play")


# --- desks that need no table ---------------------------------------------------------------------------------------


def test_order() -> None:
    ours, naive, rng = Referee(), NaiveReferee(), random.Random(1)
    for number in (2, 3, 4):
        for cards in itertools.product(range(1, 8), repeat=number):
            if not LONG and rng.random() < 0.9:
                continue
            seats = rng.sample(COLOURS, number)
            request = {"seats": seats, "gryphon": rng.choice(seats), "cards": dict(zip(seats, cards, strict=True))}
            answer = ask(ours, cmd="order", **request)
            assert answer["order"] == naive.answer({"cmd": "order", **request})["order"], request
            told = {entry["seat"]: entry["card"] for entry in answer["why"]}
            assert told == request["cards"] and len(answer["why"]) == number, request
            assert all(entry["rule"] in RULES and entry["message"] for entry in answer["why"])


def test_winner() -> None:
    ours, naive, rng = Referee(), NaiveReferee(), random.Random(2)
    endings = ("double_save", "rest_end_order", "level_compare")
    for _ in range(20000 if LONG else 800):
        seats = rng.sample(COLOURS, rng.randint(2, 4))
        ended_by = rng.choice(("saved", "rested"))
        saved = {seat: rng.randint(0, 2 if ended_by == "saved" else 1) for seat in seats}
        if ended_by == "saved":
            saved[rng.choice(seats)] = 2
        levels = {seat: [rng.choice((1, 3, 4, 5)) for _ in range(2 - saved[seat])] for seat in seats}
        rules = {name: rng.choice(SWITCHES[name]) for name in endings if rng.random() < 0.7}
        twice = [seat for seat in seats if saved[seat] == 2]
        request = {"seats": seats, "gryphon": rng.choice(seats), "ended_by": ended_by, "saved": saved}
        request.update(levels=levels, rules=rules, out=rng.sample(twice, len(twice)))
        answer, wanted = ask(ours, cmd="winner", **request), naive.answer({"cmd": "winner", **request})
        assert (answer["winner"], answer["decided_by"]) == (wanted["winner"], wanted["decided_by"]), request


# --- the envelope ---------------------------------------------------------------------------------------------------

HELLO = b'{"cmd":"hello"%s}'
BAD_JSON = [
    b"",
    b" ",
    b"\r",
    b"\xef\xbb\xbf" + HELLO % b"",
    HELLO % b',"cmd":"hello"',
    HELLO % b',"\\u0063md":"hello"',
    HELLO % b',"id":{"a":1,"a":2}',
    *[HELLO % b',"id":' + number + b"}" for number in (b"NaN", b"Infinity", b"-Infinity", b"01", b".5")],
    *[HELLO % (b',"id":' + number) for number in (b"NaN", b"-Infinity", b"1e999", b"9" * 400, b"-" + b"9" * 5000)],
    *[HELLO % (b',"id":"' + text + b'"') for text in (b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\x01", b"\\x")],
    HELLO % (b',"id":' + b"[" * 100 + b"]" * 100),
    HELLO % (b',"id":' + b"[" * 100000 + b"]" * 100000),
    b"[" * 100000,
    b'{"a":' * 100000,
    b"[]",
    b"null",
    b"1",
    HELLO % b"," + b" x",
    HELLO % b"" + b"\x00",
    b'{"cmd":"hello"',
]
GOOD_JSON = [
    HELLO % b"",
    HELLO % b"" + b"\r\n",
    b" " + HELLO % b"" + b"\n",
    HELLO % (b',"id":' + b"[" * 99 + b"]" * 99),
    HELLO % (b',"id":"' + b"[" * 5000 + b'"'),
    HELLO % b',"id":1e308',
    HELLO % (b',"id":' + b"9" * 300),
    HELLO % b',"id":"\\ud800"',
]


def error_code(referee: Referee, line: bytes) -> str:
    """The code of the one answer to a line, which must not touch the table when it is an error."""
    before = referee.answer(b'{"cmd":"state"}')
    told = referee.answer(line)
    assert "\n" not in told.rstrip("\n") and told.encode("utf-8")
    answer = json.loads(told)
    if answer["ok"]:
        return "ok"
    assert set(answer) == {"id", "ok", "error"} and answer["error"]["message"]
    assert referee.answer(b'{"cmd":"state"}') == before
    return str(answer["error"]["code"])


def test_lines() -> None:
    seated = Referee()
    ask(seated, cmd="new", game="sir-holland", seats=["red", "blue"], seed=1)
    for referee in (Referee(), seated):
        for line in BAD_JSON:
            assert error_code(referee, line) == "bad-json", line[:80]
        for line in GOOD_JSON:
            assert error_code(referee, line) == "ok", line[:80]


def broken(rng: random.Random, value: Any) -> Any:
    """A copy of a JSON value with one thing in it broken."""
    junk: tuple[Any, ...] = (
        None,
        True,
        0,
        -1,
        1.5,
        10**30,
        "",
        "a1",
        "pink",
        "\ud800",
        [],
        {},
        [1],
        ["red", "red"],
        {"x": 1},
        [[]],
    )
    if not isinstance(value, dict | list) or not value or rng.random() < 0.15:
        return rng.choice(junk)
    value = copy.copy(value)
    at = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
    if rng.random() < 0.2:
        del value[at]
    elif isinstance(value, dict) and rng.random() < 0.1:
        value["extra"] = rng.choice(junk)
    else:
        value[at] = broken(rng, value[at])
    return value


def test_broken_requests() -> None:
    rng = random.Random(3)
    codes = {"ok", "bad-json", "bad-request", "bad-setup", "no-table", "illegal", "over", "nothing-to-undo"}
    two = {"seats": ["red", "blue"], "gryphon": "red"}
    for game in range(2000 if LONG else 25):
        referee = Referee()
        rules = random_rules(rng, game)
        ask(referee, cmd="load", state=random_position(rng, rng.sample(COLOURS, rng.randint(2, 4)), rules))
        for _ in range(rng.randint(0, 25)):
            choices = ask(referee, cmd="choices")["choices"]
            if choices:
                ask(referee, cmd="play", choice=rng.choice(choices))
        state = ask(referee, cmd="state")["state"]
        choices = ask(referee, cmd="choices")["choices"] or [{"do": "end", "seat": "red"}]
        requests = [
            {"cmd": "new", "game": "sir-holland", "rules": rules, "tower": legal_tower(rng), "seed": 1, **two},
            {"cmd": "choices", "seat": state["seats"][0]},
            {"cmd": "check", "choice": rng.choice(choices)},
            {"cmd": "play", "choice": rng.choice(choices)},
            {"cmd": "perft", "depth": 0},
            {"cmd": "order", "cards": {"red": 1, "blue": 2}, **two},
            {"cmd": "winner", "ended_by": "rested", "saved": {"red": 1, "blue": 2}, "levels": {"red": [3]}, **two},
            {"cmd": "rules", "game": "sir-holland", "lang": "pt"},
            *[{"cmd": "load", "state": state}] * 12,
        ]
        for request in requests:
            bad = broken(rng, request)
            code = error_code(referee, json.dumps(bad).encode())
            assert code in codes, bad
            if code == "ok":
                ask(referee, cmd="load", state=state)
