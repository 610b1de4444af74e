// served.js: the sources of a page's words, for comparison with what the site served.
let wasRead = false;  // whether anybody has read this document
// The page's lines from `observe`, each with the page's own text.
function observeSources(form, withMarks, ...more) {
  wasRead = true;
  const seen = JSON.parse(observe(form, withMarks, false, ...more));
  return JSON.stringify({...seen, sources: JSON.parse(observe(form, false, true, ...more)).lines.map(line => line[2])});
}

const INLINE = new Set(['A', 'ABBR', 'B', 'BDI', 'BDO', 'CITE', 'CODE', 'DEL', 'DFN', 'EM', 'FONT', 'I', 'INS', 'KBD', 'LABEL', 'MARK', 'Q', 'S', 'SAMP',
  'SMALL', 'SPAN', 'STRONG', 'SUB', 'SUP', 'TIME', 'U', 'VAR', 'WBR']);

// All content of a document, visible or not: its texts in order, once with and once without a space between inline elements,
// the values of attributes, and all interactive elements, with all texts that can form their names. (Texts that only style sheets
// or foreign frames have are in the sources of the page's lines.)
function served() {
  const tight = [], loose = [], values = [], elements = [], pictures = [];
  const walk = node => {
    if (node.nodeType === 3) { tight.push(node.data); loose.push(node.data); return; }
    if (node.nodeType !== 1 || node.tagName === 'SCRIPT' || node.tagName === 'STYLE') return;
    for (const {name, value} of node.attributes) if (value && name !== 'style' && name !== 'class') values.push(value);
    if (node.tagName === 'IMG') pictures.push(node.src);
    const role = roleOf(node), inline = INLINE.has(node.tagName);
    if (INTERACTIVE.has(role)) elements.push([role, nameOf(node, role), material(node)]);
    if (!inline) tight.push(' ');
    loose.push(' ');
    const inner = node.tagName === 'IFRAME' || node.tagName === 'FRAME' ? innerDocument(node) : null;
    for (const child of [...(node.shadowRoot?.childNodes || []), ...(node.tagName === 'TEMPLATE' ? node.content : node).childNodes, ...(inner?.documentElement ? [inner.documentElement] : [])]) walk(child);
    if (!inline) tight.push(' ');
    loose.push(' ');
  };
  labelled = new Map();
  if (document.documentElement) walk(document.documentElement);
  labelled = null;
  return JSON.stringify({texts: [tight.join(''), loose.join(''), ...values], title: document.title, elements, pictures});
}

function material(node) {
  const near = [node, ...labelsOf(node), ...referenced(node, 'aria-labelledby'), ...node.querySelectorAll('*')];
  const said = near.flatMap(each => [each.textContent, ...['aria-label', 'alt', 'title', 'placeholder', 'value'].map(name => each.getAttribute(name))]);
  return said.filter(Boolean).join(' ').slice(0, 20000);
}
