// How this reader likes the page: theme, size, language, what is spoken; kept by the browser, for this page's kind only.

import { h } from "./dom.js";
import { languages, t, useLanguage } from "./texts.js";

const THEMES = ["night", "day", "contrast"];
const SIZES = ["100", "125", "150", "200"];
const KEY = `voice-host ${location.pathname.split("/")[1]}`;

export class Preferences {
  constructor(changed) {
    this.changed = changed;
    const bright = matchMedia("(prefers-color-scheme: light)").matches;
    const contrast = matchMedia("(prefers-contrast: more)").matches;
    this.values = { theme: contrast ? "contrast" : bright ? "day" : "night", size: "100", language: "", speak: false, ...stored() };
    this.apply();
  }

  get speak() { return this.values.speak; }

  // The host's language holds until the reader chooses one.
  follow(language) {
    this.hostLanguage = language;
    this.apply();
  }

  set(name, value) {
    this.values[name] = value;
    try { localStorage.setItem(KEY, JSON.stringify(this.values)); } catch { /* a private window forgets; the page works all the same */ }
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
      options.map(([value, text]) => h("option", { value, selected: this.values[name] === value }, text))));
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

function stored() {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; }
}
