/* The leaderboard: filters that stay in the address, and two lines to compare. */
document.addEventListener("DOMContentLoaded", () => {
  const $ = (id) => document.getElementById(id), rows = [...document.querySelectorAll("tr[data-agent]")];
  if (!$("filters")) return;
  const inputs = { q: $("f-q"), suite: $("f-suite"), agent: $("f-agent"), model: $("f-model"), basis: $("f-basis") };
  for (const name of ["agent", "model"]) {
    const found = [...new Set(rows.map((row) => row.dataset[name]))].filter(Boolean).sort();
    inputs[name].append(...found.map((value) => el("option", { value }, value)));
    inputs[name].parentElement.hidden = found.length < 2;
  }
  let picked = [];
  const state = () => { const now = readHash(); return Object.fromEntries([...Object.keys(inputs), "compare"].map((key) => [key, now[key] ?? ""])); };
  const show = () => {
    const now = state();
    for (const [name, input] of Object.entries(inputs)) if (input.value !== now[name]) input.value = now[name];
    const words = now.q.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = (row.cells[0].textContent).toLowerCase();
      row.hidden = (now.agent && row.dataset.agent !== now.agent) || (now.model && row.dataset.model !== now.model) || !words.every((word) => text.includes(word));
    }
    for (const section of document.querySelectorAll("section.suite")) if (["long_context", "discovered", "shopping_admin", "reddit", "hard_shop", "hard_forum"].includes(section.id)) section.hidden = Boolean(now.suite) && section.id !== now.suite;
    if (now.basis) for (const box of document.querySelectorAll(`.basis input[value="${CSS.escape(now.basis)}"]`)) box.checked = true;
    picked = now.compare.split(",").filter(Boolean);
    for (const box of document.querySelectorAll(".pick")) { box.hidden = false; box.checked = picked.includes(name(box)); }
    $("tray").hidden = !picked.length;
    $("picked").textContent = picked.length < 2 ? "One line chosen; choose another to compare it with." : "Two lines chosen.";
    $("compare").hidden = picked.length < 2;
    if (picked.length === 2) $("compare").href = "compare.html" + hashOf({ a: picked[0], b: picked[1] });
  };
  const name = (box) => encodeURIComponent(box.dataset.run) + "/" + box.dataset.who;
  const change = (given) => {
    const kept = document.getElementById(location.hash.slice(1)) ? {} : state();
    writeHash({ ...kept, ...given }, true);
    show();
  };
  for (const [key, input] of Object.entries(inputs)) input.addEventListener("input", () => change({ [key]: input.value }));
  for (const box of document.querySelectorAll(".pick")) box.addEventListener("change", () => change({ compare: [...picked.filter((one) => one !== name(box)), ...(box.checked ? [name(box)] : [])].slice(-2).join(",") }));
  for (const box of document.querySelectorAll(".basis input")) box.addEventListener("change", () => change({ basis: box.value === "all" ? "" : box.value }));
  $("unpick").addEventListener("click", () => change({ compare: "" }));
  addEventListener("popstate", show);
  addEventListener("hashchange", show);
  $("filters").hidden = false;
  show();
});
