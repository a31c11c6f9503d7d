"""The process that reads PDFs: what it gives, what it may not do, and that nothing of it stays."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sightline.errors import LimitError, UnreadableError, UsageError
from sightline.sources.pdf import _child, _worker
from sightline.sources.pdf._answer import MACHINES
from sightline.sources.pdf._open import _worker as shared
from sightline.sources.pdf._sheet import (
    Bookmark,
    Malformed,
    PdfFont,
    PdfSheet,
    Tag,
    pack_sheet,
    unpack_bookmarks,
    unpack_picture,
    unpack_sheet,
)
from sightline.sources.pdf._worker import PdfLimits, PdfWorker, SheetFailed

from ..._wait import BOUND, wait_until
from ._write import locked, pdf, stream, written

WORDS = ("One", "Two", "Three", "Four", "Five", "Six")
SIX = pdf(*(written(word) for word in WORDS))
SLOW = stream(b"BT /F 9 Tf 9 9 Td " + b"(a) Tj 1 0 Td " * 400_000 + b"ET", packed=True)


@pytest.fixture
def worker() -> Iterator[PdfWorker]:
    """A worker of its own for every test, so that its children can be counted."""
    shared.close()  # that of other tests, whose child may still be waiting
    worker = PdfWorker()
    yield worker
    worker.close()


def _text(sheet: PdfSheet | SheetFailed) -> str:
    assert isinstance(sheet, PdfSheet)
    return "".join(map(chr, sheet.code)).strip()


def _texts(worker: PdfWorker, content: bytes, **options: Any) -> list[str]:
    with worker.open("x.pdf", content, **options) as document:
        return [_text(sheet) for sheet in document.sheets(range(1, document.count + 1))]


def _readers(parent: int | None = None) -> set[int]:
    """The readers of PDFs that run, of this process or any."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            above = int((folder / "stat").read_bytes().rpartition(b")")[2].split()[1])
        except OSError:
            continue
        if b"/_child.py\0" in command and above == (parent or os.getpid()):
            found.add(int(folder.name))
    return found


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def _wait_until_gone(pid: int) -> None:
    wait_until(lambda: not _runs(pid))


def _ticks(pid: int) -> int:
    """What a process has used of the processor."""
    return sum(map(int, Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[11:13]))


def test_document_tells_what_it_is_before_its_sheets(worker: PdfWorker) -> None:
    """Count, title and bookmarks come first, then the chosen sheets in the chosen order."""
    marks = [
        b"<</First 9 0 R/Last 9 0 R>>",
        b"<</Title(Chapter)/Parent 8 0 R/Dest[6 0 R/Fit]>>",
        b"<</Title(On counting)>>",
    ]
    content = pdf(
        *(written(word) for word in ("One", "Two")),
        catalog=b"/Outlines 8 0 R",
        trailer=b"/Info 10 0 R",
        more=marks,
    )
    with worker.open("x.pdf", content) as document:
        assert (document.count, document.title) == (2, "On counting")
        assert document.bookmarks == (Bookmark("Chapter", 1, 2),)
        sheets = list(document.sheets([2, 1, 2]))
    assert [_text(sheet) for sheet in sheets] == ["Two", "One", "Two"]
    assert [sheet.number for sheet in sheets] == [2, 1, 2]


def test_sheet_comes_over_whole(worker: PdfWorker) -> None:
    """Boxes, runs, fonts, rules and links lie where they were drawn, also after the way through the pipe."""
    link = b"/Annots[<</Subtype/Link/Rect[72 690 172 710]/A<</S/URI/URI(https://example.org/)>>>>]"
    drawn = written("Hello") + b" 1 0 0 rg 72 600 100 2 re f"
    with worker.open("x.pdf", pdf(drawn, page=link)) as document:
        (sheet,) = document.sheets([1])
    assert isinstance(sheet, PdfSheet)
    assert sheet.size == (816, 1056)
    assert sheet.fonts[sheet.run_font[sheet.run[0]]].name == "Helvetica"
    assert sheet.run_size[sheet.run[0]] == 16
    assert sheet.box[0, 0] == pytest.approx(96, abs=1) and sheet.box[0, 3] == pytest.approx(122.7, abs=6)
    np.testing.assert_allclose(sheet.rules, [[96, 253.33, 229.33, 256]], atol=0.01)
    assert list(sheet.rule_colour) == [0xFF0000]
    assert sheet.addresses == ("https://example.org/",)
    np.testing.assert_allclose(sheet.links, [[96, 109.33, 229.33, 136]], atol=0.01)


