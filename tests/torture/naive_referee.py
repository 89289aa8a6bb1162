"""A second, slow and obvious Sir Holland behind the referee protocol, written from the protocol's text alone.

It shares no code with `companion`. States are dicts in protocol JSON; every question is answered by trying everything.
Requests come as dicts, so nothing here reads lines: the envelope is tested elsewhere. A refusal carries no rule.
"""

from __future__ import annotations

import copy
import random
from typing import Any

COLOURS = ("red", "blue", "green", "yellow")
COLUMNS = "abcde"
SQUARES = tuple(column + level for level in "12345" for column in COLUMNS)
ROOF = "roof"
DUNGEONS = ("b1", "d1")
VILLAINS = ("wizard", "knight")
POINTS = {1: 1, 2: 2, 3: 2, 4: 1, 5: 1, 6: 1, 7: 0}
SPECIAL = {1: 1, 2: 1, 3: 1, 4: 3, 5: 1, 6: 2, 7: 0}
DOES = {"hide": (1,), "villain": (2, 4), "explode": (3,), "climb": (5,), "portal": (6,)}
SWITCHES: dict[str, tuple[Any, ...]] = {
    "fall_distance": (1, 2),
    "base_fall": ("dungeon", "stay"),
    "villain_in_dungeon": ("harmless", "forbidden"),
    "hero_on_villain": ("no_stop", "allowed", "knocked_off"),
    "pass_villain": ("yes", "no"),
    "villains_share": ("yes", "no"),
    "rope_down": ("off", "on"),
    "climb_down": ("off", "on"),
    "climb_same_hero": ("off", "on"),
    "hop_from_start": ("no", "free"),
    "interleave": ("off", "on"),
    "hide_ends": ("round_start", "owner_turn"),
    "explosion_figures": ("ride", "stay_on_level"),
    "third_rest": ("allowed", "pass"),
    "extra_round": ("yes", "no"),
    "double_save": ("gryphon", "first_out"),
    "rest_end_order": ("saved_first", "level_first"),
    "level_compare": ("best_then_second", "best_only", "sum"),
}
SHAPES = {
    "lock": {"card"},
    "unlock": set(),
    "move": {"hero", "path"},
    "hide": {"hero"},
    "villain": {"villain", "path"},
    "explode": {"at"},
    "climb": {"hero", "path"},
    "portal": {"hero", "path"},
    "rest": set(),
    "fall": {"hero", "to"},
    "end": set(),
}

State = dict[str, Any]
Choice = dict[str, Any]


