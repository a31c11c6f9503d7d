"""The review queue: what is asked next, what an answer changes, what is learned, and how it is taken back."""

from pathlib import Path

import pytest

from sightline.errors import ConflictError, UnreadableError, UsageError
from sightline.flow.match import Decisions, MatchSettings, ReviewPair, ReviewQueue, match, read_review, review_line

EXAMPLES = Path(__file__).parents[3] / "examples" / "matching"
SETTINGS = MatchSettings(matched=0.999, review_share=1.0, assignment="many-to-one")


def _pairs(settings: MatchSettings = SETTINGS) -> list[ReviewPair]:
    found = match(EXAMPLES / "shop.csv", EXAMPLES / "catalogue.csv", settings=settings)
    return [
        ReviewPair(pair, {"name": pair.left_text}, {"name": pair.right_text})
        for pair in found
        if pair.zone == "review" and not pair.decided
    ]


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@pytest.fixture
def kept(tmp_path: Path) -> Decisions:
    """A file of decisions that is not there yet."""
    return Decisions(tmp_path / "known.jsonl")


@pytest.fixture
def queue(kept: Decisions) -> ReviewQueue:
    """A queue about which nothing is decided."""
    return ReviewQueue(_pairs(), kept, SETTINGS)


def test_records_are_asked_about_the_likeliest_first(queue: ReviewQueue) -> None:
    """All candidates of a record together, the best first."""
    waiting = queue.waiting()
    records = [one.found.record for one in waiting]
    assert len(waiting) == len(_pairs()) > 10
    assert len(dict.fromkeys(records)) == sum(1 for at, one in enumerate(records) if not at or records[at - 1] != one)
    best = {record: max(one.score for one in waiting if one.found.record == record) for record in records}
    assert list(best.values()) == sorted(best.values(), reverse=True)


def test_an_accepted_record_is_not_asked_about_again(queue: ReviewQueue, kept: Decisions) -> None:
    """Its other candidates go, and the answer is in the file of `sightline review`."""
    first = queue.waiting()[0]
    assert len(queue.candidates(first.found.id)) == 2
    queue.answer(first.found.id, "same")
    assert first.found.record not in {one.found.record for one in queue.waiting()}
    assert kept.same(first.found.pair.left_text, first.found.pair.right_text) is True
    assert queue.progress.decided == 2
    with pytest.raises(ConflictError, match="decided meanwhile"):
        queue.answer(first.found.id, "different")


def test_after_a_rejection_the_next_candidate_of_the_record_comes(queue: ReviewQueue) -> None:
    """Even if other records have likelier ones."""
    first, second = queue.candidates(queue.waiting()[0].found.id)
    queue.answer(first.found.id, "different")
    assert queue.waiting()[0].found == second.found
    assert second.score < queue.waiting()[1].score


def test_a_new_record_is_none_of_its_candidates(queue: ReviewQueue, kept: Decisions) -> None:
    """One stroke rejects them all, and one takes it back."""
    first = queue.waiting()[0]
    candidates = [one.found.pair for one in queue.candidates(first.found.id)]
    queue.answer(first.found.id, "new")
    assert [kept.same(pair.left_text, pair.right_text) for pair in candidates] == [False, False]
    assert first.found.record not in {one.found.record for one in queue.waiting()}
    assert queue.undo() == f"called {first.found.pair.left_text} new"
    assert kept.all() == []
    assert queue.waiting()[0].found == first.found


def test_what_is_skipped_comes_last_and_is_no_decision(queue: ReviewQueue, kept: Decisions) -> None:
    """In the order in which it was skipped."""
    one = queue.waiting()[0].found
    queue.answer(one.id, "skip")
    two = queue.waiting()[0].found
    queue.answer(two.id, "skip")
    last = list(dict.fromkeys(waiting.found.record for waiting in queue.waiting()))[-2:]
    assert last == [one.record, two.record]
    assert kept.all() == []
    assert queue.progress.skipped == sum(waiting.found.record in last for waiting in queue.waiting())
    queue.undo()
    assert queue.waiting()[0].found == two


def test_decisions_change_the_chances_of_the_rest(queue: ReviewQueue) -> None:
    """At once, and it is said what was learned."""
    asked = queue.waiting()[0].found.id
    before = {one.found.id: one.score for one in queue.waiting()}
    queue.answer(asked, "different")
    after = {one.found.id: one.score for one in queue.waiting()}
    assert sum(after[pair] < before[pair] for pair in after) > len(after) / 2
    assert "less likely" in queue.learned
    for _ in range(5):
        queue.answer(queue.waiting()[0].found.id, "different")
    assert queue.lessons
    assert all(" now " in lesson for lesson in queue.lessons)


