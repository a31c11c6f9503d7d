"""The WARC files of a crawl, which are also its log."""

import gzip
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.crawler._archive import Archive, StoredAnswer, payload_digest, read_record
from sightline.net import Document
from sightline.sources.files import documents

ANSWERS = st.builds(
    StoredAnswer,
    url=st.sampled_from(["https://example.org/", "https://example.org/é?x=1"]),
    status=st.sampled_from([200, 301, 404]),
    headers=st.lists(
        st.tuples(
            st.sampled_from(["Content-Type", "ETag", "Content-Encoding"]), st.sampled_from(["text/html", '"a"', "gzip"])
        ),
        max_size=3,
    ).map(tuple),
    content=st.binary(max_size=300),
    when=st.floats(1e9, 2e9).map(lambda when: round(when, 3)),
)


def answer(number: int, content: bytes = b"<p>one") -> StoredAnswer:
    """Some answer."""
    return StoredAnswer(f"https://example.org/{number}", 200, (("Content-Type", "text/html"),), content, 1e9 + number)


def filled(folder: Path, *answers: StoredAnswer) -> Archive:
    """An archive with these answers in it."""
    archive = Archive(folder)
    for one in answers:
        archive.add(one, payload_digest(one.content))
    archive.close()
    return archive


@given(ANSWERS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
def test_read_record_gives_back_what_was_added(tmp_path: Path, given_answer: StoredAnswer) -> None:
    """An answer comes back from the archive with every header and byte."""
    for old in tmp_path.glob("*"):
        old.unlink()
    archive = Archive(tmp_path)
    place = archive.add(given_answer, payload_digest(given_answer.content))
    archive.close()
    found = read_record(tmp_path, place)
    assert found.content == given_answer.content
    assert found.url == given_answer.url
    assert found.status == given_answer.status
    assert found.headers[: len(given_answer.headers)] == given_answer.headers
    assert abs(found.when - given_answer.when) < 0.01


@given(st.integers(0, 10_000))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_unread_survives_a_cut_at_any_byte(tmp_path: Path, cut: int) -> None:
    """Wherever a kill cuts the file, whole records are read again, and the file ends behind the last of them."""
    for old in tmp_path.glob("*"):
        old.unlink()
    archive = filled(tmp_path, *(answer(number, b"<p>" + bytes(range(256)) * number) for number in range(4)))
    whole = archive.path.read_bytes()
    archive.path.write_bytes(whole[: cut % (len(whole) + 1)])
    again = Archive(tmp_path)
    found = [one.url for _, one in again.unread()]
    assert found == [f"https://example.org/{number}" for number in range(len(found))]
    assert archive.path.stat().st_size == again.end
    assert len(found) == 4 or again.end < len(whole)
    again.add(answer(9), payload_digest(b"<p>one"))
    again.close()
    readable = [one for one in documents(archive.path) if isinstance(one, Document)]
    assert [one.url for one in readable] == [*found, "https://example.org/9"]


def test_unread_begins_behind_the_known_end(tmp_path: Path) -> None:
    """What the state knows of is not read again."""
    archive = Archive(tmp_path)
    archive.add(answer(1), payload_digest(b""))
    end = archive.end
    archive.add(answer(2), payload_digest(b""))
    archive.close()
    assert [one.url for _, one in Archive(tmp_path, end=end).unread()] == ["https://example.org/2"]


def test_add_begins_another_file_when_one_is_full(tmp_path: Path) -> None:
    """No file grows much beyond its limit, each begins with its own description, and all are read again."""
    archive = Archive(tmp_path, file_bytes=1_000)
    for number in range(10):
        archive.add(answer(number, bytes(str(number) * 5_000, "ascii")), payload_digest(b""))
    archive.close()
    files = sorted(tmp_path.glob("pages-*.warc.gz"))
    assert len(files) > 2
    assert all(b"warcinfo" in gzip.decompress(file.read_bytes()) for file in files)
    assert len(list(Archive(tmp_path).unread())) == 10


def test_archive_is_read_by_the_loader(tmp_path: Path) -> None:
    """What a crawl keeps is a WARC file like any other; redirects and missing pages are in it, too."""
    archive = filled(tmp_path, answer(1, b"<title>Ann</title>"), answer(2, b"<title>Bea</title>"))
    found = list(documents(archive.path))
    assert [one.content for one in found if isinstance(one, Document)] == [b"<title>Ann</title>", b"<title>Bea</title>"]
    assert all(isinstance(one, Document) and not one.notes for one in found)


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from sightline.crawler._archive import Archive, StoredAnswer, payload_digest
from sightline.errors import OutputError
import os
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
archive, kept = Archive(Path(sys.argv[1])), 0
try:
    while True:
        content = os.urandom(3_000)
        archive.add(StoredAnswer(f"https://example.org/{kept}", 200, (), content, 1e9), payload_digest(content))
        kept += 1
except OutputError as problem:
    print(kept, problem)
"""


def test_add_leaves_no_part_when_the_disk_is_full(tmp_path: Path) -> None:
    """The record that does not fit is not there at all, the error says what to do, and afterwards it goes on."""
    said = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, check=True
    ).stdout
    kept, _, problem = said.partition(" ")
    assert "free some space, then give the same command again" in problem
    archive = Archive(tmp_path)
    assert len(list(archive.unread())) == int(kept) > 0
    archive.add(answer(99), payload_digest(b""))
    archive.close()
    assert len(list(Archive(tmp_path).unread())) == int(kept) + 1
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 20_000


def test_add_writes_over_a_part_that_was_left(tmp_path: Path) -> None:
    """A record stands at the place that is told, also where a part of another could not be removed."""
    archive = Archive(tmp_path)
    archive.add(answer(1), payload_digest(b""))
    with archive.path.open("ab") as stream:
        stream.write(b"part")
    place = archive.add(answer(2), payload_digest(b""))
    archive.close()
    assert read_record(tmp_path, place).url == "https://example.org/2"
    assert [one.url for one in documents(archive.path)] == ["https://example.org/1", "https://example.org/2"]


def test_read_record_refuses_a_changed_file(tmp_path: Path) -> None:
    """A place that holds no answer is an error that names the file."""
    archive = Archive(tmp_path)
    place = archive.add(answer(1), payload_digest(b""))
    archive.close()
    other = Archive(tmp_path / "other")
    with pytest.raises(FileNotFoundError):
        read_record(other.folder, place)
