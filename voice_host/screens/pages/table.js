// The table's page: for a laptop or a television that the clue givers see and the dreamer does not.

import { Announcer } from "./announcer.js";
import { AskingConnection } from "./asking.js";
import { clock, tellTime } from "./clock.js";
import { cover, isCovered, pauseNotice, tellPause } from "./cover.js";
import { h, render } from "./dom.js";
import { fitPage, fitWords } from "./fit.js";
import { tellNews } from "./news.js";
import { Preferences } from "./preferences.js";
import { qrCode } from "./qr.js";
import { captionLine, flagText, penalties, playerList, review, scoreChart, sayLabel, standings, statusLine, tellLine, zones } from "./shared_views.js";
import { loadTexts, ofTable, t, tParts } from "./texts.js";

const FLAG_MILLISECONDS = 20000;
const CONTROLS = ["pause", "resume", "undo", "repeat", "ready", "no_objections", "stop_game"];
const LOBBY = ["counting", "naming", "asking_oldest", "starting"];
const ONE_COLUMN = 8; // as many cards are read in one column of a television
const byId = (id) => document.getElementById(id);

let state = { captions: [] };
let line = "lost";
let flag = null;

await loadTexts();
const announcer = new Announcer(byId("polite"), byId("urgent"));
const preferences = new Preferences(() => { announcer.clear(); show(); }); // what was told in another language is not left standing
const connection = new AskingConnection({ changed(now, message) {
  const before = state;
  state = now;
  preferences.follow(now.language);
  const news = message.type === "update" ? message.captions ?? [] : [];
  for (const caption of news) if (caption.kind === "flag") flag = { caption, word: now.view?.word, until: performance.now() + FLAG_MILLISECONDS };
  show();
  tell(before);
}, connected(how) { line = how; show(); tellLine(how, announcer); } });
setInterval(() => {
  if (!state.view || !(state.timers?.some((timer) => timer.running) || flag)) return;
  show();
  tellTime(state, announcer);
}, 250);
addEventListener("resize", () => { show(); fitWords(); });

function show() {
  const view = state.view ?? {};
  const phase = view.phase ?? "";
  document.title = t("table_title", { phase: t(`phase_${phase}`) });
  document.body.dataset.phase = phase;
  byId("captions").setAttribute("aria-label", t("captions"));
  render(byId("head"), header(view, phase));
  render(byId("main"), statusLine(line), main(view, phase));
  const covered = isCovered(state);
  document.documentElement.toggleAttribute("data-covered", covered);
  byId("main").dataset.smallest = view.points || view.roles || view.claims ? "0.9" : "0.6";
  const lines = covered ? [] : state.captions.map(captionLine).filter(Boolean).slice(-6);
  render(byId("captions"), h("h2", { class: "unseen" }, t("captions")), h("ol", null, lines));
  render(byId("foot"), controls(), foldedLinks(phase), preferences.form());
  fitPage(byId("main"));
}

function header(view, phase) {
  return h("div", { class: "bar" }, h("h1", { tabindex: "-1" }, t(`phase_${phase}`)),
    view.round ? h("p", null, t("round", { number: view.round, dreamer: view.dreamer })) : null);
}

function main(view, phase) {
  if (LOBBY.includes(phase)) return lobby(view);
  const night = ["night", "last_guess"].includes(phase);
  if (isCovered(state)) return [cover(state), playerList(view, { points: false })];
  return [night ? flagBanner() : null, pauseNotice(state), stage(view, phase), view.points ? null : playerList(view, { points: false }), newLinks(phase)];
}

function stage(view, phase) {
  switch (phase) {
    case "falling":
      return h("div", { key: "stage", class: "stage" }, h("p", { key: "falling", class: "hint" }, t("night_is_falling")), clock(state), penalties(view));
    case "night":
    case "last_guess":
      return h("div", { key: "stage", class: "stage" }, wordCard(view), clock(state), zones(view), penalties(view));
    case "story":
      return h("div", { key: "stage", class: "stage" }, h("p", { class: "hint" }, t("story_hint", { dreamer: view.dreamer })), zones(view, { ticks: true }), penalties(view));
    case "review":
      return h("div", { key: "stage", class: "stage cards" }, review(view, cardColumns(view)), view.appeal ? clock(state) : null, penalties(view));
    default:
      return h("div", { key: "stage", class: "stage day" }, winners(view), standings(view), scoreChart(state.score_history, view.players ?? []), penalties(view),
        review(view, cardColumns(view)));
  }
}

