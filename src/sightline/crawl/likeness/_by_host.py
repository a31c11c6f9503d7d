"""A likeness for each host, where examples come from several: what makes a page of one is nothing on another."""

from collections.abc import Mapping

import msgspec

from sightline.crawl._addresses import host_of
from sightline.crawl.likeness._judgement import Judgement, Likeness
from sightline.sources import PageOutline

__all__ = ["LikenessByHost"]


class LikenessByHost:
    """Judges pages by the examples of their own host, and those of hosts without any by `otherwise`."""

    def __init__(self, hosts: Mapping[str, Likeness], otherwise: Likeness | None = None) -> None:
        self._hosts = dict(hosts)
        self._otherwise = otherwise

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:
        """The judgement of the likeness for the page's host."""
        likeness = self._hosts.get(host_of(url), self._otherwise)
        return likeness.judge(text, outline, url) if likeness else Judgement(is_target=False, likeness=0.0)

    def dumps(self) -> bytes:
        """What the likenesses of all hosts learned."""
        learned = {host: likeness.dumps() for host, likeness in self._hosts.items()}
        return msgspec.msgpack.encode({**learned, "": self._otherwise.dumps() if self._otherwise else b""})

    def resume(self, state: bytes) -> None:
        """Go on with what `dumps` wrote down."""
        learned = msgspec.msgpack.decode(state, type=dict[str, bytes])
        for host, likeness in self._hosts.items():
            if learned.get(host):
                likeness.resume(learned[host])
        if self._otherwise and learned.get(""):
            self._otherwise.resume(learned[""])
