// roles.js: roles of elements. ARIA roles, explicit or implied by HTML, with the names of the accessibility tree.
const INTERACTIVE = new Set(['link', 'button', 'checkbox', 'radio', 'switch', 'textbox', 'searchbox', 'combobox', 'listbox',
  'slider', 'spinbutton', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem', 'video', 'audio']);
const LANDMARK = new Set(['banner', 'navigation', 'main', 'complementary', 'contentinfo', 'region', 'form', 'search', 'dialog',
  'alertdialog', 'alert', 'status', 'group', 'radiogroup', 'article', 'tablist', 'menu', 'menubar', 'toolbar', 'tree', 'listbox',
  'tabpanel', 'feed', 'log', 'grid', 'table', 'treegrid']);
const NAMED_ONLY = new Set(['region', 'form', 'group', 'radiogroup', 'table', 'grid', 'article', 'status', 'log', 'tabpanel', 'menu',
  'menubar', 'toolbar', 'tablist', 'listbox', 'tree', 'feed', 'treegrid']);
const FROM_CONTENT = new Set(['button', 'cell', 'checkbox', 'columnheader', 'gridcell', 'heading', 'link', 'menuitem',
  'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'row', 'rowheader', 'switch', 'tab', 'tooltip', 'treeitem', 'clickable']);
const KNOWN = new Set([...INTERACTIVE, ...LANDMARK, ...FROM_CONTENT, 'heading', 'image', 'img', 'list', 'listitem', 'row', 'rowgroup',
  'separator', 'progressbar', 'meter', 'none', 'presentation', 'generic', 'paragraph', 'definition', 'term', 'note', 'figure',
  'math', 'marquee', 'timer', 'scrollbar', 'application', 'document', 'directory', 'caption', 'code', 'time', 'mark', 'emphasis',
  'strong', 'deletion', 'insertion', 'subscript', 'superscript', 'blockquote', 'suggestion', 'comment']);
for (const ours of ['clickable', 'video', 'audio']) KNOWN.delete(ours);
const INPUT = {button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', checkbox: 'checkbox', radio: 'radio',
  range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: ''};
const NATIVE = {
  A: e => e.hasAttribute('href') ? 'link' : '', a: e => e.hasAttribute('href') || e.hasAttribute('xlink:href') ? 'link' : '', AREA: e => e.hasAttribute('href') ? 'link' : '',
  BUTTON: () => 'button', TEXTAREA: () => 'textbox', OPTION: () => 'option',
  VIDEO: e => e.controls ? 'video' : '', AUDIO: e => e.controls ? 'audio' : '',
  SUMMARY: e => e.parentElement && e.parentElement.tagName === 'DETAILS' && e.parentElement.querySelector('summary') === e ? 'button' : '',
  SELECT: e => e.multiple || e.size > 1 ? 'listbox' : 'combobox',
  INPUT: e => INPUT[e.type] ?? (e.list ? 'combobox' : 'textbox'),
  H1: () => 'heading', H2: () => 'heading', H3: () => 'heading', H4: () => 'heading', H5: () => 'heading', H6: () => 'heading',
  IMG: e => e.getAttribute('alt') === '' && !e.title ? 'none' : 'image', NAV: () => 'navigation', MAIN: () => 'main',
  ASIDE: () => 'complementary', SEARCH: () => 'search', FORM: () => 'form', FIELDSET: () => 'group', DETAILS: () => 'group',
  DIALOG: () => 'dialog', ARTICLE: () => 'article', SECTION: () => 'region', TABLE: () => 'table', TR: () => 'row',
  TD: () => 'cell', TH: e => e.scope === 'row' ? 'rowheader' : 'columnheader', UL: () => 'list', OL: () => 'list', MENU: () => 'list',
  LI: () => 'listitem', HR: () => 'separator', PROGRESS: () => 'progressbar', METER: () => 'meter', OUTPUT: () => 'status',
  HEADER: e => scoped(e) ? '' : 'banner', FOOTER: e => scoped(e) ? '' : 'contentinfo',
};

function scoped(element) { return !!element.parentElement?.closest('article, aside, main, nav, section'); }

// The role that the page's author gave, or the one that HTML implies; '' for none.
function roleOf(element) {
  const native = NATIVE[element.tagName];
  const given = element.getAttribute('role');
  if (given) {
    for (const word of given.toLowerCase().split(/\s+/)) {
      if (!KNOWN.has(word)) continue;
      if (word === 'none' || word === 'presentation') {
        if (element.tabIndex >= 0 || element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby')) break;
        return 'none';
      }
      return word === 'img' ? 'image' : word === 'directory' ? 'list' : word;
    }
  }
  const role = native ? native(element) : '';
  return role || (editingHost(element) ? 'textbox' : '');
}

function editingHost(element) {
  const value = element.getAttribute('contenteditable');
  return value !== null && value.toLowerCase() !== 'false' && element.isContentEditable;
}

const PRESSED = ['onclick', 'onmousedown', 'onmouseup', 'onpointerdown', 'onpointerup', 'ondblclick'];
// Elements without a role that a script made clickable.
function clickable(element, cursor, outerCursor) {
  if (element.tagName === 'LABEL') return !!element.control && !shown(element.control);  // it stands in for a control that is not drawn
  if (FRAMES.has(element.tagName)) return false;
  if (PRESSED.some(name => element.hasAttribute(name))) return true;
  const pointed = cursor === 'pointer' && outerCursor !== 'pointer';
  return (pointed || element.draggable && element.tagName !== 'IMG' || element.hasAttribute('tabindex') && element.tabIndex >= 0) && !element.querySelector(CONTROLS);
}
const hrefOf = link => typeof link.href === 'string' ? link.href : new URL(link.href.baseVal, link.baseURI).href;  // in drawings it is no text
const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=checkbox], ' +
  '[role=radio], [role=switch], [role=tab], [role=menuitem], [role=option], [role=treeitem], [role=combobox], [role=textbox], ' +
  'iframe, frame, [onclick], [tabindex="0"], [contenteditable=""], [contenteditable=true]';

function parentOf(node) { return node.assignedSlot || node.parentNode || node.host || null; }

// Is `inner` this element, or inside it as drawn (shadow roots and slots included)?
function within(inner, outer) {
  for (let node = inner; node; node = parentOf(node)) if (node === outer) return true;
  return false;
}
