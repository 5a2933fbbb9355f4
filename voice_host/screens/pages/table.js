// The table's page: for a laptop or a television that the clue givers see and the dreamer does not.

import { Announcer } from "./announcer.js";
import { AskingConnection } from "./asking.js";
import { clock, timeSentence } from "./clock.js";
import { h, render } from "./dom.js";
import { Preferences } from "./preferences.js";
import { qrCode } from "./qr.js";
import { captionLine, flagText, nightPoints, pauseNotice, penalties, playerList, review, rolesShown, scoreChart, sayLabel, statusLine, zones } from "./shared_views.js";
import { loadTexts, t } from "./texts.js";

const FLAG_MILLISECONDS = 20000;
const CONTROLS = ["pause", "resume", "undo", "repeat", "ready", "no_objections", "stop_game"];
const byId = (id) => document.getElementById(id);

let state = { captions: [] };
let line = "lost";
let flag = null;

await loadTexts();
const announcer = new Announcer(byId("polite"), byId("urgent"));
const preferences = new Preferences(() => show());
const connection = new AskingConnection({ changed(now, message) {
  state = now;
  preferences.follow(now.language);
  const news = message.type === "update" ? message.captions ?? [] : [];
  for (const caption of news) if (caption.kind === "flag") flag = { caption, until: performance.now() + FLAG_MILLISECONDS };
  show();
  tell();
}, connected(how) { line = how; show(); } });
setInterval(() => { if (state.view && (state.timers?.some((timer) => timer.running) || flag)) show(); }, 250);

function show() {
  const view = state.view ?? {};
  const phase = view.phase ?? "";
  document.title = t("table_title", { phase: t(`phase_${phase}`) });
  document.body.dataset.phase = phase;
  byId("captions").setAttribute("aria-label", t("captions"));
  render(byId("head"), header(view, phase));
  render(byId("main"), statusLine(line), main(view, phase));
  render(byId("captions"), h("h2", { class: "unseen" }, t("captions")), h("ol", null, state.captions.map(captionLine).filter(Boolean).slice(-6)));
  render(byId("foot"), controls(), preferences.form());
}

function header(view, phase) {
  return h("div", { class: "bar" }, h("h1", null, t(`phase_${phase}`)),
    view.round ? h("p", null, t("round", { number: view.round, dreamer: view.dreamer })) : null);
}

function main(view, phase) {
  const inLobby = ["counting", "naming", "asking_oldest", "starting"].includes(phase);
  if (inLobby) return lobby(view);
  return [["night", "last_guess"].includes(phase) ? flagBanner() : null, pauseNotice(view, state.paused), stage(view, phase), playerList(view), links()];
}

function stage(view, phase) {
  switch (phase) {
    case "night":
    case "last_guess":
    case "falling":
      return h("div", { key: "stage", class: "stage" }, wordCard(view, phase), clock(state), zones(view), penalties(view));
    case "story":
      return h("div", { key: "stage", class: "stage" }, h("p", { class: "hint" }, t("story_hint", { dreamer: view.dreamer })), zones(view, { ticks: true }), penalties(view));
    default:
      return h("div", { key: "stage", class: "stage day" }, winners(view), review(view), rolesShown(view), nightPoints(view),
        scoreChart(state.score_history, view.players ?? []), penalties(view));
  }
}

function wordCard(view, phase) {
  const turn = view.turn ? h("p", { class: "turn-now" }, t("turn_of", { player: view.turn })) : null;
  if (state.paused || !view.word) return h("div", { key: "word", class: "word hidden" }, h("p", null, t(phase === "falling" ? "night_is_falling" : "word_is_hidden")), turn);
  return h("div", { key: "word", class: "word" }, h("p", { class: "the-word", lang: state.language }, view.word), turn);
}

function flagBanner() {
  if (!flag || performance.now() > flag.until) return null;
  return h("p", { key: "flag", class: "flag-banner" }, h("span", { "aria-hidden": "true" }, "⚑ "), flagText(flag.caption));
}

function winners(view) {
  if (!view.winners?.length) return null;
  return h("p", { key: "winners", class: "winners" }, t("winners", { players: view.winners }));
}

function lobby(view) {
  return h("div", { key: "lobby", class: "lobby" }, h("p", { class: "hint" }, t(`hint_${view.phase}`)),
    h("ol", { class: "names" }, (view.players ?? []).map((name) => h("li", { key: name }, name, view.uncertain?.includes(name) ? h("span", { class: "tag" }, t("name_uncertain")) : null))), links());
}

// Each seat's own link, as a QR code as long as its page is not open; a lost telephone's link can be replaced.
function links() {
  const seats = (state.links ?? []).filter((link) => link.viewer !== "table");
  if (!seats.length || state.view?.phase === "finished") return null;
  const isOpen = (link) => state.open_pages?.includes(link.viewer);
  return h("details", { key: "links", class: "links" }, h("summary", null, t("seat_links", { count: seats.filter((link) => !isOpen(link)).length })), h("ul", null, seats.map((link) =>
    h("li", { key: link.viewer }, h("h2", null, link.viewer), isOpen(link) ? h("p", null, t("page_is_open")) : qrCode(link.qr, t("qr_of", { player: link.viewer })),
      isOpen(link) ? null : h("a", { href: link.url, target: "_blank", rel: "noreferrer" }, t("open_page_of", { player: link.viewer })),
      h("button", { type: "button", onClick: () => connection.ask({ command: "new_link", viewer: link.viewer }) }, t("new_link", { player: link.viewer }))))));
}

function controls() {
  const say = state.say ?? {};
  const buttons = CONTROLS.filter((name) => name in say && Object.keys(say[name]).length === 0);
  return h("div", { key: "controls", class: "controls", role: "group", "aria-label": t("controls") },
    buttons.map((name) => h("button", { key: name, type: "button", onClick: () => confirmed(name) && connection.ask({ intent: name }) }, sayLabel(name))));
}

function confirmed(name) { return name !== "stop_game" || confirm(t("really_stop")); }

function tell() {
  const view = state.view ?? {};
  if (state.paused) announcer.tell("pause", t("paused"), true);
  else announcer.forget("pause");
  announcer.tell("phase", t(`phase_${view.phase}`));
  if (view.word && !state.paused) announcer.tell("word", t("the_word_is", { word: view.word }), true);
  else announcer.forget("word");
  if (view.turn) announcer.tell("turn", t("turn_of", { player: view.turn }));
  if (flag && performance.now() < flag.until) announcer.tell("flag", flagText(flag.caption));
  announcer.tell("time", timeSentence(state));
}
