"""What every game owes the house, checked over random games. A new game is taken up by its line in GAMES.

What needs the words of one game stands in a file of that game.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import GAMES, find_game
from companion.games.base import BadForm, BadSetup, Game, Message, Refusal
from companion.wording import Wording, languages

AnyGame = Game[Any, Any, Any]
MOST = 3000
"""Choices that no random game needs."""

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@dataclass(frozen=True)
class Setting:
    """What a random game starts from; it is all that hypothesis has to print."""

    seats: tuple[str, ...]
    rules: Mapping[str, Any]
    seed: int


@dataclass(frozen=True)
class Step:
    """One choice of a game: the state that it was made in, what it led to, and the state after."""

    before: Any
    choice: Any
    events: tuple[Any, ...]
    after: Any


def settings_of(game: AnyGame) -> st.SearchStrategy[Setting]:
    """Any number of seats in any order, any house rules."""
    order = st.permutations(game.colours)
    seats = st.builds(lambda colours, n: tuple(colours[:n]), order, st.sampled_from(list(game.seats)))
    rules = st.fixed_dictionaries({s.id: st.sampled_from(s.values) for s in game.rulebook.switches})
    return st.builds(Setting, seats, st.one_of(st.just({}), rules), st.integers(0, 2**32))


def over_random_games(test: Any) -> Any:
    """The test gets each game with a setting of it, many times."""

    @every_game
    @given(data=st.data())
    def run(game: AnyGame, data: st.DataObject) -> None:
        test(game, data.draw(settings_of(game)))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


def opening(game: AnyGame, setting: Setting) -> tuple[Any, ...]:
    return game.open(setting.seats, {"rules": dict(setting.rules)}, random.Random(setting.seed))


def replay(game: AnyGame, events: Any, state: Any = None) -> Any:
    """The state after these events."""
    for event in events:
        state = game.apply(state, event)
    return state


def playout(game: AnyGame, setting: Setting) -> Iterator[Step]:
    """A random game from its first choice to its end."""
    rng = random.Random(setting.seed)
    state = replay(game, opening(game, setting))
    for _ in range(MOST):
        if not (choices := game.choices(state)):
            break
        choice = rng.choice(choices)
        events = game.decide(state, choice)
        after = replay(game, events, state)
        yield Step(state, choice, events, after)
        state = after
    assert game.result(state) is not None, f"nobody can act, or no end after {MOST} choices"


def frozen(state: Any) -> str:
    """All of a state, secrets included, as a text to compare with later."""
    return repr(state)


def through_json(data: Any) -> Any:
    """As it comes back from a file or a wire."""
    return json.loads(json.dumps(data, allow_nan=False))


# --- the registry -----------------------------------------------------------------------------------------------


def test_games_are_found_by_their_id() -> None:
    """Ids are unique, and find_game knows exactly these."""
    assert len({g.id for g in GAMES}) == len(GAMES)
    assert all(find_game(g.id) is g for g in GAMES)
    assert find_game("chess") is None


@every_game
def test_the_colours_suffice_for_the_seats(game: AnyGame) -> None:
    """As many names as seats, and the rule book's ids are unique."""
    assert len(set(game.colours)) == len(game.colours) >= max(game.seats)
    book = game.rulebook
    assert len({r.id for r in book.rules}) == len(book.rules)
    assert len({s.id for s in book.switches}) == len(book.switches)
    assert all(book.find(s.ruling) for s in book.switches)


# --- playing ----------------------------------------------------------------------------------------------------


@over_random_games
def test_games_end_with_winners_who_sit_at_the_table(game: AnyGame, setting: Setting) -> None:
    """A random game ends; then nobody is awaited, nothing can be chosen, and the decision is told."""
    state = [s.after for s in playout(game, setting)][-1]
    result = game.result(state)
    assert result and result.winners and set(result.winners) <= set(setting.seats)
    assert result.steps
    assert game.choices(state) == [] and game.awaited(state) == []


