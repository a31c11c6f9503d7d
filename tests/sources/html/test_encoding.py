"""Bytes to text as browsers do it."""

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sightline.sources.html._encoding import declared_encoding, decode, encoding_of_label
from sightline.sources.html._guess_encoding import CODECS, LABELS

from ..._effort import effort, growth

RUSSIAN = (
    "Съешь же ещё этих мягких французских булок, да выпей чаю. Сегодня в Москве хорошая погода, и мы идём гулять. "
)
JAPANESE = "これは日本語の文章です。今日は天気がいいので、公園へ散歩に行きました。とても楽しかったです。"
CHINESE = "这是一个中文的网页，我们今天在公园里看到了很多人，他们都说天气很好。"
TAIWANESE = "這是一個中文的網頁，我們今天在公園裡看到了很多人，他們都說天氣很好。"
KOREAN = "이것은 한국어 문장입니다. 오늘은 날씨가 좋아서 공원에 산책하러 갔습니다. 정말 즐거웠습니다."
GREEK = (
    "Αυτό είναι ένα ελληνικό κείμενο για τον καιρό και τη θάλασσα. Σήμερα πηγαίνουμε στην παραλία με τους φίλους μας."
)
HEBREW = "זהו טקסט בעברית על מזג האוויר ועל הים. היום אנחנו הולכים לחוף עם החברים שלנו."
GERMAN = "Größe und Übermut ärgern die Schüler, während schöne Mädchen über große Straßen gehen."
POLISH = "Zażółć gęślą jaźń. Wczoraj poszliśmy do kościoła, a później jeździliśmy konno przez łąkę."
TURKISH = "Bugün hava çok güzel, çocuklarla birlikte bahçede oynadık ve akşam çayı içtik. Işık söndü, ağaçlar sustu."


@pytest.mark.parametrize(
    ("content", "charset", "encoding", "text"),
    [
        (b"\xef\xbb\xbfcaf\xc3\xa9", "latin1", "utf-8", "café"),
        (b"\xff\xfea\x00", "utf-8", "utf-16le", "a"),
        (b"\xfe\xff\x00a", None, "utf-16be", "a"),
        (b"caf\xe9", "iso-8859-1", "windows-1252", "café"),
        (b"\x93x\x94", "latin1", "windows-1252", "“x”"),
        (b"caf\xe9", "utf-8", "utf-8", "caf\ufffd"),
        (b"\x80", "x-user-defined", "x-user-defined", "\uf780"),
        (b"anything", "iso-2022-kr", "replacement", "\ufffd"),
        (b"", "hz-gb-2312", "replacement", ""),
        (b"\x81\x8d", "cp1252", "windows-1252", "\x81\x8d"),
        (b"\xaa\xff", "windows-1253", "windows-1253", "\ufffd\ufffd"),
        (b"\x80", "gbk", "gbk", "€"),
        (b"\xad\xa1", "euc-jp", "euc-jp", "①"),
        (b"\xf9\xd6", "big5", "big5", "碁"),
        (b"\x87\x40", "shift_jis", "shift_jis", "①"),
        (b"\x00\xd8a\x00", "utf-16le", "utf-16le", "\ufffda"),
    ],
)
def test_decode_believes_mark_then_transport(content: bytes, charset: str | None, encoding: str, text: str) -> None:
    """A byte order mark wins over the header, the header over the bytes, and decoders are those of the web."""
    decoded = decode(content, charset)
    assert (decoded.encoding, decoded.text, decoded.certain) == (encoding, text, True)


