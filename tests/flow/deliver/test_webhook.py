"""Rows that are posted: in parts, retried, remembered, and dropped by the receiver if they come again."""

import json
import logging
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver import DatedLoad, Delivered, PostOptions, deliver

from ._killing import Killable
from ._samples import EVERYTHING
from ._service import Answer, Request, Service

HASTY = 3.0  # seconds: what does not hang answers within them, on a busy machine as well
ROWS = pa.record_batch({"id": [*range(10)]})


class Receiver:
    """Keeps each part once, by its idempotency key, as a receiver that wants each row once does."""

    def __init__(self) -> None:
        self.parts: dict[str, dict[str, Any]] = {}

    def __call__(self, request: Request) -> Answer:
        """Keep a part that is new."""
        self.parts.setdefault(request.headers["idempotency-key"], json.loads(request.body, parse_float=Decimal))
        return Answer()

    @property
    def ids(self) -> list[int]:
        """The ids of all rows that arrived."""
        return [row["id"] for part in self.parts.values() for row in part["rows"]]


def _post(
    service: Service, state: Path, batches: Any = (ROWS,), load: str | DatedLoad = "a", **options: Any
) -> Delivered:
    options = {"state": str(state), "part_rows": 3, "pause": 0, **options}
    return deliver(batches, f"{service.url}/hook", load=load, mode="append", options=options)


def test_rows_are_posted_in_parts_once(tmp_path: Path) -> None:
    """Each part has the load's id, its number and its key; the same load again posts nothing."""
    receiver = Receiver()
    with Service(receiver) as service:
        assert _post(service, tmp_path / "state", load="März 1") == Delivered(10, inserted=10)
        posted = len(service.requests)
        assert _post(service, tmp_path / "state", load="März 1") == Delivered(10, inserted=10, was_done=True)
        assert len(service.requests) == posted == 4
    assert receiver.ids == [*range(10)]
    assert [part["part"] for part in receiver.parts.values()] == [1, 2, 3, 4]
    assert {part["load"] for part in receiver.parts.values()} == {"März 1"}
    headers = service.requests[1].headers
    assert (headers["sightline-load"], headers["sightline-part"]) == ("M%C3%A4rz 1", "2")
    assert headers["content-type"] == "application/json"


def test_values_arrive_exactly(tmp_path: Path) -> None:
    """Decimals have all their digits, lists and structs stay what they are, NULL is null."""
    receiver = Receiver()
    with Service(receiver) as service:
        _post(service, tmp_path / "state", [EVERYTHING])
    first, _, third = next(iter(receiver.parts.values()))["rows"]
    assert first["price"] == Decimal("12345678901234567890.12")
    assert first["offers"] == [{"shop": "Foto Huber", "price": Decimal("9.90")}]
    assert third == {**dict.fromkeys(EVERYTHING.schema.names), "id": 3}


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    [
        Answer(500),
        Answer(503, headers={"Retry-After": "0"}),
        Answer(429),
        Answer(hang=True),
        Answer(cut=True),
        Answer(unseen=True),
    ],
    ids=str,
)
def test_failing_service_is_asked_again(tmp_path: Path, answer: Answer) -> None:
    """A part is posted again under the same key, so that it counts once though it may have arrived before."""
    receiver = Receiver()
    with Service(receiver, [None, answer, answer]) as service:
        _post(service, tmp_path / "state", seconds=HASTY if answer.hang else 20.0)
    assert receiver.ids == [*range(10)]
    assert len(service.requests) >= 6  # on a busy machine, others may take longer, too
    assert len({request.headers["idempotency-key"] for request in service.requests}) == 4


def test_pauses_grow_and_heed_what_the_service_asks_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pause is twice the one before, up to a minute; a longer one that is asked for is kept."""
    from sightline.flow.deliver import _posting

    pauses: list[float] = []
    monkeypatch.setattr(_posting.time, "sleep", pauses.append)
    plan = [Answer(503), Answer(503), Answer(503, headers={"Retry-After": "200"}), *[Answer(503)] * 5]
    with Service(Receiver(), plan) as service:
        _post(service, tmp_path / "state", pause=2.0, attempts=9)
    assert pauses == [2.0, 4.0, 200.0, 16.0, 32.0, 60.0, 60.0, 60.0]


def test_refusal_quotes_the_answer_and_is_not_repeated(tmp_path: Path) -> None:
    """4xx is an error with what the service said; mended, the load goes on with that part."""
    receiver = Receiver()
    plan = [None, Answer(422, b'{"error": "id 3\\n is unknown"}')]
    with Service(receiver, plan) as service:
        with pytest.raises(OutputError, match=r"answered 422 .*id 3.* to part 2 of the load 'a'; the part before it"):
            _post(service, tmp_path / "state")
        assert len(service.requests) == 2
        assert _post(service, tmp_path / "state") == Delivered(10, inserted=10)
        assert len(service.requests) == 5
    assert receiver.ids == [*range(10)]


def test_service_that_stays_down_leaves_the_load_resumable(tmp_path: Path) -> None:
    """After the last attempt the error says so, and the same load goes on where it stopped."""
    receiver = Receiver()
    with Service(receiver, [None, *[Answer(503, b"down")] * 3]) as service:
        with pytest.raises(OutputError, match=r"answered 503 \(down\), also at attempt 3, for part 2"):
            _post(service, tmp_path / "state", attempts=3)
        _post(service, tmp_path / "state", [ROWS.slice(0, 4), ROWS.slice(4)])  # in other batches, which does not matter
    assert receiver.ids == [*range(10)]
    assert len(service.requests) == 1 + 3 + 3
    with pytest.raises(OutputError, match="could not be reached or broke the connection"):
        _post(service, tmp_path / "other", attempts=2)


def test_redirect_is_not_followed(tmp_path: Path) -> None:
    """Headers with tokens go to no other host."""
    with (
        Service(Receiver(), [Answer(307, headers={"Location": "http://127.0.0.1:9/"})]) as service,
        pytest.raises(OutputError, match="answered 307"),
    ):
        _post(service, tmp_path / "state")


KILLED = """
import os, signal
from sightline.flow.deliver import _posting