def test_picture_shows_what_is_drawn(worker: PdfWorker) -> None:
    """A picture has the size of the sheet times the scale, red where red was filled and white elsewhere."""
    with worker.open("x.pdf", pdf(b"1 0 0 rg 0 0 306 792 re f")) as document:
        (picture,) = document.render([1], 0.5)
        assert [_text(sheet) for sheet in document.sheets([1])] == [""]  # and sheets can still be had
    assert picture is not None and picture.shape == (528, 408, 3)
    assert picture[100, 100].tolist() == [255, 0, 0] and picture[100, 300].tolist() == [255, 255, 255]


def test_password_opens(worker: PdfWorker) -> None:
    """A document opens with its password, says that it needs one, and says when it was the wrong one."""
    content = locked("Secret", "sesame")
    assert _texts(worker, content, password="sesame") == ["Secret"]
    with pytest.raises(UnreadableError, match=r"^x.pdf: is protected by a password; give it with --password\.$"):
        worker.open("x.pdf", content)
    with pytest.raises(UnreadableError, match=r"^x.pdf: does not open with this password\.$"):
        worker.open("x.pdf", content, password="guess")


def test_one_child_serves_many_documents(worker: PdfWorker) -> None:
    """The child stays warm: whether a document was read whole, in part, or refused, the next one gets the same."""
    _texts(worker, SIX)
    first = _readers()
    assert len(first) == 1
    with worker.open("x.pdf", SIX) as document:
        next(document.sheets([1, 2, 3, 4, 5, 6]))
    with pytest.raises(UnreadableError):
        worker.open("x.pdf", b"garbage")
    assert _texts(worker, SIX) == list(WORDS)
    assert _readers() == first


def test_only_the_chosen_sheets_count(worker: PdfWorker) -> None:
    """The limit is on what is asked for; a sheet that does not exist is the caller's mistake."""
    with worker.open("x.pdf", SIX, limits=PdfLimits(sheets=2)) as document:
        assert [_text(sheet) for sheet in document.sheets([5, 6])] == ["Five", "Six"]
        with pytest.raises(LimitError, match="has 6 sheets, more than 2") as caught:
            document.sheets(range(1, 7))
        with pytest.raises(UsageError, match="no sheet 7; the last one is 6"):
            document.sheets([7])
    assert caught.value.limit == "pdf_sheets"


def test_one_stream_at_a_time(worker: PdfWorker) -> None:
    """A second stream of a document begins at its own first sheet; going on with the first one is refused."""
    with worker.open("x.pdf", SIX) as document:
        first = document.sheets([1, 2, 3, 4])
        assert _text(next(first)) == "One"
        assert [_text(sheet) for sheet in document.sheets([6, 5])] == ["Six", "Five"]
        with pytest.raises(UsageError, match="stream has ended"):
            next(first)


def test_documents_do_not_wait_for_each_other(worker: PdfWorker) -> None:
    """Two documents read in turns by one thread, and several by as many threads, all come out right."""
    with worker.open("a", SIX) as one, worker.open("b", SIX) as other:
        pairs = zip(one.sheets([1, 2, 3]), other.sheets([4, 5, 6]), strict=True)
        assert [(_text(a), _text(b)) for a, b in pairs] == [("One", "Four"), ("Two", "Five"), ("Three", "Six")]
    with ThreadPoolExecutor(4) as pool:
        assert all(texts == list(WORDS) for texts in pool.map(lambda _: _texts(worker, SIX), range(12)))
    assert len(_readers()) <= 2


