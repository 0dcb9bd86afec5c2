"""A match in a full screen of the terminal, by textual; imported when one is asked for.

Walking changes nothing: every moment was folded before the screen opened.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, ProgressBar, Static

from services.replay.looks import look
from services.replay.pages import WIDTH, table, title
from services.replay.pages.events import words
from services.replay.timeline import Timeline, next_stop, stop_before

EVENT_LINES: Final = 200
"""The most events listed at the side."""
EVENTS_BESIDE: Final = 150
"""Columns from which on the events stand beside the table and not under it."""


class ReplayScreen(App[None]):
    """`viewers`: whose eyes may be used, the first of them at the beginning."""

    CSS: ClassVar[str] = f"""
    #title {{ height: 1; text-style: bold; }}
    #now {{ height: auto; }}
    #bar, #bar Bar {{ width: 1fr; }}
    #table {{ width: {WIDTH}; height: auto; }}
    #events {{ text-wrap: nowrap; text-overflow: ellipsis; }}
    #past {{ border-left: solid $primary; padding: 0 1; }}
    .-beside #look {{ width: {WIDTH + 2}; }}
    .-under #middle {{ layout: vertical; }}
    .-under #past {{ height: 9; border-left: none; border-top: solid $primary; }}
    """
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 textual's own, declared on the instance
        (0, "-under"),
        (EVENTS_BESIDE, "-beside"),
    ]
    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "version", key_display="← →"),
        Binding("left", "step(-1)", show=False),
        Binding("down", "turn(1)", "trick or turn", key_display="↑ ↓"),
        Binding("up", "turn(-1)", show=False),
        Binding("pagedown", "round(1)", "round", key_display="PgUp PgDn"),
        Binding("pageup", "round(-1)", show=False),
        Binding("home", "go(1)", "ends", key_display="Home End"),
        Binding("end", "go(-1)", show=False),
        Binding("v", "viewer", "other eyes"),
        Binding("q", "quit", "quit"),
    ]

    def __init__(self, line: Timeline, viewers: Sequence[str], *, version: int) -> None:
        super().__init__()
        self.version = version
        self.viewer = viewers[0]
        self._line = line
        self._viewers = tuple(viewers)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(id="title", markup=False)
            yield Static(id="now", markup=False)
            yield ProgressBar(total=self._line.last, show_eta=False, id="bar")
            with Horizontal(id="middle"):
                with VerticalScroll(id="look", can_focus=False):
                    yield Static(id="table", markup=False)
                with VerticalScroll(id="past", can_focus=False):
                    yield Static(id="events", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self._show()

    # Keys -------------------------------------------------------------------------------------

    def action_step(self, by: int) -> None:
        self.action_go(min(max(self.version + by, 1), self._line.last))

    def action_turn(self, by: int) -> None:
        self._stop(self._line.turns, by)

    def action_round(self, by: int) -> None:
        self._stop(self._line.rounds, by)

    def action_go(self, version: int) -> None:
        """Show `version`; -1 is the last."""
        self.version = self._line.last if version == -1 else version
        self._show()

    def action_viewer(self) -> None:
        """The next of those whose eyes may be used."""
        at = self._viewers.index(self.viewer)
        self.viewer = self._viewers[(at + 1) % len(self._viewers)]
        self._show()

    def _stop(self, stops: Sequence[int], by: int) -> None:
        here = self.version
        self.action_go(next_stop(self._line, stops, here) if by > 0 else stop_before(stops, here))

    # Showing ----------------------------------------------------------------------------------

    def _show(self) -> None:
        moment = self._line.at(self.version)
        seen = look(self.viewer, moment.state)
        self._write("title", title(moment, seen, self._line.last))
        self._write("now", f"> {words(moment.event)}")
        self._write("table", table(seen))
        self._write("events", "\n".join(self._events()))
        self.query_one(ProgressBar).update(progress=self.version)

    def _write(self, name: str, text: str) -> None:
        self.query_one(f"#{name}", Static).update(text)

    def _events(self) -> list[str]:
        """What has happened so far in public words, the latest first: what comes later would show
        cards that are hidden yet.
        """
        first = max(self.version - EVENT_LINES, 0) + 1
        return [
            f"{version:>5} {words(self._line.at(version).event)}"
            for version in range(self.version, first - 1, -1)
        ]
