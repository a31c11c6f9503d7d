"""The report of a trace: one HTML page with a picture for each step, to step through with the arrow keys."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

__all__ = ["report_page"]

STYLE = """
:root { color-scheme: light dark; --line: #8884; --mark: #1a7f5a; --bad: #c0392b }
* { box-sizing: border-box }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; height: 100vh }
body { display: grid; grid-template: auto 1fr / 24rem 1fr }
header { grid-column: 1 / 3; padding: .7rem 1rem; border-bottom: 1px solid var(--line) }
h1 { font-size: 1.1rem; margin: 0 } header p { margin: .2rem 0 0 }
ol { list-style: none; margin: 0; padding: 0; overflow: auto; border-right: 1px solid var(--line) }
li { padding: .45rem .8rem; cursor: pointer; border-left: 4px solid transparent; border-bottom: 1px solid var(--line) }
li[aria-current] { border-left-color: var(--mark); background: #8882 }
li.bad { color: var(--bad) } li b { font-variant-numeric: tabular-nums; margin-right: .5rem; font-weight: 600 }
li small { display: block; opacity: .75; overflow-wrap: anywhere }
main { overflow: auto; padding: 1rem } main img { max-width: 100%; border: 1px solid var(--line) }
main p { margin: 0 0 .6rem; overflow-wrap: anywhere }
figure { margin: 0; position: relative }
figure i { position: absolute; outline: 3px solid #e0218a; outline-offset: 2px }
"""

SCRIPT = """
const items = [...document.querySelectorAll('li')], main = document.querySelector('main');
const show = number => {
  const item = items[Math.max(0, Math.min(items.length - 1, number))];
  items.forEach(one => one.toggleAttribute('aria-current', one === item));
  item.scrollIntoView({ block: 'nearest' });
  main.replaceChildren(item.querySelector('template').content.cloneNode(true));
};
let at = 0;
items.forEach((item, number) => item.addEventListener('click', () => show(at = number)));
addEventListener('keydown', event => {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step) { event.preventDefault(); show(at = Math.max(0, Math.min(items.length - 1, at + step))) }
});
const first = items.findLastIndex(item => item.className === 'bad');
const seen = items.findIndex(item => item.querySelector('template').content.querySelector('img'));
if (items.length) show(at = Math.max(0, first < 0 ? seen : first));
"""


def report_page(title: str, steps: Sequence[Mapping[str, Any]], ended: str) -> str:
    """The page; its pictures are files beside it."""
    items = "".join(map(_item, steps))
    told = escape(ended) or f"{len(steps)} steps."
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
        f"<header><h1>{escape(title)}</h1><p>{told} Use the arrow keys to step through it.</p></header>"
        f"<ol>{items}</ol><main></main><script>{SCRIPT}</script></html>"
    )


def _item(step: Mapping[str, Any]) -> str:
    problem = step.get("problem", "")
    small = "".join(
        f"<small>{escape(text)}</small>"
        for text in (step.get("record", ""), problem or step.get("note", ""), _found(step))
        if text
    )
    name = f"<b>{escape(step['step'])}</b>{escape(step['what'])}"
    kind = ' class="bad"' if problem else ""
    inset = 0.8 + 0.9 * step["step"].count(".")
    deep = f' style="padding-left: {inset:.1f}rem"'
    return f"<li{kind}{deep}>{name}{small}<template>{_detail(step)}</template></li>"


def _found(step: Mapping[str, Any]) -> str:
    how = step.get("found by", "")
    return f"found by {how}" if how and how != "name" else ""


def _detail(step: Mapping[str, Any]) -> str:
    where = f"<p>Line {step['line']} · {escape(step.get('address', ''))}</p>"
    problem = f"<p><strong>{escape(step['problem'])}</strong></p>" if step.get("problem") else ""
    note = f"<p>{escape(step['note'])}</p>" if step.get("note") else ""
    return f"{where}{problem}{note}{_picture(step)}"


def _picture(step: Mapping[str, Any]) -> str:
    """What the window showed, with a frame around the target."""
    if "picture" not in step:
        return f"<p>There is no picture: {escape(step.get('nothing to see', 'no page was open'))}</p>"
    frame = ""
    if "box" in step:
        left, top, width, height = (f"{100 * part:.2f}%" for part in step["box"])
        frame = f'<i style="left: {left}; top: {top}; width: {width}; height: {height}"></i>'
    return f'<figure><img src="{step["picture"]}" alt="The window before this step">{frame}</figure>'
