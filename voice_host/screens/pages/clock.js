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

// Returns the sentence to be read at 60, 30, 10 and 0 seconds, or null at other times.
export function timeSentence(state) {
  const timer = mainTimer(state);
  if (!timer || timer.name !== "night" || !timer.running) return null;
  for (const seconds of [10, 30, 60]) if (timer.left <= seconds && timer.left > seconds - 5) return t("seconds_left", { number: seconds });
  return null;
}
