// visible.js: what a person can see, or scroll to. Clip boxes are in coordinates of the whole window.
const EVERYWHERE = {l: -1e9, t: -1e9, r: 1e9, b: 1e9}, NOWHERE = {l: 0, t: 0, r: 0, b: 0};

function meet(a, b) { return {l: Math.max(a.l, b.l), t: Math.max(a.t, b.t), r: Math.min(a.r, b.r), b: Math.min(a.b, b.b)}; }

function boxOf(rect, c) { return {l: rect.left * c.kx + c.dx, t: rect.top * c.ky + c.dy, r: rect.right * c.kx + c.dx, b: rect.bottom * c.ky + c.dy}; }

const HERE = {dx: 0, dy: 0, kx: 1, ky: 1};  // our own window
// Where the content of a frame is in its holder's window: the position of the upper left corner, and the scale.
function contentOrigin(holder) {
  const rect = holder.getBoundingClientRect(), style = getComputedStyle(holder);
  const kx = scaleOf(rect.width, holder.offsetWidth), ky = scaleOf(rect.height, holder.offsetHeight);
  return {dx: rect.left + (holder.clientLeft + parseFloat(style.paddingLeft)) * kx, dy: rect.top + (holder.clientTop + parseFloat(style.paddingTop)) * ky, kx, ky};
}

function scaleOf(drawn, size) { return size && Math.abs(drawn / size - 1) > .01 ? drawn / size : 1; }  // sizes are rounded

function inOrigin(inner, outer) { return {dx: outer.dx + inner.dx * outer.kx, dy: outer.dy + inner.dy * outer.ky, kx: inner.kx * outer.kx, ky: inner.ky * outer.ky}; }

// The edges of a document that can be scrolled to. From right to left, pages grow to the left.
function edgesOf(doc, origin) {
  const view = doc.defaultView, page = doc.scrollingElement || doc.documentElement, style = page && getComputedStyle(doc.body || page);
  const left = style && (style.direction === 'rtl' || style.writingMode === 'vertical-rl') ? page.clientWidth - page.scrollWidth : 0;
  return {left: origin.dx + (left - view.scrollX) * origin.kx, top: origin.dy - view.scrollY * origin.ky,
    right: left || style?.direction === 'rtl' ? origin.dx + (page.clientWidth - view.scrollX) * origin.kx : 1e9};
}

// Whether more than a tiny part of this box is inside the clip, and not beyond the page's edges (which can't be scrolled to).
function reachable(box, c) {
  const clip = c.clip, r = Math.min(box.r, clip.r), b = Math.min(box.b, clip.b);
  return r - Math.max(box.l, clip.l) > 1 && b - Math.max(box.t, clip.t) > 1 && r > c.left && b > c.top && box.l < c.right;
}

// `clip: rect(0 0 0 0)`, `clip-path: inset(50%)`: the usual ways to hide from sight only.
function clippedAway(style) {
  const clip = /^rect\(([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px\)$/.exec(style.clip);
  if (clip && (clip[2] - clip[4] <= 1 || clip[3] - clip[1] <= 1)) return true;
  return /^(inset\((50|[6-9]\d|100)%|circle\(0|polygon\(0(px)? 0)/.test(style.clipPath);
}

// Whether the gap next to a piece of a line looks like a space.
function gap(margin, padding) { return (margin !== '0px' || padding !== '0px') && parseFloat(margin) + parseFloat(padding) >= 4; }

// Drawn as a separate box in the line: a chip, a badge.
function isChip(display, style) {
  return /^inline-(block|flex|grid)$/.test(display) && style.paddingLeft !== '0px' && (style.borderLeftWidth !== '0px' || style.backgroundColor !== 'rgba(0, 0, 0, 0)');
}

const HOLDING_NOTHING = new Set(['INPUT', 'SELECT', 'TEXTAREA', 'IMG']);

// The clip of this element's content (`clip`, for what is placed absolutely in it `abs`), and the part of it that is in view now (`view`, `viewAbs`).
function inside(element, style, position, c) {
  let {clip, view} = c, abs = c.abs, viewAbs = c.viewAbs, edges = null;
  if (position === 'fixed') { clip = c.fixed; view = c.fixed; }
  else if (position === 'absolute') { clip = c.abs; view = c.viewAbs; }
  const x = HOLDING_NOTHING.has(element.tagName) ? 'visible' : style.overflowX;
  if (x !== 'visible' && element !== c.scroller && element.tagName !== 'HTML') {
    const box = boxOf(element.getBoundingClientRect(), c), y = style.overflowY;
    // What scrolls inside can be scrolled to, but only if the scroller itself can be seen.
    const cutX = x === 'hidden' || x === 'clip', cutY = y === 'hidden' || y === 'clip';
    if (!cutX || !cutY) edges = {left: cutX ? c.left : -1e9, right: cutX ? c.right : 1e9, top: cutY ? c.top : -1e9};
    const seen = meet(box, clip);
    view = meet(box, view);
    if (seen.r - seen.l <= 1 || seen.b - seen.t <= 1) clip = NOWHERE;
    else clip = {...scrolledTo(element, style, box, c), ...cutX ? {l: seen.l, r: seen.r} : {}, ...cutY ? {t: seen.t, b: seen.b} : {}};
  }
  if ((clip !== abs || view !== viewAbs) && (position !== 'static' || style.transform !== 'none')) { abs = clip; viewAbs = view; }
  return clip === c.clip && abs === c.abs && view === c.view && viewAbs === c.viewAbs ? c : {...c, clip, abs, view, viewAbs, ...edges};
}

// What an element that scrolls can show: all but what is beyond its beginning.
function scrolledTo(element, style, box, c) {
  if (style.direction === 'rtl' || style.writingMode !== 'horizontal-tb' || style.flexDirection.endsWith('reverse')) return EVERYWHERE;
  return {...EVERYWHERE, l: box.l + (element.clientLeft - element.scrollLeft) * c.kx, t: box.t + (element.clientTop - element.scrollTop) * c.ky};
}

// The innermost element at a point of the window, through shadow roots and frames.
function atPoint(x, y) {
  let doc = document, hit = doc.elementFromPoint(x, y);
  for (;;) {
    if (!hit) return null;
    if (hit.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) return hit;
      hit = inner;
    } else if (FRAMES.has(hit.tagName)) {
      const inner = innerDocument(hit);
      if (!inner) return hit;
      const origin = contentOrigin(hit);
      x = (x - origin.dx) / origin.kx; y = (y - origin.dy) / origin.ky;
      const next = inner.elementFromPoint(x, y);
      if (!next) return hit;
      hit = next;
    } else return hit;
  }
}

const FRAMES = new Set(['IFRAME', 'FRAME', 'OBJECT', 'EMBED']);
function innerDocument(frame) { try { return frame.contentDocument; } catch { return null; } }

// Whether a click at this hit reaches the element: itself, something in it, or its label.
function reaches(hit, element) {
  if (!hit) return false;
  if (within(hit, element)) return true;
  const label = hit.closest?.('label');
  return !!label && label.control === element;
}
