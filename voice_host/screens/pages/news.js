// What a screen reader is told of a night beside the word, the turn and the time: fouls, and cards that went into a zone.

import { COVERED_PHASES } from "./cover.js";
import { ofTable, t, tParts } from "./texts.js";

const MOST_CARDS = 2; // whoever was away for longer reads the zones

// Tells what is new since `before`; politely, one sentence each. Only what this page's view shows can be told.
export function tellNews(state, before, announcer) {
  const view = state.view ?? {};
  const old = before.view;
  if (!old || old.round !== view.round) return;
  for (const [player, count] of Object.entries(view.penalties ?? {})) {
    if (count <= (old.penalties?.[player] ?? 0)) continue;
    announcer.tell(`foul ${player}`, player === state.viewer ? t("foul_on_you", { count }) : t("foul_on", { player, count }));
  }
  if (!COVERED_PHASES.includes(view.phase)) return;
  for (const zone of ["yellow", "blue"]) {
    const cards = old[zone] ? (view[zone] ?? []).slice(old[zone].length) : [];
    if (cards.length > MOST_CARDS) continue;
    for (const word of cards) announcer.tell(`${zone} ${word}`, tParts(`went_${zone}`, { word: ofTable(word) }));
  }
}
