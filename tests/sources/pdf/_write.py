"""A small writer of PDFs, right and wrong ones, for the tests."""

import hashlib
import zlib
from collections.abc import Sequence

PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
ALLOW_ALL = 0xFFFFFFFC
CATALOG, TREE, FONT, FIRST = 1, 2, 3, 4


def stream(content: bytes, entries: bytes = b"", *, packed: bool = False) -> bytes:
    """A stream object."""
    if packed:
        content, entries = zlib.compress(content, 9), entries + b"/Filter/FlateDecode"
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(content), content)


def assemble(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """A file of these objects, numbered from 1, the first of which is the catalog."""
    whole = bytearray(b"%PDF-1.7\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(whole))
        whole += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(whole)
    whole += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    whole += b"".join(b"%010d 00000 n \n" % place for place in places)
    whole += b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, trailer, start)
    return bytes(whole)


def written(text: str, at: tuple[int, int] = (72, 700)) -> bytes:
    """Content that shows a text."""
    return b"BT /F 12 Tf %d %d Td (%s) Tj ET" % (*at, text.encode("latin-1"))


def pdf(
    *contents: bytes,
    page: bytes = b"",
    catalog: bytes = b"",
    trailer: bytes = b"",
    box: bytes = b"0 0 612 792",
    more: Sequence[bytes] = (),
) -> bytes:
    """A PDF with a sheet for each content (a stream object, or what `written` gives); `more` are further objects.

    The objects are: catalog 1, page tree 2, font 3, then page and content of each sheet, then `more`.
    """
    streams = [content if content.endswith(b"endstream") else stream(content) for content in contents]
    kids = b" ".join(b"%d 0 R" % (FIRST + 2 * place) for place in range(len(contents)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalog,
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(contents)),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for place, content in enumerate(streams):
        entries = (box, FIRST + 2 * place + 1, page)
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R%s>>" % entries
        )
        objects.append(content)
    return assemble([*objects, *more], trailer)


def locked(text: str, password: str) -> bytes:
    """A PDF of one sheet that opens with a password only (RC4, 40 bits: the oldest way, and the shortest to write)."""
    user = (password.encode("latin-1") + PAD)[:32]
    identity = b"0123456789abcdef"
    owner = _rc4(hashlib.md5(user).digest()[:5], user)
    key = hashlib.md5(user + owner + ALLOW_ALL.to_bytes(4, "little") + identity).digest()[:5]
    number = FIRST + 1
    own_key = hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
    protection = (owner.hex().encode(), _rc4(key, PAD).hex().encode(), ALLOW_ALL - (1 << 32))
    trailer = b"/Encrypt<</Filter/Standard/V 1/R 2/O<%s>/U<%s>/P %d>>" % protection
    return pdf(
        stream(_rc4(own_key, written(text))), trailer=trailer + b"/ID[<%s><%s>]" % ((identity.hex().encode(),) * 2)
    )


def _rc4(key: bytes, data: bytes) -> bytes:
    box, j = list(range(256)), 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)
