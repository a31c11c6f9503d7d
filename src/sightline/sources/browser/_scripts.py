"""The few scripts that run inside a page, in an isolated world where the page's scripts cannot interfere.

That world has its own JavaScript objects but shares the document, whose named elements hide its properties
(`<img name=scripts>` becomes `document.scripts`): so properties are asked of the prototype.
"""

__all__ = ["DRAWN", "LAY_OUT_ALL", "LOOK", "MEASURE", "SCROLL", "SHADOWS", "STAND_STILL", "TURN", "WATCH"]

_ASK = "const ask = name => Reflect.get(Document.prototype, name, document);"

# Parts that are laid out only when scrolled to would be missing silently (`content-visibility: auto`). A style sheet of
# user origin is not available, so the rule is the strongest that an author can write.
LAY_OUT_ALL = """
const sheet = new CSSStyleSheet();
sheet.replaceSync('*:not([hidden]) { content-visibility: visible !important }');
document.adoptedStyleSheets.push(sheet);
"""

# A few numbers that change when the page does; see `Look` in _tab.py.
LOOK = """(() => { ASK
const root = ask('documentElement'), fonts = ask('fonts');
let scripts = 0;
for (const one of ask('scripts')) if (!one.type || /javascript|module/i.test(one.type)) scripts++;
let refresh = -1;
for (const one of Document.prototype.querySelectorAll.call(document, 'meta[http-equiv=refresh i]')) {
  const delay = parseFloat(one.content); if (delay >= 0) refresh = refresh < 0 ? delay : Math.min(refresh, delay) }
return [Document.prototype.getElementsByTagName.call(document, '*').length,
  root ? root.scrollHeight : 0, root ? root.scrollWidth : 0,
  fonts.status === 'loaded' ? 1 : 0,
  Array.from(fonts, f => [f.family, f.weight, f.style, f.status].join()).join(';'), scripts,
  Math.round(scrollX), Math.round(scrollY), refresh, innerWidth, innerHeight] })()""".replace("ASK", _ASK)

# Counts the changes of the document from the moment in which the mouse is released.
WATCH = """
const watch = () => {
  globalThis.sightlineSeen?.end();
  let moves = 0;
  const observer = new MutationObserver(changes => { moves += changes.length });
  const count = () => moves += observer.takeRecords().length;
  const released = () => { observer.takeRecords(); moves = 0 };
  addEventListener('mouseup', released, { capture: true, once: true });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const end = () => { count(); removeEventListener('mouseup', released, true); observer.disconnect() };
  globalThis.sightlineSeen = { count, end };
};
"""

# How much has changed since then, and how much more does until the next picture has been drawn; pages in the background
# draw none.
TURN = f"""function () {{ {WATCH}
  if (!globalThis.sightlineSeen) watch();
  const seen = globalThis.sightlineSeen, before = seen.count();
  return new Promise(done => {{
    const end = () => {{ clearTimeout(late); seen.end(); delete globalThis.sightlineSeen;
      done([before, seen.count() - before]) }};
    const late = setTimeout(end, 100);
    requestAnimationFrame(() => {{ clearTimeout(late); setTimeout(end) }}) }}) }}"""

# Ends all animations; those that never end stop a second after their beginning. How many are at their end only now.
STAND_STILL = """(() => { let ended = 0;
for (const one of Document.prototype.getAnimations.call(document)) {
  const timing = one.effect?.getComputedTiming();
  if (!timing || !(one.timeline instanceof DocumentTimeline) || one.playState === 'finished') continue;
  const ends = typeof timing.endTime === 'number' && isFinite(timing.endTime) && one.playbackRate !== 0;
  if (ends) { one.finish(); ended++ }
  else if (one.playState !== 'paused') { one.pause(); one.currentTime = 1000 } }
return ended })()"""

# How often the page was drawn since this was first asked.
DRAWN = """(() => { if (!globalThis.sightlineDrawn) {
  globalThis.sightlineDrawn = { times: 0 };
  const draw = () => { globalThis.sightlineDrawn.times++; requestAnimationFrame(draw) };
  requestAnimationFrame(draw) }
return globalThis.sightlineDrawn.times })()"""

SCROLL = """(y => { ASK window.scrollTo({ top: y, left: 0, behavior: 'instant' });
const root = ask('documentElement'); return root ? root.scrollHeight : 0 })(%d)""".replace("ASK", _ASK)

# How far each character reaches when another follows it: so kerning counts, and letters that join.
MEASURE = """(fonts => { const pen = new OffscreenCanvas(1, 1).getContext('2d');
return fonts.map(([font, pieces]) => { pen.font = font; const alone = new Map();
  const width = text => { let known = alone.get(text);
    if (known === undefined) alone.set(text, known = pen.measureText(text).width); return known };
  return pieces.map(piece => { const [first, second] = piece;
    return second === undefined ? width(first) : pen.measureText(piece).width - width(second) }) }) })(%s)"""

# How many elements the page shows, and which of them, in the order shown, have a shadow tree or fill a slot. Nothing in
# a snapshot tells a shadow tree within a shadow tree from ordinary children.
SHADOWS = """(() => {
const ask = (element, name) => Reflect.get(Element.prototype, name, element);
const hosts = [], slots = [], left = [Reflect.get(Document.prototype, 'documentElement', document)];
let count = 0;
while (left.length) {
  const element = left.pop(), root = ask(element, 'shadowRoot');
  const filled = element instanceof HTMLSlotElement && element.assignedNodes().length;
  const given = filled ? element.assignedElements() : null;
  if (root) hosts.push(count); else if (given) slots.push(count);
  for (const child of Array.from(root ? root.children : given ?? ask(element, 'children')).reverse()) left.push(child);
  count++;
}
return [count, hosts, slots] })()"""