@over_random_games
def test_choices_are_listed_once_and_all_accepted(game: AnyGame, setting: Setting) -> None:
    """Every listed choice is accepted, none stands there twice, and a seat's list is its part of the whole list."""
    rng = random.Random(setting.seed)
    for step in playout(game, setting):
        assert game.result(step.before) is None
        choices = game.choices(step.before)
        assert len(set(choices)) == len(choices)
        assert game.choices(step.before) == choices
        for choice in choices if rng.random() < 0.2 else ():
            assert game.decide(step.before, choice)
        by_seat = [c for seat in setting.seats for c in game.choices(step.before, seat)]
        assert sorted(map(repr, by_seat)) == sorted(map(repr, choices))
        assert {seat for seat, _ in game.awaited(step.before)} == {
            seat for seat in setting.seats if game.choices(step.before, seat)
        }


def mutations(choice: dict[str, Any], others: list[dict[str, Any]], rng: random.Random) -> Iterator[Any]:
    """The choice with one value of another one, with a list longer, shorter or turned round, or with broken keys."""
    other = rng.choice(others)
    for key in choice.keys() & other.keys():
        yield choice | {key: other[key]}
    yield {k: v for k, v in choice.items() if k != rng.choice(list(choice))}
    yield choice | {rng.choice(list(choice)): rng.choice([None, 0, -1, 99, True, 1.5, "", "x", [], {}, ["x"]])}
    yield choice | {"extra": 1}
    for key in [k for k, v in choice.items() if isinstance(v, list)]:
        path = choice[key]
        far = other.get(key)
        far = far if isinstance(far, list) else [*path]
        yield choice | {key: path[::-1]}
        yield choice | {key: path[:-1]}
        yield choice | {key: [*path, *far]}
        yield choice | {key: [*far, *path]}
        yield choice | {key: [*path, rng.choice(path + far)]}
    yield other


def refusal_of(game: AnyGame, state: Any, data: Any) -> BadForm | Refusal | None:
    """How a choice in JSON is refused, if it is."""
    try:
        game.decide(state, game.choice_from_json(state, data))
    except (BadForm, Refusal) as refusal:
        return refusal
    return None


def let_stand(game: AnyGame, state: Any, choice: Any) -> None:
    """A refused choice that the table lets stand gives a position without faults, or says which it would have."""
    if (changes := game.insist(state, choice)) is None:
        return
    assert set(changes) <= set(game.state_to_json(state)) - game.secret
    try:
        corrected = game.correct(state, through_json(changes))
    except BadSetup:
        return
    assert game.faults(corrected) == []


@over_random_games
def test_what_is_not_listed_is_refused_and_changes_nothing(game: AnyGame, setting: Setting) -> None:
    """A changed choice is listed or malformed or refused in words; only taking a secret choice back is not listed."""
    rng = random.Random(setting.seed)
    words = [Wording(lang, game.term) for lang in languages()]
    seen: list[dict[str, Any]] = []
    for step in playout(game, setting):
        seen.append(game.choice_to_json(step.choice))
        if rng.random() < 0.6:
            continue
        listed = game.choices(step.before)
        written = {json.dumps(game.choice_to_json(c), sort_keys=True) for c in listed}
        snapshot = frozen(step.before)
        for data in mutations(game.choice_to_json(rng.choice(listed)), seen, rng):
            legal = json.dumps(data, sort_keys=True) in written
            refusal = refusal_of(game, step.before, data)
            if legal:
                assert refusal is None, data
            elif refusal is None:
                assert game.withdraws(game.choice_from_json(step.before, data)), data
            elif isinstance(refusal, BadForm):
                assert all(say(refusal.reason) for say in words)
            else:
                assert game.rulebook.find(refusal.rule), refusal
                assert refusal.code == "illegal"
                assert all(say(game.explain(step.before, refusal)) for say in words)
                let_stand(game, step.before, game.choice_from_json(step.before, data))
        assert frozen(step.before) == snapshot


