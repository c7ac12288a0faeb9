// The strip of all turns: what happened where, and the way from one to the other.

const LANES = ["world", "user", "offer", "assistant", "observer"];

class Timeline {
  constructor(episode, go) {
    this.episode = episode;
    const count = episode.turns.length;
    this.buttons = episode.turns.map((turn, place) => this.column(turn, place, go));
    this.element = h("div", { class: "hv-strip", role: "group", "aria-label": "Turns" },
      h("div", { class: "hv-grid", style: { "--turns": count } },
        LANES.map((lane, place) => h("span", { class: "hv-lane", style: { "grid-row": place + 2 }, "aria-hidden": "true" }, lane)),
        this.buttons,
        episode.turns.map((turn, place) => this.marks(turn, place)),
        (episode.proposals || []).map((offer) => this.span(offer))));
  }

  column(turn, place, go) {
    return h("button", {
      type: "button", class: `hv-column${this.useful(turn) ? " hv-useful" : ""}`, style: { "grid-column": place + 2 },
      "aria-label": sentence(turn), title: sentence(turn), onclick: () => go(turn.n),
    }, h("b", {}, turn.n), h("span", {}, clock(turn.time)));
  }

  // Whether help was useful then, where that is known.
  useful(turn) {
    const { opens, closes } = this.episode.about || {};
    if (this.episode.type !== "goal" || !this.episode.about) return false;
    return (!opens || turn.time >= opens) && (!closes || turn.time <= closes);
  }

  marks(turn, place) {
    const at = (row, who, picture, label) => h("span", {
      class: `hv-mark-cell hv-${who}`, style: { "grid-column": place + 2, "grid-row": row + 2 }, "aria-hidden": "true",
    }, picture && icon(picture), label);
    const last = (turn.observer || []).at(-1);
    return [
      turn.events && at(0, "world", "reminder", turn.events.length > 1 ? turn.events.length : null),
      at(1, turn.error ? "bad" : "user", stepIcon(turn)),
      turn.execution && at(3, turn.execution.end === "done" ? "executor" : "bad", "tool", turn.execution.calls?.length > 1 ? turn.execution.calls.length : null),
      last && at(4, "observer", { propose: "offer", withdraw: "undo", look: "eye" }[last.type] || null,
        last.type === "wait" ? dot(last) : null),
    ];
  }

  // An offer, from the turn in which it was made to its end.
  span(offer) {
    const [from, until] = [offer.turn, offer.until].map((n) => this.episode.turns.findIndex((turn) => turn.n === n));
    const look = (this.episode.gatherings || []).some((one) => one.proposal === offer.id);
    return h("span", {
      class: `hv-span hv-${offer.end}`, "aria-hidden": "true", title: `${offer.id}: ${ENDS[offer.end]}`,
      style: { "grid-column": `${from + 2} / ${until + 3}`, "grid-row": 4 },
    }, h("span", {}, offer.id), look && icon("eye"), icon({ accept: "check", reject: "cross", expired: "clock", withdrawn: "undo" }[offer.end] || "idle"));
  }

  mark(n) {
    this.episode.turns.forEach((turn, place) => {
      const button = this.buttons[place];
      if (turn.n === n) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const button = this.buttons[this.episode.turns.findIndex((turn) => turn.n === n)];
    const strip = this.element;
    if (!button) return;
    if (button.offsetLeft < strip.scrollLeft + 90) strip.scrollLeft = Math.max(0, button.offsetLeft - 90);
    else if (button.offsetLeft + button.offsetWidth > strip.scrollLeft + strip.clientWidth) {
      strip.scrollLeft = button.offsetLeft + button.offsetWidth - strip.clientWidth;
    }
  }
}

// The larger, the nearer the observer was to doing something.
function dot(step) {
  if (!step.scores) return h("span", { class: "hv-dot", style: { "--near": 0 } });
  const [wait, look, propose] = step.scores;
  return h("span", { class: "hv-dot", style: { "--near": (look + propose) / (wait + look + propose || 1) } });
}

function stepIcon(turn) {
  const step = turn.step;
  if (step.do === "answered") return step.answer === "accept" ? "check" : "cross";
  if (step.do === "reply") return "messaging";
  if (step.do === "idle") return "idle";
  return step.looking ? "eye" : "hand";
}
