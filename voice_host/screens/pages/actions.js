// Everything that can be said now, as buttons: a tap is the same as a spoken word.

import { h } from "./dom.js";
import { sayLabel } from "./shared_views.js";
import { has, t } from "./texts.js";

const GROUPS = {
  now: ["clue", "pass", "guess", "correct_guess", "give_up", "story", "wake_up", "foul", "withdraw", "appeal", "agree", "disagree", "no_objections", "claim_role", "ready", "yes", "no", "start",
    "player_count", "player_name", "player_names", "correct_name", "oldest", "start_over", "join"],
  ask: ["whose_turn", "time_left", "score", "repeat", "help", "tell_turns", "stop_telling_turns"],
  host: ["pause", "resume", "undo", "speak_slower", "speak_faster", "speak_louder", "speak_softer", "change_voice", "leave", "stop_game"],
};
const ASK_FIRST = new Set(["stop_game", "leave", "start_over"]);
const HIDDEN = new Set(["player_names"]);

let open = null;

// Returns the groups of buttons; `send(intent, slots)` is called with what was chosen.
export function actions(state, send) {
  const say = state.say ?? {};
  const known = new Set(Object.values(GROUPS).flat());
  const others = Object.keys(say).filter((name) => !known.has(name));
  return Object.entries({ ...GROUPS, host: [...GROUPS.host, ...others] }).map(([group, names]) => {
    const here = names.filter((name) => name in say && !HIDDEN.has(name));
    if (!here.length) return null;
    return h("section", { key: group, class: `actions ${group}`, "aria-labelledby": `actions-${group}` }, h("h2", { id: `actions-${group}` }, t(`actions_${group}`)),
      h("div", { class: "buttons" }, here.map((name) => button(name, say[name], send, state))));
  });
}

function button(name, slots, send, state) {
  const fields = Object.entries(slots).filter(([slot]) => !ownSlot(name, slot));
  const own = Object.fromEntries(Object.keys(slots).filter((slot) => ownSlot(name, slot)).map((slot) => [slot, state.viewer]));
  if (!fields.length) {
    return h("button", { key: name, type: "button", onClick: () => { if (!ASK_FIRST.has(name) || confirm(t("really", { what: sayLabel(name) }))) send(name, own); } }, sayLabel(name));
  }
  return h("details", { key: name, class: "action", open: open === name, onToggle: (event) => { if (event.target.open) open = name; else if (open === name) open = null; } },
    h("summary", null, sayLabel(name)),
    h("form", { onSubmit: (event) => { event.preventDefault(); submit(event.target, name, own, send); } }, fields.map(([slot, { values, open: free }]) => field(name, slot, values, free)),
      h("button", { type: "submit" }, t("send"))));
}

// On a seat's own page some slots are the seat itself: whose role it is, who leaves.
function ownSlot(name, slot) { return slot === "player" && (name === "claim_role" || name === "leave"); }

function field(name, slot, values, free) {
  const label = t(`slot_${slot}`);
  if (free) return h("label", { key: slot }, label, h("input", { name: slot, type: "text", autocomplete: "off", autocapitalize: "off", maxlength: 200 }));
  const optional = slot === "kind" || (name === "foul" && slot === "player");
  return h("label", { key: slot }, label, h("select", { name: slot }, optional ? h("option", { value: "" }, t("not_said")) : null,
    values.map((value) => h("option", { value }, has(`${slot}_${value}`) ? t(`${slot}_${value}`) : value))));
}

function submit(form, name, own, send) {
  const slots = { ...own };
  for (const [slot, value] of new FormData(form)) if (value.trim()) slots[slot] = value.trim();
  form.reset();
  open = null;
  const details = form.closest("details");
  details.open = false;
  details.querySelector("summary").focus(); // the field that had it is hidden now
  send(name, slots);
}
