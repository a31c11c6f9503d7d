"""A supervisor: claims shards, has its child process read them, and commits what the child has written.

It never reads a document itself, so no document can harm it. What it does about a child that dies:

1. The document that was on the table is blamed in the ledger, with the cause.
2. A fresh child goes on after the outcomes in the journal.
3. A document that two children died over is read alone, in a fresh child with less memory.
4. If that child dies as well, the document is quarantined: its outcome is written here, with the cause.
"""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from sightline.errors import OutputError
from sightline.scale._folder import JournalState, Owner, ShardJournal, journal_path, journals_of, read_journals
from sightline.scale._process import HANG, MEMORY, ReadingProcess
from sightline.scale._spec import TELL_SECONDS, ChildOrders, ChildTask, WorkerConfig, unpack_references
from sightline.scale.drift import DriftBaseline, DriftDetector
from sightline.scale.inputs import DocumentReference
from sightline.scale.ledger import Ledger, LedgerCounts, ShardFacts, ShardLease, open_ledger
from sightline.scale.output import DocumentOutcome, PartFacts, discard_parts, publish_parts

DEATHS = 2  # of processes over one document, before it is read alone
# A process may be killed from outside while it reads a document alone: an operator, or the system that runs out of
# memory. Only when it happens again and again is the document to blame; a crash of its own says so at once.
LONE_KILLS = 3
KILLED = "crash:SIGKILL"
IDLE_DEATHS = 3  # in a row, at the start or while parts are written: then the machine is to blame, not documents
# A process that is killed from outside says nothing about the machine: somebody may end workers one after the other,
# and those that have just begun are easily hit. A hundred kills on a busy machine ended batches while the limit was 3.
IDLE_KILLS = 50
POLL = 0.2  # seconds between two looks at a ledger that has nothing to do at the moment
LOOK = 1.0  # seconds between two looks at the memory of a child, and at whether the job was stopped
START_SECONDS = 120.0  # for a child to begin; imports take half a second, on a machine that swaps much longer
WRITE_SECONDS = 600.0  # for the parts of a shard to be written


def supervise(station: WorkerConfig, name: str, cancelled: Callable[[], bool]) -> None:
    """Work on shards until none is left, the job is stopped, or `cancelled` says so."""
    owner = Owner(Path(station.work), name)
    try:
        with open_ledger(station.ledger, station.job) as ledger:
            _Supervisor(station, ledger, owner, cancelled).run()
    finally:
        owner.close()


class _Cancelled(Exception):
    """The shard is given back undone."""


class _LeaseLost(Exception):
    """Somebody else has the shard now."""


