"""WARC files of a batch: listed by place, read by place, and nothing lost or invented where they are damaged."""

import gzip
import io
import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sightline.errors import SourceError, UnreadableError
from sightline.net import Document, Limits
from sightline.scale.inputs import BatchInput, DocumentReader, DocumentReference, list_documents
from sightline.scale.inputs._storage import identity
from sightline.sources.files import _warc, read_warc

from ._warcs import Built, answer, blocks, build, packed, page, record, stored

PACKS = ("plain", "members", "whole")
LIMITS = Limits()


def written(content: bytes, folder: Path) -> BatchInput:
    """An input of a file with these bytes."""
    path = folder / "pages.warc.gz"
    path.write_bytes(content)
    return BatchInput(str(path), "warc", identity(str(path)))


def whole(content: bytes, name: str, limits: Limits = LIMITS) -> list[Document | SourceError]:
    """What reading the whole file gives."""
    return list(read_warc(io.BytesIO(content), name, limits))


def same(ours: object, theirs: object) -> bool:
    """Whether two results are equal; errors are equal if they say the same of the same."""
    if isinstance(ours, SourceError):
        return type(ours) is type(theirs) and str(ours) == str(theirs)
    return ours == theirs


def check_places(content: bytes, folder: Path, order: random.Random) -> list[DocumentReference]:
    """Reading by place gives in any order what reading the whole file gives; these are the references."""
    found = written(content, folder)
    references = list(list_documents(found, LIMITS))
    expected = whole(content, found.name)
    assert [one.id for one in references] == [one.source for one in expected]
    pairs = list(zip(references, expected, strict=True))
    with DocumentReader(found, LIMITS) as reader:
        for reference, document in (*pairs, *order.sample(pairs, len(pairs))):
            assert same(reader.read(reference), document), reference
    return references


@pytest.mark.parametrize("pack", PACKS)
def test_record_by_its_place_is_the_record_of_the_file(pack: str, tmp_path: Path) -> None:
    """In ascending and in any order, with the number, the address and the bytes that a walk gives."""
    built = build(30, pack)
    references = check_places(built.content, tmp_path, random.Random(1))
    assert [one.source for one in references] == [f"http://site.example/{number}" for number in range(30)]
    assert not any(one.problem for one in references)


def test_record_may_go_on_in_the_next_member(tmp_path: Path) -> None:
    """Tools that cut a file into blocks of one size, without looking at its records, are read as well."""
    built = build(20, "plain")
    references = check_places(blocks(built.content, 700), tmp_path, random.Random(1))
    assert len(references) == 20


def test_reading_ascending_places_of_one_member_inflates_it_once(tmp_path: Path) -> None:
    """The reader of a file with one member for all records goes forward, and does not begin anew for each record."""
    found = written(build(200, "whole").content, tmp_path)
    references = list(list_documents(found, LIMITS))
    with DocumentReader(found, LIMITS) as reader:
        reader.read(references[0])
        stream = reader._reading._stream  # type: ignore[union-attr]
        sought: list[int] = []
        reader._reading._reader._walk._stream = Watched(stream, sought)  # type: ignore[union-attr]
        assert all(isinstance(reader.read(one), Document) for one in references)
    assert len(sought) == 1  # back to the first record


class Watched(io.BufferedReader):
    """A stream that notes where it is sent."""

    def __init__(self, stream: object, sought: list[int]) -> None:
        super().__init__(stream)  # type: ignore[arg-type]
        self._sought = sought

    def seek(self, place: int, whence: int = 0) -> int:
        """Go there."""
        self._sought.append(place)
        return super().seek(place, whence)


# -- damage --------------------------------------------------------------------------------------------------------


def check_damage(built: Built, content: bytes, start: int, end: int, folder: Path) -> tuple[int, int]:
    """Everything outside of a damaged stretch is read and nothing is invented; the numbers of read and damaged."""
    check_places(content, folder, random.Random(start))
    results = whole(content, "x")
    texts = [one.content for one in results if isinstance(one, Document)]
    sound = [
        text for text, (first, last) in zip(built.pages, built.spans, strict=True) if last <= start or first >= end
    ]
    missing = [text for text in sound if text not in texts]
    assert not missing
    assert [text for text in texts if text in built.pages] == [text for text in built.pages if text in texts]
    assert len(texts) == len(set(texts))
    return len(texts), len(results) - len(texts)


