// Tells a screen reader what has changed, without flooding it and without losing anything: what comes together is said together.
//
// Each of the two regions holds one text at a time. Sentences that arrive within a moment are joined into it; what comes while it
// is still being read waits, of each kind only the newest. A pause does not wait: it cuts short whatever is read.

import { h, render } from "./dom.js";
import { plain } from "./texts.js";

const GATHER_MILLISECONDS = 120;
const READING_MILLISECONDS = 700;
const LETTER_MILLISECONDS = 45;
const ENDS = /[.!?…。！？]$/u;

export class Announcer {
  constructor(polite, urgent) {
    this.regions = { polite: new Region(polite), urgent: new Region(urgent) };
    this.last = new Map();
  }

  // Says a text (or its parts, see `tParts`) once; a newer one of the same kind replaces one that still waits.
  tell(kind, parts, { urgent = false, atOnce = false } = {}) {
    if (!parts?.length) return;
    const text = [parts].flat();
    const said = text.map(plain).join("");
    if (this.last.get(kind) === said) return;
    this.last.set(kind, said);
    for (const region of Object.values(this.regions)) region.waiting.delete(kind);
    this.regions[urgent ? "urgent" : "polite"].add(kind, text, atOnce);
  }

  told(kind, parts) { return this.last.get(kind) === parts.map(plain).join(""); }

  clear() { for (const kind of [...this.last.keys()]) this.forget(kind); }

  // Takes back what was told of a kind, where it still stands, and lets the same text be told again.
  forget(kind) {
    if (!this.last.delete(kind)) return;
    for (const region of Object.values(this.regions)) region.forget(kind);
  }
}

class Region {
  constructor(node) {
    this.node = node;
    this.waiting = new Map();
    this.shown = [];
    this.freeAt = 0;
  }

  add(kind, parts, atOnce) {
    this.waiting.set(kind, parts);
    if (atOnce) this.freeAt = 0;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.next(), Math.max(GATHER_MILLISECONDS, this.freeAt - performance.now()));
  }

  next() {
    if (!this.waiting.size) return;
    this.shown = [...this.waiting].map(([kind, parts]) => ({ kind, parts: sentence(parts) }));
    this.waiting.clear();
    const letters = this.shown.reduce((sum, { parts }) => sum + parts.map(plain).join("").length, 0);
    this.freeAt = performance.now() + READING_MILLISECONDS + LETTER_MILLISECONDS * letters;
    this.node.replaceChildren(); // the same sentence as before is news, too
    this.draw();
  }

  forget(kind) {
    this.waiting.delete(kind);
    if (!this.shown.some((one) => one.kind === kind)) return;
    this.shown = this.shown.filter((one) => one.kind !== kind);
    this.draw();
  }

  draw() {
    render(this.node, this.shown.length ? h("p", null, this.shown.map(({ kind, parts }) => h("span", { key: kind }, parts))) : null);
  }
}

function sentence(parts) {
  const text = parts.map(plain).join("");
  return ENDS.test(text) ? [...parts, " "] : [...parts, ". "];
}
