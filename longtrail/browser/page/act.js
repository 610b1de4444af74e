// act.js: what an action needs from the page: where to click, the element there, a list's options.
let landed = null, unexpect = () => {};

function find(id) { const element = elements.get(id)?.deref(); return element?.isConnected ? element : null; }

function targetOf(element, role) {
  const attributes = {};
  for (const name of ['id', 'name', 'type', 'data-testid']) { const value = element.getAttribute(name); if (value !== null) attributes[name] = value.slice(0, 500); }
  const link = element.closest('a[href], area[href]');
  return {role, name: nameOf(element, role).slice(0, 2000), url: link ? hrefOf(link).slice(0, 4000) : '', attributes, path: pathOf(element)};
}

// The path from the root of its document or shadow tree: tag, id, classes and position of each element; only the nearest ones if it is very deep.
function pathOf(element) {
  const parts = [];
  for (let each = element, size = 0; each && size < 3000; each = each.parentElement) {
    const id = each.id ? `#${CSS.escape(each.id)}` : '', classes = [...each.classList].map(name => `.${CSS.escape(name)}`).join('');
    const place = each.parentElement ? `:nth-child(${[...each.parentElement.children].indexOf(each) + 1})` : '';
    parts.unshift(`${each.localName}${id}${classes}${place}`);
    size += parts[0].length;
  }
  return parts.join('>').slice(-4000);
}

function roleNow(element) { const role = roleOf(element); return INTERACTIVE.has(role) ? role : 'clickable'; }

// Where the document of this element is in our window.
function originOf(element) {
  let origin = HERE;
  for (let view = element.ownerDocument.defaultView; view && view !== window; view = view.parent) {
    if (!view.frameElement) break;
    origin = inOrigin(origin, contentOrigin(view.frameElement));
  }
  return origin;
}

const PLAY_BUTTON = 24;  // pixels from the left edge of a sound's controls to the middle of its button
function points(element) {
  const found = [], origin = originOf(element);
  const add = rect => {
    if (rect.width < 1 || rect.height < 1) return;
    const box = boxOf(rect, origin), l = Math.max(box.l, 0), t = Math.max(box.t, 0), r = Math.min(box.r, innerWidth), b = Math.min(box.b, innerHeight);
    if (r - l < 1 || b - t < 1) return;
    found.push([(l + r) / 2, (t + b) / 2], [l + (r - l) / 4, t + (b - t) / 4], [l + (r - l) * .75, t + (b - t) * .75], [l + 2, (t + b) / 2], [r - 2, (t + b) / 2]);
  };
  if (element.tagName === 'AREA') {
    const picture = [...element.ownerDocument.images].find(image => image.useMap && areasOf(image).includes(element));
    if (picture) { const q = areaBox(element, boxOf(picture.getBoundingClientRect(), HERE)); add({left: q.l, top: q.t, right: q.r, bottom: q.b, width: q.r - q.l, height: q.b - q.t}); }
  } else for (const rect of element.getClientRects()) add(rect);
  if (!found.length && element.firstChild) add(contentRect(element));
  if (element.tagName === 'AUDIO' && found.length) found.unshift([found[3][0] + PLAY_BUTTON, found[3][1]]);  // in the middle is its time line
  const first = found.shift();
  return first ? [first, ...found.slice(0, 20)] : [];
}

// Where to put the mouse for this element: {x, y, target} or {error, target}.
function locate(id) {
  const element = find(id);
  if (!element) return {error: elements.has(id) ? `element ${id} is no longer on the page` : `there is no element ${id} on this page`};
  const role = roleNow(element), answer = {target: targetOf(element, role), kind: kindOf(element), editable: editableNow(element)};
  if (disabled(element)) return {...answer, error: `${label(element, role)} is disabled now; first do what enables it`};
  watchForChanges();
  for (const candidate of [element, ...labelsOf(element)]) {
    bringIntoView(candidate);
    for (const [x, y] of points(candidate)) {
      const hit = atPoint(x, y);
      if (reaches(hit, element) || candidate !== element && within(hit, candidate)) { expect(element); return {...answer, x, y}; }
    }
  }
  return {...answer, error: obstacle(element, label(element, role))};
}

