// ahead.js: a look that is taken while the page comes to rest. It holds if nothing that can be seen has changed until it is asked for.
const MOVES = 'canvas, video, audio, object, embed, marquee, iframe, frame, :not(:defined)';  // they change without telling
const EVERYTHING = {subtree: true, childList: true, characterData: true, attributes: true};
const TOLD = ['scroll', 'load', 'error', 'toggle', 'input', 'change', 'fullscreenchange'];
let held = null;
const see = () => { if (held) held.changed = true; };
const seer = new MutationObserver(see), seen = new WeakSet();

function animated(roots) { return roots.some(root => root.getAnimations().some(each => each.playState === 'running')); }

// What scripts can set without a trace in the document.
function untold(roots) {
  const parts = [location.href, scrollX, scrollY, innerHeight];
  for (const root of roots) for (const field of root.querySelectorAll('input, select, textarea'))
    parts.push(field.value, field.checked, field.indeterminate, field.selectedOptions ? [...field.selectedOptions].map(option => option.index) : 0);
  return parts.join('\n');
}

// An observation, or nothing where the page is about to leave, or moves by itself.
function ahead(form, withMarks) {
  release();
  const moving = roots => animated(roots) || roots.some(root => root.querySelector(MOVES));
  if (document.readyState !== 'complete' || isLeaving() || moving([document])) return 'null';
  const start = performance.now(), first = nextId, told = observe(form, withMarks), all = [document, ...roots];
  held = {first, roots: all, focus: focused(), untold: untold(all), changed: moving(roots)};
  for (const root of all) {
    seer.observe(root, EVERYTHING);
    if (seen.has(root)) continue;
    seen.add(root);
    for (const name of TOLD) root.addEventListener(name, see, {capture: true, passive: true});
  }
  took(performance.now() - start);
  return told;
}

// Does it still hold? Asked once.
function holds() {
  if (!held) return false;
  const changed = seer.takeRecords().length || held.changed || isLeaving() || focused() !== held.focus ||
    animated(held.roots) || untold(held.roots) !== held.untold;
  if (!changed) held.first = nextId;
  release();
  return !changed;
}

// Nobody was shown it: the ids that it gave are free again, so that they don't depend on when it was taken.
function release() {
  if (!held) return;
  for (let id = held.first; id < nextId; id++) { ids.delete(elements.get(id)?.deref()); elements.delete(id); }
  nextId = held.first;
  held = null;
  seer.disconnect();
}
