// The words of the pages, in every language the host has; a page may read another language than the table plays in.

let all = {};
let language = "en";

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

// Returns the text of that name with {slots} filled in; a list is joined as the language joins lists.
export function t(name, slots = {}) {
  const text = all[language]?.[name] ?? all.en?.[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (_, slot) => written(slots[slot]));
}

export function has(name) { return name in (all[language] ?? {}) || name in (all.en ?? {}); }

export function written(value) {
  return Array.isArray(value) ? new Intl.ListFormat(language, { type: "conjunction" }).format(value.map(String)) : String(value ?? "");
}
