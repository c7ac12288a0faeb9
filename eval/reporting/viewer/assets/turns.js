// What happened in one turn, in the order in which it happened.

function happenings(episode, turn) {
  return h("ol", { class: "hv-cards", "aria-label": `What happened in turn ${turn.n}` },
    turn.events && card("world", "clock", "The world", plural(turn.events.length, "event"), turn.events.map(eventOf)),
    card("user", "hand", "The user", deed(turn.step), userPart(episode, turn)),
    turn.expired && card("world", "clock", "The offer", `${turn.expired} expires unanswered`),
    turn.execution && card("executor", "tool", "The assistant acts", EXECUTIONS[turn.execution.end], execution(turn.execution)),
    card("observer", "eye", "The observer", watch(turn), observerPart(episode, turn)),
    turn === episode.turns[episode.turns.length - 1] && episode.later &&
      card("world", "clock", "After the last turn", plural(episode.later.length, "event"), episode.later.map(eventOf)));
}

function card(who, picture, name, headline, ...content) {
  return h("li", { class: `hv-card hv-${who}` },
    h("h4", {}, icon(picture), h("span", { class: "hv-who" }, name), h("span", {}, headline)), content);
}

// --- the world ---

function eventOf(event) {
  return h("div", { class: "hv-event" },
    h("p", {}, h("span", { class: "hv-time" }, event.time), h("code", {}, event.name),
      event.noise && h("span", { class: "hv-chip hv-dim" }, "by the way"),
      event.error && h("span", { class: "hv-error" }, event.error)),
    pairs(event.args), diffs(event.changes));
}

// --- the user ---

function userPart(episode, turn) {
  const step = turn.step;
  const answer = turn.answer;
  return [
    step.do === "act" && pairs(step.arguments),
    answer && h("p", {}, answerWords(answer), answer.why && h("span", { class: "hv-chip hv-dim" }, answer.why)),
    step.text && h("blockquote", {}, step.text),
    step.reason && h("blockquote", {}, step.reason),
    gathering(episode, turn),
    step.note && h("p", { class: "hv-note" }, step.note),
    turn.error && h("p", { class: "hv-error" }, `The phone refused: ${turn.error}`),
    step.lost && h("p", { class: "hv-error" }, "It found no way to what it wanted to see."),
    step.invalid && h("p", { class: "hv-error" }, `${plural(step.invalid, "output")} before that ${step.invalid === 1 ? "was" : "were"} no legal step.`),
    step.gave_up && h("p", { class: "hv-error" }, "None of the model's outputs was a legal step."),
    step.pace && h("p", { class: "hv-note" }, `takes ${step.pace} times as long as usual`),
    diffs(turn.changes)];
}

function answerWords(answer) {
  const words = {
    accept: `accepts ${answer.proposal}: a grant is minted`,
    reject: `rejects ${answer.proposal}`,
    gather_context: `goes to look before it answers ${answer.proposal}`,
    ignore: `does not answer ${answer.proposal} now`,
  };
  return words[answer.answer];
}

function gathering(episode, turn) {
  const found = (episode.gatherings || []).find((one) => one.start <= turn.n && turn.n <= one.until);
  if (!found) return null;
  const seen = found.refs ? `; it opened ${found.refs.join(", ")}` : "";
  return h("p", { class: "hv-note" },
    `gathers context for ${found.proposal}, turns ${found.start} to ${found.until}: ${plural(found.looks, "look")} in ${seconds(found.seconds)} of phone time${seen}`);
}

// --- the assistant ---

function execution(done) {
  return [
    h("ol", { class: "hv-calls" }, (done.calls || []).map(call)),
    !done.calls && h("p", { class: "hv-note" }, "no call was made"),
    done.message && h("blockquote", {}, done.message),
    h("p", { class: "hv-note" }, `under grant ${done.grant}`),
    usage(done.usage),
    cost(done.cost, null)];
}

function call(one) {
  return h("li", { class: one.error ? "hv-refused" : null },
    h("p", {}, h("code", {}, one.name),
      h("span", { class: `hv-chip ${one.error ? "hv-bad" : "hv-good"}` }, icon(one.error ? "cross" : "check"), one.error ? "refused" : "ok"),
      one.noise && h("span", { class: "hv-chip hv-dim" }, `${one.noise} failure by noise`)),
    pairs(one.args),
    one.error && h("p", { class: "hv-error" }, one.error),
    diffs(one.changes),
    one.shown && evidence(one.shown),
    one.value && h("pre", {}, one.value));
}

// --- the observer ---

function observerPart(episode, turn) {
  const steps = turn.observer || [];
  let looked = false;
  return h("ol", { class: "hv-steps" }, steps.map((step) => {
    const part = observed(episode, turn, step, looked);
    looked ||= step.type === "look";
    return part;
  }));
}

