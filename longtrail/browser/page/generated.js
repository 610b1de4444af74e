// generated.js: text that style sheets add: ::before, ::after, ::marker, counters, quotation marks and numbers of lists.
// Elements to which some style sheet adds text; found once per pass from the rules, not element by element.
let drawn = new Set();
// Counters and numbers of list items, filled when a pass needs them.
let counters = new Map(), ordinals = new Map();

function beginPass(doc) {
  drawn = new Set(); counters = new Map(); ordinals = new Map();
  findDrawn(doc);
}

function findDrawn(scope) {
  const selectors = [];
  const collect = rules => {
    for (const rule of rules) {
      if (rule.cssRules?.length) collect(rule.cssRules);
      const content = rule.style?.content;
      if (content && /["(]|quote/.test(content) && content !== '""') selectors.push(rule.selectorText.replace(/::?(before|after|marker)\b/g, '') || '*');
    }
  };
  for (const sheet of [...scope.styleSheets, ...scope.adoptedStyleSheets]) {
    try { collect(sheet.cssRules); } catch { /* the rules of a sheet of another origin can't be read */ }
  }
  for (const selector of new Set(selectors)) {
    if (scope.host && selector.startsWith(':host')) drawn.add(scope.host);
    try { for (const element of scope.querySelectorAll(selector.replace(/(^|,)\s*(?=,|$)/g, '$1*'))) drawn.add(element); } catch { /* nested rule */ }
  }
}

const CONTENT = /"((?:[^"\\]|\\.)*)"|(counters?)\(\s*([\w-]+)\s*(?:,\s*"((?:[^"\\]|\\.)*)")?\s*(?:,\s*([\w-]+)\s*)?\)|attr\(\s*([\w-]+)|(open|close)-quote|(\/)/g;
const unescaped = text => text.replace(/\\([0-9a-f]{1,6} ?|.)/gi, (_, c) => /^[0-9a-f]/i.test(c) ? String.fromCodePoint(parseInt(c, 16)) : c)
  .replace(/[\ue000-\uf8ff]/g, '');  // glyphs of icon fonts are not text

// The text of ::before or ::after: as drawn, or its alternative (`content: "★" / "starred"`) if it has one.
function pseudo(element, which, alternative = true) {
  if (!drawn.has(element) && element.tagName !== 'Q') return '';
  const style = getComputedStyle(element, which), content = style.content;
  if (content === 'none' || content === 'normal' || style.display === 'none' || style.visibility !== 'visible' || style.opacity === '0') return '';
  let text = '';
  for (const [, string, counter, name, separator, kind, attribute, quote, slash] of content.matchAll(CONTENT)) {
    if (slash) { if (!alternative) break; text = ''; }
    else if (string !== undefined) text += unescaped(string);
    else if (counter) text += counterText(element, which, counter, name, separator, kind);
    else if (attribute) text += element.getAttribute(attribute) || '';
    else text += quotationMark(element, quote);
  }
  return text;
}

function quotationMark(element, side) {
  const own = [...getComputedStyle(element).quotes.matchAll(/"([^"]*)"/g)].map(([, mark]) => mark), marks = own.length ? own : ['“', '”', '‘', '’'];
  let depth = 0;
  for (let outer = element.parentElement; outer; outer = outer.parentElement) if (outer.tagName === 'Q') depth++;
  return marks[Math.min(depth, marks.length / 2 - 1) * 2 + (side === 'close')] || '';
}

function counterText(element, which, counter, name, separator, kind) {
  const doc = element.ownerDocument;
  if (name === 'list-item') return numeral(ordinalOf(element.closest('li')), kind);
  if (!counters.has(doc)) counters.set(doc, countersIn(doc));
  const values = counters.get(doc).get(element)?.[which]?.get(name) || [0];
  return (counter === 'counters' ? values : values.slice(-1)).map(value => numeral(value, kind)).join(unescaped(separator || ''));
}

// CSS Lists, "Automatic Numbering With Counters". A counter lives in its element, the siblings after it and what is in them.
// Element -> which -> name -> values, the outermost first.
function countersIn(doc) {
  const result = new Map(), scopes = new Map();
  const change = (style, parent) => {
    for (const property of ['counterReset', 'counterIncrement', 'counterSet'])
      for (const [, name, number] of style[property].matchAll(/([\w-]+)(?: (-?\d+))?/g)) {
        if (name === 'none') continue;
        if (!scopes.has(name)) scopes.set(name, []);
        const scope = scopes.get(name), last = scope.at(-1);
        if (property === 'counterReset' && last?.parent === parent) last.value = +(number || 0);
        else if (property === 'counterReset' || !last) scope.push({parent, value: property === 'counterIncrement' ? +(number || 1) : +(number || 0)});
        else if (property === 'counterIncrement') last.value += +(number || 1);
        else last.value = +(number || 0);
      }
  };
  const leave = parent => { for (const scope of scopes.values()) while (scope.at(-1)?.parent === parent) scope.pop(); };
  const addition = (element, which) => {
    if (!drawn.has(element)) return;
    change(getComputedStyle(element, which), element);
    const values = new Map([...scopes].map(([name, scope]) => [name, scope.map(each => each.value)]));
    result.set(element, {...result.get(element), [which]: values});
  };
  const walk = (element, parent, depth) => {
    const style = getComputedStyle(element);
    if (style.display === 'none' || depth > MAX_DEPTH) return;
    change(style, parent);
    addition(element, '::before');
    for (const child of childrenOf(element)) if (child.nodeType === 1) walk(child, element, depth + 1);
    addition(element, '::after');
    leave(element);
  };
  if (doc.documentElement) walk(doc.documentElement, null, 0);
  return result;
}

const ROMAN = [[1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i']];

// A number as a style of CSS Counter Styles writes it; the rarer ones as decimal.
function numeral(number, style = 'decimal') {
  const upper = style.startsWith('upper-') ? text => text.toUpperCase() : text => text;
  if (style === 'none') return '';
  if (style === 'decimal-leading-zero' && number >= 0) return String(number).padStart(2, '0');
  if (/-(alpha|latin)$/.test(style) && number > 0) {
    let text = '';
    for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) text = String.fromCharCode(97 + (rest - 1) % 26) + text;
    return upper(text);
  }
  if (style.endsWith('-roman') && number > 0 && number < 4000) {
    let text = '', rest = number;
    for (const [value, letters] of ROMAN) while (rest >= value) { text += letters; rest -= value; }
    return upper(text);
  }
  return String(number);
}

// The number of a list item (HTML: `start`, `reversed`, `value`).
function ordinalOf(item) {
  if (!item) return 0;
  const list = item.parentElement || item;
  if (!ordinals.has(list)) {
    const items = [...list.children].filter(child => child.tagName === 'LI'), step = list.reversed ? -1 : 1;
    let next = list.hasAttribute('start') ? list.start : list.reversed ? items.length : 1;
    ordinals.set(list, new Map(items.map(each => { const number = each.hasAttribute('value') ? each.value : next; next = number + step; return [each, number]; })));
  }
  return ordinals.get(list).get(item) ?? 1;
}

// What is drawn before a list item, such as `3. ` or `- `; empty if nothing is.
function markerOf(item, style) {
  const type = style.listStyleType, added = drawn.has(item) ? pseudo(item, '::marker').trim() : '';
  if (style.display !== 'list-item') return '';
  if (added) return `${added} `;
  if (type === 'none') return '';
  if (/^(disc|circle|square|disclosure-open|disclosure-closed)$/.test(type)) return '- ';
  return type.startsWith('"') ? `${unescaped(type.slice(1, -1)).trim()} ` : `${numeral(ordinalOf(item), type)}. `;
}
