"""The rule book of Sir Holland: every rule, every ruling and every house rule, as data.

`R..` is what the rule texts say, `A..` is how we read what they leave open. Texts are msgids of the catalogue
`rulebook` and in our own words; ways into the book are in guide.py, and the rules themselves live in rules.py.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Rule, Rulebook, Switch
from companion.games.sir_holland.guide import TOPICS, furnish
from companion.games.sir_holland.titles import ASKED


def N_(text: str) -> str:
    """Mark a text for translation and leave it as it is."""
    return text


_PLAIN = Rulebook(
    rules=(
        # In the box
        Rule(
            "R1",
            N_(
                "The game is for 2 to 4 players and takes 30 to 45 minutes. "
                "It is easy to learn, and said to be best with 4."
            ),
            N_("boardgamesbot.com, box data"),
        ),
        Rule(
            "R2",
            N_("Every colour has two heroes: blue, red, green and yellow, eight in all."),
            N_("English rulebook, Components"),
        ),
        Rule(
            "R3",
            N_("The two black figures are the villains, the Dark Wizard and the Black Knight."),
            N_("English rulebook, Components"),
        ),
        Rule(
            "R4",
            N_(
                "There is a character card for each of four players. It shows how often you have rested; "
                "nobody has special powers."
            ),
            N_("English rulebook, Components"),
        ),
        Rule(
            "R5",
            N_(
                "The box holds 26 tower cards: ten walls, six ropes, five portals, two dungeons, two secret passages "
                "and one secret room."
            ),
            N_("English rulebook, Components"),
        ),
        Rule(
            "R6",
            N_("Each colour has seven action cards with the numbers 1 to 7."),
            N_("English rulebook, Components"),
        ),
        Rule(
            "R7",
            N_("The gryphon card lies in front of the first player. The box also holds the rulebook."),
            N_("English rulebook, Components"),
        ),
        Rule(
            "R8",
            N_("Count before you play: there should be 59 cards and 10 figures."),
            N_("Worked out from R2, R3, R4, R5, R6 and R7"),
        ),
        # Setting up
        Rule(
            "R9",
            N_("Build the tower from 25 cards: five levels with five cards each."),
            N_("English rulebook, Setup"),
        ),
        Rule(
            "R10",
            N_("The middle column, c, is all portals."),
            N_("English rulebook, Setup"),
        ),
        Rule(
            "R11",
            N_("Both dungeons go at the bottom, left and right of the lowest portal: on b1 and d1."),
            N_("English rulebook, Setup"),
        ),
        Rule(
            "R12",
            N_("The bottom level gets two ropes, no more and no less. Each level above it needs a rope too."),
            N_("English rulebook, Setup"),
        ),
        Rule(
            "R13",
            N_("Levels 2 and 4 get a secret passage each."),
            N_("English rulebook, Setup"),
        ),
        Rule(
            "R14",
            N_("The secret room may lie anywhere that is still free."),
            N_("English rulebook, Setup"),
        ),
        Rule(
            "R15",
            N_("Walls fill whatever is left."),
            N_("Portuguese summary"),
        ),
        Rule(
            "R16",
            N_(
                "So the bottom always reads rope, dungeon, portal, dungeon, rope, and levels 2 to 5 have one rope "
                "each. You can build 23,040 towers like that."
            ),
            N_("Worked out from R10, R11 and R12"),
        ),
        Rule(
            "R17",
            N_("You start with a hero in each dungeon."),
            N_("Portuguese summary"),
        ),
        Rule(
            "R18",
            N_("One villain waits on the portal of level 2, the other on the portal of level 4."),
            N_("English rulebook, Setup"),
        ),
        Rule(
            "R19",
            N_("Take a character card and all seven action cards of your colour."),
            N_("English rulebook, Setup"),
        ),
        Rule(
            "R20",
            N_("Agree on a first player, who gets the gryphon."),
            N_("English rulebook, Setup"),
        ),
        # The round
        Rule(
            "R21",
            N_("Pick a card from your hand in secret. When everyone has one, all turn them over together."),
            N_("English rulebook, Playing"),
        ),
        Rule(
            "R22",
            N_("Low numbers act before high numbers."),
            N_("English rulebook, Playing"),
        ),
        Rule(
            "R23",
            N_(
                "Several of you played the same number? If the gryphon's holder is among you, the holder goes first, "
                "then it goes round to the left."
            ),
            N_("English rulebook, Playing"),
        ),
        Rule(
            "R24",
            N_(
                "If the gryphon's holder played another number, go round to the holder's left: "
                "the tied players act in the order in which you find them."
            ),
            N_("English rulebook, Playing"),
        ),
        Rule(
            "R25",
            N_("A card that you have played stays away until you rest."),
            N_("English rulebook, Card 7"),
        ),
        Rule(
            "R26",
            N_("You never run out of cards. When only Rest (7) is left you play it, and all the others come back."),
            N_("Worked out from R25, R66 and A48"),
            switch="third_rest",
        ),
        # Using a card
        Rule(
            "R27",
            N_("Cards 1 to 6 let you do two things. You choose which comes first, and you may leave one or both out."),
            N_("English rulebook, Action Cards"),
        ),
        Rule(
            "R28",
            N_("Share steps among your heroes and moves among the villains as you like, as far as the card allows."),
            N_("English rulebook, Action Cards"),
        ),
        Rule(
            "R29",
            N_(
                "Cards 2 and 3 give your heroes two steps, cards 1, 4, 5 and 6 give one, Rest (7) none. On top: Hide 1 "
                "hero, Chase 1 villain move, Explosion 1 card, Capture up to 3 villain moves, Climb 1 level, Portal up "
                "to 2 levels."
            ),
            N_("English rulebook, Action Cards"),
        ),
        # How heroes move
        Rule(
            "R30",
            N_(
                "A step takes a hero to the next square on its left or right. "
                "To change level it needs a rope, a secret passage or the right card."
            ),
            N_("English rulebook, Concepts"),
        ),
        Rule(
            "R31",
            N_("Heroes can walk past each other, but no hero stops where another hero is."),
            N_("English rulebook, Concepts"),
        ),
        Rule(
            "R32",
            N_("Each tower card has room for a single hero. Only dungeons have room for everyone."),
            N_("English rulebook, Concepts"),
        ),
        Rule(
            "R33",
            N_(
                "From a rope, a hero may pay a step and climb to the level above. You decide; "
                "it never happens by itself."
            ),
            N_("English rulebook, Tower"),
        ),
        Rule(
            "R34",
            N_("A rope leads up from the card it is drawn on. On level 5 it leads out of the tower."),
            N_("Worked out from R33 and R40"),
        ),
        Rule(
            "R35",
            N_("A hero that walks into a secret passage may come out of the other one, and pays nothing for it."),
            N_("English rulebook, Tower"),
        ),
        Rule(
            "R36",
            N_(
                "A hero whose walk ends in the secret room lies down. No villain can harm it there, however long it "
                "stays."
            ),
            N_("English rulebook, Tower"),
        ),
        Rule(
            "R37",
            N_("Portals are squares like others for walking: heroes may step on them, cross them and stop there."),
            N_("English rulebook, Card 6"),
        ),
        Rule(
            "R38",
            N_("Heroes ride up and down the portals only with Portal (6)."),
            N_("English rulebook, Card 6"),
        ),
        Rule(
            "R39",
            N_(
                "Climb (5) takes a hero up one level from any square, just as if a rope hung there. "
                "Portals are fine too."
            ),
            N_("English rulebook, Card 5"),
        ),
        Rule(
            "R40",
            N_(
                "Your hero is saved when it goes up from level 5 to the terrace, by a rope on its square or with Climb "
                "(5). Portals do not lead that high."
            ),
            N_("English rulebook, End"),
        ),
        Rule(
            "R41",
            N_("A wall does nothing special. Heroes walk over it like any other square."),
            N_("Worked out from R5"),
        ),
        # How villains move
        Rule(
            "R42",
            N_("Villains stand still until someone plays Chase (2) or Capture (4)."),
            N_("English rulebook, Villains"),
        ),
        Rule(
            "R43",
            N_("No square of the tower is closed to a villain."),
            N_("English rulebook, Villains"),
            switch="villain_in_dungeon",
        ),
        Rule(
            "R44",
            N_("Villains walk to the left and right. Only the portals let them change level."),
            N_("English rulebook, Villains"),
        ),
        Rule(
            "R45",
            N_("Ropes are no use to a villain. It may stand on one, that is all."),
            N_("English rulebook, Villains"),
        ),
        Rule(
            "R46",
            N_("A villain may stop on a secret passage, but it never comes out at the other one."),
            N_("English rulebook, Villains"),
        ),
        # Knocking off and falling
        Rule(
            "R47",
            N_("When a villain's move ends where a hero stands, the hero is knocked off."),
            N_("English rulebook, Concepts"),
        ),
        Rule(
            "R48",
            N_("A villain that only walks past does no harm."),
            N_("English rulebook, Card 2"),
        ),
        Rule(
            "R49",
            N_("A hero that is knocked off falls one level, straight down."),
            N_("English rulebook, Card 2"),
            switch="fall_distance",
        ),
        Rule(
            "R50",
            N_(
                "Is another hero already there? Then yours falls on, level by level, to the first free square or to a "
                "dungeon."
            ),
            N_("English rulebook, Card 2"),
        ),
        Rule(
            "R51",
            N_("A villain there counts just the same: your hero falls on past it."),
            N_("English rulebook, Card 2"),
        ),
        Rule(
            "R52",
            N_("A dungeon always has room for a hero that falls."),
            N_("English rulebook, Card 2"),
        ),
        Rule(
            "R53",
            N_("A hero that is hidden, or lies in the secret room, cannot be knocked off."),
            N_("English rulebook, Concepts"),
        ),
        # Hiding
        Rule(
            "R54",
            N_("To hide a hero, lay its figure down. The English rulebook also gives a card a quarter turn."),
            N_("English rulebook, Concepts"),
        ),
        Rule(
            "R55",
            N_("A portal is no place to hide."),
            N_("English rulebook, Card 1"),
        ),
        Rule(
            "R56",
            N_("A hero that hid with Hide (1) has to get up in the round after."),
            N_("English rulebook, Card 1"),
        ),
        Rule(
            "R57",
            N_("With Hide (1), one of your heroes may take the step and the other may hide."),
            N_("English rulebook, Card 1"),
        ),
        Rule(
            "R58",
            N_("Hide (1) comes before all villain cards, so it keeps your hero safe for the whole round."),
            N_("Worked out from R22"),
        ),
        Rule(
            "R59",
            N_(
                "Outside the dungeons, a hero that lies down still fills its square. "
                "No other hero can stop or land there."
            ),
            N_("Worked out from R31, R32 and R50"),
        ),
        # Explosion
        Rule(
            "R60",
            N_("Explosion (3) works anywhere in the tower, near your heroes or far away."),
            N_("English rulebook, Card 3"),
        ),
        Rule(
            "R61",
            N_("You can't blow up a portal, a dungeon or a card where anybody stands."),
            N_("English rulebook, Card 3"),
        ),
        Rule(
            "R62",
            N_("Pull out the card that you blow up and lay it at the top of its column."),
            N_("English rulebook, Card 3"),
        ),
        Rule(
            "R63",
            N_("All cards that lay above it slide down one level."),
            N_("Portuguese summary"),
        ),
        Rule(
            "R64",
            N_("After an explosion a level may be without a rope. That is fine."),
            N_("English rulebook, Card 3"),
        ),
        Rule(
            "R65",
            N_(
                "Portals and dungeons never move, and every card stays in its column. "
                "Blowing up a card on level 5 changes nothing."
            ),
            N_("Worked out from R61, R62 and R63"),
        ),
        # Rest and the gryphon
        Rule(
            "R66",
            N_("When you rest, all the cards you have played come back to your hand, Rest (7) too."),
            N_("English rulebook, Card 7"),
        ),
        Rule(
            "R67",
            N_("After your first rest your character card lies sideways. After your second it lies face down."),
            N_("English rulebook, Card 7"),
        ),
        Rule(
            "R68",
            N_("Whoever rests takes the gryphon."),
            N_("English rulebook, Card 7"),
        ),
        Rule(
            "R69",
            N_("You may rest in any round, even with a full hand."),
            N_("English rulebook, Card 7"),
        ),
        Rule(
            "R70",
            N_(
                "If several of you rest in one round, each takes the gryphon in turn. "
                "The last one keeps it and is first player in the next round."
            ),
            N_("English rulebook, Card 7"),
        ),
        Rule(
            "R71",
            N_("Nothing comes after Rest (7), so the gryphon does not change hands before all other cards are done."),
            N_("Worked out from R22 and R68"),
        ),
        # End of the game
        Rule(
            "R72",
            N_("As soon as a player has saved both heroes, the round that you are in is the last one."),
            N_("English rulebook, End"),
        ),
        Rule(
            "R73",
            N_("Everyone who still waits for a turn in that round gets it."),
            N_("English rulebook, Winning"),
        ),
        Rule(
            "R74",
            N_("Once all of you have rested twice, you play one more round. Then the game is over."),
            N_("English rulebook, End"),
            switch="extra_round",
        ),
        Rule(
            "R75",
            N_("No game is longer than 15 rounds: everyone has rested twice by round 14."),
            N_("Worked out from R26 and R74"),
        ),
        # The winner
        Rule(
            "R76",
            N_("The player with the most saved heroes wins."),
            N_("English rulebook, Winning"),
        ),
        Rule(
            "R77",
            N_(
                "Are you tied after the last rests? Then look at the heroes still inside: "
                "the one on the higher level wins."
            ),
            N_("English rulebook, Winning"),
        ),
        Rule(
            "R78",
            N_(
                "Still tied? The gryphon's holder wins. If the holder is not tied, it is the first tied player to the "
                "holder's left."
            ),
            N_("English rulebook, Winning"),
        ),
        Rule(
            "R79",
            N_("If several players saved both heroes, nobody looks at levels: the gryphon decides."),
            N_("English rulebook, Winning"),
            switch="double_save",
        ),
        # Rulings, setting up
        Rule(
            "A1",
            N_("Ten walls are in the box, but the tower has room for nine. We leave one in the box."),
            N_("Worked out from R16"),
        ),
        Rule(
            "A2",
            N_(
                "May you choose the dungeon for each hero? The English text is not clear. "
                "We read it as one hero in each."
            ),
            N_("Portuguese summary"),
        ),
        Rule(
            "A63",
            N_(
                "Nobody wrote which villain starts where. We put the Dark Wizard on level 2 and the Black Knight on "
                "level 4; you may swap them."
            ),
            N_("Our reading"),
        ),
        Rule(
            "A64",
            N_(
                "Nobody wrote who builds the tower. The app draws one that keeps the rules, or you build your own and "
                "the app checks it."
            ),
            N_("Our reading; no text says it"),
        ),
        Rule(
            "A65",
            N_("Nobody wrote how to find the first player. The app draws one, or you choose."),
            N_("Our reading; no text says it"),
        ),
        Rule(
            "A66",
            N_(
                "Is it different with 2 or 3 players? No text says so. "
                "You only leave out the colours that nobody plays."
            ),
            N_("Both rule texts"),
        ),
        Rule(
            "A67",
            N_("Who sits to your left? We read it as the next player clockwise, seen from above."),
            N_("Our reading; no text says it"),
        ),
        Rule(
            "A68",
            N_("May you see which cards others have played? Nobody wrote it. Everyone saw them turned over, so yes."),
            N_("Our reading; no text says it"),
        ),
        Rule(
            "A60",
            N_(
                "Which card gets the quarter turn when a hero hides? That is not clear. "
                "We lay the figure down and turn no card."
            ),
            N_("Our reading; the texts differ"),
        ),
        # Rulings, falls and villains
        Rule(
            "A3",
            N_(
                "One sentence lets a hero fall two levels; three examples and the Portuguese text say one. "
                "We read it as one."
            ),
            N_("Our reading; the texts differ"),
            switch="fall_distance",
        ),
        Rule(
            "A4",
            N_("Does Capture (4) knock heroes off too? Its own text is silent. We read it as yes, with the same fall."),
            N_("Our reading, after R47"),
        ),
        Rule(
            "A5",
            N_("Nobody wrote where a hero falls from the bottom level. We read it as the nearest dungeon."),
            N_("Our reading; no text says it"),
            switch="base_fall",
        ),
        Rule(
            "A6",
            N_(
                "What if every square below is taken and no dungeon lies there? We read it as the nearest dungeon, too."
            ),
            N_("Our reading, after A5"),
            switch="base_fall",
        ),
        Rule(
            "A7",
            N_(
                "From column c both dungeons are equally near. Nobody wrote which one it is, so the hero's owner picks."
            ),
            N_("Our reading; no text says it"),
        ),
        Rule(
            "A8",
            N_(
                "May villains go into a dungeon? They may go everywhere, so yes. "
                "Heroes there are safe, as they can fall no lower."
            ),
            N_("Our reading, after R43"),
            switch="villain_in_dungeon",
        ),
        Rule(
            "A9",
            N_("Can you knock off your own hero? No text makes an exception, so yes."),
            N_("Our reading, after R47"),
        ),
        Rule(
            "A10",
            N_(
                "May a hero stop where a villain stands? Nobody wrote it. "
                "A falling hero can't stay there, so we read it as no, except in a dungeon."
            ),
            N_("Our reading, after R51"),
            switch="hero_on_villain",
        ),
        Rule(
            "A11",
            N_("May a hero walk past a villain? Nobody wrote it. Heroes walk past each other, so we read it as yes."),
            N_("Our reading, after R31"),
            switch="pass_villain",
        ),
        Rule(
            "A12",
            N_("May both villains share a square? Only heroes need a card to themselves, so we read it as yes."),
            N_("Our reading, after R32"),
            switch="villains_share",
        ),
        Rule(
            "A13",
            N_("A hero gets up where a villain stands. Does it fall? No, only when a villain ends a move there."),
            N_("Our reading, after R47"),
        ),
        Rule(
            "A14",
            N_(
                "With Capture (4) a villain may leave a square and come back, and it knocks off. "
                "Standing still is no move and does nothing."
            ),
            N_("Our reading, after R47"),
        ),
        Rule(
            "A15",
            N_(
                "Does every step of Capture (4) knock off? We read it as no: "
                "only the square where a villain's walk ends counts."
            ),
            N_("Our reading, after R48"),
        ),
        Rule(
            "A16",
            N_(
                "May you move one villain, then the other, then the first again? Nobody wrote it. We read it as no: "
                "one walk for each."
            ),
            N_("Our reading; no text says it"),
        ),
        Rule(
            "A17",
            N_(
                "When does the hero fall? We read it as at once, so the second villain can knock the same hero off "
                "again."
            ),
            N_("Our reading; no text says it"),
        ),
        Rule(
            "A18",
            N_("May a villain on a portal walk left or right as well? Yes, or it could never leave the portals."),
            N_("English rulebook, Villains"),
        ),
        Rule(
            "A19",
            N_(
                "Can a fall or an explosion bring a hero and a villain together? Not outside the dungeons: "
                "heroes fall past villains."
            ),
            N_("Worked out from R51 and R65"),
        ),
        Rule(
            "A20",
            N_(
                "A hero falls into the secret room. Nobody wrote what then. We read it as if it walked in: "
                "it lies down."
            ),
            N_("Our reading, after R36"),
        ),
        Rule(
            "A21",
            N_(
                "A hero falls onto a secret passage, or an explosion brings one. May it go through at once? "
                "No, only in its owner's own move."
            ),
            N_("Our reading, after R35"),
        ),
        # Rulings, how heroes move
        Rule(
            "A22",
            N_("May you go down a rope? The English text only speaks of going to the top, so we read it as no."),
            N_("English rulebook, Tower"),
            switch="rope_down",
        ),
        Rule(
            "A23",
            N_("Can Climb (5) take a hero down? It is like a rope, so we read it as no."),
            N_("Our reading, after A22"),
            switch="climb_down",
        ),
        Rule(
            "A24",
            N_(
                "Must one hero do both the step and the climb of Climb (5)? The texts are not clear. We read it as no: "
                "choose for each."
            ),
            N_("Our reading; the texts differ"),
            switch="climb_same_hero",
        ),
        Rule(
            "A25",
            N_("Does the climb of Climb (5) use up your step? No, you have both."),
            N_("Both rule texts"),
        ),
        Rule(
            "A26",
            N_("Can Portal (6) take heroes down too? Yes, both ways, but never above level 5."),
            N_("Both rule texts"),
        ),
        Rule(
            "A27",
            N_(
                "May a hero step onto a portal and ride it with the same Portal (6)? "
                "Yes, it only has to be there when it rides."
            ),
            N_("Our reading, after R27"),
        ),
        Rule(
            "A28",
            N_(
                "A hero blocks the other secret passage. May you still come out there? "
                "We read it as yes, if you have a step to walk on at once."
            ),
            N_("Our reading, after R31"),
        ),
        Rule(
            "A29",
            N_(
                "Your hero already stands on a secret passage. May it go through? "
                "Only entering counts, so we read it as no: step out and in again."
            ),
            N_("Our reading, after R35"),
            switch="hop_from_start",
        ),
        Rule(
            "A30",
            N_(
                "Must you use a secret passage that you enter? No. If you do, you may walk on with the steps you have "
                "left."
            ),
            N_("English rulebook, Tower"),
        ),
        Rule(
            "A31",
            N_("Do secret passages still work after an explosion moved them? Yes, wherever they are."),
            N_("Our reading, after R35"),
        ),
        Rule(
            "A32",
            N_("Does a hero lie down if it only walks through the secret room? We read it as no."),
            N_("Our reading, after R36"),
        ),
        Rule(
            "A33",
            N_("Is there room for two in the secret room? No, one hero a card. Others may walk through."),
            N_("Our reading, after R32"),
        ),
        Rule(
            "A34",
            N_("How does a hero leave the secret room? It gets up and walks out with normal steps."),
            N_("Our reading, after R36"),
        ),
        Rule(
            "A35",
            N_(
                "May a hero go back into a dungeon, or across the portal into the other one? "
                "Nothing speaks against it, so yes."
            ),
            N_("Our reading, after R37"),
        ),
        Rule(
            "A36",
            N_("May you move at a slant, or out on one side and in on the other? No text says so, so no."),
            N_("Our reading, after R30"),
        ),
        Rule(
            "A37",
            N_(
                "May you do a bit of one half, then the other half, then the first again? Nobody wrote it. "
                "We read it as no: finish one half first."
            ),
            N_("Our reading, after R27"),
            switch="interleave",
        ),
        Rule(
            "A38",
            N_(
                "When must a square be free to stop on? We read it as at the end of each walk. "
                "So first move your hero that is in the way."
            ),
            N_("Our reading; no text says it"),
        ),
        Rule(
            "A39",
            N_(
                "May a hero climb to a taken square and then step off it? We read it as no: "
                "the climb has to end on a free square."
            ),
            N_("Our reading, after A38"),
        ),
        Rule(
            "A40",
            N_(
                "Your hero gets out and a step is left. Who may use it? "
                "Your other hero, and you may still do the other half of the card."
            ),
            N_("Our reading, after R28"),
        ),
        # Rulings, hide and explosion
        Rule(
            "A41",
            N_(
                "When exactly does a hidden hero get up? We read it as the start of the next round, before you choose "
                "cards."
            ),
            N_("Our reading, after R56"),
            switch="hide_ends",
        ),
        Rule(
            "A42",
            N_("May a hero hide and then walk with the same card? We read it as no: walk first, then hide."),
            N_("Our reading, after R55"),
        ),
        Rule(
            "A43",
            N_("May a hero stay hidden for another round? No, it has to get up."),
            N_("English rulebook, Card 1"),
        ),
        Rule(
            "A44",
            N_(
                "May a hero hide in the secret room, or in a dungeon? Nothing but portals is closed to hiding, so yes. "
                "It is safe there anyway."
            ),
            N_("Our reading, after R55"),
        ),
        Rule(
            "A45",
            N_(
                "Can others move a hidden hero? No villain knocks it off. "
                "It does come down with its card after an explosion, and stays hidden."
            ),
            N_("Our reading, after R53"),
        ),
        Rule(
            "A46",
            N_(
                "Nobody wrote what happens to figures above an explosion. "
                "We read it as a ride down with their cards, and nobody is knocked off."
            ),
            N_("Our reading; no text says it"),
            switch="explosion_figures",
        ),
        Rule(
            "A47a",
            N_(
                "Do the cards below an explosion move? The English text is loose. We read it as no: "
                "only those above come down."
            ),
            N_("Portuguese summary"),
        ),
        Rule(
            "A47b",
            N_("May you blow up a card of the bottom level? Yes, a1 or e1, if nobody is there."),
            N_("Our reading, after R61"),
        ),
        Rule(
            "A47c",
            N_(
                "May you blow up a rope, a passage, the secret room or the top card? Yes, if nobody is there. "
                "At the top nothing changes."
            ),
            N_("Our reading, after R61"),
        ),
        # Rulings, rest, end and winner
        Rule(
            "A48",
            N_(
                "May you rest a third time? The character card only counts to two. We read it as yes: "
                "cards and gryphon, nothing more to mark."
            ),
            N_("Our reading, after R69"),
            switch="third_rest",
        ),
        Rule(
            "A49",
            N_("What if you have no card left? It cannot happen, because you may always rest."),
            N_("Worked out from R26 and A48"),
            switch="third_rest",
        ),
        Rule(
            "A50",
            N_(
                "Does a rest in the last round still move the gryphon? Nobody wrote it. "
                "We read it as yes, and then we look for the winner."
            ),
            N_("Our reading; no text says it"),
        ),
        Rule(
            "A51",
            N_(
                "The gryphon changes hands in a round. Who counts as its holder? "
                "For the order the one at the reveal, for the winner the one at the end."
            ),
            N_("Our reading, after R71"),
        ),
        Rule(
            "A52",
            N_(
                "Does the game stop at once or after the round? The Portuguese text says both. "
                "We read it as after the round."
            ),
            N_("English rulebook, End"),
        ),
        Rule(
            "A53",
            N_("Is there one more round after the last rest? A review says no, both rule texts say yes. We play it."),
            N_("Both rule texts"),
            switch="extra_round",
        ),
        Rule(
            "A54a",
            N_(
                "What if a player saves both heroes in the round that completes the rests? "
                "Then the game ends, with no extra round."
            ),
            N_("Our reading; no text says it"),
        ),
        Rule(
            "A54b",
            N_(
                "Several players save both heroes in one round. One line favours the first one out, the rest the "
                "gryphon. We go by the gryphon."
            ),
            N_("Our reading; the texts differ"),
            switch="double_save",
        ),
        Rule(
            "A55",
            N_(
                "In one printed example the numbers do not fit the words. We take it for a misprint; "
                "its winner is right all the same."
            ),
            N_("English rulebook, Winning"),
        ),
        Rule(
            "A56",
            N_("Two printed examples claim to be one game, but the gryphon has moved. We read them as two games."),
            N_("English rulebook, Winning"),
        ),
        Rule(
            "A57",
            N_(
                "One printed example lets the gryphon decide, though only one player saved a hero. "
                "We read it as won by the saved hero."
            ),
            N_("English rulebook, Winning"),
        ),
        Rule(
            "A58",
            N_(
                "After the last rests, what comes first, saved heroes or levels? The texts differ. "
                "We count saved heroes first."
            ),
            N_("Our reading; the texts differ"),
            switch="rest_end_order",
        ),
        Rule(
            "A59",
            N_(
                "Two of your heroes are still inside. Which level counts? The texts differ. "
                "We compare the higher hero, then the lower one."
            ),
            N_("Our reading; the texts differ"),
            switch="level_compare",
        ),
        Rule(
            "A61",
            N_("Which level is a dungeon on? Level 1. A hero that got out counts as saved and has no level."),
            N_("Our reading, after R11"),
        ),
        Rule(
            "A62",
            N_(
                "Must you use your card? You have to play one, but you may do nothing with it. "
                "Only Rest (7) must be done in full."
            ),
            N_("Our reading, after R27"),
        ),
        Rule(
            "A69",
            N_(
                "A player saves both heroes without holding the gryphon. Do the others still get their turn? "
                "We read it as yes, always."
            ),
            N_("Our reading, after R73"),
        ),
    ),
    switches=(
        Switch(
            "fall_distance",
            "A3",
            N_("How far does a knocked-off hero fall?"),
            (1, 2),
            (
                N_("One level, and one more for each taken square."),
                N_("Two levels, or to the lowest square if there are fewer, and one more for each taken square."),
            ),
            N_("Our reading; the texts differ"),
        ),
        Switch(
            "base_fall",
            "A5",
            N_("What if a hero is knocked off and no free square lies below?"),
            ("dungeon", "stay"),
            (
                N_("It goes to the nearest dungeon. From column c its owner picks one."),
                N_("It does not fall, and is with the villain on one square."),
            ),
            N_("Our reading; no text says it"),
        ),
        Switch(
            "villain_in_dungeon",
            "A8",
            N_("May villains go into a dungeon?"),
            ("harmless", "forbidden"),
            (
                N_("Yes, but they do no harm there."),
                N_("No, they neither stop there nor pass through."),
            ),
            N_("Our reading, after R43"),
        ),
        Switch(
            "hero_on_villain",
            "A10",
            N_("May a hero stop where a villain stands?"),
            ("no_stop", "allowed", "knocked_off"),
            (
                N_("No, only in a dungeon."),
                N_("Yes, and it is safe until a villain ends a move there."),
                N_("Yes, but it falls at once. In a dungeon or in the secret room it may stay."),
            ),
            N_("Our reading, after R51"),
        ),
        Switch(
            "pass_villain",
            "A11",
            N_("May a hero walk past a villain?"),
            ("yes", "no"),
            (
                N_("Yes, a villain blocks nobody's way."),
                N_("No, a villain blocks the way, in a secret passage too."),
            ),
            N_("Our reading, after R31"),
        ),
        Switch(
            "villains_share",
            "A12",
            N_("May both villains stand on one square?"),
            ("yes", "no"),
            (
                N_("Yes, they may share it."),
                N_("No, a villain can't stop where the other one stands."),
            ),
            N_("Our reading, after R32"),
        ),
        Switch(
            "rope_down",
            "A22",
            N_("May heroes go down a rope?"),
            ("off", "on"),
            (
                N_("No, ropes only lead up."),
                N_("Yes, for one step, if the square below has the rope."),
            ),
            N_("English rulebook, Tower"),
        ),
        Switch(
            "climb_down",
            "A23",
            N_("Can Climb (5) take a hero down?"),
            ("off", "on"),
            (
                N_("No, only up."),
                N_("Yes, one level up or one level down."),
            ),
            N_("Our reading, after A22"),
        ),
        Switch(
            "climb_same_hero",
            "A24",
            N_("Climb (5): must one hero take both the step and the climb?"),
            ("off", "on"),
            (
                N_("No, one may step and the other may climb."),
                N_("Yes, both go to the same hero."),
            ),
            N_("Our reading; the texts differ"),
        ),
        Switch(
            "hop_from_start",
            "A29",
            N_("May a hero that already stands on a secret passage go through?"),
            ("no", "free"),
            (
                N_("No, it has to step out and in again."),
                N_("Yes, for nothing, at the start of a walk, while you have a step left."),
            ),
            N_("Our reading, after R35"),
        ),
        Switch(
            "interleave",
            "A37",
            N_("May you go back and forth between the two halves of a card?"),
            ("off", "on"),
            (
                N_("No, once you begin the other half, the first is over."),
                N_("Yes, in any order you like."),
            ),
            N_("Our reading, after R27"),
        ),
        Switch(
            "hide_ends",
            "A41",
            N_("When does a hidden hero get up?"),
            ("round_start", "owner_turn"),
            (
                N_("At the start of the next round, before you choose cards."),
                N_("When its owner has a turn again, even if it is a rest."),
            ),
            N_("Our reading, after R56"),
        ),
        Switch(
            "explosion_figures",
            "A46",
            N_("What happens to figures above an explosion?"),
            ("ride", "stay_on_level"),
            (
                N_("They ride down with their cards."),
                N_(
                    "They keep their squares, and only the cards come down. "
                    "A hero lies down if the secret room comes to it, and gets up if the room goes away."
                ),
            ),
            N_("Our reading; no text says it"),
        ),
        Switch(
            "third_rest",
            "A48",
            N_("May you rest a third time?"),
            ("allowed", "pass"),
            (
                N_("Yes, you get your cards and the gryphon."),
                N_("No. With only Rest (7) in hand you sit the round out."),
            ),
            N_("Our reading, after R69"),
        ),
        Switch(
            "extra_round",
            "A53",
            N_("Is there one more round when everyone has rested twice?"),
            ("yes", "no"),
            (
                N_("Yes, one last round."),
                N_("No, the game ends with the round of that last rest."),
            ),
            N_("Both rule texts"),
        ),
        Switch(
            "double_save",
            "A54b",
            N_("Several players saved both heroes. Who wins?"),
            ("gryphon", "first_out"),
            (
                N_("The gryphon decides."),
                N_("The player whose second hero got out first."),
            ),
            N_("Our reading; the texts differ"),
        ),
        Switch(
            "rest_end_order",
            "A58",
            N_("What counts first when the game ends after the last rests?"),
            ("saved_first", "level_first"),
            (
                N_("Saved heroes, then levels, then the gryphon."),
                N_("The levels of heroes still inside, then saved heroes, then the gryphon."),
            ),
            N_("Our reading; the texts differ"),
        ),
        Switch(
            "level_compare",
            "A59",
            N_("How do you compare two heroes that are still inside?"),
            ("best_then_second", "best_only", "sum"),
            (
                N_("First the higher hero of each player, then the lower one."),
                N_("Only the higher hero of each player counts."),
                N_("Add up the levels of each player's heroes."),
            ),
            N_("Our reading; the texts differ"),
        ),
    ),
)

RULEBOOK = replace(_PLAIN, rules=furnish(_PLAIN.rules), topics=TOPICS, asked=ASKED)
