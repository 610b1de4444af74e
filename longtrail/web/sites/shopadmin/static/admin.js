/* Tabs load their part at the page's own address; comments are sent without leaving the page; a dialog asks before a
   cancellation. Everything works without this file too: tabs are links, forms are forms. */
"use strict";

async function fetched(address, options) {
  const url = new URL(address, location.href);
  url.searchParams.set("isAjax", "true");
  const headers = { "X-Requested-With": "XMLHttpRequest" };
  const answer = await fetch(url, { credentials: "same-origin", headers, ...options });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.text();
}

document.addEventListener("click", async (event) => {
  const opener = event.target.closest("[data-dialog]");
  if (opener) {
    event.preventDefault();
    document.getElementById(opener.dataset.dialog).showModal();
    return;
  }
  const closer = event.target.closest("[data-close]");
  if (closer) {
    closer.closest("dialog").close();
    return;
  }
  const tab = event.target.closest("a.tab-item-link.ajax");
  if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const panel = document.getElementById("tab_content");
  panel.setAttribute("aria-busy", "true");
  try {
    panel.innerHTML = await fetched(tab.href);
    document.querySelectorAll("a.tab-item-link").forEach((link) => link.removeAttribute("aria-current"));
    tab.setAttribute("aria-current", "page");
    window.scrollTo(0, 0);
  } catch {
    location.assign(tab.href);
  } finally {
    panel.removeAttribute("aria-busy");
  }
});

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.id !== "order_history_form") return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form));
  document.getElementById("order_history_block").outerHTML = await fetched(form.action, { method: "POST", body });
  const now = document.getElementById("order_status");
  const shown = document.getElementById("order_history_block");
  if (now && shown) now.textContent = shown.dataset.status;
});
