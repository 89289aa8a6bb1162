"""Who sits where: colours, names, and who holds the gryphon."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.games.base import msg, msgn
from companion.table.ports import Change, Outcome, Snapshot, Status
from companion.ui import words
from companion.ui.pen import Pen
from companion.ui.ring import Ring
from companion.ui.screens.base import SetUpScreen, load_kv
from companion.ui.screens.keyboard import NameSheet
from companion.ui.theme import c, look, t, u
from companion.ui.widgets import BigButton, Row, Text
from companion.ui.words import _, say

load_kv("seats")


class SeatsBody(BoxLayout):
    """Written out in seats.kv."""


class SeatRing(Ring):
    """The table from above, to touch: a seat, or a seat dragged onto another one's place."""

    def __init__(self, **kwargs: Any) -> None:
        self.register_event_type("on_seat")
        self.register_event_type("on_swap")
        self.dragged = ""
        self.at = (0.0, 0.0)
        super().__init__(**kwargs)

    def on_seat(self, seat: str) -> None:
        """A seat was touched."""

    def on_swap(self, seat: str, other: str) -> None:
        """A seat was dragged to another one's place."""

    def seat_near(self, x: float, y: float) -> str:
        """The seat whose mark, or the room around it, lies there."""
        reach = u(self.px) * 0.8
        near = [s for s, (sx, sy) in self.places().items() if abs(sx - x) <= reach and abs(sy - y) <= reach]
        return near[0] if near else ""

    def on_touch_down(self, touch: Any) -> bool:
        seat = self.seat_near(*touch.pos) if self.collide_point(*touch.pos) else ""
        if not seat:
            return False
        touch.grab(self)
        self.dragged, self.at = seat, touch.pos
        self.redraw()
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        self.at = touch.pos
        self.redraw()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        seat, self.dragged = self.dragged, ""
        other = self.seat_near(*touch.pos)
        self.redraw()
        if other == seat:
            self.dispatch("on_seat", seat)
        elif other:
            self.dispatch("on_swap", seat, other)
        return True

    def paint(self, pen: Pen) -> None:
        super().paint(pen)
        if self.dragged:
            px, (x, y) = u(self.px) * 1.15, self.at
            over = self.seat_near(x, y)
            if over and over != self.dragged:
                pen.circle(*self.places()[over], u(self.px) + u(16), c("act"), u(3))
            pen.mark(self.dragged, x - px / 2, y - px / 2, px)


