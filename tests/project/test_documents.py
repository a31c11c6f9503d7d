"""Documents that several people edit: no save is lost, none is half-written, and names are never paths."""

import multiprocessing
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sightline.errors import ConflictError, OutputError, UsageError
from sightline.project import ANY, Documents, Project, Steps, page_info, version_of
from sightline.testing import list_page


def _lessons(folder: Path) -> Documents:
    return Documents(folder / "lessons", ".lesson.json", "a lesson")


def test_a_save_names_the_version_that_it_was_made_from(tmp_path: Path) -> None:
    """A stale one is refused, and says which version there is now."""
    lessons = _lessons(tmp_path)
    first = lessons.save("cameras", b"1", expected=None)
    second = lessons.save("cameras", b"2", expected=first)
    with pytest.raises(ConflictError, match="changed it meanwhile") as refused:
        lessons.save("cameras", b"3", expected=first)
    assert refused.value.version == second == version_of(b"2")
    assert lessons.load("cameras").content == b"2"
    with pytest.raises(ConflictError, match="already"):
        lessons.save("cameras", b"4", expected=None)
    with pytest.raises(ConflictError, match="deleted"):
        lessons.save("lenses", b"4", expected=first)
    lessons.save("cameras", b"5", expected=ANY)
    with pytest.raises(ConflictError):
        lessons.delete("cameras", expected=first)
    lessons.delete("cameras", expected=version_of(b"5"))
    assert lessons.find("cameras") is None
    with pytest.raises(UsageError, match="There is no lesson 'cameras'"):
        lessons.load("cameras")


def test_files_beside_a_document_are_saved_and_deleted_with_it(tmp_path: Path) -> None:
    """And stay as they are if the save is refused."""
    lessons = _lessons(tmp_path)
    first = lessons.save("cameras", b"1", expected=None, beside={".history": b"a"})
    beside = lessons.folder / "cameras.history"
    with pytest.raises(ConflictError):
        lessons.save("cameras", b"2", expected=None, beside={".history": b"b"})
    assert beside.read_bytes() == b"a"
    with pytest.raises(ConflictError):
        lessons.delete("cameras", expected=version_of(b"2"), beside=[".history"])
    assert beside.exists()
    lessons.delete("cameras", expected=first, beside=[".history"])
    assert not beside.exists()


def _add(folder: Path, own: str, times: int) -> None:
    """Add letters to one document, again and again until each is in it."""
    lessons = _lessons(folder)
    for _ in range(times):
        while True:
            found = lessons.load("count")
            try:
                lessons.save("count", found.content + own.encode(), expected=found.version)
            except ConflictError:
                continue
            break


def test_writers_in_threads_and_processes_lose_nothing(tmp_path: Path) -> None:
    """Whoever loses a race is told and tries again; in the end every letter is there."""
    _lessons(tmp_path).save("count", b"", expected=None)
    process = multiprocessing.get_context("spawn").Process(target=_add, args=(tmp_path, "p", 20))
    process.start()
    threads = [threading.Thread(target=_add, args=(tmp_path, letter, 20)) for letter in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    process.join()
    content = _lessons(tmp_path).load("count").content
    assert {letter: content.count(letter.encode()) for letter in "pab"} == {"p": 20, "a": 20, "b": 20}


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "a\\b", ".hidden", "a\0", "a\n", " a", "a ", "é" * 100])
def test_a_name_is_never_a_path(tmp_path: Path, name: str) -> None:
    """Nor longer than a file system takes."""
    with pytest.raises(UsageError, match="cannot name a lesson"):
        _lessons(tmp_path).save(name, b"", expected=None)


def test_free_names_are_free_and_can_be_saved(tmp_path: Path) -> None:
    """Whatever was wanted; letters of other scripts stay."""
    lessons = _lessons(tmp_path)
    for wanted in ("Cameras", "cameras", "../../etc/passwd", "カメラ", "", "🙂", "x" * 500, "é" * 500):
        name = lessons.free_name(wanted)
        assert name not in lessons.names()
        lessons.save(name, b"", expected=None)
    assert {"Cameras", "cameras 2", "カメラ", "lesson"} <= set(lessons.names())


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """A file in its place, say."""
    (tmp_path / "lessons").write_text("")
    with pytest.raises(OutputError):
        _lessons(tmp_path).save("cameras", b"", expected=None)


def test_a_new_step_takes_the_place_of_what_was_undone() -> None:
    """Undo and redo are a place in a list."""
    steps = Steps().then({"words": "a"}).then({"words": "b"}).undone().then({"words": "c"})
    assert (steps.words, steps.at) == (["a", "c"], 2)
    assert Steps.from_json(steps.to_json()) == steps
    with pytest.raises(UsageError, match="nothing to redo"):
        steps.redone()
    with pytest.raises(UsageError):
        Steps.from_json({"steps": "x"})
    assert Steps.from_json({"steps": [{}], "at": 99}).at == 1


def test_a_project_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    """In one sentence that says what to do."""
    store = Project(tmp_path)
    store.prepare()
    store.prepare()
    (tmp_path / "project.json").write_text('{"format": "sightline project", "version": 2}')
    with pytest.raises(UsageError, match=r"made by a newer Sightline .* update Sightline"):
        store.prepare()
    for other in ("{", "[]", '{"format": "something", "version": 1}'):
        (tmp_path / "project.json").write_text(other)
        with pytest.raises(UsageError, match="not a project of Sightline"):
            store.prepare()


def test_what_is_known_of_a_page_is_beside_it(tmp_path: Path) -> None:
    """It comes back as it was; a damaged file is as good as none."""
    store, page = Project(tmp_path), list_page(["one", "two"])
    info = page_info(page, source="stars.html", pictures=[(0.0, 0.0, 10.0, 20.5)], wall="a captcha")
    store.keep_page(page, info)
    assert store.info(page.id) == info
    store.page_path(page.id).with_suffix(".json").write_bytes(b"{")
    assert store.info(page.id) is None
    store.keep_picture(page.id, 0, b"png")
    assert store.picture(page.id, 0) == b"png"
    store.delete_page(page.id)
    assert list(store.page_ids()) == []
    assert store.picture(page.id, 0) is None


SAVING = """
import sys
from sightline.project import Documents
lessons = Documents(sys.argv[1], ".json", "a lesson")
version = lessons.load("count").version
start = int(lessons.load("count").content)
for number in range(start + 1, 10**9):
    version = lessons.save("count", str(number).encode(), expected=version)
    print(number, flush=True)
"""


@pytest.mark.slow
def test_every_acknowledged_save_is_there_after_a_kill(tmp_path: Path) -> None:
    """What was told is there, whole; `python -m bench studio` kills a whole server, fifty times."""
    lessons = Documents(tmp_path, ".json", "a lesson")
    lessons.save("count", b"0", expected=None)
    told = 0
    for lines in (1, 7, 20):
        command = [sys.executable, "-c", SAVING, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(lines):
                told = int(process.stdout.readline())
            process.kill()
            for line in process.stdout:
                told = int(line)
        assert told <= int(lessons.load("count").content) <= told + 1