def counted(function):
    def call(*arguments, **keywords):
        global stop
        result = function(*arguments, **keywords)
        stop -= 1
        if stop == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    return call

owner = _posting.Posting if step == "post" else _posting.Acknowledged
setattr(owner, step, counted(getattr(owner, step)))
batch = pa.record_batch({"id": [*range(10)]})
options = {"state": state, "part_rows": 3, "pause": 0}
deliver([batch], target, load="a", mode="append", options=options)
"""


@pytest.mark.parametrize(("step", "again"), [("post", 1), ("add", 0)])
def test_killed_load_goes_on_with_the_first_part_that_was_not_acknowledged(
    tmp_path: Path, step: str, again: int, processes: Killable
) -> None:
    """Killed after a part was posted, that part comes again under its key; killed after it was noted, it does not."""
    receiver = Receiver()
    with Service(receiver) as service:
        names = {"target": f"{service.url}/hook", "state": str(tmp_path / "state"), "step": step}
        assert [*processes.says(KILLED, stop=2, **names)] == ["ended 9"]
        assert len(service.requests) == 2
        assert [*processes.says(KILLED, stop=0, **names)] == ["ended 0"]
    assert len(service.requests) == 4 + again
    assert receiver.ids == [*range(10)]


def test_line_that_a_kill_cut_off_is_forgotten(tmp_path: Path) -> None:
    """Its part is posted again; other damage is an error, since nothing may be guessed."""
    receiver, state = Receiver(), tmp_path / "state"
    with Service(receiver, [None, None, Answer(400)]) as service:
        with pytest.raises(OutputError):
            _post(service, state)
        state.write_bytes(state.read_bytes()[:-10])
        _post(service, state)
        assert receiver.ids == [*range(10)]
        assert len(service.requests) == 3 + 3
        state.write_bytes(b"{}\n")
        with pytest.raises(OutputError, match="this isn't the state of a delivery"):
            _post(service, state)


def test_other_rows_under_the_same_load_are_told(tmp_path: Path) -> None:
    """What is posted after a stop has to belong to what was posted before it."""
    with Service(Receiver(), [None, Answer(400)]) as service:
        with pytest.raises(OutputError):
            _post(service, tmp_path / "state")
        with pytest.raises(OutputError, match="part 1 of the load 'a' has arrived before, with other rows"):
            _post(service, tmp_path / "state", [pa.record_batch({"id": [*range(1, 11)]})])


def test_loads_share_a_state_and_do_not_mix(tmp_path: Path) -> None:
    """Loads and targets are told apart; while one is under way, a second is refused."""
    with Service(Receiver()) as service, Service(Receiver()) as other:
        for one in (service, other):
            for load in ("a", "b"):
                assert not _post(one, tmp_path / "state", load=load).was_done
        assert _post(other, tmp_path / "state", load="a").was_done

        def meanwhile() -> Any:
            with pytest.raises(OutputError, match="in use by another load"):
                _post(service, tmp_path / "state", load="d")
            yield ROWS

        _post(service, tmp_path / "state", meanwhile(), load="c")


def test_secrets_never_appear(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Neither in errors, also if the service repeats them, nor in options that are shown, the state or the logs."""
    caplog.set_level(logging.DEBUG)
    headers = {"X-Token": "Bearer t0ken-of-anna"}
    with Service(Receiver(), [Answer(401, b"bad t0ken-of-anna for hunter2 at /services/T0001234")]) as service:
        url = service.url.replace("//", "//anna:hunter2@") + "/services/T0001234?key=hunter2"
        options = {"state": str(tmp_path / "state"), "headers": headers}
        with pytest.raises(OutputError, match="answered 401") as raised:
            deliver([ROWS], url, load="a", mode="append", options=options)
        assert service.requests[0].headers["x-token"] == "Bearer t0ken-of-anna"
        deliver([ROWS], url, load="a", mode="append", options=options)
    shown = f"{raised.value} {raised.value.__cause__} {PostOptions(**options)!r} {(tmp_path / 'state').read_text()}"  # type: ignore[arg-type]
    for secret in ("t0ken", "hunter2", "T0001234"):
        assert secret not in shown
        assert secret not in caplog.text
    with pytest.raises(UsageError, match="'Authorization'") as refused:
        PostOptions(state="a", headers={"Authorization": "Bearer t0ken\n"})
    assert "t0ken" not in str(refused.value)


