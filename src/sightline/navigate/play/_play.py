"""Playing a script from beginning to end."""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic

from sightline.errors import UsageError
from sightline.jobs import OnProgress, Progress
from sightline.navigate.play._browsing import Browsing
from sightline.navigate.play._played import Played
from sightline.navigate.play._player import Mend, Player
from sightline.navigate.play._run import Run
from sightline.navigate.play._scope import Scope
from sightline.navigate.play._secrets import Secrets
from sightline.navigate.play._trace import TraceFolder
from sightline.navigate.play._watch import Moment, StepOutcome, Watcher
from sightline.navigate.script import Script
from sightline.page import Page
from sightline.sources import Session

__all__ = ["Playing"]


class Playing:
    """A script that is played in a session: `run` it once. If that is interrupted, `so_far` has what there is.

    `secrets` are those that somebody has just typed, by their names; the others are looked up where they are kept.
    `mend` is asked about a step that could not be done, and may give another one for it. `on_page` gets every page that
    something is read from.
    """

    def __init__(  # noqa: PLR0913 - one for each choice
        self,
        script: Script,
        session: Session,
        *,
        variables: Mapping[str, str] | None = None,
        slow: float = 0.0,
        trace: TraceFolder | None = None,
        on_progress: OnProgress | None = None,
        watchers: Sequence[Watcher] = (),
        secrets: Mapping[str, str] | None = None,
        mend: Mend | None = None,
        on_page: Callable[[Page], object] | None = None,
    ) -> None:
        kept = Secrets(script.secrets, secrets)
        watchers = [*watchers, *([_Teller(on_progress, kept)] if on_progress else [])]
        if trace:
            trace.begin(script, kept)
            watchers.append(trace)
        scope = Scope.of({**script.variables, **_known(script, variables or {})})
        self._trace = trace
        self._count = len(script.steps)
        run = Run(script, session, kept, scope, on_page=on_page)
        self._player = Player(run, watchers, slow=slow, mend=mend)

    def run(self, start: int = 1) -> Played:
        """Play from a step on, by its number; what was extracted is kept, however it ends."""
        if not 1 <= start <= self._count:
            raise UsageError(f"There is no step {start}; the script has {self._count}.")
        try:
            return self._told(self._player.play(start))
        except BaseException:
            if self._trace:
                self._trace.end()
            raise

    def so_far(self) -> Played:
        """What was extracted until it was interrupted."""
        return self._told(self._player.so_far())

    def _told(self, played: Played) -> Played:
        if self._trace:
            self._trace.tell(played)
        return played


def _known(script: Script, variables: Mapping[str, str]) -> Mapping[str, str]:
    unknown = next((name for name in variables if name not in script.variables), None)
    if unknown is not None:
        known = ", ".join(script.variables) or "none"
        raise UsageError(f"The script has no variable `{unknown}`; it has {known}.")
    return variables


class _Teller:
    """Tells a listener which step it is."""

    def __init__(self, listener: OnProgress, secrets: Secrets) -> None:
        self._listener = listener
        self._secrets = secrets
        self._began = monotonic()

    def before(self, moment: Moment, _: Browsing) -> None:
        """A step is about to be done."""
        record = f" · {moment.record}" if moment.record else ""
        said = self._secrets.blacken(f"{moment.place} {moment.step}{record}")
        self._listener(Progress("Playing", moment.done, None, said, seconds=monotonic() - self._began))

    def after(self, moment: Moment, outcome: StepOutcome) -> None:
        """A step was done; the next one will say so."""
