// The list of all episodes, and their content: packs in the page, or in files beside it.
// Nothing is unpacked before it is asked for.

const COLUMNS = ["scenario", "type", "kind", "observer", "executor", "user", "setting", "outcome", "cause", "what"];

class Store {
  constructor(root) {
    this.root = root;
    const index = JSON.parse(root.querySelector(".hv-index").textContent);
    this.folder = index.folder;
    this.rows = Array.from({ length: index.count }, (_, place) => rowAt(index, place));
    this.places = new Map(this.rows.map((row) => [row.key, row]));
    this.packs = new Map();
    this.waiting = new Map();
    // Files beside the page call this.
    window.heronPack = (number, text) => this.waiting.get(number)?.(text);
  }

  // The values that a column has, the most frequent first.
  values(column) {
    const counts = new Map();
    for (const row of this.rows) counts.set(row[column], (counts.get(row[column]) || 0) + 1);
    return [...counts].filter(([value]) => value !== "").sort((a, b) => b[1] - a[1]);
  }

  // Episodes of the same scenario and seed under other configurations.
  siblings(row) {
    return this.rows.filter((other) => other.scenario === row.scenario && other.seed === row.seed);
  }

  // The content of an episode.
  async content(row) {
    if (row.pack < 0) throw new Error("This page holds the episode's row only, not its turns.");
    if (!this.packs.has(row.pack)) {
      const opened = this.open(row.pack);
      this.packs.set(row.pack, opened);
      opened.catch(() => this.packs.delete(row.pack));
    }
    return (await this.packs.get(row.pack))[row.key];
  }

  async open(number) {
    const element = this.root.querySelector(`.hv-pack[data-pack="${number}"]`);
    return unpack(element ? element.textContent : await this.fetch(number));
  }

  // A page opened from disk may load a script, and nothing else.
  fetch(number) {
    const file = `${encodeURIComponent(this.folder)}/${String(number).padStart(3, "0")}.js`;
    return new Promise((resolve, reject) => {
      const script = h("script", {
        src: file,
        onload: () => reject(new Error(`The file ${file} holds other episodes.`)),
        onerror: () => reject(new Error(`The file ${file} is not beside this page.`)),
      });
      this.waiting.set(number, resolve);
      document.head.append(script);
    }).finally(() => this.waiting.delete(number));
  }
}

function rowAt(index, place) {
  const row = { place };
  for (const name of COLUMNS) row[name] = index.named[name].values[index.named[name].of[place]];
  for (const [name, values] of Object.entries(index.counted)) row[name] = values[place];
  row.key = `${row.scenario}.${row.seed}.${index.tail[place]}`;
  row.passed = index.passed[place] === "1";
  row.detail = index.detail[place];
  row.pack = index.pack[place];
  return row;
}

// Base64 of gzip of JSON.
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
