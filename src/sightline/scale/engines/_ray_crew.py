"""The actors of a batch on a Ray cluster: started, checked, replaced when they die, and stopped in the end."""

import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
import ray
from ray.exceptions import RayError, RayTaskError

from sightline._version import __version__
from sightline.errors import SightlineError, UnreachableError, UsageError
from sightline.scale._spec import WorkerConfig
from sightline.scale._supervisor import supervise
from sightline.scale.engines._ray_wire import RayOrder
from sightline.scale.ledger import POSTGRES

# What a machine of a Ray cluster needs to have before it may work, and what to say if it does not.

_MISSING = "No module named 'sightline"
_NEVER_RAN = "The actor never ran"
_SURE = 3  # deaths in a row, since an actor may also be lost with its node before it runs


class WorkerPlace(msgspec.Struct, frozen=True):
    """Where an actor has come to run."""

    host: str
    version: str
    sees_folder: bool


def check_machines(station: WorkerConfig, hosts: set[str]) -> None:
    """Reject a SQLite ledger for several machines: the locks of its file do not work across shared folders."""
    if hosts - {socket.gethostname()} and not station.ledger.startswith(POSTGRES):
        raise UsageError(
            f"The Ray cluster has other machines than this one ({', '.join(sorted(hosts))}), and a SQLite ledger works "
            "on one only; name a PostgreSQL ledger by --ledger postgresql://…, and an output folder that all machines "
            "share."
        )


def check_place(station: WorkerConfig, place: WorkerPlace) -> None:
    """Reject a machine with another version, or from which the folder of the batch cannot be seen."""
    check_machines(station, {place.host})
    if place.version != station.version:
        raise UsageError(
            f"The machine {place.host} has Sightline {place.version}, and this one has {station.version}; install the "
            "same version on all machines of the Ray cluster."
        )
    if not place.sees_folder:
        raise UsageError(
            f"The machine {place.host} does not see {station.folder}; choose an output folder that all machines of the "
            "Ray cluster share under the same path."
        )


def check_installed(problem: str) -> None:
    """Recognise the error of a machine that cannot import us."""
    if _MISSING in problem:
        raise UsageError(
            f"A machine of the Ray cluster has no Sightline {__version__}; install the same version on all of them."
        )


def check_tokens(problem: str, deaths: int) -> None:
    """Recognise a cluster without tokens: it takes our actors, but cannot reach us, who ask for one, and drops them."""
    if _NEVER_RAN in problem and deaths >= _SURE:
        raise UsageError(
            "The Ray cluster gives up every worker before it begins, as one does that uses no tokens; start it with "
            "RAY_AUTH_MODE=token, or set RAY_AUTH_MODE=disabled here if you trust everybody on its network."
        )


Stage: TypeAlias = Literal["absent", "placed", "working", "finished"]

BEAT = 1.0  # seconds between two reports
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds before a worker that died is replaced, doubled each time
SETTLED_SECONDS = 10.0  # a worker that has lasted so long was started well
# Without any worker for so long, the job ends. Our own cluster starts an actor in one second; one that grows on demand
# gets a new machine in two to five minutes.
PATIENCE_OWN, PATIENCE_JOINED = 60.0, 600.0
STOP_SECONDS = 10.0  # for workers to give their shards back
_ACTOR = {"num_cpus": 1, "max_restarts": 0, "max_task_retries": 0, "max_concurrency": 2}


class ClusterLost(Exception):
    """The node that this process belongs to is gone; the host has to begin anew."""


