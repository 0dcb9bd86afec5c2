"""A match in a full screen of the terminal, by textual; imported when one is asked for.

Walking changes nothing: every moment was folded before the screen opened.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Resize
from textual.widgets import Footer, ProgressBar, Static

from services.replay.looks import look
from services.replay.pages import WIDTH, happened, table, title
from services.replay.timeline import Timeline, next_stop, stop_before

EVENT_LINES: Final = 200
"""The most events listed at the side."""
EVENTS_BESIDE: Final = 150
"""Columns from which on the events stand beside the table and not under it."""
SCROLL_BAR: Final = 2
"""Columns."""
NARROWEST: Final = 40
"""Columns of the table where the terminal has less: it is cut then."""
TOO_PUBLIC: Final = "The match is being played: for other eyes say --live."


class ReplayScreen(App[None]):
    """`viewers`: whose eyes may be used, the first of them at the beginning."""

    CSS: ClassVar[str] = f"""
    #title {{ height: 1; text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }}
    #now {{ height: auto; }}
    #bar, #bar Bar {{ width: 1fr; }}
    #table {{ width: 1fr; height: auto; text-wrap: nowrap; }}
    #events {{ text-wrap: nowrap; text-overflow: ellipsis; }}
    #past {{ border-left: solid $primary; padding: 0 1; }}
    .-beside #look {{ width: {WIDTH + SCROLL_BAR}; }}
    .-under #middle {{ layout: vertical; }}
    .-under #look {{ height: auto; max-height: 80%; }}
    .-under #past {{ height: 1fr; border-left: none; border-top: solid $primary; }}
    """
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 textual's own, declared on the instance
        (0, "-under"),
        (EVENTS_BESIDE, "-beside"),
    ]
    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "version", key_display="←→"),
        Binding("left", "step(-1)", show=False),
        Binding("down", "turn(1)", "trick/turn", key_display="↑↓"),
        Binding("up", "turn(-1)", show=False),
        Binding("pagedown", "round(1)", "round", key_display="PgUp PgDn"),
        Binding("pageup", "round(-1)", show=False),
        Binding("home", "go(1)", "ends", key_display="Home End"),
        Binding("end", "go(-1)", show=False),
        Binding("j,shift+down", "scroll(1)", "scroll", key_display="j k"),
        Binding("k,shift+up", "scroll(-1)", show=False),
        Binding("v", "viewer", "eyes"),
        Binding("v", "say_why", show=False),
        Binding("q", "quit", "quit"),
        Binding("ctrl+c", "quit", show=False, priority=True),
    ]

    def __init__(self, line: Timeline, viewers: Sequence[str], *, version: int) -> None:
        super().__init__()
        self.version = version
        self.viewer = viewers[0]
        self._line = line
        self._width = WIDTH
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
        yield Footer(compact=True)

    def on_resize(self, event: Resize) -> None:
        """Also once at the beginning, before anything is shown; `size` is the old one still."""
        self._width = min(WIDTH, max(NARROWEST, event.size.width - SCROLL_BAR))
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Eyes are offered where there are several; where not, their key says why."""
        several = len(self._viewers) > 1
        offered = {"viewer": several, "say_why": not several}
        return offered.get(action, super().check_action(action, parameters))

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

    def action_say_why(self) -> None:
        self.notify(TOO_PUBLIC)

    def action_scroll(self, by: int) -> None:
        """The page, by lines; the past is as long as one walks."""
        self.query_one("#look").scroll_relative(y=by, animate=False)

    def _stop(self, stops: Sequence[int], by: int) -> None:
        here = self.version
        self.action_go(next_stop(self._line, stops, here) if by > 0 else stop_before(stops, here))

    # Showing ----------------------------------------------------------------------------------

    def _show(self) -> None:
        moment = self._line.at(self.version)
        seen = look(self.viewer, moment.state)
        self._write("title", title(moment, seen, self._line.last))
        self._write("now", f"> {happened(moment)}")
        self._write("table", table(seen, self._width))
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
            f"{version:>5} {happened(self._line.at(version))}"
            for version in range(self.version, first - 1, -1)
        ]
