// The dreamer's push-to-talk: the page's microphone goes to the host as long as the button, or a key on it, is held.
//
// Letting go may be seen in many ways, and any of them ends it: the pointer is up, wherever it was moved to; the key is up,
// wherever the focus is now; the window or the page is left; the button goes. Only a track that is on can be sent.

import { h } from "./dom.js";
import { t } from "./texts.js";

const RATE = 16000;
const KEYS = new Set([" ", "Enter"]);
let opening = null; // a promise of {context, sound} while the microphone is open
let press = null; // {connection, changed} while the button is held
let fault = "";

addEventListener("pointerup", release);
addEventListener("pointercancel", release);
addEventListener("keyup", (event) => { if (KEYS.has(event.key)) release(); });
addEventListener("blur", release);
addEventListener("pagehide", closeMicrophone);
document.addEventListener("visibilitychange", () => { if (document.hidden) closeMicrophone(); });

export function canTalk() { return Boolean(navigator.mediaDevices?.getUserMedia && window.AudioWorkletNode); }

export function talkButton(connection, wanted, changed) {
  if (!wanted) closeMicrophone();
  if (!wanted) return null;
  if (!canTalk()) return h("p", { key: "talk", class: "no-microphone" }, t(window.isSecureContext ? "microphone_missing" : "microphone_not_secure"));
  const hold = (event) => {
    event.preventDefault();
    event.currentTarget.focus();
    if (event.pointerId !== undefined) event.currentTarget.setPointerCapture(event.pointerId);
    start(connection, changed);
  };
  const held = press !== null;
  return h("div", { key: "talk", class: "talk" },
    h("button", { key: "hold", type: "button", class: held ? "held" : null, "aria-pressed": String(held), onPointerDown: hold, onLostPointerCapture: release, onBlur: release,
      onContextMenu: (event) => event.preventDefault(), onKeyDown: (event) => { if (KEYS.has(event.key)) event.preventDefault(); if (KEYS.has(event.key) && !event.repeat) hold(event); } },
    t(held ? "talk_held" : "talk")), fault ? h("p", { key: "fault", role: "alert" }, t(fault)) : null);
}

async function start(connection, changed) {
  if (press) return;
  const mine = { connection, changed };
  press = mine;
  fault = "";
  changed();
  try {
    opening ??= openMicrophone();
    const { context, sound } = await opening;
    if (press !== mine) return; // let go while the browser asked
    context.resume();
    for (const track of sound.getTracks()) track.enabled = true;
  } catch {
    opening = null;
    failed(mine, "microphone_refused");
    return;
  }
  if (press !== mine) { mute(); return; }
  const answer = await connection.ask({ talk: true });
  if (!answer.ok) failed(mine, "microphone_not_wanted");
}

function failed(mine, why) {
  if (press !== mine) return;
  fault = why;
  release();
}

// Lets go; may be called at any time, and more than once.
export function release() {
  if (!press) return;
  const { connection, changed } = press;
  press = null;
  mute();
  connection.ask({ talk: false });
  queueMicrotask(changed);
}

function mute() {
  opening?.then(({ sound }) => { if (!press) for (const track of sound.getTracks()) track.enabled = false; }, () => {});
}

function closeMicrophone() {
  release();
  opening?.then(({ context, sound }) => { for (const track of sound.getTracks()) track.stop(); context.close(); }, () => {});
  opening = null;
}

async function openMicrophone() {
  const sound = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true } });
  const context = new AudioContext({ sampleRate: RATE }); // the browser resamples
  await context.audioWorklet.addModule("/pages/talk_worklet.js");
  const source = context.createMediaStreamSource(sound);
  const node = new AudioWorkletNode(context, "pieces");
  node.port.onmessage = (event) => { if (press) press.connection.sendSound(event.data); };
  source.connect(node);
  return { context, sound };
}
