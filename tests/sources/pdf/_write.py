"""A small writer of PDFs, right and wrong ones, for the tests."""

import hashlib
import math
import zlib
from collections.abc import Sequence

PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
ALLOW_ALL = 0xFFFFFFFC
CATALOG, TREE, FONT, FIRST = 1, 2, 3, 4
OTHERS = (
    b"/B<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>"
    b"/I<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Oblique/Encoding/WinAnsiEncoding>>"
)


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


def put(
    text: str, x: float, y: float, *, size: float = 12, font: str = "F", turn: int = 0, spacing: float = 0
) -> bytes:
    """Content that sets a text with its foot at a place, in points from the lower left; `font` is F, B (bold) or I."""
    raw = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    matrix = b"%.5f %.5f %.5f %.5f %.2f %.2f Tm" % (cos, sin, -sin, cos, x, y)
    return b"BT /%s %g Tf %g Tc %s (%s) Tj ET\n" % (font.encode(), size, spacing, matrix, raw)


def rows(
    texts: Sequence[Sequence[str]], xs: Sequence[float], top: float, *, step: float = 16, size: float = 10
) -> bytes:
    """Rows of texts, each beginning at one of the places across; empty ones are left out."""
    return b"".join(
        put(text, x, top - step * row, size=size)
        for row, line in enumerate(texts)
        for x, text in zip(xs, line, strict=True)
        if text
    )


def drawn(x0: float, y0: float, x1: float, y1: float) -> bytes:
    """Content that draws a line."""
    return b"0.8 w %g %g m %g %g l S\n" % (x0, y0, x1, y1)


def lattice(xs: Sequence[float], ys: Sequence[float]) -> bytes:
    """Content that draws all lines of a grid."""
    across = b"".join(drawn(xs[0], y, xs[-1], y) for y in ys)
    return across + b"".join(drawn(x, ys[0], x, ys[-1]) for x in xs)


def scanned() -> bytes:
    """Content of a sheet that is nothing but a picture."""
    return b"q 612 0 0 792 0 0 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \x10\xf0\x80\x40\nEI Q"


def tagged(*parts: tuple[str, bytes]) -> bytes:
    """A tagged PDF of one sheet: the types of the tags around each part, outermost first, such as `Table TR TD`."""
    content, elements, leaves = b"", [], []
    number = FIRST + 4  # behind page and content: the root, then the parents
    for place, (path, part) in enumerate(parts):
        *outer, leaf = path.split()
        content += b"/%s<</MCID %d>>BDC\n%sEMC\n" % (leaf.encode(), place, part)
        above = FIRST + 2
        for name in outer:
            elements.append(b"<</Type/StructElem/S/%s/P %d 0 R/K[%d 0 R]>>" % (name.encode(), above, number + 1))
            above, number = number, number + 1
        elements.append(b"<</Type/StructElem/S/%s/P %d 0 R/Pg %d 0 R/K %d>>" % (leaf.encode(), above, FIRST, place))
        leaves.append((number, number - len(outer)))
        number += 1
    parents = b" ".join(b"%d 0 R" % leaf for leaf, _ in leaves)
    kids = b" ".join(b"%d 0 R" % first for _, first in leaves)
    root = b"<</Type/StructTreeRoot/K[%s]/ParentTree %d 0 R>>" % (kids, FIRST + 3)
    return pdf(
        content,
        page=b"/StructParents 0",
        catalog=b"/MarkInfo<</Marked true>>/StructTreeRoot %d 0 R" % (FIRST + 2),
        more=[root, b"<</Nums[0[%s]]>>" % parents, *elements],
    )


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
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for place, content in enumerate(streams):
        entries = (box, OTHERS, FIRST + 2 * place + 1, page)
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Resources<</Font<</F 3 0 R%s>>>>/Contents %d 0 R%s>>" % entries
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
