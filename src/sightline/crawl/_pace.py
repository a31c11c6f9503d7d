"""How fast a host is visited, as its own answers tell."""

from sightline.net import asked_pause, backoff

__all__ = ["AnswerPace"]

_SLOW_SECONDS = 1.0  # an answer that takes longer means that the host has enough to do
_MOST_PAUSE = 60.0
_CALM = 20  # answers in a row after which a host that was busy may be visited faster again
_SHARE = 0.2  # of the newest answer in the average


class AnswerPace:
    """The pause between two visits of a host, beyond what its robots.txt and the user ask for.

    >>> pace = AnswerPace()
    >>> pace.failed(None), pace.failed(None), pace.failed((("Retry-After", "30"),))
    (1.0, 2.0, 30.0)
    """

    def __init__(self, retry_seconds: float = 1.0) -> None:
        self._retry_seconds = retry_seconds
        self._average = 0.0
        self._penalty = 0.0
        self._calm = 0
        self.failures = 0
        """How many answers in a row failed."""

    @property
    def pause(self) -> float:
        """Seconds between the end of a visit and the beginning of the next: as long as slow answers take."""
        return min(_MOST_PAUSE, max(self._penalty, self._average if self._average > _SLOW_SECONDS else 0.0))

    def answered(self, seconds: float) -> None:
        """Take in an answer that came, and how long it took."""
        self._average += _SHARE * (seconds - self._average)
        self.failures = 0
        self._calm += 1
        if self._penalty and self._calm >= _CALM:
            self._calm = 0
            self._penalty = self._penalty / 2 if self._penalty > 0.1 else 0.0

    def failed(self, headers: tuple[tuple[str, str], ...] | None) -> float:
        """Take in a failure; the seconds to leave the host alone, which the answer itself may name."""
        self.failures += 1
        self._calm = 0
        asked = asked_pause(headers) if headers else None
        if headers is not None:  # it answered, and said that it has too much to do
            self._penalty = min(_MOST_PAUSE, max(1.0, 2 * self._penalty))
        return asked if asked is not None else backoff(self.failures, self._retry_seconds)