@over_random_games
def test_after_the_end_everything_is_refused_as_over(game: AnyGame, setting: Setting) -> None:
    """No choice of the whole game is accepted after its end."""
    steps = list(playout(game, setting))
    state = steps[-1].after
    for step in steps[-40:]:
        with pytest.raises(Refusal) as refusal:
            game.decide(state, step.choice)
        assert refusal.value.code == "over"
        assert game.rulebook.find(refusal.value.rule)


# --- remembering ------------------------------------------------------------------------------------------------


@over_random_games
def test_replay_equals_live(game: AnyGame, setting: Setting) -> None:
    """The events of a game, written to a file and read again, give the state that was played."""
    events = list(opening(game, setting))
    steps = list(playout(game, setting))
    for step in steps:
        events += step.events
    journal = through_json([game.event_to_json(e, private=True) for e in events])
    assert all(type(entry["v"]) is int for entry in journal)
    read = [game.event_from_json(entry) for entry in journal]
    assert read == events
    assert replay(game, read) == steps[-1].after
    assert frozen(replay(game, read, None)) == frozen(replay(game, events, None))


@over_random_games
def test_broken_entries_are_refused(game: AnyGame, setting: Setting) -> None:
    """An entry with a key missing, of another version or of an unknown kind is no event."""
    rng = random.Random(setting.seed)
    events = [*opening(game, setting), *(e for s in playout(game, setting) for e in s.events)]
    for event in rng.sample(events, min(len(events), 30)):
        entry = through_json(game.event_to_json(event, private=True))
        broken = [entry | {"v": 0}, entry | {"what": "nothing"}, entry | {"extra": 1}, [], None, "x", {}]
        broken += [{k: v for k, v in entry.items() if k != key} for key in entry]
        for data in broken:
            with pytest.raises((BadForm, BadSetup)):
                game.event_from_json(data)


@over_random_games
def test_damaged_entries_are_bad_form_and_nothing_else(game: AnyGame, setting: Setting) -> None:
    """Whatever stands in an entry's fields, reading it ends in an event or in BadForm or BadSetup."""
    rng = random.Random(setting.seed)
    events = [*opening(game, setting), *(e for s in playout(game, setting) for e in s.events)]
    for event in rng.sample(events, min(len(events), 20)):
        entry = through_json(game.event_to_json(event, private=True))
        for key in entry:
            for value in (None, 5, "x", [], {}, [[]], {"x": []}):
                try:
                    game.event_from_json(entry | {key: value})
                except (BadForm, BadSetup):
                    continue


@over_random_games
def test_secrets_are_made_taken_back_and_revealed(game: AnyGame, setting: Setting) -> None:
    """Hiding secrets changes nothing else, a reveal leaves none, and a seat's second choice replaces its first."""
    for step in playout(game, setting):
        bare = game.unlocked(step.after)
        assert game.unlocked(bare) is bare
        assert bare == step.after or game.commutes(step.choice)
        if any(game.reveals(e) for e in step.events):
            assert bare is step.after
            assert game.moment(step.after) != game.moment(step.before)
        elif game.commutes(step.choice):
            assert game.moment(step.after) == game.moment(step.before)
            back, again = game.expand(step.after, step.choice)
            assert game.withdraws(back) and again == step.choice
            undone = replay(game, game.decide(step.after, back), step.after)
            assert undone == step.before
        else:
            assert game.expand(step.before, step.choice) == (step.choice,)


@over_random_games
def test_going_back_restores(game: AnyGame, setting: Setting) -> None:
    """Earlier states are untouched by what came after, so going back to one is a take-back."""
    steps, snapshots = [], []
    for step in playout(game, setting):
        steps.append(step)
        snapshots.append(frozen(step.before))
    for step, snapshot in zip(reversed(steps), reversed(snapshots), strict=True):
        assert frozen(step.before) == snapshot
        assert replay(game, game.decide(step.before, step.choice), step.before) == step.after


