/* The page of cases: filters, a grid of tasks and conditions, or a list. Only the rows in sight are drawn. */
const ROW = 29, SPARE = 12;
const FIELDS = { suite: "Suite", who: "Contender", condition: "Condition", outcome: "Outcome", category: "Category", group: "Kind" };
const NAMES = { main: "counted in the headline", appeal: "appeals", control: "relocated control" };
const LISTED = [["outcome", "Outcome"], ["task", "Task"], ["who", "Contender"], ["condition", "Condition"], ["repeat", "Repeat"], ["answer", "Answer"],
  ["stage", "Came to"], ["steps", "Steps"], ["tokens", "Tokens"], ["usd", "Cost"], ["seconds", "Seconds"]];
let cases, state, rows, lines, here = -1;
const $ = (id) => document.getElementById(id);

function measured() { return (state.has ?? "").split(",")[0]; }
const PARTS = { a1: "first part", a2: "second part" };
function label(name, row) { const value = name === "who" ? cases.who(row)[1] : cases.value(name, row); return name === "stage" ? PARTS[value] ?? value : value; }
function words(value) { return String(value).replaceAll("_", " "); }
function shown(value) { return value === null || value === undefined ? "" : typeof value === "number" ? String(Math.round(value * 1000) / 1000) : String(value); }
function percent(value) { return String(Math.round(1000 * value) / 10); }

function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
  if (chosen && !options.some(([value]) => value === chosen)) select.append(el("option", { value: chosen, selected: true }, chosen));
}

function controls() {
  const all = [...Array(cases.count).keys()];
  for (const [name, title] of Object.entries(FIELDS)) {
    const found = cases.values(name, all);
    if (name === "condition") found.sort((a, b) => conditionOrder(a) - conditionOrder(b)); else found.sort();
    const named = name === "who" ? new Map(cases.data.who) : null;
    $(name).parentElement.hidden = found.length < 2 && !state[name];
    fill($(name), [["", "all"], ...found.map((value) => [value, named ? named.get(value) : NAMES[value] ?? words(value)])], state[name] ?? "");
  }
  const measures = Object.keys(cases.data.measures).map((name) => [name, words(name)]);
  fill($("has"), [["", "outcome"], ...measures], measured() ?? "");
  $("q").value = state.q ?? "";
  for (const name of ["grid", "list"]) $("as-" + name).setAttribute("aria-pressed", String((state.view ?? "grid") === name));
}

function chips() {
  const told = Object.entries(state).filter(([key, value]) => value && !["view", "sort", "down"].includes(key));
  $("chips").replaceChildren(...told.map(([key, value]) => el("button", { type: "button", class: "plain", "aria-label": `Remove filter ${key} ${value}`,
    on: { click: () => change({ [key]: "" }) } }, `${key === "has" ? "shows" : key === "q" ? "text" : key}: ${words(value)} ✕`)));
  if (told.length > 1) $("chips").append(el("button", { type: "button", class: "plain", on: { click: () => change(Object.fromEntries(told.map(([key]) => [key, ""]))) } }, "Clear all"));
}

function change(given) {
  Object.assign(state, given);
  for (const key of Object.keys(state)) if (state[key] === "") delete state[key];
  writeHash(state, true);
  render();
}

function render() {
  rows = cases.matching(Object.fromEntries(Object.entries(state).filter(([key]) => !["view", "sort", "down"].includes(key))));
  const counts = OUTCOMES.map((name, i) => [name, rows.filter((row) => cases.data.outcome[row] === i).length]).filter(([, n]) => n);
  $("count").textContent = `${rows.length} of ${cases.count} cases` + (counts.length ? ": " + counts.map(([name, n]) => `${n} ${name}`).join(", ") : "");
  controls();
  chips();
  here = -1;
  ((state.view ?? "grid") === "grid" ? grid : list)();
}