@pytest.mark.slow
@settings(max_examples=150)
@given(
    seed=st.integers(0, 10**6),
    pack=st.sampled_from(("plain", "members")),
    share=st.floats(0, 1),
    width=st.integers(1, 3000),
)
def test_zeroed_stretch_costs_what_it_hits_and_no_more(
    tmp_path_factory: pytest.TempPathFactory, seed: int, pack: str, share: float, width: int
) -> None:
    """Zeros anywhere: all records outside are read, none is invented, and something is said to be damaged."""
    built = build(8, pack, seed)
    start = int(share * (len(built.content) - 1))
    end = min(len(built.content), start + width)
    content = built.content[:start] + bytes(end - start) + built.content[end:]
    read, damaged = check_damage(built, content, start, end, tmp_path_factory.mktemp("zeroed"))
    hit = sum(first < end and last > start for first, last in built.spans)
    assert read + damaged <= 8 + 1
    assert read == 8 or damaged
    assert read >= 8 - hit


@settings(max_examples=150)
@given(seed=st.integers(0, 10**6), pack=st.sampled_from(PACKS), share=st.floats(0, 1))
def test_truncated_file_keeps_what_is_whole(
    tmp_path_factory: pytest.TempPathFactory, seed: int, pack: str, share: float
) -> None:
    """Cut anywhere: what stands before the cut is read, and a record that is cut is counted."""
    built = build(8, pack, seed)
    end = int(share * len(built.content))
    folder = tmp_path_factory.mktemp("cut")
    if pack == "whole":
        check_places(built.content[:end], folder, random.Random(1))
        assert any(isinstance(one, SourceError) for one in whole(built.content[:end], "x")) or end == len(built.content)
        return
    read, _ = check_damage(built, built.content[:end], end, len(built.content), folder)
    assert read >= sum(last <= end for _, last in built.spans)


@settings(max_examples=150)
@given(
    seed=st.integers(0, 10**6),
    pack=st.sampled_from(PACKS),
    digest=st.booleans(),
    length=st.one_of(
        st.sampled_from(("-5", "", "nonsense", "999999999999", "0", "1e3", "²")), st.integers(0, 6000).map(str)
    ),
)
@example(seed=0, pack="members", digest=False, length="40")  # which ends before the line break after the HTTP head
def test_lying_length_costs_its_own_record_only(
    tmp_path_factory: pytest.TempPathFactory, seed: int, pack: str, digest: bool, length: str
) -> None:
    """Whatever a record says of its length, the records around it are read, and it is read rightly or counted."""
    rng = random.Random(seed)
    pages = [page(number, rng) for number in range(5)]
    block = answer(pages[2])
    records = [record(answer(one), digest=digest) for one in pages]
    records[2] = record(block, digest=digest, Content_Length=length)
    content = b"".join(packed(one, pack) for one in records)
    results = check_lengths(gzip.compress(content) if pack == "whole" else content, tmp_path_factory.mktemp("lying"))
    texts = [one.content if isinstance(one, Document) else None for one in results]
    if length == str(len(block)):
        assert texts == pages
    elif pack == "members" or digest:
        assert texts == [*pages[:2], None, *pages[3:]]
    else:
        # Without a digest, a length that ends where another record begins cannot be told from a right one.
        assert texts[:2] == pages[:2]
        assert len(results) <= 6


def check_lengths(content: bytes, folder: Path) -> list[Document | SourceError]:
    """The results of a file, which reading by places gives as well."""
    check_places(content, folder, random.Random(2))
    return whole(content, "x")


