// names.js: accessible names and states (W3C accname 1.2, in its order: labelledby, label, native, content, title, placeholder).
const LOOSE = /[^\S ]|  |[\u00ad\u200b\u2060\ufeff]/;  // most texts are tidy, which is found out sooner than they are replaced
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;  // soft hyphens and spaces without width
const squeeze = text => (LOOSE.test(text) ? text.replace(UNSEEN, '').replace(/\s+/g, ' ') : text).trim();
const BUTTONS = {submit: 'Submit', reset: 'Reset', image: 'Submit'};

function referenced(element, attribute) {
  const ids = element.getAttribute(attribute), root = ids && element.getRootNode();
  return ids && root.getElementById ? ids.split(/\s+/).map(id => id && root.getElementById(id)).filter(Boolean) : [];
}

// `from`: how we got here: undefined (the element itself), 'labelledby', 'label' or 'content'.
let referring = false;  // what is referred to does not refer further
function nameOf(element, role, from, seen = new Set()) {
  if (seen.has(element)) return '';
  seen.add(element);
  if (!referring) {
    referring = true;
    const parts = referenced(element, 'aria-labelledby').map(node => nameOf(node, roleOf(node), 'labelledby'));
    referring = false;
    const name = squeeze(parts.join(' '));
    if (name) return name;
  }
  if (from) {
    const value = embeddedValue(element, role);
    if (value !== null) return value;
  }
  const label = squeeze(element.getAttribute('aria-label') || '');
  if (label) return label;
  const native = nativeName(element, role, from, seen);
  if (native) return native;
  if (from || FROM_CONTENT.has(role)) {
    const content = squeeze(contentName(element, seen, from === 'labelledby' && !shown(element)));
    if (content) return content;
    if (!from && !element.hasAttribute('title') && element.querySelector('[aria-hidden=true]')) return seenName(element);
  }
  return squeeze(element.getAttribute('title') || '') || (role === 'textbox' || role === 'searchbox' || role === 'combobox' || role === 'spinbutton'
    ? squeeze(element.getAttribute('placeholder') || element.getAttribute('aria-placeholder') || '') : '');
}

// What people see of an element's content, also what `aria-hidden` keeps from its name.
let seenToo = false;
function seenName(element) {
  seenToo = true;
  try { return squeeze(contentName(element, new Set([element]))); } finally { seenToo = false; }
}

// What `aria-hidden` marks as decoration and people don't read: drawings, bars, and the glyphs of icon fonts.
function decorative(node) {
  if (node.getAttribute('aria-hidden') !== 'true') return false;
  return /^(svg|img|picture|canvas|video|meter|progress)$/i.test(node.tagName) || /icon|symbol|awesome|glyph/i.test(getComputedStyle(node).fontFamily);
}

// A control inside a label counts with its value.
function embeddedValue(element, role) {
  if (role === 'textbox' || role === 'searchbox') return squeeze(element.value ?? element.textContent);
  if (role === 'combobox' || role === 'listbox') {
    if (element.selectedOptions) return squeeze([...element.selectedOptions].map(option => option.label).join(' '));
    if (element.value !== undefined) return squeeze(element.value);
    return squeeze([...element.querySelectorAll('[aria-selected=true]')].map(option => option.textContent).join(' '));
  }
  if (role === 'slider' || role === 'spinbutton')
    return squeeze(element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow') || element.value || '');
  return null;
}

function nativeName(element, role, from, seen) {
  const tag = element.tagName;
  if (tag === 'INPUT' && role === 'button' && (element.type in BUTTONS || element.type === 'button')) {
    const labels = labelText(element, seen);
    if (labels) return labels;
    if (element.type === 'image') return squeeze(element.alt || element.value || element.title) || BUTTONS.image;
    return squeeze(element.value) || (element.hasAttribute('value') ? squeeze(element.title) : BUTTONS[element.type] || '');
  }
  if ('labels' in element && from !== 'label') { const text = labelText(element, seen); if (text) return text; }
  if (tag === 'IMG' || tag === 'AREA') return squeeze(element.getAttribute('alt') || '');
  if (tag === 'FIELDSET') return childName(element, 'LEGEND', seen);
  if (tag === 'TABLE') return childName(element, 'CAPTION', seen);
  if (tag === 'FIGURE') return childName(element, 'FIGCAPTION', seen);
  if (tag === 'OPTGROUP' || tag === 'OPTION' && element.label) return squeeze(element.label);
  if (tag === 'svg') return squeeze([...element.children].find(child => child.tagName === 'title')?.textContent || '');
  return '';
}

// The labels of a control. `element.labels` searches the whole document, for every control again; a pass does that once.
let labelled = null;
function labelsOf(element) {
  if (!labelled) return [...element.labels || []];
  const root = element.getRootNode();
  if (!labelled.has(root)) {
    const found = new Map();
    for (const label of root.querySelectorAll('label')) if (label.control) found.set(label.control, [...found.get(label.control) || [], label]);
    labelled.set(root, found);
  }
  return labelled.get(root).get(element) || [];
}

function labelText(element, seen) {
  return squeeze(labelsOf(element).map(label => nameOf(label, '', 'label', new Set([...seen, element]))).join(' '));
}

function childName(element, tag, seen) {
  const child = [...element.children].find(child => child.tagName === tag);
  return child ? squeeze(contentName(child, seen)) : '';
}

const SILENT = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'META', 'LINK', 'TITLE', 'BASE', 'DATALIST', 'PARAM', 'SOURCE',
  'TRACK', 'style', 'script', 'title', 'desc', 'defs', 'metadata', 'symbol', 'clipPath', 'mask']);