function bringIntoView(element) {
  const {l, t, r, b} = boxOf(element.getBoundingClientRect(), originOf(element));
  const inView = t >= 0 && l >= 0 && b <= innerHeight && r <= innerWidth && reaches(atPoint((l + r) / 2, (t + b) / 2), element);
  if (!inView) element.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
}

// Where the mouse must go for this point of a frame's content, as {x, y}, after scrolling to it; {error} if something covers it.
function throughFrame(id, x, y) {
  const holder = find(id);
  if (!holder) return {error: 'its frame is no longer on the page'};
  const inWindow = () => { const {dx, dy, kx, ky} = inOrigin(contentOrigin(holder), originOf(holder)); return {x: dx + x * kx, y: dy + y * ky}; };
  const reached = ({x, y}) => atPoint(x, y) === holder;
  if (!reached(inWindow())) holder.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
  if (!reached(inWindow())) scrollBy({top: inWindow().y - innerHeight / 2, behavior: 'instant'});
  return reached(inWindow()) ? inWindow() : {error: obstacle(holder, 'the frame around it')};
}

// Why `name` (this element, in words) can't be clicked.
function obstacle(element, name) {
  const spot = points(element)[0];
  if (!spot || !shown(element)) return `${name} is not visible now; look again, or open what holds it`;
  const hit = atPoint(...spot);
  if (!hit) return `${name} can't be reached: it is outside of the window; look again`;
  const over = hit.closest('dialog, [role=dialog], [role=alertdialog], a[href], button, [id], [aria-label]') || hit;
  const known = ids.get(over), text = squeeze(over.innerText || '').slice(0, 60);
  return `${name} is covered by ${roleOf(over) || 'another element'}${text ? ` "${text}"` : ''}${known ? ` [${known}]` : ''}; close or move that first`;
}

function label(element, role) { return `[${ids.get(element)}] ${role} "${nameOf(element, role).slice(0, 80)}"`; }

// Record whether the next mouse press hits the intended element.
function expect(element) {
  unexpect();
  landed = element.controls ? null : false;  // the browser's own controls of videos and sounds keep their events
  const view = element.ownerDocument.defaultView;
  const note = event => { landed = reaches(event.composedPath()[0], element); };
  view.addEventListener('mousedown', note, {capture: true, once: true});
  unexpect = () => view.removeEventListener('mousedown', note, {capture: true});
}

function kindOf(element) { return element.tagName === 'INPUT' ? element.type : element.tagName.toLowerCase(); }
function editableNow(element) {
  if (element.isContentEditable) return true;
  if (element.tagName === 'TEXTAREA') return !element.readOnly;
  return element.tagName === 'INPUT' && !element.readOnly && !/^(button|submit|reset|image|checkbox|radio|file|hidden)$/.test(element.type);
}

// Focus the field with all of its text selected; true if that worked.
function selectAll(id) {
  const element = find(id);
  if (!element) return false;
  if (focused() !== element) element.focus();
  if (element.select) element.select();
  else { const s = element.ownerDocument.defaultView.getSelection(); s.removeAllRanges(); s.selectAllChildren(element); }
  return focused() === element || within(focused(), element);
}

function focusOn(id) { const element = find(id); element?.focus(); return !!element && (focused() === element || within(focused(), element)); }
const frameDrawn = () => new Promise(done => requestAnimationFrame(() => done(true)));

function fieldValue(id) { const element = find(id); return element ? (element.value ?? element.innerText) : null; }

