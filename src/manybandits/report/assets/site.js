// What pages do: theme, search, filters and sorting, and charts in place of figures.
"use strict";
const manybandits = { charts: {}, chart(name, chart) { this.charts[name] = chart; }, index(entries) { this.entries = entries; } };
window.manybandits = manybandits;
const ROOT = document.currentScript.dataset.root;

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A file cannot fetch its neighbours, but it can take them as scripts.
const loading = {};
function load(address) {
  loading[address] ??= new Promise((done, failed) => {
    const script = make("script", { src: ROOT + address });
    script.onload = done;
    script.onerror = () => failed(new Error(`${address} is missing: copy the whole folder of the site.`));
    document.head.append(script);
  });
  return loading[address];
}

function themes() {
  const button = document.querySelector(".theme");
  const dark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const name = () => { button.textContent = dark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    const theme = dark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    try { localStorage.setItem("theme", theme); } catch { /* remembered nowhere */ }
    name();
  });
  name();
  button.hidden = false;
}

const MOST_FOUND = 30;
function searching() {
  const box = document.querySelector(".search"), input = box.querySelector("input");
  const list = document.getElementById("found"), told = document.getElementById("found-count");
  let at = -1;
  const options = () => [...list.children];
  const close = () => { list.hidden = true; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); at = -1; };
  const choose = (place) => {
    at = place;
    options().forEach((option, i) => option.setAttribute("aria-selected", String(i === at)));
    if (at < 0) { input.removeAttribute("aria-activedescendant"); return; }
    input.setAttribute("aria-activedescendant", options()[at].id);
    options()[at].scrollIntoView({ block: "nearest" });
  };
  const find = async () => {
    await load("assets/index.js");
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) { close(); told.textContent = ""; return; }
    const found = [];
    for (const entry of manybandits.entries) {
      const title = entry.title.toLowerCase(), text = `${title} ${entry.kind} ${entry.words}`.toLowerCase();
      if (words.every((word) => text.includes(word))) found.push([words.every((word) => title.includes(word)) ? 0 : 1, entry]);
    }
    found.sort((a, b) => a[0] - b[0]);
    list.replaceChildren(...found.slice(0, MOST_FOUND).map(([, entry], i) => {
      const option = make("li", { role: "option", id: `found-${i}`, "aria-selected": "false" }, make("span", { class: "kind" }, entry.kind), entry.title);
      option.dataset.url = entry.url;
      option.addEventListener("mousedown", () => { location.href = ROOT + entry.url; });
      return option;
    }));
    told.textContent = found.length > MOST_FOUND ? `${found.length} found, ${MOST_FOUND} shown` : `${found.length} found`;
    at = -1;
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(found.length > 0));
  };
  input.addEventListener("input", find);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const count = options().length;
    if (event.key === "Escape") { close(); return; }
    if (list.hidden || !count) return;
    if (event.key === "ArrowDown") choose((at + 1) % count);
    else if (event.key === "ArrowUp") choose((at - 1 + count) % count);
    else if (event.key === "Enter") { location.href = ROOT + options()[Math.max(at, 0)].dataset.url; close(); }
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input, select, textarea")) return;
    event.preventDefault();
    input.focus();
  });
  box.hidden = false;
}

function filtering() {
  const form = document.querySelector(".filters"), table = document.getElementById("claims");
  if (!form || !table) return;
  const rows = [...table.tBodies[0].rows], texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const told = document.getElementById("shown"), fields = ["paper", "answer", "run", "kind", "place", "stands"];
  const show = () => {
    const words = form.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const flag = form.flag.value;
    let shown = 0;
    for (const row of rows) {
      const flags = row.dataset.flag.split("|").filter(Boolean);
      const flagged = !flag || (flag === "any" ? flags.length > 0 : flags.includes(flag));
      const fits = flagged && fields.every((name) => !form[name].value || row.dataset[name] === form[name].value);
      row.hidden = !(fits && words.every((word) => texts.get(row).includes(word)));
      if (!row.hidden) shown++;
    }
    told.textContent = `${shown} of ${rows.length} rows shown`;
  };
  const read = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const name of [...fields, "flag", "text"]) form[name].value = wanted.get(name) ?? "";

    show();
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(show));
  window.addEventListener("hashchange", read);
  form.hidden = false;
  read();
}

