// structure.js: headings, pictures, rows, lists, landmarks and frames.
const GAUGES = new Set(['progressbar', 'meter']);
// Whether the control's own line contains all of its label's text.
function repeatedByControl(label) {
  const control = label.control;
  if (!control || !shown(control) || !(INTERACTIVE.has(roleOf(control)) || GAUGES.has(roleOf(control)))) return false;
  return squeeze(nameOf(control, roleOf(control))).includes(squeeze(nameOf(label, '', 'label', new Set([control]))));
}

function heading(node, c) {
  const level = Math.min(6, +node.getAttribute('aria-level') || +node.tagName[1] || 2);
  const inner = out.capture(() => children(node, c));
  if (!inner.text) return out.writeLater();
  const line = out.form.heading(level, inner.text, inner.plain);
  if (out.inline) out.add(line, {t: inner.pieces[0][1], b: inner.pieces[0][2]}, true);
  else out.line(line, ...span(inner.pieces));
}

const DRAWN_AS = {svg: 'image', CANVAS: 'canvas', VIDEO: 'video'};
function image(node, role, c) {
  if (!c.visible) return;
  const box = boxOf(node.getBoundingClientRect(), c);
  if (!reachable(box, c)) return;
  const kind = DRAWN_AS[node.tagName] || 'image', fallback = kind === 'canvas' ? squeeze(node.textContent) : '';
  const name = c.mute ? '' : nameOf(node, role || 'image') || fallback;
  const large = box.r - box.l >= 64 && box.b - box.t >= 64;
  if (role !== 'none' && (name || large && node.tagName !== 'svg')) out.add(out.form.image(name, kind), box, true);
  if (node.tagName === 'svg') children(node, c);
  if (node.useMap) for (const area of areasOf(node)) {
    const part = meet(areaBox(area, box), box), item = describe(area, 'link');
    if (wantMarks && part.b > 0 && part.t < innerHeight) marks.push([item.id, ...[part.l, part.t, part.r, part.b].map(Math.round)]);
    out.add(out.form.element(item), part, true);
  }
}

function areasOf(picture) {
  const map = [...picture.ownerDocument.querySelectorAll('map')].find(map => '#' + map.name === picture.useMap);
  return map ? [...map.areas].filter(area => area.hasAttribute('href')) : [];
}

// The frame around an area of an image map.
function areaBox(area, box) {
  const n = area.coords.split(',').map(Number);
  if (area.shape === 'circle') return {l: box.l + n[0] - n[2], t: box.t + n[1] - n[2], r: box.l + n[0] + n[2], b: box.t + n[1] + n[2]};
  if (n.length < 4) return box;
  const xs = n.filter((_, i) => i % 2 === 0), ys = n.filter((_, i) => i % 2 === 1);
  return {l: box.l + Math.min(...xs), t: box.t + Math.min(...ys), r: box.l + Math.max(...xs), b: box.t + Math.max(...ys)};
}

function gauge(node, role, c) {
  const box = boxOf(node.getBoundingClientRect(), c);
  if (reachable(box, c)) out.add(out.form.gauge(role, nameOf(node, role), valueOf(node, role)), box, true);
}

function row(node, c) {
  if (out.inline) return children(node, c);
  if (laysOut(node.closest('table'))) return children(node, c);
  const cells = [];
  for (const cell of childrenOf(node)) {
    if (cell.nodeType !== 1) continue;
    const inner = out.capture(() => visit(cell, c));
    const gone = !inner.text && (cell.getAttribute('aria-hidden') === 'true' || getComputedStyle(cell).display === 'none');
    if (!gone) cells.push([inner, cell.tagName === 'TH' || HEADER.test(cell.getAttribute('role') || '')]);
  }
  if (!cells.some(([inner]) => inner.text)) return out.writeLater();
  const box = boxOf(node.getBoundingClientRect(), c);
  out.flush();
  const head = cells.every(([inner, header]) => header || !inner.text), states = node.hasAttribute('aria-selected') ? stateWords({states: statesOf(node, 'row')}) : '';
  out.line(out.form.row(cells.map(([inner]) => inner.text), head, states), box.t, box.b);
}

// Whether this table is used only for layout.
function laysOut(table) {
  if (!table) return false;
  if (!nestedTables.has(table)) nestedTables.set(table, /^(none|presentation)$/.test(table.getAttribute('role')) || !!table.querySelector('table'));
  return nestedTables.get(table);
}

