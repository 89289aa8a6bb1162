"""What a long touch explains on this board: cards, squares, figures, and the buttons that only this game has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.base import Message, msg, msgn
from companion.games.sir_holland.state import (
    CAPTURE,
    CHASE,
    CLIMB,
    EXPLOSION,
    HIDE,
    PORTALS,
    REST,
    ROOF,
    VILLAINS,
    owner,
)
from companion.ui import card_words, words
from companion.ui.explaining import Explanation
from companion.ui.words import say

_BUTTONS: tuple[tuple[tuple[str, ...], str, Message], ...] = (
    (
        ("Nothing more, end my turn", "End my turn", "End my turn all the same"),
        "R27",
        msg("Your turn is over, and the next one acts. What is left of your card is gone."),
    ),
    (
        ("Move a villain",),
        "R47",
        msg("One villain goes one step. It knocks off a hero where it stops."),
    ),
    (
        ("Move villains",),
        "R47",
        msg("The villains go three steps together. They knock off heroes where they stop."),
    ),
    (
        ("Blow up a card",),
        "R60",
        msg("A card without figures comes out of the tower and goes on top of its column. The cards above slide down."),
    ),
    (
        ("Use portals",),
        "R38",
        msg(
            "Your heroes on portals ride up or down column c, two levels together. They have to stand on a portal "
            "first."
        ),
    ),
    (
        ("Climb",),
        "R39",
        msg("One of your heroes goes up one level, with or without a rope. From level 5 it gets out of the tower."),
    ),
    (
        ("Hide",),
        "R57",
        msg("One of your heroes lies down, and no villain can knock it off. It gets up in the next round."),
    ),
    (
        ("Rest",),
        "R66",
        msg(
            "All cards that you have played come back to your hand, and you take the gryphon. You do nothing else "
            "in this turn."
        ),
    ),
    (
        ("On foot",),
        "R30",
        msg("The hero walks and pays a step for each square. Follow the dotted line."),
    ),
    (
        ("By passage",),
        "R35",
        msg("The hero goes in at one secret passage and out at the other, for free. Follow the dotted line."),
    ),
    (
        ("By portal",),
        "R38",
        msg("The hero rides on the portals of column c. That uses your portal steps."),
    ),
    (
        ("The gryphon",),
        "R23",
        msg("Who has the gryphon goes first when two played the same number. Whoever rests takes it."),
    ),
    (
        ("Passage",),
        "R35",
        msg(
            "A hero that walks in may come out of the other passage, for free. There are two, on levels 2 and 4 at "
            "first."
        ),
    ),
    (
        ("Rope",),
        "R33",
        msg("From here a hero may climb one level for a step. From level 5 it gets out of the tower."),
    ),
    (
        ("Secret room",),
        "R36",
        msg("A hero that stops here lies down, and no villain can harm it. There is room for one."),
    ),
    (
        ("Wall",),
        "R41",
        msg("A wall does nothing special. Heroes walk over it like any other square."),
    ),
    (
        ("Portal",),
        "R37",
        msg(
            "Heroes ride up and down here only with Portal (6); villains always can. For walking it is a square "
            "like others."
        ),
    ),
    (
        ("Dungeon",),
        "R32",
        msg("Your heroes begin here, and there is room for all. Here no villain can harm a hero."),
    ),
    (
        ("Terrace",),
        "R40",
        msg("Up here a hero is saved and out of the tower. A rope on level 5 or Climb (5) leads here."),
    ),
)
BUTTONS: Mapping[str, tuple[str, Message]] = {
    label: (rule, text) for labels, rule, text in _BUTTONS for label in labels
}
"""The id of a label -> the rule, and what the button does or the part is."""
KINDS = {"P": msg("Portal"), "D": msg("Dungeon"), "R": msg("Rope"), "S": msg("Passage"), "H": msg("Secret room"),
         "W": msg("Wall")}  # fmt: skip
ART = {"P": "card_portal", "D": "card_dungeon", "R": "card_rope", "S": "card_passage", "H": "card_room",
       "W": "card_wall", "": "card_roof"}  # fmt: skip
CARD_RULES = {HIDE: "R57", CHASE: "R42", EXPLOSION: "R60", CAPTURE: "R42", CLIMB: "R39", PORTALS: "R38", REST: "R66"}
HERO = msg("Heroes walk along a level, and up by ropes, by passages or with a card. Bring yours up to the terrace.")
LIES = msg("It is lying down, so no villain can knock it off. It gets up in a later round, or when it walks.")
SAVED = msg("It is out of the tower and saved. Whoever saves the most heroes wins.")
VILLAIN = msg("It moves only when somebody plays Chase (2) or Capture (4). A hero falls where it stops.")
GRYPHON = msg("Who has the gryphon goes first when two played the same number. Whoever rests takes it.")
QUEUE = msg("The order of this round: who is done, who acts now, and who comes next. Low cards act first.")
STEPS = msg("Each footprint is a step for your heroes. Touch a hero, then a bright square.")


def card(number: int) -> Explanation:
    """What an action card does."""
    title = say(msg("{n} {card:card_name}", n=number, card=number))
    text = f"{say(card_words.STEPS[number])} {say(card_words.SPECIAL[number])}"
    return Explanation(title, text, CARD_RULES[number], card=number)


def square(rows: Sequence[str], figures: Mapping[str, str], at: str) -> Explanation:
    """What a square is, and who stands there. rows: the tower, top level first."""
    there = sorted(figure for figure, place in figures.items() if place == at)
    letter = "" if at == ROOF else rows[5 - int(at[1])]["abcde".index(at[0])]
    if letter and letter not in KINDS:
        text = msg("No card lies here yet. Each level has five cards, and the tower five levels.")
        return Explanation(at, say(text), "R9")
    kind = KINDS[letter] if letter else msg("Terrace")
    name = say(msg("{at:square}: {kind:message}", at=at, kind=kind) if letter else kind)
    rule, text = BUTTONS[kind.id]
    told = [say(text)]
    if there:
        told.append(say(msgn("{figures:figures} stands here.", "{figures:figures} stand here.",
                             n=len(there), figures=there)))  # fmt: skip
    return Explanation(name, " ".join(told), rule, ART[letter])


def figure(name: str, at: str = "", lying: bool = False) -> Explanation:
    """A hero or a villain, and how it is off. at: where it stands, if that is known."""
    title = say(msg("{figure:figure}", figure=name))
    if name in VILLAINS:
        return Explanation(title, say(VILLAIN), "R47", figure=name)
    state, rule = (SAVED, "R40") if at == ROOF else (LIES, "R53") if lying else (HERO, "R30")
    whose = say(msg("A hero of {seat:seat}.", seat=owner(name)))
    return Explanation(title, f"{whose} {say(state)}", rule, figure=name, lying=state is LIES)


def seat(seat: str) -> Explanation:
    """A seat's mark."""
    text = msg("This is the colour and the mark of {seat:seat}. Its heroes and cards carry it, too.", seat=seat)
    return Explanation(words.name(seat), say(text), "R2", seat=seat)


def picture(art: str) -> Explanation | None:
    """A drawing that stands for something of the game."""
    return Explanation(say(msg("The gryphon")), say(GRYPHON), "R23", art=art) if art == "gryphon" else None


def queue() -> Explanation:
    """Who acts when."""
    return Explanation(say(msg("Who acts when")), say(QUEUE), "R22")


def steps(left: str, why: str = "", rule: str = "") -> Explanation:
    """The steps that are left. left: in words; why: nobody can take them."""
    return Explanation(left, why or say(STEPS), rule or "R28", art="mark_steps")