function shown(element) { return element.checkVisibility({visibilityProperty: true}); }

function childrenOf(element) {
  if (element.tagName === 'SLOT') { const given = element.assignedNodes(); if (given.length) return given; }
  const found = [];  // quicker to go through than a NodeList
  for (let child = (element.shadowRoot || element).firstChild; child; child = child.nextSibling) found.push(child);
  return found;
}

function contentName(element, seen, hiddenToo = false) {
  let text = pseudo(element, '::before');
  for (const node of childrenOf(element)) {
    if (node.nodeType === 3) text += node.data;
    else if (node.nodeType === 1 && !SILENT.has(node.tagName) && node.tagName !== 'OBJECT' && (seenToo ? !decorative(node) : node.getAttribute('aria-hidden') !== 'true')) {
      if (node.tagName === 'BR') { text += ' '; continue; }
      if (!hiddenToo && !shown(node) && getComputedStyle(node).display !== 'contents') continue;
      const role = roleOf(node);
      const inner = nested(node, role, seen, hiddenToo);
      text += /^inline($|-)|contents/.test(getComputedStyle(node).display) && getComputedStyle(node).display === 'inline' ? inner : ` ${inner} `;
    }
  }
  return text + pseudo(element, '::after');
}

function nested(node, role, seen, hiddenToo) {
  if (hiddenToo) { if (seen.has(node)) return ''; seen.add(node); return contentName(node, seen, true); }
  return spaced(node, nameOf(node, role, 'content', seen));
}

// nameOf trims; the spaces at the edges of an inline element separate words.
function spaced(node, name) {
  const text = node.textContent;
  return name && text ? (/^\s/.test(text) ? ' ' : '') + name + (/\s$/.test(text) ? ' ' : '') : name;
}

const TICKED = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem']);
const CHOSEN = new Set(['tab', 'option', 'treeitem', 'cell', 'gridcell', 'row', 'rowheader']);
const yesOrMixed = value => value === 'mixed' ? 'mixed' : value === 'true';

function statesOf(element, role) {
  const states = {}, tag = element.tagName, box = role === 'checkbox' || role === 'radio' || role === 'switch';
  if (box && tag === 'INPUT') states.checked = element.indeterminate ? 'mixed' : element.checked;
  else if (TICKED.has(role) && element.hasAttribute('aria-checked')) states.checked = yesOrMixed(element.getAttribute('aria-checked'));
  if (role === 'button' && element.hasAttribute('aria-pressed')) states.pressed = yesOrMixed(element.getAttribute('aria-pressed'));
  if (CHOSEN.has(role) && element.hasAttribute('aria-selected')) states.selected = element.getAttribute('aria-selected') === 'true';
  if (tag === 'SUMMARY' && role === 'button') states.expanded = element.parentElement.open;
  else if (element.hasAttribute('aria-expanded')) states.expanded = element.getAttribute('aria-expanded') === 'true';
  if (role === 'video' || role === 'audio') states.playing = !element.paused;
  if (disabled(element)) states.disabled = true;
  if (element.required || element.getAttribute('aria-required') === 'true') states.required = true;
  if (element.readOnly && !box && role !== 'button' || element.getAttribute('aria-readonly') === 'true') states.readonly = true;
  if (isGiven(element, 'aria-invalid')) states.invalid = true;
  if (isGiven(element, 'aria-current')) states.current = true;
  return states;
}

function isGiven(element, attribute) { const value = element.getAttribute(attribute); return !!value && value !== 'false'; }

function disabled(element) { return element.matches(':disabled') || !!element.closest('[aria-disabled="true"], [inert]'); }

function valueOf(element, role) {
  if (role === 'combobox' && element.tagName === 'SELECT') return squeeze(element.options[element.selectedIndex]?.label || '');
  if (role === 'listbox' && element.tagName === 'SELECT') return [...element.selectedOptions].map(option => squeeze(option.label)).join(', ');
  if (element.tagName === 'INPUT' && role !== 'button' && role !== 'checkbox' && role !== 'radio' && role !== 'switch')
    return element.type === 'password' ? '•'.repeat(element.value.length) : element.value;
  if (element.tagName === 'TEXTAREA') return element.value;
  if (role === 'textbox' || role === 'searchbox') return element.innerText.trim();
  if (role === 'progressbar' || role === 'meter') return gaugeValue(element);
  if (role === 'slider' || role === 'spinbutton')
    return element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow') || (element.value !== undefined ? String(element.value) : '');
  return '';
}

function gaugeValue(element) {
  if (element.tagName === 'PROGRESS' && !element.hasAttribute('value')) return '';  // nobody knows how long it takes
  const text = element.getAttribute('aria-valuetext');
  if (text) return text;
  const value = element.getAttribute('aria-valuenow') ?? element.value ?? '', most = element.getAttribute('aria-valuemax') ?? element.max ?? '';
  return value !== '' && most !== '' ? `${value} of ${most}` : String(value);
}