@pytest.mark.parametrize(
    ("markup", "encoding"),
    [
        (b"<meta charset=koi8-r>", "koi8-r"),
        (b"<META CharSet = 'ISO-8859-2' >", "iso-8859-2"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', "windows-1251"),
        (b"<meta content='text/html;charset=\"sjis\"' http-equiv=content-type>", "shift_jis"),
        (b"<!-- <meta charset=big5> --><meta charset=gbk>", "gbk"),
        (b"<!--><meta charset=gbk>", "gbk"),
        (b"<a title='<meta charset=big5>'><meta charset=gbk>", "gbk"),
        (b"</p x=y><?php ?><!doctype html><meta charset=gbk/>", None),
        (b"<meta charset=utf-16>", "utf-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<meta charset=utf-7>", None),
        (b"<meta charset=nonsense><meta charset=gbk>", "gbk"),
        (b"<meta name=charset content=gbk>", None),
        (b"<meta http-equiv=refresh content='0;charset=gbk'>", None),
        (b"<meta charset=gbk", None),
        (b"<metacharset=gbk>", None),
        (b"<meta/charset=gbk>", "gbk"),
        (b'<?xml version="1.0" encoding="euc-jp"?><html>', "euc-jp"),
        (b'<?xml version="1.0" encoding="euc-jp"?><meta charset=gbk>', "gbk"),
        (b"<\0?\0x\0m\0l\0", "utf-16le"),
        (b" " * 1100 + b"<meta charset=gbk>", None),
        (b"<<<<meta charset=gbk>", "gbk"),
        (b'<link rel="a" href="b" /><br/></p><meta name="a" content="b"><meta charset="gbk">', "gbk"),
        (b'<p a="<meta charset=big5>" b><meta charset=gbk>', "gbk"),
        (b'<p a="1"b="><meta charset=big5>"><meta charset=gbk>', "gbk"),
    ],
)
def test_declared_encoding_prescans_as_the_standard_says(markup: bytes, encoding: str | None) -> None:
    """Comments and attributes hide a meta, labels go through the table, and only the first 1,024 bytes count."""
    assert declared_encoding(markup) == encoding


def test_declared_encoding_is_ignored_for_plain_text() -> None:
    """A text file that talks about meta elements declares nothing by it."""
    assert decode(b"<meta charset=koi8-r> caf\xc3\xa9", html=False).text.endswith("café")


@pytest.mark.parametrize(
    ("text", "codec", "encoding"),
    [
        (RUSSIAN, "utf-8", "utf-8"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (RUSSIAN, "iso8859-5", "iso-8859-5"),
        (RUSSIAN, "cp866", "ibm866"),
        (JAPANESE, "cp932", "shift_jis"),
        (JAPANESE, "euc-jp", "euc-jp"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (CHINESE, "gbk", "gbk"),
        (TAIWANESE, "big5", "big5"),
        (KOREAN, "cp949", "euc-kr"),
        (GREEK, "cp1253", "windows-1253"),
        (HEBREW, "cp1255", "windows-1255"),
        (GERMAN, "cp1252", "windows-1252"),
        (POLISH, "cp1250", "windows-1250"),
        (POLISH, "iso8859-2", "iso-8859-2"),
        (TURKISH, "cp1254", "windows-1254"),
        ("<p>price 5</p>", "utf-16-le", "utf-16le"),
        ("<p>price 5</p>", "utf-16-be", "utf-16be"),
    ],
)
def test_decode_guesses_what_is_not_declared(text: str, codec: str, encoding: str) -> None:
    """Undeclared text of a few sentences is read in the encoding it was written in."""
    decoded = decode(text.encode(codec))
    assert (decoded.encoding, decoded.text, decoded.certain) == (encoding, text, False)


def test_decode_keeps_utf8_with_a_broken_byte() -> None:
    """One bad byte in a page of UTF-8 costs one character and not the page."""
    content = (RUSSIAN * 3).encode() + b"\xff" + RUSSIAN.encode()
    assert decode(content).text == RUSSIAN * 3 + "\ufffd" + RUSSIAN


def test_decode_never_reads_utf7() -> None:
    """UTF-7 stays what it is in ASCII, whatever header or markup say: decoded, it would be markup."""
    content = b"<meta charset=utf-7>+ADw-script+AD4-alert(1)+ADw-/script+AD4-"
    for charset in (None, "utf-7", "unicode-1-1-utf-7"):
        assert decode(content, charset).text == content.decode("ascii")


def test_decode_leaves_nul_to_the_html_parser_only() -> None:
    """HTML parsers treat NULs by their place, so they stay in markup; in plain text they are replaced."""
    assert decode(b"<p>a\0b", "utf-8").text == "<p>a\0b"
    assert decode(b"a\0b", "utf-8", html=False).text == "a\ufffdb"


@pytest.mark.slow
@given(st.binary(max_size=600), st.sampled_from([None, "", "utf-8", "utf-7", "\ud800", *sorted(CODECS)]), st.booleans())
@example(b"\x1b$B\xff\x1b", "iso-2022-jp", True)
@settings(max_examples=400)
def test_decode_takes_any_bytes(content: bytes, charset: str | None, html: bool) -> None:
    """No bytes and no label make decoding fail, and the text can always be stored as UTF-8."""
    decoded = decode(content, charset, html=html)
    assert decoded.text.encode("utf-8").decode("utf-8") == decoded.text
    assert decoded.encoding in {*CODECS, *LABELS.values()}


@given(st.binary(max_size=1200).map(lambda tail: b"<meta " + tail))
def test_declared_encoding_takes_any_bytes(content: bytes) -> None:
    """The prescan ends on every input, with an encoding of the table or none."""
    assert declared_encoding(content) in {None, *LABELS.values()}


@pytest.mark.parametrize("unit", [b"<", b"<meta ", b"<!--", b" ", b"a='", b"charset=", b"<?xml encoding"])
def test_decode_does_not_grow_with_the_square(unit: bytes) -> None:
    """A megabyte of the same few bytes is decoded, with work that does not grow with its square."""

    def decoding(size: int) -> Callable[[], object]:
        return lambda: decode(unit * (size // len(unit)))

    decoding(1_000_000)()
    assert growth(decoding, 2_000) < 6


def test_decode_looks_at_no_byte_of_utf8_by_itself() -> None:
    """A megabyte of UTF-8 is decoded at once: as much work in Python as for a kilobyte."""
    short, long = ((GERMAN * times).encode() for times in (12, 12_000))
    for text in (short, long):  # what is made only once counts for neither
        decode(text, "utf-8")
    assert effort(lambda: decode(long, "utf-8")) <= effort(lambda: decode(short, "utf-8"))


def test_labels_lead_to_decoders() -> None:
    """Every label names an encoding that can be decoded, and the table has the standard's size."""
    assert len(LABELS) == 228
    assert set(LABELS.values()) == {*CODECS, "replacement", "x-user-defined"}
    assert encoding_of_label("\n Latin1\t") == "windows-1252"


def test_a_page_saved_anew_as_utf_8_is_read_as_such() -> None:
    """A stale declaration of single bytes is not believed against bytes that are UTF-8 throughout; others are."""
    text = "<meta charset=iso-8859-1><p>für fünf Übungen, déjà"
    assert decode(text.encode()).text == text
    assert decode(text.encode()).encoding == "utf-8"
    assert decode(text.encode("latin-1")).text == text
    assert decode(text.encode() + b"\xe9").encoding == "windows-1252"  # not UTF-8 throughout
    assert decode(text.encode(), "iso-8859-1").encoding == "windows-1252"  # said by the transport
    assert decode("<meta charset=iso-8859-1>é".encode()).encoding == "windows-1252"  # too little to tell
