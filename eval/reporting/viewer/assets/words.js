// Figures and steps in words.

function seconds(value) {
  if (value == null) return "not measured";
  if (value < 0.001) return `${digits(value * 1e6)} µs`;
  if (value < 1) return `${digits(value * 1e3)} ms`;
  if (value < 120) return `${digits(value)} s`;
  return `${digits(value / 60)} min`;
}

function bytes(value) {
  if (value == null) return "not measured";
  if (value < 1024) return `${value} B`;
  if (value < 1024 ** 2) return `${digits(value / 1024)} KiB`;
  return `${digits(value / 1024 ** 2)} MiB`;
}

function digits(value) {
  if (value === 0) return "0";
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function spaced(name) {
  return name.replaceAll("_", " ");
}

// A value of a record or an argument.
function shown(value) {
  if (value == null) return "–";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length ? value.map(shown).join(", ") : "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function clock(time) {
  return time.slice(11);
}

const ENDS = {
  accept: "accepted",
  reject: "rejected",
  expired: "expired unanswered",
  withdrawn: "withdrawn",
  open: "open when the episode ended",
};
const FIRST = { accept: "accept", reject: "reject", gather_context: "go and look", ignore: "ignore it" };
const OUTCOMES = {
  success: "success",
  failure: "failure",
  done_by_user: "done by the user alone",
  silent: "silent",
  disturbed: "disturbed",
  fault: "fault",
};
const CHECKS = {
  consent: "Nothing was written without consent",
  goal: "What was wanted was reached",
  kept: "It still stood at the end",
  collateral: "Nothing else was done",
  silence: "Nobody was disturbed",
  no_fault: "No part broke",
};
const EXECUTIONS = {
  done: "done",
  gave_up: "gave up",
  limit: "ran out of steps",
  question: "asks the user",
  none: "nobody there to act",
};
const SILENT_COSTS = { cpu: "CPU", memory: "memory", energy: "energy", all: "cost" };

// What the user does, in a few words.
function deed(step) {
  if (step.do === "act") return `${step.app}.${step.action}`;
  if (step.do === "answered") return step.answer === "accept" ? "accepts the offer" : "rejects the offer";
  if (step.do === "reply") return "replies to the assistant";
  return "does nothing";
}

// What the observer does in a turn, in a few words.
function watch(turn) {
  const steps = turn.observer || [];
  const looks = steps.filter((one) => one.type === "look").length;
  const last = steps.length ? steps[steps.length - 1].type : null;
  const ends = { propose: turn.proposal ? "makes an offer" : "offers, and is not shown", withdraw: "withdraws its offer", wait: "waits" };
  if (last == null) return "was not asked";
  const looked = looks ? `looks ${looks === 1 ? "once" : `${looks} times`}` : "";
  return [looked, ends[last]].filter(Boolean).join(", then ");
}

// A turn in one sentence, for those who do not see the page.
function sentence(turn) {
  const parts = [
    turn.events && plural(turn.events.length, "event"),
    `the user ${turn.step.do === "act" ? `does ${deed(turn.step)}` : deed(turn.step)}`,
    turn.expired && `offer ${turn.expired} expires`,
    turn.execution && `the assistant acts: ${EXECUTIONS[turn.execution.end]}`,
    `the observer ${watch(turn)}`,
  ];
  return `Turn ${turn.n}, ${clock(turn.time)}: ${parts.filter(Boolean).join("; ")}.`;
}