class Refused(Exception):
    """A request that gets an error answer."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def need(condition: object, code: str, message: str) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise Refused(code, message)


# --- the tower ------------------------------------------------------------------------------------------------------


def rule(state: State, switch: str) -> Any:
    return state["rules"].get(switch, SWITCHES[switch][0])


def card_at(state: State, square: str) -> str:
    return str(state["tower"][5 - int(square[1])][COLUMNS.index(square[0])])


def squares_with(state: State, card: str) -> list[str]:
    return [square for square in SQUARES if card_at(state, square) == card]


def sideways(a: str, b: str) -> bool:
    return a != ROOF and b != ROOF and a[1] == b[1] and abs(COLUMNS.index(a[0]) - COLUMNS.index(b[0])) == 1


def up(square: str) -> str | None:
    if square == ROOF:
        return None
    return ROOF if square[1] == "5" else square[0] + str(int(square[1]) + 1)


def down(square: str) -> str | None:
    return None if square == ROOF or square[1] == "1" else square[0] + str(int(square[1]) - 1)


def other_passage(state: State, square: str) -> str | None:
    both = squares_with(state, "S")
    return both[1 - both.index(square)] if square in both else None


def others_on(state: State, square: str, figure: str) -> list[str]:
    return [name for name, where in state["figures"].items() if where == square and name != figure]


def is_hero(figure: str) -> bool:
    return figure not in VILLAINS


def heroes_of(seat: str) -> list[str]:
    return [seat + ".1", seat + ".2"]


def legal_tower(rng: random.Random) -> list[str]:
    """Draw cards onto places until rules R10 to R15 are met."""
    while True:
        free = list("RRRRSSH" + "W" * 9)
        rng.shuffle(free)
        rows = ["".join(free[4 * i : 4 * i + 2]) + "P" + "".join(free[4 * i + 2 : 4 * i + 4]) for i in range(4)]
        if all("R" in row for row in rows) and "S" in rows[1] and "S" in rows[3]:
            return [*rows, "RDPDR"]


def set_up_fault(tower: list[str]) -> bool:
    """Whether rules R5 and R10 to R16 are broken."""
    cards = "".join(tower)
    counts = {"P": 5, "D": 2, "R": 6, "S": 2, "H": 1, "W": 9}
    if tower[4] != "RDPDR" or any(row[2] != "P" for row in tower):
        return True
    if any(cards.count(card) != number for card, number in counts.items()):
        return True
    return any(row.count("R") != 1 for row in tower[:4]) or tower[1].count("S") != 1 or tower[3].count("S") != 1


# --- paths ----------------------------------------------------------------------------------------------------------


def walk_readings(state: State, here: str, step: str, readings: set[tuple[int, bool]]) -> set[tuple[int, bool]]:
    """Every way to read one more step: pairs of what the walk has cost and whether a free hop is open now."""
    result = set()
    paid = (
        sideways(here, step)
        or (here != ROOF and card_at(state, here) == "R" and step == up(here))
        or (rule(state, "rope_down") == "on" and step == down(here) and card_at(state, step) == "R")
    )
    for cost, may_hop in readings:
        if paid:
            result.add((cost + 1, step != ROOF and card_at(state, step) == "S"))
        if may_hop and here != ROOF and step == other_passage(state, here):
            result.add((cost, False))
    return result


def walk_start(state: State, start: str) -> set[tuple[int, bool]]:
    on_passage = start != ROOF and card_at(state, start) == "S"
    return {(0, on_passage and rule(state, "hop_from_start") == "free")}


def walk_cost(state: State, start: str, path: list[str]) -> int | None:
    """The cheapest cost of a walk, None for a path that nobody can walk."""
    readings = walk_start(state, start)
    here = start
    for step in path:
        readings = walk_readings(state, here, step, readings)
        here = step
    return min((cost for cost, _ in readings), default=None)


def walks(state: State, start: str, points: int) -> list[list[str]]:
    """Every walk that costs no more than the points, wherever it ends."""
    found: list[list[str]] = []
    front: list[tuple[list[str], str, set[tuple[int, bool]]]] = [([], start, walk_start(state, start))]
    while front:
        longer = []
        for path, here, readings in front:
            for step in (*SQUARES, ROOF):
                left = {(c, h) for c, h in walk_readings(state, here, step, readings) if c <= points}
                if left:
                    longer.append(([*path, step], step, left))
        found += [path for path, _, _ in longer]
        front = longer
    return found


def climb_fits(state: State, start: str, path: list[str]) -> bool:
    first = [up(start)] + ([down(start)] if rule(state, "climb_down") == "on" else [])
    if start == ROOF or path[0] not in first or path[0] is None:
        return False
    if len(path) == 1:
        return True
    return bool(len(path) == 2 and path[0] != ROOF and path[1] == other_passage(state, path[0]))


def portal_fits(start: str, path: list[str]) -> bool:
    here = start
    for step in path:
        if here[0] != "c" or step == ROOF or step not in (up(here), down(here)):
            return False
        here = step
    return True


def villain_fits(state: State, start: str, path: list[str]) -> bool:
    here = start
    for step in path:
        if step == ROOF or not (sideways(here, step) or (here[0] == "c" and step in (up(here), down(here)))):
            return False
        if rule(state, "villain_in_dungeon") == "forbidden" and step in DUNGEONS:
            return False
        here = step
    return True


def all_paths(longest: int, fits: Any) -> list[list[str]]:
    """Every path up to a length whose every beginning fits."""
    found: list[list[str]] = []
    front: list[list[str]] = [[]]
    for _ in range(longest):
        front = [[*path, step] for path in front for step in (*SQUARES, ROOF) if fits([*path, step])]
        found += front
    return found


def hero_path_wrong(state: State, hero: str, path: list[str]) -> str | None:
    """What is wrong with where a hero's path passes and stops, whatever card moves it."""
    start, last = state["figures"][hero], path[-1]
    if last == start:
        return "no path ends where it began"
    if rule(state, "pass_villain") == "no" and any(state["figures"][v] in path[:-1] for v in VILLAINS):
        return "no way through a villain"
    if last == ROOF or last in DUNGEONS:
        return None
    there = others_on(state, last, hero)
    if any(is_hero(figure) for figure in there):
        return "another hero stands there"
    if there and rule(state, "hero_on_villain") == "no_stop":
        return "a villain stands there"
    return None


