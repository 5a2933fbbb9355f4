// The time that is left, counted by the page between the host's messages.

import { secondsLeft } from "./connection.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

const SHOWN = ["night", "last_guess", "clue", "appeal"];
const ROUND = 2 * Math.PI * 44;

// Returns {name, seconds, left, running} of the timer that matters, or null.
export function mainTimer(state) {
  const timers = state.timers ?? [];
  for (const name of SHOWN) {
    const timer = timers.find((one) => one.name === name);
    if (timer) return { ...timer, left: secondsLeft(state, timer) };
  }
  return null;
}

export function digits(seconds) {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

// Returns a ring and digits; the ring is an ornament, the digits are the text.
export function clock(state) {
  const timer = mainTimer(state);
  if (!timer) return null;
  const share = timer.seconds ? timer.left / timer.seconds : 0;
  const label = t(`timer_${timer.name}`);
  return h("div", { key: "clock", class: `clock${timer.left <= 10 ? " short" : ""}`, role: "timer", "aria-live": "off", "aria-label": label },
    h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" },
      h("circle", { class: "track", cx: 50, cy: 50, r: 44 }),
      h("circle", { class: "rest", cx: 50, cy: 50, r: 44, "stroke-dasharray": `${(ROUND * share).toFixed(1)} ${ROUND.toFixed(1)}` })),
    h("span", { class: "digits" }, digits(timer.left)),
    h("span", { class: "label" }, label));
}

const TOLD_SECONDS = [10, 30, 60];

// Tells the night's time once at 60, 30 and 10 seconds; to be called again and again, since it is the page's own clock that counts.
export function tellTime(state, announcer) {
  const timer = (state.timers ?? []).find((one) => one.name === "night");
  const left = timer ? secondsLeft(state, timer) : Infinity;
  if (left > TOLD_SECONDS.at(-1) + 1) announcer.forget("time");
  if (!timer?.running) return;
  const seconds = TOLD_SECONDS.find((one) => left <= one && left > one - 5 && one < timer.seconds);
  if (seconds) announcer.tell("time", t("seconds_left", { number: seconds }));
}
