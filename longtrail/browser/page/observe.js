// observe.js: one pass over the rendered page; lines of text with their positions, in document order.
const ids = new WeakMap(), elements = new Map();
let nextId = 1;
const MAX_NODES = 200000, MAX_CHARS = 3000000, MAX_DEPTH = 900, MAX_OPTIONS = 400;

function idOf(element) {
  let id = ids.get(element);
  if (!id) { id = nextId++; ids.set(element, id); elements.set(id, new WeakRef(element)); }
  return id;
}

let styled = null, styledAs;  // the element visited last, and its style: its first text asks for it again
let out, count, depth, capped, marks, wantMarks, active, roots, nestedTables, viewport, holderCovered;
const TITLES = new Set(['LEGEND', 'CAPTION', 'FIGCAPTION']);
const FLOWS = /^(inline|contents|ruby|math|block math)/, HEADER = /header/, UNCLIPPED = /^(inline|contents|table-row.*|table-header-group)$/;

function visit(node, c) {
  if (capped || ++count > MAX_NODES || depth > MAX_DEPTH || out.chars > MAX_CHARS) { capped = true; return; }
  if (node.nodeType === 3) return text(node, c);
  if (node.nodeType !== 1) return;
  const tag = node.tagName;
  const unheard = node.getAttribute('aria-hidden') === 'true';
  if (SILENT.has(tag) || unheard && decorative(node)) return;
  if (tag === 'BR') return out.inline ? out.add(' ', {t: null}) : out.flush();
  const style = getComputedStyle(node), display = style.display;
  if (display === 'none') return;
  styled = node; styledAs = style;
  const role = roleOf(node), visible = style.visibility === 'visible', breaks = display !== 'inline' && !FLOWS.test(display);
  const transparent = c.transparent || style.opacity === '0';
  if (transparent && !OVERLAID.has(tag) && !node.querySelector('input, select, textarea')) return;
  if (breaks && display !== 'table-cell' && style.contentVisibility === 'hidden') return;
  const cursor = style.cursor;
  // Inline elements and parts of tables are neither out of the flow nor clip anything.
  const position = UNCLIPPED.test(display) ? c.clip === c.abs && c.view === c.viewAbs ? '' : style.position : style.position;
  if ((position === 'absolute' || position === 'fixed') && clippedAway(style) && tag !== 'INPUT') return;
  let inner = position ? inside(node, style, position, c) : c;
  if (visible !== inner.visible || cursor !== inner.cursor) inner = {...inner, visible, cursor};
  if (transparent && !inner.transparent) inner = {...inner, transparent, mute: true};
  if (unheard && !inner.unheard) inner = {...inner, unheard: true};
  const apart = breaks || !INTERACTIVE.has(role) && isChip(display, style);
  if (apart) out.block();
  else if (gap(style.marginLeft, style.paddingLeft)) out.space();
  depth++;
  element(node, role, style, inner, c);
  depth--;
  if (apart) out.block();
  else if (gap(style.paddingRight, style.marginRight)) out.space();
}

function element(node, role, style, c, outer) {
  const tag = node.tagName;
  if (c.transparent && !(OVERLAID.has(tag) && c.visible && usable(node, role, style, c))) return children(node, c);
  if (FRAMES.has(tag)) return frame(node, c);
  if (c.visible && INTERACTIVE.has(role)) return interactive(node, role, c);
  if (tag === 'LABEL' && c.visible && drawnFor(node)) return interactive(node.control, roleOf(node.control), c, node);
  if (c.visible && role !== 'none' && clickable(node, c.cursor, outer.cursor)) return tag === 'LI' ? listitem(node, style, c, true) : interactive(node, 'clickable', c);
  if (role === 'heading') return heading(node, c);
  if (role === 'image' || tag in DRAWN_AS) return image(node, role, c);
  if (role === 'row') return row(node, c);
  if (role === 'progressbar' || role === 'meter') return gauge(node, role, c);
  if (tag === 'LABEL' && repeatedByControl(node)) return children(node, {...c, mute: true});
  if (TITLES.has(tag) && c.titled === node.parentElement) return children(node, {...c, mute: true});
  if (role === 'listitem' || tag === 'LI') return listitem(node, style, c);
  if (style.textDecorationLine.includes('line-through')) return deletion(node, c);
  if (LANDMARK.has(role) && !out.inline) return landmark(node, role, c);
  children(node, c);
}

