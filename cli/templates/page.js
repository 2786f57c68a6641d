
"use strict";
const form = document.getElementById("filters");
const entries = [];
const bodies = new Map();
const groups = [...document.querySelectorAll(".group, .whose")];
const variables = () => entries.map(({ element }) => element).filter((element) => element.matches(".variable"));

// Findings that come late are text, so that a page of ten thousand is there at once. One after the other becomes an element, and what is
// in it once somebody opens it.
function come(late) {
  const parts = late.textContent.split("<" + "!--finding-->").slice(1).map((text) => text.split("<" + "!--body-->"));
  const made = document.createElement("template");
  made.innerHTML = parts.map(([head]) => head + "</details>").join("");
  [...made.content.children].forEach((element, at) => {
    const body = parts[at][1];
    bodies.set(element, body.slice(0, body.lastIndexOf("</details>")));
    entries.push({ element });
  });
  late.replaceWith(made.content);
}

function comeAll() {
  document.querySelectorAll("noscript.late").forEach(come);
}

function comeSoon() {
  const late = document.querySelector("noscript.late");
  if (!late) return;
  come(late);
  setTimeout(comeSoon);
}

function fill(variable) {
  const body = bodies.get(variable);
  if (body === undefined) return;
  bodies.delete(variable);
  variable.insertAdjacentHTML("beforeend", body);
}

function words(entry) {
  if (entry.text === undefined) {
    const rest = (bodies.get(entry.element) ?? "").replace(/<wbr>/g, "").replace(/<[^>]*>/g, " ");
    const plain = rest.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, "\"").replace(/&amp;/g, "&");
    entry.text = (entry.element.textContent + plain).toLowerCase();
  }
  return entry.text;
}

function filter() {
  const chosen = [...form.querySelectorAll("select")].filter(({ value }) => value !== "");
  const wanted = form.elements.text.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (chosen.length + wanted.length > 0) comeAll();
  const has = (element, name, value) => (element.dataset[name] ?? "").split("|").includes(value.slice(1));
  let shown = 0;
  for (const entry of entries) {
    const { element } = entry;
    const passes = chosen.every(({ name, value }) => has(element, name, value))
      && wanted.every((word) => words(entry).includes(word));
    element.toggleAttribute("data-out", !passes);
    shown += passes && element.matches(".variable");
  }
  for (const group of groups) group.toggleAttribute("data-out", !group.querySelector("[data-package]:not([data-out])"));
  const total = Number(form.dataset.number);
  if (chosen.length + wanted.length === 0) shown = total;
  form.querySelector("output").textContent = shown + " of " + total + " " + form.dataset.of;
}

// A link leads into a finding that may be closed, or filtered out.
function reveal() {
  const name = decodeURIComponent(location.hash.slice(1));
  if (name !== "" && !document.getElementById(name)) comeAll();
  const variable = document.getElementById(name.split("/")[0])?.closest(".variable");
  if (!variable) return;
  fill(variable);
  for (let out = variable; out; out = out.parentElement) out.removeAttribute("data-out");
  variable.open = true;
  const target = document.getElementById(name) ?? variable.firstElementChild;
  target.scrollIntoView();
  target.focus({ preventScroll: true });
}

// The next finding that is shown, or the one before.
function step(by) {
  const shown = variables().filter((element) => !element.hasAttribute("data-out"));
  const at = shown.findIndex((element) => element.contains(document.activeElement));
  const next = shown[at < 0 ? (by > 0 ? 0 : -1) : at + by];
  if (next) next.firstElementChild.focus();
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
  const does = { "/": () => form.elements.text.focus(), j: () => step(1), k: () => step(-1) }[event.key];
  if (!does) return;
  event.preventDefault();
  does();
}

// On paper nothing opens: what is few is opened before.
function print() {
  if (form.dataset.number > 100) return;
  const shown = variables().filter((element) => !element.hasAttribute("data-out"));
  for (const element of shown) {
    fill(element);
    element.open = true;
  }
}

document.querySelectorAll("[data-package]").forEach((element) => entries.push({ element }));
form.hidden = form.dataset.number === "0";
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(filter));
addEventListener("toggle", ({ target }) => target.open && target.matches(".variable") && fill(target), true);
addEventListener("hashchange", reveal);
addEventListener("keydown", press);
addEventListener("beforeprint", print);
filter();
reveal();
setTimeout(comeSoon);
