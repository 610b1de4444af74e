// controls.js: interactive elements: visibility, position and description.
// A hidden control that is drawn by its label has the label's position.
function standIn(node) {
  for (const label of labelsOf(node)) {
    const rect = label.getBoundingClientRect();
    if (rect.width > 1 && rect.height > 1 && shown(label)) return rect;
  }
  return null;
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

function interactive(node, role, c) {
  const box = placeOf(node, c);
  if (!box) return children(node, c);
  const item = describe(node, role);
  if (node === active) item.states.focused = true;
  const onScreen = box.b > viewport.t && box.t < viewport.b && box.r > viewport.l && box.l < viewport.r;
  if (onScreen && (holderCovered || !seenAt(node, box, [(box.l + box.r) / 2, (box.t + box.b) / 2]))) item.states.covered = true;
  if (wantMarks && onScreen && !item.states.covered) marks.push([item.id, ...[box.l, box.t, box.r, box.b].map(Math.round)]);
  const container = !node.value && node.tagName !== 'SELECT' && node.tagName !== 'TEXTAREA' && node.firstElementChild && node.querySelector(CONTROLS);
  if (container) return holder(node, item, box, c);
  const shadowed = node.shadowRoot ? node.shadowRoot.textContent : '';
  if (item.labelled) item.more = visibleText(node, item.name);
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

function seenAt(node, box, centre) {
  const l = Math.max(box.l, viewport.l), t = Math.max(box.t, viewport.t), r = Math.min(box.r, viewport.r), b = Math.min(box.b, viewport.b);
  for (const [x, y] of [centre, [(l + r) / 2, (t + b) / 2], [l + 3, t + 3], [r - 3, b - 3]])
    if (x >= viewport.l && y >= viewport.t && x < viewport.r && y < viewport.b && reaches(atPoint(x, y), node)) return true;
  return !!node.getClientRects && [...node.getClientRects()].slice(1, 3).some(q => node.ownerDocument === document && reaches(atPoint((q.left + q.right) / 2, (q.top + q.bottom) / 2), node));
}

// Text of a control that is not in its name.
function visibleText(node, name) {
  if (!node.childNodes.length || node.tagName === 'SELECT' || node.tagName === 'TEXTAREA' || editingHost(node)) return '';
  const said = squeeze(node.innerText || '');
  return /[\p{L}\p{N}]/u.test(said) && !name.toLowerCase().includes(said.toLowerCase()) ? said : '';
}

function optionsOf(list) {
  const all = list.options, found = [];
  for (let n = 0, count = Math.min(all.length, MAX_OPTIONS); n < count; n++) found.push(all[n]);
  return found;
}

function describe(node, role) {
  const name = nameOf(node, role);
  const editable = role === 'textbox' || role === 'searchbox' || role === 'spinbutton' || role === 'combobox' && node.tagName === 'INPUT';
  const item = {id: idOf(node), role, name, tag: node.tagName.toLowerCase(), states: statesOf(node, role), value: valueOf(node, role), editable};
  item.given = node.getAttribute('role') || '';
  item.labelled = node.hasAttribute('aria-label') || node.hasAttribute('aria-labelledby') || node.hasAttribute('title');
  item.field = node.getAttribute('name') || '';
  item.href = node.tagName === 'A' ? node.getAttribute('href') : '';
  item.type = node.tagName === 'INPUT' ? node.type : '';
  if (node.tagName === 'INPUT' && /date|time|month|week|color|range|file|password|email|tel|url/.test(node.type) && node.type !== 'range') item.kind = node.type;
  if (editable && item.value === '' && node.placeholder && squeeze(node.placeholder) !== name) item.hint = squeeze(node.placeholder);
  if (node.tagName === 'SELECT') item.options = optionsOf(node).map(option => squeeze(option.text));
  if (role === 'treeitem' && node.getAttribute('aria-level')) item.level = node.getAttribute('aria-level');
  if (node.tagName === 'INPUT' && node.list) item.options = optionsOf(node.list).map(option => squeeze(option.label || option.value));
  return item;
}
