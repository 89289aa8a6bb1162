"""What a long touch explains: two short sentences about a thing on the screen, and the way to its rule.

Whatever lies under the finger is asked: a widget that has `explains(x, y)`, else the one around it. Words about the
parts of a game stand with its board (`boards/<game>/explaining.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from companion.games.base import Message, msg
from companion.ui import words
from companion.ui.words import _, say


@dataclass(frozen=True, slots=True)
class Explanation:
    """title: what it is called; text: two sentences; rule: the entry to read more in, or none.

    art, figure, seat, card: a drawing of it; lying: as the figure is; secret: only whoever holds the screen may know
    what was touched, so that nothing is spoken and no door is opened.
    """

    title: str
    text: str
    rule: str = ""
    art: str = ""
    figure: str = ""
    lying: bool = False
    seat: str = ""
    card: int = 0
    secret: bool = False


_BUTTONS: tuple[tuple[tuple[str, ...], Message], ...] = (
    (
        ("Menu",),
        msg("From here you get everywhere: rule book, judge, history, settings. You also stop playing here."),
    ),
    (
        ("Rule book", "Read the rule", "The rule"),
        msg("Here stands what the rules say, with pictures. Nothing happens to your game while you read."),
    ),
    (
        ("Ask the judge", "May I do this?"),
        msg("Ask whether something is allowed. The judge answers and says why; nothing is played."),
    ),
    (
        ("Who goes first?",),
        msg("Lay out cards as you have them, and the judge says who acts first. Nothing is played."),
    ),
    (
        ("Who won?",),
        msg("Tell how your game ended, and the judge says who won and why. Nothing is played."),
    ),
    (
        ("History",),
        msg("Here are all the games you have played. You can watch them again, step by step."),
    ),
    (
        ("Settings",),
        msg("Language, colours, size of the letters, the voice and more. Everything takes effect at once."),
    ),
    (
        ("Devices",),
        msg("The readers and buttons that are plugged in, and whether they are well. You can play without any."),
    ),
    (
        ("New game",),
        msg("Starts a new game: first who plays, then the tower. A game that is saved stays saved."),
    ),
    (
        ("Play again",),
        msg("Starts a new game with the same people. This one stays in the history."),
    ),
    (
        ("Go on", "Go on with this game"),
        msg("The game goes on where it stands. Nothing is lost."),
    ),
    (
        ("Home",),
        msg("Leads back to the first screen. What you have set stays as it is."),
    ),
    (
        ("Put it right",),
        msg("Does the screen show something else than your table? Here you make it the same again."),
    ),
    (
        ("Somebody else plays", "Take this seat", "Somebody else plays it"),
        msg("Somebody goes and somebody else sits down. The cards and the heroes stay the same."),
    ),
    (
        ("Give it up", "Give up {colour:seat_colour}"),
        msg("Nobody plays this seat any more. The game goes on without it, and somebody may take it later."),
    ),
    (
        ("{seat:seat} stays",),
        msg("Nothing changes: the same person goes on. You are asked nothing more."),
    ),
    (
        ("A guest",),
        msg("Somebody without a name plays here. You can give a name later."),
    ),
    (
        ("Sound",),
        msg("Whether I speak, and whether there are short sounds to what happens. They never tell a secret."),
    ),
    (
        ("There is no sound",),
        msg("Nothing can be heard here. A touch shows which loudspeakers there are."),
    ),
    (
        ("How loud",),
        msg("How loud the voice and the sounds are."),
    ),
    (
        ("Loudspeaker",),
        msg("Where the voice and the sounds come out: the television, a loudspeaker, headphones."),
    ),
    (
        ("First word",),
        msg("Some televisions sleep and miss the first word. Then I wait a moment before I speak."),
    ),
    (
        ("The voice is on", "The voice is off"),
        msg("The voice reads out what the screen says. A touch switches it on or off."),
    ),
    (
        ("Say it again", "Read it aloud"),
        msg("The voice says it once more. Nothing else happens."),
    ),
    (
        ("See the tower",),
        msg("Shows the tower with all figures while you choose. It is only for looking."),
    ),
    (
        ("Stop playing",),
        msg("You can stop for today or for good. You are asked first."),
    ),
    (
        ("Stop for today",),
        msg("The game is saved, and you go on another day. Leave the tower as it is."),
    ),
    (
        ("End it for good", "Yes, end it"),
        msg("The game ends without a winner. You can still look at it in the history."),
    ),
    (
        ("Play on", "Keep it open", "Keep watching"),
        msg("Everything goes on as before. Nothing is ended."),
    ),
    (
        ("End the what-if", "Back to the replay"),
        msg("The trying out is over, and you are where you came from. Your real game has not changed."),
    ),
    (
        ("What if?",),
        msg("Try out from here how it could have gone. Your real game does not change."),
    ),
    (
        ("Back to the table",),
        msg("Closes everything that lies over the game. Then you see the table again."),
    ),
    (
        ("Close", "Back", "Done", "Good", "All right, go on"),
        msg("Closes this, and you are where you were before. Nothing else happens."),
    ),
    (
        ("Not now",),
        msg("Leaves this for later. Nothing is changed and nothing is chosen."),
    ),
    (
        ("Leave it", "No, go back", "Leave it as it was", "Nobody", "Neither", "No"),
        msg("Everything stays as it is. You can go on as you like."),
    ),
    (
        ("Wait, not yet",),
        msg("Your turn goes on. You can still use what is left."),
    ),
    (
        ("Earlier", "More"),
        msg("There is more than fits here: this turns the page."),
    ),
    (
        ("Take back", "Undo last turn", "Undo", "One back"),
        msg("Takes back what was done last. You see what would be undone before it happens."),
    ),
    (
        ("Yes, undo it", "{seat:seat} takes it back"),
        msg("What you see is undone. Then put figures and cards back the same way."),
    ),
    (
        ("Reveal",),
        msg("All cards turn over at the same time. Then nobody can change a card any more."),
    ),
    (
        ("Choose here",),
        msg("Take the screen and pick a card in secret. The others look away meanwhile."),
    ),
    (
        ("Change my card",),
        msg("Takes your card back, and you choose again. Nobody sees which one it was."),
    ),
    (
        ("Lock in", "Lock in {card:card_name}"),
        msg("The card that you have picked counts for this round. Nobody sees it before all are in."),
    ),
    (
        ("{seat}'s turn",),
        msg("The order is clear and the first one acts. The tower comes up."),
    ),
    (
        ("Done, next",),
        msg("Touch it when your hands have done this step. Then the next one is shown."),
    ),
    (
        ("Done, next round",),
        msg("Touch it when all hands have what they need. Then everybody chooses a card."),
    ),
    (
        ("Show how",),
        msg("Shows how the cards move. Nothing is played by it."),
    ),
    (
        ("Yes, do it",),
        msg("It happens as the dotted line shows. You can still take it back."),
    ),
    (
        ("Move this one",),
        msg("Perhaps you meant this figure. It is picked up, and you touch where it goes."),
    ),
    (
        ("We all want it anyway",),
        msg("If all of you agree, it counts although the rule says no. The history keeps a mark."),
    ),
    (
        (
            "We play it differently",
            "We play it so",
            "Our table",
            "House rule",
            "House rules",
            "with {n} house rule",
        ),
        msg("Some tables play a rule in another way. Here you say how yours does."),
    ),
    (
        ("Everyone agrees", "Yes, count it", "Yes, from now on"),
        msg("All of you have said yes. A touch makes it so."),
    ),
    (
        ("This is us",),
        msg("All seats are right, and you go on to the tower. You can still come back."),
    ),
    (
        ("{colour:seat_colour} joins",),
        msg("One more person plays, with this colour. Touch the seat later to give it a name."),
    ),
    (
        ("Nobody here",),
        msg("Nobody plays this colour. Its heroes stay in the box."),
    ),
    (
        ("Type a name", "That is the name", "No name"),
        msg("A name stands on the screen and is spoken. Without one it is the colour."),
    ),
    (
        ("Pick by chance",),
        msg("I draw who begins with it. Nobody has to decide."),
    ),
    (
        ("Level {n} is laid", "The whole tower is laid"),
        msg("Touch it when the cards lie on your table as you see them here. Then it goes on."),
    ),
    (
        ("Deal another", "Another tower", "Yes, deal another"),
        msg("Draws another tower that keeps the rules. The one you see is put away."),
    ),
    (
        ("Keep this one",),
        msg("This tower stays. You go on laying where you were."),
    ),
    (
        ("We built our own",),
        msg("You have built a tower yourselves? Show me here which card lies where."),
    ),
    (
        ("Dealt one",),
        msg("Goes back to the tower that I have drawn. What you have copied is kept."),
    ),
    (
        ("The tower stands", "Begin the game"),
        msg("All lies as it should, and the game begins. Everybody chooses a first card."),
    ),
    (
        ("Clear",),
        msg("All places become empty. You begin again with the first card."),
    ),
    (
        ("This is right",),
        msg("What you see here is what lies on your table. It counts from now on."),
    ),
    (
        ("Figures", "Tower", "Hands", "Gryphon", "Turn", "Cards", "Places", "What happens", "A picture"),
        msg("A page of this screen. A short touch opens it."),
    ),
    (
        ("Lay it down",),
        msg("The hero lies down, because it is hidden. Another touch lets it stand."),
    ),
    (
        ("Search by words", "Space", "Erase"),
        msg("Type a word, and you see all rules with it. Part of a word is enough."),
    ),
    (
        ("Look back", "Write it as text"),
        msg("Keeps the game for later: you can watch it or read it. Nothing changes in it."),
    ),
    (
        ("Ask", "Our reading"),
        msg("The judge says yes or no, and why. Nothing is played."),
    ),
    (
        ("Set up",),
        msg("Put the figures as you want to ask about them. Your real game stays as it is."),
    ),
    (
        ("That is the turn", "is done"),
        msg("Whose turn it is and what is left of the card. The judge goes by it."),
    ),
    (
        ("Holds the gryphon", "Sits one place further left"),
        msg("Who has the gryphon and who sits where decide a tie. Set it as on your table."),
    ),
    (
        ("Teach the cards",),
        msg("Stickers on cards tell a reader which card lies there. Here each one is learnt once."),
    ),
    (
        ("Keep it",),
        msg("From now on this sticker means this card. You can teach it anew."),
    ),
    (
        ("Whose is whose", "Skip", "Again"),
        msg("Says which reader and which buttons belong to whom. Each person touches their own."),
    ),
    (
        ("Test", "Touch test"),
        msg("Looks whether everything hears you: the screen, readers and buttons. No game is changed."),
    ),
    (
        ("Wiring",),
        msg("Drawings of which wire goes where. They are for whoever builds the readers."),
    ),
    (
        ("About",),
        msg("What this is, and which version."),
    ),
    (
        ("Colours",),
        msg("Dark, light, strong contrast or for colour-blind eyes. A touch changes the whole screen."),
    ),
    (
        ("Letters",),
        msg("How large the words are. Choose what everybody can read from their seat."),
    ),
    (
        ("Motion",),
        msg("Whether things move on the screen. Without it everything is shown at once."),
    ),
    (
        ("Reading side", "I sit here", "Turn to whoever acts"),
        msg("From which side of the table the screen is read. It may also turn to whoever acts."),
    ),
    (
        ("Language",),
        msg("The language that I write and speak. It changes at once."),
    ),
    (
        ("Referee", "Coach", "Strict", "Silent"),
        msg("How much I say about what is not allowed. A coach explains, strict never gives in, silent says little."),
    ),
    (
        ("Readers",),
        msg("How long a card lies on a reader until it counts. One that only slides over it does not."),
    ),
    (
        ("Screen off",),
        msg("When the screen goes dark if nobody touches it. A touch wakes it."),
    ),
    (
        ("Seats",),
        msg("Leads back to who sits where. The tower that you see is kept."),
    ),
    (
        ("The game in a minute", "That was it"),
        msg("Six pictures show how the game goes, and the voice reads them. Nothing is played."),
    ),
    (
        ("What can I do?",),
        msg("What you can reach in this turn lights up. Nothing is played before you touch one of them."),
    ),
    (
        ("A child plays here",),
        msg("I help in its own turn, and ask less. Another touch takes that back."),
    ),
    (
        ("People", "Forget {name}"),
        msg("The names that I know, and how often each has won. Here a name can be forgotten."),
    ),
    (
        ("No, wait",),
        msg("Somebody does not agree: nothing happens. Everything stays as it is."),
    ),
    (
        ("Yes, it did",),
        msg("The villain has gone there, as the dotted line shows. You can still take it back."),
    ),
    (
        ("List of the pins",),
        msg("The same drawing as a list: which wire goes to which pin. It is easier to read near by."),
    ),
    (
        ("+", "–"),
        msg("A number here becomes larger or smaller by one. Touch it as often as you need."),
    ),
)
"""The ids of labels, and what a button with one of them does."""
BUTTONS = {label: text for labels, text in _BUTTONS for label in labels}
ICONS = {
    "bars": "Menu", "mark_book": "Rule book", "mark_fix": "Put it right", "mark_undo": "Take back",
    "mark_sound": "Say it again", "mark_history": "Look back", "mark_yes": "Done", "mark_no": "Close",
    "mark_seats": "Seats",
}  # fmt: skip
"""The label that a button with nothing but a picture would have."""
PLAIN = msg("A short touch does what it says here. A long touch never does anything, it only explains.")
"""About a button that nobody has written anything about."""
GREY = msg("It is grey because it cannot be used just now.")
LINE = msg("This line only tells you something. What you can touch now is bright.")
"""About words that are no button."""


def of_board() -> Any:
    """The words of the game on the table: the module `explaining` of its board, or None where it has none."""
    return _board(words.game())


@cache
def _board(game: str) -> Any:
    name = f"companion.ui.boards.{game.replace('-', '_')}"
    if find_spec(name) is None or find_spec(f"{name}.explaining") is None:
        return None
    return import_module(f"{name}.explaining")


def of_button(button: Any) -> Explanation:
    """What a button does, from its label, its picture or what it stands for."""
    label = _label(button)
    icon = "bars" if getattr(button, "bars", False) else getattr(button, "icon", "")
    id = getattr(label, "id", label) or ICONS.get(icon, "")
    title, rule, board = label or (_(id) if id else ""), getattr(button, "rule", ""), of_board()
    figure, seat = getattr(button, "figure", ""), getattr(button, "seat", "")
    if board is not None and id in board.BUTTONS:
        rule, text = rule or board.BUTTONS[id][0], say(board.BUTTONS[id][1])
    elif id in BUTTONS:
        text = say(BUTTONS[id])
    elif button.about is not None:
        text = say(button.about)
    elif not label and board is not None and (found := board.picture(getattr(button, "art", ""))) is not None:
        title, text, rule = found.title, found.text, found.rule
    elif figure and board is not None:
        found = board.figure(figure, lying=getattr(button, "lying", False))
        title, text, rule = title or found.title, found.text, rule or found.rule
    elif seat:
        title = title or words.name(seat)
        text = say(msg("This is the colour of {seat:seat}. A short touch chooses it.", seat=seat))
    else:
        text = say(PLAIN)
    if button.off:
        text = f"{button.why or say(GREY)} {text}"
    art, lying = getattr(button, "art", ""), getattr(button, "lying", False)
    return Explanation(title or _("A button"), text, rule, art, figure, lying, seat)


def of_words(text: str) -> Explanation:
    """A line that only tells something, in full."""
    return Explanation(text, say(LINE))


def _label(button: Any) -> str:
    """What stands on a button: its own words, or the first that lie on it."""
    label: str = getattr(button, "text", "") or getattr(button, "head", "")
    return label or first_words(button)


def first_words(widget: Any) -> str:
    """The first words that stand on something."""
    return next(_texts(widget), "")


def _texts(widget: Any) -> Iterator[str]:
    for child in reversed(widget.children):
        if text := getattr(child, "text", ""):
            yield text
        yield from _texts(child)
