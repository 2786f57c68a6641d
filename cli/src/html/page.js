
"use strict";
const form = document.getElementById("filters");
const entries = [...document.querySelectorAll("[data-package]")].map(
  (element) => ({ element, text: element.textContent.toLowerCase() }));
const groups = [...document.querySelectorAll(".group")];

function passes({ element, text }) {
  const chosen = [...form.querySelectorAll("select")].every(
    ({ name, value }) => value === "" || value === "=" + element.dataset[name]);
  const words = form.elements.text.value.toLowerCase().split(/\s+/);
  return chosen && words.every((word) => text.includes(word));
}

function filter() {
  for (const entry of entries) entry.element.toggleAttribute("data-out", !passes(entry));
  for (const group of groups) group.toggleAttribute("data-out", !group.querySelector("li:not([data-out])"));
  const all = entries.filter(({ element }) => element.matches(".variable"));
  const shown = all.filter(({ element }) => !element.hasAttribute("data-out"));
  form.querySelector("output").textContent = shown.length + " of " + all.length + " " + form.dataset.of;
}

// A link leads into a variable that may be closed, or filtered out.
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  const variable = target && target.closest(".variable");
  if (!variable) return;
  variable.removeAttribute("data-out");
  variable.open = true;
  target.scrollIntoView();
  target.focus({ preventScroll: true });
}

form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(filter));
addEventListener("hashchange", reveal);
filter();
reveal();
