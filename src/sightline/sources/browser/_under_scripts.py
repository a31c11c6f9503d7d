"""The script that says what is at a point of the window: for a person who points at a picture of it."""

__all__ = ["UNDER"]

# Frames of the same site and open shadow roots are entered. A frame has its own classes, so `instanceof` says nothing.
UNDER = r"""(x, y) => {
const pathOf = element => {
  let path = '';
  for (let node = element; node && node.nodeType === 1;) {
    const plain = node.namespaceURI === 'http://www.w3.org/1999/xhtml';
    const tag = plain ? node.localName : node.nodeName;
    let position = 1;
    for (let other = node.previousElementSibling; other; other = other.previousElementSibling)
      if (other.nodeName === node.nodeName) position++;
    const quoted = tag.includes("'") ? `"${tag}"` : `'${tag}'`;
    path = (plain && /^[a-z_][\w.-]*$/.test(tag) ? `/${tag}` : `/*[name()=${quoted}]`) + `[${position}]` + path;
    const parent = node.parentNode, shadow = parent && parent.nodeType === 11 && parent.host;
    if (shadow) path = ' >> ' + path;
    node = shadow || parent;
  }
  return path;
};
let root = document, element = null, above = '', left = 0, top = 0;
for (let depth = 0; depth < 20; depth++) {
  const found = root.elementFromPoint(x - left, y - top);
  if (!found || found === element) break;
  element = found;
  let inner = null;
  try { inner = /^i?frame$/.test(found.localName) ? found.contentDocument : null } catch { inner = null }
  if (inner) {
    const box = found.getBoundingClientRect(), style = getComputedStyle(found);
    above += pathOf(found) + ' >> ';
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
  path: above + pathOf(drawn ? control : element),
  tag: (drawn ? control : element).localName,
  box: [box.left + left, box.top + top, box.right + left, box.bottom + top],
  labelled: label && label.control ? above + pathOf(label.control) : '',
  disabled: Boolean(control && control.disabled),
  options: drawn ? Array.from(control.options, one => ({ label: (one.label || one.text).replace(/\s+/g, ' ').trim(),
    chosen: one.selected, disabled: one.disabled || Boolean(one.parentElement && one.parentElement.disabled) })) : null,
};
}"""
