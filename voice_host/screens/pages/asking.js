// Waits for the host's answer to what a page has sent.

import { Connection } from "./connection.js";

const NOT_CONNECTED = { ok: false, reason: "not_connected" };

export class AskingConnection extends Connection {
  constructor(listeners) {
    super({ ...listeners, answered: (answer) => this.answer(answer) });
  }

  // Sends {intent, slots}, {command} or {talk}; resolves with the host's answer {ok, reason}.
  ask(body) {
    const id = this.send(body);
    if (id === null) return Promise.resolve(NOT_CONNECTED);
    return new Promise((resolve) => { (this.waiting ??= new Map()).set(id, resolve); });
  }

  answer(answer) {
    this.waiting?.get(answer.id)?.(answer);
    this.waiting?.delete(answer.id);
  }

  closed(code) {
    for (const resolve of this.waiting?.values() ?? []) resolve(NOT_CONNECTED);
    this.waiting?.clear();
    return super.closed(code);
  }
}