# --- what is legal --------------------------------------------------------------------------------------------------


def sits_out(state: State, seat: str) -> bool:
    return bool(rule(state, "third_rest") == "pass" and state["rests"][seat] >= 2 and state["hands"][seat] == [7])


def locked(state: State, locks: dict[str, int]) -> list[str]:
    """Who has locked in; a seat that sits the round out counts."""
    return sorted(s for s in state["seats"] if state["phase"] == "choose" and (s in locks or sits_out(state, s)))


def wrong(state: State, locks: dict[str, int], choice: Choice) -> str | None:
    """Why the rules refuse a well-formed choice, None for a legal one."""
    seat, do = choice["seat"], choice["do"]
    if state["phase"] == "choose":
        if do == "unlock":
            return None if seat in locks else "nothing is locked"
        if do != "lock":
            return "first everyone locks a card"
        if seat in locks:
            return "unlock first"
        if choice["card"] not in state["hands"][seat]:
            return "not in hand"
        if choice["card"] == 7 and rule(state, "third_rest") == "pass" and state["rests"][seat] >= 2:
            return "no third rest"
        return None
    if do in ("lock", "unlock"):
        return "the cards are on the table"
    turn = state["turn"]
    if turn["pending"] is not None:
        if do != "fall":
            return "a hero has to fall first"
        if seat != choice["hero"].split(".")[0] or choice["hero"] != turn["pending"]["hero"]:
            return "another hero falls"
        return None if choice["to"] in turn["pending"]["to"] else "not there"
    if seat != turn["seat"]:
        return "not your turn"
    if do == "fall":
        return "nobody falls"
    if turn["card"] == 7 or do == "rest":
        return None if turn["card"] == 7 and do == "rest" else "only rest rests"
    if do == "end":
        return None
    return wrong_action(state, choice)


def wrong_action(state: State, choice: Choice) -> str | None:
    turn, figures, do = state["turn"], state["figures"], choice["do"]
    card = turn["card"]
    if do != "move" and card not in DOES[do]:
        return "not with this card"
    if do != "move" and turn["special"] < 1:
        return "that half is over"
    if do == "explode":
        at = choice["at"]
        if at == ROOF or card_at(state, at) in "PD" or at in figures.values():
            return "that stays whole"
        return None
    if do == "villain":
        villain, path = choice["villain"], choice["path"]
        if villain not in VILLAINS:
            return "no villain"
        if villain in turn["used"]:
            return "this villain had its path"
        if len(path) > turn["special"] or not villain_fits(state, figures[villain], path):
            return "no such way"
        if rule(state, "villains_share") == "no" and path[-1] in [figures[v] for v in VILLAINS if v != villain]:
            return "the other villain stands there"
        return None
    hero = choice["hero"]
    if hero not in heroes_of(choice["seat"]):
        return "not your hero"
    start = figures[hero]
    if start == ROOF:
        return "it is saved"
    if do == "hide":
        return "no hiding on a portal" if card_at(state, start) == "P" else None
    path = choice["path"]
    free_hop = do == "move" and walk_cost(state, start, path) == 0
    if card == 1 and hero in turn["used"]:
        return "it hides"
    if card == 5 and turn["used"] and hero not in turn["used"] and not free_hop:
        return "the other hero got the first half"
    if do == "move":
        cost = walk_cost(state, start, path)
        if turn["points"] < 1 or cost is None or cost > turn["points"]:
            return "too far"
    elif do == "climb":
        if not climb_fits(state, start, path):
            return "no such climb"
    elif len(path) > turn["special"] or not portal_fits(start, path):
        return "no such ride"
    return hero_path_wrong(state, hero, path)