function cardColumns(view) { return view.cards?.length > ONE_COLUMN ? 2 : 1; }

function wordCard(view) {
  const turn = view.turn ? h("p", { class: "turn-now" }, t("turn_of", { player: view.turn })) : null;
  if (!view.word) return h("div", { key: "word", class: "word hidden" }, h("p", null, t("word_is_hidden")), turn);
  return h("div", { key: "word", class: "word" }, h("p", { class: "the-word", lang: state.language }, view.word), turn);
}

// A flag tells of one hidden word; with the next one it is out of date.
function flagStands() { return flag && performance.now() < flag.until && flag.word === state.view?.word; }

function flagBanner() {
  if (!flagStands()) return null;
  return h("p", { key: "flag", class: "flag-banner" }, h("span", { "aria-hidden": "true" }, "⚑ "), flagText(flag.caption));
}

function winners(view) {
  if (!view.winners?.length) return null;
  return h("p", { key: "winners", class: "winners" }, t("winners", { players: view.winners }));
}

function lobby(view) {
  return h("div", { key: "lobby", class: "lobby" }, h("p", { class: "hint" }, t(`hint_${view.phase}`)),
    h("ol", { class: "names" }, (view.players ?? []).map((name) => h("li", { key: name }, name, view.uncertain?.includes(name) ? h("span", { class: "tag" }, t("name_uncertain")) : null))), newLinks(view.phase));
}

// Each seat's own link, as a QR code as long as its page is not open. Before the first night they lie open, later they are folded
// away below; there a lost telephone's link can be replaced, too.
function newLinks(phase) {
  if (!seatsAreNew(phase) || !seatLinks().length) return null;
  return h("section", { key: "new-links", class: "links new" }, h("h2", null, linksLabel()), h("ul", null, seatLinks().map((link) => seatLink(link))));
}

function foldedLinks(phase) {
  if (seatsAreNew(phase) || !seatLinks().length || phase === "finished") return null;
  return h("details", { key: "links", class: "links" }, h("summary", null, linksLabel()), h("ul", null, seatLinks().map((link) => seatLink(link,
    h("button", { type: "button", onClick: () => connection.ask({ command: "new_link", viewer: link.viewer }) }, t("new_link", { player: link.viewer }))))));
}

function seatLinks() { return (state.links ?? []).filter((link) => link.viewer !== "table"); }

function isOpen(link) { return Boolean(state.open_pages?.includes(link.viewer)); }

function linksLabel() { return t("seat_links", { count: seatLinks().filter((link) => !isOpen(link)).length }); }

function seatLink(link, more = null) {
  const { viewer, url, qr } = link;
  return h("li", { key: viewer }, h("h3", null, viewer), isOpen(link) ? h("p", null, t("page_is_open")) : qrCode(qr, t("qr_of", { player: viewer })),
    isOpen(link) ? null : h("a", { href: url, target: "_blank", rel: "noreferrer" }, t("open_page_of", { player: viewer })), more);
}

function seatsAreNew(phase) {
  return LOBBY.includes(phase) || (state.view?.round === 1 && (phase === "falling" || (phase === "between" && !state.view.cards)));
}

function controls() {
  const say = state.say ?? {};
  const buttons = CONTROLS.filter((name) => name in say && Object.keys(say[name]).length === 0);
  return h("div", { key: "controls", class: "controls", role: "group", "aria-label": t("controls") },
    buttons.map((name) => h("button", { key: name, type: "button", onClick: () => confirmed(name) && connection.ask({ intent: name }) }, sayLabel(name))));
}

function confirmed(name) { return name !== "stop_game" || confirm(t("really_stop")); }

// What a screen reader is told; covered words are neither told nor left standing.
function tell(before) {
  const view = state.view ?? {};
  tellPause(state, announcer);
  if (isCovered(state)) return;
  announcer.tell("phase", t(`phase_${view.phase}`));
  if (view.word) announcer.tell("word", tParts("the_word_is", { word: ofTable(view.word) }), { urgent: true });
  else announcer.forget("word");
  if (view.turn) announcer.tell("turn", t("turn_of", { player: view.turn }));
  if (flagStands()) announcer.tell("flag", flagText(flag.caption));
  tellNews(state, before, announcer);
}