def test_the_chances_are_those_of_the_next_run(queue: ReviewQueue, kept: Decisions) -> None:
    """What a reviewer sees is what matching does with the decisions."""
    for answer in ("same", "different", "same"):
        queue.answer(queue.waiting()[0].found.id, answer)  # type: ignore[arg-type]
    seen = {(one.found.pair.left_text, one.found.pair.right_text): one.score for one in queue.waiting()}
    found = match(EXAMPLES / "shop.csv", EXAMPLES / "catalogue.csv", decisions=kept.path, settings=SETTINGS)
    again = {(pair.left_text, pair.right_text): pair.score for pair in found if not pair.decided}
    shared = seen.keys() & again.keys()
    assert len(shared) >= 4
    assert all(seen[pair] == pytest.approx(again[pair]) for pair in shared)


def test_everything_above_a_line_is_accepted_as_one_step(queue: ReviewQueue, kept: Decisions) -> None:
    """Only the best candidate of each record; nothing is learned from it, and one undo takes it back."""
    expected = queue.above(0.7)
    assert sum(queue.histogram[70:]) == len(expected) > 2
    before = {one.found.id: one.score for one in queue.waiting()}
    assert queue.accept_above(0.7) == len(expected)
    assert [decision.evidence for decision in kept.all()] == [()] * len(expected)
    assert all(one.score == before[one.found.id] for one in queue.waiting())
    assert len(queue.done) == 1
    queue.undo()
    assert kept.all() == []
    assert {one.found.id for one in queue.waiting()} == set(before)
    queue.redo()
    assert len(kept.all()) == len(expected)
    with pytest.raises(UsageError, match="move the line down"):
        queue.accept_above(1.0)


def test_one_to_one_a_partner_is_taken_once(kept: Decisions) -> None:
    """A record of the catalogue that was accepted is no candidate any more."""
    settings = MatchSettings(matched=0.999, review=0.0001, review_share=1.0)
    queue = ReviewQueue(_pairs(settings), kept, settings)
    rights = [one.found.pair.right_text for one in queue.waiting()]
    twice = next(one for one in queue.waiting() if rights.count(one.found.pair.right_text) > 1)
    queue.answer(twice.found.id, "same")
    assert twice.found.pair.right_text not in {one.found.pair.right_text for one in queue.waiting()}


def test_answers_of_an_earlier_day_can_be_taken_back(queue: ReviewQueue, kept: Decisions) -> None:
    """Each stroke as it was made, whoever made it."""
    queue.answer(queue.waiting()[0].found.id, "same")
    queue.answer(queue.waiting()[0].found.id, "new")
    queue.accept_above(0.7)
    later = ReviewQueue(_pairs(), kept, SETTINGS)
    assert [stroke.words.split()[0] for stroke in later.done] == ["accepted", "called", "accepted"]
    for _ in range(3):
        later.undo()
    assert kept.all() == []
    assert later.progress.waiting == len(_pairs())
    with pytest.raises(UsageError, match="no answer to take back"):
        later.undo()


def test_nothing_of_somebody_else_is_taken_back(queue: ReviewQueue, kept: Decisions) -> None:
    """The file may have got other decisions meanwhile."""
    first, second = queue.waiting()[0], queue.waiting()[-1]
    queue.answer(first.found.id, "same")
    kept.add(second.found.pair.decision(same=False))
    with pytest.raises(ConflictError, match="somebody else"):
        queue.undo()
    assert len(kept.all()) == 2


def test_the_rest_is_estimated_by_the_pace_without_pauses(kept: Decisions) -> None:
    """Known after a few answers."""
    clock = Clock()
    queue = ReviewQueue(_pairs(), kept, SETTINGS, clock=clock)
    for seconds in (0, 4, 4, 600, 4, 4, 4):
        assert queue.progress.left is None
        clock.now += seconds
        queue.answer(queue.waiting()[0].found.id, "different")
    progress = queue.progress
    assert progress.seconds == 4
    assert progress.left == 4 * progress.waiting


def test_pairs_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Also those of a version that wrote no fields; the same two texts are one pair."""
    pairs = _pairs()
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"".join(map(review_line, [*pairs, pairs[0]])))
    assert [one.id for one in read_review(path)] == [one.id for one in pairs]
    assert read_review(path)[0].left == pairs[0].left
    path.write_bytes(
        b'{"left":"1","right":"2","score":0.2,"left_text":"a","right_text":"b","parts":{},"evidence":[]}\n'
    )
    (old,) = read_review(path)
    assert (old.left, old.right) == ({"name": "a"}, {"name": "b"})
    queue = ReviewQueue([old], Decisions(tmp_path / "none.jsonl"))
    assert queue.waiting()[0].score == 0.2
    path.write_bytes(b'{"left": 1}\n')
    with pytest.raises(UnreadableError, match="line 1"):
        read_review(path)


def test_an_empty_queue_says_so(kept: Decisions) -> None:
    """And is no error."""
    queue = ReviewQueue([], kept)
    assert queue.waiting() == []
    assert queue.progress.pairs == sum(queue.histogram) == 0
