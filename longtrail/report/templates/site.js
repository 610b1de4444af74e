"use strict";
/* What every page of the site shares: elements without markup, the filters in the address, the cases of runs. */
const longtrail = { runs: {}, lastSteps: [] };
const OUTCOMES = ["passed", "failed", "invalid", "running", "waiting"], SYMBOLS = ["✓", "✕", "?", "…", "·"];
const GROUPS = ["main", "appeal", "control"];
const ORDER = ["raw", "hint", "explicit", "deceptive", "valid"];

function longtrailCases(data) { longtrail.runs[data.run] = data; }
function longtrailSteps(given) { longtrail.lastSteps = given; }

/* An element. Texts become text nodes, so nothing in them is ever markup. */
function el(name, given = {}, ...kids) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key === "on") for (const [what, how] of Object.entries(value)) made.addEventListener(what, how);
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...kids.filter((kid) => kid !== undefined && kid !== null));
  return made;
}

function readHash() { return Object.fromEntries(new URLSearchParams(location.hash.slice(1))); }

function hashOf(state) {
  const parts = Object.entries(state).filter(([, value]) => value !== "" && value !== undefined);
  return "#" + parts.map(([key, value]) => key + "=" + encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3A/g, ":")).join("&");
}

/* `push`: a step that the browser's back button undoes. */
function writeHash(state, push) { history[push ? "pushState" : "replaceState"](null, "", hashOf(state)); }

function load(address) {
  return new Promise((done, failed) => document.head.append(el("script", { src: address, on: { load: done, error: () => failed(new Error(address)) } })));
}

function conditionOrder(name) {
  const known = ORDER.indexOf(name);
  if (known >= 0) return 1e9 + known;
  return name === "relocated" ? 0.5 : parseFloat(name) * (name.endsWith("k") ? 1000 : 1);
}

/* One run's cases: columns, and what a row is asked. */
class Cases {
  constructor(data) { this.data = data; this.count = data.id.length; this.pool = data.pool; }
  text(column, row) { return this.pool[this.data[column][row]]; }
  who(row) { return this.data.who[this.data.by[row]]; }
  outcome(row) { return OUTCOMES[this.data.outcome[row]]; }
  trace(row) { return this.data.outcome[row] > 2 ? "" : this.data.trace[this.data.id[row]] ?? "traces/" + this.data.id[row] + ".html"; }
  measure(name, row) {
    const found = this.data.measures[name];
    if (!found || found.values[row] === null) return null;
    return found.kind === "label" ? this.pool[found.values[row]] : found.values[row];
  }
  /* Whether a measure's rate counts the case: it defines it, or is invalid and counts as 0. */
  has(name, row) {
    const found = this.data.measures[name];
    return this.measure(name, row) !== null || (this.data.outcome[row] === 2 && (!found || found.kind === "rate"));
  }
  field(name, row) {
    switch (name) {
      case "id": return this.data.id[row];
      case "who": return this.who(row)[0];
      case "outcome": return this.outcome(row);
      case "group": return GROUPS[this.data.group[row]];
      case "repeat": return String(this.data.repeat[row]);
      case "suite": case "task": case "condition": case "category": case "stage": case "trouble": return this.text(name, row);
      default: return undefined;
    }
  }
  value(name, row) {
    if (name in this.data && Array.isArray(this.data[name]) && ["steps", "tokens", "usd", "seconds", "repeat", "attempt"].includes(name)) return this.data[name][row];
    return this.field(name, row) ?? this.measure(name, row);
  }
  /* A condition on a measure: name:value, or name:>value. */
  asked(part) {
    const cut = part.indexOf(":"), name = part.slice(0, cut), wanted = part.slice(cut + 1);
    if (wanted.startsWith(">")) return (row) => (this.value(name, row) ?? -1) > Number(wanted.slice(1));
    return (row) => { const is = this.value(name, row); return is !== null && (String(is) === wanted || (typeof is === "number" && wanted !== "" && is === Number(wanted))); };
  }
  /* The rows that match every filter. `is`: conditions, all of which hold; `a|b`: one of them does. `has`: measures. */
  matching(state) {
    const tests = [];
    for (const [key, value] of Object.entries(state)) {
      if (value === "") continue;
      if (key === "is") for (const part of value.split(",")) {
        const any = part.split("|").map((one) => this.asked(one));
        tests.push((row) => any.some((test) => test(row)));
      } else if (key === "has") for (const name of value.split(",")) tests.push((row) => this.has(name, row));
      else if (key === "q") {
        const words = value.toLowerCase().split(/\s+/).filter(Boolean);
        tests.push((row) => words.every((word) => this.searched(row).includes(word)));
      } else if (this.count && this.field(key, 0) !== undefined) {
        const wanted = new Set(value.split(/,(?! )/));
        tests.push((row) => wanted.has(this.field(key, row)));
      }
    }
    const rows = [];
    for (let row = 0; row < this.count; row++) if (tests.every((test) => test(row))) rows.push(row);
    return rows;
  }
  searched(row) {
    this.texts ??= new Array(this.count);
    return this.texts[row] ??= [this.data.id[row], this.text("task", row), this.text("reason", row), this.text("prompt", row), this.who(row)[1],
      this.text("category", row), this.measure("answer", row) ?? ""].join("\n").toLowerCase();
  }
  values(name, rows) { return [...new Set(rows.map((row) => this.field(name, row)))].filter(Boolean); }
}
