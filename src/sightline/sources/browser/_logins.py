"""Users and passwords for sites that ask for them by HTTP (basic authentication), each for one origin only."""

from typing import Any
from urllib.parse import urlsplit

from sightline.errors import UsageError
from sightline.sources.browser._tab import Tab

__all__ = ["Logins"]

DEFAULT_PORTS = {"http": 80, "https": 443}


class Logins:
    """The logins of one session. A password is sent to its own origin only, and once for each request."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, int], tuple[str, str]] = {}
        self._tried: set[str] = set()

    def add(self, address: str, user: str, password: str) -> None:
        """Remember a login for the origin of an address."""
        origin = _origin(address)
        if origin is None:
            raise UsageError(f"{address} is not the address of a site; give one that starts with https:// or http://.")
        self._known[origin] = (user, password)

    def begin_action(self) -> None:
        """Let every login be tried again."""
        self._tried.clear()

    def answer(self, tab: Tab, params: dict[str, Any]) -> None:
        """Answer a site that asks for a user; unknown or rejected ones are not asked again, but see its error page."""
        number, challenge = params["requestId"], params["authChallenge"]
        origin = _origin(challenge.get("origin", "")) if challenge.get("source") != "Proxy" else None
        login = self._known.get(origin) if origin and number not in self._tried else None
        self._tried.add(number)
        reply = {"response": "CancelAuth"}
        if login:
            reply = {"response": "ProvideCredentials", "username": login[0], "password": login[1]}
        answer = {"requestId": number, "authChallengeResponse": reply}
        tab.connection.send("Fetch.continueWithAuth", answer, session=tab.session)


def _origin(address: str) -> tuple[str, str, int] | None:
    try:
        place = urlsplit(address)
        port = place.port or DEFAULT_PORTS.get(place.scheme)
    except ValueError:
        return None
    return (place.scheme, place.hostname, port) if place.hostname and port else None
