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
  addEventListener("DOMContentLoaded", () => {
    const table = document.getElementById("results-table");
    if (!table) return;
    new MutationObserver(arrange).observe(table, {childList: true});
    field.addEventListener("input", arrange);
    arrange();
  });
})();