function listitem(node, style, c, pressed = false) {
  const content = () => pressed ? interactive(node, 'clickable', c) : children(node, c);
  if (out.inline) return content();
  const marker = markerOf(node, style);
  if (!marker) return pressed ? content() : bounded(node, 'listitem', c);
  const before = out.lines.length;
  content();
  out.flush();
  const first = out.lines[before];
  if (first && out.form.numbered) { const indent = /^ */.exec(first[2])[0]; first[2] = indent + marker + first[2].slice(indent.length); }
}

// A card, which a frame marks on the screen: its beginning, and its end by indentation. A single line needs neither.
function bounded(node, role, c) {
  const tag = node.tagName.toLowerCase(), open = out.form.open(role, '', '', tag);
  if (!open) return children(node, c);
  out.flush();
  const at = out.lines.length;
  out.depth++;
  children(node, c);
  out.flush();
  out.depth--;
  const held = out.lines.slice(at);
  if (held.length < 2) { for (const line of held) line[2] = out.indented(line[2].trimStart()); return; }
  out.lines.splice(at, 0, [held[0][0], held[0][1], out.indented(open)]);
  const close = out.form.close(role, tag);
  if (close) out.line(close, held.at(-1)[0], held.at(-1)[1]);
}

// Text that is struck through, such as an old price.
function deletion(node, c) {
  const inner = out.capture(() => children(node, c));
  const [t, b] = span(inner.pieces);
  if (inner.text) out.add(out.form.deletion(inner.text, inner.plain), {t, b}, true);
}

function landmark(node, role, c) {
  const name = nameOf(node, role);
  if (role === 'article' && !name) return bounded(node, role, c);
  if (NAMED_ONLY.has(role) && !name) return children(node, c);
  const tag = node.tagName.toLowerCase(), at = out.lines.length;
  const box = boxOf(node.getBoundingClientRect(), c);
  const open = out.form.open(role, name, '', tag);
  out.flush();
  if (open) out.line(open, box.t, box.t + 1);
  const body = out.lines.length;
  out.depth += open ? 1 : 0;
  children(node, open && name ? {...c, titled: node} : c);
  out.flush();
  out.depth -= open ? 1 : 0;
  if (out.lines.length === body) { out.lines.length = at; return; }  // nothing in it to be seen
  const close = out.form.close(role, tag);
  if (close) out.line(close, out.lines.at(-1)[0], out.lines.at(-1)[1]);
}

// A frame stands on lines of its own: after the line of a cell or heading that holds it.
function frame(node, c) {
  if (!c.visible) return;
  if (out.inline) return out.later.push(() => frame(node, c));
  const box = boxOf(node.getBoundingClientRect(), c);
  if (!reachable(box, c)) return;
  const inner = innerDocument(node), origin = inOrigin(contentOrigin(node), c);
  if (!inner && (node.tagName === 'OBJECT' && !node.contentWindow || node.tagName === 'EMBED' && !/html|pdf/.test(node.type))) return children(node, c);
  const open = out.form.open('frame', nameOf(node, ''), '', 'iframe'), close = out.form.close('frame', 'iframe');
  out.flush();
  if (!inner?.documentElement) foreignFrame(node, open || '', box, origin, c);
  else {
    if (open) out.line(open, box.t, box.t + 1);
    out.depth++;
    frameContent(inner, box, origin, c);
    out.flush();
    out.depth--;
  }
  if (close) out.line(close, box.b - 1, box.b);
}

function frameContent(inner, box, origin, c) {
  roots.push(inner);
  findDrawn(inner);
  const fixed = meet(box, c.clip), view = meet(box, c.view);
  visitDocument(inner, {...c, ...origin, ...edgesOf(inner, origin), fixed, view, viewAbs: view, abs: {l: fixed.l, r: fixed.r, t: -1e9, b: 1e9},
    clip: {l: -1e9, r: 1e9, t: -1e9, b: 1e9}, scroller: inner.body});
}

// The document of a frame of another origin can't be reached from here; it is read in its own world and goes behind this line.
// `view` is the part of the frame that is seen, in coordinates of the frame's content.
function foreignFrame(node, open, box, origin, c) {
  const seen = meet(meet(box, c.clip), c.view), {dx, dy, kx, ky} = origin;
  const view = {l: (seen.l - dx) / kx, t: (seen.t - dy) / ky, r: (seen.r - dx) / kx, b: (seen.b - dy) / ky};
  const covered = seen.r > seen.l && seen.b > seen.t && !seenAt(node, seen);
  out.frames++;
  out.lines.push([Math.round(box.t), Math.round(box.t) + 1, out.indented(open), {id: idOf(node), dx, dy, kx, ky, view, covered, focused: node === active}]);
}