def test_child_has_nothing_to_steal(worker: PdfWorker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variables, no descriptors but its pipes, a session of its own, and hard limits."""
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)  # which OpenCV sets when it is imported
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        _texts(worker, SIX, limits=PdfLimits(memory_bytes=1_500_000_000))
        (pid,) = _readers()
        opened = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    assert Path(f"/proc/{pid}/environ").read_bytes() == b"OPENBLAS_NUM_THREADS=1\0"
    assert all(target.startswith("pipe:") or target == "/dev/null" for target in opened)
    assert os.getsid(pid) == os.getpgid(pid) == pid
    limits = {line[:26].strip(): line[26:].split()[:2] for line in Path(f"/proc/{pid}/limits").read_text().splitlines()}
    assert limits["Max address space"] == ["1500000000"] * 2
    assert limits["Max core file size"] == limits["Max file size"] == ["0", "0"]
    assert limits["Max open files"] == ["32", "32"]


FORBIDDEN = """
import os, socket, sys
from sightline.sources.pdf._answer import confine
read, changed = sys.argv[1:]
confine(1_500_000_000)
for attempt in (
    lambda: socket.socket(),
    lambda: socket.create_connection(("127.0.0.1", 1)),
    lambda: os.execv("/bin/true", ["true"]),
    lambda: os.posix_spawn("/bin/true", ["true"], {}),
    lambda: open(changed, "w"),
    lambda: open(changed, "r+"),
    lambda: os.truncate(read, 0),
    lambda: os.unlink(read),
    lambda: os.rename(read, changed),
    lambda: os.mkdir(changed),
    lambda: os.kill(os.getppid(), 0),
):
    try:
        attempt()
    except PermissionError:
        continue
    sys.exit(f"allowed: {attempt.__code__.co_consts} {attempt.__code__.co_names}")
sys.stdout.write(open(read).read())
"""


@pytest.mark.skipif(sys.platform != "linux" or os.uname().machine not in MACHINES, reason="no filter of calls here")
def test_child_cannot_reach_out(worker: PdfWorker, tmp_path: Path) -> None:
    """Within the walls there is no network, no other program and no change to a file; reading goes on."""
    (tmp_path / "read").write_text("still here")
    command = [sys.executable, "-c", FORBIDDEN, str(tmp_path / "read"), str(tmp_path / "changed")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=BOUND, check=False)
    assert (done.stdout, done.stderr) == ("still here", "")
    assert [path.name for path in tmp_path.iterdir()] == ["read"]
    _texts(worker, SIX)
    (pid,) = _readers()
    assert "Seccomp:\t2\n" in Path(f"/proc/{pid}/status").read_text()


def test_idle_child_goes(worker: PdfWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A child that nobody needs ends by itself, and the next document gets a new one."""
    monkeypatch.setattr(_worker, "IDLE_SECONDS", 2.0)  # so long, or a slow machine never gets to see it
    _texts(worker, SIX)
    (pid,) = _readers()
    _wait_until_gone(pid)
    assert _texts(worker, SIX) == list(WORDS)


def test_killed_child_is_one_failed_document(worker: PdfWorker) -> None:
    """When the system ends the child, its document fails with a sentence, and the next one is read."""
    with worker.open("x.pdf", SIX) as document:
        sheets = document.sheets(range(1, 7))
        next(sheets)
        (pid,) = _readers()
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(UnreadableError, match=r"made the PDF reader fail at sheet \d \(signal SIGKILL\)\."):
            list(sheets)
    assert _texts(worker, SIX) == list(WORDS)


def test_child_that_died_while_idle_is_not_used(worker: PdfWorker) -> None:
    """Nobody's document pays for a child that died in between."""
    _texts(worker, SIX)
    (pid,) = _readers()
    os.kill(pid, signal.SIGKILL)
    _wait_until_gone(pid)
    assert _texts(worker, SIX) == list(WORDS)


def _interrupt_when_busy(pid: int) -> None:
    """Send the signal as soon as the child is at work."""
    before = _ticks(pid)
    wait_until(lambda: _ticks(pid) > before + 2)
    os.kill(os.getpid(), signal.SIGUSR1)


def test_interrupt_leaves_no_child_at_work(worker: PdfWorker) -> None:
    """Control-C while a sheet is read ends the wait and the child; the worker can be used again."""
    before = signal.signal(signal.SIGUSR1, signal.default_int_handler)
    try:
        with worker.open("x.pdf", pdf(SLOW)) as document, pytest.raises(KeyboardInterrupt):
            (pid,) = _readers()
            threading.Thread(target=_interrupt_when_busy, args=(pid,)).start()
            list(document.sheets([1]))
        _wait_until_gone(pid)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert _texts(worker, SIX) == list(WORDS)


ALONE = """
import os, signal, sys
from pathlib import Path
from sightline.sources.pdf._worker import PdfWorker
worker = PdfWorker()
document = worker.open("x.pdf", Path(sys.argv[1]).read_bytes())
sheets = document.sheets(range(1, document.count + 1))
"""


def _alone(tmp_path: Path, content: bytes, script: str) -> "subprocess.Popen[str]":
    (tmp_path / "x.pdf").write_bytes(content)
    command = [sys.executable, "-c", ALONE + script, str(tmp_path / "x.pdf")]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_exit_takes_the_child_along(tmp_path: Path) -> None:
    """A program that ends while its child is at work, closing nothing, leaves no child and no complaint."""
    process = _alone(tmp_path, pdf(written("One"), SLOW, SLOW), "next(sheets); print(document._reader.pid)")
    output, _ = process.communicate(timeout=BOUND)
    assert process.returncode == 0
    _wait_until_gone(int(output))  # which also says that nothing else was printed


def test_child_of_a_killed_parent_goes(tmp_path: Path) -> None:
    """A parent that is killed cannot clean up; the child sees the pipe close and quits."""
    process = _alone(tmp_path, SIX, "next(sheets); print(document._reader.pid, flush=True); signal.pause()")
    assert process.stdout
    pid = int(process.stdout.readline())
    assert _runs(pid)
    process.kill()
    process.communicate()
    _wait_until_gone(pid)


@pytest.mark.slow
def test_fork_has_children_of_its_own(tmp_path: Path) -> None:
    """A forked process cannot touch what its parent has open, reads by a child of its own, and disturbs nobody."""
    script = """
from sightline.errors import UnreadableError
next(sheets)
mine = document._reader.pid
forked = os.fork()
if not forked:
    try:
        next(sheets)
    except UnreadableError as problem:
        print(problem, flush=True)
    document.close()
    with worker.open("x.pdf", Path(sys.argv[1]).read_bytes()) as own:
        print(len(list(own.sheets([1, 2]))), own._reader.pid != mine, flush=True)
    sys.exit()
os.waitpid(forked, 0)
print(len(list(sheets)), document._reader.pid == mine, flush=True)
"""
    output, _ = _alone(tmp_path, SIX, script).communicate(timeout=BOUND)
    assert output.splitlines() == [
        "x.pdf: is no longer open, since its reader has ended; open it again.",
        "2 True",
        "5 True",
    ]


SAID: dict[str, tuple[str, str]] = {
    "no frame": ("write(1, b'Hello, this is not a frame at all'); pause()", "send invalid data"),
    "an endless frame": ("write(1, b'\\xff' * 12); pause()", "send invalid data"),
    "no JSON": ("write(1, bytes([0, 0, 0, 2]) + bytes(8) + b'{]'); pause()", "send invalid data"),
    "something else": ("write(1, bytes([0, 0, 0, 2]) + bytes(8) + b'{}'); pause()", "send invalid data"),
    "nothing": ("close(1); pause()", "fail when it was opened (it closed its pipe)"),
    "an error": ("write(2, b'No module named numpy'); read(0, 1)", "fail when it was opened (No module named numpy)"),
}


@pytest.mark.parametrize("case", SAID)
def test_child_that_talks_nonsense_is_ended(
    worker: PdfWorker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, case: str
) -> None:
    """A child that was taken over may say anything; it is not believed, and it does not live on."""
    code, problem = SAID[case]
    (tmp_path / "_child.py").write_text(f"from os import *; from signal import pause; {code}")
    monkeypatch.setattr(_child, "__file__", str(tmp_path / "_child.py"))
    with pytest.raises(UnreadableError) as caught:
        worker.open("x.pdf", SIX)
    assert problem in str(caught.value)
    assert not _readers()


def _sheet() -> PdfSheet:
    """A sheet with a little of everything."""

    def whole(*numbers: int) -> Any:
        return np.array(numbers, dtype=np.int32)

    def boxes(count: int) -> Any:
        return np.arange(count * 4, dtype=np.float32).reshape(count, 4)

    return PdfSheet(
        number=7,
        size=(816.0, 1056.0),
        code=whole(72, 105, 32),
        box=boxes(3),
        run=whole(0, 1, -1),
        run_font=whole(0, 1),
        run_colour=whole(0, -1),
        run_marked=whole(5, -1),
        run_size=np.array([12.0, 9.5], dtype=np.float32),
        run_angle=whole(0, 270),
        fonts=(PdfFont("Arial", 400, italic=False, fixed=False), PdfFont("Courier", 700, italic=True, fixed=True)),
        rules=boxes(2),
        rule_colour=whole(0, 0xFF0000),
        images=boxes(1),
        drawings=np.zeros((0, 4), dtype=np.float32),
        links=boxes(2),
        addresses=("https://example.org/", "#sheet-2"),
        tags=(Tag("Document", -1), Tag("P", 0)),
        tag_of={5: 1},
    )


def _sent(sheet: PdfSheet, **changes: Any) -> PdfSheet | None:
    """A sheet after its way through the wire, its head changed on the way."""
    head, columns = pack_sheet(sheet)
    body = bytearray(b"".join(columns))
    told = {
        name: [list(row) if isinstance(row, tuple) else row for row in rows]
        for name, rows in head.items()
        if isinstance(rows, list)
    }
    return unpack_sheet({**head, **told, **changes}, body, 7)


def test_sheet_survives_the_wire() -> None:
    """Every column and value is the same on both sides."""
    sent, got = _sheet(), _sent(_sheet())
    assert got
    for name in PdfSheet.__dataclass_fields__:
        one, other = getattr(sent, name), getattr(got, name)
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other, err_msg=name)
            assert one.dtype == other.dtype
        else:
            assert one == other