function sorting() {
  for (const table of document.querySelectorAll(".sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = make("button", { type: "button" }, head.textContent);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const key = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
        const words = new Intl.Collator("en", { numeric: true });
        const compare = (a, b) => {
          const [x, y] = [key(a), key(b)];
          if (!x || !y) return x ? -1 : y ? 1 : 0; // what is empty comes last, whichever way
          const order = isNaN(x) || isNaN(y) ? words.compare(x, y) : x - y;
          return up ? order : -order;
        };
        table.tBodies[0].append(...[...table.tBodies[0].rows].sort(compare));
      });
    });
  }
}

// On a phone a row is a card, and its cells have names: those of their columns.
function labels() {
  for (const head of document.querySelectorAll("th[data-label]")) {
    for (const row of head.closest("table").tBodies[0].rows) row.cells[head.cellIndex].dataset.label = head.dataset.label;
  }
}

const HINTS = {
  chart: "Drag to move, Ctrl and wheel to zoom, double-click to reset. Click a name to hide or show it.",
  curve: "Point at a set-up to see its choices, or use the arrow keys. Select an answer to keep the set-ups that have it.",
};

function figures() {
  for (const figure of document.querySelectorAll("figure[data-chart]:not([data-chart=''])")) {
    const button = make("button", { type: "button", "aria-pressed": "false" }, "Interactive");
    const told = make("span", { class: "note", "aria-live": "polite" });
    const tools = make("div", { class: "figure-tools" }, button, told);
    figure.prepend(tools);
    button.addEventListener("click", async () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      const curve = figure.classList.contains("curve");
      try {
        if (on) { await load("assets/vega.js"); await load(curve ? "assets/readings.js" : "assets/charts.js"); await load(`charts/${figure.dataset.chart}.js`); }
        (curve ? manybandits.curve : manybandits.show)(figure, on);
        told.textContent = on ? HINTS[curve ? "curve" : "chart"] : "";
      } catch (error) { told.textContent = error.message; }
    });
  }
}

// A curve is drawn when its fold is opened; an address that names a headline or a question opens the fold.
function folds() {
  for (const fold of document.querySelectorAll(".curve-fold")) {
    fold.addEventListener("toggle", () => {
      const button = fold.querySelector(".figure-tools button");
      if (fold.open && !fold.dataset.seen) { fold.dataset.seen = "yes"; button.click(); }
    });
  }
  const open = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const curve = named?.matches(".headline") ? named.querySelector(".curve-fold") : null;
    const closed = [];
    for (let fold = curve ?? named?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      if (!fold.open) closed.push(fold);
    }
    if (!closed.length) return;
    for (const fold of closed) fold.open = true;
    named.scrollIntoView();
  };
  window.addEventListener("hashchange", open);
  open();
}

// On a phone the key is closed, and the headlines of a paper are a fold of the matrix; an address that names a headline opens its paper.
function papers() {
  if (!matchMedia("(max-width: 40rem)").matches) return;
  document.querySelector(".matrix-key")?.removeAttribute("open");
  for (const body of document.querySelectorAll(".matrix tbody")) {
    const count = body.rows.length - 1, button = make("button", { type: "button" });
    const show = (open) => {
      body.classList.toggle("closed", !open);
      button.setAttribute("aria-expanded", String(open));
      button.textContent = `${open ? "Hide" : "Show"} ${count === 1 ? "the headline" : `${count} headlines`}`;
    };
    button.addEventListener("click", () => show(body.classList.contains("closed")));
    body.rows[0].cells[0].append(button);
    show(false);
    const named = () => {
      const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (row && row !== body.rows[0] && body.contains(row)) { show(true); row.scrollIntoView(); }
    };
    window.addEventListener("hashchange", named);
    named();
  }
}

// A button that copies a command; where the clipboard is refused, the command is selected, to be copied by hand.
function copying() {
  for (const place of document.querySelectorAll(".copyable")) {
    const text = place.querySelector("code");
    const button = make("button", { type: "button", "aria-label": `Copy: ${place.dataset.copied}` }, "Copy");
    const told = make("span", { class: "note", "aria-live": "polite" });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        told.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(text);
        told.textContent = "Selected: copy it with Ctrl or Cmd and C";
      }
    });
    place.append(button, told);
  }
}

themes();
copying();
searching();
filtering();
sorting();
labels();
figures();
papers();
folds();
