// The list of episodes: filters, search, and as many rows as are in sight.

const ROW_HEIGHT = 54;
const SPARE = 6;
const FILTERS = ["outcome", "type", "kind", "observer", "executor", "user", "setting", "cause", "what"];
const LABELS = { what: "reason", setting: "setting" };

class List {
  constructor(store, choose) {
    this.store = store;
    this.choose = choose;
    this.chosen = null;
    this.selects = new Map();
    this.several = new Set(FILTERS.filter((name) => store.values(name).length > 1));
    this.search = h("input", {
      type: "search", class: "hv-search", placeholder: "Search episodes  ( / )",
      "aria-label": "Search episodes", oninput: () => this.filter(),
    });
    this.count = h("span", { class: "hv-count", role: "status" });
    this.rows = h("div", { class: "hv-rows", role: "presentation" });
    this.box = h("div", {
      class: "hv-list", role: "listbox", tabindex: "0", "aria-label": "Episodes",
      onscroll: () => this.draw(), onkeydown: (event) => this.key(event),
    }, this.rows);
    this.bar = h("div", { class: "hv-filters", role: "search" }, this.search, this.pickers(), this.count);
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  pickers() {
    return FILTERS.filter((name) => this.several.has(name)).map((name) => {
      const options = this.store.values(name).map(([value, count]) =>
        h("option", { value }, `${name === "outcome" ? OUTCOMES[value] || value : value} (${count})`));
      const select = h("select", { "aria-label": LABELS[name] || name, onchange: () => this.filter() },
        h("option", { value: "" }, `any ${LABELS[name] || name}`), options);
      this.selects.set(name, select);
      return select;
    });
  }

  // Set the filters, as an address gives them.
  ask(wanted) {
    this.search.value = wanted.get("find") || "";
    for (const [name, select] of this.selects) select.value = wanted.get(name) || "";
    this.filter();
  }

  // The filters as an address has them.
  asked() {
    const found = new URLSearchParams();
    if (this.search.value.trim()) found.set("find", this.search.value.trim());
    for (const [name, select] of this.selects) if (select.value) found.set(name, select.value);
    return found;
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = [...this.selects].filter(([, select]) => select.value);
    this.shown = this.store.rows.filter((row) =>
      wanted.every(([name, select]) => row[name] === select.value) &&
      words.every((word) => haystack(row).includes(word)));
    const all = this.store.rows.length;
    this.count.textContent = this.shown.length === all ? plural(all, "episode") : `${this.shown.length} of ${all}`;
    this.rows.style.height = `${Math.max(this.shown.length * ROW_HEIGHT, ROW_HEIGHT)}px`;
    this.draw();
  }

  // Draw the rows in sight.
  draw() {
    if (!this.shown) return;
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - SPARE);
    const last = Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW_HEIGHT) + SPARE;
    const options = this.shown.slice(first, last).map((row, offset) => this.option(row, first + offset));
    replace(this.rows, this.shown.length ? options : h("p", { class: "hv-none" }, "No episode is like that."));
    this.box.setAttribute("aria-activedescendant", this.chosen ? `hv-row-${this.chosen.place}` : "");
  }

  option(row, place) {
    const is = row === this.chosen;
    return h("div", {
      id: `hv-row-${row.place}`, class: `hv-row${is ? " hv-chosen" : ""}`, role: "option",
      "aria-selected": String(is), "aria-posinset": place + 1, "aria-setsize": this.shown.length,
      style: { top: `${place * ROW_HEIGHT}px` }, onclick: () => this.choose(row),
    },
      h("span", { class: "hv-row-name", title: row.scenario }, spaced(row.scenario)),
      outcome(row),
      h("span", { class: "hv-row-more", title: this.more(row) }, this.more(row)));
  }

  more(row) {
    const parts = [row.cause ? `${row.cause}: ${row.what}` : spaced(row.kind), `seed ${row.seed}`];
    for (const name of ["observer", "executor", "user", "setting"]) if (this.several.has(name) && row[name]) parts.push(row[name]);
    return parts.join(" · ");
  }

  // Mark an episode and bring it into sight.
  mark(row) {
    this.chosen = row;
    const place = this.shown.indexOf(row);
    if (place >= 0) {
      const top = place * ROW_HEIGHT;
      const space = this.box.clientHeight - ROW_HEIGHT;
      if (top < this.box.scrollTop) this.box.scrollTop = top;
      else if (top > this.box.scrollTop + space) this.box.scrollTop = top - space / 2;
    }
    this.draw();
  }

  // Choose another episode, so many rows on.
  step(by) {
    if (!this.shown.length) return;
    const place = this.shown.indexOf(this.chosen);
    const next = place < 0 ? 0 : Math.min(Math.max(place + by, 0), this.shown.length - 1);
    if (next !== place) this.choose(this.shown[next]);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW_HEIGHT) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.step(steps[event.key]);
  }
}

function haystack(row) {
  row.text ??= [...COLUMNS.map((name) => row[name]), spaced(row.scenario), `seed ${row.seed}`, row.detail, row.key].join(" ").toLowerCase();
  return row.text;
}

function outcome(row) {
  return h("span", { class: `hv-chip ${row.passed ? "hv-good" : "hv-bad"}` },
    icon(row.passed ? "check" : "cross"), OUTCOMES[row.outcome] || row.outcome);
}
