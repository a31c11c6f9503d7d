"""Bytes to text as browsers do it: the HTML standard's encoding sniffing and the Encoding Standard's decoders.

The order of belief: a byte order mark, the transport's charset, a `<meta>` in the first 1,024 bytes, an XML
declaration, and finally a guess from the bytes (`_detect`). One thing is not as in browsers: a page that declares an
encoding of single bytes in itself, and is UTF-8 throughout, was saved anew by a program that left the declaration as it
was; it is read as UTF-8. Decoding never fails: invalid bytes become
U+FFFD. NULs of HTML are left in place, because the HTML parser drops or replaces them depending on where they
stand; in plain text they become U+FFFD.
"""

import codecs
import re
from dataclasses import dataclass
from functools import cache

from sightline.sources.html._guess_encoding import CODECS, CORRECTIONS, EXTRA_BYTES, LABELS, LEADS, detect

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_PRESCAN_BYTES = 1024
# As text of single bytes these are pairs such as "Ã©", which nobody writes; three of them are proof.
_UTF8_LETTER, _LETTERS, _READ_FOR_LETTERS = re.compile(rb"[\xc3-\xf4][\x80-\xbf]+"), 3, 2_000_000
_SPACE = b"\t\n\f\r "
_MULTIBYTE = frozenset({"gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr"})
_VENDOR_ROWS = (0xAD, 0xF9, 0xFA, 0xFB, 0xFC)  # NEC's row 13 and its choice of IBM's characters
_UNICODE = frozenset({"utf-8", "utf-16le", "utf-16be"})


@dataclass(frozen=True)
class Decoded:
    """Text, the name of the encoding it was read in, and whether that was declared rather than guessed."""

    text: str
    encoding: str
    certain: bool


def decode(content: bytes, charset: str | None = None, *, html: bool = True) -> Decoded:
    r"""Read the text of these bytes; `charset` is what the transport said; `html=False` ignores what markup says.

    >>> decode(b"<meta charset=latin1>caf\xe9").text[-4:], decode(b"caf\xe9", "utf-8").text
    ('café', 'caf�')
    """
    encoding, certain, mark = _encoding(content, charset, html=html)
    text = _text(content[mark:], encoding)
    if not html and "\0" in text:
        text = text.replace("\0", "\ufffd")
    return Decoded(text, encoding, certain)


def encoding_of_label(label: str) -> str | None:
    """Return the encoding that a label names, or None for labels that browsers do not know.

    >>> encoding_of_label(" ISO-8859-1 "), encoding_of_label("utf-7")
    ('windows-1252', None)
    """
    return LABELS.get(label.strip("\t\n\f\r ").lower())


def declared_encoding(content: bytes) -> str | None:
    """Return the encoding that markup declares in its first 1,024 bytes, by `<meta>` or XML declaration."""
    head = content[:_PRESCAN_BYTES]
    if head.startswith(b"<\0?\0x\0"):
        return "utf-16le"
    if head.startswith(b"\0<\0?\0x"):
        return "utf-16be"
    return _meta_encoding(head) or _xml_encoding(head)


