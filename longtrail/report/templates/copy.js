// The episode as Markdown, for an issue, a pull request or a model: what was asked, the steps, the outcome.
(() => {
  "use strict";
  const line = document.getElementById("copying"), area = document.getElementById("copied");
  const words = (one) => (one?.textContent ?? "").replace(/\s+/g, " ").trim();
  const all = (inside, what) => [...inside.querySelectorAll(what)];
  // What comes from agents and pages stands in a fence that it can't close.
  const fenced = (inner) => {
    const fence = "`".repeat(Math.max(3, ...(inner.match(/`+/g) ?? []).map((run) => run.length + 1)));
    return `${fence}text\n${inner}\n${fence}`;
  };
  const step = (one) => {
    const pane = one.querySelector(".pane"), said = [];
    said.push(`step ${one.dataset.step}: ${words(one.querySelector("h3 bdi"))} (${words(one.querySelector(".where"))})`);
    for (const mark of all(one, ".step-head .mark")) said.push("  note: " + words(mark));
    for (const thought of all(pane, ".thought")) said.push("  thought: " + words(thought));
    for (const action of all(pane, ".action")) said.push("  action: " + words(action).replace(/^→ /, ""));
    for (const raw of all(pane, ".raw")) said.push("  answer: " + words(raw));
    for (const effect of all(pane, ".effect:not(:has(a))")) said.push("  then: " + words(effect));
    return said.join("\n");
  };
  const markdown = () => {
    const parts = ["# Longtrail episode", fenced([words(document.querySelector("h1")), words(document.querySelector(".who")),
      ...all(document, ".head .crumbs [aria-current]").map((one) => "case: " + words(one)), `outcome: ${words(document.querySelector(".verdict .outcome"))}: ${words(document.querySelector(".verdict")).split(" ").slice(1).join(" ")}`].join("\n"))];
    parts.push("## What was asked", ...all(document, ".asked").map((one) => fenced(one.textContent.trim())));
    const steps = all(document, "#player .step").map(step);
    if (steps.length) parts.push("## Steps", fenced(steps.join("\n")));
    const facts = all(document, "#evidence tbody tr:not(.kind)").map((row) => `${words(row.querySelector("th bdi"))} -> ${words(row.lastElementChild)}`);
    if (facts.length) parts.push("## Evidence", fenced(facts.join("\n")));
    const keys = all(document, "#key-steps li").map((one) => `[${one.classList.contains("yes") ? "x" : " "}] ${words(one)}`);
    if (keys.length) parts.push("## Key steps", fenced(keys.join("\n")));
    return parts.join("\n\n") + "\n";
  };
  line.hidden = false;
  line.querySelector("[data-copy]").addEventListener("click", async () => {
    const made = markdown(), status = line.querySelector("[role=status]");
    try {
      await navigator.clipboard.writeText(made);
      status.textContent = "Copied";
    } catch {
      area.value = made;
      area.hidden = false;
      area.select();
      status.textContent = "Select and copy the text below";
    }
  });
})();
