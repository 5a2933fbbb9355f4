// What the table's page and a seat's page both show.

import { h } from "./dom.js";
import { has, ofTable, t, tParts } from "./texts.js";

export function playerList(view, { points = true } = {}) {
  const players = view.players ?? [];
  return h("ul", { key: "players", class: "players" }, players.map((name) => {
    const dreaming = name === view.dreamer;
    const turn = name === view.turn;
    const cards = view.penalties?.[name] ?? 0;
    return h("li", { key: name, class: `player${turn ? " turn" : ""}`, "aria-current": turn ? "true" : null },
      h("span", { class: "name" }, name),
      dreaming ? h("span", { class: "tag" }, t("dreamer")) : null,
      turn ? h("span", { class: "tag strong" }, t("speaks_now")) : null,
      cards ? h("span", { class: "tag warn" }, t("penalty_cards", { count: cards })) : null,
      points && view.scores && name in view.scores ? h("span", { class: "points" }, t("points", { count: view.scores[name] })) : null);
  }));
}

// The two zones; told words of a dream are ticked.
export function zones(view, { ticks = false } = {}) {
  if (!view.yellow && !view.blue) return null;
  const zone = (name, words) => h("section", { key: name, class: `zone ${name}` },
    h("h2", null, h("span", { class: "mark", "aria-hidden": "true" }, name === "yellow" ? "✓" : "✗"), t(`zone_${name}`, { count: words.length })),
    h("ul", null, words.map((word, place) => {
      const told = ticks && (view.told ?? []).includes(word);
      return h("li", { key: `${place} ${word}`, class: told ? "told" : null }, ticks ? h("span", { class: "tick", "aria-hidden": "true" }, told ? "☑" : "☐") : null, ofTable(word),
        ticks ? h("span", { class: "unseen" }, t(told ? "was_told" : "not_told")) : null);
    })));
  return h("div", { key: "zones", class: "zones" }, zone("yellow", view.yellow ?? []), zone("blue", view.blue ?? []));
}

export function penalties(view) {
  const cards = view.penalty_cards ?? [];
  if (!cards.length) return null;
  return h("section", { key: "penalties", class: "penalties" }, h("h2", null, t("penalties")),
    h("ul", null, cards.map((card, place) => h("li", { key: place }, tParts("penalty_card", { player: card.player, word: ofTable(card.word) })))));
}

// The cards of a night; `columns`: as many tables beside each other, for a wide screen. Roles are written out because a narrow page
// lays the rows out anew, which not every browser takes for a table then.
export function review(view, columns = 1) {
  if (!view.cards) return null;
  const share = Math.max(1, Math.ceil(view.cards.length / columns));
  const parts = Array.from({ length: Math.max(1, Math.ceil(view.cards.length / share)) }, (_, part) => view.cards.slice(part * share, (part + 1) * share));
  return h("section", { key: "review", class: "review" }, h("h2", null, t("review")),
    h("div", { class: "review-columns" }, parts.map((cards, part) => reviewTable(view, cards, part))),
    view.appeal ? h("p", { key: "appeal", class: "appeal" }, t("appeal_votes", { number: view.appeal.number, agreed: view.appeal.agreed, disagreed: view.appeal.disagreed })) : null);
}

function reviewTable(view, cards, part) {
  return h("table", { key: part, role: "table", "aria-label": t("review") },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ["card", "word", "heard", "verdict"].map((name) => h("th", { role: "columnheader", scope: "col", class: name === "verdict" ? name : null }, t(`column_${name}`))))),
    h("tbody", { role: "rowgroup" }, cards.map((card) => h("tr", { key: card.number, role: "row", class: card.verdict },
      h("th", { role: "rowheader", scope: "row" }, String(card.number)),
      h("td", { role: "cell" }, ofTable(card.word)),
      h("td", { role: "cell" }, card.heard === null ? t("given_up") : ofTable(card.heard)),
      h("td", { role: "cell", class: "verdict" }, verdict(card), view.appeal?.number === card.number ? [" ", h("span", { class: "tag warn" }, t("under_appeal"))] : null)))));
}

function verdict(card) {
  const mark = { right: "✓", wrong: "✗", unsure: "?" }[card.verdict];
  return [h("span", { class: "mark", "aria-hidden": "true" }, mark), " ", t(`verdict_${card.verdict}`)];
}

export function rolesShown(view) {
  const roles = view.roles ?? view.claims;
  if (!roles || !Object.keys(roles).length) return null;
  return h("section", { key: "roles", class: "roles" }, h("h2", null, t("roles")),
    h("dl", null, Object.entries(roles).map(([name, role]) => h("div", { key: name }, h("dt", null, name), h("dd", null, t(`role_${role}`))))));
}

export function nightPoints(view) {
  if (!view.points) return null;
  return h("section", { key: "points", class: "night-points" }, h("h2", null, t("night_points")),
    view.bonus === true ? h("p", null, t("bonus_earned", { dreamer: view.dreamer })) : null,
    h("dl", null, Object.entries(view.points).map(([name, points]) => h("div", { key: name }, h("dt", null, name), h("dd", null, t("points", { count: points }))))));
}

