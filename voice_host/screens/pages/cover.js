// The clock stands at night: somebody's eyes may be open, and nothing that a word can be read from stays on a page.

import { h } from "./dom.js";
import { has, t } from "./texts.js";

// The phases in which the dreamer is blindfolded.
export const COVERED_PHASES = ["falling", "night", "last_guess", "story"];

export function isCovered(state) {
  return Boolean(state.paused || state.view?.paused) && COVERED_PHASES.includes(state.view?.phase);
}

export function cover(state) {
  return h("section", { key: "cover", class: "cover" }, h("h2", null, t("covered")), h("p", null, pauseReason(state)));
}

// By day nothing is hidden, and the notice only says why the clock stands.
export function pauseNotice(state) {
  if (!state.paused) return null;
  return h("section", { key: "paused", class: "paused" }, h("h2", null, t("paused")), h("p", null, pauseReason(state)));
}

// Tells the pause at once; what was told before, and may hold the word, is taken back.
export function tellPause(state, announcer) {
  if (!state.paused) { announcer.forget("pause"); return; }
  const parts = [t(isCovered(state) ? "covered" : "paused"), ". ", pauseReason(state)];
  if (isCovered(state) && !announcer.told("pause", parts)) announcer.clear();
  announcer.tell("pause", parts, { urgent: true, atOnce: true });
}

function pauseReason(state) {
  const why = state.paused ?? state.view?.paused;
  return t(has(`paused_${why}`) ? `paused_${why}` : "paused_fault");
}
