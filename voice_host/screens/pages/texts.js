// The words of the pages, in every language the host has; a page may read another language than the table plays in.

import { h } from "./dom.js";

let all = {};
let language = "en";
let tableLanguage = "en";

export async function loadTexts() {
  all = await (await fetch("/pages/texts.json")).json();
}

export function languages() {
  return Object.entries(all).map(([code, texts]) => ({ code, name: texts.language_name }));
}

export function useLanguage(code) {
  language = code in all ? code : "en";
  document.documentElement.lang = language;
}

export function useTableLanguage(code) { tableLanguage = code; }

// Returns what was said, heard or printed at the table as a part of the page that says its own language, or null for nothing.
export function ofTable(text, props = {}) {
  return text === null || text === undefined || text === "" ? null : h("span", { lang: tableLanguage, ...props }, String(text));
}

// Returns the text of that name with {slots} filled in; a list is joined as the language joins lists.
export function t(name, slots = {}) { return tParts(name, slots).map(plain).join(""); }

// Returns the same in parts, for `h` and `render`: a slot that came from `ofTable` stays a part of its own, with its language.
export function tParts(name, slots = {}) {
  const text = all[language]?.[name] ?? all.en?.[name] ?? name;
  return text.split(/(\{\w+\})/).filter(Boolean).map((piece) => {
    const slot = piece.match(/^\{(\w+)\}$/)?.[1];
    const value = slot === undefined ? piece : slots[slot];
    return isPart(value) ? value : slot === undefined ? piece : written(value);
  });
}

export function has(name) { return name in (all[language] ?? {}) || name in (all.en ?? {}); }

// Returns the parts as what can be spoken: [{text, lang}], neighbours of one language together.
export function spoken(parts) {
  const pieces = [];
  for (const part of parts) {
    const piece = { text: plain(part), lang: isPart(part) ? part.props.lang : language };
    if (pieces.at(-1)?.lang === piece.lang) pieces.at(-1).text += piece.text;
    else pieces.push(piece);
  }
  return pieces.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

export function plain(part) { return isPart(part) ? part.children.map(plain).join("") : String(part); }

function isPart(value) { return typeof value === "object" && value !== null && "tag" in value; }

function written(value) {
  return Array.isArray(value) ? new Intl.ListFormat(language, { type: "conjunction" }).format(value.map(String)) : String(value ?? "");
}
