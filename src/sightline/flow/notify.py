"""Messages to people: by mail, chat or a web address, whatever apprise has an address for.

Sends messages by apprise; an address may hold a secret, so no error, result or log repeats one.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sightline.errors import MissingExtra, UsageError
from sightline.flow._addresses import quiet

__all__ = ["Notified", "check_addresses", "notify", "shown_address"]

_LONGEST_REASON = 200  # characters of what apprise says about a failure
_SHORTEST_SECRET = 4  # shorter parts of an address are parts of other words


@dataclass(frozen=True)
class Notified:
    """How many addresses took the messages, and a sentence for each that did not, without the address itself."""

    sent: int = 0
    failed: tuple[str, ...] = ()


def notify(messages: Sequence[str], addresses: Sequence[str], *, title: str = "Sightline") -> Notified:
    """Send messages to all addresses, as the lines of one notification; an address that fails does not stop the others.

    Addresses are those of apprise, such as `mailto://user:password@example.org` or `json://host/path`.
    """
    for name, texts in (("messages", messages), ("addresses", addresses)):
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
            raise UsageError(f"The {name} must be a list of texts; put a single one in brackets.")
    if not messages or not addresses:
        return Notified()
    try:
        import apprise
    except ImportError as problem:
        raise MissingExtra("notify", "Sending notifications") from problem
    body = "\n".join(messages)
    failed = []
    with quiet("apprise", "urllib3"):
        for place, address in enumerate(addresses, 1):
            reason = _sent(apprise, address, title, body)
            if reason is not None:
                failed.append(f"Address {place} of {len(addresses)} ({shown_address(address)}) {reason}")
    return Notified(len(addresses) - len(failed), tuple(failed))


def check_addresses(addresses: Sequence[str]) -> None:
    """Refuse addresses that no message could be sent to, before there is any message."""
    try:
        import apprise
    except ImportError as problem:
        raise MissingExtra("notify", "Sending notifications") from problem
    with quiet("apprise", "urllib3"):
        for place, address in enumerate(addresses, 1):
            if not apprise.Apprise().add(address):
                told = f"Address {place} of {len(addresses)} ({shown_address(address)})"
                raise UsageError(f"{told} isn't one that apprise knows; write it as docs/delivery.md says.")


def _sent(apprise: Any, address: str, title: str, body: str) -> str | None:
    """Why a notification could not be sent; None if it was."""
    sender = apprise.Apprise()
    with apprise.LogCapture(level=logging.WARNING, fmt="%(message)s") as said:
        if not sender.add(address):
            return "isn't one that apprise knows; write it as docs/delivery.md says."
        if sender.notify(body=body, title=title, body_format=apprise.NotifyFormat.TEXT):
            return None
        lines = said.getvalue().splitlines()
    reason = _without(address, lines[0].rstrip(".")) if lines else "apprise gives no reason"
    return f"did not take the messages ({reason[:_LONGEST_REASON]}); check the address and the service."


def shown_address(address: str) -> str:
    """The one part of an address that is never a secret.

    >>> shown_address("mailto://user:password@example.org")
    'mailto://…'
    """
    found = re.match(r"([a-z0-9]+)://", address, re.IGNORECASE)
    return f"{found[1]}://…" if found else "without a scheme"


def _without(address: str, text: str) -> str:
    """A text without any part of an address but its host, which the reason may need."""
    rest = address.partition("://")[2]
    host = re.split(r"[/?]", rest)[0].rpartition("@")[2]
    parts = {part for part in re.split(r"[^\w.%+-]+", rest) if len(part) >= _SHORTEST_SECRET and part not in host}
    for part in sorted(parts, key=len, reverse=True):
        text = text.replace(part, "…")
    return text
