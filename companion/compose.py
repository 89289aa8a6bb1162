"""The only place that knows everybody: builds the house, starts it in order, stops it in reverse."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from companion import config as configuration
from companion import pictures, settings, texts
from companion.adapters import note
from companion.adapters.player import Player
from companion.adapters.sounds import Sounds
from companion.adapters.speech import Speech
from companion.adapters.sqlite import Store, open_store
from companion.border import Border
from companion.config import Config, ConfigError
from companion.engine import Engine
from companion.games.base import msg
from companion.table.ports import Announcer, Status
from companion.wording import Wording

log = logging.getLogger(__name__)

DATABASE = "gryphon.sqlite3"
"""In the data folder: games, names and settings."""


def table(args: argparse.Namespace) -> int:
    """The app on this screen, until its window closes. Raises ConfigError."""
    config = configuration.load(args.config)
    screen = config.screen
    if args.rotate is not None:
        screen = replace(screen, rotate=args.rotate)
    if args.windowed:
        screen = replace(screen, windowed=True)
    config = replace(config, screen=screen)
    data = args.data or data_folder()
    with ExitStack() as stack:
        house = build(config, data, args.lang, stack)
        for number in (signal.SIGTERM, signal.SIGHUP):
            # a thread: the screen's clock may be held by what the signal interrupts
            signal.signal(number, lambda *_: threading.Thread(target=house.app.stop).start())
        house.start(stack)
        house.app.run()
    return 0


def data_folder() -> Path:
    """Where games and settings are kept unless --data says otherwise. Raises ConfigError where nobody says."""
    state = os.environ.get("STATE_DIRECTORY")
    if state:
        # systemd made it for us
        return Path(state)
    try:
        share = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    except RuntimeError as error:
        raise ConfigError(msg("This user has no home folder. Say where games are kept: --data DIR.")) from error
    return Path(share) / "gryphon"


def _folder(wanted: Path, stack: ExitStack) -> Path:
    """That folder, or a temporary one where nothing can be written into it: made by another user, or on a full disk."""
    try:
        wanted.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=wanted):
            return wanted
    except OSError:
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gryphon-", ignore_cleanup_errors=True)))


@dataclass(frozen=True, slots=True)
class House:
    """All that was built. `start` opens it; the window's loop, `app.run()`, belongs to the main thread.

    app: None for a house without a screen.
    """

    config: Config
    engine: Engine
    border: Border
    app: Any

    def start(self, stack: ExitStack) -> None:
        """Engine first, so that nothing that a device reports is lost; `stack` stops in reverse order."""
        self.engine.start()
        stack.callback(self.engine.close)
        _devices(self.config, self.engine, self.border, stack)
        # first of all at the end, while the devices still listen: its last word puts their lights out
        stack.callback(self.engine.close)


def build(config: Config, data: Path, lang: str | None, stack: ExitStack) -> House:
    """Store, border, engine, voice and screen, not yet started; `stack` closes them in reverse order."""
    store, lost = open_store(data / DATABASE)
    stack.callback(store.close)
    note.write(data)
    border = Border(config.seats)
    engine = Engine(store, border, lost=lost, folder=data / texts.FOLDER, pictures=data / pictures.FOLDER)
    language = str(lang or settings.value(store.settings(), "lang", Wording().lang))
    folder = _folder(data / "voice", stack)
    speech = Speech(
        language, engine.post, Player(output=config.voice.output), folder=folder, sounds=Sounds(folder)
    )
    stack.callback(speech.close)
    engine.add(speech)
    # Kivy only from here on: it opens its window while it is imported
    from companion.ui.app import GryphonApp
    from companion.ui.bridge import Bridge

    bridge = Bridge(engine.post)
    engine.add(bridge, screen=True)
    return House(config, engine, border, GryphonApp(bridge, lang=language, **asdict(config.screen)))


def workshop(config: Config, store: Store, announcer: Announcer, stack: ExitStack) -> Engine:
    """The house without voice and screen, started, for commands that set devices up."""
    border = Border(config.seats)
    engine = Engine(store, border, [announcer])
    House(config, engine, border, None).start(stack)
    return engine


def _devices(config: Config, engine: Engine, border: Border, stack: ExitStack) -> None:
    """Readers and panels. What cannot be set up is told, and the table goes on by touch."""
    for start in (_readers, _panels):
        try:
            start(config, engine, border, stack)
        except ImportError:
            text = msg("The device libraries are not installed, so readers and panels are not used.")
            engine.post(Status("libraries", "device", text))


def _readers(config: Config, engine: Engine, border: Border, stack: ExitStack) -> None:
    from hardware.nfc import Readers

    readers = Readers(engine.hear, config.readers.ports or None, adapters=config.readers.adapters)
    border.attach(readers=readers)
    stack.enter_context(readers)
    stack.callback(readers.settle)


def _panels(config: Config, engine: Engine, border: Border, stack: ExitStack) -> None:
    from hardware.signals import DeviceFault, PinsRefused

    if config.panel.wiring == "none":
        return
    try:
        made = panels(config.panel, engine.hear, patient=True)
    except DeviceFault as fault:
        log.warning("panels: %s", fault)
        engine.hear(PinsRefused(fault.reasons))
        return
    border.attach(panels=made)
    stack.enter_context(made)


def panels(panel: configuration.Panel, post: Callable[[Any], None], patient: bool = False) -> Any:
    """The button panels of a configuration, on their pins (hardware.panel.Panels). Raises DeviceFault.

    patient: pins that cannot be had now are told of and tried again.
    """
    from hardware.panel import Direct, Matrix, Panels

    wiring = Direct(panel.pins) if panel.wiring == "direct" else Matrix(panel.rows, panel.columns)
    return Panels(
        post,
        wiring,
        stable=panel.debounce / 1000,
        lamps=dict(enumerate(panel.lamps)),
        dimmed=panel.lamp != "led",
        buzzer=None if panel.buzzer < 0 else panel.buzzer,
        buses=panel.buses,
        patient=patient,
    )
