// All episodes of this task: a row for each run and contender, a column for each condition. Loaded when it is opened.
(() => {
  "use strict";
  const section = document.getElementById("elsewhere");
  if (!section) return;
  const box = section.querySelector(".scroller"), details = section.querySelector("details");
  const OUTCOMES = [["passed", "✓"], ["failed", "✕"], ["invalid", "?"]];
  const made = (name, given, ...kids) => {
    const one = document.createElement(name);
    for (const [key, value] of Object.entries(given)) if (value) one.setAttribute(key, value);
    one.append(...kids);
    return one;
  };
  const named = (text) => made("bdi", {}, text);
  window.longtrailPlays = ({ conditions, plays }) => {
    const rows = new Map();
    for (const play of plays) {
      const key = play[0] + "\n" + play[2];
      if (!rows.has(key)) rows.set(key, { run: play[0], day: play[1], who: play[2], cells: conditions.map(() => []) });
      rows.get(key).cells[play[3]].push(play);
    }
    const mark = ([run, , who, condition, outcome, steps, reason, page]) => {
      const [name, symbol] = OUTCOMES[outcome], says = `${conditions[condition]}, ${who}, ${run}: ${name} after ${steps} steps`;
      const here = page === section.dataset.here, given = { class: "play " + name, title: reason, "aria-label": says };
      return page ? made("a", { ...given, href: "../../../" + page, "aria-current": here && "page" }, symbol) : made("span", { ...given, role: "img" }, symbol);
    };
    const head = made("tr", {}, ...["Run", "Contender", ...conditions].map((title) => made("th", { scope: "col" }, title)));
    const body = made("tbody", {}, ...[...rows.values()].map((row) => made("tr", {},
      made("th", { scope: "row" }, named(row.run), made("span", { class: "soft" }, " " + row.day)),
      made("td", {}, named(row.who)), ...row.cells.map((cell) => made("td", {}, ...cell.map(mark))))));
    box.replaceChildren(made("table", { class: "plays" }, made("thead", {}, head), body));
  };
  section.hidden = false;
  details.addEventListener("toggle", () => {
    if (!details.open || box.childElementCount) return;
    const script = document.createElement("script");
    script.src = section.dataset.plays;
    script.addEventListener("error", () => box.replaceChildren(made("p", { class: "soft" }, "The list of this task's episodes is missing; `longtrail report` writes it.")));
    document.head.append(script);
  });
})();
