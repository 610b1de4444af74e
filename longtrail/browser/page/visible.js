// visible.js: what a person can see, or scroll to. Clip boxes are in coordinates of the whole window.
const EVERYWHERE = {l: -1e9, t: -1e9, r: 1e9, b: 1e9}, NOWHERE = {l: 0, t: 0, r: 0, b: 0};

function meet(a, b) { return {l: Math.max(a.l, b.l), t: Math.max(a.t, b.t), r: Math.min(a.r, b.r), b: Math.min(a.b, b.b)}; }

function boxOf(rect, c) { return {l: rect.left + c.dx, t: rect.top + c.dy, r: rect.right + c.dx, b: rect.bottom + c.dy}; }

// Whether more than a tiny part of this box is inside the clip, and not beyond the page's upper or left edge (which can't be scrolled to).
function reachable(box, c) {
  const clip = c.clip, r = Math.min(box.r, clip.r), b = Math.min(box.b, clip.b);
  return r - Math.max(box.l, clip.l) > 1 && b - Math.max(box.t, clip.t) > 1 && r + c.sx > 0 && b + c.sy > 0;
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

// The clip of this element's content.
function inside(element, style, position, c) {
  let clip = c.clip, abs = c.abs;
  if (position === 'fixed') clip = c.fixed;
  else if (position === 'absolute') clip = c.abs;
  const x = HOLDING_NOTHING.has(element.tagName) ? 'visible' : style.overflowX;
  if (x !== 'visible' && element !== c.scroller && element.tagName !== 'HTML') {
    const box = boxOf(element.getBoundingClientRect(), c), y = style.overflowY;
    // What scrolls inside can be scrolled to, but only if the scroller itself can be seen.
    const cutX = x === 'hidden' || x === 'clip', cutY = y === 'hidden' || y === 'clip';
    const seen = meet(box, clip);
    if (seen.r - seen.l <= 1 || seen.b - seen.t <= 1) clip = NOWHERE;
    else clip = {l: cutX ? seen.l : -1e9, r: cutX ? seen.r : 1e9, t: cutY ? seen.t : -1e9, b: cutY ? seen.b : 1e9};
  }
  if (clip !== abs && (position !== 'static' || style.transform !== 'none')) abs = clip;
  return clip === c.clip && abs === c.abs ? c : {...c, clip, abs};
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
    } else if (hit.tagName === 'IFRAME' || hit.tagName === 'FRAME') {
      const inner = innerDocument(hit);
      if (!inner) return hit;
      const rect = hit.getBoundingClientRect();
      x -= rect.left + hit.clientLeft; y -= rect.top + hit.clientTop;
      const next = inner.elementFromPoint(x, y);
      if (!next) return hit;
      hit = next;
    } else return hit;
  }
}

function innerDocument(frame) { try { return frame.contentDocument; } catch { return null; } }

// Whether a click at this hit reaches the element: itself, something in it, or its label.
function reaches(hit, element) {
  if (!hit) return false;
  if (within(hit, element)) return true;
  const label = hit.closest?.('label');
  return !!label && label.control === element;
}
