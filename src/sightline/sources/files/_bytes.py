"""The bytes of a WARC file from any place on: inflated where they are compressed, in sections that end with a member.

Writers compress each record as a gzip member of its own, so that a member that begins with `WARC/` begins a record,
whatever the length of the record before it says. A section ends there. Members that do not begin so are read as one
with the member before them: some tools cut the file into blocks without looking at its records.
"""

import re
import zlib
from typing import BinaryIO, NamedTuple

GZIP = b"\x1f\x8b\x08"
BEGIN = b"WARC/"
"""With what every record begins."""

# Not behind a line break: that belongs to the record before, and may be damaged with it.
MARK = re.compile(rb"WARC/\d\.\d\d?\r\n")
"""The first line of a record, wherever it stands."""

_BLANK = b"\r\n"
_NOT_BLANK = re.compile(rb"[^\r\n]")
_MARK_BYTES = 11
# zlib copies what it leaves of its input at the end of each member. Of 16, 64 and 256 KB, the first was the fastest for
# records of 1 KB, and for those of 30 KB all are alike.
_INPUT = 16 * 1024
_PIECE = 256 * 1024
_HEAD_PIECE = 2048  # a record's head and that of the answer in it, to be known even if what follows is damaged
_WINDOW = 1 << 20


class WarcPlace(NamedTuple):
    """Where a record begins: the first byte of its gzip member, and how far in what that becomes; 0 in plain files."""

    position: int
    offset: int = 0


class BrokenMember(Exception):
    """Compressed bytes that cannot be inflated; the message says why."""