@settings(max_examples=150)
@given(seed=st.integers(0, 10**6), pack=st.sampled_from(PACKS), flips=st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_flipped_bytes_invent_no_page(
    tmp_path_factory: pytest.TempPathFactory, seed: int, pack: str, flips: list[float]
) -> None:
    """Some bytes turned around: nothing raises, listing and reading agree, and every page that is read is one."""
    built = build(6, pack, seed)
    content = bytearray(built.content)
    for share in flips:
        content[int(share * (len(content) - 1))] ^= 0xFF
    results = check_lengths(bytes(content), tmp_path_factory.mktemp("flipped"))
    texts = [one.content for one in results if isinstance(one, Document)]
    assert len(results) <= 6 + len(flips)
    if pack == "members":
        assert all(text in built.pages for text in texts)


@pytest.mark.parametrize("pack", ["plain", "whole"])
def test_lengths_that_all_lie_end_in_time(pack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is not read as often as it has records; what was not read is said."""
    monkeypatch.setattr(_warc, "_MOST_WASTE", 1_000_000)
    lying = [record(answer(b"<p>x"), Content_Length=str(300_000)) for _ in range(2000)]
    content = b"".join([*(record(answer(b"<p>%d" % number)) for number in range(3)), *lying])
    content = gzip.compress(content) if pack == "whole" else content
    *damaged, last = check_places(content, tmp_path, random.Random(1))[3:]
    assert 1 <= len(damaged) < 1000
    assert "rest of the file was not read" in last.problem


def test_length_of_any_number_of_digits_is_a_wrong_one(tmp_path: Path) -> None:
    """Numbers that no machine counts to are no lengths."""
    content = b"".join(record(answer(b"<p>x"), Content_Length=length) for length in ("9" * 5000, "9" * 18, "9" * 19))
    assert all(one.problem for one in check_places(content, tmp_path, random.Random(1)))


def test_damaged_start_of_a_compressed_file_is_passed_over(tmp_path: Path) -> None:
    """Without the first bytes, which tell that a file is compressed, the members behind them are found all the same."""
    built = build(5, "members")
    content = bytes(built.spans[0][1]) + built.content[built.spans[0][1] :]
    references = check_places(content, tmp_path, random.Random(1))
    assert [bool(one.problem) for one in references] == [True, False, False, False, False]


def test_compressed_page_in_a_damaged_record_is_no_record(tmp_path: Path) -> None:
    """After damage, the search for the next member is not misled by a page that is compressed itself."""
    inner = record(answer(gzip.compress(b"<p>inner" * 50)), WARC_Target_URI="http://site.example/inner")
    broken = bytearray(stored(inner))
    broken[30] ^= 0xFF
    content = packed(record(answer(b"<p>a")), "members") + bytes(broken) + packed(record(answer(b"<p>b")), "members")
    references = check_places(content, tmp_path, random.Random(1))
    assert [bool(one.problem) for one in references] == [False, True, False]


def test_record_in_a_page_is_not_taken_for_a_record(tmp_path: Path) -> None:
    """A page that holds a WARC record is one page as long as its length and digest are right."""
    nested = b"<pre>\r\n\r\n" + record(answer(b"<p>nested")) + b"</pre>"
    for pack in PACKS:
        content = b"".join(packed(record(answer(one)), pack) for one in (b"<p>a", nested, b"<p>b"))
        content = gzip.compress(content) if pack == "whole" else content
        references = check_places(content, tmp_path, random.Random(1))
        assert len(references) == 3


def test_file_without_pages_is_one_damaged_document(tmp_path: Path) -> None:
    """A file of nothing, or of requests, is not passed over in silence."""
    for content in (b"", record(b"GET / HTTP/1.1\r\n\r\n", "request")):
        (reference,) = list_documents(written(content, tmp_path), LIMITS)
        assert reference.problem


def test_file_that_changed_is_not_read_by_old_places(tmp_path: Path) -> None:
    """Places of another version would lead to other pages; the error says so."""
    found = written(build(3, "members").content, tmp_path)
    references = list(list_documents(found, LIMITS))
    written(build(4, "members", seed=1).content, tmp_path)
    with DocumentReader(found, LIMITS) as reader:
        result = reader.read(references[1])
    assert isinstance(result, UnreadableError)
    assert "changed" in str(result)
