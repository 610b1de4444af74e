// scroll.js: scroll the page or a box; find a text on the page.

const isBox = element => element.clientHeight > 0 && /auto|scroll/.test(getComputedStyle(element).overflowY);
const scrolls = element => element.scrollHeight > element.clientHeight + 1 && isBox(element);
const canMove = (element, distance) => distance > 0 ? element.scrollTop + element.clientHeight < element.scrollHeight - 1 : element.scrollTop > 1;

function around(element, fits) { for (let each = element; each; each = parentOf(each)) if (each.nodeType === 1 && fits(each)) return each; return null; }

function moveBox(box, distance) {
  const before = box.scrollTop;
  box.scrollBy({top: distance, behavior: 'instant'});
  return Math.round(box.scrollTop - before);
}

// A list that fills as it scrolls never goes on where it is shorter than its box: it gets the event alone. Returns whether it grew.
function nudge(box) {
  const size = () => box.getElementsByTagName('*').length, before = size();
  box.dispatchEvent(new Event('scroll'));
  return size() !== before;
}

// The boxes in view that can be scrolled further, the largest first.
function boxesInView(distance) {
  const boxes = [...document.querySelectorAll('*')].filter(element => element !== document.scrollingElement && scrolls(element) && canMove(element, distance) && shown(element));
  const area = element => element.clientWidth * element.clientHeight;
  const inView = element => { const r = element.getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth; };
  return boxes.filter(inView).sort((a, b) => area(b) - area(a));
}

const boxDistance = (box, distance) => Math.sign(distance) * Math.max(40, Math.round(box.clientHeight * .8));

// Scroll the box around an element. Returns the distance: {moved} or {error}.
function scrollBox(id, distance) {
  const element = find(id);
  if (!element) return {error: `there is no element ${id} on this page; look again`};
  watchForChanges();
  const box = around(element, scrolls);
  if (box) return {moved: moveBox(box, boxDistance(box, distance))};
  const short = around(element, each => isBox(each) && each !== document.scrollingElement);
  if (short) return {moved: Number(nudge(short))};
  return {error: `${label(element, roleNow(element))} is in no box that scrolls; scroll without an id scrolls the page`};
}

// Scroll what a person's wheel would: the dialog in front, the page, the largest box in view if the page is at its end.
// Returns the distance: {moved}.
function scroll(distance) {
  watchForChanges();
  const middle = atPoint(innerWidth / 2, innerHeight / 2);
  const dialog = middle && around(middle, each => each.matches('dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]'));
  const front = dialog && (around(middle, each => scrolls(each) && within(each, dialog)) || [...dialog.querySelectorAll('*')].find(scrolls));
  if (front && canMove(front, distance)) return {moved: moveBox(front, boxDistance(front, distance))};
  if (dialog && !front && distance > 0 && nudge(around(middle, each => isBox(each) && within(each, dialog)) || dialog)) return {moved: 1};
  const page = document.scrollingElement || document.documentElement;
  if (page && page.scrollHeight > innerHeight + 1 && getComputedStyle(page).overflowY !== 'hidden') {
    const moved = moveBox(page, distance);
    if (moved) return {moved};
  }
  const box = boxesInView(distance)[0];
  return {moved: box ? moveBox(box, boxDistance(box, distance)) : 0};
}

// Where to put the mouse for a text that the page shows: {x, y} or {error}.
function locateText(text) {
  const wanted = fold(text);
  watchForChanges();
  if (wanted) for (const holder of document.querySelectorAll('body *')) {
    if (holder.children.length && ![...holder.childNodes].some(node => node.nodeType === 3 && fold(node.data).includes(wanted))) continue;
    if (!fold(holder.textContent).includes(wanted) || /^(script|style|noscript|template)$/.test(holder.localName) || !shown(holder)) continue;
    bringIntoView(holder);
    const spot = points(holder)[0];
    if (spot) return {x: spot[0], y: spot[1]};
  }
  return {error: `the page does not show "${text.slice(0, 80)}"; look again, or scroll`};
}