// Dates, colours and sliders have no text to type; the browser checks the value.
function setValue(id, value) {
  const element = find(id);
  if (!element) return null;
  const before = element.value;
  element.focus();
  element.value = value;
  const moved = element.type === 'range' && Number(element.value) !== Number(value);  // to the nearest step
  if (value && !element.value || moved) { element.value = before; return ''; }
  changed(element);
  return element.value;
}

function limitsOf(id) { const e = find(id); return {min: e?.min || '0', max: e?.max || '100', step: e?.step || '1'}; }

function changed(element) {
  element.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
  element.dispatchEvent(new Event('change', {bubbles: true}));
}

const FETCHED = 1000;  // milliseconds within which a list that was opened must get its options
const fold = text => squeeze(text).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

function choose(id, wanted) {
  const element = find(id), role = roleNow(element);
  if (element.list) return {error: `${label(element, role)} takes text, its options are suggestions: use fill`};
  if (element.tagName !== 'SELECT') return {error: `${label(element, role)} is no drop-down list of the browser's own: click it, then click the option`};
  const options = [...element.options].filter(option => !option.hidden), names = optionNames(options);
  const inGroup = n => groupOf(options[n]) ? `${groupOf(options[n])}: ${names[n]}` : names[n];
  const matching = same => [names, names.map((_, n) => inGroup(n)), options.map(o => o.label), options.map(o => o.text)]
    .map(texts => options.map((_, n) => n).filter(n => same(texts[n]))).find(hits => hits.length);
  const hits = matching(text => squeeze(text) === squeeze(wanted)) || matching(text => fold(text) === fold(wanted)) || options.map((_, n) => n).filter(n => options[n].value === wanted).slice(0, 1);
  const listed = offer => `${offer.slice(0, 60).map(n => `"${inGroup(n)}"`).join(', ')}${offer.length > 60 ? ` and ${offer.length - 60} more` : ''}`;
  const offered = () => `it offers ${listed(options.map((_, n) => n).filter(n => !options[n].disabled))}`;
  if (!hits.length) return {unknown: true, error: `${label(element, role)} has no option "${wanted.slice(0, 80)}"; ${offered()}`};
  if (hits.length > 1) return {error: `${label(element, role)} has ${hits.length} options "${wanted.slice(0, 80)}"; choose ${listed(hits)}`};
  const option = options[hits[0]];
  if (option.disabled || option.parentElement.disabled) return {error: `option "${squeeze(option.label)}" is disabled; ${offered()}`};
  element.scrollIntoView({block: 'nearest', behavior: 'instant'});
  element.focus();
  option.selected = true;
  changed(element);
  return {value: squeeze(option.label)};
}

// Do with a list what opens it, for pages that then fetch its options; true once it has other ones.
function open(id) {
  const element = find(id), before = element?.length;
  if (element?.tagName !== 'SELECT') return false;
  element.focus();
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
    element.dispatchEvent(new (type.startsWith('pointer') ? PointerEvent : MouseEvent)(type, {bubbles: true, cancelable: true, composed: true}));
  return new Promise(done => {
    const watch = new MutationObserver(() => end(true)), end = changed => { watch.disconnect(); done(changed); };
    watch.observe(element, {childList: true, subtree: true});
    if (element.length !== before) end(true);
    setTimeout(() => end(false), FETCHED);
  });
}

const json = JSON.stringify;
globalThis.longtrail = {
  observe, observeSources, served, trees, watch, watchForChanges, settle, locate: id => json(locate(id)), landed: () => landed,
  element: find, throughFrame: (id, x, y) => json(throughFrame(id, x, y)), target: id => json(targetOf(find(id), roleNow(find(id)))), selectAll, fieldValue, setValue, focusOn, open, frame: frameDrawn, choose: (id, wanted) => json(choose(id, wanted)),
  scroll: distance => json(scroll(distance)), scrollBox: (id, distance) => json(scrollBox(id, distance)), locateText: text => json(locateText(text)), limits: id => json(limitsOf(id)),
};
