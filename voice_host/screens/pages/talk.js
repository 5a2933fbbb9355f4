// The dreamer's push-to-talk: the page's microphone goes to the host as long as the button, or the space bar on it, is held.

import { h } from "./dom.js";
import { t } from "./texts.js";

const RATE = 16000;
let stream = null; // {context, source, node} while the microphone is open
let held = false;
let fault = "";

export function canTalk() { return Boolean(navigator.mediaDevices?.getUserMedia && window.AudioWorkletNode); }

export function talkButton(connection, wanted, changed) {
  if (!wanted || !canTalk()) return null;
  const press = (event) => { event.preventDefault(); start(connection).then(changed); changed(); };
  const release = () => { stop(connection); changed(); };
  return h("div", { key: "talk", class: "talk" },
    h("button", { type: "button", class: held ? "held" : null, "aria-pressed": String(held), onPointerDown: press, onPointerUp: release, onPointerCancel: release, onBlur: release,
      onKeyDown: (event) => { if ((event.key === " " || event.key === "Enter") && !event.repeat) press(event); }, onKeyUp: (event) => { if (event.key === " " || event.key === "Enter") release(); } },
    t(held ? "talk_held" : "talk")), fault ? h("p", { role: "alert" }, t(fault)) : null);
}

async function start(connection) {
  if (held) return;
  held = true;
  fault = "";
  try {
    stream ??= await openMicrophone(connection);
  } catch {
    held = false;
    fault = "microphone_refused";
    return;
  }
  if (!held) return; // let go while the browser asked
  const answer = await connection.ask({ talk: true });
  if (!answer.ok) { held = false; fault = "microphone_not_wanted"; }
}

function stop(connection) {
  if (!held) return;
  held = false;
  connection.ask({ talk: false });
}

async function openMicrophone(connection) {
  const sound = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true } });
  const context = new AudioContext({ sampleRate: RATE }); // the browser resamples
  await context.audioWorklet.addModule("/pages/talk_worklet.js");
  const source = context.createMediaStreamSource(sound);
  const node = new AudioWorkletNode(context, "pieces");
  node.port.onmessage = (event) => { if (held) connection.sendSound(event.data); };
  source.connect(node);
  return { context, source, node };
}
