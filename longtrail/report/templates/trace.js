// A trace page as a player: one step at a time, tabs, a search over all steps, keys. Without it all steps are shown.
(() => {
  "use strict";
  const player = document.getElementById("player");
  if (!player) return;
  const steps = [...player.querySelectorAll(".step")], dots = [...player.querySelectorAll("[data-dot]")];
  const bar = player.querySelector(".bar"), place = bar.querySelector(".place"), find = bar.querySelector("input");
  const hits = player.querySelector(".hits"), showAll = bar.querySelector("[data-all]"), keys = document.getElementById("keys");
  const miss = Number(player.dataset.miss);
  let current = 1, all = false, tab = 0;

  for (const step of steps) {
    const panes = [...step.querySelectorAll(".pane")], list = document.createElement("div");
    list.className = "tabs noprint";
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", `Step ${step.dataset.step}`);
    panes.forEach((pane, number) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = pane.dataset.tab;
      button.id = `${step.id}-tab-${number}`;
      pane.id = `${step.id}-pane-${number}`;
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", pane.id);
      pane.setAttribute("role", "tabpanel");
      pane.setAttribute("aria-label", `${pane.dataset.tab}, step ${step.dataset.step}`);
      button.addEventListener("click", () => open(number));
      button.addEventListener("keydown", (event) => {
        const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (by) { open((number + by + panes.length) % panes.length); list.children[tab].focus(); }
      });
      list.append(button);
    });
    step.querySelector(".panes").prepend(list);
  }
  const open = (number) => {
    tab = number;
    for (const step of steps) {
      step.querySelectorAll("[role=tab]").forEach((button, i) => {
        button.setAttribute("aria-selected", String(i === tab));
        button.tabIndex = i === tab ? 0 : -1;
      });
      step.querySelectorAll(".pane").forEach((pane, i) => pane.classList.toggle("away", i !== tab));
    }
  };
  const show = (number, keep) => {
    current = Math.min(Math.max(number, 1), steps.length);
    steps.forEach((step, i) => step.classList.toggle("away", !all && i + 1 !== current));
    player.querySelectorAll(".leg").forEach((leg) => leg.classList.toggle("away", !leg.querySelector(".step:not(.away)")));
    dots.forEach((dot, i) => i + 1 === current ? dot.setAttribute("aria-current", "step") : dot.removeAttribute("aria-current"));
    place.textContent = `step ${current} of ${steps.length}`;
    const box = dots[current - 1].closest(".scroller"), left = dots[current - 1].offsetLeft;
    if (left < box.scrollLeft + 130 || left > box.scrollLeft + box.clientWidth - 40) box.scrollLeft = left - box.clientWidth / 2;
    if (!keep) history.replaceState(null, "", `#step-${current}`);
    if (all && !keep) steps[current - 1].scrollIntoView({block: "start"});
  };
  const named = () => Number((/^#step-(\d+)$/.exec(location.hash) || [])[1]) || 0;
  const everything = () => {
    all = !all;
    showAll.setAttribute("aria-pressed", String(all));
    document.documentElement.classList.toggle("all", all);
    show(current, true);
  };
  const visit = () => {
    const number = named();
    if (number) { show(number, true); steps[current - 1].scrollIntoView({block: "nearest"}); }
    const target = location.hash.startsWith("#block-") && document.getElementById(location.hash.slice(1));
    if (target) target.open = true;
  };

  const marked = typeof Highlight === "function" && CSS.highlights ? new Highlight() : null;
  if (marked) CSS.highlights.set("found", marked);
  const search = () => {
    const wanted = find.value.trim().toLowerCase();
    hits.replaceChildren();
    if (marked) marked.clear();
    hits.hidden = wanted.length < 2;
    if (hits.hidden) return;
    let count = 0;
    for (const step of steps) {
      const walker = document.createTreeWalker(step, NodeFilter.SHOW_TEXT);
      let first = "", here = 0;
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.parentElement.closest(".tabs")) continue;
        const text = node.data.toLowerCase();
        for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
          here += 1;
          first = first || node.data.slice(Math.max(0, at - 40), at + wanted.length + 60).replace(/\s+/g, " ");
          if (marked && here < 200) {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, Math.min(at + wanted.length, node.length));
            marked.add(range);
          }
        }
      }
      if (!here) continue;
      count += here;
      const link = document.createElement("a");
      link.href = `#${step.id}`;
      link.textContent = `step ${step.dataset.step} (${here})`;
      const words = document.createElement("span");
      words.className = "soft";
      words.textContent = ` … ${first} …`;
      const line = document.createElement("p");
      line.append(link, words);
      hits.append(line);
    }
    const told = document.createElement("p");
    told.textContent = count ? `${count} found` : "nothing found";
    hits.prepend(told);
  };

  bar.hidden = false;
  document.documentElement.classList.add("played");
  bar.querySelectorAll("[data-go]").forEach((button) =>
    button.addEventListener("click", () => show(button.dataset.go === "miss" ? miss : current + Number(button.dataset.go))));
  showAll.addEventListener("click", everything);
  bar.querySelector("[data-help]").addEventListener("click", () => keys.showModal());
  keys.querySelector("[data-close]").addEventListener("click", () => keys.close());
  find.addEventListener("input", search);
  addEventListener("beforeprint", () => player.querySelectorAll("img").forEach((picture) => { picture.loading = "eager"; }));
  addEventListener("hashchange", visit);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
    if (event.target.matches("input, textarea, select")) {
      if (event.key === "Escape") { find.value = ""; search(); find.blur(); }
      return;
    }
    const act = {j: () => show(current + 1), k: () => show(current - 1), f: () => show(miss), a: everything, "/": () => find.focus(), "?": () => keys.showModal()}[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  open(0);
  show(named() || Number(player.dataset.start), true);
})();
