// A seat's own page: the role, the word where this seat may see it, the host's private messages, and all that can be said as buttons.

import { actions } from "./actions.js";
import { Announcer } from "./announcer.js";
import { AskingConnection } from "./asking.js";
import { clock, tellTime } from "./clock.js";
import { cover, isCovered, pauseNotice, tellPause } from "./cover.js";
import { h, render } from "./dom.js";
import { fitWords } from "./fit.js";
import { tellNews } from "./news.js";
import { Preferences } from "./preferences.js";
import { captionLine, nightPoints, penalties, playerList, review, rolesShown, scoreChart, statusLine, tellLine, zones } from "./shared_views.js";
import { beSilent, canSpeak, speak } from "./private_ear.js";
import { canTalk, release, talkButton } from "./talk.js";
import { loadTexts, ofTable, spoken, t, tParts } from "./texts.js";

const byId = (id) => document.getElementById(id);

let state = { captions: [] };
let line = "lost";
let roleShown = false;
let refusal = ""; // why the last tap was not taken

await loadTexts();
const announcer = new Announcer(byId("polite"), byId("urgent"));
const preferences = new Preferences(() => {
  if (!preferences.speak) beSilent();
  announcer.clear(); // what was told in another language is not left standing
  show();
});
const connection = new AskingConnection({ changed(now, message) {
  const before = state;
  state = now;
  preferences.follow(now.language);
  if (before.view?.round !== now.view?.round) roleShown = false;
  show();
  tell(before, message.type === "update" ? message.captions ?? [] : []);
}, connected(how) {
  line = how;
  if (how === "open" && refusal === "not_connected") refuse("");
  if (how !== "open") release();
  show();
  tellLine(how, announcer);
} });
setInterval(() => {
  if (!state.view || !state.timers?.some((timer) => timer.running)) return;
  show();
  tellTime(state, announcer);
}, 250);
addEventListener("resize", fitWords);

function show() {
  const view = state.view ?? {};
  document.title = t("seat_title", { player: state.viewer ?? "", phase: t(`phase_${view.phase ?? ""}`) });
  document.body.dataset.phase = view.phase ?? "";
  const covered = isCovered(state) && !dreams(view);
  document.documentElement.toggleAttribute("data-covered", covered);
  render(byId("head"), h("div", { class: "bar" }, h("h1", { tabindex: "-1" }, state.viewer ?? "voice_host"), h("p", null, t(`phase_${view.phase ?? ""}`),
    view.round ? ` · ${t("round", { number: view.round, dreamer: view.dreamer })}` : "")));
  const why = refusal ? h("p", { key: "refusal", class: "answer" }, t(`refused_${refusal}`)) : null;
  render(byId("main"), statusLine(line), ...(covered ? [cover(state), why, actions(state, send), playerList(view)] : [pauseNotice(state),
    dreams(view) ? dreamerPart(view) : giverPart(view), said(), why, actions(state, send), privateMessages(), playerList(view), captionsPart()]));
  render(byId("foot"), preferences.form([canSpeak() ? preferences.checkbox("speak", t("speak_to_me")) : null]));
  fitWords();
}

function dreams(view) { return view.dreamer === state.viewer && ["falling", "night", "last_guess", "story"].includes(view.phase); }

function dreamerPart(view) {
  return h("section", { key: "dreamer", class: "dreamer" }, h("h2", null, t("you_dream")), h("p", null, t(`dreamer_hint_${view.phase}`),
    state.microphone && canTalk() && ["night", "last_guess"].includes(view.phase) ? ` ${t("dreamer_hint_button")}` : ""), clock(state),
    talkButton(connection, state.microphone, show));
}