class _Supervisor:
    """One supervisor with at most one child."""

    def __init__(self, station: WorkerConfig, ledger: Ledger, owner: Owner, cancelled: Callable[[], bool]) -> None:
        self.station = station
        self.ledger = ledger
        self._owner = owner
        self._cancelled = cancelled
        self._child: ReadingProcess | None = None
        self._idle_deaths = 0
        self._detector: DriftDetector | None = None

    def run(self) -> None:
        try:
            while not self._cancelled() and not self.ledger.stopped():
                lease = self.ledger.claim(self._owner.name, self.station.lease_seconds)
                if lease is not None:
                    self._work_on(lease)
                elif not self.ledger.open_shards():
                    return
                elif not self.ledger.release_dead(self._owner.knows_dead):
                    time.sleep(POLL)
        finally:
            if self._child:
                self._child.close()

    def _work_on(self, lease: ShardLease) -> None:
        try:
            _ShardRun(self, lease).run()
        except _Cancelled:
            self._give_up(lease)
            self.ledger.release(lease)
        except _LeaseLost:
            self._give_up(lease)
            self.ledger.tell("lost", shard=lease.shard, owner=self._owner.name, text="another worker has it now")

    def _give_up(self, lease: ShardLease) -> None:
        self.kill_child()
        discard_parts(Path(self.station.folder), lease.shard, lease.fence)

    # ------------------------------------------------------------------ the child

    def child(self) -> ReadingProcess:
        """The child, begun if there is none."""
        if self._child is None:
            memory = 0 if self.station.render else self.station.worker_memory
            self._child = self._begun(memory)
        return self._child

    def lone_child(self) -> ReadingProcess:
        """A fresh child with less memory, for one document."""
        return self._begun(0 if self.station.render else self.station.lone_memory)

    def _begun(self, memory: int) -> ReadingProcess:
        station = self.station
        orders = ChildOrders(station.spec, station.folder, memory, float(station.workers), station.run_in)
        return ReadingProcess(orders, self._owner.words)

    def kill_child(self) -> None:
        """End the child; the next shard gets a fresh one."""
        if self._child:
            self._child.kill()
            self._child = None

    def forget_child(self) -> None:
        """The child is dead; the next one is a fresh one."""
        self._child = None

    def died_idle(self, cause: str, words: str) -> None:
        """A child died while no document was being read: try again, but not for ever."""
        self._idle_deaths += 1
        if self._idle_deaths >= (IDLE_KILLS if cause == KILLED else IDLE_DEATHS):
            raise OutputError(
                f"Workers die while they are not reading any document ({cause}{': ' + words if words else ''}); "
                "find out why, then give the same command again; nothing is lost."
            )

    def began(self) -> None:
        """A child has read a document, so it can be started."""
        self._idle_deaths = 0

    # ------------------------------------------------------------------ whether to go on

    def check(self) -> None:
        """Give up the shard if the job is over."""
        if self._cancelled():
            raise _Cancelled
        if self.ledger.stopped():
            raise _Cancelled

    def watch_drift(self, told: str) -> None:
        """Stop the job if the share of documents that are not ok rises; `told` is an outcome as JSON."""
        if self.station.keep_going:
            return
        if self._detector is None:
            self._detector = DriftDetector(_baseline(self.ledger.counts(), self.station.sampled))
        if drift := self._detector.add(msgspec.json.decode(told, type=DocumentOutcome)):
            self.ledger.stop(str(drift))


