// Draws specification curves: readings sorted by effect, kept or left out by the answers that they have.
"use strict";
(() => {
  const ERRORS = 1, ROUND = 24, LEAST = 260, STEP = 16; // pixels: around the chart, and of the width of the panels
  const short = (value) => (value === null ? "" : Number(value.toPrecision(3)).toString());

  // A row a reading, with what its tip says.
  function rows(data) {
    return data.readings.map(([verdict, effect, low, high, against, limits, chance, special, chosen], place) => {
      const { word, judged } = data.verdicts[verdict];
      const row = { place, left: place - 0.5, right: place + 0.5, verdict: word, judged, effect, low, high, against, special, chosen };
      row.interval = low === null ? "none" : `${short(low)} to ${short(high)}`;
      row.limits = data.limits[limits] || "none";
      row.chance = data.chance[chance] || "none";
      data.questions.forEach((one, i) => {
        const answer = one.values[chosen[i]];
        row[`q${i}`] = answer === one.written ? answer : `${answer} (changed)`;
      });
      return row;
    });
  }

  function datasets(data, readings) {
    const answers = readings.flatMap(({ place, verdict, chosen }) => data.questions.map((one, i) => ({ place, verdict, row: `${one.key}: ${one.values[chosen[i]]}` })));
    const bands = data.questions.flatMap((one, i) => (i % 2 ? [] : one.values.map((value) => ({ row: `${one.key}: ${value}` }))));
    return { readings, answers, bands };
  }

  // A set-up in words, for those who do not see the chart: a thousand marks say nothing to a screen reader.
  function words(data, row, count) {
    const changed = data.questions.flatMap((one, i) => (one.values[row.chosen[i]] === one.written ? [] : [`${one.label} ${one.values[row.chosen[i]]}`]));
    const name = changed.length ? changed.join("; ") : "default set-up";
    return `Set-up ${row.place + 1} of ${count}: ${name}. ${row.verdict}; effect ${short(row.effect)}${row.low === null ? "" : `, 95 % interval ${row.interval}`}; limits: ${row.limits}; at chance: ${row.chance}.`;
  }

  function legend(data, counts) {
    return make("ul", { class: "legend verdicts", "aria-label": "Verdicts" }, ...data.verdicts.map((one) => {
      const picture = make("span", { class: "swatch", "aria-hidden": "true" });
      picture.innerHTML = `<svg viewBox="-1.3 -1.3 2.6 2.6"><path d="${one.path}" fill="${data.limits.every(Boolean) ? "#ffffff" : one.color}" stroke="${one.color}" stroke-width="0.3"/></svg>`;
      return make("li", {}, picture, `${one.word} `, counts[one.word] = make("span", { class: "count" }));
    }));
  }

  function filters(state) {
    const form = make("form", { class: "filters answers", "aria-label": `Keep the set-ups with these answers: ${state.data.title}` });
    state.data.questions.forEach((one, i) => {
      const select = make("select", { name: one.key, title: one.asks }, make("option", { value: "" }, "any answer"));
      one.values.forEach((value, k) => {
        const many = state.rows.filter((row) => row.chosen[i] === k).length;
        select.append(make("option", { value: String(k) }, `${value}${value === one.written ? ", default" : ""} (${many})`));
      });
      form.append(make("label", {}, one.label, select));
    });
    form.append(make("button", { type: "reset" }, "All set-ups"));
    form.addEventListener("input", () => keep(state));
    form.addEventListener("reset", () => setTimeout(() => keep(state)));
    form.addEventListener("submit", (event) => event.preventDefault());
    return form;
  }

  async function keep(state) {
    const wanted = state.data.questions.map((one) => state.form.elements[one.key].value);
    const fits = (row) => wanted.every((value, i) => value === "" || row.chosen[i] === Number(value));
    const kept = state.rows.filter(fits), judged = kept.filter((row) => row.judged);
    const many = (word) => judged.filter((row) => row.verdict === word).length;
    const part = kept.length < state.rows.length ? ` Kept: ${kept.length} of ${state.rows.length} set-ups.` : "";
    state.told.textContent = kept.length ? `Holds in ${many("holds")} of ${judged.length} set-ups, fails in ${many("fails")}.${part}` : "No set-up has all of these answers.";
    for (const [word, count] of Object.entries(state.counts)) count.textContent = `(${kept.filter((row) => row.verdict === word).length})`;
    state.dropped = state.rows.filter((row) => !fits(row)).map((row) => row.place);
    await state.view?.signal("dropped", state.dropped).runAsync();
  }

  async function look(state, at) {
    state.at = at;
    state.reading.textContent = at < 0 ? "" : words(state.data, state.rows[at], state.drawn.length);
    await state.view?.signal("at", at).runAsync();
  }

  function steps(state) {
    state.plot.addEventListener("keydown", (event) => {
      const kept = state.drawn.map((row) => row.place).filter((place) => !state.dropped.includes(place));
      const next = {
        ArrowRight: () => kept.find((place) => place > state.at) ?? kept.at(-1),
        ArrowLeft: () => kept.findLast((place) => place < state.at) ?? kept[0],
        Home: () => kept[0],
        End: () => kept.at(-1),
        Escape: () => -1,
      }[event.key];
      if (!next) return;
      event.preventDefault();
      look(state, next() ?? -1);
    });
  }

  async function draw(state) {
    const spec = structuredClone(state.data.spec), count = state.drawn.length;
    const room = Math.max(state.plot.clientWidth - state.data.beside - ROUND, LEAST);
    for (const panel of spec.vconcat) panel.width = Math.min(room, Math.max(LEAST, STEP * count));
    spec.datasets = datasets(state.data, state.drawn);
    const made = await window.vegaEmbed(state.plot.firstElementChild, spec, { actions: false, renderer: "svg", mode: "vega-lite", logLevel: ERRORS });
    state.view = made.view;
    state.view.addEventListener("pointermove", (_, item) => {
      const at = item?.datum?.left === undefined ? -1 : item.datum.place;
      if (at !== state.at) look(state, at);
    });
    await keep(state);
  }

  const states = new Map();
  manybandits.curve = (figure, on) => {
    const image = figure.querySelector("img"), paper = figure.querySelector(".paper");
    if (image) image.style.display = on ? "none" : "";  // a run has the tables of another's readings, and maybe no pictures
    let state = states.get(figure);
    if (state) { state.shown.forEach((one) => { one.hidden = !on; }); return; }
    const data = manybandits.charts[figure.dataset.chart];
    const all = rows(data);
    state = { data, rows: all, drawn: all.filter((row) => row.effect !== null), counts: {}, dropped: [], at: -1 };
    state.told = make("p", { class: "decides", "aria-live": "polite" });
    state.reading = make("p", { class: "reading", "aria-live": "polite" });
    state.form = filters(state);
    state.plot = make("div", { class: "plot", tabindex: "0", role: "group", "aria-label": `Chart: ${data.title} Left and right go through the set-ups.` }, make("div", { "aria-hidden": "true" }));
    const chart = make("div", { class: "shown" }, legend(data, state.counts), state.plot, state.reading);
    state.shown = [state.form, state.told, chart];
    paper.before(state.form, state.told);
    paper.append(chart);
    states.set(figure, state);
    steps(state);
    draw(state);
  };
})();