def candidates(state: State) -> list[Choice]:
    """More than everything that can be legal."""
    if state["phase"] == "over":
        return []
    if state["phase"] == "choose":
        return [{"do": "lock", "seat": seat, "card": card} for seat in state["seats"] for card in range(1, 8)]
    turn, figures = state["turn"], state["figures"]
    seat = turn["seat"]
    found: list[Choice] = [{"do": "end", "seat": seat}, {"do": "rest", "seat": seat}]
    found += [{"do": "explode", "seat": seat, "at": square} for square in SQUARES]
    for owner in state["seats"]:
        found += [
            {"do": "fall", "seat": owner, "hero": h, "to": to} for h in heroes_of(owner) for to in (*SQUARES, ROOF)
        ]
    for hero in heroes_of(seat):
        base = {"seat": seat, "hero": hero}
        start = figures[hero]
        found.append({"do": "hide", **base})
        found += [{"do": "move", **base, "path": path} for path in walks(state, start, turn["points"])]
        if turn["card"] == 5:
            climbs = all_paths(2, lambda path, start=start: climb_fits(state, start, path))
            found += [{"do": "climb", **base, "path": path} for path in climbs]
        if turn["card"] == 6 and start != ROOF:
            rides = all_paths(turn["special"], lambda path, start=start: portal_fits(start, path))
            found += [{"do": "portal", **base, "path": path} for path in rides]
    if turn["card"] in (2, 4):
        for villain in VILLAINS:
            start = figures[villain]
            ways = all_paths(turn["special"], lambda path, start=start: villain_fits(state, start, path))
            found += [{"do": "villain", "seat": seat, "villain": villain, "path": path} for path in ways]
    return found


def legal_choices(state: State, locks: dict[str, int]) -> list[Choice]:
    return [choice for choice in candidates(state) if wrong(state, locks, choice) is None]


def check_form(state: State, choice: Any) -> None:
    """Refuse a choice that is not even well-formed at this table."""
    need(isinstance(choice, dict) and isinstance(choice.get("do"), str), "bad-request", "not a choice")
    do = choice["do"]
    need(do in SHAPES and set(choice) == SHAPES[do] | {"do", "seat"}, "bad-request", "wrong keys")
    need(isinstance(choice["seat"], str) and choice["seat"] in state["seats"], "bad-request", "no such seat")
    if "card" in choice:
        need(type(choice["card"]) is int and 1 <= choice["card"] <= 7, "bad-request", "no such card")
    for key in ("hero", "villain"):
        if key in choice:
            need(isinstance(choice[key], str) and choice[key] in state["figures"], "bad-request", "no such figure")
    for key in ("at", "to"):
        if key in choice:
            need(choice[key] in SQUARES or choice[key] == ROOF, "bad-request", "no such square")
    if "path" in choice:
        path = choice["path"]
        need(isinstance(path, list) and path, "bad-request", "no path")
        need(all(isinstance(s, str) and (s in SQUARES or s == ROOF) for s in path), "bad-request", "no such square")


# --- what happens ---------------------------------------------------------------------------------------------------


def lie_down(state: State, hero: str) -> None:
    state["lying"] = sorted({*state["lying"], hero})


def stand_up(state: State, hero: str) -> None:
    state["lying"] = sorted({*state["lying"]} - {hero})


def place(state: State, hero: str, square: str) -> None:
    """Put a hero down where a movement or a fall ends."""
    state["figures"][hero] = square
    stand_up(state, hero)
    if square == ROOF:
        seat = hero.split(".", maxsplit=1)[0]
        if all(state["figures"][h] == ROOF for h in heroes_of(seat)):
            state["out"].append(seat)
    elif card_at(state, square) == "H":
        lie_down(state, hero)


def knock_off(state: State, hero: str) -> None:
    start = state["figures"][hero]
    column, level = start[0], int(start[1])
    landing = max(1, level - rule(state, "fall_distance"))
    while 1 <= landing < level:
        square = f"{column}{landing}"
        if square in DUNGEONS or not others_on(state, square, hero):
            place(state, hero, square)
            return
        landing -= 1
    if rule(state, "base_fall") == "stay":
        return
    if column == "c":
        state["turn"]["pending"] = {"hero": hero, "to": ["b1", "d1"]}
    else:
        place(state, hero, {"a": "b1", "e": "d1"}[column])


def knock_off_all(state: State, square: str) -> None:
    if square in DUNGEONS:
        return
    for hero in [h for h, where in state["figures"].items() if where == square and is_hero(h)]:
        if hero not in state["lying"]:
            knock_off(state, hero)


