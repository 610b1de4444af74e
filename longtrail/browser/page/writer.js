// writer.js: builds lines of text with their positions from pieces in the order of the page.
class Writer {
  constructor(form, sources) { this.form = sources ? sourcesOf(FORMS[form]) : FORMS[form]; this.lines = []; this.depth = 0; this.chars = 0; this.pieces = []; this.inline = 0; this.later = []; this.frames = 0; }
  // A piece is [text, top, bottom, isElement].
  add(text, box, isElement = false) { if (text) this.pieces.push([text, box.t, box.b, isElement]); }
  space() { if (this.pieces.length) this.pieces.push([' ', null]); }
  block() {
    if (this.inline) return this.space();
    this.flush();
  }
  flush(prefix = '') {
    const pieces = this.pieces;
    if (!pieces.length) return;
    this.pieces = [];
    const words = pieces.some(p => !p[3] && /[\p{L}\p{N}]/u.test(p[0]));
    if (words || prefix) return this.line(prefix + joined(pieces), ...span(pieces));
    const others = joined(pieces.filter(p => !p[3]));
    for (const piece of pieces) if (piece[3]) this.line(piece[0], piece[1], piece[2]);
    if (!pieces.some(p => p[3]) && others) this.line(others, ...span(pieces));
  }
  line(text, top, bottom) {
    if (!text || this.chars > MAX_CHARS) return;
    this.chars += text.length;
    this.lines.push([Math.round(top), Math.round(bottom), this.indented(text)]);
    this.writeLater();
  }
  // Whether the present or the last line has these words.
  repeats(text) {
    const words = squeeze(text);
    return /\p{L}{2}/u.test(words) && (this.pieces.some(piece => piece[0].includes(words)) || !!this.lines.at(-1)?.[2].includes(words));
  }
  // What could not be written inside of a line.
  writeLater() {
    if (this.inline) return;
    const later = this.later.splice(0);
    for (const write of later) write();
  }
  indented(text) { return this.form.indent ? ' '.repeat(Math.min(this.depth, 12)) + text : text; }
  // The text that `fill` writes, as one string instead of lines.
  capture(fill) {
    const kept = this.pieces;
    this.pieces = []; this.inline++;
    fill();
    const pieces = this.pieces;
    this.pieces = kept; this.inline--;
    return {text: joined(pieces), plain: !pieces.some(p => p[3]), pieces};
  }
}

const UNTIDY = /[\t\n\r\f\u00a0\u00ad\u200b\u2060\ufeff]| [ ,.;:!?)]/;
function joined(pieces) {
  let text = '';
  if (pieces.length === 1) text = pieces[0][0];
  else for (const piece of pieces) text += piece[3] ? `${/\s$/.test(text) || !text ? '' : ' '}${piece[0]} ` : piece[0];
  return (UNTIDY.test(text) ? text.replace(UNSEEN, '').replace(/[ \t\n\r\f\u00a0]+/g, ' ').replace(/ ([,.;:!?)])/g, '$1') : text).trim();
}

function span(pieces) {
  let top = 1e9, bottom = -1e9;
  for (const piece of pieces) if (piece[1] !== null) { top = Math.min(top, piece[1]); bottom = Math.max(bottom, piece[2]); }
  return [top, bottom];
}
