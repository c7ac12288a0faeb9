// An episode as a whole: what was wanted, how it ended, whose fault it was, what it cost, what left.

function heading(episode, row, siblings, choose) {
  const about = episode.about || {};
  return h("header", { class: "hv-head" },
    h("h3", { tabindex: "-1" }, spaced(episode.scenario)),
    h("p", { class: "hv-chips" }, outcome(row),
      [`${episode.type}: ${spaced(episode.kind)}`, `seed ${episode.seed}`, episode.setting].filter(Boolean).map((text) => h("span", { class: "hv-chip hv-dim" }, text))),
    h("p", { class: "hv-who-plays" }, ["observer", "executor", "user"].map((part) => h("span", {}, h("span", { class: "hv-note" }, part), " ", h("b", {}, episode[part])))),
    about.summary && h("p", {}, about.summary),
    about.goal && h("p", {}, h("span", { class: "hv-note" }, "The user wants "), about.goal),
    about.opens && h("p", { class: "hv-note" }, `Help is useful ${between(about, episode.turns)}.`),
    episode.cause && h("p", { class: "hv-cause" }, h("b", {}, causeWords(episode.cause)), ` ${episode.cause.detail}`),
    siblings.length > 1 && others(row, siblings, choose));
}

function between(about, turns) {
  const day = turns.length ? turns[0].time.slice(0, 10) : "";
  const short = (time) => (time.startsWith(day) ? time.slice(11) : time);
  return `from ${short(about.opens)}${about.closes ? ` to ${short(about.closes)}` : ""}`;
}

const BLAMED = {
  observer: "The observer's fault",
  user: "The simulated user's fault",
  executor: "The executor's fault",
  infrastructure: "A part broke",
};

function causeWords(cause) {
  return `${BLAMED[cause.cause] || cause.cause}, ${spaced(cause.what)}:`;
}

// The same scenario and seed as others played it.
function others(row, siblings, choose) {
  const shown = siblings.slice(0, 24);
  return h("div", { class: "hv-others" }, h("span", { class: "hv-note" }, "The same under"),
    shown.map((one) => h("button", {
      type: "button", class: `hv-chip ${one.passed ? "hv-good" : "hv-bad"}`, "aria-current": one === row ? "true" : null,
      title: `${one.observer}, ${one.executor}, ${one.user} ${one.setting}: ${one.outcome}`, onclick: () => choose(one),
    }, icon(one.passed ? "check" : "cross"), apart(one, siblings))),
    siblings.length > shown.length && h("span", { class: "hv-note" }, `and ${siblings.length - shown.length} more`));
}

// What sets an episode apart from its siblings.
function apart(row, siblings) {
  const differ = ["observer", "executor", "user", "setting"].filter((name) => siblings.some((other) => other[name] !== row[name]));
  return differ.map((name) => row[name]).filter(Boolean).join(", ") || row.observer;
}

function summary(episode) {
  return h("div", { class: "hv-summary" }, verdict(episode), offersPart(episode), leaving(episode), costs(episode));
}

function box(title, ...content) {
  return h("section", { class: "hv-box" }, h("h4", {}, title), content);
}

function verdict(episode) {
  return box("Verdict, check by check",
    h("ul", { class: "hv-checks" }, episode.checks.map((check) => h("li", { class: check.failed ? "hv-bad" : "hv-good" },
      icon(check.failed ? "cross" : "check"),
      h("span", {}, h("b", {}, CHECKS[check.name] || spaced(check.name)), hidden(check.failed ? ": no" : ": yes"),
        check.detail && h("span", { class: "hv-detail" }, check.detail))))),
    episode.fault && h("p", { class: "hv-error" }, `${episode.fault.part} broke in turn ${episode.fault.turn}: ${episode.fault.message}`),
    mistakes(episode.mistakes));
}

function mistakes(found) {
  const entries = Object.entries(found || {});
  if (!entries.length) return null;
  return h("p", { class: "hv-note" }, "The simulated user erred: ", entries.map(([what, turns]) => `${spaced(what)} in turn ${turns.join(", ")}`).join("; "));
}

function offersPart(episode) {
  const made = episode.proposals || [];
  return box("Offers", made.length
    ? h("ul", { class: "hv-offers" }, made.map((offer) => h("li", {},
      h("blockquote", {}, offer.text),
      h("p", { class: "hv-note" }, `${offer.id}, made in turn ${offer.turn}, ${ENDS[offer.end]} in turn ${offer.until}${offer.reason ? `: “${offer.reason}”` : ""}${offer.first && offer.first !== offer.end ? ` (the first answer was to ${FIRST[offer.first]})` : ""}`))))
    : h("p", { class: "hv-note" }, "Nothing was offered."));
}

function leaving(episode) {
  const { before = 0, after = 0, to = {}, local } = episode.egress || {};
  const line = (when, amount) => h("div", {}, h("dt", {}, when), h("dd", { class: amount ? "hv-left" : null }, amount ? bytes(amount) : "nothing"));
  return box("What left the device",
    h("dl", { class: "hv-cost hv-wide" }, line("before the first yes", before), line("after it", after)),
    Object.entries(to).map(([name, amount]) => h("p", {}, `${bytes(amount)} to `, h("b", {}, name))),
    local && h("p", { class: "hv-note" }, `The executor's model was handed ${bytes(local)} on the device itself.`));
}

function costs(episode) {
  const all = episode.costs || {};
  const lines = [
    ["decisions", all.decisions],
    ["observer, in all", all.wall != null && seconds(all.wall)],
    ["its CPU time", all.cpu != null && seconds(all.cpu)],
    ["tokens evaluated", all.evaluated],
    ["tokens reused", all.reused],
    ["tokens generated", all.generated],
    ["energy", all.joules != null ? `${digits(all.joules)} J` : `not measured${episode.unknown?.energy ? `: ${episode.unknown.energy}` : ""}`],
    ["executor, in all", all.executor != null && seconds(all.executor)],
    ["harness, CPU time", all.harness != null && seconds(all.harness)],
    ["the user's model (not the device's)", all.simulator && `${plural(all.simulator.steps, "step")} in ${seconds(all.simulator.wall)}`],
  ];
  return box("Cost of the episode", h("dl", { class: "hv-cost hv-wide" },
    lines.filter(([, value]) => value != null && value !== false).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))));
}
