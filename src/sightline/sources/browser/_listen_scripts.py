"""The script that reports what a person does in a page. It runs in an isolated world of every frame.

The page can neither see it nor call the binding that it reports through. What is typed into a secret input never leaves
the page: the script reports that something was typed, and what kind of secret it is.
"""

from sightline.sources.browser._actions import KEYS
from sightline.sources.browser._element_scripts import PATHS

HEARING = "sightlineHearing"
"""The name of the world and of its binding; messages of the browser that have it in them are for us."""

# Limits of the script: how far the mouse moves before a press is a drag, pauses in milliseconds after which a scroll is
# over and a change of the page is worth telling again, and how much of a text identifies an element.
_DRAGGED, _SCROLLED, _CHANGED, _LONGEST = 6, 150, 50, 80

LISTEN = r"""(() => {
const world = globalThis, say = world.HEARING;
if (!say || world.isListening) return;
world.isListening = true;
PATHS
const KEYS = new Set(NAMED_KEYS);
const CONTROL = 'a[href], area[href], button, summary, input, select, textarea, label, option, [role], [onclick], '
  + '[tabindex], [aria-haspopup], [contenteditable], [draggable=true]';
const NOT_TYPED = /^(button|submit|reset|image|checkbox|radio|file|range|color)$/;
const secrets = new WeakSet();
const squeezed = text => (text ?? '').replace(/\s+/g, ' ').trim();
const targetOf = event => { const first = event.composedPath()[0];
  return first instanceof Element ? first : first && first.parentElement instanceof Element ? first.parentElement
    : document.documentElement };
const typeOf = element => element instanceof HTMLInputElement ? element.type : '';

// What must not be known: passwords (also after a click on "show"), codes that hold once, cards, and masked inputs.
const secretOf = element => {
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return '';
  const purpose = element.autocomplete ?? '';
  if (/one-time-code/.test(purpose)) return 'code';
  if (/\bcc-(number|csc|exp)/.test(purpose)) return 'card';
  const masked = getComputedStyle(element).webkitTextSecurity ?? 'none';
  if (element.type === 'password' || /password/.test(purpose) || masked !== 'none') secrets.add(element);
  return secrets.has(element) ? 'password' : '';
};
const editorOf = element => {
  let host = element;
  while (host.parentElement && host.parentElement.isContentEditable) host = host.parentElement;
  return host;
};
const isTyped = element => element instanceof HTMLTextAreaElement || element.isContentEditable
  || element instanceof HTMLInputElement && !NOT_TYPED.test(element.type);
const labelled = element => {
  const label = element.closest('label'), control = label && label.control;
  return control && control !== element ? control : null;
};

const tell = (kind, element, more = {}) => {
  const secret = secretOf(element);
  const text = isTyped(element) || secret ? '' : squeezed(element.textContent).slice(0, LONGEST);
  say(JSON.stringify({ kind, path: wholePathOf(element), tag: element.localName, type: typeOf(element), text,
    id: element.id, named: element.getAttribute('name') ?? '', secret, ...more }));
};
const on = (type, hear) => world.addEventListener(type, event => { if (event.isTrusted) hear(event) },
  { capture: true, passive: true });

// ---------------------------------------------------------------- the mouse

let held = null, dragged = false, lifted = null, over = null;
on('pointerover', event => {
  const control = targetOf(event).closest(CONTROL);
  if (control && control !== over && !event.buttons) tell('over', control);
  over = control;
});
on('pointerdown', event => {
  dragged = false;
  const element = targetOf(event);
  held = event.button ? null : { element, x: event.clientX, y: event.clientY };
  watchShadows(event);
});
on('pointerup', event => {
  const from = held;
  held = null;
  if (!from || typeOf(from.element) === 'range') return;
  const by = [Math.round(event.clientX - from.x), Math.round(event.clientY - from.y)];
  if (Math.hypot(...by) < DRAGGED || String(world.getSelection() ?? '')) return;
  dragged = true;
  const below = Document.prototype.elementsFromPoint.call(document, event.clientX, event.clientY)
    .find(one => !from.element.contains(one) && !one.contains(from.element));
  tell('drag', from.element, { by, onto: below ? wholePathOf(below) : '' });
});
on('dragstart', event => { held = null; lifted = targetOf(event) });
on('drop', event => {
  if (lifted) tell('drag', lifted, { onto: wholePathOf(targetOf(event)) });
  lifted = null;
});
on('dragend', () => { lifted = null });
on('click', event => {
  if (event.button || dragged) { dragged = false; return }
  const element = targetOf(event), control = labelled(element);
  const label = control ? { control: wholePathOf(control), controlType: typeOf(control) } : {};
  tell('click', element, { count: event.detail, ...label });
});

// ---------------------------------------------------------------- inputs

const tellValue = element => {
  const host = element.isContentEditable ? editorOf(element) : null;
  if (host) tell('input', host, { value: host.innerText });
  else tell('input', element, secretOf(element) ? {} : { value: element.value });
};
on('input', event => {
  const element = targetOf(event);
  if (element instanceof HTMLSelectElement || /^(checkbox|radio|file)$/.test(typeOf(element))) return;
  if ('value' in element || element.isContentEditable) tellValue(element);
});
on('change', event => {
  const element = targetOf(event), type = typeOf(element);
  if (element instanceof HTMLSelectElement)
    tell('choice', element, { options: Array.from(element.selectedOptions, one => squeezed(one.label || one.text)) });
  else if (type === 'checkbox' || type === 'radio') tell('check', element, { checked: element.checked });
  else if (type === 'file') tell('files', element, { files: Array.from(element.files, one => one.name) });
  else if (/^(range|color|date|time|month|week|datetime-local|number)$/.test(type)) tellValue(element);
});
on('keydown', event => {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const element = targetOf(event), key = event.key === ' ' ? 'Space' : event.key;
  const types = isTyped(element) || element instanceof HTMLSelectElement;
  if (types && key === 'Space' || !KEYS.has(key) && (types || key.length !== 1)) return;
  tell('key', element, { key });
});

// ---------------------------------------------------------------- what the page does

let scrolling = 0;
on('scroll', event => {
  const element = event.target instanceof Element ? event.target : document.scrollingElement;
  if (!element) return;
  const report = first => tell('scroll', element, { text: '', top: Math.round(element.scrollTop), first,
    whole: element === document.scrollingElement });
  if (!scrolling) report(true);
  clearTimeout(scrolling);
  scrolling = setTimeout(() => { scrolling = 0; report(false) }, SCROLLED);
});
let waiting = 0;
const changed = () => {
  if (!waiting) waiting = setTimeout(() => { waiting = 0; say('{"kind": "changed"}') }, CHANGED) };
const watcher = new MutationObserver(changed), watched = new WeakSet();
const watch = root => { if (watched.has(root)) return; watched.add(root);
  watcher.observe(root, { subtree: true, childList: true, attributes: true, characterData: true }) };
const watchShadows = event => { for (const one of event.composedPath()) if (one instanceof ShadowRoot) watch(one) };
watch(document);
})()"""

for _name, _value in {
    "HEARING": HEARING,
    "PATHS": PATHS,
    "NAMED_KEYS": str([*KEYS]),
    "DRAGGED": str(_DRAGGED),
    "SCROLLED": str(_SCROLLED),
    "CHANGED": str(_CHANGED),
    "LONGEST": str(_LONGEST),
}.items():
    LISTEN = LISTEN.replace(_name, _value)
