// Draws the charts of a figure: joins specifications and series, hides series, changes scales.
"use strict";
(() => {
  const MARKS = 5;
  const ERRORS = 1; // that all series are hidden is no reason to warn
  const svg = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };

  // A row a point. Markers are few, and shifted, so that curves that coincide all show theirs.
  function rows(panel, looks) {
    return Object.entries(panel.series).flatMap(([series, columns], place, all) => {
      const gap = Math.max(1, Math.floor(columns.x.length / MARKS)), shift = Math.floor(((place + 1) * gap) / (all.length + 1));
      return columns.x.map((x, i) => ({
        series, label: looks[series].label, x, mean: columns.mean[i], low: columns.low[i], high: columns.high[i], n: columns.n.join(" or "), marked: i % gap === shift % gap,
      }));
    });
  }

  // On a log axis what is not above 0 has no place: such points are left out, and bands end at the smallest number.
  function shown(points, scales) {
    let kept = points;
    if (scales.x === "log") kept = kept.filter((row) => row.x > 0);
    if (scales.y === "log") {
      kept = kept.filter((row) => row.mean > 0);
      const least = Math.min(...kept.map((row) => row.mean));
      kept = kept.map((row) => ({ ...row, low: Math.max(row.low, least / 2) }));
    }
    return kept;
  }

  function scaled(spec, scales) {
    const copy = structuredClone(spec);
    for (const layer of copy.layer) {
      for (const [axis, type] of Object.entries(scales)) {
        const channel = layer.encoding[axis];
        if (channel?.type !== "quantitative") continue;
        channel.scale = { ...channel.scale, type, nice: type === "linear" };
      }
    }
    return copy;
  }

  async function draw(state) {
    state.views.forEach((view) => view.finalize());
    const made = state.chart.panels.map((panel, i) => {
      const scales = { ...panel.scales, ...state.scales };
      for (const axis of Object.keys(scales)) if (!(axis in panel.scales)) delete scales[axis];
      const spec = { ...scaled(panel.spec, scales), datasets: { rows: shown(rows(panel, state.chart.looks), scales) } };
      return window.vegaEmbed(state.plots[i], spec, { actions: false, renderer: "svg", mode: "vega-lite", logLevel: ERRORS });
    });
    state.views = (await Promise.all(made)).map((result) => result.view);
    await hide(state);
  }

  async function hide(state) {
    for (const view of state.views) await view.signal("hidden", [...state.hidden]).runAsync();
  }

  function legend(state) {
    const items = Object.entries(state.chart.looks).map(([name, look]) => {
      const swatch = svg("svg", { viewBox: "0 0 34 12", "aria-hidden": "true" });
      swatch.append(svg("line", { x1: 0, x2: 34, y1: 6, y2: 6, stroke: look.color, "stroke-width": 1.6, "stroke-dasharray": look.dash.join(" ") }));
      swatch.append(svg("path", { d: look.marker, fill: look.color, transform: "translate(17 6) scale(4)" }));
      const button = make("button", { type: "button", "aria-pressed": "true" }, swatch, look.label);
      button.dataset.series = name;
      button.addEventListener("click", () => {
        state.hidden.has(name) ? state.hidden.delete(name) : state.hidden.add(name);
        button.setAttribute("aria-pressed", String(!state.hidden.has(name)));
        hide(state);
      });
      return make("li", {}, button);
    });
    return make("ul", { class: "legend", "aria-label": "Series shown" }, ...items);
  }

  function switches(state, tools) {
    for (const axis of ["x", "y"]) {
      const first = state.chart.panels.find((panel) => axis in panel.scales);
      if (!first) continue;
      const button = make("button", { type: "button", class: "scale", "aria-pressed": String(first.scales[axis] === "log") }, `Log ${axis}`);
      button.addEventListener("click", () => {
        const log = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(log));
        state.scales[axis] = log ? "log" : "linear";
        draw(state);
      });
      tools.insertBefore(button, tools.lastElementChild);
    }
  }

  const states = new Map();
  manybandits.show = (figure, on) => {
    const image = figure.querySelector("img"), paper = figure.querySelector(".paper"), tools = figure.querySelector(".figure-tools");
    image.style.display = on ? "none" : "";
    tools.querySelectorAll(".scale").forEach((button) => { button.hidden = !on; });
    let state = states.get(figure);
    if (state) { state.shown.hidden = !on; return; }
    const chart = manybandits.charts[figure.dataset.chart];
    state = { chart, hidden: new Set(), scales: {}, views: [], plots: [] };
    const panels = chart.panels.map((panel) => {
      const plot = make("div");
      state.plots.push(plot);
      const head = panel.title || panel.stand_in ? [make("p", { class: "panel-title" }, panel.title, panel.stand_in ? " (stand-in data)" : "")] : [];
      return make("div", { class: "panel" }, ...head, make("div", { class: "plot", tabindex: "0", role: "group", "aria-label": `Chart: ${panel.title}` }, plot));
    });
    const wide = chart.panels.some((panel) => panel.spec.width !== "container");
    state.shown = make("div", { class: "shown" }, legend(state), make("div", { class: wide ? "panels single" : "panels" }, ...panels));
    paper.append(state.shown);
    switches(state, tools);
    states.set(figure, state);
    draw(state);
  };
})();
