"""Settings: everything at one glance, each thing with its value; a touch changes it, or opens its page.

A setting takes effect at once, and the house keeps it. Pages instead of scrolling; the page is what the door was given,
so that it stays when a setting builds the screens anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.graphics import PopMatrix, PushMatrix, Rotate
from kivy.properties import NumericProperty, StringProperty
from kivy.uix.widget import Widget

from companion.games.base import Message, msg, msgn
from companion.table.ports import Change, ListOutputs, Outcome, SayThis, Snapshot, Status
from companion.ui import words
from companion.ui.pen import Pen, letters
from companion.ui.screens.base import Screen
from companion.ui.screens.choices import Choice, Pages, SettingTile, foot, page, words_height
from companion.ui.theme import TEXT_SIZES, Rgba, c, look, t, themes, u
from companion.ui.widgets import Drawn, Text, Touchable
from companion.ui.words import _, say

UNTIL_TOUCHED = 3600
"""Seconds that stand for: do not reveal by itself. So long is the longest that the house knows."""


@dataclass(frozen=True)
class Value:
    """One value of a setting, its name, and what it does."""

    value: Any
    text: Message
    sub: Message | None = None


@dataclass(frozen=True)
class Setting:
    """A setting with a page of its own. `default`: what counts while nobody has said anything."""

    key: str
    icon: str
    name: Message
    sentence: Message
    default: Any
    values: tuple[Value, ...]


def _minutes(n: int) -> Value:
    return Value(n, msgn("After {n} minute", "After {n} minutes", n=n))


SETTINGS = (
    Setting("theme", "mark_colours", msg("Colours"), msg("Which colours suit your table?"), "dark", (
        Value("dark", msg("Dark"), msg("For a dim table.")),
        Value("light", msg("Light"), msg("For a bright room.")),
        Value("contrast", msg("Strong contrast"), msg("Black, white and clear edges.")),
        Value("colour_blind", msg("Colour-blind"), msg("Seats that are told apart by everyone.")),
    )),
    Setting("text", "mark_letters", msg("Letters"), msg("How large are the letters?"), "normal", (
        Value("normal", msg("Normal")), Value("large", msg("Large")), Value("huge", msg("Very large")),
    )),
    Setting("mode", "mark_judge", msg("Referee"), msg("How strict is the referee with the rules?"), "coach", (
        Value("strict", msg("Strict"), msg("What the rules forbid does not happen.")),
        Value("coach", msg("Coach"), msg("I say why not. If all of you want it, it counts anyway.")),
        Value("silent", msg("Silent"), msg("Your table decides. I only mark it in the history.")),
    )),
    Setting("hold", "mark_cards", msg("Reveal"), msg("All cards are in. When do they turn?"), 3, (
        Value(0, msg("At once")),
        *(Value(n, msgn("After {n} second", "After {n} seconds", n=n),
                msg("Until then everyone may change a card.")) for n in (3, 10)),
        Value(UNTIL_TOUCHED, msg("When somebody touches Reveal"), msg("After an hour at the latest.")),
    )),
    Setting("sleep", "mark_night", msg("Screen off"), msg("Nobody touches the screen. When does it go dark?"), 10, (
        Value(0, msg("Never")), *(_minutes(n) for n in (5, 10, 30)),
    )),
)  # fmt: skip
"""Those that are chosen from a list."""
FACING = Setting("facing", "mark_facing", msg("Reading side"), msg("From which side do you read?"), 0, (
    Value(0, msg("The near side")), Value(90, msg("The left side")), Value(180, msg("The far side")),
    Value(270, msg("The right side")),
))  # fmt: skip
WHEN = msg("A card lies on a reader. When does it count?")
READERS = Setting("dwell", "mark_lock", msg("Readers"), WHEN, 0.45, (
    Value(0, msg("At once"), msg("Also a card that only slides over it.")),
    Value(0.45, msg("After half a second"), msg("A card that only slides over it does not count.")),
    Value(1, msgn("After {n} second", "After {n} seconds", n=1), msg("For hands that take their time.")),
))  # fmt: skip
"""Only where there are readers."""
SOUND = {
    (True, True): msg("Voice and sounds"), (True, False): msg("Only the voice"), (False, True): msg("Only sounds"),
    (False, False): msg("Nothing"),
}  # fmt: skip
"""Whether it speaks and whether it sounds, in words."""
LOUDNESS = (
    Setting("volume", "mark_sound", msg("How loud"), msg("How loud shall I be?"), 100, (
        Value(100, msg("Loud")), Value(70, msg("Medium")), Value(45, msg("Soft")), Value(25, msg("Very soft")),
    )),
    Setting("lead", "mark_wait", msg("First word"), msg("Does the television swallow my first word?"), 0, (
        Value(0, msg("No")), Value(1, msg("Yes, a little"), msg("I wait a second before I speak.")),
        Value(2, msg("Yes, much"), msg("I wait two seconds before I speak.")),
    )),
)  # fmt: skip
"""How it is heard. Who changes one of them hears it at once."""
Tile = Callable[[], SettingTile]
"""What makes a tile: a page that gets another size lays out new ones."""
SIDES = (0, 90, 180, 270)
"""How far the screen has to be turned for each side: near, left, far, right."""


class SettingsScreen(Screen):
    """See above. given: `page`, the key of the setting whose page is open."""

    name = "settings"

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        self.draw()

    @property
    def standing(self) -> Any:
        """The page that is open."""
        return self.given.get("page", "")

    def draw(self) -> None:
        """Show the page that is open, or all settings."""
        self.middle.clear_widgets()
        key = self.given.get("page", "")
        setting = next((s for s in (*SETTINGS, *LOUDNESS, READERS) if s.key == key), None)
        if key == "lang":
            self._languages()
        elif key == "sound":
            self._sounds()
        elif key == "output":
            self._outputs()
        elif key == FACING.key:
            self._sides()
        elif setting is not None:
            self._values(setting)
        else:
            self._all()

    def value(self, setting: Setting) -> Any:
        """What is set now, or the default."""
        return self.root.settings.get(setting.key, setting.default)

    def change(self, **settings: Any) -> None:
        """At once here, also where the house cannot keep it."""
        self.root.take(Status("settings", "setting", None, settings))
        self.root.send(Change(settings))
        if self.root.screen is self:
            self.draw()

    def _open(self, key: str) -> None:
        self.root.open("settings", page=key)

    # --- all of them ------------------------------------------------------------------------------------------------

    def _all(self) -> None:
        self.tell(_("What do you want to change?"), _("Everything takes effect at once."))
        tiles = [*self._tiles(), *self._doors()]
        huge = look.scale > 1.3
        across = (3 if look.wide else 2) - huge
        # the last two have room in the foot, but not beside the buttons that turn pages
        last = len(tiles) if huge else -2
        in_the_foot = [make() for make in tiles[last:]]
        self.middle.add_widget(Pages(self, tiles[:last], max(u(58), t(50)), self.root.back, in_the_foot, across))

    def _tiles(self) -> list[Tile]:
        still = bool(self.root.settings.get("still", False))
        found = {s.key: self._tile(s.icon, say(s.name), self._said(s), partial(self._open, s.key)) for s in SETTINGS}
        heard = "mark_sound" if any(self._heard()) and not self.root.no_sound else "mark_quiet"
        sound = _("no sound") if self.root.no_sound else say(SOUND[self._heard()])
        return [
            self._tile("mark_language", _("Language"), words.LANGUAGES[words.language()], lambda: self._open("lang")),
            self._tile(heard, _("Sound"), sound, lambda: self._open("sound")),
            found["theme"],
            found["text"],
            self._tile("mark_motion", _("Motion"), _("off") if still else _("on"),
                       lambda: self.change(still=not still)),
            self._tile(FACING.icon, say(FACING.name), self._said(FACING), lambda: self._open(FACING.key)),
            found["mode"],
            found["hold"],
            found["sleep"],
            *([self._tile(READERS.icon, say(READERS.name), self._said(READERS), partial(self._open, READERS.key))]
              if self.root.devices.get("readers") else []),
        ]  # fmt: skip

    def _said(self, setting: Setting) -> str:
        """The value in words; a number that has no name of its own is said as it is."""
        value = self.value(setting)
        if setting is FACING and self.root.settings.get("follow"):
            return _("whoever acts")
        named = next((v.text for v in setting.values if v.value == value), None)
        return say(named) if named else f"{value:g}" if isinstance(value, int | float) else str(value)

    def _doors(self) -> list[Tile]:
        n = len(self.root.now.view["rules"] if self.root.now else self.root.settings.get("house_rules") or {})
        rules = say(msgn("{n} is changed", "{n} are changed", n=n)) if n else _("as in the rule book")
        doors = (
            ("house_rules", "mark_fix", _("House rules"), rules),
            ("devices", "mark_reader_ok", _("Devices"), ""),
            ("people", "mark_people", _("People"), ""),
            ("touch_test", "mark_touch", _("Touch test"), ""),
            ("about", "mark_about", _("About"), ""),
        )
        return [self._tile(art, text, sub, partial(self.root.open, name)) for name, art, text, sub in doors
                if self.root.has(name)]  # fmt: skip

    @staticmethod
    def _tile(icon: str, text: str, sub: str, act: Callable[[], None]) -> Tile:
        def make() -> SettingTile:
            tile = SettingTile(text=text, sub=sub, icon=icon, align="left", px=20)
            tile.bind(on_release=lambda *_: act())
            return tile

        return make

    # --- a page -----------------------------------------------------------------------------------------------------

    def _back(self) -> None:
        if self.given.get("page") in ("output", *(s.key for s in LOUDNESS)):
            self.root.open("settings", page="sound")
        else:
            self.root.open("settings")

    def _languages(self) -> None:
        self.tell(_("Which language do we speak?"))
        rows = [
            lambda lang=lang, text=text: Choice(
                text, lambda: self.root.change_language(lang), chosen=lang == words.language()
            )
            for lang, text in words.LANGUAGES.items()
        ]
        self.middle.add_widget(Pages(self, rows, t(56), self._back, steady=True))

    def _heard(self) -> tuple[bool, bool]:
        """Whether it speaks, and whether it sounds."""
        settings = self.root.settings
        return settings.get("voice") is not False, settings.get("sounds") is not False

    def _sounds(self) -> None:
        self.tell(_("What do you want to hear?"))
        rows: list[Callable[[], Widget]] = [partial(self._sounding, *heard) for heard in SOUND]
        rows += [self._tile(s.icon, say(s.name), self._said(s), partial(self._open, s.key)) for s in LOUDNESS]
        rows.append(self._tile("mark_sound", _("Loudspeaker"), self._output(), self._ask_for_outputs))
        across = 1 if look.scale > 1.3 or not look.wide else 2
        self.middle.add_widget(Pages(self, rows, t(56), self._back, across=across))

    def _sounding(self, voice: bool, sounds: bool) -> Choice:
        chosen = self._heard() == (voice, sounds)
        return Choice(say(SOUND[voice, sounds]), lambda: self.change(voice=voice, sounds=sounds), chosen=chosen)

    def _ask_for_outputs(self) -> None:
        self.root.send(ListOutputs())
        self._open("output")

    def _output(self) -> str:
        """The loudspeaker that is chosen, in words; one that is not there has none."""
        chosen = self.root.settings.get("output")
        if not chosen:
            return ""
        named = next((text for name, text in self.root.outputs if name == chosen), None)
        return say(named) if named else _("another one")

    def _outputs(self) -> None:
        self.tell(_("Where shall I be heard?"))
        there = self.root.outputs or (("", msg("As the system says")),)
        rows = [partial(self._loudspeaker, name, text) for name, text in there]
        self.middle.add_widget(Pages(self, rows, t(56), self._back))

    def _loudspeaker(self, name: str, text: Message) -> Choice:
        chosen = (self.root.settings.get("output") or "") == name
        return Choice(say(text), lambda: self._hear(output=name), chosen=chosen)

    def _hear(self, **settings: Any) -> None:
        """Change it, and let it be heard."""
        self.change(**settings)
        self.root.send(SayThis((msg("This is how you hear me now."),)))

    def _values(self, setting: Setting) -> None:
        self.tell(say(setting.sentence))
        rows = [lambda v=v: self._choice(setting, v) for v in setting.values]
        self.middle.add_widget(Pages(self, rows, t(62) if look.wide else t(92), self._back))

    def _choice(self, setting: Setting, value: Value) -> Choice:
        return Choice(
            say(value.text),
            lambda: (self._hear if setting in LOUDNESS else self.change)(**{setting.key: value.value}),
            sub=say(value.sub) if value.sub else "",
            chosen=self.value(setting) == value.value,
            side=_sample(setting, value.value),
        )

    def _sides(self) -> None:
        follow = bool(self.root.settings.get("follow", False))
        facing = self.value(FACING)
        self.tell(_("From which side do you read?"), _("Touch the side where you sit."))
        table = Sides(facing, not follow, lambda side: self.change(facing=side, follow=False))
        turn = Choice(_("Turn to whoever acts"), lambda: self.change(follow=not follow), chosen=follow,
                      sub=_("The screen turns between two turns."))  # fmt: skip
        turn.size_hint_y, turn.height = None, max(u(70), t(64)) if look.wide else words_height(72)
        self.middle.add_widget(page(table, turn, foot(self._back)))


def _sample(setting: Setting, value: Any) -> Widget | None:
    if setting.key == "theme":
        return ThemeSample(
            theme=value, pos_hint={"center_y": 0.5}, size_hint=(None, None), size=(u(190 if look.wide else 150), u(52))
        )
    if setting.key == "text":
        return LetterSample(scale=TEXT_SIZES[value], size_hint_x=None, width=u(150))
    return None


class ThemeSample(Drawn):
    """A piece of screen in the colours of a theme."""

    theme = StringProperty("dark")

    def paint(self, pen: Pen) -> None:
        x, y, w, h = self.x, self.y, self.width, self.height
        pen.box(x, y, w, h, self._c("night"), u(8))
        pen.frame(x, y, w, h, self._c("line"), u(2), u(8))
        side = min(h * 0.46, (w - u(40)) / 5.6)
        gap = (w - 5.4 * side) / 6
        at, low = x + gap, y + (h - side) / 2
        for seat in ("red", "blue", "green", "yellow"):
            pen.box(at, low, side, side, self._c(seat), u(6))
            at += side + gap
        pen.box(at, low, side * 1.4, side, self._c("act"), u(6))

    def _c(self, token: str) -> Rgba:
        value = themes()[self.theme][token]
        red, green, blue = (int(value[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return red, green, blue, 1.0


class LetterSample(Drawn):
    """Letters in a size."""

    scale = NumericProperty(1.0)

    def paint(self, pen: Pen) -> None:
        texture = letters("Aa", u(27) * self.scale, words.BODY, True)
        pen.stamp(texture, self.center_x - texture.width / 2, self.center_y - texture.height / 2, c("text"))


class Sides(Widget):
    """The screen on the table from above, its four sides to touch.

    It is drawn as everything is, turned to whoever reads now: that one sits at the near side. reads: whether one side
    is always the one that reads.
    """

    def __init__(self, facing: int, reads: bool, act: Callable[[int], None]) -> None:
        super().__init__()
        self.sides = {}
        for turn in SIDES:
            side = Side(turn, _("I sit here"), chosen=turn == 0 and reads)
            side.bind(on_release=lambda _, turn=turn: act((facing + turn) % 360))
            self.sides[turn] = side
            self.add_widget(side)
        self.middle = Text(text=_("The screen, seen from above"), px=20, least=13, tint="muted", halign="center")
        self.add_widget(self.middle)
        self.bind(pos=self._lay, size=self._lay)

    def _lay(self, *_: Any) -> None:
        thick, gap = min(u(76), self.height / 3.4), u(8)
        width = min(self.width, self.height * 2.1)
        left, low = self.center_x - width / 2, self.y
        for turn, side in self.sides.items():
            if turn in (0, 180):
                side.size = (width - 2 * thick - 2 * gap, thick)
                side.pos = (left + thick + gap, low if turn == 0 else self.top - thick)
            else:
                side.size = (thick, self.height)
                side.pos = (left if turn == 90 else left + width - thick, low)
        self.middle.size = (width - 2 * thick - 4 * gap, self.height - 2 * thick - 2 * gap)
        self.middle.center = (self.center_x, self.center_y)


class Side(Touchable):
    """One side of the table, with its words turned to whoever sits there."""

    about = msg("A side of the table. A short touch turns the screen to it.")

    def __init__(self, turn: int, text: str, chosen: bool) -> None:
        self.turn, self.text, self.chosen = turn, text, chosen
        super().__init__()

    def _dress(self, *_: Any) -> None:
        super()._dress()
        if self.chosen:
            self.ground, self.edge = "ok_bg", "ok"

    def _draw(self, *args: Any) -> None:
        super()._draw(*args)
        texture = letters(self.text, t(22), words.BODY, True)
        if not texture:
            return
        self._group.add(PushMatrix())
        self._group.add(Rotate(angle=-self.turn, origin=self.center))
        Pen(self._group).stamp(
            texture, self.center_x - texture.width / 2, self.center_y - texture.height / 2, c("text")
        )
        self._group.add(PopMatrix())