class SectionedBytes:
    """The bytes from a place on, taken piece by piece; nothing goes beyond a section until `next_section` is called."""

    def __init__(self, stream: BinaryIO, place: WarcPlace) -> None:
        self._stream = stream
        stream.seek(place.position)
        self._input = stream.read(_INPUT)
        self._input_end = place.position + len(self._input)
        self.packed = self._input.startswith(GZIP)
        self._decoder: zlib._Decompress | None = None
        self._most = _HEAD_PIECE
        self._buffer = b""
        self._at = 0
        self._passed = 0  # bytes of the buffers before this one
        self._members = [(0, place.position)]  # where each begins in what was given out, and in the file
        self._waiting = b""  # the first piece of the next section
        self.ended = False
        self.trouble = ""  # why what follows the section cannot be read
        if self.packed:
            self._begin_member()
        self.skip(place.offset)

    @property
    def given(self) -> int:
        """How many bytes were given out or passed over."""
        return self._passed + self._at

    @property
    def place(self) -> WarcPlace:
        """Where the next byte stands."""
        given = self._passed + self._at
        while len(self._members) > 1 and self._members[1][0] <= given:
            del self._members[0]
        first, position = self._members[0]
        return WarcPlace(position, given - first) if self.packed else WarcPlace(position + given)

    @property
    def member(self) -> int:
        """The first byte of the member that was opened last."""
        return self._members[-1][1] if self.packed else self.place.position

    @property
    def at_end(self) -> bool:
        """Whether the section has no more bytes."""
        return self._at == len(self._buffer) and not self._fill()

    def starts(self, begin: bytes) -> bool:
        """Whether the next bytes are these."""
        while len(self._buffer) - self._at < len(begin) and self._fill():
            pass
        return self._buffer.startswith(begin, self._at)

    @property
    def at_record(self) -> bool:
        """Whether a record begins here."""
        while len(self._buffer) - self._at < _MARK_BYTES and self._fill():
            pass
        return bool(MARK.match(self._buffer, self._at))

    def peek(self, most: int) -> bytes:
        """What of the next bytes is known already."""
        return self._buffer[self._at : self._at + most]

    def skip_blank(self) -> None:
        """Pass over line breaks."""
        while not self.at_end:
            found = _NOT_BLANK.search(self._buffer, self._at)
            self._at = found.start() if found else len(self._buffer)
            if found:
                return

    def skip(self, count: int) -> int:
        """Pass over so many bytes; the number of those that were there."""
        left = count
        while left and not self.at_end:
            step = min(left, len(self._buffer) - self._at)
            self._at += step
            left -= step
        return count - left

    def take(self, count: int) -> bytes:
        """The next bytes; fewer at the end of a section."""
        pieces = []
        while count and not self.at_end:
            piece = self._buffer[self._at : self._at + count]
            self._at += len(piece)
            count -= len(piece)
            pieces.append(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def take_until(self, end: bytes, most: int) -> bytes | None:
        """The bytes before a mark, which is passed over; None if it is not among the next ones."""
        start = 0
        while (found := self._buffer.find(end, self._at + start)) < 0:
            start = max(0, len(self._buffer) - self._at - len(end))
            if start > most or not self._fill():
                return None
        taken = self._buffer[self._at : found]
        self._at = found + len(end)
        return taken

    def skip_to_mark(self) -> bool:
        """Go to the next record inside of the section; False if there is none."""
        while True:
            found = MARK.search(self._buffer, self._at)
            if found:
                self._at = found.start()
                return True
            self._at = max(self._at, len(self._buffer) - _MARK_BYTES)
            if not self._fill():
                self._at = len(self._buffer)
                return False

    def next_section(self) -> bool:
        """Go on behind the end of a section; False at the end of the file."""
        if not self._waiting:
            return False
        self._passed += len(self._buffer)
        self._buffer, self._at, self._waiting = self._waiting, 0, b""
        return True

    def _fill(self) -> bool:
        """Add a piece to the buffer; False at the end of the section."""
        if self._waiting or self.ended or self.trouble:
            return False
        piece = self._inflated() if self.packed else self._read()
        if not piece:
            return False
        self._passed += self._at
        self._buffer = self._buffer[self._at :] + piece if self._at < len(self._buffer) else piece
        self._at = 0
        return True

    def _read(self) -> bytes:
        piece, self._input = self._input or self._stream.read(_PIECE), b""
        self.ended = not piece
        return piece

    def _inflated(self) -> bytes:
        """The next piece of this member, or of the next one if it belongs to it."""
        while not self.ended:
            if self._decoder is not None:
                piece = self._piece(self._decoder)
            elif (piece := self._opened()).startswith(BEGIN):
                self._waiting = piece
                return b""
            if piece or self.trouble:
                return piece
        return b""

    def _opened(self) -> bytes:
        """The first bytes of the next member; what is wrong with it is kept, since nothing before it is to blame."""
        while len(self._input) < len(GZIP) and self._more():
            pass
        if not self._input.strip(_BLANK) and not self._more():
            self.ended = True
            return b""
        self._members.append((self._passed + len(self._buffer), self._input_end - len(self._input)))
        if not self._input.startswith(GZIP):
            self.trouble = "there are bytes that belong to no record"
            return b""
        self._begin_member()
        begin = b""
        try:
            while len(begin) < len(BEGIN) and self._decoder is not None:
                begin += self._piece(self._decoder)
        except BrokenMember as problem:
            self.trouble = str(problem)
        return b"" if self.trouble else begin

    def _begin_member(self) -> None:
        self._decoder = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._most = _HEAD_PIECE

    def _piece(self, decoder: "zlib._Decompress") -> bytes:
        if not self._input and not self._more():
            raise BrokenMember("the file ends in the middle of it")
        most, self._most = self._most, _PIECE
        try:
            piece = decoder.decompress(self._input, most)
        except zlib.error as error:
            raise BrokenMember(str(error).rpartition(": ")[2]) from error
        if decoder.eof:
            self._input, self._decoder = decoder.unused_data, None
        else:
            self._input = decoder.unconsumed_tail
        return piece

    def _more(self) -> bool:
        piece = self._stream.read(_INPUT)
        self._input += piece
        self._input_end += len(piece)
        return bool(piece)


# -- after damage --------------------------------------------------------------------------------------------------


def find_place(stream: BinaryIO, start: int, *, packed: bool | None = None) -> WarcPlace | None:
    """Find the next place where a record, or a member with one in it, begins; of either kind if it is not known."""
    places = [_find_member(stream, start)] if packed in (True, None) else []
    if packed in (False, None):
        places.append(_find_mark(stream, start))
    return min((place for place in places if place), default=None)


def _find_mark(stream: BinaryIO, start: int) -> WarcPlace | None:
    stream.seek(start)
    before = b""
    while window := stream.read(_WINDOW):
        both = before + window
        if found := MARK.search(both):
            return WarcPlace(start - len(before) + found.start())
        start += len(window)
        before = both[-_MARK_BYTES:]
    return None


def _find_member(stream: BinaryIO, start: int) -> WarcPlace | None:
    """The next member that holds the beginning of a record: pages are often compressed themselves."""
    while True:
        stream.seek(start)
        window = stream.read(_WINDOW)
        found = -1
        while (found := window.find(GZIP, found + 1)) >= 0:
            if _holds_record(stream, start + found):
                return WarcPlace(start + found)
        if len(window) < _WINDOW:
            return None
        start += len(window) - len(GZIP) + 1


def _holds_record(stream: BinaryIO, position: int) -> bool:
    stream.seek(position)
    try:
        begin = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(stream.read(_INPUT), _PIECE)
    except zlib.error:
        return False
    return begin.startswith(BEGIN) or bool(MARK.search(begin))