class _ShardRun:
    """One shard from its claim to its commit."""

    def __init__(self, supervisor: _Supervisor, lease: ShardLease) -> None:
        self._supervisor = supervisor
        self._station = supervisor.station
        self._ledger = supervisor.ledger
        self._lease = lease
        self._work = Path(self._station.work)
        self._references = unpack_references(lease.references)
        self._journals = [*journals_of(self._work, lease.shard), journal_path(self._work, lease.shard, lease.fence)]
        self._renewed = time.monotonic()

    def run(self) -> None:
        self._blame_the_interrupted()
        self._journals[-1].touch()  # so that what stood on the table before is not blamed a second time
        while True:
            self._read_alone_what_kills()
            facts = self._read()
            if facts is not None:
                self._commit(facts)
                return

    # ------------------------------------------------------------------ the documents that processes died over

    def _state(self) -> JournalState:
        return read_journals(self._journals)

    def _blame_the_interrupted(self) -> None:
        """A supervisor that was killed together with its child could not blame the document on the table."""
        number = self._state().on_the_table
        if number is not None:
            self._ledger.blame(self._lease, self._references[number].id, "interrupted")

    def _read_alone_what_kills(self) -> None:
        outcomes = self._state().outcomes
        deaths = Counter(death.document for death in self._ledger.deaths(self._lease.shard) if not death.alone)
        for number, reference in enumerate(self._references):
            if number not in outcomes and deaths[reference.id] >= DEATHS:
                self._read_alone(number, reference)

    def _read_alone(self, number: int, reference: DocumentReference) -> None:
        kills = 0
        while kills < LONE_KILLS:
            child = self._supervisor.lone_child()
            try:
                child.send(self._task(only=number))
                self._follow(child)
                child.close()
                return
            except EOFError:
                cause, words = child.cause_of_death(), child.last_words()
            finally:
                child.kill()
            _check_room(cause)
            if not child.began:
                self._supervisor.died_idle(cause, words)
                continue
            self._ledger.blame(self._lease, reference.id, cause, alone=True)
            kills += 1 if cause == KILLED else LONE_KILLS
        self._quarantine(number, reference, cause, words)

    def _quarantine(self, number: int, reference: DocumentReference, cause: str, words: str) -> None:
        deaths = [death for death in self._ledger.deaths(self._lease.shard) if death.document == reference.id]
        outcome = DocumentOutcome(
            id=reference.id,
            source=reference.known_as,
            status="quarantined",
            cause=cause,
            reasons=(_in_words(cause, words, len(deaths)),),
        )
        with ShardJournal(self._journals[-1]) as journal:
            journal.outcome(number, msgspec.msgpack.encode(outcome))
        self._ledger.tell("quarantined", shard=self._lease.shard, owner=self._lease.owner, text=reference.id)

    # ------------------------------------------------------------------ reading

    def _task(self, only: int | None = None) -> ChildTask:
        lease = self._lease
        journals = [str(path) for path in self._journals]
        return ChildTask(lease.shard, lease.fence, lease.input, lease.references, journals, only)

    def _read(self) -> PartFacts | None:
        """Have the child read the shard; None if it died, and there is more to do."""
        child = self._supervisor.child()
        child.send(self._task())
        try:
            written = self._follow(child)
        except EOFError:
            self._supervisor.forget_child()
            self._on_child_death(child)
            return None
        return msgspec.json.decode(written, type=PartFacts)

    def _on_child_death(self, child: ReadingProcess) -> None:
        cause = child.cause_of_death()
        _check_room(cause)
        number = self._state().on_the_table
        if number is None or not child.began:
            self._supervisor.died_idle(cause, child.last_words())
        else:
            self._supervisor.began()
            self._ledger.blame(self._lease, self._references[number].id, cause)

    def _follow(self, child: ReadingProcess) -> str:
        """Wait until a child is done with its task; what it says in the end. `EOFError` if it died."""
        until, cause, looked = time.monotonic() + START_SECONDS, "start", time.monotonic()
        while True:
            for kind, text in child.messages(min(LOOK, until - time.monotonic())):
                if kind in ("b", "d"):
                    until, cause = time.monotonic() + self._station.document_seconds + TELL_SECONDS, HANG
                if kind == "d":
                    self._supervisor.began()
                    self._supervisor.watch_drift(text)
                elif kind == "e":
                    until, cause = time.monotonic() + WRITE_SECONDS, "write"
                elif kind in ("a", "w"):
                    return text
            now = time.monotonic()
            if now > until:
                child.kill(cause)
            elif now - looked >= LOOK:
                looked = now
                self._look_after(child)

    def _look_after(self, child: ReadingProcess) -> None:
        if self._station.render and child.memory() > self._station.worker_memory:
            child.kill(MEMORY)
        try:
            self._supervisor.check()
            self._keep_lease()
        except (_Cancelled, _LeaseLost):
            child.kill()
            raise

    def _keep_lease(self) -> None:
        now = time.monotonic()
        if now - self._renewed < self._station.lease_seconds / 3:
            return
        if not self._ledger.renew(self._lease, self._station.lease_seconds):
            raise _LeaseLost
        self._renewed = now

    # ------------------------------------------------------------------ the end

    def _commit(self, facts: PartFacts) -> None:
        counts = ShardFacts(
            facts.ok,
            facts.suspicious,
            facts.failed,
            facts.quarantined,
            facts.rows,
            facts.bytes,
            facts.seconds,
            facts.cpu_seconds,
            msgspec.json.encode(facts),
        )
        lease = self._lease
        done = self._ledger.commit(
            lease, counts, lambda: publish_parts(Path(self._station.folder), facts, lease.shard, lease.fence)
        )
        if not done:
            raise _LeaseLost
        for path in self._journals:
            with suppress(FileNotFoundError):
                path.unlink()


def _baseline(counts: LedgerCounts, sampled: tuple[int, int]) -> DriftBaseline:
    """The documents so far; those that were damaged already in their archive say nothing about a wrapper."""
    not_ok = max(0, counts.suspicious + counts.failed - counts.damaged)
    return DriftBaseline(counts.ok + not_ok + sampled[0], not_ok + sampled[1])


def _check_room(cause: str) -> None:
    if cause == "full":
        raise OutputError(
            "The disk is full; free some space, then give the same command again: it goes on where it was."
        )


def _in_words(cause: str, words: str, deaths: int) -> str:
    """Why a document is quarantined."""
    how = {
        HANG: "took longer than a document may take (document_seconds)",
        MEMORY: "needed more memory than a worker may have (worker_memory)",
    }.get(cause, f"ended its process ({cause.removeprefix('crash:')}{': ' + words if words else ''})")
    return f"it {how}; {deaths} processes died over it, the last one with nothing else to read."