def test_wide_rows_make_smaller_parts(tmp_path: Path) -> None:
    """A part has about a megabyte at most, unless a single row has more."""
    receiver = Receiver()
    batch = pa.record_batch({"id": [1, 2, 3, 4], "text": ["x" * 700_000] * 3 + ["x" * 3_000_000]})
    with Service(receiver) as service:
        _post(service, tmp_path / "state", [batch])
    assert [len(part["rows"]) for part in receiver.parts.values()] == [1, 1, 1, 1]


def test_no_rows_are_nothing_to_post(tmp_path: Path) -> None:
    """The load is noted as done."""
    with Service(Receiver()) as service:
        assert _post(service, tmp_path / "state", []) == Delivered()
        assert _post(service, tmp_path / "state").was_done
    assert service.requests == []


def test_state_is_needed(tmp_path: Path) -> None:
    """Without it nobody would know what has arrived; NaN, which JSON lacks, is told before anything is posted."""
    with Service(Receiver()) as service:
        with pytest.raises(UsageError, match="needs the option `state`"):
            deliver([ROWS], service.url, load="a", mode="append")
        with pytest.raises(OutputError, match="has NaN"):
            _post(service, tmp_path / "state", [pa.record_batch({"id": [float("nan")]})])
    assert service.requests == []


# ---------------------------------------------------------------------- due dates


class Replacing:
    """Keeps what came last for each load and part, as a receiver of due dates does; drops what it has seen."""

    def __init__(self) -> None:
        self.parts: dict[tuple[str, int], list[int]] = {}
        self.keys: set[str] = set()
        self.posts = 0
        self.refused = ""

    def __call__(self, request: Request) -> Answer:
        """Take a part."""
        self.posts += 1
        if request.headers["sightline-part"] == self.refused:
            return Answer(400)
        if request.headers["idempotency-key"] not in self.keys:
            self.keys.add(request.headers["idempotency-key"])
            part = json.loads(request.body)
            self.parts[part["load"], part["part"]] = [row["id"] for row in part["rows"]]
        return Answer()

    @property
    def ids(self) -> list[int]:
        """The ids of all rows."""
        return sorted(id for ids in self.parts.values() for id in ids)


def _day(day: int, revision: str) -> DatedLoad:
    return DatedLoad("prices/hook", datetime(2026, 11, day, tzinfo=UTC), revision, "store")


def _ids(*ids: int) -> list[pa.RecordBatch]:
    return [pa.record_batch({"id": [*ids]})]


def test_a_day_that_is_posted_again_replaces_its_parts(tmp_path: Path) -> None:
    """The same rows are not sent again; what differs takes the place of the part, and what is gone is emptied."""
    receiver, state = Replacing(), tmp_path / "state"
    with Service(receiver) as service:
        _post(service, state, _ids(1, 2, 3, 4, 5, 6, 7), load=_day(1, "a"))
        _post(service, state, _ids(90), load=_day(2, "a"))
        assert receiver.posts == 4
        _post(service, state, _ids(1, 2, 3, 4, 5, 6, 7), load=_day(1, "b"))
        assert receiver.posts == 4
        _post(service, state, _ids(1, 2, 3, 4, 55), load=_day(1, "c"))
        assert receiver.ids == [1, 2, 3, 4, 55, 90]
        assert receiver.posts == 6
        _post(service, state, _ids(1, 2, 3, 4, 5, 6, 7), load=_day(1, "d"))
        assert receiver.ids == [1, 2, 3, 4, 5, 6, 7, 90]
        assert _post(service, state, _ids(0), load=_day(1, "d")).was_done
    assert "sightline-revision" in service.requests[0].headers


def test_a_day_that_was_cut_off_is_known_by_its_parts(tmp_path: Path) -> None:
    """What a revision posted before it failed is what the service has, also for the next revision."""
    receiver, state = Replacing(), tmp_path / "state"
    with Service(receiver) as service:
        _post(service, state, _ids(1, 2, 3, 4), load=_day(1, "a"))
        receiver.refused = "2"
        with pytest.raises(OutputError, match="the part before it has arrived"):
            _post(service, state, _ids(11, 12, 13, 14), load=_day(1, "b"))
        assert receiver.ids == [4, 11, 12, 13]
        receiver.refused = ""
        _post(service, state, _ids(1, 2, 3, 4), load=_day(1, "c"))
    assert receiver.ids == [1, 2, 3, 4]
