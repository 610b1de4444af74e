// settle.js: detects when the page is quiet after an action, without polling.
const WATCHED = {subtree: true, childList: true, characterData: true, attributes: true,
  attributeFilter: ['class', 'hidden', 'open', 'disabled', 'checked', 'selected', 'value', 'href', 'src', 'aria-expanded', 'aria-selected',
    'aria-hidden', 'aria-checked', 'aria-pressed', 'aria-busy', 'aria-disabled', 'aria-label', 'role', 'contenteditable']};
const REACTIONS = ['input', 'change', 'toggle', 'submit', 'close'];  // not focus: every click has that
const NOTHING_YET = 100;  // milliseconds that a page is given for a first reaction
// A document that was loaded before this script started counts as quiet since then.
let last = performance.getEntriesByType('navigation')[0]?.loadEventEnd || performance.now(), reacted = true, watching = false, attended = new WeakSet();
const touch = () => { last = performance.now(); reacted = true; };
const observer = new MutationObserver(touch);

function attend(root) {
  if (attended.has(root)) return;
  attended.add(root);
  observer.observe(root, WATCHED);
  for (const name of REACTIONS) root.addEventListener(name, touch, {capture: true, passive: true});
}

function watchMore(more) { for (const root of more) try { attend(root); } catch { /* its document was removed */ } }

function watchForChanges() { attend(document); last = performance.now(); reacted = false; watching = true; }

// A document without scripts and handlers that nobody has used does not change after it has loaded,
const MOVING = 'script, iframe, frame, object, embed, video, audio, portal, meta[http-equiv=refresh i], [onload], [onerror], [onfocus]';
// except for what the browser itself does when it draws: it sets the focus, fetches pictures that come into view, scrolls to a position.
const DRAWN = '[autofocus], [loading=lazy i]';
function still() { return !watching && !document.querySelector(MOVING); }
function needsFrame() { return document.visibilityState === 'visible' && (!still() || !!location.hash || !!document.querySelector(DRAWN)); }

// When the next frame is drawn and the page knows what came into view: its observers are told in one task with ours, after the frame.
function afterFrame(then) {
  requestAnimationFrame(() => {
    if (!document.documentElement) return setTimeout(then);
    const observed = new IntersectionObserver(() => { observed.disconnect(); setTimeout(then); });
    observed.observe(document.documentElement);
  });
}

const UNWATCHED = 20;  // so many milliseconds before we came count at most: nobody knows whether the page could work in them
const LATE = 10;  // milliseconds; a look that comes later shows that the page was kept from working, by itself or by other processes

// `fresh`: something was just loaded, the wait begins now. Resolves when the document is loaded and nothing has changed for `quiet` ms
// of time in which it could (or `limit` ms are over), and what the browser does with the next frame is done: true if it came to rest.
function settle(quiet, limit, fresh) {
  attend(document);
  if (fresh) touch();
  if (matchMedia('(scripting: none)').matches) return true;  // a sandboxed frame: without scripts, its timers don't run either
  const start = performance.now();
  last = Math.max(last, start - UNWATCHED);
  return new Promise(resolve => {
    let due = start, asked = false, drawn = false, timer = 0;
    const look = () => {
      const now = performance.now(), there = document.readyState === 'complete';
      if (now - start >= limit) return resolve(false);
      // The page's own work of that time is queued after this.
      if (now - due > LATE && document.visibilityState === 'visible') last = Math.min(now, last + now - due);
      if (there && !asked) {
        asked = true;
        drawn = !needsFrame();
        if (!drawn) afterFrame(() => { drawn = true; clearTimeout(timer); look(); });
      }
      const calm = there ? now - last : 0, needed = !reacted ? NOTHING_YET : still() ? 0 : quiet;
      if (there && drawn && calm >= needed) return resolve(true);
      const wait = there && calm < needed ? Math.min(needed - calm, reacted ? needed : 5) : 5;
      due = now + wait;
      timer = setTimeout(look, wait);
    };
    look();
  });
}