def hero_stops(state: State, hero: str, square: str) -> None:
    place(state, hero, square)
    falls = rule(state, "hero_on_villain") == "knocked_off" and square not in (ROOF, *DUNGEONS)
    if falls and hero not in state["lying"] and any(state["figures"][v] == square for v in VILLAINS):
        knock_off(state, hero)


def explode(state: State, at: str) -> None:
    column = COLUMNS.index(at[0])
    cards = [state["tower"][5 - level][column] for level in range(1, 6)]
    cards.append(cards.pop(int(at[1]) - 1))
    before = {hero: where for hero, where in state["figures"].items() if is_hero(hero) and where != ROOF}
    in_room = {hero for hero, where in before.items() if card_at(state, where) == "H"}
    state["tower"] = [row[:column] + cards[4 - i] + row[column + 1 :] for i, row in enumerate(state["tower"])]
    if rule(state, "explosion_figures") == "ride":
        for figure, where in list(state["figures"].items()):
            if where != ROOF and where[0] == at[0] and where[1] > at[1]:
                state["figures"][figure] = where[0] + str(int(where[1]) - 1)
        return
    for hero, where in before.items():
        if card_at(state, where) == "H" and hero not in in_room:
            lie_down(state, hero)
        if card_at(state, where) != "H" and hero in in_room:
            stand_up(state, hero)


def spend_special(state: State, amount: int) -> None:
    turn = state["turn"]
    turn["special"] -= amount
    if rule(state, "interleave") == "off" and turn["points"] < POINTS[turn["card"]]:
        turn["points"] = 0


def spend_points(state: State, amount: int) -> None:
    turn = state["turn"]
    if amount == 0:
        return
    turn["points"] -= amount
    if rule(state, "interleave") == "off" and turn["special"] < SPECIAL[turn["card"]]:
        turn["special"] = 0


def bind(state: State, hero: str) -> None:
    if state["turn"]["card"] == 5 and rule(state, "climb_same_hero") == "on":
        state["turn"]["used"] = state["turn"]["used"] or [hero]


def begin_turn(state: State) -> None:
    seat = state["queue"][0]
    card = state["cards"][seat]
    state["turn"] = {
        "seat": seat,
        "card": card,
        "points": POINTS[card],
        "special": SPECIAL[card],
        "used": [],
        "pending": None,
    }
    if rule(state, "hide_ends") == "owner_turn":
        get_up(state, heroes_of(seat))


def get_up(state: State, heroes: list[str]) -> None:
    for hero in heroes:
        where = state["figures"][hero]
        if where == ROOF or card_at(state, where) != "H":
            stand_up(state, hero)


def order_of(seats: list[str], gryphon: str, cards: dict[str, int]) -> list[str]:
    at = seats.index(gryphon)
    going_left = seats[at:] + seats[:at]
    return [seat for number in range(1, 8) for seat in going_left if cards.get(seat) == number]


def reveal_if_all_locked(state: State, locks: dict[str, int]) -> None:
    if not locks or any(seat not in locks and not sits_out(state, seat) for seat in state["seats"]):
        return
    state["phase"] = "resolve"
    state["cards"] = dict(locks)
    for seat, card in locks.items():
        state["hands"][seat] = [c for c in state["hands"][seat] if c != card]
    locks.clear()
    state["queue"] = order_of(state["seats"], state["gryphon"], state["cards"])
    begin_turn(state)


def end_turn(state: State) -> None:
    state["queue"] = state["queue"][1:]
    if state["queue"]:
        begin_turn(state)
    else:
        end_round(state)


def end_round(state: State) -> None:
    state["turn"] = None
    state["cards"] = {}
    saved = {s: sum(state["figures"][h] == ROOF for h in heroes_of(s)) for s in state["seats"]}
    rested = all(state["rests"][seat] >= 2 for seat in state["seats"])
    ended_by = None
    if 2 in saved.values():
        ended_by = "saved"
    elif state["final"] or (rested and rule(state, "extra_round") == "no"):
        ended_by = "rested"
    if ended_by is None:
        state.update(round=state["round"] + 1, phase="choose", final=rested, out=[])
        if rule(state, "hide_ends") == "round_start":
            get_up(state, [h for seat in state["seats"] for h in heroes_of(seat)])
        return
    inside = {seat: [state["figures"][h] for h in heroes_of(seat)] for seat in state["seats"]}
    levels = {seat: sorted((int(w[1]) for w in where if w != ROOF), reverse=True) for seat, where in inside.items()}
    winner, decided_by = winner_of(
        state["seats"], state["gryphon"], ended_by, saved, levels, state["rules"], state["out"]
    )
    state["phase"] = "over"
    state["result"] = {
        "ended_by": ended_by,
        "winner": winner,
        "decided_by": decided_by,
        "saved": saved,
        "levels": levels,
    }


