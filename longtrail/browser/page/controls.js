// controls.js: interactive elements: visibility, position and description.
// A hidden control that is drawn by its label has the label's position.
function standIn(node) {
  for (const label of labelsOf(node)) {
    const rect = label.getBoundingClientRect();
    if (rect.width > 1 && rect.height > 1 && shown(label)) return rect;
  }
  return null;
}

// Whether a label is all that is drawn of its checkbox, radio button or choice of a file: it then has the control's line.
function drawnFor(label) {
  const control = label.control;
  if (!control || shown(control) || !/^(checkbox|radio|file)$/.test(control.type)) return false;
  return labelsOf(control).find(shown) === label;
}

function placeOf(node, c) {
  let rect = node.getBoundingClientRect();
  if ((rect.width === 0 || rect.height === 0) && node.firstChild) rect = contentRect(node);
  let box = boxOf(rect, c);
  if (reachable(box, c)) return box;
  if (node.tagName !== 'INPUT') return null;
  const drawnBy = standIn(node);
  box = drawnBy && boxOf(drawnBy, c);
  return box && reachable(box, {...c, clip: c.fixed === c.clip ? c.clip : EVERYWHERE}) ? box : null;
}

// Controls that pages make transparent and draw a box below.
const OVERLAID = new Set(['INPUT', 'SELECT', 'TEXTAREA']);

// Whether people can use this transparent control where something else is drawn.
function usable(node, role, style, c) {
  if (node.type === 'hidden' || style.pointerEvents === 'none') return false;
  if (role === 'checkbox' || role === 'radio' || node.type === 'file') return true;
  const box = boxOf(node.getBoundingClientRect(), c);
  const part = meet(box, c.view);
  return part.b <= part.t || seenAt(node, part);
}

function interactive(node, role, c, drawn = node) {
  const box = placeOf(drawn, c);
  if (!box) return children(drawn, c);
  const item = describe(node, role);
  if (node === active) item.states.focused = true;
  const part = meet(box, c.view), onScreen = part.r > part.l && part.b > part.t;
  if (onScreen && !item.states.disabled && (holderCovered || !seenAt(drawn, part))) item.states.covered = true;
  if (wantMarks && onScreen && !item.states.covered) marks.push([item.id, ...[box.l, box.t, box.r, box.b].map(Math.round)]);
  if (drawn !== node) {
    if (![...drawn.querySelectorAll(CONTROLS)].some(each => each !== node)) return out.add(out.form.element(item), box, true);
    return holder(drawn, item, box, c);
  }
  const container = !node.value && node.tagName !== 'SELECT' && node.tagName !== 'TEXTAREA' && node.firstElementChild && node.querySelector(CONTROLS);
  if (container) return holder(node, item, box, c);
  const shadowed = node.shadowRoot ? node.shadowRoot.textContent : '';
  if (item.labelled) item.more = visibleText(node, item.name + item.value);
  else if (node.querySelector('[aria-hidden=true]')) item.more = unheardText(node, item.name);
  else if (role === 'clickable' && !item.name && !shadowed) return children(node, c);
  out.add(out.form.element(item), box, true);
}

// An element that contains others: its own line, then theirs.
function holder(node, item, box, c) {
  if (item.name.length > 80 && !item.labelled) item.name = item.name.slice(0, 79) + '…';
  out.add(out.form.element(item), box, true);
  out.block();
  out.depth++;
  children(node, c);
  out.block();
  out.depth--;
}

// Whether the mouse reaches an element in this part of the window.
function seenAt(node, box) {
  const l = Math.max(box.l, viewport.l), t = Math.max(box.t, viewport.t), r = Math.min(box.r, viewport.r), b = Math.min(box.b, viewport.b);
  for (const [x, y] of [[(l + r) / 2, (t + b) / 2], [l + 3, t + 3], [r - 3, b - 3]])
    if (x >= viewport.l && y >= viewport.t && x < viewport.r && y < viewport.b && reaches(atPoint(x, y), node)) return true;
  return !!node.getClientRects && [...node.getClientRects()].slice(1, 3).some(q => node.ownerDocument === document && reaches(atPoint((q.left + q.right) / 2, (q.top + q.bottom) / 2), node));
}

// Text of a control that is not in its name.
function visibleText(node, shown) {
  if (!node.childNodes.length || node.tagName === 'SELECT' || node.tagName === 'TEXTAREA' || editingHost(node)) return '';
  const said = squeeze(node.innerText || '');
  return /[\p{L}\p{N}]/u.test(said) && !shown.toLowerCase().includes(said.toLowerCase()) ? said : '';
}

// What people see of a control, if `aria-hidden` keeps words of it from its name.
function unheardText(node, name) {
  const seen = seenName(node), letters = text => text.replace(/[^\p{L}\p{N}]/gu, '');
  return letters(seen).length > letters(name).length ? seen : '';
}

function optionsOf(list) {
  const all = list.options, found = [];
  for (let n = 0, count = Math.min(all.length, MAX_OPTIONS); n < count; n++) found.push(all[n]);
  return found;
}

const groupOf = option => option.parentElement?.tagName === 'OPTGROUP' ? squeeze(option.parentElement.label) : '';

// The options' labels; equal ones of a group with their values.
function optionNames(options) {
  const names = options.map(option => squeeze(option.label));
  if (new Set(names).size === names.length) return names;
  const keys = options.map((option, n) => `${groupOf(option)}\n${names[n]}`), times = new Map();
  for (const key of keys) times.set(key, (times.get(key) || 0) + 1);
  return names.map((name, n) => times.get(keys[n]) > 1 ? `${name} (${options[n].value})` : name);
}

function describe(node, role) {
  const name = nameOf(node, role);
  const editable = role === 'textbox' || role === 'searchbox' || role === 'spinbutton' || role === 'combobox' && node.tagName === 'INPUT';
  const item = {id: idOf(node), role, name, tag: node.tagName.toLowerCase(), states: statesOf(node, role), value: valueOf(node, role), editable};
  item.given = node.getAttribute('role') || '';
  item.labelled = node.hasAttribute('aria-label') || node.hasAttribute('aria-labelledby') || node.hasAttribute('title');
  item.field = node.getAttribute('name') || '';
  item.href = node.localName === 'a' ? node.getAttribute('href') : '';
  item.type = node.tagName === 'INPUT' ? node.type : '';
  if (node.tagName === 'INPUT' && /date|time|month|week|color|range|file|password|email|tel|url/.test(node.type) && node.type !== 'range') item.kind = node.type;
  if (editable && item.value === '' && node.placeholder && squeeze(node.placeholder) !== name) item.hint = squeeze(node.placeholder);
  if (node.tagName === 'SELECT') { const options = optionsOf(node); item.options = optionNames(options); if (node.querySelector('optgroup')) item.groups = options.map(groupOf); }
  if (role === 'treeitem' && node.getAttribute('aria-level')) item.level = node.getAttribute('aria-level');
  if (node.tagName === 'INPUT' && node.list) item.options = optionsOf(node.list).map(option => squeeze(option.label || option.value));
  return item;
}
