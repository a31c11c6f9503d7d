"""The scripts that fill fields. They run in an isolated world, with `this` an element unless said otherwise.

No value ever leaves the page: whether a field took its text is decided inside.
"""

__all__ = ["FIELD", "FIELD_WAY", "SET", "TYPE"]

# What takes no typing, and how its value is written. How a person types a date depends on the language of the system.
_FORMS = """
const forms = {
  date: '2026-03-14', time: '09:30', month: '2026-03', week: '2026-W11', 'datetime-local': '2026-03-14T09:30',
  color: '#1e90ff', range: '50' };
const others = {
  file: 'takes files; choose them with upload()', checkbox: 'is a checkbox; use check()',
  radio: 'is a radio button; use check()', hidden: 'cannot be seen' };
"""

# How a field is filled, `set` or `type`, or why it is not. What is no field itself may lead to one, as a label does.
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