def winner_of(
    seats: list[str],
    gryphon: str,
    ended_by: str,
    saved: dict[str, int],
    levels: dict[str, list[int]],
    rules: dict[str, Any],
    out: list[str],
) -> tuple[str, str]:
    """Who wins, and what decided it."""

    def level_key(seat: str) -> list[int]:
        two = [*sorted(levels[seat], reverse=True), 0, 0][:2]
        compare = rules.get("level_compare", "best_then_second")
        return {"best_then_second": two, "best_only": two[:1], "sum": [sum(two)]}[compare]

    def saved_key(seat: str) -> list[int]:
        return [saved[seat]]

    if ended_by == "saved":
        steps = [("saved", saved_key)]
    elif rules.get("rest_end_order", "saved_first") == "saved_first":
        steps = [("saved", saved_key), ("level", level_key)]
    else:
        steps = [("level", level_key), ("saved", saved_key)]
    tied = list(seats)
    for name, key in steps:
        best = max(key(seat) for seat in tied)
        tied = [seat for seat in tied if key(seat) == best]
        if len(tied) == 1:
            return tied[0], name
    if ended_by == "saved" and rules.get("double_save", "gryphon") == "first_out":
        for seat in out:
            if seat in tied:
                return seat, "first_out"
    at = seats.index(gryphon)
    return next(seat for seat in seats[at:] + seats[:at] if seat in tied), "gryphon"


def happen(state: State, locks: dict[str, int], choice: Choice) -> None:
    """Do a legal choice to the state and to the locked cards."""
    do, seat = choice["do"], choice["seat"]
    if do == "lock":
        locks[seat] = choice["card"]
        reveal_if_all_locked(state, locks)
    elif do == "unlock":
        del locks[seat]
    elif do == "move":
        spend = walk_cost(state, state["figures"][choice["hero"]], choice["path"]) or 0
        spend_points(state, spend)
        if spend:
            bind(state, choice["hero"])
        hero_stops(state, choice["hero"], choice["path"][-1])
    elif do == "hide":
        spend_special(state, 1)
        state["turn"]["used"] = [choice["hero"]]
        lie_down(state, choice["hero"])
    elif do == "villain":
        spend_special(state, len(choice["path"]))
        if state["turn"]["card"] == 4:
            state["turn"]["used"] = sorted([*state["turn"]["used"], choice["villain"]])
        state["figures"][choice["villain"]] = choice["path"][-1]
        knock_off_all(state, choice["path"][-1])
    elif do == "explode":
        spend_special(state, 1)
        explode(state, choice["at"])
    elif do == "climb":
        spend_special(state, 1)
        bind(state, choice["hero"])
        hero_stops(state, choice["hero"], choice["path"][-1])
    elif do == "portal":
        spend_special(state, len(choice["path"]))
        hero_stops(state, choice["hero"], choice["path"][-1])
    elif do == "fall":
        state["turn"]["pending"] = None
        place(state, choice["hero"], choice["to"])
    elif do == "rest":
        state["hands"][seat] = [1, 2, 3, 4, 5, 6, 7]
        state["rests"][seat] += 1
        state["gryphon"] = seat
        end_turn(state)
    elif do == "end":
        end_turn(state)
    state["locked"] = locked(state, locks)


# --- the commands ---------------------------------------------------------------------------------------------------


