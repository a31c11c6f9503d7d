"""Sources that open pages: those of different hosts at once, those of one host one after the other."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from .conftest import FlowFolder

PAGE = (
    b"<table><tr><th>name<th>price" + b"".join(b"<tr><td>Camera %d<td>%d9" % (n, n) for n in range(1, 6)) + b"</table>"
)
PATIENCE = 60  # seconds, for a busy machine


class Shop:
    """A shop whose pages meet those of other shops before they are sent; counts how many are asked for at once."""

    def __init__(self, meeting: threading.Barrier | None) -> None:
        self.meeting = meeting
        self.most = self.now = 0
        self.lock = threading.Lock()

    def page(self) -> bytes:
        """The page, when the others are there too."""
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        if self.meeting:
            self.meeting.wait(PATIENCE)
        with self.lock:
            self.now -= 1
        return PAGE


@contextmanager
def served(shop: Shop, host: str = "127.0.0.1") -> Iterator[str]:
    """The address of a shop."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path.startswith("/shop")
            body = shop.page() if found else b""
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer((host, 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://{host}:{server.server_address[1]}/shop"
        server.shutdown()
        thread.join()


def steps(*addresses: str) -> str:
    """A flow that extracts the table of each address."""
    return "\n".join(
        f"s{number}:\n  extract: {address}\n  take: tables\n  static: true" for number, address in enumerate(addresses)
    )


def test_sources_of_different_hosts_run_at_once(folder: FlowFolder) -> None:
    """Each shop waits for the other, so one after the other they would never end."""
    meeting = threading.Barrier(2)
    with served(Shop(meeting)) as one, served(Shop(meeting)) as two:
        found = folder.run(steps(one, two))
    assert found.verdict == "ok", found.state.reasons
    assert {name: state.rows for name, state in found.state.steps.items()} == {"s0": 5, "s1": 5}


def test_sources_of_one_host_run_one_after_the_other(folder: FlowFolder) -> None:
    """No host is asked twice at once."""
    shop = Shop(None)
    with served(shop) as address:
        found = folder.run(steps(f"{address}/a", f"{address}/b", f"{address}/c"))
    assert found.verdict == "ok", found.state.reasons
    assert shop.most == 1


def test_a_source_that_fails_does_not_stop_the_other(folder: FlowFolder) -> None:
    """Its error is told, and the other one's rows are kept for when the run is taken up."""
    with served(Shop(None)) as address, served(Shop(None)) as other:
        missing = other.replace("/shop", "/gone")
        found = folder.run(steps(address, missing))
        assert set(found.errors) == {"s1"}
        again = folder.run(steps(address, other), resume=found.id)
    assert again.verdict == "ok", again.state.reasons
    assert folder.kinds() == {"s0": "reused", "s1": "done"}


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2])
def test_whoever_asks_to_stop_stops_all_sources(folder: FlowFolder, number: int) -> None:
    """A listener that raises ends the run, and what was done before is kept."""

    class StopRun(Exception):
        pass

    done: list[str] = []

    def listen(event: object) -> None:
        if getattr(event, "kind", "") == "done":
            done.append(getattr(event, "step", ""))
            if len(done) == number:
                raise StopRun

    from sightline.flow.run import FlowStore, run_flow
    from sightline.flow.spec import Flow

    with served(Shop(None)) as one, served(Shop(None)) as two:
        file = folder.write(steps(one, two))
        with pytest.raises(StopRun):
            run_flow(Flow.load(file), store=folder.path / "store", on_event=listen)
        unfinished = FlowStore(folder.path / "store", "prices").unfinished()
        assert unfinished is not None
        assert set(done) <= set(unfinished.state.steps)
        assert folder.run().verdict == "ok"
