// forms.js: the three text forms of a page. Each defines the text of an element, a container, a heading, a row and an image.
const quote = text => `"${text}"`;
const escapeHtml = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const attribute = (name, value) => value === '' || value === undefined || value === null ? '' : ` ${name}="${escapeHtml(String(value)).replace(/"/g, '&quot;')}"`;

function stateWords(item) {
  const s = item.states, words = [];
  if (s.checked !== undefined) words.push(s.checked === 'mixed' ? 'checked=mixed' : s.checked ? 'checked' : 'unchecked');
  if (s.pressed !== undefined) words.push(s.pressed === 'mixed' ? 'pressed=mixed' : s.pressed ? 'pressed' : 'not pressed');
  if (s.selected) words.push('selected');
  if (s.playing !== undefined) words.push(s.playing ? 'playing' : 'paused');
  if (s.expanded !== undefined) words.push(s.expanded ? 'expanded' : 'collapsed');
  for (const word of ['disabled', 'required', 'readonly', 'invalid', 'current', 'covered', 'focused']) if (s[word]) words.push(word);
  return words.length ? ' ' + words.join(' ') : '';
}

const oneLine = text => text.replace(/\s*\n\s*/g, ' ⏎ ').trim();

// The options of a list, each group's name before its first one.
const grouped = (item, form) => item.options.map((option, n) => (item.groups?.[n] && item.groups[n] !== item.groups[n - 1] ? `${item.groups[n]}: ` : '') + form(option)).join(' | ');

const FORMS = {
  axtree: {
    element(i) {
      let line = `[${i.id}] ${i.role}`;
      if (i.name) line += ' ' + quote(i.name);
      if (i.level) line += ` level=${i.level}`;
      if (i.kind) line += ` type=${i.kind}`;
      if (i.value !== '' || i.editable) line += ` value=${quote(oneLine(i.value))}`;
      if (i.hint) line += ` placeholder=${quote(i.hint)}`;
      line += stateWords(i);
      if (i.options) line += ` options: ${grouped(i, quote)}`;
      if (i.more) line += `: ${i.more}`;
      return line;
    },
    open: (role, name, states) => role + (name ? ' ' + quote(name) : '') + (states || ''),
    close: () => null,
    heading: (level, text, plain) => plain ? `heading ${quote(text)} level=${level}` : `heading level=${level}: ${text}`,
    row: (cells, head, states) => `${head ? 'columns' : 'row'}${states}: ${cells.join(' | ')}`.trimEnd(),
    cell: text => text,
    image: (name, kind) => name ? `${kind} ${quote(name)}` : kind,
    deletion: (text, plain) => plain ? `deletion ${quote(text)}` : `deletion (${text})`,
    text: text => text,
    gauge: (role, name, value) => `${role}${name ? ' ' + quote(name) : ''}${value === '' ? '' : ` value=${quote(value)}`}`,
    indent: true,
    numbered: true,
  },
  text: {
    element(i) {
      const value = i.role === 'combobox' || i.editable || i.value ? `: ${oneLine(i.value)}` : '';
      const tick = i.states.checked === undefined ? '' : i.states.checked === 'mixed' ? '(-) ' : i.states.checked ? '(x) ' : '( ) ';
      const options = i.options ? ` (${grouped(i, text => text)})` : '';
      return `[${i.id}] ${tick}${i.name || i.hint || i.role}${value}${options}${i.more ? ` ${i.more}` : ''}`;
    },
    open: () => null,
    close: () => null,
    heading: (level, text) => text,
    row: cells => cells.join(' | ').trimEnd(),
    cell: text => text,
    image: name => name || null,
    deletion: text => `~~${text}~~`,
    text: text => text,
    gauge: (role, name, value) => `${name ? name + ': ' : ''}${value}`,
    indent: false,
    numbered: true,
  },
  html: {
    element(i) {
      const s = i.states;
      let head = `<${i.tag} id="${i.id}"` + attribute('role', i.given) + attribute('type', i.type) + attribute('name', i.field) + attribute('href', i.href);
      const content = i.tag !== 'input' && i.tag !== 'select' && i.tag !== 'textarea' && !i.labelled ? i.name : '';
      if (!content) head += attribute('aria-label', i.name);
      head += attribute('placeholder', i.hint);
      if (i.tag === 'input' && i.editable || i.tag === 'input' && i.value) head += ` value="${escapeHtml(i.value).replace(/"/g, '&quot;')}"`;
      if (s.checked) head += s.checked === 'mixed' ? ' aria-checked="mixed"' : ' checked';
      if (s.expanded !== undefined) head += ` aria-expanded="${s.expanded}"`;
      if (s.pressed !== undefined) head += ` aria-pressed="${s.pressed}"`;
      if (s.selected) head += ' aria-selected="true"';
      for (const word of ['disabled', 'required', 'readonly']) if (s[word]) head += ` ${word}`;
      if (i.tag === 'input') return head + '>';
      if (i.options) return head + '>' + i.options.map(o => `<option${o === i.value ? ' selected' : ''}>${escapeHtml(o)}</option>`).join('') + `</${i.tag}>`;
      const inner = i.tag === 'textarea' || i.editable ? oneLine(i.value) : content;
      return `${head}>${escapeHtml(inner)}${i.more ? ' ' + escapeHtml(i.more) : ''}</${i.tag}>`;
    },
    open: (role, name, states, tag) => `<${tag}${attribute('aria-label', name)}>`,
    close: (role, tag) => `</${tag}>`,
    heading: (level, text) => `<h${level}>${text}</h${level}>`,
    row: (cells, head) => `<tr>${cells.map(c => head ? `<th>${c}</th>` : `<td>${c}</td>`).join('')}</tr>`,
    cell: text => text,
    image: (name, kind) => kind === 'image' ? `<img${attribute('alt', name)}>` : `<${kind}${attribute('aria-label', name)}></${kind}>`,
    deletion: text => `<del>${text}</del>`,
    text: escapeHtml,
    gauge: (role, name, value) => `<${role === 'meter' ? 'meter' : 'progress'}${attribute('aria-label', name)}${attribute('value', value)}>`,
    indent: true,
  },
};
for (const form of Object.values(FORMS)) form.note = form.text;  // our own words

// The same lines, each with only the page's own text: no roles, ids, states or marks of ours.
const BETWEEN = '\u0001', uncut = name => name.endsWith('…') ? name.replace(/\S*…$/, '') : name;
const says = (...texts) => BETWEEN + texts.filter(Boolean).join(BETWEEN) + BETWEEN;
const sourcesOf = form => ({
  ...form,
  element: i => says(uncut(i.name), i.value, i.hint, ...(i.options || []), ...new Set(i.groups || []), i.more),
  open: (role, name, states, tag) => form.open(role, name, states, tag) && says(name),
  close: (role, tag) => form.close(role, tag) && BETWEEN,
  heading: (level, text) => text,
  row: cells => says(...cells),
  image: (name, kind) => form.image(name, kind) && says(name),
  deletion: text => text,
  text: text => text,
  note: () => BETWEEN,
  gauge: (role, name, value) => says(name, value),
  numbered: false,
});
