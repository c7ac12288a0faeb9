// The user's phone, drawn as it was when the user took its step.

function phone(episode, turn) {
  const screen = screenOf(episode, turn);
  return h("figure", { class: "hv-phone" },
    h("div", { class: "hv-frame" },
      h("div", { class: "hv-status" }, h("span", {}, clock(turn.time).slice(0, 5)), h("span", {}, turn.time.slice(0, 10))),
      banners(turn),
      screen.name === "Home" && screen.app === "system" ? home(screen, turn) : page(screen, turn),
      sheet(episode, turn),
      h("div", { class: `hv-homebar${tapped(turn, "go_home") ? " hv-tap" : ""}` })),
    h("figcaption", {}, caption(screen, turn)));
}

// A screen that did not change is stored once.
function screenOf(episode, turn) {
  const upto = episode.turns.filter((other) => other.n <= turn.n && other.screen);
  return upto.length ? upto[upto.length - 1].screen : { app: "system", name: "?", title: "?" };
}

function banners(turn) {
  if (!turn.previews) return null;
  return h("ul", { class: "hv-banners", "aria-label": "Notifications since the last step" },
    turn.previews.map((preview) => h("li", { class: `hv-banner${touched(turn, preview.ref) ? " hv-tap" : ""}` },
      tile(preview.app),
      h("span", {}, h("b", {}, preview.title), h("span", {}, preview.text)))));
}

function home(screen, turn) {
  return h("div", { class: "hv-screen" }, h("ul", { class: "hv-apps", "aria-label": "Home screen" },
    (screen.items || []).map((item) => h("li", { class: touched(turn, item.ref) ? "hv-tap" : null },
      tile(item.ref || item.text), h("span", {}, item.text)))));
}

function page(screen, turn) {
  const items = screen.items || [];
  return [
    h("div", { class: "hv-appbar" },
      icon("back", tapped(turn, "back") ? "hv-tap" : ""), tile(screen.app),
      h("span", {}, h("b", {}, screen.title || spaced(screen.name)), h("span", {}, screen.app))),
    h("div", { class: "hv-screen", tabindex: items.length > 4 ? "0" : null, role: "group", "aria-label": `${screen.app}: ${screen.title || screen.name}` },
      items.length
        ? h("ul", { class: "hv-items" }, items.map((item) => entry(item, turn)))
        : h("p", { class: "hv-none" }, "Nothing here."))];
}

function entry(item, turn) {
  return h("li", { class: `hv-item${item.full ? " hv-full" : ""}${touched(turn, item.ref) ? " hv-tap" : ""}` },
    h("span", { class: "hv-item-text" }, item.text),
    h("span", { class: "hv-ref" }, [item.kind, item.ref].filter(Boolean).join(" ")));
}

// What the assistant shows: its report, its question, or the offer that waits.
function sheet(episode, turn) {
  const before = episode.turns.find((other) => other.n === turn.n - 1);
  const said = before?.execution?.message;
  const offer = (episode.proposals || []).find((one) => one.turn < turn.n && turn.n <= one.until);
  if (!said && !offer) return null;
  return h("div", { class: "hv-sheet" },
    said && h("p", {}, h("b", {}, before.execution.end === "question" ? "Assistant asks" : "Assistant"), said),
    offer && h("p", {}, h("b", {}, "Assistant offers"), offer.text),
    offer && h("div", { class: "hv-choices", "aria-hidden": "true" },
      choice("No", turn, offer, "reject"), choice("Look first", turn, offer, "gather_context"), choice("Yes", turn, offer, "accept")));
}

function choice(label, turn, offer, answer) {
  const is = turn.answer?.answer === answer && turn.answer.proposal === offer.id;
  return h("span", { class: is ? "hv-tap" : null }, label);
}

function tapped(turn, action) {
  return turn.step.do === "act" && turn.step.action === action;
}

// Whether the user's step names a record or an app.
function touched(turn, ref) {
  return ref != null && turn.step.do === "act" && Object.values(turn.step.arguments || {}).includes(ref);
}

function caption(screen, turn) {
  return [h("code", {}, `${screen.app} · ${screen.name}`), turn.screen || turn.n === 1 ? null : " (unchanged)"];
}
