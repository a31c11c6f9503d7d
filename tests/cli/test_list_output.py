"""Lists on the terminal and their origins, from lists made by hand."""

import pytest

from sightline.cli._console import output
from sightline.cli._lists import print_lists, print_top, rest_of
from sightline.cli._text import print_trace
from sightline.data import Item, ItemList, Record, Value
from sightline.extract.lists import ListCandidate, ListTrace, TopCandidate, TopTrace

HOSTILE = "\x1b[2J[red]\x07\u009b31m"


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_width", 80)


def _item(title: str, text: str = "", link: str | None = None, **parts: str) -> Item:
    components = Record({"title": title, **parts}) if parts else Record()
    return Item(Value(title), Value(text or title), link=Value(link) if link else None, components=components)


def _text(text: str) -> Item:
    return Item(Value(text), Value(text), components=Record({"text": text}))


def _shown(lists: list[ItemList], capsys: pytest.CaptureFixture[str], *, everything: bool = False) -> list[str]:
    print_lists(lists, everything=everything)
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_records_are_rows_under_the_names_of_their_parts(capsys: pytest.CaptureFixture[str]) -> None:
    """What records are called comes first, whatever stands first on the page."""
    items = tuple(Item(Value(f"Z{n}"), Value("x"), components=Record({"price": "5", "title": f"Z{n}"})) for n in "123")
    shown = _shown([ItemList(items, caption="Cameras", score=0.875)], capsys)
    assert shown == [
        "1  Cameras · 3 records · score 0.88",
        "   title  price",
        "   Z1     5",
        "   Z2     5",
        "   Z3     5",
    ]


def test_short_records_stand_in_one_line_and_long_ones_in_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    """A list of plain texts needs no names; what has no room in one line is cut after some lines."""
    shown = _shown([ItemList((_text("a"), _text("b")))], capsys)
    assert shown == ["1  2 records · score 1.00", "   a · b"]
    long = ItemList(tuple(_text(f"{n} {'word ' * 30}") for n in range(9)))
    shown = _shown([long], capsys)
    assert len(shown) == 6
    assert all(len(line) == 80 and line.endswith("…") for line in shown[1:])
    shown = _shown([long], capsys, everything=True)
    assert len(shown) == 10
    assert shown[-1].endswith("word")


def test_menus_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a menu one sees where it leads, cut at the edge, and that it is one."""
    items = tuple(_item(f"Part {n}", link=f"http://x/{n}") for n in range(30))
    shown = _shown([ItemList(items, kind="navigation")], capsys)
    assert shown[0].endswith("navigation")
    assert len(shown) == 2
    assert shown[1].startswith("   Part 0 · Part 1 · ")
    assert (len(shown[1]), shown[1][-1]) == (80, "…")


def test_addresses_wait_until_there_is_room(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link is shown where no other part is cut for it, and by `--all` always."""
    items = tuple(_item(f"{name} {'long ' * 6}", link=f"http://x/{name}", price="5 €") for name in "ab")
    lists = [ItemList(items)]
    assert any("http://x/b" in line for line in _shown(lists, capsys))
    monkeypatch.setattr(output, "_width", 50)
    assert not any("http" in line for line in _shown(lists, capsys))
    assert any("http://x/b" in line for line in _shown(lists, capsys, everything=True))


def test_one_remark_tells_of_what_was_cut(capsys: pytest.CaptureFixture[str]) -> None:
    """Not one for each list, and none where nothing was left out."""
    long = ItemList(tuple(_item(str(n), price="5", size="6") for n in range(9)))
    print_lists([long, long], everything=False)
    assert capsys.readouterr().err.count("--all") == 1
    print_lists([ItemList(long.items[:3])], everything=False)
    assert capsys.readouterr().err == ""


def test_a_list_of_nothing_is_shown_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither an empty list nor a search without candidates is an error."""
    print_lists([ItemList(())], everything=False)
    print_top(ItemList(()), "", everything=False)
    print_trace(ListTrace(()))
    print_trace(TopTrace(()))
    assert "0 records" in capsys.readouterr().out


def test_top_cuts_long_lists_until_all_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty items are shown, and how many there are beyond; `--all` shows each."""
    one = ItemList(tuple(_item(f"Star {n}", f"Star {n}\nText {n}") for n in range(1, 31)), promised=30)
    print_top(one, "Thirty stars", everything=False)
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0] == "Thirty stars"
    assert "Star 20" in shown.out
    assert "Star 21" not in shown.out
    assert "… 10 more items; --all shows them." in shown.err
    print_top(one, "Thirty stars", everything=True)
    shown = capsys.readouterr()
    assert "Star 30\n    Text 30\n" in shown.out
    assert shown.err == ""


@pytest.mark.parametrize(
    ("title", "text", "rest"),
    [
        ("Rigel", "2. Rigel\nIn Orion\n\nBlue", ["In Orion", "Blue"]),
        ("Rigel", "2\nRigel – blue", ["blue"]),
        ("Rigel", "Editor's choice\nRigel", ["Editor's choice"]),
        ("Rigel", "Best of all: Rigel", ["Best of all:"]),
        ("Rigel", "Rigel", []),
        ("Beta Orionis", "Rigel\nIn Orion", ["Rigel", "In Orion"]),
    ],
)
def test_the_title_is_not_said_twice(title: str, text: str, rest: list[str]) -> None:
    """What follows the title is the text without it and without its number, and nothing else is lost."""
    assert rest_of(_item(title, text)) == rest


def test_print_obeys_no_page(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither our marks nor a terminal's own codes in any text are carried out."""
    item = _item(HOSTILE, f"{HOSTILE}\n{HOSTILE}", link=HOSTILE, **{HOSTILE: HOSTILE})
    plain = Item(Value(HOSTILE), Value(HOSTILE))
    for everything in (False, True):
        print_lists([ItemList((item, item), caption=HOSTILE)], everything=everything)
        print_lists([ItemList((plain, plain)), ItemList((item,), kind="navigation")], everything=everything)
        print_top(ItemList((item, plain), caption=HOSTILE), HOSTILE, everything=everything)
    print_trace(ListTrace((), (ListCandidate("units", HOSTILE, 3, None, HOSTILE, {}, 0.5, "list"),)))
    print_trace(TopTrace((), (TopCandidate("headings", 3, 0, (HOSTILE,), {}, 0.5, "the list"),)))
    shown = capsys.readouterr().out
    assert "[red]" in shown
    assert not set("\x1b\x07\u009b") & set(shown)
