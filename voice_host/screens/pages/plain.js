// Shows all that the host sends, as it is, and a button for each thing that can be said without a word.

import { Connection, secondsLeft } from "/pages/connection.js";

const stateLine = document.getElementById("state");
const dump = document.getElementById("dump");
const buttons = document.getElementById("buttons");

function show(state) {
  document.documentElement.lang = state.language;
  const { texts, links, ...rest } = state;
  dump.textContent = JSON.stringify(rest, null, 1);
  buttons.replaceChildren(
    ...Object.entries(state.say)
      .filter(([, slots]) => Object.keys(slots).length === 0)
      .map(([name]) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name.replaceAll("_", " ");
        button.onclick = () => connection.send({ intent: name });
        return button;
      }),
  );
}

function connected(status) {
  stateLine.textContent = status;
}

const connection = new Connection({ changed: show, connected });

setInterval(() => {
  const { state } = connection;
  const left = (state.timers ?? []).map((timer) => `${timer.name} ${Math.ceil(secondsLeft(state, timer))}`);
  if (left.length > 0) stateLine.textContent = left.join(", ");
}, 500);