// Who was who, what the night brought and what there is in all, in one table for a wide screen.
export function standings(view) {
  const roles = view.roles ?? view.claims ?? {};
  if (!view.points && !Object.keys(roles).length) return null;
  const columns = ["slot_player", "slot_role", ...(view.points ? ["phase_night", "column_total"] : [])];
  return h("section", { key: "standings", class: "standings" }, h("h2", { class: "unseen" }, t("night_points")),
    view.bonus === true ? h("p", null, t("bonus_earned", { dreamer: view.dreamer })) : null,
    h("table", null, h("thead", null, h("tr", null, columns.map((name) => h("th", { scope: "col" }, t(name))))),
      h("tbody", null, view.players.map((name) => h("tr", { key: name }, h("th", { scope: "row" }, name),
        h("td", null, roles[name] ? t(`role_${roles[name]}`) : name === view.dreamer ? t("dreamer") : "–"),
        view.points ? [h("td", null, String(view.points[name] ?? 0)), h("td", null, String(view.scores?.[name] ?? 0))] : null)))));
}

const LABEL = 9; // the height of a chart's letters, as .chart text has it; the lines themselves are 88 wide

// The evening as lines: one a player, a point a night; the table under it says the same without sight.
export function scoreChart(history, players) {
  if (!history || history.length < 2) return null;
  const most = Math.max(1, ...history.flatMap((scores) => Object.values(scores)));
  const label = (name) => `${name} ${history.at(-1)[name] ?? 0}`;
  const width = Math.ceil(100 + 0.65 * LABEL * Math.max(...players.map((name) => label(name).length + (label(name).match(/[\u1100-\uffff]/g) ?? []).length)));
  const height = Math.max(60, (players.length + 1) * LABEL * 1.1);
  const x = (night) => 6 + (88 * night) / (history.length - 1);
  const y = (points) => height - 6 - ((height - 12) * Math.max(0, points)) / most;
  const labels = spread(players.map((name) => y(history.at(-1)[name] ?? 0)), height - 2);
  return h("figure", { key: "chart", class: "chart" }, h("figcaption", null, t("chart")),
    h("svg", { viewBox: `0 0 ${width} ${height.toFixed(0)}`, "aria-hidden": "true" },
      h("line", { x1: 6, y1: height - 6, x2: 94, y2: height - 6, class: "axis" }),
      players.map((name, number) => {
        const points = history.map((scores) => scores[name] ?? 0);
        return h("g", { key: name, class: `line line${number % 12}` },
          h("polyline", { points: points.map((value, night) => `${x(night).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }),
          h("text", { x: 96, y: (labels[number] + LABEL / 3).toFixed(1) }, label(name)));
      })),
    h("div", { class: "unseen" }, h("table", null, h("caption", null, t("chart")), h("tbody", null, players.map((name) =>
      h("tr", { key: name }, h("th", { scope: "row" }, name), history.map((scores, night) => h("td", { key: night }, String(scores[name] ?? 0)))))))));
}

// Moves labels apart that would lie on each other, down from the highest, and up again from the lowest where there is no room left.
function spread(heights, lowest) {
  const moved = [...heights];
  const order = heights.map((_, place) => place).sort((one, other) => heights[one] - heights[other]);
  let free = -Infinity;
  for (const place of order) free = (moved[place] = Math.max(moved[place], free)) + LABEL * 1.1;
  free = lowest;
  for (const place of order.reverse()) free = (moved[place] = Math.min(moved[place], free)) - LABEL * 1.1;
  return moved;
}

export function captionLine(caption) {
  switch (caption.kind) {
    case "heard": return h("li", { class: "heard" }, h("b", null, caption.speaker ?? t("somebody")), " ", ofTable(caption.text));
    case "tapped": return h("li", { class: "heard" }, h("b", null, caption.speaker ?? t("somebody")), " ", tParts("tapped", { what: sayLabel(caption.intent), value: ofTable(Object.values(caption.slots).join(" ")) }));
    case "said": return caption.text === null
      ? h("li", { class: "said" }, h("b", null, t("host")), " ", t("said_in_private", { player: caption.to }))
      : h("li", { class: "said" }, h("b", null, t("host")), " ", ofTable(caption.text));
    case "flag": return h("li", { class: "flag" }, h("b", null, "⚑"), " ", flagText(caption));
    default: return null;
  }
}

// Returns a flag's sentence, in parts.
export function flagText(flag) {
  const { kind, clue, word, ...slots } = flag.slots;
  return tParts(`flag_${flag.reason}`, { ...slots, clue: ofTable(clue), word: ofTable(word), kind: kind ? t(`kind_${kind}`) : "" });
}

export function sayLabel(intent) { return has(`say_${intent}`) ? t(`say_${intent}`) : intent; }

// `how` is what the connection says of itself; it is shown at once, and told when it lasts (see `tellLine`).
export function statusLine(how) {
  if (how === "open" || how === "evening_over") return null;
  return h("p", { key: "status", class: "status" }, t(`connection_${how}`));
}

const LINE_MILLISECONDS = 1500;
let telling;

// Tells that the line is lost, unless it is back within a moment; takes it back when it is.
export function tellLine(how, announcer) {
  clearTimeout(telling);
  if (how === "open" || how === "evening_over") announcer.forget("line");
  else telling = setTimeout(() => announcer.tell("line", t(`connection_${how}`), { urgent: true }), LINE_MILLISECONDS);
}
