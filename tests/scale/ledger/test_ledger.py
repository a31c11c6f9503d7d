"""Tests of the ledger, in SQLite and in PostgreSQL."""

import threading
from collections.abc import Callable

import pytest

from sightline.errors import UsageError
from sightline.scale.ledger import Ledger, ListedPart, NewShard, ShardFacts, ShardLease

Opened = Callable[..., Ledger]
LONG = 60.0


def facts(documents: int) -> ShardFacts:
    """The facts of a shard whose documents are all ok."""
    return ShardFacts(documents, 0, 0, 0, documents, 10, 1.0, 1.0, b"files")


def begun(opened: Opened, shards: int = 3, documents: int = 10) -> Ledger:
    """A ledger with some shards of one input."""
    ledger = opened()
    ledger.begin("digest", b"plan")
    ledger.add_inputs([("pages.warc.gz", "identity", b"told")])
    (source,) = ledger.inputs()
    new = [NewShard(f"s{n}", n, documents, b"references %d" % n) for n in range(shards)]
    ledger.add_listed([ListedPart(source.number, new, shards * documents)])
    ledger.finish_listing()
    return ledger


def claimed(ledger: Ledger, owner: str, seconds: float = LONG) -> ShardLease:
    """A lease that must be there."""
    lease = ledger.claim(owner, seconds)
    assert lease is not None
    return lease


def test_shards_are_handed_out_in_order_each_to_one_owner(opened: Opened) -> None:
    """Two owners never hold one shard, and the references come with it."""
    ledger = begun(opened)
    leases = [claimed(ledger, owner) for owner in ("a", "b", "a")]
    assert [lease.shard for lease in leases] == ["s0", "s1", "s2"]
    assert leases[1].references == b"references 1"
    assert leases[1].input == b"told"
    assert ledger.claim("c", LONG) is None


def test_a_batch_that_is_done_has_no_open_shards(opened: Opened) -> None:
    """Counts add up to the documents; before the last commit something is open."""
    ledger = begun(opened, shards=2)
    for owner in ("a", "b"):
        assert ledger.open_shards()
        assert ledger.commit(claimed(ledger, owner), facts(10), lambda: None)
    assert not ledger.open_shards()
    counts = ledger.counts()
    assert counts.finished
    assert (counts.documents, counts.done_documents, counts.ok, counts.rows) == (20, 20, 20, 20)


def test_a_batch_whose_listing_goes_on_is_open(opened: Opened) -> None:
    """No shard waits, but more may come."""
    ledger = opened()
    ledger.begin("digest", b"plan")
    assert ledger.open_shards()
    ledger.finish_listing()
    assert not ledger.open_shards()


def test_a_lease_that_ran_out_goes_to_another_and_the_first_cannot_commit(opened: Opened) -> None:
    """Fencing: who was given up and comes back publishes nothing."""
    ledger = begun(opened, shards=1)
    first = claimed(ledger, "slow", seconds=0)
    second = claimed(ledger, "quick")
    assert (first.shard, second.shard) == ("s0", "s0")
    assert second.fence > first.fence
    published: list[str] = []
    assert not ledger.renew(first, LONG)
    assert not ledger.commit(first, facts(10), lambda: published.append("slow"))
    assert ledger.commit(second, facts(10), lambda: published.append("quick"))
    assert not ledger.commit(first, facts(10), lambda: published.append("slow"))
    assert published == ["quick"]


def test_a_renewed_lease_stays(opened: Opened) -> None:
    """A heartbeat keeps a shard from others."""
    ledger = begun(opened, shards=1)
    lease = claimed(ledger, "a", seconds=0)
    assert ledger.renew(lease, LONG)
    assert ledger.claim("b", LONG) is None


def test_a_shard_whose_publishing_fails_is_not_done(opened: Opened) -> None:
    """The mark and the names of the files belong together."""
    ledger = begun(opened, shards=1)
    lease = claimed(ledger, "a")

    def fail() -> None:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        ledger.commit(lease, facts(10), fail)
    assert ledger.open_shards()
    assert ledger.commit(lease, facts(10), lambda: None)


