// Makes elements. Data reaches the page only as text and attributes, never as markup.

const SVG = "http://www.w3.org/2000/svg";

// An element: h("p", {class: "x", onclick: f}, "text", child, [more], null).
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

function set(element, name, value) {
  if (value == null || value === false) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
  else element.setAttribute(name, value === true ? "" : value);
}

function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false));
}

// Text that only a screen reader has.
function hidden(text) {
  return h("span", { class: "hv-hidden" }, text);
}

// Strokes in a box of 24 by 24.
const ICONS = {
  apartment: "M4 21V10l8-6 8 6v11h-5v-6H9v6z",
  back: "M15 5l-7 7 7 7",
  bag: "M5 8h14l1 13H4zM9 8a3 3 0 0 1 6 0",
  cab: "M3 16v-3l2-6h14l2 6v3zM6 16v3M18 16v3M5 12h14",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  check: "M5 13l4 4L19 7",
  clock: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 7v5l3 2",
  contacts: "M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8M4 21c0-5 4-7 8-7s8 2 8 7",
  cross: "M6 6l12 12M18 6L6 18",
  email: "M3 6h18v13H3zM3 7l9 7 9-7",
  eye: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7M12 9a3 3 0 1 0 0 6a3 3 0 0 0 0-6",
  files: "M3 6h6l2 3h10v11H3z",
  hand: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 9a3 3 0 1 0 0 6a3 3 0 0 0 0-6",
  idle: "M9 7v10M15 7v10",
  messaging: "M4 5h16v11h-9l-5 4v-4H4z",
  notes: "M6 3h9l4 4v14H6zM9 11h7M9 15h7",
  offer: "M4 4h16v12H10l-5 5v-5H4zM12 7v3M12 12.5v.5",
  reminder: "M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4",
  shopping: "M5 8h14l1 13H4zM9 8a3 3 0 0 1 6 0",
  spark: "M12 3v5M12 16v5M3 12h5M16 12h5M6 6l3 3M15 15l3 3M18 6l-3 3M9 15l-3 3",
  system: "M7 3h10v18H7zM11 18h2",
  tool: "M14 6a4 4 0 0 0 5 5l-9 9-4-4 9-9zM14 6l3-3 4 4-3 3",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
};

function icon(name, extra = "") {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", `hv-icon ${extra}`);
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name] || ICONS.hand);
  picture.append(path);
  return picture;
}

// The coloured tile of an app; the colour follows from its name.
function tile(app) {
  const hue = HUES[app] ?? [...app].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const inner = ICONS[app] ? icon(app) : app.slice(0, 1).toUpperCase();
  return h("span", { class: "hv-tile", style: { "--hue": hue }, "aria-hidden": "true" }, inner);
}

const HUES = {
  apartment: 25, cab: 45, calendar: 5, contacts: 265, email: 215,
  files: 195, messaging: 140, notes: 50, reminder: 330, shopping: 175, system: 220,
};