function children(node, c) {
  if (node.tagName === 'DETAILS' && !node.open) {
    const summary = [...node.children].find(child => child.tagName === 'SUMMARY');
    if (summary) visit(summary, c);
    return;
  }
  if (node.shadowRoot) { roots.push(node.shadowRoot); findDrawn(node.shadowRoot); }
  const added = (drawn.size && drawn.has(node) || node.localName === 'q') && c.visible && !c.mute;
  if (added) generated(node, '::before', c);
  if (node.shadowRoot || node.tagName === 'SLOT') for (const child of childrenOf(node)) visit(child, c);
  else for (let child = node.firstChild; child; child = child.nextSibling) visit(child, c);
  if (added) generated(node, '::after', c);
}

function generated(node, which, c) {
  const text = pseudo(node, which, false);
  const box = boxOf(node.getBoundingClientRect(), c);
  if (text.trim() && reachable(box, c)) out.add(out.form.text(text), box);
}

const range = document.createRange();
function contentRect(node) {
  const r = node.ownerDocument === document ? range : node.ownerDocument.createRange();
  r.selectNodeContents(node);
  return r.getBoundingClientRect();
}

// Where a text is drawn. This is four times slower than for the element around it, which is usually enough.
function textRect(node) {
  const holder = node.parentNode;
  if (holder.nodeType !== 1 || holder.tagName === 'SLOT') return contentRect(node);
  const rect = holder.getBoundingClientRect();
  if (rect.height > 60 && (node.previousSibling || node.nextSibling) || rect.width === 0 || rect.height === 0) return contentRect(node);
  const style = styled === holder ? styledAs : getComputedStyle(holder);
  return style.textIndent === '0px' && style.fontSize !== '0px' ? rect : contentRect(node);
}

function text(node, c) {
  const data = node.length > MAX_CHARS ? node.substringData(0, MAX_CHARS) : node.data;
  if (!c.visible || c.mute) return;
  if (!/[^\s\u200b\ufeff]/.test(data)) return out.space();
  const box = boxOf(textRect(node), c);
  if (!reachable(box, c) || c.unheard && out.repeats(data)) return;
  if (!out.inline && data.includes('\n') && /pre|break/.test(getComputedStyle(node.parentElement || node.parentNode.host).whiteSpace))
    return preformatted(data, box);
  if (data.length <= 1000) return out.add(out.form.text(data), box);
  const parts = data.match(/[\s\S]{1,800}(?:\s|$)|[\s\S]{1,800}/g), high = (box.b - box.t) / parts.length;
  parts.forEach((part, n) => { out.add(out.form.text(part), {t: box.t + n * high, b: box.t + (n + 1) * high}); if (!out.inline) out.flush(); });
}

function preformatted(data, box) {
  const parts = data.replace(/\n$/, '').split('\n'), high = (box.b - box.t) / parts.length;
  parts.forEach((part, n) => {
    if (n) out.flush();
    if (part.trim()) out.add(out.form.text(part), {t: box.t + n * high, b: box.t + (n + 1) * high});
  });
}

function focused() {
  let element = document.activeElement;
  for (;;) {
    const inner = element?.shadowRoot?.activeElement || (FRAMES.has(element?.tagName) && innerDocument(element)?.activeElement);
    if (!inner) return element === document.body ? null : element;
    element = inner;
  }
}