def _encoding(content: bytes, charset: str | None, *, html: bool) -> tuple[str, bool, int]:
    """Return the encoding, whether it was declared, and the length of the byte order mark."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding, True, len(mark)
    declared = encoding_of_label(charset) if charset else None
    if not declared and html and (declared := declared_encoding(content)) and _is_saved_anew(content, declared):
        declared = "utf-8"
    return (declared, True, 0) if declared else (detect(content), False, 0)


def _is_saved_anew(content: bytes, declared: str) -> bool:
    """Whether the bytes are UTF-8 although they declare an encoding of single bytes, by several letters of it."""
    if declared in _UNICODE or declared in _MULTIBYTE or content.isascii():
        return False
    if len(_UTF8_LETTER.findall(content[:_READ_FOR_LETTERS])) < _LETTERS:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


# -- declarations in the bytes -------------------------------------------------------------------------------------

_TAG = re.compile(rb"</?[A-Za-z][^\t\n\f\r >]*")
_META = re.compile(rb"<meta[\t\n\f\r /]", re.IGNORECASE)
# A whole tag as nearly all are written. Most of a head is stepped over by it, and not attribute by attribute.
_NEAT_TAG = re.compile(rb"</?[A-Za-z][^\t\n\f\r >]*(?:[\t\n\f\r ]+[A-Za-z:_-]++=\"[^\"]*+\")*+[\t\n\f\r ]*+/?>")
_SAYS_CHARSET = re.compile(rb"charset", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"[\t\n\f\r /]*(?:(?P<end>>)|(?P<name>=?[^\t\n\f\r />=]*)[\t\n\f\r ]*"
    rb"(?:=[\t\n\f\r ]*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\t\n\f\r >\"'][^\t\n\f\r >]*|(?=>))))?)"
)
_CHARSET = re.compile(
    rb"charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))", re.IGNORECASE
)
_XML = re.compile(rb"<\?xml[\t\n\f\r ][^>]*?encoding[\t\n\f\r ]*=[\t\n\f\r ]*([\"'])([^\"'>]*)\1", re.IGNORECASE)


def _meta_encoding(head: bytes) -> str | None:
    """Prescan as the HTML standard does: comments and tags are stepped over, attributes read, values looked up."""
    position = head.find(b"<")
    while position >= 0:
        if head.startswith(b"<!--", position):
            end = head.find(b"-->", position + 2)
            following = end + 3 if end >= 0 else len(head)
        elif (neat := _NEAT_TAG.match(head, position)) and not _SAYS_CHARSET.search(head, position, neat.end()):
            following = neat.end()
        elif _META.match(head, position):
            attributes, following = _attributes(head, position + 5)
            found = _declared_by_meta(attributes)
            if found:
                return found
        elif tag := _TAG.match(head, position):
            _, following = _attributes(head, tag.end())
        elif head[position + 1 : position + 2] in (b"!", b"/", b"?"):
            end = head.find(b">", position)
            following = end + 1 if end >= 0 else len(head)
        else:
            following = position + 1
        position = head.find(b"<", following)
    return None


def _attributes(head: bytes, position: int) -> tuple[dict[bytes, bytes], int]:
    """Return the attributes of a tag and where it ends; a tag cut off by the end of the head has none."""
    found: dict[bytes, bytes] = {}
    while position < len(head):
        match = _ATTRIBUTE.match(head, position)
        if not match or (match.end() >= len(head) and not match["end"]) or match.end() == position:
            return {}, len(head)
        position = match.end()
        if match["end"]:
            return found, position
        value = match["double"] or match["single"] or match["bare"] or b""
        found.setdefault(match["name"].lower(), value)
    return {}, len(head)


def _declared_by_meta(attributes: dict[bytes, bytes]) -> str | None:
    label = attributes.get(b"charset")
    if label is None and attributes.get(b"http-equiv", b"").lower() == b"content-type":
        label = _charset_of_content(attributes.get(b"content", b""))
    return _declared(label) if label is not None else None


def _charset_of_content(content: bytes) -> bytes | None:
    """Return the value of `charset=` in a `content` attribute, quoted or bare."""
    match = _CHARSET.search(content)
    return next((group for group in match.groups() if group is not None), None) if match else None


def _xml_encoding(head: bytes) -> str | None:
    match = _XML.match(head)
    return _declared(match[2]) if match else None


def _declared(label: bytes) -> str | None:
    """Look up a label found in ASCII bytes: it cannot mean UTF-16, and x-user-defined stands for windows-1252."""
    encoding = encoding_of_label(label.decode("ascii", "replace"))
    if encoding in ("utf-16le", "utf-16be"):
        return "utf-8"
    return "windows-1252" if encoding == "x-user-defined" else encoding


# -- decoders ------------------------------------------------------------------------------------------------------


def _text(content: bytes, encoding: str) -> str:
    if encoding in _UNICODE:
        return content.decode(CODECS[encoding], "replace")
    if encoding == "replacement":
        return "\ufffd" if content else ""
    if encoding in _MULTIBYTE:
        return _as_web(content.decode(CODECS[encoding], "sightline-web"), encoding)
    return codecs.charmap_decode(content, "replace", _table(encoding))[0]


@cache
def _table(encoding: str) -> str:
    """Return the 256 characters of a single-byte encoding; U+FFFE stands for an invalid byte."""
    if encoding == "x-user-defined":
        return "".join(chr(byte if byte < 0x80 else 0xF700 + byte) for byte in range(256))
    extra = EXTRA_BYTES.get(encoding, {})
    return "".join(extra.get(byte) or _character(byte, CODECS[encoding]) for byte in range(256))


def _character(byte: int, codec: str) -> str:
    text = bytes([byte]).decode(codec, "ignore")
    return text or (chr(byte) if 0x80 <= byte < 0xA0 else "\ufffe")


def _as_web(text: str, encoding: str) -> str:
    """Return the characters that browsers choose where Python's codec chooses others."""
    for ours, theirs in CORRECTIONS.get(encoding, {}).items():
        text = text.replace(ours, theirs)
    return text


def _web_error(error: UnicodeError) -> tuple[str | bytes, int]:
    """Read as browsers do where Python's multi-byte codecs see an error: known extensions, else U+FFFD."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    pair = error.object[error.start : error.start + 2]
    character = _extension(error.encoding, pair)
    if character:
        return character, error.start + (1 if pair[0] == 0x80 else 2)
    leads = LEADS.get(error.encoding, ())
    takes_trail = len(pair) == 2 and pair[1] >= 0x80 and pair[0] in leads
    return "\ufffd", error.start + (2 if takes_trail else 1)


def _extension(codec: str, pair: bytes) -> str:
    if codec == "gb18030":
        return "€" if pair[0] == 0x80 else ""
    if len(pair) < 2 or pair[0] <= 0x80 or pair[1] < 0x40:
        return ""
    character = ""
    if codec == "big5hkscs":
        character = pair.decode("cp950", "ignore")
    elif codec == "euc_jp" and pair[0] in _VENDOR_ROWS and 0xA0 < pair[1] < 0xFF:
        character = _shifted(pair).decode("cp932", "ignore")
    return character if len(character) == 1 and character > "\x7f" else ""


def _shifted(pair: bytes) -> bytes:
    """Rewrite a pair of EUC-JP as Shift_JIS, whose codec knows the vendors' rows that EUC-JP's lacks."""
    row, cell = pair[0] - 0xA1, pair[1] - 0xA1
    lead = row // 2 + (0x81 if row < 62 else 0xC1)
    trail = cell + 0x9F if row % 2 else cell + (0x40 if cell < 63 else 0x41)
    return bytes([lead, trail])


codecs.register_error("sightline-web", _web_error)
