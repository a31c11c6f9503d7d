"""What clicks and fills cost: ours beside Playwright's same actions, in the same browser, wall and processor time."""

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.frame import CACHE, Corpus, Figure
from bench.navigate.hands import ACTIONS, LOADING, PLACES, READY
from bench.processes import family
from bench.site import served
from sightline.sources import find_browser

PEERS_PYTHON = CACHE / "peers-navigate" / "bin" / "python"
SCRIPT = Path(__file__).with_name("hands.py")
DESK = Path(__file__).parent / "desk"
ROUNDS = 5
MOST_RATIO = 0.8


@dataclass(frozen=True)
class Cost:
    """What one round cost, in seconds."""

    wall: float
    processor: float


@dataclass(frozen=True)
class ActionCosts:
    """All rounds of both hands; without Playwright's environment only ours."""

    ours: tuple[Cost, ...]
    theirs: tuple[Cost, ...]


class _Hand:
    """A process that does rounds."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._rounds = 0
        if self._line().strip() != READY:
            raise SystemExit("bench: a hand of bench.navigate.hands did not start.")

    def round(self) -> Cost:
        """One round, with the processor time of the process and all that it started, the browser included."""
        assert self._process.stdin
        before = _processor_seconds(self._process.pid)
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        answer = json.loads(self._line())
        self._rounds += 1
        wanted = [each * self._rounds for each in (ACTIONS // 2, ACTIONS // 2, _loads())]
        if answer["counted"] != wanted:
            raise SystemExit(f"bench: the page counted {answer['counted']} actions instead of {wanted}.")
        return Cost(answer["seconds"], _processor_seconds(self._process.pid) - before)

    def _line(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline()


def measure(rounds: int = ROUNDS) -> ActionCosts:
    """Rounds of both hands in turn, after one of each that does not count."""
    browser = find_browser()
    if browser is None:
        raise SystemExit("bench: there is no browser; run `sightline doctor --install`.")
    with ExitStack() as stack:
        address = stack.enter_context(served(DESK))
        ours = stack.enter_context(_hand(Path(sys.executable), "ours", address, browser))
        theirs = None
        if PEERS_PYTHON.exists():
            theirs = stack.enter_context(_hand(PEERS_PYTHON, "playwright", address, browser))
        hands = [one for one in (ours, theirs) if one]
        for hand in hands:
            hand.round()
        costs = [[hand.round() for hand in hands] for _ in range(rounds)]
    return ActionCosts(tuple(one[0] for one in costs), tuple(one[1] for one in costs if len(one) > 1))


def action_figures(costs: ActionCosts) -> tuple[Figure, ...]:
    """Wall and processor time of a round, and the median ratio over the rounds; none without the peer."""
    figures = []
    for kind, name in (("wall", "wall"), ("processor", "CPU")):
        ours, theirs = ([getattr(cost, kind) for cost in one] for one in (costs.ours, costs.theirs))
        if not theirs:
            continue
        ratio = statistics.median(own / other for own, other in zip(ours, theirs, strict=True))
        figures.append(
            Figure(
                f"actions: {ACTIONS} clicks and fills, {name}, s",
                statistics.median(ours),
                statistics.median(theirs),
                ratio,
                MOST_RATIO,
                "lower",
                "x",
            )
        )
    return tuple(figures)


def action_remark(costs: ActionCosts) -> str:
    """What the ratios are of."""
    if not costs.theirs:
        return f"Playwright is missing ({PEERS_PYTHON}); see docs/benchmarks.md."
    return "Actions are beside Playwright's in the same browser, session beside steps 201 to 300: the peer of both."


def desk() -> Corpus:
    """The pages that are acted on."""
    return Corpus("desk", tuple(sorted(DESK.iterdir())))


@contextmanager
def _hand(python: Path, name: str, address: str, browser: Path) -> Iterator[_Hand]:
    # Without the folder of the script among those of modules, where names may be those of the standard library's.
    command = [str(python), "-P", str(SCRIPT), name, address, str(browser)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield _Hand(process)
        assert process.stdin
        process.stdin.close()


def _loads() -> int:
    """How many clicks of a round load something."""
    return sum(number % PLACES % LOADING == LOADING - 1 for number in range(ACTIONS // 2))


def _processor_seconds(root: int) -> float:
    return sum(process.seconds for process in family(root))
