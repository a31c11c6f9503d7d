"""The scripts that find an element and say whether a hand could reach it. They run in an isolated world.

Each is a function whose `this` is a document, a shadow root or an element.
"""

# -- the few scripts that run inside a page -------------------------------------------------------------------------
# That world has its own JavaScript objects but shares the document, whose named elements hide its properties (`<img
# name=scripts>` becomes `document.scripts`): so properties are asked of the prototype.

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
PICTURES_DRAWN = """(() => { if (!globalThis.sightlineDrawn) {
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


# -- the scripts that find an element and say whether a hand could reach it. They run in an isolated worl -----------

# The scripts that fill fields. They run in an isolated world, with `this` an element unless said otherwise.
#
# No value ever leaves the page: whether a field took its text is decided inside.

# What takes no typing, and how its value is written. How a person types a date depends on the language of the system.
_FORMS = """
const forms = {
  date: '2026-03-14', time: '09:30', month: '2026-03', week: '2026-W11', 'datetime-local': '2026-03-14T09:30',
  color: '#1e90ff', range: '50' };
const others = {
  file: 'takes files; choose them with upload()', checkbox: 'is a checkbox; use check()',
  radio: 'is a radio button; use check()', hidden: 'cannot be seen' };
"""

# How a field is filled, `set` or `type`, or why it is not. What isn't a field itself may lead to one, as a label does.
FIELD_WAY = f"""{_FORMS}
const wayOf = (field, text) => {{
  const input = field instanceof HTMLInputElement;
  if (field instanceof HTMLSelectElement) return {{ problem: 'is a <select>; choose its options with select()' }};
  if (input && others[field.type]) return {{ problem: others[field.type] }};
  if (input && /^(button|submit|reset|image)$/.test(field.type)) return {{ problem: 'is a button and takes no text' }};
  if (field.matches(':disabled')) return {{ problem: 'is disabled' }};
  if (field.readOnly) return {{ problem: 'is read-only' }};
  if (!input || !forms[field.type]) return {{ way: 'type' }};
  const copy = field.cloneNode();
  copy.value = text;
  const same = field.type === 'range' ? text !== '' && Number(copy.value) === Number(text)
    : field.type === 'color' ? copy.value === text.toLowerCase() : text === '' || copy.value !== '';
  const range = `from ${{field.min || 0}} to ${{field.max || 100}} in steps of ${{field.step || 1}}`;
  const form = field.type === 'range' ? `takes numbers ${{range}}, and not this one`
    : `does not take this value; write it as in ${{forms[field.type]}}`;
  return same ? {{ way: 'set' }} : {{ problem: form }};
}};
"""

FIELD = f"function (text) {{ {FIELD_WAY} return wayOf(this, text) }}"

# As the browser does when somebody has picked a value.
SET = """function (text) {
  this.focus();
  const before = this.value;
  this.value = text;
  if (this.value === before) return;
  this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  this.dispatchEvent(new Event('change', { bubbles: true }));
}"""

# Replaces the text of the field that has the focus (`this` does not matter); the value is why that failed, or nothing.
# A page may format what it gets, such as blanks in the number of a card: letters and digits must be there, in order.
TYPE = r"""async function (text) {
  let field = Reflect.get(Document.prototype, 'activeElement', document);
  while (field && field.shadowRoot && field.shadowRoot.activeElement) field = field.shadowRoot.activeElement;
  const written = document.designMode === 'on' || field && field.isContentEditable;
  const own = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
    && !/^(button|submit|reset|image|checkbox|radio|file|color|range)$/.test(field.type);
  if (!own && !written) return 'takes no text';
  if (own && field.readOnly) return 'is read-only';
  const run = (name, value) => Document.prototype.execCommand.call(document, name, false, value);
  if (own) field.select(); else run('selectAll');
  const value = () => own ? field.value : field.innerText.trim();
  if (text) run('insertText', text); else if (value()) run('delete');
  await null;  // pages correct their fields before anything else happens
  const has = value();
  if (has === text) return '';
  const plain = words => Array.from(words.normalize('NFKC').toLowerCase()).filter(one => /[\p{L}\p{N}]/u.test(one));
  const wanted = plain(text), found = plain(has);
  let at = 0;
  for (const one of found) if (one === wanted[at]) at++;
  const kept = at === wanted.length && (wanted.length > 0 || found.length === 0) && (has !== '' || text === '');
  return kept ? '' : 'did not keep the text that was typed; it may take a shorter or another one';
}"""


# XPath cannot start at a shadow root, so there the first step is taken among its children: `/name[2]…` as captured
# pages have it, or `//name…`.
_SEARCH = r"""
const searched = (xpath, from) => {
  const found = Document.prototype.evaluate.call(
    document, xpath, from, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  return Array.from({ length: found.snapshotLength }, (_, number) => found.snapshotItem(number));
};
const first = (xpath, from) => Document.prototype.evaluate.call(
  document, xpath, from, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
const inShadow = (root, path) => {
  const counted = path.match(/^\/(?!\/)((?:\*\[name\(\)=(?:'[^']*'|"[^"]*")\])|[^\/\[\]]+)\[(\d+)\](.*)$/);
  const children = Array.from(root.childNodes);
  if (counted) {
    const [, test, position, rest] = counted;
    const start = children.filter(child => first('self::' + test, child))[position - 1];
    return start ? searched('self::node()' + rest, start) : [];
  }
  const anywhere = path.startsWith('//'), rest = path.replace(/^\/+/, '');
  return children.flatMap(child => searched(anywhere ? `self::${rest} | .//${rest}` : `self::${rest}`, child));
};
const elementOf = node => node instanceof Element ? node : node && (node.parentElement ?? node.ownerElement);
"""

_FIND = f"""{_SEARCH}
const find = (root, path) => {{
  let found;
  try {{ found = root instanceof ShadowRoot ? inShadow(root, path)[0] : first(path, root) }}
  catch {{ return 'is not an XPath' }}
  const element = elementOf(found);
  return element instanceof Element ? element : 'is not on the page';
}};
"""

FIND = f"function (path) {{ {_FIND} return find(this, path) }}"

# The path of an element from the top of its document or shadow root, as `sightline.page._xpath` writes it, and the
# whole path through shadow roots; frames are added by whoever knows them. A frame has its own classes, so `instanceof`
# says nothing about what is in it, and the fields of a form hide its properties, so these are asked of the prototype.
PATHS = r"""
const askNode = (node, name) => Reflect.get(Node.prototype, name, node);
const tagOf = element => {
  const name = askNode(element, 'nodeName');
  return name === name.toUpperCase() ? name.toLowerCase() : name;
};
const pathOf = element => {
  const chain = [];
  for (let node = element; node && askNode(node, 'nodeType') === 1; node = askNode(node, 'parentNode'))
    chain.unshift(node);
  let path = '', foreign = false;
  for (const node of chain) {
    const tag = tagOf(node);
    let position = 1;
    for (let other = node.previousElementSibling; other; other = other.previousElementSibling)
      position += tagOf(other) === tag;
    foreign = foreign || tag === 'svg' || tag === 'math';
    const quoted = tag.includes("'") ? `"${tag}"` : `'${tag}'`;
    const plain = !foreign && /^[a-z_][\w.-]*$/.test(tag);
    path += `/${plain ? tag : `*[name()=${quoted}]`}[${position}]`;
    foreign = foreign && !/^(foreignobject|foreignObject|desc|title|annotation-xml)$/.test(tag);
  }
  return path;
};
const wholePathOf = element => {
  let top = element;
  for (let above = element; above; above = askNode(above, 'parentNode')) top = above;
  const host = askNode(top, 'nodeType') === 11 && top.host;
  return host ? `${wholePathOf(host)} >> ${pathOf(element)}` : pathOf(element);
};
"""

PATH = f"function () {{ {PATHS} return pathOf(this) }}"
WHOLE_PATH = f"function () {{ {PATHS} return wholePathOf(this) }}"

# The paths of all elements that match a CSS selector or an XPath; null if it is not one.
LOCATE = f"""function (query, css) {{ {_SEARCH} {PATHS}
  const all = css ? Reflect.get(this instanceof ShadowRoot ? DocumentFragment.prototype : Document.prototype,
    'querySelectorAll') : null;
  try {{
    const found = css ? Array.from(all.call(this, query))
      : this instanceof ShadowRoot ? inShadow(this, query) : searched(query, this);
    return Array.from(new Set(found.map(elementOf).filter(one => one instanceof Element)), pathOf);
  }} catch {{ return null }}
}}"""

# What an element is now. What was typed into it is left out, and so is the attribute `value` of a password.
FACTS = f"""function (most) {{ {PATHS}
  const told = this.getAttribute('aria-checked'), box = this.getBoundingClientRect();
  const own = this instanceof HTMLInputElement && /^(checkbox|radio)$/.test(this.type);
  const secret = this instanceof HTMLInputElement && this.type === 'password';
  const text = (this.innerText ?? this.textContent ?? '').slice(0, 20 * most).replace(/\\s+/g, ' ').trim();
  const attributes = Array.from(this.attributes, one => [one.name, one.value]);
  return {{
    tag: tagOf(this), text: Array.from(text).slice(0, most).join(''),
    attributes: attributes.filter(([name]) => !secret || name !== 'value'),
    checked: own ? this.checked : told === null ? null : told === 'true',
    disabled: this.matches(':disabled') || this.getAttribute('aria-disabled') === 'true',
    visible: box.width > 0 && box.height > 0 && getComputedStyle(this).visibility === 'visible',
  }};
}}"""

# The box of an element in its window.
BOX = """function () {
  const box = this.getBoundingClientRect();
  return { left: box.left, top: box.top, right: box.right, bottom: box.bottom } }"""

INSIDE = """function () {
  return this.shadowRoot ?? (/^i?frame$/i.test(this.tagName) ? 'frame' : 'has no frame or open shadow root inside') }"""

# Nobody else waits for a frame in a process of its own.
LOADED = """function () {
  const loaded = Reflect.get(Document.prototype, 'readyState', document) === 'complete';
  return loaded || new Promise(done => addEventListener('load', () => done(true), { once: true })) }"""

# What the page shows at a point of the window, through open shadow roots, and whether it belongs to an element.
_HIT = """
const hitAt = (x, y) => {
  let hit = Document.prototype.elementFromPoint.call(document, x, y);
  while (hit && hit.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
};
const belongs = (hit, element) => {
  const label = hit.closest('label');
  if (element.contains(hit) || label && label.control === element) return true;
  let node = hit;
  while (node && node !== element) node = node.assignedSlot ?? node.parentNode ?? node.host;
  return node === element;
};
const named = hit => {
  const first = hit.classList[0], name = hit.id ? '#' + hit.id : first ? '.' + first : '';
  const text = (hit.textContent ?? '').replace(/\\s+/g, ' ').trim();
  const short = text.length > 60 ? text.slice(0, 60) + '…' : text;
  return '<' + hit.tagName.toLowerCase() + name + '>' + (short ? ' “' + short + '”' : '');
};
"""

# Where an element is in its window, after scrolling to it; only visible, uncovered elements can be clicked.
_PLACE = f"""{_HIT}
const place = element => {{
  element.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
  // A link that wraps is clicked in its first line, as the middle of its whole box may be beside it.
  const box = element.getClientRects()[0] ?? element.getBoundingClientRect();
  if (box.width <= 0 || box.height <= 0 || getComputedStyle(element).visibility !== 'visible')
    return {{ problem: 'cannot be seen' }};
  if (element.matches(':disabled')) return {{ problem: 'is disabled' }};
  const x = box.left + box.width / 2, y = box.top + box.height / 2, hit = hitAt(x, y);
  if (!hit) return {{ problem: 'is outside of the window' }};
  return belongs(hit, element) ? {{ x, y }} : {{ problem: 'is covered by ' + named(hit), cover: named(hit) }};
}};
"""

PLACE = f"function () {{ {_PLACE} return place(this) }}"

# Both at once, for an element of the page itself: most actions need no more than this of it.
REACH = f"""function (path) {{ {_FIND} {_PLACE} {WATCH}
  const element = find(document, path);
  if (!(element instanceof Element)) return {{ problem: element }};
  const at = place(element);
  if (!at.problem) watch();
  return at;
}}"""

# The same for a field, with how it is filled.
REACH_FIELD = f"""function (path, text) {{ {_FIND} {_PLACE} {FIELD_WAY}
  const element = find(document, path);
  if (!(element instanceof Element)) return {{ problem: element }};
  const field = wayOf(element, text), at = field.problem ? field : place(element);
  return {{ ...field, ...at }};
}}"""

# Whether a frame is what the page around it shows at a point; the corner of its content is where its window begins.
AT_POINT = f"""function (x, y) {{ {_HIT}
  const hit = hitAt(x, y);
  if (!hit) return {{ problem: 'is outside of the window' }};
  return belongs(hit, this) ? {{}} : {{ problem: 'is covered by ' + named(hit), cover: named(hit) }};
}}"""

# Whether the page has begun to drag something that it may drop elsewhere, and did not prevent it.
WATCH_DRAG = """function () {
  globalThis.sightlineDrag = false;
  addEventListener('dragstart', event => {
    setTimeout(() => { globalThis.sightlineDrag = !event.defaultPrevented }) }, { capture: true, once: true }) }"""
DRAG_BEGAN = "function () { return globalThis.sightlineDrag === true }"

SHOW = "function () { this.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }) }"

# Where a frame is drawn decides which process gets the mouse; that is known once the next picture has been drawn.
DRAWN = """function () { return new Promise(done => {
  setTimeout(done, 500);
  requestAnimationFrame(() => requestAnimationFrame(() => done())) }) }"""

FRAME_CORNER = """function () {
  const box = this.getBoundingClientRect(), style = getComputedStyle(this);
  return { x: box.left + this.clientLeft + parseFloat(style.paddingLeft),
    y: box.top + this.clientTop + parseFloat(style.paddingTop) } }"""

# Why an input cannot take so many files, or nothing. Many sites hide the input behind a button of theirs.
TAKES_FILES = """function (count) {
  if (!(this instanceof HTMLInputElement) || this.type !== 'file') return 'is not an <input type=file>';
  if (this.matches(':disabled')) return 'is disabled';
  return count > 1 && !this.multiple ? 'takes one file' : '' }"""

# true or false, or null for what can be neither. The page's own switches say it for those who cannot see.
IS_ON = """function () {
  const told = this.getAttribute('aria-checked');
  const own = this instanceof HTMLInputElement && /^(checkbox|radio)$/.test(this.type);
  return own ? this.checked : told === null ? null : told === 'true' }"""

LABEL = "function () { return this.labels && this.labels[0] || 'has no label' }"

# The numbers of the options with these texts or values, how the list is shown, and what cannot be chosen.
CHOICES = r"""function (wanted) {
  if (!(this instanceof HTMLSelectElement)) return { problem: 'is not a <select>' };
  const options = Array.from(this.options), plain = text => text.replace(/\s+/g, ' ').trim();
  const numbers = [];
  for (const one of wanted) {
    let number = options.findIndex(option => plain(option.label) === plain(one) || plain(option.text) === plain(one));
    if (number < 0) number = options.findIndex(option => option.value === one);
    if (number < 0) {
      const known = options.slice(0, 20).map(option => plain(option.label)).join(', ');
      return { problem: `has no option “${one}”; it has ${known}${options.length > 20 ? ', …' : ''}` };
    }
    if (options[number].matches(':disabled')) return { problem: `has an option “${one}” that is disabled` };
    numbers.push(number);
  }
  if (numbers.length !== 1 && !this.multiple) return { problem: 'takes one option' };
  const chosen = options.flatMap((option, number) => option.selected ? [number] : []);
  return { numbers, chosen, listed: this.multiple || this.size > 1 };
}"""

VALUES = """function () {
  return Array.from(this.options).flatMap((option, number) => option.selected ? [number] : []) }"""

OPTION = "function () { return this.options[%d] }"

# The list that a closed <select> opens is the system's, beyond any input event of ours. An arrow key moves to the next
# option without opening it: so the selection silently moves beside the wanted one, and the key does the rest.
PICK = """function (number) {
  this.focus();
  const options = Array.from(this.options);
  const usable = options.flatMap((option, at) => option.matches(':disabled') || option.hidden ? [] : [at]);
  const at = usable.indexOf(number);
  if (at < 0) return { problem: 'has that option, but hides it' };
  const before = at > 0 ? usable[at - 1] : -1;
  this.selectedIndex = before >= 0 ? before : usable.length > 1 ? usable[1] : -1;
  return { key: before < 0 && usable.length > 1 ? 'ArrowUp' : 'ArrowDown' };
}"""


# The script that says what is at a point of the window: for a person who points at a picture of it.

# Frames of the same site and open shadow roots are entered.
UNDER = (
    "(x, y) => {"
    + PATHS
    + r"""let root = document, element = null, above = '', left = 0, top = 0;
for (let depth = 0; depth < 20; depth++) {
  const found = root.elementFromPoint(x - left, y - top);
  if (!found || found === element) break;
  element = found;
  let inner = null;
  try { inner = /^i?frame$/.test(found.localName) ? found.contentDocument : null } catch { inner = null }
  if (inner) {
    const box = found.getBoundingClientRect(), style = getComputedStyle(found);
    above += wholePathOf(found) + ' >> ';
    left += box.left + found.clientLeft + parseFloat(style.paddingLeft);
    top += box.top + found.clientTop + parseFloat(style.paddingTop);
    root = inner;
    element = null;
  } else if (found.shadowRoot) root = found.shadowRoot;
  else break;
}
if (!element) return null;
const box = element.getBoundingClientRect();
const label = element.closest('label'), control = element.localName === 'option' ? element.closest('select') : element;
const drawn = control && control.localName === 'select' && !control.multiple && control.size < 2;
return {
  path: above + wholePathOf(drawn ? control : element),
  tag: (drawn ? control : element).localName,
  box: [box.left + left, box.top + top, box.right + left, box.bottom + top],
  labelled: label && label.control ? above + wholePathOf(label.control) : '',
  disabled: Boolean(control && control.disabled),
  options: drawn ? Array.from(control.options, one => ({ label: (one.label || one.text).replace(/\s+/g, ' ').trim(),
    chosen: one.selected, disabled: one.disabled || Boolean(one.parentElement && one.parentElement.disabled) })) : null,
};
}"""
)
