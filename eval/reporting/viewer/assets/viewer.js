// Puts the parts together: what is shown, its address, the keys, and paper.

const KEYS = [
  ["← →", "turn before, turn after"],
  ["j k", "next episode, episode before"],
  ["↑ ↓", "the same, in the list"],
  ["/", "search"],
  ["Esc", "leave the search, close this"],
  ["?", "these keys"],
];

class Viewer {
  constructor(root) {
    this.root = root;
    this.store = new Store(root);
    this.list = new List(this.store, (row) => this.open(row));
    this.article = h("article", { class: "hv-episode", "aria-label": "Episode" }, h("p", { class: "hv-none" }, "Choose an episode."));
    this.live = h("p", { class: "hv-hidden", "aria-live": "polite" });
    this.paper = h("div", { class: "hv-paper" });
    this.help = help();
    root.append(
      h("div", { class: "hv-top" }, this.list.bar,
        h("button", { type: "button", class: "hv-button", "aria-label": "Keys", onclick: () => this.help.showModal() }, "?")),
      h("div", { class: "hv-body" }, this.list.box, this.article), this.paper, this.live, this.help);
    this.list.ask(new URLSearchParams());
    this.listen();
    this.follow();
  }

  listen() {
    window.addEventListener("hashchange", () => this.follow());
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("beforeprint", () => this.print());
    window.addEventListener("afterprint", () => replace(this.paper));
    // The first episode is unpacked when the viewer comes into sight.
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watcher.disconnect();
      if (!this.row && this.list.shown.length) this.open(this.list.shown[0], null, { quietly: true });
    });
    watcher.observe(this.root);
  }

  // --- the address ---

  // Show what the address asks for; addresses of other parts of the page are none of ours.
  follow() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const names = [...asked.keys()];
    if (!names.length || !names.every((name) => ["episode", "turn", "find", ...FILTERS].includes(name))) return;
    if (names.some((name) => name !== "episode" && name !== "turn")) this.list.ask(asked);
    if (asked.has("episode")) {
      const row = this.store.places.get(asked.get("episode"));
      const turn = Number(asked.get("turn")) || null;
      if (!row) this.complain(`This page holds no episode ${asked.get("episode")}.`);
      else if (row === this.row && this.episode) this.go(turn ?? this.turn, { quietly: true });
      else this.open(row, turn, { quietly: true });
    } else if (this.list.shown.length) this.open(this.list.shown[0], null, { quietly: true });
    if (!this.root.contains(document.activeElement)) this.root.scrollIntoView();
  }

  write() {
    const address = this.list.asked();
    address.set("episode", this.row.key);
    address.set("turn", this.turn);
    history.replaceState(null, "", `#${address}`);
  }

  // --- what is shown ---

  async open(row, turn = null, { quietly = false } = {}) {
    this.row = row;
    this.episode = null;
    this.list.mark(row);
    this.article.setAttribute("aria-busy", "true");
    try {
      const episode = await this.store.content(row);
      if (this.row !== row) return;
      this.show(episode, turn, quietly);
    } catch (problem) {
      if (this.row === row) this.complain(problem.message);
    }
    this.article.removeAttribute("aria-busy");
  }

  show(episode, turn, quietly) {
    this.episode = episode;
    this.timeline = new Timeline(episode, (n) => this.go(n));
    this.scene = h("div", { class: "hv-scene" });
    replace(this.article,
      heading(episode, this.row, this.store.siblings(this.row), (row) => this.open(row)),
      this.timeline.element, this.steps(), this.scene, summary(episode));
    if (episode.turns.length) this.go(turn ?? start(episode), { quietly });
  }

  steps() {
    const button = (label, by) => h("button", { type: "button", class: "hv-button", onclick: () => this.step(by) }, label);
    this.where = h("span", { class: "hv-where" });
    return h("div", { class: "hv-turner" }, button("← before", -1), this.where, button("after →", 1));
  }

  go(n, { quietly = false } = {}) {
    const turn = this.episode.turns.find((one) => one.n === n) || this.episode.turns[0];
    if (!turn) return;
    this.turn = turn.n;
    replace(this.scene, phone(this.episode, turn), happenings(this.episode, turn));
    showTouched(this.scene);
    this.timeline.mark(turn.n);
    this.where.textContent = `turn ${turn.n} of ${this.episode.turns.length}`;
    if (quietly) return;
    this.live.textContent = sentence(turn);
    this.write();
  }

  step(by) {
    if (!this.episode) return;
    const place = this.episode.turns.findIndex((turn) => turn.n === this.turn) + by;
    if (place >= 0 && place < this.episode.turns.length) this.go(this.episode.turns[place].n);
  }

  complain(message) {
    this.live.textContent = message;
    replace(this.article, h("p", { class: "hv-none hv-error" }, message));
  }

  // --- keys and paper ---

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || this.help.open) return;
    const typing = event.target.closest?.("input, select, textarea, [contenteditable]");
    if (typing) {
      if (event.key === "Escape" && this.root.contains(typing)) this.list.box.focus();
      return;
    }
    if (!this.root.contains(document.activeElement) && !(document.activeElement === document.body && inSight(this.article))) return;
    const deeds = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      j: () => this.list.step(1),
      k: () => this.list.step(-1),
      "/": () => this.list.search.focus(),
      "?": () => this.help.showModal(),
    };
    if (!(event.key in deeds)) return;
    event.preventDefault();
    deeds[event.key]();
  }

  // On paper all turns of the chosen episode stand below each other.
  print() {
    if (!this.episode) return;
    replace(this.paper, this.episode.turns.map((turn) => h("section", { class: "hv-sheet-of-paper" },
      h("h4", {}, `Turn ${turn.n}, ${clock(turn.time)}`),
      h("div", { class: "hv-scene" }, phone(this.episode, turn), happenings(this.episode, turn)))));
  }
}

// Scroll the phone, and nothing else, to what the user touched.
function showTouched(scene) {
  const screen = scene.querySelector(".hv-screen");
  const item = screen?.querySelector(".hv-tap");
  if (!item) return;
  const below = item.getBoundingClientRect().bottom - screen.getBoundingClientRect().bottom;
  if (below > 0) screen.scrollTop += below + 8;
}

// The turn to begin with: where something was offered first, if anything was.
function start(episode) {
  return episode.proposals?.length ? episode.proposals[0].turn : episode.turns[0].n;
}

function inSight(element) {
  const box = element.getBoundingClientRect();
  return box.top < innerHeight && box.bottom > 0;
}

function help() {
  const dialog = h("dialog", { class: "hv-help", "aria-label": "Keys" },
    h("h3", {}, "Keys"),
    h("dl", {}, KEYS.map(([keys, what]) => [h("dt", {}, keys.split(" ").map((one) => h("kbd", {}, one))), h("dd", {}, what)])),
    h("h3", {}, "The strip"),
    h("p", {}, "One column per turn: what happened in the world, what the user did, which offer was open, what the assistant did, and what the observer decided. A shaded head marks turns in which help was useful."),
    h("button", { type: "button", class: "hv-button", onclick: () => dialog.close() }, "Close"));
  return dialog;
}

function begin() {
  for (const root of document.querySelectorAll("[data-heron-viewer]")) new Viewer(root);
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
else begin();
