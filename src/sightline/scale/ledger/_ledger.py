"""The ledger of a batch: which shards there are, who works on which, and what is done.

It is the source of truth. A shard is done when its files have their final names and the ledger says so, and it says so
only to whoever holds the latest lease: a worker that was given up, and comes back, cannot commit. The same shard
always writes to the same names, so doing it twice doubles nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from sightline.errors import UsageError
from sightline.scale.ledger._databases import (
    DONE,
    LEASED,
    WAITING,
    Death,
    KnownInput,
    LedgerCounts,
    LedgerEvent,
    ListedPart,
    ShardFacts,
    ShardLease,
    ShardRow,
)

POSTGRES = ("postgresql://", "postgres://")

_INPUTS = "SELECT number, name, identity, told, documents, damaged, listed FROM batch_input WHERE job = ?"
_CLAIMED = """
SELECT s.id, s.number, s.fence, s.attempts, i.told, s.documents, r.packed FROM batch_shard s
JOIN batch_input i ON i.job = s.job AND i.number = s.input JOIN batch_references r ON r.job = s.job AND r.shard = s.id
WHERE s.job = ? AND s.id = ?"""
_COUNTED = """
SELECT count(*), coalesce(sum(CASE WHEN state = 2 THEN 1 ELSE 0 END), 0),
  coalesce(sum(CASE WHEN state = 1 THEN 1 ELSE 0 END), 0), coalesce(sum(documents), 0),
  coalesce(sum(CASE WHEN state = 2 THEN documents ELSE 0 END), 0), coalesce(sum(ok), 0), coalesce(sum(suspicious), 0),
  coalesce(sum(failed), 0), coalesce(sum(quarantined), 0), coalesce(sum(rows_made), 0), coalesce(sum(bytes), 0),
  coalesce(sum(seconds), 0), coalesce(sum(cpu_seconds), 0), coalesce(sum(attempts), 0)
