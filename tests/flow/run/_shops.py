"""Web shops on loopback whose pages change from day to day, and somebody who is to hear of runs."""

import json
from collections.abc import Callable

from ..deliver._service import Answer, Request, Service

Opened = Callable[["Shop"], str]
CAMERAS = {"Arden": "10", "Lumora": "20", "Corvus": "30", "Heliox": "40", "Mirado": "50"}


class Shop:
    """A shop with one page: a table of prices, an empty table, or an error."""

    def __init__(self, prices: dict[str, str]) -> None:
        self.prices = prices
        self.status = 200
        self.asked = 0

    def page(self, request: Request) -> Answer:
        """The page as it is now."""
        if request.path == "/robots.txt":
            return Answer(404)
        self.asked += 1
        rows = "".join(f"<tr><td>{name}<td>{price}" for name, price in self.prices.items())
        head = "<tr><th>name<th>price" if self.prices else ""
        body = f"<!doctype html><title>Prices</title><table>{head}{rows}</table>"
        return Answer(self.status, body.encode(), {"Content-Type": "text/html; charset=utf-8"})


class Told:
    """A web server that takes messages."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.address = service.url.replace("http://", "json://")

    @property
    def titles(self) -> list[str]:
        """The titles of what was sent, in order."""
        return [json.loads(request.body)["title"] for request in self.service.requests]


def source(name: str, address: str, more: str = "") -> str:
    """A source of one page."""
    keys = "".join(f"  {line}\n" for line in more.splitlines())
    return f"{name}:\n  extract: {address}\n  take: tables\n  static: true\n{keys}"
