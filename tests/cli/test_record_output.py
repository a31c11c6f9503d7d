"""Records and outlines on the terminal, from values made by hand."""

import pytest

from sightline import Wrapper
from sightline.cli._console import output
from sightline.cli._wrappers import print_outline, print_records, problem_lines
from sightline.data import Records
from sightline.extract.wrappers import Problem, Templates, induce
from sightline.testing import shop_pages

HOSTILE = "\x1b[2J[red]\x07\u009b31m"


@pytest.fixture(params=[80, 120])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """A terminal of this width."""
    monkeypatch.setattr(output, "_width", request.param)
    return int(request.param)


def _shown(records: Records, capsys: pytest.CaptureFixture[str], *, everything: bool = False) -> list[str]:
    print_records(records, everything=everything)
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_long_records_are_cut_until_all_is_asked_for(capsys: pytest.CaptureFixture[str], width: int) -> None:
    """Neither many fields nor long texts break the lines; `--all` shows each."""
    record = {f"field {number}": f"{number} {'word ' * 40}" for number in range(60)}
    for records in (Records([record]), Records([record] * 30)):
        shown = _shown(records, capsys)
        assert max(map(len, shown)) <= width
        assert len(shown) <= 41
        print_records(records, everything=False)
        assert "--all" in capsys.readouterr().err
        everything = "\n".join(_shown(records, capsys, everything=True))
        assert "59 " + "word " * 39 in everything


def test_fields_that_no_record_has_take_no_room(capsys: pytest.CaptureFixture[str], width: int) -> None:
    """Several records are rows under names; a column of nothing waits for `--all`."""
    records = Records([{"a": "1", "b": None, "c": ["x", "y"]}, {"a": "2", "b": None}])
    assert _shown(records, capsys) == ["   a  c", "   1  x; y", "   2"]
    assert _shown(records, capsys, everything=True)[0] == "   a  b  c"
    assert width


def test_records_of_nothing_are_shown_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither no records nor an empty one is an error."""
    assert _shown(Records([]), capsys) == []
    assert _shown(Records([{}]), capsys) == []
    assert _shown(Records([{}, {}]), capsys) == []


def test_outline_is_cut_at_the_edge(capsys: pytest.CaptureFixture[str], width: int) -> None:
    """Names and types stand on the left, examples in a column of their own."""
    wrapper = induce(shop_pages(4)).rename("Price", "A price that has a very long name, longer than any other")
    print_outline(wrapper)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert max(map(len, lines)) <= width
    assert len({line.index("“") for line in lines[1:]}) == 1


def test_outline_names_each_of_several_templates(capsys: pytest.CaptureFixture[str]) -> None:
    """Pages of two kinds in one wrapper are told one after the other."""
    rules = induce(shop_pages(4)).rules
    assert isinstance(rules, Templates)
    both = Wrapper(Templates(rules.templates * 2, rules.each * 2))
    print_outline(both)
    shown = capsys.readouterr().out
    assert "Template 1 of 2 · A page is one record" in shown
    assert "Template 2 of 2 · A page is one record" in shown


def test_print_obeys_no_page(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither our marks nor a terminal's own codes in any text are carried out."""
    for records in (Records([{HOSTILE: HOSTILE}]), Records([{HOSTILE: HOSTILE}] * 2)):
        for everything in (False, True):
            print_records(records, everything=everything)
    print_outline(induce(shop_pages(4)).rename("Price", HOSTILE))
    shown = capsys.readouterr().out + "".join(problem_lines(Problem(HOSTILE, HOSTILE)))
    assert "[red]" in shown
    assert not set("\x1b\x07\u009b") & set(shown)
