// What the table's page and a seat's page both show.

import { h } from "./dom.js";
import { has, t } from "./texts.js";

export function playerList(view) {
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
      view.scores && name in view.scores ? h("span", { class: "points" }, t("points", { count: view.scores[name] })) : null);
  }));
}

// The two zones; told words of a dream are ticked.
export function zones(view, { ticks = false } = {}) {
  if (!view.yellow && !view.blue) return null;
  const zone = (name, words) => h("section", { key: name, class: `zone ${name}` },
    h("h2", null, h("span", { class: "mark", "aria-hidden": "true" }, name === "yellow" ? "✓" : "✗"), t(`zone_${name}`, { count: words.length })),
    h("ul", null, words.map((word, place) => {
      const told = ticks && (view.told ?? []).includes(word);
      return h("li", { key: `${place} ${word}`, class: told ? "told" : null }, ticks ? h("span", { class: "tick", "aria-hidden": "true" }, told ? "☑" : "☐") : null, word,
        ticks ? h("span", { class: "unseen" }, t(told ? "was_told" : "not_told")) : null);
    })));
  return h("div", { key: "zones", class: "zones" }, zone("yellow", view.yellow ?? []), zone("blue", view.blue ?? []));
}

export function penalties(view) {
  const cards = view.penalty_cards ?? [];
  if (!cards.length) return null;
  return h("section", { key: "penalties", class: "penalties" }, h("h2", null, t("penalties")),
    h("ul", null, cards.map((card, place) => h("li", { key: place }, t("penalty_card", { player: card.player, word: card.word })))));
}

export function review(view) {
  if (!view.cards) return null;
  return h("section", { key: "review", class: "review" }, h("h2", null, t("review")),
    h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": t("review") }, h("table", null,
      h("thead", null, h("tr", null, ["card", "word", "heard", "verdict"].map((name) => h("th", { scope: "col" }, t(`column_${name}`))))),
      h("tbody", null, view.cards.map((card) => h("tr", { key: card.number, class: card.verdict },
        h("th", { scope: "row" }, String(card.number)),
        h("td", null, card.word),
        h("td", null, card.heard ?? t("given_up")),
        h("td", null, verdict(card), view.appeal?.number === card.number ? h("span", { class: "tag warn" }, t("under_appeal")) : null)))))),
    view.appeal ? h("p", { class: "appeal" }, t("appeal_votes", { number: view.appeal.number, agreed: view.appeal.agreed, disagreed: view.appeal.disagreed })) : null);
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

// The evening as lines: one a player, a point a night; the table under it says the same without sight.
export function scoreChart(history, players) {
  if (!history || history.length < 2) return null;
  const most = Math.max(1, ...history.flatMap((scores) => Object.values(scores)));
  const x = (night) => 6 + (88 * night) / (history.length - 1);
  const y = (points) => 54 - (48 * Math.max(0, points)) / most;
  const labels = spread(players.map((name) => y(history.at(-1)[name] ?? 0)));
  return h("figure", { key: "chart", class: "chart" }, h("figcaption", null, t("chart")),
    h("svg", { viewBox: "0 0 120 60", "aria-hidden": "true" },
      h("line", { x1: 6, y1: 54, x2: 94, y2: 54, class: "axis" }),
      players.map((name, number) => {
        const points = history.map((scores) => scores[name] ?? 0);
        return h("g", { key: name, class: `line line${number % 12}` },
          h("polyline", { points: points.map((value, night) => `${x(night).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }),
          h("text", { x: 96, y: (labels[number] + 1).toFixed(1) }, `${name} ${points.at(-1)}`));
      })),
    h("div", { class: "unseen" }, h("table", null, h("caption", null, t("chart")), h("tbody", null, players.map((name) =>
      h("tr", { key: name }, h("th", { scope: "row" }, name), history.map((scores, night) => h("td", { key: night }, String(scores[name] ?? 0)))))))));
}

// Moves labels apart that would lie on each other; the highest stays.
function spread(heights) {
  const moved = [...heights];
  let free = -Infinity;
  for (const place of heights.map((_, place) => place).sort((one, other) => heights[one] - heights[other])) {
    moved[place] = Math.max(heights[place], free);
    free = moved[place] + 4;
  }
  return moved;
}

export function captionLine(caption) {
  switch (caption.kind) {
    case "heard": return h("li", { class: "heard" }, h("b", null, caption.speaker ?? t("somebody")), " ", caption.text);
    case "tapped": return h("li", { class: "heard" }, h("b", null, caption.speaker ?? t("somebody")), " ", t("tapped", { what: sayLabel(caption.intent), value: Object.values(caption.slots).join(" ") }));
    case "said": return caption.text === null
      ? h("li", { class: "said" }, h("b", null, t("host")), " ", t("said_in_private", { player: caption.to }))
      : h("li", { class: "said" }, h("b", null, t("host")), " ", caption.text);
    case "flag": return h("li", { class: "flag" }, h("b", null, "⚑"), " ", flagText(caption));
    default: return null;
  }
}

export function flagText(flag) {
  const kind = flag.slots.kind;
  return t(`flag_${flag.reason}`, { ...flag.slots, kind: kind ? t(`kind_${kind}`) : "" });
}

export function sayLabel(intent) { return has(`say_${intent}`) ? t(`say_${intent}`) : intent; }

// `how` is what the connection says of itself.
export function statusLine(how) {
  if (how === "open" || how === "evening_over") return null;
  return h("p", { key: "status", class: "status", role: "status" }, t(`connection_${how}`));
}

export function pauseNotice(view, paused) {
  if (!paused) return null;
  return h("section", { key: "paused", class: "paused" }, h("h2", null, t("paused")), h("p", null, t(paused === "asked" ? "paused_asked" : has(`paused_${paused}`) ? `paused_${paused}` : "paused_fault")));
}
