"""What a chip driver says of one look at its field, besides a UID in bytes and None for a clean miss.

A driver is one object:
    name        a word for the `reader` frame, as "pn532"
    waits       whether a look may take milliseconds, since a bus may be held or a tag be heard out: a turn has one such
    start()     begin anew: reset and set up the chip. Returns at once; the work is done by the looks that follow
    look(now)   one short look: a UID, None, COLLISION, or PENDING while the chip is still at it. Raises ValueError
                for a reply that makes no sense, and Deaf when the chip does not answer or has lost its settings
Whatever else it raises is a slip: the reply counts as one that makes no sense, and the board tells of the first.
No call waits longer than 10 ms. `now`: milliseconds as of ticks_ms.
"""

COLLISION = "collision"  # more than one tag
PENDING = "pending"  # no answer yet: this was no look


class Deaf(Exception):
    """The chip does not answer, or is not set up any more: it has to be started anew."""