function giverPart(view) {
  const waits = ["asking_oldest", "starting"].includes(view.phase) ? h("p", { key: "waits", class: "hint" }, t("seat_waits")) : null;
  return h("div", { key: "giver", class: "giver" }, waits, word(view), turnNotice(view), clock(state), role(view), zones(view, { ticks: ["story", "review"].includes(view.phase) }),
    winners(view), review(view), rolesShown(view), nightPoints(view), scoreChart(state.score_history, view.players ?? []), penalties(view));
}

function word(view) {
  if (!["night", "last_guess"].includes(view.phase)) return null;
  if (!view.word) return h("p", { key: "word", class: "word hidden" }, t("word_is_hidden"));
  return h("p", { key: "word", class: "word" }, h("span", { class: "label" }, t("the_word")), h("span", { class: "the-word", lang: state.language }, view.word));
}

function turnNotice(view) {
  if (!view.turn) return null;
  const mine = view.turn === state.viewer;
  return h("p", { key: "turn", class: `turn-now${mine ? " mine" : ""}` }, mine ? t("your_turn") : t("turn_of", { player: view.turn }));
}

function role(view) {
  if (!view.role) return null;
  return h("section", { key: "role", class: "role" }, h("button", { type: "button", "aria-expanded": String(roleShown), onClick: () => { roleShown = !roleShown; show(); if (roleShown) mention(t("your_role", { role: t(`role_${view.role}`) })); } },
    t(roleShown ? "hide_role" : "show_role")),
  roleShown ? h("p", { class: "the-role" }, h("strong", null, t(`role_${view.role}`)), " ", t(`role_hint_${view.role}`)) : null);
}

function winners(view) {
  if (!view.winners?.length) return null;
  return h("p", { key: "winners", class: "winners" }, t("winners", { players: view.winners }));
}

function said() {
  const last = state.captions.findLast((caption) => caption.kind === "said" && caption.text);
  return last ? h("p", { key: "said", class: "host-says" }, h("b", null, t("host")), " ", ofTable(last.text)) : null;
}

function privateMessages() {
  const mine = state.captions.filter((caption) => caption.kind === "said" && caption.private && caption.text).slice(-3);
  if (!mine.length) return null;
  return h("details", { key: "private", class: "private" }, h("summary", null, t("for_you_alone")), h("ul", null, mine.map((caption) => h("li", null, ofTable(caption.text)))));
}

function captionsPart() {
  return h("details", { key: "captions", class: "captions" }, h("summary", null, t("captions")), h("ol", null, state.captions.map(captionLine).filter(Boolean).slice(-12)));
}

async function send(intent, slots) {
  const reply = await connection.ask({ intent, slots });
  refuse(reply.ok ? "" : reply.reason);
  show();
}

function refuse(reason) {
  refusal = reason;
  announcer.forget("refusal");
  if (reason) announcer.tell("refusal", t(`refused_${reason}`), { urgent: true });
}

function mention(parts) { if (preferences.speak) speak(spoken([parts].flat())); }

// What a screen reader, or the page's own voice in an earphone, tells this seat; covered words are neither told nor left standing.
function tell(before, news) {
  const view = state.view ?? {};
  tellPause(state, announcer);
  if (isCovered(state)) {
    if (!isCovered(before)) beSilent();
    return;
  }
  announcer.tell("phase", t(`phase_${view.phase}`));
  if (view.word) {
    const parts = tParts("the_word_is", { word: ofTable(view.word) });
    announcer.tell("word", parts, { urgent: true });
    if (view.word !== before.view?.word) mention(parts);
  } else announcer.forget("word");
  if (view.turn === state.viewer) {
    announcer.tell("turn", t("your_turn"), { urgent: true });
    if (before.view?.turn !== view.turn) mention(t("your_turn"));
  } else if (view.turn) announcer.tell("turn", t("turn_of", { player: view.turn }));
  tellNews(state, before, announcer);
  for (const caption of news) {
    if (caption.kind === "said" && caption.private && caption.text) {
      announcer.tell("private", [ofTable(caption.text)]);
      mention([ofTable(caption.text)]);
    }
  }
}