/* A table of which only the rows in sight stand in the page. `draw` makes one row. */
function virtual(head, draw, count) {
  const body = el("tbody"), table = el("table", { "aria-rowcount": count + 1 }, el("thead", {}, head), body), box = $("cases");
  const width = head.children.length;
  const paint = () => {
    const from = Math.max(0, Math.floor(box.scrollTop / ROW) - SPARE), to = Math.min(count, Math.ceil((box.scrollTop + Math.max(box.clientHeight, 400)) / ROW) + 2 * SPARE);
    if (body.dataset.drawn === `${from} ${to} ${here}`) return;
    body.dataset.drawn = `${from} ${to} ${here}`;
    const gap = (n) => n > 0 ? [el("tr", { class: "spacer", "aria-hidden": "true" }, el("td", { colspan: width, style: `height:${n * ROW}px` }))] : [];
    body.replaceChildren(...gap(from), ...Array.from({ length: to - from }, (_, i) => draw(from + i)), ...gap(count - to));
  };
  box.replaceChildren(table);
  box.onscroll = () => requestAnimationFrame(paint);
  box.scrollTop = 0;
  paint();
  virtual.paint = paint;
}

function cell(row) {
  const outcome = cases.outcome(row), name = measured(), value = name ? cases.measure(name, row) : null;
  const kind = name && cases.data.measures[name]?.kind;
  const text = !name ? SYMBOLS[cases.data.outcome[row]] : value === null ? "–" : kind === "rate" || kind === "conditional" ? percent(value) : shown(value);
  const says = `${cases.data.id[row]}: ${outcome}${name ? `, ${words(name)} ${shown(value) || "not defined"}` : ""}`;
  const given = { class: "k-" + outcome, "data-row": row, "aria-label": says, title: cases.text("reason", row) };
  return cases.trace(row) ? el("a", { ...given, href: cases.trace(row) }, text) : el("span", { ...given, role: "img" }, text);
}

function grid() {
  const several = cases.values("suite", rows).length > 1, crowd = cases.values("who", rows).length > 1;
  const columns = new Map(), found = new Map();
  for (const row of rows) {
    const condition = cases.text("condition", row), repeat = cases.data.repeat[row];
    columns.set(condition + " " + repeat, [condition, repeat]);
    const key = cases.text("suite", row) + "\n" + cases.text("task", row) + "\n" + cases.data.by[row];
    if (!found.has(key)) found.set(key, { row, cells: new Map() });
    found.get(key).cells.set(condition + " " + repeat, row);
  }
  const heads = [...columns.values()].sort((a, b) => conditionOrder(a[0]) - conditionOrder(b[0]) || a[1] - b[1]);
  const repeats = heads.some(([, repeat]) => repeat > 0);
  lines = [...found.values()];
  if (state.sort === "worst") {
    const score = (line) => { const all = [...line.cells.values()]; return all.reduce((sum, row) => sum + (measured() ? Number(cases.measure(measured(), row)) || 0 : cases.data.outcome[row] === 0 ? 1 : 0), 0) / all.length; };
    lines.sort((a, b) => score(a) - score(b));
  } else lines.sort((a, b) => cases.text("suite", a.row).localeCompare(cases.text("suite", b.row)) || cases.text("task", a.row).localeCompare(cases.text("task", b.row)) || cases.data.by[a.row] - cases.data.by[b.row]);
  const head = el("tr", {}, el("th", { scope: "col" }, "Task"), ...(crowd ? [el("th", { scope: "col" }, "Contender")] : []),
    ...heads.map(([condition, repeat]) => el("th", { scope: "col" }, condition + (repeats ? ` r${repeat}` : ""))));
  virtual(head, (i) => {
    const line = lines[i], task = cases.text("task", line.row);
    return el("tr", { class: i === here ? "here" : "" },
      el("th", { scope: "row", title: task }, several ? el("span", { class: "soft" }, words(cases.text("suite", line.row)) + " ") : null, el("bdi", {}, task)),
      ...(crowd ? [el("td", {}, el("bdi", {}, cases.who(line.row)[1].slice(0, 40)))] : []),
      ...heads.map(([condition, repeat]) => { const row = line.cells.get(condition + " " + repeat); return el("td", { class: "cell" }, row === undefined ? null : cell(row)); }));
  }, lines.length);
}

/* Columns that say the same of every case of the run (no repeats, no model, one contender) leave room for the reason. */
const DULL = ["who", "repeat", "answer", "tokens", "usd"];
let told;
function tells() {
  told ??= LISTED.filter(([name]) => !DULL.includes(name) || new Set(Array.from({ length: cases.count }, (_, row) => label(name, row))).size > 1);
  return told;
}

