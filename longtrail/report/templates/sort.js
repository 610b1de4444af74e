for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), table = head.closest("table");
    const column = [...head.parentNode.children].indexOf(head);
    const down = head.getAttribute("aria-sort") !== "descending";
    for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = (row) => {
      const cell = row.children[column], number = parseFloat(cell.dataset.v);
      return cell.dataset.v === undefined ? cell.textContent.trim().toLowerCase() : Number.isNaN(number) ? -Infinity : number;
    };
    const order = (a, b) => { const p = value(a), q = value(b); return p < q ? 1 : p > q ? -1 : 0; };
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
      rows.sort((a, b) => (down ? order(a, b) : order(b, a)));
      body.append(...rows);
    }
  });
}
