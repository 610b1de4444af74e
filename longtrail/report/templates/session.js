// pytest-html's table: a filter over all rows, and a line above each task's first row. It draws its rows anew when sorted.
(() => {
  "use strict";
  const field = document.getElementById("longtrail-filter"), count = document.getElementById("longtrail-count");
  const arrange = () => {
    const wanted = field.value.trim().toLowerCase().split(/\s+/);
    let shown = 0, last = "";
    for (const body of document.querySelectorAll("#results-table tbody.results-table-row")) {
      const text = body.textContent.toLowerCase(), fits = wanted.every((word) => text.includes(word));
      body.classList.toggle("longtrail-away", !fits);
      if (!fits) continue;
      shown += 1;
      const task = body.querySelector(".col-task")?.textContent || "";
      body.classList.toggle("longtrail-first", task !== last);
      last = task;
    }
    count.textContent = `${shown} shown`;
  };
  const mend = () => { // what pytest-html leaves out for people who don't see the page
    document.documentElement.lang = "en";
    document.querySelectorAll("input.filter").forEach((box) => box.setAttribute("aria-label", `show ${box.dataset.testResult}`));
    document.querySelectorAll("ul > ul").forEach((list) => list.childElementCount || list.remove());
    const main = document.createElement("main");
    main.append(...document.body.childNodes);
    document.body.append(main);
    document.getElementById("results-table")?.setAttribute("tabindex", "0");
  };
  addEventListener("DOMContentLoaded", () => {
    mend();
    const table = document.getElementById("results-table");
    if (!table) return;
    new MutationObserver(arrange).observe(table, {childList: true});
    field.addEventListener("input", arrange);
    arrange();
  });
})();
