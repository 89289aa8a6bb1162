"""The pen that the drawings are drawn with: SVG, and the signs of a schematic."""

from __future__ import annotations

from xml.sax.saxutils import escape

Look = tuple[str, str]
"""A colour and a pattern of dashes; no two wires of a drawing have the same."""

SYMBOL: Look = ("#555555", "")
"""Of the lines of signs, which are no wires."""
RESISTOR = 44
"""How wide one is."""
LETTER = 0.65
"""How wide a letter is at most, on average, for its height."""


class Paper:
    """SVG that grows line by line."""

    def __init__(self, title: str) -> None:
        self.lines: list[str] = []
        self.title = title
        self.reach = 0.0  # how far to the right the letters go
        self.text(20, 34, title, 20, bold=True)

    def text(self, x: float, y: float, text: str, size: int = 13, *, bold: bool = False, at: str = "start") -> None:
        weight = ' font-weight="bold"' if bold else ""
        length = LETTER * size * len(text)
        self.reach = max(self.reach, x + {"start": length, "middle": length / 2}.get(at, 0))
        anchor = "" if at == "start" else f' text-anchor="{at}"'
        self.lines.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}"{weight}{anchor}>{escape(text)}</text>')

    def box(self, x: float, y: float, wide: float, high: float, fill: str = "#ffffff", round: int = 6) -> None:
        place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="{round}"'
        self.lines.append(f'<rect {place} fill="{fill}" stroke="#555555"/>')

    def wire(self, look: Look, *points: tuple[float, float]) -> None:
        colour, dash = look
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"{dashes}/>')

    def dot(self, x: float, y: float, colour: str, radius: float = 4) -> None:
        self.lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"/>')

    def pin(self, x: float, y: float, number: int, look: Look | None) -> None:
        """A pin of a board: grey, or as its wire looks."""
        colour, dash = look or ("#c9cfc9", "")
        place = f'cx="{x:g}" cy="{y:g}"'
        if dash:
            ring = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
            self.lines.append(f'<circle {place} r="9.5" fill="#ffffff" {ring}/>')
        else:
            self.lines.append(f'<circle {place} r="9" fill="{colour}"/>')
        ink = "#555555" if look is None else colour if dash else "#ffffff"
        at = f'x="{x:g}" y="{y + 4:g}" font-size="10" text-anchor="middle"'
        self.lines.append(f'<text {at} fill="{ink}">{number}</text>')

    def contact(self, x: float, y: float) -> None:
        self.lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="#ffffff" stroke="{SYMBOL[0]}" stroke-width="2"/>')

    def resistor(self, x: float, y: float, text: str) -> None:
        """From x on RESISTOR wide, in a wire at y."""
        self.box(x, y - 8, RESISTOR, 16, round=2)
        self.text(x + RESISTOR / 2, y + 4, text, 11, at="middle")

    def capacitor(self, x: float, plus: tuple[float, Look], minus: tuple[float, Look], text: str, polar: bool) -> None:
        """Between two wires, one above the other."""
        (top, above), (bottom, below) = plus, minus
        middle = (top + bottom) / 2
        for y, plate, (colour, _dash) in ((top, middle - 2.5, above), (bottom, middle + 2.5, below)):
            self.wire(SYMBOL, (x, y), (x, plate))
            self.wire(SYMBOL, (x - 8, plate), (x + 8, plate))
            self.dot(x, y, colour)
        if polar:
            self.text(x - 12, middle, "+", 11, at="middle")
        self.text(x + 12, middle + 4, text, 11)

    def shape(self, colour: str, *points: tuple[float, float]) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.lines.append(f'<polygon points="{path}" fill="{colour}"/>')

    def svg(self, wide: float, high: float) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" '
            f'height="{high:g}" font-family="sans-serif" fill="#1a1a1a">\n<title>{escape(self.title)}</title>\n'
            '<rect width="100%" height="100%" fill="#ffffff"/>\n'
        )
        return head + "\n".join(self.lines) + "\n</svg>\n"
