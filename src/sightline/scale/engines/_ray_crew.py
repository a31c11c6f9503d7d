"""The actors of a batch on a Ray cluster: started, checked, replaced when they die, and stopped in the end."""

import os
import pickle
import secrets
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

import msgspec
import ray
from ray.exceptions import RayError, RayTaskError

from sightline._version import __version__
from sightline.errors import SightlineError, UnreachableError, UsageError
from sightline.project import Lock
from sightline.scale._spec import WorkerConfig
from sightline.scale._supervisor import supervise
from sightline.scale.engines._ray_wire import RayOrder, RayReport, send, take_order
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


# -- the Ray host: a process between the driver and a Ray cluster, which keeps the actors at work -------------------
# Ray ends the process that uses it when the head of the cluster is gone, leaves signal handlers and threads behind,
# and prints. All of that happens to this process; the driver starts it again.

# A worker that is cancelled kills its child and gives its shard back, which takes a fraction of a second; Ray's own
# processes need one or two seconds to end.
HOST_STOP_SECONDS = 20.0


def main() -> None:
    """Serve the driver at standard input and output until the work is done or it hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver stops us
    up = _own_output()
    order = take_order(sys.stdin.buffer)
    if order is None:
        return
    over = threading.Event()
    threading.Thread(target=_wait_for_hangup, args=(over,), daemon=True).start()
    try:
        with _cluster(order):
            RayCrew(order, lambda working: send(up, RayReport(working=working)), over).run()
    except SightlineError as problem:
        send(up, RayReport(error=pickle.dumps(problem)))
    else:
        send(up, RayReport(finished=True))


def _cluster(order: RayOrder) -> AbstractContextManager[None]:
    return joined_cluster(order.address) if order.address else own_cluster(order.workers, Path(order.folder))


def _own_output() -> BinaryIO:
    """The way up to the driver; whatever Ray prints goes to standard error instead."""
    up = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return up


def _wait_for_hangup(over: threading.Event) -> None:
    """Have everything end when the driver hangs up or dies, and end it by force if that takes too long."""
    while os.read(0, 1):  # not by sys.stdin, whose lock would be held when the process ends
        pass
    over.set()
    threading.Event().wait(HOST_STOP_SECONDS)
    os._exit(1)


# A Ray cluster to work on: one of our own on this machine, or one that runs already. For the host process alone.
#
# Every port of our own cluster is on the loopback interface and asks for a token that only this user can read. There is
# no dashboard, no usage statistics are sent, nothing is written to the user's home, and its files are removed in the
# end.

# Nothing of a batch goes through Ray's object store; Ray refuses less than 75 MB. They are reserved, not used.
_OBJECT_STORE = 80_000_000
_NAMESPACE = "sightline"
_QUIET = {"log_to_driver": False, "logging_level": "ERROR", "namespace": _NAMESPACE}
_OWN_ENVIRONMENT = {
    "RAY_AUTH_MODE": "token",
    "RAY_USAGE_STATS_ENABLED": "0",
    # Ray's way to say "loopback only", which is its default where firewalls ask questions.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    # A head that is gone does not come back; by default, Ray ends its drivers after 60 seconds.
    "RAY_gcs_rpc_server_reconnect_timeout_s": "5",
    # By default, Ray's workers give way to everything else on the machine (nice 15); those of the local engine do not.
    "RAY_worker_niceness": "0",
}


@contextmanager
def own_cluster(workers: int, folder: Path) -> Iterator[None]:
    """A cluster on this machine with room for so many workers, gone after the `with`, as is its folder."""
    with _locked(folder):
        token = folder / "token"
        token.touch(mode=0o600)
        token.write_text(secrets.token_hex(32))
        for name in ("RAY_ADDRESS", "RAY_AUTH_TOKEN"):
            os.environ.pop(name, None)
        os.environ.update(_OWN_ENVIRONMENT, RAY_AUTH_TOKEN_PATH=str(token))
        with _connected(
            address="local",
            num_cpus=workers,
            num_gpus=0,
            include_dashboard=False,
            object_store_memory=_OBJECT_STORE,
            _temp_dir=str(folder / "r"),
        ):
            yield


@contextmanager
def joined_cluster(address: str) -> Iterator[None]:
    """The cluster at an address, which must run on this machine as well; only our actors are gone after the `with`."""
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    with _connected(address=address):
        yield


@contextmanager
def _connected(**options: Any) -> Iterator[None]:
    import ray
    from ray.exceptions import AuthenticationError

    try:
        ray.init(**options, **_QUIET)
    except AuthenticationError as problem:
        raise UsageError(
            "There is no token for the Ray cluster; put it into the environment as RAY_AUTH_TOKEN or into the file "
            "~/.ray/auth_token, or set RAY_AUTH_MODE=disabled for a cluster that asks for none."
        ) from problem
    except RuntimeError as problem:
        if "ersion mismatch" not in str(problem):
            raise
        raise UsageError(
            f"The Ray cluster and this machine differ in their versions of Ray or Python: {problem}"
        ) from problem
    try:
        yield
    finally:
        ray.shutdown()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock that says somebody works in a folder, and remove it in the end."""
    with Lock(folder, wait=True):
        try:
            yield
        finally:
            shutil.rmtree(folder, ignore_errors=True)
