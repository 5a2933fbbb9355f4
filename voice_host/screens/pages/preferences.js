// How this reader likes the page, kept by the browser. Theme, size and language hold for all pages of a kind; what speaks secrets
// holds for one seat's own link alone, so that nothing begins to speak on another seat's page.

import { h } from "./dom.js";
import { languages, t, useLanguage, useTableLanguage } from "./texts.js";

const THEMES = ["night", "day", "contrast"];
const SIZES = ["100", "125", "150", "200"];
const LOOKS = ["theme", "size", "language"];
const KEY = `voice-host ${location.pathname.split("/")[1]}`;
const OWN_KEY = `${KEY} ${fingerprint(location.pathname)}`;

export class Preferences {
  constructor(changed) {
    this.changed = changed;
    const bright = matchMedia("(prefers-color-scheme: light)").matches;
    const contrast = matchMedia("(prefers-contrast: more)").matches;
    this.values = { theme: contrast ? "contrast" : bright ? "day" : "night", size: "100", language: "", ...only(LOOKS, stored(KEY)), speak: stored(OWN_KEY).speak === true };
    this.apply();
  }

  get speak() { return this.values.speak; }

  // The host's language holds until the reader chooses one.
  follow(language) {
    this.hostLanguage = language;
    useTableLanguage(language);
    this.apply();
  }

  set(name, value) {
    this.values[name] = value;
    const [key, kept] = LOOKS.includes(name) ? [KEY, only(LOOKS, this.values)] : [OWN_KEY, { speak: this.values.speak }];
    try { localStorage.setItem(key, JSON.stringify(kept)); } catch { /* a private window forgets; the page works all the same */ }
    this.apply();
    this.changed();
  }

  apply() {
    const root = document.documentElement;
    root.dataset.theme = THEMES.includes(this.values.theme) ? this.values.theme : "night";
    root.dataset.size = SIZES.includes(this.values.size) ? this.values.size : "100";
    useLanguage(this.values.language || this.hostLanguage || "en");
  }

  // Returns the form that changes them.
  form(more = []) {
    const select = (name, label, options) => h("label", { key: name }, label, h("select", { onChange: (event) => this.set(name, event.target.value), value: this.values[name], name },
      options.map(([value, text]) => h("option", { value, lang: name === "language" && value ? value : null, selected: this.values[name] === value }, text))));
    return h("details", { key: "preferences", class: "preferences" }, h("summary", null, t("preferences")), h("div", { class: "fields" },
      select("theme", t("theme"), THEMES.map((theme) => [theme, t(`theme_${theme}`)])),
      select("size", t("size"), SIZES.map((size) => [size, t("percent", { number: size })])),
      select("language", t("language"), [["", t("language_of_table")], ...languages().map(({ code, name }) => [code, name])]),
      more));
  }

  checkbox(name, label) {
    return h("label", { key: name, class: "check" }, h("input", { type: "checkbox", checked: Boolean(this.values[name]), onChange: (event) => this.set(name, event.target.checked) }), label);
  }
}

function stored(key) {
  try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; }
}

function only(names, values) { return Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]])); }

// Returns 32 bits that tell one link from another (FNV-1a) and open nothing: no token is kept.
function fingerprint(text) {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193) >>> 0;
  return hash.toString(16);
}
