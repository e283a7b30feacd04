// The picture of all designs: time against area, with limits by sliders.
"use strict";
(() => {
  const FIELDS = ["design", "words", "kind", "crt", "known", "seconds", "lut", "joules", "mhz",
    "dsp", "ram"];
  // Colours that people with a colour vision deficiency can tell apart.
  const COLOURS = { engine: "#0072b2", digit_serial: "#e69f00", montgomery: "#009e73",
    binary: "#d55e00", repeated: "#cc79a7" };
  const TARGET = "ecp5-85f";
  const LIMITS = { deadline: "seconds", area: "lut", energy: "joules" };
  const STEPS = 1000;
  const NEAR = 24; // pixels within which a pointer finds a mark
  const BEST = 10; // rows of the table

  const at = (id) => document.getElementById(id);
  const operations = JSON.parse(at("data").textContent).map((each) => ({
    ...each,
    rows: each.rows.map((row) => Object.fromEntries(row.map((value, i) => [FIELDS[i], value]))),
  }));

  const middle = (figure) => Array.isArray(figure) ? figure[0] : figure;
  const low = (figure) => Array.isArray(figure) ? figure[1] : figure;
  const high = (figure) => Array.isArray(figure) ? figure[2] : figure;

  const scaled = (units) => (value) => {
    const [size, name] = units.find(([each]) => value >= each) ?? units[units.length - 1];
    return `${+(value / size).toPrecision(4)} ${name}`;
  };
  const forms = {
    seconds: scaled([[1, "s"], [1e-3, "ms"], [1e-6, "µs"]]),
    joules: scaled([[1, "J"], [1e-3, "mJ"], [1e-6, "µJ"], [1e-9, "nJ"]]),
    lut: (value) => Math.round(value).toLocaleString("en"),
    mhz: (value) => `${+value.toPrecision(4)}`,
  };
  const between = (form, figure) => middle(figure) === null ? "unknown"
    : Array.isArray(figure)
      ? `${form(figure[0])} (${form(figure[1])} to ${form(figure[2])})` : form(figure);
  const named = (row) => row.words.replace(/ --set | --/g, ", ").replace(/=/g, " ");

  let shown, limits, chosen, marks, axes;

  const svg = (name, attributes, parent, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };
  const html = (name, text, parent) => {
    const element = document.createElement(name);
    element.textContent = text;
    parent?.append(element);
    return element;
  };

  const range = (name) => {
    const found = shown.rows.map((row) => middle(row[name])).filter((value) => value !== null);
    return [Math.min(...found), Math.max(...found)];
  };
  // The limit of a slider: by its place on a logarithmic scale; at the end there is none.
  const limitOf = (id) => {
    const value = +at(id).value;
    const [least, most] = range(LIMITS[id]);
    return value === STEPS ? Infinity : least * (most / least) ** (value / STEPS);
  };
  const meets = (row) => Object.entries(LIMITS).every(([id, name]) =>
    limits[id] === Infinity || (row[name] !== null && middle(row[name]) <= limits[id]));

  function logarithmic(name, from, to) {
    const [least, most] = range(name);
    const a = Math.log10(least), b = Math.log10(most);
    const place = (value) => from + (Math.log10(value) - a) / (b - a || 1) * (to - from);
    const ticks = [];
    for (let power = Math.floor(a); power <= b; power++) {
      for (const factor of b - a < 2 ? [1, 2, 5] : [1]) {
        const value = factor * 10 ** power;
        if (value >= least && value <= most) ticks.push(value);
      }
    }
    return { place, ticks };
  }

  function draw() {
    const width = Math.max(300, at("chart").clientWidth);
    const height = Math.max(320, Math.min(520, width * .7));
    const [left, right, top, bottom] = [62, 12, 22, 44];
    at("chart").replaceChildren();
    const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", height,
      "aria-label": `time against LUTs: ${shown.name}` }, at("chart"));
    axes = { x: logarithmic("lut", left, width - right),
      y: logarithmic("seconds", height - bottom, top) };
    for (const value of axes.x.ticks) {
      const x = axes.x.place(value);
      svg("line", { x1: x, x2: x, y1: top, y2: height - bottom, class: "grid" }, root);
      svg("text", { x, y: height - bottom + 16, "text-anchor": "middle" }, root, forms.lut(value));
    }
    for (const value of axes.y.ticks) {
      const y = axes.y.place(value);
      svg("line", { x1: left, x2: width - right, y1: y, y2: y, class: "grid" }, root);
      svg("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, root, forms.seconds(value));
    }
    svg("text", { x: (left + width) / 2, y: height - 8, "text-anchor": "middle" }, root, "LUTs");
    svg("text", { x: 4, y: 12 }, root, "time of the operation");
    marks = shown.rows.map((row) => {
      const colour = COLOURS[row.design];
      const mark = svg("circle", {
        cx: axes.x.place(middle(row.lut)), cy: axes.y.place(middle(row.seconds)),
        r: row.known === "predicted" ? 3 : 4.5, stroke: colour,
        fill: row.known === "predicted" ? "none" : colour,
      }, root);
      return { row, mark };
    });
    // Measured ones on top.
    for (const { row, mark } of marks) if (row.known !== "predicted") root.append(mark);
    axes.limits = svg("g", {}, root);
    axes.bars = svg("g", {}, root);
    axes.size = { width, height, left, right, top, bottom };
    const point = (event) => {
      const box = root.getBoundingClientRect();
      choose(nearest(event.clientX - box.left, event.clientY - box.top));
    };
    root.addEventListener("pointermove", point);
    root.addEventListener("pointerdown", point);
    update();
  }

  function nearest(x, y) {
    let found = null, least = NEAR ** 2;
    for (const each of marks) {
      if (!meets(each.row)) continue;
      const far = (each.mark.cx.baseVal.value - x) ** 2 + (each.mark.cy.baseVal.value - y) ** 2;
      if (far < least) [found, least] = [each.row, far];
    }
    return found;
  }

  function update() {
    limits = Object.fromEntries(Object.keys(LIMITS).map((id) => [id, limitOf(id)]));
    for (const [id, name] of Object.entries(LIMITS)) {
      const text = limits[id] === Infinity ? "no limit" : `at most ${forms[name](limits[id])}`;
      at(`${id}-value`).textContent = text;
      at(id).setAttribute("aria-valuetext", text);
    }
    for (const { row, mark } of marks) mark.classList.toggle("out", !meets(row));
    const { width, height, left, right, top, bottom } = axes.size;
    axes.limits.replaceChildren();
    if (limits.deadline !== Infinity) {
      const y = axes.y.place(limits.deadline);
      svg("line", { x1: left, x2: width - right, y1: y, y2: y, class: "limit" }, axes.limits);
    }
    if (limits.area !== Infinity) {
      const x = axes.x.place(limits.area);
      svg("line", { x1: x, x2: x, y1: top, y2: height - bottom, class: "limit" }, axes.limits);
    }
    const good = shown.rows.filter(meets).sort((a, b) => middle(a.lut) - middle(b.lut));
    at("count").textContent = good.length
      ? `${good.length.toLocaleString("en")} of the ${shown.rows.length.toLocaleString("en")} `
        + `designs shown meet the limits. ${shown.designs.toLocaleString("en")} can be built and fit.`
      : "No design shown meets these limits.";
    fill(good.slice(0, BEST));
    choose(chosen && meets(chosen) ? chosen : good[0] ?? null);
  }

  function fill(rows) {
    const table = at("best");
    table.replaceChildren();
    if (!rows.length) return;
    const head = html("tr", "", html("thead", "", table));
    for (const title of ["fewest LUTs", "time", "LUTs", "energy", "clock"]) html("th", title, head);
    const body = html("tbody", "", table);
    for (const row of rows) {
      const line = html("tr", "", body);
      line.tabIndex = 0;
      html("td", named(row), line);
      html("td", forms.seconds(middle(row.seconds)), line);
      html("td", forms.lut(middle(row.lut)), line);
      html("td", row.joules === null ? "unknown" : forms.joules(middle(row.joules)), line);
      html("td", row.known, line);
      const pick = () => choose(row);
      line.addEventListener("click", pick);
      line.addEventListener("keydown", (event) => { if (event.key === "Enter") pick(); });
    }
  }

  function choose(row) {
    if (row === null && chosen && meets(chosen)) return; // between the marks
    chosen = row;
    for (const each of marks) each.mark.classList.toggle("chosen", each.row === row);
    axes.bars.replaceChildren();
    const detail = at("detail");
    detail.replaceChildren();
    if (!row) {
      html("p", "Move a limit to the right.", detail);
      return;
    }
    const x = axes.x.place(middle(row.lut)), y = axes.y.place(middle(row.seconds));
    const ends = { x1: axes.x.place(low(row.lut)), x2: axes.x.place(high(row.lut)) };
    svg("line", { ...ends, y1: y, y2: y, class: "bar" }, axes.bars);
    const sides = { y1: axes.y.place(low(row.seconds)), y2: axes.y.place(high(row.seconds)) };
    svg("line", { x1: x, x2: x, ...sides, class: "bar" }, axes.bars);
    html("strong", named(row), detail);
    const blocks = `${row.dsp} multipliers, ${row.ram} block RAMs`;
    const how = shown.name.includes("private") ? row.crt ? ", with CRT" : ", without CRT" : "";
    html("p", `Time ${between(forms.seconds, row.seconds)}${how}`, detail);
    html("p", `LUTs ${between(forms.lut, row.lut)}, ${blocks}`, detail);
    html("p", `Clock ${between(forms.mhz, row.mhz)} MHz, ${row.known}`, detail);
    html("p", `Energy ${between(forms.joules, row.joules)}, dynamic, an estimate`, detail);
    const command = html("p", "", detail);
    html("code", `totient export ${row.words} --target ${TARGET} --out DIRECTORY`, command);
    html("code", `totient measure ${row.words} --target ${TARGET} --op ${row.kind}`,
      html("p", "", detail));
  }

  function open(index) {
    shown = operations[index];
    chosen = null;
    for (const id of Object.keys(LIMITS)) at(id).value = STEPS;
    const legend = at("legend");
    legend.replaceChildren();
    for (const [name, colour] of Object.entries(COLOURS)) {
      if (!shown.rows.some((row) => row.design === name)) continue;
      const entry = html("span", "", legend);
      html("i", "", entry).style.background = colour;
      entry.append(name);
    }
    draw();
  }

  operations.forEach((each, i) => { html("option", each.name, at("operation")).value = i; });
  at("operation").addEventListener("change", () => open(+at("operation").value));
  for (const id of Object.keys(LIMITS)) at(id).addEventListener("input", update);
  let width = 0;
  new ResizeObserver(() => {
    if (at("chart").clientWidth !== width) { width = at("chart").clientWidth; draw(); }
  }).observe(at("chart").parentElement);
  open(0);
  width = at("chart").clientWidth;
})();