MALFORMED: dict[str, dict[str, Any]] = {
    "another number": {"number": 8},
    "no rows": {"rows": None},
    "rows of other things": {"rows": {"characters": 3}},
    "more rows than bytes": {"rows": {"characters": 4, "runs": 2, "rules": 2, "images": 1, "drawings": 0, "links": 2}},
    "negative rows": {"rows": {"characters": -3, "runs": 2, "rules": 2, "images": 1, "drawings": 0, "links": 2}},
    "rows that are true": {"rows": {"characters": 3, "runs": 2, "rules": 2, "images": True, "drawings": 0, "links": 2}},
    "a font too few": {"fonts": [["Arial", 400, False, False]]},
    "a font of another shape": {"fonts": [["Arial", 400, False]] * 2},
    "a font without a name": {"fonts": [[None, 400, False, False]] * 2},
    "an address too few": {"addresses": ["#sheet-2"]},
    "a tag below itself": {"tags": [["Document", -1], ["P", 1]]},
    "content of no tag": {"tag_of": [[5, 2]]},
    "a size that is text": {"size": ["816", "1056"]},
    "three sizes": {"size": [1, 2, 3]},
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_sheet_is_not_believed(case: str) -> None:
    """What does not add up never becomes a sheet."""
    with pytest.raises(Malformed):
        _sent(_sheet(), **MALFORMED[case])


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("run", 2),
        ("run", -2),
        ("run_font", 2),
        ("run_font", -1),
        ("run_colour", 1 << 24),
        ("rule_colour", -2),
        ("run_angle", 360),
    ],
)
def test_reference_out_of_range_is_not_believed(column: str, value: int) -> None:
    """An index that would lead outside of a column never gets to where it is followed."""
    sheet = _sheet()
    getattr(sheet, column)[0] = value
    with pytest.raises(Malformed):
        _sent(sheet)


