"""Decompression that counts its output, so that a small input never becomes a large one unnoticed.

Each decoder gives its output in small pieces; the `Inflater` adds them up in every layer and stops at the limit.
Peak memory is therefore the limit and a few pieces, whatever the input claims.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import brotli
import zstandard

PIECE = 256 * 1024
"""The size of the pieces in which decoders give their output (zstd: up to 2 MB)."""

_MAX_LAYERS = 3  # real servers use one; two occur by mistake; more is an attack
_ZSTD_STEP = 64  # a block takes 4 bytes or more and gives 128 KB or less: at most 2 MB a step, and still 500 MB/s
_ZSTD_WINDOW = 8 * 1024 * 1024  # what RFC 8878 asks of receivers, and browsers' limit


class TooLargeError(Exception):
    """The decompressed bytes exceed the limit."""


class DamagedStreamError(Exception):
    """The compressed bytes are not what they say they are."""


class _Layer(Protocol):
    """One decoder: compressed bytes in, pieces of bounded size out."""

    def feed(self, data: bytes) -> Iterator[bytes]: ...

    @property
    def complete(self) -> bool: ...


class Inflater:
    """Undoes the codings of a Content-Encoding header, piece by piece, up to a limit of bytes in any layer."""

    def __init__(self, names: Iterable[str], *, limit: int) -> None:
        layers = [_LAYERS[name]() for name in reversed(list(names))]
        if len(layers) > _MAX_LAYERS:
            raise TooLargeError
        self._layers: list[_Layer] = layers
        self._sizes = [0] * len(layers)
        self._limit = limit

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Give what these compressed bytes become; TooLargeError or DamagedStreamError end it."""
        yield from self._through(data, 0)

    @property
    def complete(self) -> bool:
        """Whether every layer has seen its end; False means that the input was cut short."""
        return all(layer.complete for layer in self._layers)

    def _through(self, data: bytes, depth: int) -> Iterator[bytes]:
        if depth == len(self._layers):
            yield data
            return
        for piece in self._layers[depth].feed(data):
            self._sizes[depth] += len(piece)
            if self._sizes[depth] > self._limit:
                raise TooLargeError
            yield from self._through(piece, depth + 1)


def codings(header: str) -> tuple[str, ...]:
    """Return the codings that a Content-Encoding header names, in the order applied; ones we do not know are left out.

    >>> codings("GZIP, identity, br")
    ('gzip', 'br')
    """
    names = (name.strip().lower() for name in header.split(","))
    return tuple(name for name in names if name in _LAYERS)


class _Zlib:
    """gzip (also several members in a row) and deflate (with or without the zlib frame, as browsers accept it)."""

    def __init__(self, *, gzip: bool) -> None:
        self._gzip = gzip
        self._decoder: zlib._Decompress | None = None
        self._started = False

    @property
    def complete(self) -> bool:
        return not self._started or self._decoder is None

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._decoder is None:
                if self._started and not self._goes_on(data):
                    return
                self._decoder = zlib.decompressobj(self._window(data))
                self._started = True
            try:
                piece = self._decoder.decompress(data, PIECE)
            except zlib.error as error:
                raise DamagedStreamError(str(error)) from error
            data = self._decoder.unconsumed_tail
            if self._decoder.eof:
                data, self._decoder = self._decoder.unused_data, None
            elif not data and len(piece) == PIECE:
                yield piece
                piece = self._decoder.decompress(b"", PIECE)
            yield piece

    def _goes_on(self, data: bytes) -> bool:
        return self._gzip and data.startswith(b"\x1f")

    def _window(self, data: bytes) -> int:
        if self._gzip:
            return zlib.MAX_WBITS | 16
        framed = len(data) >= 2 and data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
        return zlib.MAX_WBITS if framed or len(data) < 2 else -zlib.MAX_WBITS


class _Brotli:
    """br."""

    def __init__(self) -> None:
        self._decoder = brotli.Decompressor()
        self._started = False

    @property
    def complete(self) -> bool:
        return not self._started or bool(self._decoder.is_finished())

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._started = self._started or bool(data)
        if self._decoder.is_finished():
            return
        try:
            piece = self._decoder.process(data, output_buffer_limit=PIECE)
            while piece:
                yield piece
                piece = self._decoder.process(b"", output_buffer_limit=PIECE)
        except brotli.error as error:
            raise DamagedStreamError(str(error)) from error


class _Zstd:
    """zstd; the binding does not bound its output, so the input goes in steps that can only hold a few blocks."""

    def __init__(self) -> None:
        self._decoder = self._fresh()
        self._started = False

    @property
    def complete(self) -> bool:
        return not self._started

    def feed(self, data: bytes) -> Iterator[bytes]:
        view = memoryview(data)
        for start in range(0, len(view), _ZSTD_STEP):
            yield from self._step(bytes(view[start : start + _ZSTD_STEP]))

    def _step(self, data: bytes) -> Iterator[bytes]:
        while data:
            self._started = True
            try:
                yield self._decoder.decompress(data)
            except zstandard.ZstdError as error:
                raise DamagedStreamError(str(error)) from error
            if not self._decoder.eof:
                return
            data, self._decoder, self._started = self._decoder.unused_data, self._fresh(), False

    @staticmethod
    def _fresh() -> "zstandard.ZstdDecompressionObj":
        return zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()


_LAYERS: dict[str, Callable[[], _Layer]] = {
    "gzip": lambda: _Zlib(gzip=True),
    "x-gzip": lambda: _Zlib(gzip=True),
    "deflate": lambda: _Zlib(gzip=False),
    "br": _Brotli,
    "zstd": _Zstd,
}
