/* Two lines, paired case by case: what flipped comes first, and each pair opens to both episodes side by side. */
const AT_ONCE = 60;
let pairFigures = {};
function longtrailPairs(given) { pairFigures = given; }

const points = (value) => (value > 0 ? "+" : "") + (Math.round(1000 * value) / 10).toFixed(1);
const percent = (value) => String(Math.round(1000 * value) / 10);
const PRIMARY = { long_context: "success", discovered: "success", shift_shop: "tickets_proven", shift_forum: "tickets_proven", app: "success" };
const NAMES = { long_context: "Long context", discovered: "Long context, discovered", shopping_admin: "Shop back office", reddit: "Forum moderation", hard_shop: "Hard: shop back office", hard_forum: "Hard: forum moderation", shift_shop: "Shifts: shop back office", shift_forum: "Shifts: forum moderation", app: "Your own apps" };

async function side(name) {
  const cut = name.lastIndexOf("/"), run = name.slice(0, cut), folder = `runs/${run}/`;
  if (!/^[^/\\]+$/.test(decodeURIComponent(run)) || decodeURIComponent(run).startsWith(".")) throw new Error(run);
  longtrail.runs = {};
  await load(folder + "data/cases.js");
  const cases = new Cases(Object.values(longtrail.runs)[0]), who = name.slice(cut + 1), rows = new Map();
  for (let row = 0; row < cases.count; row++) if (cases.who(row)[0] === who) rows.set(key(cases, row), row);
  return { name, run, who, folder, cases, rows, label: (cases.data.who.find((one) => one[0] === who) ?? ["", who])[1] };
}

function key(cases, row) { return [cases.text("suite", row), cases.text("task", row), cases.text("condition", row), cases.data.repeat[row]].join("\n"); }

/* The worth of a case: the suite's headline measure; of an appeal, whether it passed. */
function worth(one, row) {
  if (one.cases.data.outcome[row] > 1) return null;
  if (one.cases.field("group", row) === "appeal") return Number(one.cases.outcome(row) === "passed");
  return one.cases.measure(PRIMARY[one.cases.text("suite", row)] ?? "proven", row);
}

function outcome(name) { return el("span", { class: "outcome " + name }, el("b", { "aria-hidden": "true" }), name); }