class Seats(SetUpScreen):
    """See above. `editing`: the seat whose name and colour are being set; `gryphon`: its holder is being picked."""

    name = "seats"

    def make(self) -> Any:
        self.editing: str | None = None
        self.gryphon = False
        body = SeatsBody()
        self.ring, self.side, self.caption = body.ids.ring, body.ids.side, body.ids.caption
        self.ring.bind(on_seat=lambda _, seat: self._touch(seat), on_swap=lambda _, *two: self._swap(*two))
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        self._draw()

    @property
    def standing(self) -> Any:
        """The list, or a page of it."""
        return self.editing is not None, self.gryphon

    def called(self, seat: str) -> str:
        """The name in the draft, or the colour."""
        return words.readable(self.root.draft.names, seat)

    def _draw(self) -> None:
        draft = self.root.draft
        self.ring.seats = list(draft.seats)
        self.ring.gryphon = draft.gryphon or ""
        self.ring.halo = [self.editing] if self.editing else []
        self.caption.text = _("Drag a seat to change places.")
        self.side.clear_widgets()
        if self.gryphon:
            self._pick_gryphon()
        elif self.editing:
            self._edit(self.editing)
        else:
            self._list()

    def _list(self) -> None:
        draft = self.root.draft
        self.tell(_("Who sits where? Go round like a clock."), _("Tap a seat to change its name or colour."))
        cells = [self._person(seat) for seat in draft.seats] + [self._place(seat) for seat in draft.free()]
        # large letters need high buttons: two in a row leave room for that
        alone = len(draft.seats) if look.scale < 1.3 else 0
        for cell in cells[:alone]:
            self.side.add_widget(cell)
        for start in range(alone, len(cells), 2):
            row = Row()
            for cell in cells[start : start + 2]:
                row.add_widget(cell)
            self.side.add_widget(row)
        holder = draft.gryphon
        sub = say(msg("{name} holds it", name=self.called(holder))) if holder else _("by chance")
        row = Row(size_hint_y=None, height=max(u(56), t(50)))
        n = len(self.root.settings.get("house_rules") or {})
        # two in a row have no room for pictures and second lines in large letters
        bare = look.scale > 1.3
        art, sub = ("", "") if bare else ("gryphon", sub)
        row.add_widget(self._button(_("The gryphon"), self._ask_gryphon, art=art, sub=sub, px=18, least=14))
        if self.root.has("minute") and not n:
            text = _("The game in a minute")
            drawn = "" if bare else "card_roof"
            row.add_widget(self._button(text, lambda: self.root.open("minute"), art=drawn, px=17, least=14))
        if n and self.root.has("house_rules"):
            text, icon = say(msgn("with {n} house rule", "with {n} house rules", n=n)), "" if bare else "mark_fix"
            row.add_widget(self._button(text, lambda: self.root.open("house_rules"), icon=icon, px=17, least=14))
        self.side.add_widget(row)
        foot = Row(size_hint_y=None, height=max(u(60), t(50)))
        foot.add_widget(self._button(_("Home"), lambda: self.root.go("start"), px=18, size_hint_x=0.42))
        foot.add_widget(self._button(_("This is us"), self._on, lit=True, px=24, icon="mark_yes"))
        self.side.add_widget(foot)

    def _person(self, seat: str) -> BigButton:
        sub = words.colour_name(seat) if seat in self.root.draft.names else _("Tap to name")
        return self._button(
            self.called(seat), lambda: self._open(seat), seat=seat, sub=sub, align="left", px=22, least=14
        )

    def _place(self, seat: str) -> BigButton:
        text = say(msg("{colour:seat_colour} joins", colour=seat))
        return self._button(text, lambda: self._add(seat), seat=seat, px=18, least=14)

    def _edit(self, seat: str) -> None:
        draft = self.root.draft
        taken = [n for s, n in draft.names.items() if s in draft.seats and s != seat]
        known = [n for n in draft.known if n not in taken][:6]
        how = _("Pick a name, or type one.") if known else _("Type a name, or play without one.")
        self.tell(say(msg("Who plays {colour:seat_colour}?", colour=seat)), how, seat)
        for start in range(0, len(known), 3):
            row = Row()
            for name in known[start : start + 3]:
                here = draft.names.get(seat) == name
                row.add_widget(self._button(words.person(name), lambda n=name: self._name(seat, n), px=20, least=13,
                                            icon="mark_yes" if here else "",
                                            seat="" if here else draft.marks.get(name, "")))  # fmt: skip
            self.side.add_widget(row)
        row = Row()
        row.add_widget(self._button(_("Type a name"), lambda: self._type(seat), px=20))
        row.add_widget(self._button(_("No name"), lambda: self._name(seat, ""), px=20, sub=words.colour_name(seat)))
        self.side.add_widget(row)
        self.side.add_widget(Text(text=_("Colour"), px=18, tint="muted", size_hint_y=None, height=t(24)))
        row = Row()
        for colour in ("red", "blue", "green", "yellow"):
            button = self._button("", lambda k=colour: self._recolour(seat, k), seat=colour)
            if colour == seat:
                button.edge = "act"
            row.add_widget(button)
        self.side.add_widget(row)
        foot = Row(size_hint_y=None, height=max(u(60), t(50)))
        child = self.root.is_child(seat)
        text = _("A child plays here")
        kid = self._button(text, lambda: self._child(seat, not child),
                           icon="" if look.tight else "mark_kids", px=18, least=13)
        if child:
            kid.ground, kid.edge = "ok_bg", "ok"
        foot.add_widget(kid)
        few = len(draft.seats) <= 2
        foot.add_widget(self._button(_("Nobody here"), lambda: self._remove(seat), off=few, px=18))
        foot.add_widget(self._button(_("Done"), self._close, lit=True, icon="mark_yes"))
        self.side.add_widget(foot)

    def _pick_gryphon(self) -> None:
        self.tell(_("Who gets the gryphon?"), _("Same number? Whoever has the gryphon goes first."))
        for seat in self.root.draft.seats:
            self.side.add_widget(
                self._button(self.called(seat), lambda s=seat: self._hold(s), seat=seat, align="left", px=22)
            )
        foot = Row(size_hint_y=None, height=max(u(72), t(56)))
        foot.add_widget(self._button(_("Back"), self._close, px=18, size_hint_x=0.42))
        foot.add_widget(self._button(_("Pick by chance"), lambda: self._hold(None), art="gryphon", lit=True, px=22))
        self.side.add_widget(foot)

    def _button(self, text: str, act: Any, **kwargs: Any) -> BigButton:
        button = BigButton(text=text, **kwargs)
        button.bind(on_release=lambda *_: act())
        return button

    # --- touches ----------------------------------------------------------------------------------------------------

    def _touch(self, seat: str) -> None:
        if self.gryphon:
            self._hold(seat)
        else:
            self._open(seat)

    def _swap(self, seat: str, other: str) -> None:
        self.root.draft.swap(seat, other)
        self._draw()

    def _open(self, seat: str) -> None:
        self.editing = seat
        self._draw()

    def _close(self) -> None:
        self.editing, self.gryphon = None, False
        self._draw()

    def _add(self, seat: str) -> None:
        self.root.draft.add(seat)
        self._draw()

    def _remove(self, seat: str) -> None:
        self.root.draft.remove(seat)
        self._close()

    def _recolour(self, seat: str, colour: str) -> None:
        self.root.draft.recolour(seat, colour)
        places = {seat: colour, colour: seat}
        kids = list(self.root.settings.get("kids") or ())
        if {seat, colour} & set(kids):
            # it is somebody's, not the colour's
            self._change_kids([places.get(s, s) for s in kids])
        self.editing = colour
        self._draw()

    def _child(self, seat: str, child: bool) -> None:
        """Help somebody more, and ask less."""
        kids = [s for s in self.root.settings.get("kids") or () if s != seat]
        self._change_kids([*kids, seat] if child else kids)
        self._draw()

    def _change_kids(self, kids: list[str]) -> None:
        """At once here, also where the house cannot keep it."""
        self.root.take(Status("settings", "setting", None, {"kids": kids}))
        self.root.send(Change({"kids": kids}))

    def _name(self, seat: str, name: str) -> None:
        draft = self.root.draft
        draft.names.pop(seat, None)
        if name and not words.is_colour(seat, name):
            draft.names[seat] = name
            if name not in draft.known:
                draft.known.insert(0, name)
        self._close()

    def _type(self, seat: str) -> None:
        self.root.open_sheet(
            NameSheet(self.root, seat, self.root.draft.names.get(seat, ""), lambda name: self._name(seat, name))
        )

    def _ask_gryphon(self) -> None:
        self.gryphon = True
        self._draw()

    def _hold(self, seat: str | None) -> None:
        self.root.draft.gryphon = seat
        self._close()

    def _on(self) -> None:
        self.root.go("tower")