FROM batch_shard WHERE job = ?"""
_SHARDS = """
SELECT s.id, s.number, i.name, s.documents, s.state, s.attempts, s.done_at, r.packed, s.told FROM batch_shard s
JOIN batch_input i ON i.job = s.job AND i.number = s.input JOIN batch_references r ON r.job = s.job AND r.shard = s.id
WHERE s.job = ? ORDER BY s.number"""
_COMMITTED = """
UPDATE batch_shard SET state = ?, owner = '', done_at = ?, ok = ?, suspicious = ?, failed = ?, quarantined = ?,
  rows_made = ?, bytes = ?, seconds = ?, cpu_seconds = ?, told = ? WHERE job = ? AND id = ?"""


class LedgerStore(Protocol):
    """A database that the ledger can be kept in."""

    one_machine: bool
    for_update: str

    def now(self) -> float: ...
    def transaction(self) -> Any: ...
    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]: ...
    def execute_many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None: ...
    def changed(self, statement: str, values: Sequence[Any]) -> int: ...
    def stream(self, statement: str, values: Sequence[Any]) -> Iterator[tuple[Any, ...]]: ...
    def close(self) -> None: ...


def open_ledger(address: str, job: str) -> "Ledger":
    """The ledger at an address: the path of a SQLite file, or `postgresql://…`; `job` names one of its jobs."""
    if address.startswith(POSTGRES):
        from sightline.scale.ledger._databases import PostgresStore  # psycopg is an extra

        return Ledger(PostgresStore(address), job)
    from sightline.scale.ledger._databases import SqliteStore

    return Ledger(SqliteStore(Path(address)), job)


class Ledger:
    """One job in a ledger. Every method is a transaction of its own, and safe to call from any thread."""

    def __init__(self, store: LedgerStore, job: str) -> None:
        self.job = job
        self._store = store

    @property
    def one_machine(self) -> bool:
        """Whether only processes of one machine can share it."""
        return self._store.one_machine

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the ledger stays."""
        self._store.close()

    # ------------------------------------------------------------------ the job and its inputs

    def begin(self, digest: str, told: bytes) -> bytes:
        """Begin the job, or go on with it: what was told when it began. Another digest is another job.

        A job that never got an input did not begin.
        """
        with self._store.transaction():
            none = "NOT EXISTS (SELECT 1 FROM batch_input WHERE job = ?)"
            self._store.execute(f"DELETE FROM batch_job WHERE id = ? AND {none}", (self.job, self.job))
            self._store.execute(
                "INSERT INTO batch_job (id, digest, told, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (self.job, digest, told, self._store.now()),
            )
            known, first = self._store.execute("SELECT digest, told FROM batch_job WHERE id = ?", (self.job,))[0]
            if known != digest:
                raise UsageError(
                    "This batch was begun with another wrapper, extractor or settings; "
                    "give the same as then, or choose another folder."
                )
            self._store.execute("UPDATE batch_job SET stopped = '' WHERE id = ?", (self.job,))
        return bytes(first)

    def input(self, name: str) -> KnownInput | None:
        """What is known of an input."""
        found = self._store.execute(_INPUTS + " AND name = ?", (self.job, name))
        return _known(found[0]) if found else None

    def inputs(self) -> list[KnownInput]:
        """All inputs in the order in which they were added."""
        return [_known(row) for row in self._store.execute(_INPUTS + " ORDER BY number", (self.job,))]

    def open_inputs(self) -> list[str]:
        """The names of the inputs that are not listed yet, or have shards that are not done."""
        undone = "SELECT DISTINCT input FROM batch_shard WHERE job = ? AND state = ?"
        numbers = {row[0] for state in (WAITING, LEASED) for row in self._store.execute(undone, (self.job, state))}
        return [known.name for known in self.inputs() if not known.listed or known.number in numbers]

    def add_inputs(self, inputs: Sequence[tuple[str, str, bytes]]) -> None:
        """Add inputs whose documents will be listed: name, identity and what is told of each; known ones stay."""
        with self._store.transaction():
            # Drivers that share the ledger wait for each other here, so that every number is given once.
            self._store.execute("UPDATE batch_job SET listed = listed WHERE id = ?", (self.job,))
            known = {one.name: one.number for one in self.inputs()}
            last = max(known.values(), default=0)
            new = [one for one in inputs if one[0] not in known]
            self._store.execute_many(
                "INSERT INTO batch_input (job, number, name, identity, told) VALUES (?, ?, ?, ?, ?)",
                [(self.job, number, *one) for number, one in enumerate(new, last + 1)],
            )
            if new:
                self._store.execute("UPDATE batch_job SET listed = 0 WHERE id = ?", (self.job,))

    def add_listed(self, parts: Sequence[ListedPart]) -> None:
        """Add what was listed, all of it at once; shards that are there already stay as they are."""
        with self._store.transaction():
            self._store.execute_many(
                "INSERT INTO batch_shard (job, id, number, input, documents) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                [(self.job, one.id, one.number, part.source, one.documents) for part in parts for one in part.shards],
            )
            self._store.execute_many(
                "INSERT INTO batch_references (job, shard, packed) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [(self.job, one.id, one.references) for part in parts for one in part.shards],
            )
            self._store.execute_many(
                "UPDATE batch_input SET documents = ?, damaged = ?, listed = 1 WHERE job = ? AND number = ?",
                [(part.documents, part.damaged, self.job, part.source) for part in parts if part.documents is not None],
            )

    def finish_listing(self) -> None:
        """All inputs are listed, unless another driver is still at one of them."""
        all_listed = "NOT EXISTS (SELECT 1 FROM batch_input WHERE job = ? AND listed = 0)"
        self._store.execute(f"UPDATE batch_job SET listed = 1 WHERE id = ? AND {all_listed}", (self.job, self.job))

    # ------------------------------------------------------------------ leases

    def claim(self, owner: str, seconds: float) -> ShardLease | None:
        """The next shard that waits, or whose owner has been silent for too long; None if there is none now."""
        with self._store.transaction():
            now = self._store.now()
            shard = self._next(now)
            if shard is None:
                return None
            self._store.execute(
                "UPDATE batch_shard SET state = ?, owner = ?, fence = fence + 1, attempts = attempts + 1, "
                "lease_until = ? WHERE job = ? AND id = ?",
                (LEASED, owner, now + seconds, self.job, shard),
            )
            row = self._store.execute(_CLAIMED, (self.job, shard))[0]
        id_, number, fence, attempts, told, documents, packed = row
        return ShardLease(id_, number, fence, owner, attempts, bytes(told), documents, bytes(packed))

    def _next(self, now: float) -> str | None:
        waiting = self._store.execute(
            "SELECT id FROM batch_shard WHERE job = ? AND state = ? ORDER BY number LIMIT 1" + self._store.for_update,
            (self.job, WAITING),
        )
        silent = waiting or self._store.execute(
            "SELECT id FROM batch_shard WHERE job = ? AND state = ? AND lease_until < ? ORDER BY number LIMIT 1"
            + self._store.for_update,
            (self.job, LEASED, now),
        )
        return silent[0][0] if silent else None

    def renew(self, lease: ShardLease, seconds: float) -> bool:
        """Keep a lease; False if somebody else has the shard now."""
        until = self._store.now() + seconds
        held = "UPDATE batch_shard SET lease_until = ? WHERE job = ? AND id = ? AND fence = ? AND state = ?"
        return bool(self._store.changed(held, (until, self.job, lease.shard, lease.fence, LEASED)))

    def release(self, lease: ShardLease) -> None:
        """Give a shard back undone."""
        self._store.execute(
            "UPDATE batch_shard SET state = ?, owner = '' WHERE job = ? AND id = ? AND fence = ? AND state = ?",
            (WAITING, self.job, lease.shard, lease.fence, LEASED),
        )

    def release_dead(self, is_dead: Callable[[str], bool]) -> int:
        """Give back the shards of owners that are known to be dead, without waiting for the end of their leases."""
        held = "SELECT DISTINCT owner FROM batch_shard WHERE job = ? AND state = ?"
        dead = [owner for (owner,) in self._store.execute(held, (self.job, LEASED)) if is_dead(owner)]
        free = "UPDATE batch_shard SET state = ?, owner = '' WHERE job = ? AND state = ? AND owner = ?"
        return sum(self._store.changed(free, (WAITING, self.job, LEASED, owner)) for owner in dead)

    def commit(self, lease: ShardLease, facts: ShardFacts, publish: Callable[[], None]) -> bool:
        """Call `publish`, which gives the files their names, and mark the shard done; False if the lease was lost.

        Nobody else can claim the shard between the look at the lease and the mark.
        """
        with self._store.transaction():
            lock = self._store.for_update.replace(" SKIP LOCKED", "")
            held = self._store.execute(
                "SELECT fence, state FROM batch_shard WHERE job = ? AND id = ?" + lock, (self.job, lease.shard)
            )
            if held != [(lease.fence, LEASED)]:
                return False
            publish()
            values = (DONE, self._store.now(), *facts, self.job, lease.shard)
            self._store.execute(_COMMITTED, values)
        return True

    def redo(self, shards: Sequence[str]) -> int:
        """Have shards done again, whose files are damaged or missing; how many there are."""
        again = "UPDATE batch_shard SET state = ?, ok = 0, suspicious = 0, failed = 0, quarantined = 0, rows_made = 0, "
        again += "bytes = 0, seconds = 0, cpu_seconds = 0, told = NULL WHERE job = ? AND id = ? AND state = ?"
        return sum(self._store.changed(again, (WAITING, self.job, shard, DONE)) for shard in shards)

    # ------------------------------------------------------------------ what went wrong

    def blame(self, lease: ShardLease, document: str, cause: str, *, alone: bool = False) -> None:
        """Note that a process died over a document."""
        self._store.execute(
            "INSERT INTO batch_death (job, shard, document, cause, alone, at) VALUES (?, ?, ?, ?, ?, ?)",
            (self.job, lease.shard, document, cause, int(alone), self._store.now()),
        )

    def deaths(self, shard: str) -> list[Death]:
        """The processes that died over documents of a shard, the first one first."""
        rows = self._store.execute(
            "SELECT document, cause, alone FROM batch_death WHERE job = ? AND shard = ? ORDER BY at", (self.job, shard)
        )
        return [Death(document, cause, bool(alone)) for document, cause, alone in rows]

    def stop(self, reason: str) -> None:
        """Stop the job: nobody claims another shard until it is begun again. The first reason stays."""
        self._store.execute("UPDATE batch_job SET stopped = ? WHERE id = ? AND stopped = ''", (reason, self.job))

    def stopped(self) -> str:
        """Why the job was stopped; "" if it was not."""
        return str(self._store.execute("SELECT stopped FROM batch_job WHERE id = ?", (self.job,))[0][0])

    def tell(self, what: str, *, shard: str = "", owner: str = "", text: str = "") -> None:
        """Add a line to what happened."""
        self._store.execute(
            "INSERT INTO batch_event (job, at, what, shard, owner, text) VALUES (?, ?, ?, ?, ?, ?)",
            (self.job, self._store.now(), what, shard, owner, text),
        )

    def events(self) -> list[LedgerEvent]:
        """What happened, in order."""
        rows = self._store.execute(
            "SELECT at, what, shard, owner, text FROM batch_event WHERE job = ? ORDER BY at", (self.job,)
        )
        return [LedgerEvent(*row) for row in rows]

    # ------------------------------------------------------------------ how far it is

    def open_shards(self) -> bool:
        """Whether anything is left to do, or may still be listed."""
        listed = self._store.execute("SELECT listed FROM batch_job WHERE id = ?", (self.job,))[0][0]
        left = "SELECT 1 FROM batch_shard WHERE job = ? AND state = ? LIMIT 1"
        return not listed or any(self._store.execute(left, (self.job, state)) for state in (WAITING, LEASED))

    def counts(self) -> LedgerCounts:
        """How the job is getting on."""
        listed, stopped = self._store.execute("SELECT listed, stopped FROM batch_job WHERE id = ?", (self.job,))[0]
        inputs, damaged = self._store.execute(
            "SELECT count(*), coalesce(sum(damaged), 0) FROM batch_input WHERE job = ?", (self.job,)
        )[0]
        deaths = self._store.execute("SELECT count(*) FROM batch_death WHERE job = ?", (self.job,))[0][0]
        shards, done, leased, documents, done_documents, *summed = self._store.execute(_COUNTED, (self.job,))[0]
        ok, suspicious, failed, quarantined, rows, size, seconds, cpu_seconds, attempts = summed
        return LedgerCounts(
            inputs=inputs,
            documents=int(documents),
            damaged=int(damaged),
            shards=shards,
            done_shards=int(done),
            leased_shards=int(leased),
            done_documents=int(done_documents),
            ok=int(ok),
            suspicious=int(suspicious),
            failed=int(failed),
            quarantined=int(quarantined),
            rows=int(rows),
            document_bytes=int(size),
            seconds=float(seconds),
            cpu_seconds=float(cpu_seconds),
            deaths=deaths,
            attempts=int(attempts),
            listed=bool(listed),
            stopped=stopped,
        )

    def shards(self) -> Iterator[ShardRow]:
        """Every shard in order, one at a time."""
        for id_, number, source, documents, state, attempts, done_at, packed, told in self._store.stream(
            _SHARDS, (self.job,)
        ):
            yield ShardRow(
                id_, number, source, documents, state == DONE, attempts, done_at, bytes(packed), bytes(told or b"")
            )


def _known(row: tuple[Any, ...]) -> KnownInput:
    number, name, identity, told, documents, damaged, listed = row
    return KnownInput(number, name, identity, bytes(told), documents, damaged, bool(listed))
