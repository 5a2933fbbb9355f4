// Past evenings: the list, one evening's nights, and its captions again in time. Only read, never changed.

import { h, render } from "./dom.js";
import { Preferences } from "./preferences.js";
import { captionLine, nightPoints, penalties, review, rolesShown, scoreChart } from "./shared_views.js";
import { has, loadTexts, t, useTableLanguage } from "./texts.js";

const SPEEDS = ["1", "2", "5", "20"];
const SHOWN = 12;
const byId = (id) => document.getElementById(id);

let evenings = null;
let evening = null;
let problem = "";
const replay = { second: 0, playing: false, speed: 5, at: 0 };

await loadTexts();
const preferences = new Preferences(() => show());
await load("evenings.json", (found) => { evenings = found; });
addEventListener("hashchange", choose);
await choose();
setInterval(tick, 200);

async function load(path, take) {
  try {
    const answer = await fetch(`${location.pathname}/${path}`);
    if (answer.ok) { take(await answer.json()); problem = ""; }
    else problem = await answer.text();
  } catch { problem = t("history_gone"); }
}

async function choose() {
  const id = decodeURIComponent(location.hash.slice(1));
  evening = null;
  Object.assign(replay, { second: 0, playing: false });
  if (id) await load(`evening/${encodeURIComponent(id)}.json`, (found) => { evening = found; useTableLanguage(found.language); });
  show();
  byId("main").focus();
}

function tick() {
  if (!replay.playing) return;
  const now = performance.now();
  replay.second = Math.min(evening.seconds, replay.second + ((now - replay.at) / 1000) * replay.speed);
  replay.at = now;
  if (replay.second >= evening.seconds) replay.playing = false;
  show();
}

function show() {
  document.title = t("history_title");
  render(byId("head"), h("div", { class: "bar" }, h("h1", null, evening ? evening.id : t("history_title"))));
  render(byId("main"), problem ? h("p", { key: "problem", class: "status", role: "alert" }, problem) : null, evening ? one() : location.hash.length > 1 ? back() : list());
  render(byId("foot"), preferences.form());
}

function list() {
  if (!evenings?.length) return h("p", { key: "none" }, t("history_none"));
  return h("div", { key: "list", class: "wide", tabindex: "0", role: "region", "aria-label": t("history_title") }, h("table", null,
    h("thead", null, h("tr", null, ["evening", "players", "state"].map((name) => h("th", { scope: "col" }, t(`history_${name}`))))),
    h("tbody", null, evenings.map((kept) => h("tr", { key: kept.id },
      h("th", { scope: "row" }, h("a", { href: `#${encodeURIComponent(kept.id)}` }, kept.began)),
      h("td", null, kept.players.join(", ") || "–"),
      h("td", null, has(`history_state_${kept.state}`) ? t(`history_state_${kept.state}`) : kept.state))))));
}

function back() { return h("p", { key: "back" }, h("a", { href: "#" }, t("history_back"))); }

function one() {
  return h("div", { key: "evening", class: "stage" }, back(),
    evening.winners.length ? h("p", { key: "winners", class: "winners" }, t("winners", { players: evening.winners })) : null,
    scoreChart(evening.score_history, evening.players),
    evening.nights.map((night) => h("section", { key: `night ${night.number}`, class: "stage" },
      h("h2", null, t("round", { number: night.number, dreamer: night.dreamer })),
      review(night), rolesShown(night), nightPoints(night), penalties(night))),
    captions());
}

function captions() {
  const past = evening.captions.filter((caption) => caption.t <= replay.second).slice(-SHOWN);
  return h("section", { key: "replay", class: "stage", "aria-label": t("history_replay") }, h("h2", null, t("history_replay")),
    h("div", { class: "controls" },
      h("button", { key: "play", type: "button", onClick: playOrPause }, t(replay.playing ? "history_stop" : "history_play")),
      h("label", { key: "second" }, t("history_second"), h("input", { type: "range", min: 0, max: Math.ceil(evening.seconds), step: 1, value: String(Math.round(replay.second)), "aria-valuetext": time(replay.second),
        onInput: (event) => { replay.second = Number(event.target.value); show(); } })),
      h("label", { key: "speed" }, t("history_speed"), h("select", { name: "speed", value: String(replay.speed), onChange: (event) => { replay.speed = Number(event.target.value); show(); } },
        SPEEDS.map((speed) => h("option", { value: speed }, `× ${speed}`)))),
      h("p", { key: "time" }, time(replay.second))),
    h("div", { key: "lines", role: "log", tabindex: "0", "aria-label": t("captions") }, h("ol", null, past.map(captionLine).filter(Boolean))));
}

function playOrPause() {
  if (replay.second >= evening.seconds) replay.second = 0;
  Object.assign(replay, { playing: !replay.playing, at: performance.now() });
  show();
}

function time(seconds) { return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`; }