def test_what_the_dead_held_is_given_back_at_once(opened: Opened) -> None:
    """Nobody waits for a lease whose owner is known to be dead; the living keep theirs."""
    ledger = begun(opened)
    for owner in ("dead", "alive"):
        claimed(ledger, owner)
    assert ledger.release_dead(lambda owner: owner == "dead") == 1
    assert [claimed(ledger, "new").shard for _ in range(2)] == ["s0", "s2"]


def test_a_released_shard_waits_again_unless_the_lease_was_lost(opened: Opened) -> None:
    """Giving back what somebody else holds by now changes nothing."""
    ledger = begun(opened, shards=1)
    first = claimed(ledger, "a", seconds=0)
    second = claimed(ledger, "b")
    ledger.release(first)
    assert ledger.claim("c", LONG) is None
    ledger.release(second)
    assert claimed(ledger, "c").attempts == 3


def test_listing_twice_doubles_nothing(opened: Opened) -> None:
    """Shards that are there keep their state."""
    ledger = begun(opened)
    ledger.commit(claimed(ledger, "a"), facts(10), lambda: None)
    begun(opened)
    counts = ledger.counts()
    assert (counts.inputs, counts.shards, counts.done_shards) == (1, 3, 1)


def test_another_digest_is_another_batch(opened: Opened) -> None:
    """A changed wrapper must not go on with what the old one gave."""
    begun(opened)
    with pytest.raises(UsageError, match="another wrapper"):
        opened().begin("other", b"plan")


def test_going_on_gives_the_first_plan(opened: Opened) -> None:
    """The size of shards is that of the beginning, whatever is asked for later."""
    begun(opened)
    assert opened().begin("digest", b"other plan") == b"plan"


def test_jobs_in_one_ledger_know_nothing_of_each_other(opened: Opened) -> None:
    """A shared ledger serves many batches."""
    begun(opened)
    other = opened("other")
    other.begin("digest", b"plan")
    other.finish_listing()
    assert other.claim("a", LONG) is None
    assert other.counts().finished


def test_a_stopped_batch_keeps_the_first_reason_until_it_is_begun_again(opened: Opened) -> None:
    """Whoever gives the command again has read the reason."""
    ledger = begun(opened)
    ledger.stop("drift")
    ledger.stop("something later")
    assert ledger.stopped() == "drift"
    ledger.begin("digest", b"plan")
    assert ledger.stopped() == ""


def test_deaths_and_events_are_kept_in_order(opened: Opened) -> None:
    """Who died over which document, and how."""
    ledger = begun(opened)
    lease = claimed(ledger, "a")
    ledger.blame(lease, "x#1", "crash:SIGSEGV")
    ledger.blame(lease, "x#1", "hang", alone=True)
    ledger.tell("quarantined", shard="s0", text="x#1")
    assert [(death.cause, death.alone) for death in ledger.deaths("s0")] == [("crash:SIGSEGV", False), ("hang", True)]
    assert ledger.deaths("s1") == []
    assert [(event.what, event.text) for event in ledger.events()] == [("quarantined", "x#1")]
    assert ledger.counts().deaths == 2


def test_shards_are_streamed_in_order_while_others_write(opened: Opened) -> None:
    """The audit reads on while something else is committed."""
    ledger = begun(opened, shards=5)
    rows = ledger.shards()
    first = next(rows)
    assert ledger.commit(claimed(ledger, "a"), facts(10), lambda: None)
    assert [first.number, *(row.number for row in rows)] == [0, 1, 2, 3, 4]
    assert first.input == "pages.warc.gz"


def test_many_workers_claim_each_shard_once(opened: Opened) -> None:
    """Threads with connections of their own, as fast as they can: nothing is claimed twice or left."""
    shards = 60
    begun(opened, shards=shards)
    got: list[str] = []

    def work(ledger: Ledger, owner: str) -> None:
        while (lease := ledger.claim(owner, LONG)) is not None:
            ledger.commit(lease, facts(10), lambda shard=lease.shard: got.append(shard))

    threads = [threading.Thread(target=work, args=(opened(), f"w{n}")) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == sorted(f"s{n}" for n in range(shards))
    assert opened().counts().finished
