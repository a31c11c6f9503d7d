"""Notifications: every address is tried, failures are told, and no address is repeated."""

import json
import logging
import socket

import pytest

from sightline.errors import UsageError
from sightline.flow.notify import Notified, notify

from ..deliver._service import Answer, Service

# One of the libraries that apprise looks for imports it.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")


def _address(service: Service, rest: str = "") -> str:
    return service.url.replace("http://", "json://") + rest


def test_messages_arrive_as_one_notification() -> None:
    """A real server gets the title and all messages, line by line; umlauts and marks stay."""
    with Service(lambda _: Answer()) as service:
        assert notify(["EOS 5D: −12 %", "<b>Größe</b> & more"], [_address(service)], title="Prices") == Notified(sent=1)
    sent = json.loads(service.requests[0].body)
    assert (sent["title"], sent["message"]) == ("Prices", "EOS 5D: −12 %\n<b>Größe</b> & more")


def test_failing_address_does_not_stop_the_others() -> None:
    """One that refuses, one that is down and one that is none are told by their places; the last one is reached."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        down = f"json://127.0.0.1:{closed.getsockname()[1]}"
    with Service(lambda _: Answer(), [Answer(500)]) as service:
        done = notify(["a"], [_address(service), down, "nonsense", "nosuch://a", _address(service)])
    assert done.sent == 1
    assert len(service.requests) == 2
    assert [text.split(" of ")[0] for text in done.failed] == ["Address 1", "Address 2", "Address 3", "Address 4"]
    assert "500" in done.failed[0]
    assert "isn't one that apprise knows" in done.failed[2]


def test_secrets_are_not_repeated(caplog: pytest.LogCaptureFixture) -> None:
    """Neither in the result nor in the logs, at any level."""
    caplog.set_level(logging.DEBUG)
    with Service(lambda _: Answer(401)) as service:
        rest = service.url.removeprefix("http://")
        done = notify(["a"], [f"json://anna:hunter2@{rest}/t0ken-path?+X-Key=s3cret", "nosuch://hunter2", "hunter2"])
        assert service.requests[0].path.startswith("/t0ken-path")
    assert len(done.failed) == 3
    shown = f"{done!r} {caplog.text}"
    for secret in ("hunter2", "t0ken", "s3cret", "anna"):
        assert secret not in shown


def test_nothing_to_say_is_not_said() -> None:
    """No messages, or nobody to send them to: nothing happens."""
    with Service(lambda _: Answer()) as service:
        assert notify([], [_address(service)]) == Notified()
        assert notify(["a"], []) == Notified()
    assert service.requests == []


def test_single_text_is_refused() -> None:
    """Its letters would be taken for messages; the error does not repeat an address."""
    with pytest.raises(UsageError, match="put a single one in brackets"):
        notify("a", ["json://h"])
    with pytest.raises(UsageError, match="addresses must be a list") as raised:
        notify(["a"], "json://hunter2")
    assert "hunter2" not in str(raised.value)