async function steps(one, row) {
  const address = one.folder + one.cases.trace(row).replace(/^traces\//, "steps/").replace(/\.html$/, ".js");
  await load(address);
  const [, rows, told, telling] = longtrail.lastSteps;
  return { rows, told, telling };
}

function stepLine(one, row, { rows: list, telling }, i, first) {
  const step = list[i];
  if (!step) return el("div", { class: i === list.length ? "step soft" : "" }, i === list.length ? "ended" : "");
  const most = telling === i + 1;
  const [, words, url, ok, thought] = step;
  return el("div", { class: "step" + (first ? " first" : "") + (most ? " most" : "") },
    el("a", { href: `${one.folder}${one.cases.trace(row)}#step-${i + 1}` }, `Step ${i + 1}`), " ", el("bdi", {}, words), ok ? null : el("span", { class: "down" }, " (failed)"), most ? el("span", { class: "tag" }, "explains the outcome") : null,
    thought ? el("p", { class: "thought" }, el("bdi", {}, thought)) : null, el("p", { class: "thought mono" }, el("bdi", {}, url.replace(/^https?:\/\//, "").slice(0, 90))));
}

/* Each worker starts a user's own app at a port of its own: on this machine, ports don't matter. */
function sameStep(one, two) {
  const place = (text) => text.replace(/(\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\d+/g, "$1");
  return place(one[1]) === place(two[1]) && place(one[2]) === place(two[2]);
}

/* Both episodes from the first step that differs; what they have in common stands in one line. */
async function open(box, a, b, pair) {
  if (box.dataset.filled) return;
  box.dataset.filled = "1";
  let mine, other;
  try { mine = await steps(a, pair.a); other = await steps(b, pair.b); } catch { box.append(el("p", { class: "soft both" }, "The steps of an episode are missing; `longtrail report` writes them.")); }
  const end = (one, row, title, known) => el("div", {}, el("h3", {}, `${title}: `, el("bdi", {}, one.label), ", ", el("bdi", {}, decodeURIComponent(one.run))), outcome(one.cases.outcome(row)), el("p", { class: "thought" }, el("bdi", {}, known?.told ?? one.cases.text("reason", row))),
    el("p", { class: "ways" }, known?.telling ? el("a", { href: `${one.folder}${one.cases.trace(row)}#step-${known.telling}` }, `The step that explains it: step ${known.telling}`) : null, el("a", { href: one.folder + one.cases.trace(row) }, "Whole episode")));
  box.append(end(a, pair.a, "A", mine), end(b, pair.b, "B", other));
  if (!other) return;
  let same = 0;
  const [one, two] = [mine.rows, other.rows];
  while (same < Math.min(one.length, two.length) && sameStep(one[same], two[same])) same++;
  if (same) box.append(el("div", { class: "both" }, same === 1 ? "Step 1 is the same." : `Steps 1 to ${same} are the same.`));
  for (let i = same; i < Math.max(one.length, two.length); i++) box.append(stepLine(a, pair.a, mine, i, i === same), stepLine(b, pair.b, other, i, i === same));
  if (same === one.length && same === two.length) box.append(el("div", { class: "both" }, "Both took the same steps."));
}

function item(a, b, pair, opened) {
  const sides = el("div", { class: "sides" });
  const [suite, task, condition, repeat] = pair.key.split("\n");
  const change = pair.before === null || pair.after === null ? "" : `${percent(pair.before)} → ${percent(pair.after)}`;
  const made = el("details", { on: { toggle: (event) => event.target.open && open(sides, a, b, pair) } },
    el("summary", {}, el("strong", {}, el("bdi", {}, task)), `${/^\d/.test(condition) ? condition.replace(" ", " tokens, ").replace(/^\w+$/, "$& tokens") : condition}${repeat !== "0" ? " r" + repeat : ""}`, el("span", { class: "soft" }, NAMES[suite] ?? suite), el("span", {}, outcome(a.cases.outcome(pair.a)), " → ", outcome(b.cases.outcome(pair.b))),
      el("span", { class: "num " + (pair.after < pair.before ? "down" : pair.after > pair.before ? "up" : "soft") }, change)), sides);
  if (opened) made.open = true;
  return el("li", {}, made);
}

function group(title, says, pairs, a, b, opened) {
  if (!pairs.length) return [];
  const list = el("ul", { class: "pairs" }, ...pairs.slice(0, AT_ONCE).map((pair, i) => item(a, b, pair, opened && i === 0)));
  const more = pairs.length > AT_ONCE ? [el("button", { type: "button", class: "plain", on: { click: (event) => { list.append(...pairs.slice(AT_ONCE).map((pair) => item(a, b, pair, false))); event.target.remove(); } } }, `${pairs.length - AT_ONCE} more`)] : [];
  return [el("h2", { class: "flip" }, `${title}: ${pairs.length}`), el("p", { class: "soft note" }, says), list, ...more];
}

function head(title, sub) { return el("th", { scope: "col", class: "n" }, title, sub ? el("small", {}, sub) : null); }

function figures(a, b, pairs) {
  const rows = [];
  for (const suite of new Set(pairs.map((pair) => pair.key.split("\n")[0]))) {
    const own = pairs.filter((pair) => pair.key.startsWith(suite + "\n"));
    const [there, back] = [pairFigures[`${a.name} ${b.name} ${suite}`], pairFigures[`${b.name} ${a.name} ${suite}`]];
    const f = there ?? (back && [back[0], back[2], back[1], -back[3], -back[5], -back[4], back[6]]);
    const cells = f ? [percent(f[1]), percent(f[2]), points(f[3]), `${points(f[4])} to ${points(f[5])}`, f[6]] : ["–", "–", "–", "–", "–"];
    rows.push(el("tr", {}, el("th", { scope: "row", class: "name" }, `${NAMES[suite] ?? suite}${f ? ", " + f[0] : ""}`), ...cells.map((text, i) => el("td", { class: "n" + (i === 2 && f ? (f[3] < 0 ? " down" : f[3] > 0 ? " up" : "") : "") }, String(text))), el("td", { class: "n" }, String(own.length))));
  }
  return el("div", { class: "scroll" }, el("table", { class: "board tight" }, el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "name" }, "Suite"), head("A"), head("B"), head("B − A", "points"), head("95 %"), head("Tasks"), head("Pairs", "of cases"))), el("tbody", {}, ...rows)));
}

document.addEventListener("DOMContentLoaded", async () => {
  const main = document.querySelector("main"), asked = readHash(), $ = (id) => document.getElementById(id);
  const names = [main.dataset.a ?? asked.a, main.dataset.b ?? asked.b];
  if (!names[0] || !names[1]) { if (!document.querySelector("section.suite")) $("what").textContent = "Choose two lines on the leaderboard."; return; }
  let a, b;
  try { a = await side(names[0]); b = await side(names[1]); } catch (error) { $("what").append(el("span", { class: "down" }, ` The cases of a run are missing (${error.message}).`)); return; }
  const pairs = [...a.rows].filter(([name]) => b.rows.has(name)).map(([name, row]) => ({ key: name, a: row, b: b.rows.get(name), before: worth(a, row), after: worth(b, b.rows.get(name)) }));
  const link = (one) => el("a", { href: `${one.folder}cases.html${hashOf({ who: one.who })}` }, el("bdi", {}, `${one.label}, ${decodeURIComponent(one.run)}`));
  $("what").replaceChildren("A: ", link(a), el("br"), "B: ", link(b));
  if (!main.dataset.a) $("figures").replaceChildren(figures(a, b, pairs));
  const lonely = a.rows.size + b.rows.size - 2 * pairs.length;
  if (lonely) $("figures").append(el("p", { class: "key soft" }, `${lonely} cases have no partner in the other line and are left out.`));
  const shown = asked.suite ? pairs.filter((pair) => pair.key.startsWith(asked.suite + "\n")) : pairs;
  if (asked.suite) $("what").append(el("br"), `Cases of: ${NAMES[asked.suite] ?? asked.suite} `, el("a", { href: hashOf({ ...asked, suite: "" }), on: { click: () => setTimeout(() => location.reload()) } }, "Show all suites"));
  const known = shown.filter((pair) => pair.before !== null && pair.after !== null), by = (sign) => (p, q) => sign * ((p.after - p.before) - (q.after - q.before)) || p.key.localeCompare(q.key);
  const worse = known.filter((pair) => pair.after < pair.before).sort(by(1)), better = known.filter((pair) => pair.after > pair.before).sort(by(-1));
  const same = known.filter((pair) => pair.after === pair.before), invalid = shown.filter((pair) => pair.before === null || pair.after === null);
  $("flips").replaceChildren(
    ...group("Worse in B", "Open a case to see both episodes from the first step that differs.", worse, a, b, true),
    ...group("Better in B", "What B gained.", better, a, b, !worse.length),
    ...group("Unchanged", "The headline is the same; the way may not be.", same, a, b, false),
    ...group("Not comparable", "Invalid in A or in B.", invalid, a, b, false));
  if (!pairs.length) $("flips").append(el("p", { class: "notice" }, "These two lines have no case in common."));
});