def test_what_lies_nowhere_is_dropped() -> None:
    """Boxes that are no numbers or absurdly far go with all of their row; codes and sizes that are none are mended."""
    sheet = _sheet()
    sheet.box[0, 2], sheet.rules[1, 1], sheet.images[0, 0], sheet.links[0, 3] = np.nan, np.inf, -np.inf, 1e30
    sheet.code[1:], sheet.run_size[0] = (0xD800, -5), np.nan
    got = _sent(sheet)
    assert got
    assert (got.code.tolist(), got.run.tolist(), len(got.box)) == ([0xFFFD, 0xFFFD], [1, -1], 2)
    assert (got.rule_colour.tolist(), len(got.rules), len(got.images)) == ([0], 1, 0)
    assert got.addresses == ("#sheet-2",) and len(got.links) == 1
    assert got.run_size.tolist() == [0, 9.5]


def test_sheet_without_a_size_is_none() -> None:
    """A sheet of no, endless or unknown size cannot be shown."""
    for size in ((0.0, 5.0), (float("inf"), 5.0), (5.0, 1e9)):
        assert _sent(replace(_sheet(), size=size)) is None
    assert _sent(_sheet(), size=[None, 5]) is None


def test_bookmarks_and_pictures_are_checked() -> None:
    """A bookmark leads to a sheet that exists or to none; a picture has the dots that its size says."""
    assert unpack_bookmarks([["A", 1, 3], ["B", 2, 0]], 3) == (Bookmark("A", 1, 3), Bookmark("B", 2, 0))
    for told in ([["A", 1, 4]], [["A", 0, 1]], [["A", 1]], "A", [[1, 1, 1]]):
        with pytest.raises(Malformed):
            unpack_bookmarks(told, 3)
    assert unpack_picture({"picture": [1, 2]}, bytearray(6)).shape == (1, 2, 3)
    for told in ([1, 1], [-1, -2], [0, 0], None):
        with pytest.raises(Malformed):
            unpack_picture({"picture": told}, bytearray(6))