@over_random_games
def test_states_survive_json(game: AnyGame, setting: Setting) -> None:
    """A public state that is loaded is the one that was printed, less what is secret, and its faults are none."""
    rng = random.Random(setting.seed)
    for step in playout(game, setting):
        assert game.faults(step.after) == []
        if rng.random() < 0.3 or game.result(step.after):
            printed = through_json(game.state_to_json(step.after))
            loaded = game.state_from_json(printed)
            assert loaded == game.unlocked(step.after)
            assert through_json(game.state_to_json(loaded)) == game.state_to_json(game.unlocked(step.after))
            assert game.correct(step.after, {}) == game.unlocked(step.after)


@over_random_games
def test_choices_survive_json(game: AnyGame, setting: Setting) -> None:
    """A choice that is read is the one that was written."""
    for step in playout(game, setting):
        data = through_json(game.choice_to_json(step.choice))
        assert game.choice_from_json(step.before, data) == step.choice
        with pytest.raises(BadForm):
            game.choice_from_json(step.before, data | {"extra": 1})


@over_random_games
def test_the_same_seed_gives_the_same_game(game: AnyGame, setting: Setting) -> None:
    """Set-up draws nothing but from the generator that it is given, and play draws nothing at all."""
    assert opening(game, setting) == opening(game, setting)
    assert [s.after for s in playout(game, setting)] == [s.after for s in playout(game, setting)]


# --- showing ----------------------------------------------------------------------------------------------------


def keys(data: Any) -> Iterator[str]:
    """All keys of all objects in a JSON value."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from keys(value)
    elif isinstance(data, list):
        for value in data:
            yield from keys(value)


@over_random_games
def test_no_view_shows_what_is_secret(game: AnyGame, setting: Setting) -> None:
    """No field that the game lists as secret is in a view, nor in what `state` prints, and what is private is JSON."""
    assert game.secret <= set(type(replay(game, opening(game, setting))).__annotations__)
    for step in playout(game, setting):
        if step.choice.seat != setting.seats[0]:
            continue
        public = game.view(step.after)
        assert not set(keys(public)) & game.secret
        assert not set(keys(game.state_to_json(step.after))) & game.secret
        assert public == game.view(game.unlocked(step.after)) | {k: public[k] for k in ("locked",) if k in public}
        for seat in setting.seats:
            own = through_json(game.view(step.after, seat))
            own.pop("own")
            assert own == through_json(public)


@over_random_games
def test_choices_that_look_alike_are_told_alike(game: AnyGame, setting: Setting) -> None:
    """Where two choices of a seat have the same public events, words, view and awaited seats are the same too."""
    rng = random.Random(setting.seed)
    for step in playout(game, setting):
        if rng.random() < 0.7:
            continue
        shown: dict[str, str] = {}
        for choice in game.choices(step.before)[:30]:
            events = game.decide(step.before, choice)
            after = replay(game, events, step.before)
            public = repr([game.event_to_json(e) for e in events])
            told = repr([game.tell(step.before, events, after), game.awaited(after), game.view(after)])
            assert shown.setdefault(public, told) == told


@over_random_games
def test_everything_can_be_put_into_words(game: AnyGame, setting: Setting) -> None:
    """Every message has a sentence in every language, with no field left open."""
    words = [Wording(lang, game.term) for lang in languages()]

    def check(message: Message) -> None:
        for say in words:
            text = say(message)
            assert text.strip() and not set(text) & set("{}"), (say.lang, text)

    events = opening(game, setting)
    for message in game.tell(None, events, replay(game, events)):
        check(message)
    for step in playout(game, setting):
        for message in game.tell(step.before, step.events, step.after):
            check(message)
        for seat, message in game.awaited(step.after):
            assert seat in setting.seats
            check(message)
        if result := game.result(step.after):
            for message in result.steps:
                check(message)
