// settle.js: knowing when the page has come to rest after an action, without asking it again and again.
const WATCHED = {subtree: true, childList: true, characterData: true, attributes: true,
  attributeFilter: ['class', 'hidden', 'open', 'disabled', 'checked', 'selected', 'value', 'href', 'src', 'aria-expanded', 'aria-selected',
    'aria-hidden', 'aria-checked', 'aria-pressed', 'aria-busy', 'aria-disabled', 'aria-label', 'role', 'contenteditable']};
const REACTIONS = ['input', 'change', 'toggle', 'submit', 'close'];  // not focus: every click has that
const NOTHING_YET = 100;  // milliseconds that a page is given for a first reaction
let leaving = -Infinity;  // when this document began to open another one; the browser tells the harness of it a little later
const LEAVING = 500;  // milliseconds that it has for that
window.navigation?.addEventListener('navigate', event => {
  if (!event.destination.sameDocument && event.downloadRequest === null) leaving = performance.now();
});
for (const over of ['navigateerror', 'navigatesuccess']) window.navigation?.addEventListener(over, () => { leaving = -Infinity; });
const isLeaving = () => performance.now() - leaving < LEAVING;
// A form on its way tells that a little later, when a busy page comes to it.
window.addEventListener('submit', event => {
  const form = event.target, aim = event.submitter?.formTarget || form.target;
  if (!event.defaultPrevented && form.method !== 'dialog' && (!aim || aim === '_self')) leaving = performance.now();
});
// A document that was loaded before we came has been quiet since.
let last = performance.getEntriesByType('navigation')[0]?.loadEventEnd || performance.now(), reacted = true, armed = false, attended = new WeakSet();
const touch = () => { last = performance.now(); reacted = true; };
const observer = new MutationObserver(touch);

function attend(root) {
  if (attended.has(root)) return;
  attended.add(root);
  observer.observe(root, WATCHED);
  for (const name of REACTIONS) root.addEventListener(name, touch, {capture: true, passive: true});
}

function watchMore(more) { for (const root of more) try { attend(root); } catch { /* its document is gone */ } }

function arm() { attend(document); last = performance.now(); reacted = false; armed = true; }

// A document without scripts and handlers that nobody has touched does not change any more once it is there.
const MOVING = 'script, iframe, frame, object, embed, video, audio, portal, meta[http-equiv=refresh i], [onload], [onerror], [autofocus][onfocus]';
function still() { return !armed && !document.querySelector(MOVING); }

// `fresh`: something was just loaded, the wait begins now. Resolves when the document is loaded and nothing has changed for `quiet` ms (or `limit` ms are over): true if it came to rest.
function settle(quiet, limit, fresh) {
  attend(document);
  if (fresh) touch();
  const start = performance.now();
  return new Promise(resolve => {
    const look = () => {
      const now = performance.now();
      if (now - start >= limit) return resolve(false);
      const there = document.readyState === 'complete', calm = there ? now - last : 0;
      const needed = !reacted ? NOTHING_YET : there && still() ? 0 : quiet;
      if (calm >= needed && !isLeaving()) return resolve(true);
      setTimeout(look, there && calm < needed ? Math.min(needed - calm, reacted ? needed : 5) : 5);
    };
    look();
  });
}
