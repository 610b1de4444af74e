// trees.js: the page for agents made for BrowserGym: accessibility nodes and a DOM snapshot in the formats of the
// browser's devtools, and each element's position. Invisible content is left out.
const AX_TAGS = {P: 'paragraph', LABEL: 'LabelText', STRONG: 'strong', EM: 'emphasis', CODE: 'code', TIME: 'time', FIGURE: 'figure',
  BLOCKQUOTE: 'blockquote', IFRAME: 'Iframe', FRAME: 'Iframe', THEAD: 'rowgroup', TBODY: 'rowgroup', TFOOT: 'rowgroup'};
const SAID_ALREADY = /^(TEXTAREA|OPTION)$/, KEPT_OUT = /^(style|nonce|srcdoc)$|^on/;

class Trees {
  constructor() { this.nodes = []; this.documents = []; this.strings = []; this.known = new Map(); this.extra = {}; this.frames = []; }
  string(text) {
    let index = this.known.get(text);
    if (index === undefined) { index = this.strings.push(text) - 1; this.known.set(text, index); }
    return index;
  }
  // A node of the accessibility tree; returns it, with its number as id.
  node(parent, role, name, more) {
    const node = {nodeId: String(this.nodes.length + 1), ignored: false, role: {type: 'role', value: role}, name: {type: 'computedString', value: name},
      properties: [], childIds: [], ...more};
    if (parent) { node.parentId = parent.nodeId; parent.childIds.push(node.nodeId); }
    this.nodes.push(node);
    return node;
  }
  document(doc) {
    const nodes = {parentIndex: [], nodeType: [], nodeName: [], nodeValue: [], attributes: [], contentDocumentIndex: {index: [], value: []}};
    const found = {documentURL: this.string(doc.URL), title: this.string(doc.title), nodes};
    this.documents.push(found);
    this.dom(found, -1, 9, '#document', '');
    return found;
  }
  dom(doc, parent, type, name, value, attributes = []) {
    const n = doc.nodes;
    n.parentIndex.push(parent); n.nodeType.push(type); n.nodeName.push(this.string(name)); n.nodeValue.push(value === null ? -1 : this.string(value));
    return n.attributes.push(attributes.map(text => this.string(text))) - 1;
  }
}

// `first` and `around`: as for `observe`. `frames` are the elements of foreign frames, whose trees belong under them.
function trees(first = 1, around = null) {
  nextId = Math.max(nextId, first);
  const found = new Trees();
  active = focused();
  viewport = around?.view || {l: 0, t: 0, r: innerWidth, b: innerHeight};
  beginPass(document);
  whole(found, document, null, {...HERE, ...viewport});
  const extra = found.extra;
  return JSON.stringify({axtree: {nodes: found.nodes}, dom: {documents: found.documents, strings: found.strings}, extra, focused: active ? String(idOf(active)) : '', frames: found.frames, next: nextId});
}

function whole(found, doc, holder, place) {
  const record = found.document(doc);
  const root = found.node(holder, 'RootWebArea', squeeze(doc.title), {});
  root.properties.push(property('focused', 'booleanOrUndefined', doc.activeElement === doc.body || !doc.activeElement));
  if (doc.documentElement) branch(found, doc.documentElement, record, 0, root, place, 0);
  return record;
}

function property(name, type, value) { return {name, value: {type, value}}; }

function branch(found, node, record, parent, holder, place, deep) {
  if (found.nodes.length > MAX_NODES || deep > MAX_DEPTH) return;
  if (node.nodeType === 3) return words(found, node, record, parent, holder);
  if (node.nodeType !== 1 || SILENT.has(node.tagName) || node.tagName === 'BR' || node.inert || node.getAttribute('aria-hidden') === 'true') return;
  const style = getComputedStyle(node);
  if (style.display === 'none') return;
  const bid = String(idOf(node)), role = roleOf(node), seen = style.visibility === 'visible';
  const at = found.dom(record, parent, 1, node.tagName, '', ['bid', bid, ...attributesOf(node)]);
  const own = seen ? found.node(holder, role || AX_TAGS[node.tagName] || 'generic', nameOf(node, role), {browsergym_id: bid}) : holder;
  if (seen) { tell(own, node, role); found.extra[bid] = placed(node, role, style, place); }
  if (node.tagName === 'SELECT') return choices(found, node, record, at, own, place, deep);
  if (SAID_ALREADY.test(node.tagName)) return;
  if (FRAMES.has(node.tagName)) return framed(found, node, record, at, own, place);
  if (node.tagName === 'DETAILS' && !node.open) { const summary = [...node.children].find(child => child.tagName === 'SUMMARY'); return summary && branch(found, summary, record, at, own, place, deep + 1); }
  for (const which of ['::before', '::after']) {
    if (which === '::after') for (const child of childrenOf(node)) branch(found, child, record, at, own, place, deep + 1);
    const added = seen && drawn.has(node) ? squeeze(pseudo(node, which)) : '';
    if (added) found.node(own, 'StaticText', added, {});
  }
}