function observed(episode, turn, step, looked) {
  const offer = step.type === "propose" && (episode.proposals || []).find((one) => one.id === turn.proposal);
  return h("li", {},
    scores(step, episode.thresholds, looked),
    step.type === "look" && h("div", {}, h("p", {}, "looks with ", h("code", {}, step.call),
      step.noise && h("span", { class: "hv-chip hv-dim" }, `${step.noise} failure by noise`)), pairs(step.args)),
    step.error && h("p", { class: "hv-error" }, step.error),
    step.text && h("blockquote", {}, offer ? h("b", {}, offer.id) : null, offer ? " " : null, offer ? offer.text : step.text),
    step.type === "propose" && !offer && h("p", { class: "hv-error" }, "It was not shown: one offer at a time, and none that is empty."),
    step.plan && h("p", {}, "plan ", step.plan.map((name) => h("code", {}, name))),
    offer && offer.evidence && evidence(offer.evidence, "rests on"),
    offer && !offer.evidence && h("p", { class: "hv-note" }, "rests on no record"),
    cost(step.cost, episode.unknown));
}

// The scores of the three options; a mark where a threshold is known.
function scores(step, thresholds, looked) {
  const names = ["wait", "look", "propose"];
  if (!step.scores) {
    return h("p", {}, h("span", { class: "hv-chip hv-obs" }, step.type), h("span", { class: "hv-note" }, "without scores"));
  }
  const sum = step.scores.reduce((total, value) => total + value, 0) || 1;
  const marks = thresholds && !thresholds.contrast
    ? { look: thresholds.look, propose: looked && thresholds.after_look ? thresholds.after_look : thresholds.propose } : {};
  return h("div", { class: "hv-scores" },
    names.map((name, place) => bar(name, step.scores[place], step.scores[place] / sum, marks[name], step.type === name)),
    thresholds?.contrast && h("p", { class: "hv-note" },
      "This model's scores are compared with those of an ordinary minute before they meet its thresholds, so no mark is drawn."));
}

function bar(name, score, share, mark, chosen) {
  const told = `${name} ${score}, ${Math.round(share * 100)} % of the three${mark ? `, threshold ${Math.round(mark * 100)} %` : ""}`;
  return h("div", { class: `hv-bar${chosen ? " hv-on" : ""}`, role: "img", "aria-label": told, title: told },
    h("span", {}, name),
    h("span", { class: "hv-track" },
      h("span", { class: "hv-fill", style: { width: `${share * 100}%` } }),
      mark && mark <= 1 && h("span", { class: "hv-mark", style: { left: `${mark * 100}%` } })),
    h("span", { class: "hv-value" }, score < 0.001 ? score.toExponential(0) : score.toPrecision(2)));
}

// --- parts ---

function evidence(lines, before) {
  return h("div", {}, before && h("p", { class: "hv-note" }, before),
    h("ul", { class: "hv-evidence" }, lines.map((line) => h("li", {}, h("span", { class: "hv-ref" }, `${line.kind} ${line.ref}`), line.text))));
}

function pairs(values) {
  const entries = Object.entries(values || {});
  if (!entries.length) return null;
  return h("dl", { class: "hv-pairs" }, entries.map(([name, value]) => [h("dt", {}, spaced(name)), h("dd", {}, shown(value))]));
}

// What became of records, field by field.
function diffs(changes) {
  if (!changes) return null;
  return h("div", { class: "hv-diffs" }, changes.map((change) => h("div", { class: `hv-diff hv-${change.op}` },
    h("p", {}, h("b", {}, { create: "new", update: "changed", delete: "deleted" }[change.op]), ` ${change.kind} `, h("span", { class: "hv-ref" }, change.ref)),
    h("dl", { class: "hv-pairs" }, Object.entries(change.fields || {}).map(([name, value]) => [
      h("dt", {}, spaced(name)),
      h("dd", {}, change.op === "update"
        ? [h("del", {}, shown(value[0])), " → ", h("ins", {}, shown(value[1]))]
        : h(change.op === "create" ? "ins" : "del", {}, shown(value)))])))));
}

function cost(one, unknown) {
  if (!one) return null;
  const reasons = { ...unknown, ...one.unknown };
  const parts = [
    one.wall != null && ["latency", seconds(one.wall)],
    one.cpu != null && ["CPU", seconds(one.cpu)],
    one.queued > 0.001 && ["queued", seconds(one.queued)],
    one.first != null && ["first logits", seconds(one.first)],
    one.evaluated != null && ["tokens evaluated", one.evaluated],
    one.reused != null && ["reused", one.reused],
    one.generated != null && ["generated", one.generated],
    one.own != null && ["memory", `${bytes(one.own)} own + ${bytes(one.mapped)} mapped`],
    one.joules != null && ["energy", `${digits(one.joules)} J (${one.source})`],
    one.gate && ["gate", one.gate],
    ...Object.entries(reasons).map(([name, reason]) => [SILENT_COSTS[name] || name, h("span", { title: reason }, `not measured: ${reason}`)]),
  ];
  return [h("dl", { class: "hv-cost" }, parts.filter(Boolean).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))), usage(one.usage)];
}

function usage(used) {
  if (!used) return null;
  const money = used.usd != null ? `, ${used.usd} USD` : "";
  return h("p", { class: used.remote ? "hv-left" : "hv-note" },
    `${plural(used.calls || 0, "call")} of a model ${used.remote ? "off the device" : "on the device"}: ${used.tokens_in || 0} tokens in, ${used.tokens_out || 0} out; ${bytes(used.bytes_out || 0)} sent, ${bytes(used.bytes_in || 0)} received${money}`);
}