class _Member:
    """One worker: an actor, and the call of it that we wait for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.stage: Stage = "absent"
        self.actor: Any = None
        self.call: Any = None
        self.since = 0.0
        self.deaths = 0
        self.not_before = 0.0

    def begin(self, mark: str) -> None:
        self.actor = ray.remote(**_ACTOR)(RaySupervisor).remote()
        self._enter("placed", self.actor.place.remote(mark))

    def work(self, order: RayOrder) -> None:
        self._enter("working", self.actor.work.remote(order.station, self.name))

    def finish(self) -> None:
        self.drop()
        self.stage = "finished"

    def lose(self) -> None:
        """Its actor is dead or out of reach; how long to wait before the next one depends on how long it lasted."""
        self.deaths = 1 if self.settled else self.deaths + 1
        self.not_before = time.monotonic() + min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (self.deaths - 1))
        self.drop()
        self.stage = "absent"

    def drop(self) -> None:
        if self.actor is not None:
            ray.kill(self.actor)
        self.actor = self.call = None

    @property
    def settled(self) -> bool:
        return self.stage == "working" and time.monotonic() - self.since > SETTLED_SECONDS

    @property
    def due(self) -> bool:
        return self.stage == "absent" and time.monotonic() >= self.not_before

    def _enter(self, stage: Stage, call: Any) -> None:
        self.stage, self.call, self.since = stage, call, time.monotonic()


class RayCrew:
    """Keeps the workers of an order at work on the cluster that this process is connected to."""

    def __init__(self, order: RayOrder, report: Callable[[int], None], over: threading.Event) -> None:
        self._order = order
        self._report = report
        self._over = over
        self._members = [_Member(f"ray{number}") for number in range(1, order.workers + 1)]
        self._mark = Path(order.station.work, f"ray-{secrets.token_hex(8)}.mark")
        self._patience = PATIENCE_JOINED if order.address else PATIENCE_OWN
        self._last_words = ""

    def run(self) -> None:
        """Work until all workers have returned, or `over` is set."""
        check_machines(self._order.station, _hosts())
        self._mark.touch()
        try:
            self._keep_at_work()
        finally:
            self._mark.unlink(missing_ok=True)
            self._stop()

    def _keep_at_work(self) -> None:
        self._last_well = time.monotonic()
        while not self._over.is_set() and any(member.stage != "finished" for member in self._members):
            for member in self._members:
                if member.due:
                    member.begin(str(self._mark))
            for member in self._answered():
                self._hear(member)
            self._report(sum(member.stage == "working" for member in self._members))
            self._check()

    def _answered(self) -> list[_Member]:
        """The members whose calls have ended, after one beat at most."""
        waiting = {member.call: member for member in self._members if member.call is not None}
        if not waiting:
            self._over.wait(BEAT)
            return []
        ended, _ = ray.wait(list(waiting), num_returns=1, timeout=BEAT)
        return [waiting[call] for call in ended]

    def _hear(self, member: _Member) -> None:
        try:
            answer = ray.get(member.call)
        except RayTaskError as problem:
            raise _worker_error(problem.cause) from problem
        except RayError as problem:
            self._last_words = _first_line(problem)
            check_installed(str(problem))
            member.lose()
            check_tokens(str(problem), member.deaths)
            return
        if member.stage == "placed":
            check_place(self._order.station, answer)
            member.work(self._order)
        else:
            member.finish()

    def _check(self) -> None:
        """Raise if there is no cluster any more, or none that gives us workers."""
        if _service_died():
            raise ClusterLost("A process of the Ray cluster has died.")
        if any(member.settled or member.stage == "finished" for member in self._members):
            self._last_well = time.monotonic()
        elif time.monotonic() - self._last_well > self._patience:
            raise UnreachableError(
                self._order.address or "Ray",
                f"no worker could be kept running for {self._patience:.0f} seconds"
                f"{f' ({self._last_words})' if self._last_words else ''}; see `ray status`, then give the same command "
                "again: it goes on where it was.",
            )

    def _stop(self) -> None:
        """Have all workers give back what they hold; then end their actors."""
        with suppress(RayError):
            working = [member for member in self._members if member.stage == "working"]
            for member in working:
                member.actor.cancel.remote()
            ray.wait([member.call for member in working], num_returns=len(working), timeout=STOP_SECONDS)
            for member in self._members:
                member.drop()


def _worker_error(cause: BaseException) -> SightlineError:
    if isinstance(cause, SightlineError):
        return cause
    return SightlineError(f"A worker on Ray ended: {type(cause).__name__}: {cause}")


def _first_line(problem: BaseException) -> str:
    return str(problem).strip().partition("\n")[0]


def _hosts() -> set[str]:
    return {str(node["NodeManagerHostname"]) for node in ray.nodes() if node["Alive"]}


def _service_died() -> bool:
    """Whether a process that Ray has started for us has died; of a cluster that others started, Ray says it itself."""
    if not hasattr(os, "waitid"):
        return False  # macOS before Python 3.13: the workers' calls fail then, and none can be started
    with suppress(ChildProcessError):
        return os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return False


# What runs in the actors of a Ray cluster: a supervisor, whose reading process is a child of the actor.


class RaySupervisor:
    """An actor of two threads: one works, and the other answers meanwhile."""

    def __init__(self) -> None:
        self._over = threading.Event()

    def place(self, mark: str) -> WorkerPlace:
        """Which machine and version this is, and whether the file `mark` of the driver can be seen from here."""
        return WorkerPlace(socket.gethostname(), __version__, Path(mark).exists())

    def work(self, station: WorkerConfig, name: str) -> None:
        """Supervise until no shard is left."""
        supervise(station, name, self._over.is_set)

    def cancel(self) -> None:
        """Have `work` give its shard back and return."""
        self._over.set()