function words(found, node, record, parent, holder) {
  const text = squeeze(node.data), above = node.parentElement || node.parentNode.host;
  if (!text || above && getComputedStyle(above).visibility !== 'visible') return;
  found.dom(record, parent, 3, '#text', node.data);
  found.node(holder, 'StaticText', text, {});
}

// The options of a list can be chosen even while it is closed.
function choices(found, list, record, parent, holder, place, deep) {
  for (const option of [...list.options].slice(0, MAX_OPTIONS)) {
    if (option.hidden) continue;
    const bid = String(idOf(option)), at = found.dom(record, parent, 1, 'OPTION', '', ['bid', bid, ...attributesOf(option), ...option.selected ? ['selected', ''] : []]);
    found.dom(record, at, 3, '#text', option.text);
    const node = found.node(holder, 'option', squeeze(option.text), {browsergym_id: bid});
    node.properties.push(property('selected', 'booleanOrUndefined', option.selected));
    found.extra[bid] = {visibility: 0, bbox: null, clickable: true, set_of_marks: false};
  }
}

function framed(found, node, record, at, own, place) {
  const inner = innerDocument(node), origin = inOrigin(contentOrigin(node), place), {dx, dy, kx, ky} = origin;
  if (!inner) {
    const box = meet(boxOf(node.getBoundingClientRect(), place), place), view = {l: (box.l - dx) / kx, t: (box.t - dy) / ky, r: (box.r - dx) / kx, b: (box.b - dy) / ky};
    found.frames.push({id: idOf(node), ...origin, view, parent: own.nodeId, document: found.documents.indexOf(record), at});
    return;
  }
  findDrawn(inner);
  record.nodes.contentDocumentIndex.index.push(at);
  record.nodes.contentDocumentIndex.value.push(found.documents.length);
  whole(found, inner, own, {...origin, l: Math.max(place.l, dx), t: Math.max(place.t, dy), r: Math.min(place.r, dx + node.clientWidth * kx), b: Math.min(place.b, dy + node.clientHeight * ky)});
}

function attributesOf(node) {
  const told = [];
  for (const {name, value} of node.attributes) if (!KEPT_OUT.test(name)) told.push(name, value.slice(0, 2000));
  if ((node.tagName === 'INPUT' || node.tagName === 'TEXTAREA') && node.type !== 'password' && node.value && node.getAttribute('value') !== node.value) told.push('value', node.value.slice(0, 2000));
  return told;
}

function tell(own, node, role) {
  const states = statesOf(node, role), value = valueOf(node, role), add = (...parts) => own.properties.push(property(...parts));
  if (value !== '') own.value = {type: 'string', value};
  if (node === active) add('focused', 'booleanOrUndefined', true);
  for (const name of ['disabled', 'required', 'readonly', 'selected', 'expanded']) if (states[name] !== undefined) add(name, 'booleanOrUndefined', states[name]);
  for (const name of ['checked', 'pressed']) if (states[name] !== undefined) add(name, 'tristate', String(states[name]));
  if (states.invalid) add('invalid', 'token', 'true');
  if (role === 'heading') add('level', 'integer', +node.getAttribute('aria-level') || +node.tagName[1] || 2);
  if (role === 'link' && node.href) add('url', 'string', hrefOf(node).slice(0, 2000));
  if (node.tagName === 'SELECT') add('hasPopup', 'token', 'menu');
  else if (node.getAttribute('aria-haspopup')) add('hasPopup', 'token', node.getAttribute('aria-haspopup'));
}

function placed(node, role, style, place) {
  const {l, t, r, b} = boxOf(node.getBoundingClientRect(), place), size = (r - l) * (b - t);
  const w = Math.min(r, place.r) - Math.max(l, place.l), h = Math.min(b, place.b) - Math.max(t, place.t);
  const visibility = size > 0 && w > 0 && h > 0 && style.opacity !== '0' ? Math.round(100 * w * h / size) / 100 : 0;
  const able = INTERACTIVE.has(role) || clickable(node, style.cursor, node.parentElement ? getComputedStyle(node.parentElement).cursor : '');
  const marked = able && visibility >= 0.5 && seenAt(node, {l, t, r, b});
  return {visibility, bbox: size > 0 ? [l, t, r - l, b - t].map(Math.round) : null, clickable: able, set_of_marks: marked};
}