function list() {
  const usual = tells().some(([name]) => name === state.sort) || !LISTED.some(([name]) => name === state.sort) ? tells() : LISTED;
  const columns = measured() && !usual.some(([name]) => name === measured()) ? [...usual, [measured(), words(measured())]] : usual;
  const by = state.sort && state.sort !== "worst" ? state.sort : "outcome", down = state.down ? -1 : 1;
  const key = (row) => by === "outcome" ? [1, 0, 2, 3, 4][cases.data.outcome[row]] : by === "condition" ? conditionOrder(cases.text("condition", row)) : cases.value(by, row);
  const keys = new Map(rows.map((row) => [row, key(row)]));
  lines = [...rows].sort((a, b) => {
    const p = keys.get(a), q = keys.get(b);
    if (p === null || q === null) return (p === null) - (q === null);
    return down * (typeof p === "number" && typeof q === "number" ? p - q : String(p).localeCompare(String(q))) || a - b;
  });
  const head = el("tr", {}, ...columns.map(([name, title]) => el("th", { scope: "col", "aria-sort": by === name ? (state.down ? "descending" : "ascending") : false },
    el("button", { type: "button", on: { click: () => change({ sort: name, down: by === name && !state.down ? "1" : "" }) } }, title))), el("th", { scope: "col" }, "Why"));
  virtual(head, (i) => {
    const row = lines[i], outcome = cases.outcome(row);
    return el("tr", { class: i === here ? "here" : "" }, ...columns.map(([name]) => {
      if (name === "outcome") return el("td", {}, el("span", { class: "outcome " + outcome }, el("b", { "aria-hidden": "true" }), outcome));
      if (name === "task") return el("th", { scope: "row" }, cases.trace(row) ? el("a", { href: cases.trace(row), "data-row": row }, el("bdi", {}, cases.text("task", row))) : el("bdi", {}, cases.text("task", row)));
      const value = label(name, row);
      return el("td", { class: typeof value === "number" ? "n" : "" }, el("bdi", {}, shown(value).slice(0, 60)));
    }), el("td", { class: "why", title: cases.text("reason", row) }, el("bdi", {}, cases.text("reason", row))));
  }, lines.length);
}

function tell(event) {
  const row = event.target.closest?.("[data-row]")?.dataset.row;
  if (row === undefined) return;
  $("about").replaceChildren(el("strong", {}, cases.data.id[row]), " " + cases.outcome(row) + ". ", el("bdi", {}, cases.text("reason", row)));
}

function go(by) {
  here = Math.max(0, Math.min(lines.length - 1, here + by));
  const box = $("cases"), top = here * ROW;
  if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 3 * ROW) box.scrollTop = Math.max(0, top - box.clientHeight / 2);
  virtual.paint();
  const link = box.querySelector("tr.here a");
  if (link) { link.focus({ preventScroll: true }); tell({ target: link }); }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const does = { j: () => go(1), k: () => go(-1), "/": () => $("q").focus(), g: () => change({ view: (state.view ?? "grid") === "grid" ? "list" : "" }), "?": () => { $("keys").open = !$("keys").open; } }[event.key];
  if (does) { event.preventDefault(); does(); }
});

document.addEventListener("DOMContentLoaded", () => {
  const data = Object.values(longtrail.runs)[0];
  if (!data) { $("count").textContent = "The cases' data could not be read: data/cases.js is missing."; return; }
  cases = new Cases(data);
  state = readHash();
  $("tools").hidden = false;
  for (const name of [...Object.keys(FIELDS), "has"]) $(name).addEventListener("change", (event) => change({ [name]: event.target.value }));
  let waits;
  $("q").addEventListener("input", (event) => { clearTimeout(waits); waits = setTimeout(() => { const at = event.target.selectionStart; change({ q: event.target.value }); event.target.focus(); event.target.setSelectionRange(at, at); }, 120); });
  $("as-grid").addEventListener("click", () => change({ view: "", sort: "" }));
  $("as-list").addEventListener("click", () => change({ view: "list" }));
  $("worst").addEventListener("click", () => change({ view: "", sort: state.sort === "worst" ? "" : "worst" }));
  for (const what of ["focusin", "mouseover"]) $("cases").addEventListener(what, tell);
  addEventListener("popstate", () => { state = readHash(); render(); });
  addEventListener("hashchange", () => { state = readHash(); render(); });
  render();
});