class NaiveReferee:
    """The same verbs as the real referee; `answer` takes and gives dicts."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.locks: dict[str, int] = {}
        self.past: list[tuple[State, dict[str, int]]] = []

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        keys = dict(request)
        number = keys.pop("id", None)
        keys.pop("lang", None)
        try:
            command = getattr(self, "do_" + str(keys.pop("cmd", "")), None)
            if command is None:
                raise Refused("bad-request", "unknown command")
            return {"id": number, "ok": True, **command(**keys)}
        except Refused as refused:
            return {"id": number, "ok": False, "error": {"code": refused.code, "message": refused.message}}

    def table(self) -> State:
        if self.state is None:
            raise Refused("no-table", "no game")
        return self.state

    def printed(self) -> dict[str, Any]:
        return {"state": copy.deepcopy(self.state)}

    def do_new(
        self,
        game: str,
        seats: list[str],
        gryphon: str | None = None,
        rules: dict[str, Any] | None = None,
        tower: list[str] | None = None,
        villains: dict[str, str] | None = None,
        seed: int = 0,
    ) -> dict[str, Any]:
        rng = random.Random(seed)
        tower = tower or legal_tower(rng)
        villains = villains or {"wizard": "c2", "knight": "c4"}
        need(not set_up_fault(tower), "bad-setup", "no such tower")
        need(sorted(villains.values()) == ["c2", "c4"], "bad-setup", "villains start on c2 and c4")
        figures = {seat + end: square for seat in seats for end, square in ((".1", "b1"), (".2", "d1"))}
        self.state = {
            "game": game,
            "rules": {k: v for k, v in (rules or {}).items() if v != SWITCHES[k][0]},
            "seats": list(seats),
            "gryphon": gryphon or rng.choice(seats),
            "round": 1,
            "phase": "choose",
            "tower": list(tower),
            "figures": {**figures, **villains},
            "lying": [],
            "hands": {seat: [1, 2, 3, 4, 5, 6, 7] for seat in seats},
            "rests": dict.fromkeys(seats, 0),
            "locked": [],
            "cards": {},
            "queue": [],
            "turn": None,
            "out": [],
            "final": False,
            "result": None,
        }
        self.locks, self.past = {}, []
        return self.printed()

    def do_load(self, state: State) -> dict[str, Any]:
        self.state = copy.deepcopy(state)
        self.state["locked"] = locked(self.state, {})
        self.state.setdefault("out", [])
        if self.state["turn"]:
            self.state["turn"].setdefault("used", [])
        self.locks, self.past = {}, []
        return self.printed()

    def do_state(self) -> dict[str, Any]:
        self.table()
        return self.printed()

    def do_choices(self, seat: str | None = None) -> dict[str, Any]:
        found = legal_choices(self.table(), self.locks)
        return {"choices": [choice for choice in found if seat in (None, choice["seat"])]}

    def do_check(self, choice: Choice) -> dict[str, Any]:
        state = self.table()
        check_form(state, choice)
        return {"legal": state["phase"] != "over" and wrong(state, self.locks, choice) is None}

    def do_play(self, choice: Choice) -> dict[str, Any]:
        state = self.table()
        check_form(state, choice)
        need(state["phase"] != "over", "over", "the game is over")
        reason = wrong(state, self.locks, choice)
        need(reason is None, "illegal", str(reason))
        self.past.append((copy.deepcopy(state), dict(self.locks)))
        happen(state, self.locks, choice)
        return self.printed()

    def do_undo(self) -> dict[str, Any]:
        self.table()
        need(self.past, "nothing-to-undo", "nothing to undo")
        self.state, self.locks = self.past.pop()
        return self.printed()

    def do_perft(self, depth: int) -> dict[str, Any]:
        return {"nodes": perft(self.table(), self.locks, depth)}

    def do_order(self, seats: list[str], gryphon: str, cards: dict[str, int]) -> dict[str, Any]:
        return {"order": order_of(seats, gryphon, cards)}

    def do_winner(
        self,
        seats: list[str],
        gryphon: str,
        ended_by: str,
        saved: dict[str, int],
        levels: dict[str, list[int]],
        rules: dict[str, Any] | None = None,
        out: list[str] | None = None,
    ) -> dict[str, Any]:
        winner, decided_by = winner_of(seats, gryphon, ended_by, saved, levels, rules or {}, out or [])
        return {"winner": winner, "decided_by": decided_by}


def perft(state: State, locks: dict[str, int], depth: int) -> int:
    if depth == 0:
        return 1
    nodes = 0
    for choice in legal_choices(state, locks):
        after, after_locks = copy.deepcopy(state), dict(locks)
        happen(after, after_locks, choice)
        nodes += perft(after, after_locks, depth - 1)
    return nodes
