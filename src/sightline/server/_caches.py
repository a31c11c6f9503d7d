"""Memory of what took long to make, bounded by weight."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")


class Cache(Generic[Key, Made]):
    """Keeps what was used last, up to a total weight; each thing is made once, also if several ask at a time.

    Nobody waits for things under other keys: the lock is held for looking, never for making.

    >>> cache = Cache(2)
    >>> [cache.get(letter, lambda: letter.upper()) for letter in "abca"], len(cache)
    (['A', 'B', 'C', 'A'], 2)
    """

    def __init__(self, most: int, weight: Callable[[Made], int] = lambda _: 1) -> None:
        self._most = most
        self._weight = weight
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, tuple[Made, int]] = OrderedDict()
        self._making: dict[Key, Future[Made]] = {}
        self._total = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Key, make: Callable[[], Made]) -> Made:
        """What is kept under a key, or else is made now; an error of making it is raised for all who wait for it."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
            others = self._making.get(key)
            own: Future[Made] = Future()
            if others is None:
                self._making[key] = own
        if others is not None:
            return others.result()
        try:
            made = make()
        except BaseException as problem:
            with self._lock:
                self._forget_making(key, own)
            own.set_exception(problem)
            raise
        with self._lock:
            if self._forget_making(key, own):
                self._keep(key, made)
        own.set_result(made)
        return made

    def forget(self, *keys: Key) -> None:
        """Keep these no longer; what is being made of them now is not kept either."""
        with self._lock:
            for key in keys:
                self._drop(key)
                self._making.pop(key, None)

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._kept.clear()
            self._making.clear()
            self._total = 0

    def _forget_making(self, key: Key, own: "Future[Made]") -> bool:
        if self._making.get(key) is not own:
            return False
        del self._making[key]
        return True

    def _keep(self, key: Key, made: Made) -> None:
        self._drop(key)
        weight = self._weight(made)
        self._kept[key] = made, weight
        self._total += weight
        while self._total > self._most and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: Key) -> None:
        found = self._kept.pop(key, None)
        if found:
            self._total -= found[1]
