"""Pages that move as those of sites do: what comes in bit by bit, rotates, or appears when a script says so."""

from collections.abc import Iterator
from pathlib import Path

FADE = "@keyframes in { from { opacity: 0; transform: translateY(30px) } }"
STAGGERED = "".join(f".story:nth-child({n}) {{ animation-delay: {n * 60}ms }}" for n in range(1, 13))

# By what happens: the styles and the script of a listing of news.
WAYS = {
    "fades in by styles": (f"{FADE} .story {{ animation: in .4s backwards }} {STAGGERED}", ";"),
    "fades in when it is seen": (
        ".story { opacity: 0; transition: opacity .3s } .story.seen { opacity: 1 }",
        "const o = new IntersectionObserver(all => all.forEach("
        "e => e.isIntersecting && e.target.classList.add('seen')),"
        "{rootMargin: '9999px'}); document.querySelectorAll('.story').forEach(s => o.observe(s))",
    ),
    "fades in by a script": (
        ".story { opacity: 0 }",
        "const all = [...document.querySelectorAll('.story')]; let step = 0;"
        "const id = setInterval(() => { step += .05; all.forEach(s => s.style.opacity = Math.min(1, step));"
        "if (step >= 1) clearInterval(id) }, 13)",
    ),
    "slides down": (
        "#list { height: 0; overflow: hidden; transition: height .35s }",
        "addEventListener('load', () => setTimeout(() => document.getElementById('list').style.height = '1400px', 20))",
    ),
    "is shown after a while": (
        ".story { visibility: hidden }",
        "setTimeout(() => document.querySelectorAll('.story').forEach(s => s.style.visibility = 'visible'), 90)",
    ),
    "comes one by one": (
        ".story { display: none }",
        "let n = 0; const all = [...document.querySelectorAll('.story')]; (function next() {"
        "if (n < all.length) { all[n++].style.display = 'block'; setTimeout(next, 40) } })()",
    ),
    "rotates for ever": (
        ".story { display: none } .story.on { display: block }",
        "const all = [...document.querySelectorAll('.story')]; let at = 0; all[0].className += ' on';"
        "setInterval(() => { all[at].classList.remove('on'); at = (at + 1) % all.length;"
        "all[at].classList.add('on') }, 3000)",
    ),
    "runs past for ever": (
        "@keyframes run { to { transform: translateX(-600px) } } #list { animation: run 8s linear infinite }",
        ";",
    ),
    "pulses for ever": ("@keyframes p { 50% { opacity: 0 } } .story { animation: p 1s infinite }", ";"),
    "is put into columns": (
        "#list { position: relative } .story { position: absolute; transition: top .3s, left .3s; width: 300px }",
        "const put = () => [...document.querySelectorAll('.story')].forEach((s, i) => {"
        "s.style.left = 320 * (i % 3) + 'px'; s.style.top = 140 * Math.floor(i / 3) + 'px' });"
        "addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(put)))",
    ),
    "follows the clock": (
        "",
        "setInterval(() => document.querySelector('h1').dataset.now = Date.now(), 50)",
    ),
    "counts up": (
        "",
        "let n = 0; const id = setInterval(() => { document.querySelector('h1').textContent = 'News of today: ' + ++n;"
        "if (n == 30) clearInterval(id) }, 10)",
    ),
}

PAGE = """<!doctype html><meta charset=utf-8><title>News: {name}</title>
<style>body {{ font: 16px sans-serif }} {styles}</style><h1>News of today</h1><div id=list>{stories}</div>
<p>All about the town, every day.</p><script>{script}</script>"""
STORY = (
    "<div class=story><h2><a href=/{n}>Story number {n} of the town</a></h2>"
    "<p>What was said about it by those who were there at {n} o'clock.</p><span>{n} March 2026</span></div>"
)


def write_moving(folder: Path) -> Iterator[Path]:
    """Write a page for each way, and name it."""
    stories = "".join(STORY.format(n=number) for number in range(1, 13))
    for name, (styles, script) in WAYS.items():
        path = folder / f"{name.replace(' ', '-')}.html"
        path.write_text(PAGE.format(name=name, styles=styles, stories=stories, script=script), "utf-8")
        yield path