// Pictures that a screenshot shows: address, size against their own, and the part of each that is in view.
const MAX_PICTURES = 20, SMALL_PICTURE = 100;
function picturesInView() {
  const found = [];
  for (const image of document.images) {
    const box = image.getBoundingClientRect();
    if (!image.complete || !image.naturalWidth || box.width < SMALL_PICTURE || !/^https?:/.test(image.currentSrc) || !shown(image) || !image.checkVisibility({opacityProperty: true})) continue;
    let l = Math.max(box.left, 0), t = Math.max(box.top, 0), r = Math.min(box.right, innerWidth), b = Math.min(box.bottom, innerHeight);
    for (let holder = image.parentElement; holder; holder = holder.parentElement) {
      if (getComputedStyle(holder).overflow === 'visible' || holder === document.body || holder === document.documentElement) continue;
      const frame = holder.getBoundingClientRect();
      l = Math.max(l, frame.left); t = Math.max(t, frame.top); r = Math.min(r, frame.right); b = Math.min(b, frame.bottom);
    }
    const scale = Math.min(box.width / image.naturalWidth, box.height / image.naturalHeight);
    if (r <= l || b <= t || !seenAt(image, {l, t, r, b})) continue;
    const shares = [(l - box.left) / box.width, (t - box.top) / box.height, (r - box.left) / box.width, (b - box.top) / box.height];
    found.push([image.currentSrc.slice(0, 500), ...[scale, ...shares].map(share => Math.round(share * 1000) / 1000)]);
    if (found.length === MAX_PICTURES) break;
  }
  return found;
}

// The content of a document, or only its modal dialog: the rest is blocked then.
function visitDocument(doc, c) {
  const root = doc.body || doc.documentElement, modal = modalOf(doc);  // a page's script can remove both
  if (!modal) return root && visit(root, c);
  out.line(out.form.note('(the page behind this dialog is blocked)'), 0, 1);
  visit(modal, {...c, clip: c.fixed, view: c.fixed});
}

// The modal dialog on top: its backdrop covers the whole window, so it is found at each point.
function modalOf(doc) {
  let node = doc.elementFromPoint(1, 1);
  while (node?.shadowRoot && node.shadowRoot.elementFromPoint(1, 1) !== node && node.shadowRoot.elementFromPoint(1, 1)) node = node.shadowRoot.elementFromPoint(1, 1);
  for (; node; node = parentOf(node)) if (node.matches?.('dialog:modal')) return node;
  return [...doc.querySelectorAll('dialog:modal')].at(-1);
}

// `first`: the first id that no other frame has given; `around`: where our window is seen in its holder's, if it is a frame.
function observe(form, withMarks, sources = false, first = 1, around = null) {
  nextId = Math.max(nextId, first);
  out = new Writer(form, sources); count = 0; depth = 0; capped = false; nestedTables = new Map(); marks = []; wantMarks = withMarks; roots = []; labelled = new Map();
  viewport = around?.view || {l: 0, t: 0, r: innerWidth, b: innerHeight}; holderCovered = !!around?.covered;
  active = !around || around.focused ? focused() : null;
  beginPass(document);
  const c = {...HERE, ...edgesOf(document, HERE), clip: EVERYWHERE, abs: EVERYWHERE, fixed: viewport, view: viewport, viewAbs: viewport, scroller: document.body, cursor: 'auto',
    visible: true, mute: false, titled: null};
  visitDocument(document, c);
  out.flush();
  out.writeLater();
  if (capped) out.line(out.form.note('... the page is too large: what follows is not shown'), out.lines.at(-1)?.[0] ?? 0, out.lines.at(-1)?.[1] ?? 0);
  watchMore(roots);
  labelled = null;  // the page may change now
  return JSON.stringify({url: location.href, title: squeeze(document.title), height: innerHeight, next: nextId, frames: out.frames, lines: out.lines, marks, pictures: withMarks ? picturesInView() : []});
}
