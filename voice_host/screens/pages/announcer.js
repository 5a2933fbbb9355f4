// Tells a screen reader what has changed, without flooding it: of each kind only the newest, one sentence at a time.

const PAUSE_MILLISECONDS = 1200;

export class Announcer {
  constructor(polite, urgent) {
    this.regions = { polite, urgent };
    this.waiting = new Map();
    this.last = new Map();
    this.busy = false;
  }

  // Says a text once; a newer one of the same kind replaces one that still waits. Urgent: before everything else.
  tell(kind, text, urgent = false) {
    if (!text || this.last.get(kind) === text) return;
    this.last.set(kind, text);
    if (urgent) { this.say("urgent", kind, text); return; }
    this.waiting.delete(kind);
    this.waiting.set(kind, text);
    if (!this.busy) this.next();
  }

  // Takes back what was told of a kind, where it still stands, and lets the same text be told again.
  forget(kind) {
    this.last.delete(kind);
    this.waiting.delete(kind);
    for (const region of Object.values(this.regions)) if (region.dataset.kind === kind) region.replaceChildren();
  }

  next() {
    const [kind] = this.waiting.keys();
    this.busy = kind !== undefined;
    if (!this.busy) return;
    this.say("polite", kind, this.waiting.get(kind));
    this.waiting.delete(kind);
    setTimeout(() => this.next(), PAUSE_MILLISECONDS);
  }

  say(name, kind, text) {
    const node = document.createElement("p");
    node.textContent = text;
    this.regions[name].dataset.kind = kind;
    this.regions[name].replaceChildren(node);
  }
}
