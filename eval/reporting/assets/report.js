/* Theme, sortable tables, and charts that are drawn when they come into view. */
(() => {
  "use strict";
  const root = document.documentElement;

  // --- theme: the system's until the reader chooses --------------------------------------------
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const kept = () => { try { return localStorage.getItem("heron-theme"); } catch { return null; } };
  const keep = (name) => { try { localStorage.setItem("heron-theme", name); } catch { /* private */ } };
  const button = document.querySelector(".theme");
  let printing = false;
  function show(theme) {
    root.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light theme" : "Dark theme";
    redraw();
  }
  button.addEventListener("click", () => {
    const next = root.dataset.theme === "dark" ? "light" : "dark";
    keep(next);
    show(next);
  });
  dark.addEventListener("change", () => { if (!kept()) show(dark.matches ? "dark" : "light"); });

  // --- tables ----------------------------------------------------------------------------------
  const told = document.getElementById("told");
  for (const head of document.querySelectorAll("th[data-sortable]")) {
    head.querySelector("button").addEventListener("click", () => sort(head));
  }
  function sort(head) {
    const table = head.closest("table"), body = table.tBodies[0], at = Number(head.dataset.column);
    const down = head.getAttribute("aria-sort")
      ? head.getAttribute("aria-sort") === "ascending" : head.dataset.first !== "ascending";
    for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => row.cells[at].dataset.sort ?? "";
    const compare = (a, b) => {
      const x = key(a), y = key(b);
      if (x === "" || y === "") return (x === "") - (y === "");  // unknown stays below
      const order = isNaN(x) || isNaN(y) ? x.localeCompare(y) : x - y;
      return down ? -order : order;
    };
    body.append(...[...body.rows].sort(compare));
    told.textContent = `Sorted by ${head.textContent.trim()}, ${down ? "highest" : "lowest"} first`;
  }

  // --- charts ----------------------------------------------------------------------------------
  const charts = [...document.querySelectorAll(".chart")];
  const drawn = new Set();
  let library;
  async function inflated(id) {
    const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }
  function load() {
    library ??= inflated("plotly").then((source) => {
      const script = document.createElement("script");
      script.textContent = source;
      document.head.append(script);
      return window.Plotly;
    });
    return library;
  }
  function coloured(value, style) {
    if (typeof value === "string") {
      const found = /^var\((--[\w-]+)\)$/.exec(value);
      return found ? style.getPropertyValue(found[1]).trim() : value;
    }
    if (Array.isArray(value)) return value.map((one) => coloured(one, style));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, coloured(v, style)]));
    }
    return value;
  }
  function put(chart, width) {
    const figure = JSON.parse(document.getElementById(`${chart.id}-figure`).textContent);
    const { data, layout } = coloured(figure, getComputedStyle(root));
    if (width) { layout.autosize = false; layout.width = width; }
    const narrow = (width || chart.clientWidth) < 460;
    if (narrow && layout.meta?.narrow) Object.assign(layout.margin, layout.meta.narrow);
    Plotly.react(chart, data, layout, { displaylogo: false, responsive: !width, displayModeBar: false });
    const svg = chart.querySelectorAll("svg");
    for (const one of svg) { one.setAttribute("aria-hidden", "true"); one.setAttribute("focusable", "false"); }
    document.getElementById("js-plotly-tester")?.setAttribute("aria-hidden", "true");
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-labelledby", `${chart.id}-title ${chart.id}-said`);
    drawn.add(chart);
  }
  async function draw(chart) {
    if (drawn.has(chart)) return;
    try {
      await load();
      if (!drawn.has(chart)) put(chart);
    } catch (error) {
      chart.textContent = "This browser cannot draw the chart; its figures are in the table below.";
      chart.closest("figure").querySelector("details").open = true;
      drawn.add(chart);
    }
  }
  function redraw() { for (const chart of drawn) if (window.Plotly && !printing) put(chart); }

  if (charts.length) {
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) { seen.unobserve(entry.target); draw(entry.target); }
    }, { rootMargin: "300px" });
    for (const chart of charts) seen.observe(chart);
    const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 400));
    const rest = () => {
      const next = charts.find((chart) => !drawn.has(chart));
      if (next) draw(next).then(() => idle(rest));
      else root.dataset.charts = "drawn";
    };
    addEventListener("load", () => setTimeout(() => idle(rest), 300));
  } else root.dataset.charts = "drawn";

  // --- paper -----------------------------------------------------------------------------------
  addEventListener("beforeprint", () => {
    const before = root.dataset.theme;
    printing = true;
    root.dataset.theme = "light";
    root.dataset.before = before;
    if (window.Plotly) for (const chart of charts) put(chart, chart.closest(".one") ? 980 : 475);
  });
  addEventListener("afterprint", () => {
    printing = false;
    show(root.dataset.before || "light");
  });

  show(kept() ?? (dark.matches ? "dark" : "light"));
})();
