// Keeps a page connected to the host: what it shows is `state`, right up to the number `n`; it reconnects by itself.

const RETRY_MS = 250;
const CONNECT_MS = 800; // a network that swallows packets lets an attempt hang for minutes ...
const LONGEST_CONNECT_MS = 4000; // ... and a busy host needs its time
const BEAT_MS = 5000; // the host is never silent for longer
const SILENT_MS = 2.4 * BEAT_MS;
const TOO_MANY = 4503;
const TOO_MANY_RETRY_MS = 5000; // until somebody closes a page
const FINAL_CODES = new Map([[4401, "link_replaced"], [4409, "opened_elsewhere"]]);

export class Connection {
  // `changed(state, message)` is called after each message of the host, `connected(status)` with "open", "lost",
  // "link_replaced", "opened_elsewhere", "too_many" or "evening_over"; `answered(answer)` with the host's answer to what was sent.
  constructor({ changed, connected, answered = () => {} }) {
    this.state = { n: null, run: null, captions: [] };
    this.changed = changed;
    this.connected = connected;
    this.answered = answered;
    this.status = null;
    this.connectMs = CONNECT_MS;
    this.token = location.pathname.split("/").pop();
    this.lastId = 0;
    this.open();
    addEventListener("online", () => {
      this.connectMs = CONNECT_MS;
      this.lookAgain(0);
    });
    addEventListener("pageshow", () => this.lookAgain(1.2 * BEAT_MS));
    document.addEventListener("visibilitychange", () => document.hidden || this.lookAgain(1.2 * BEAT_MS));
  }

  open() {
    clearTimeout(this.retry);
    const { n, run } = this.state;
    const known = n === null ? "" : `?since=${n}&run=${encodeURIComponent(run)}`;
    const socket = new WebSocket(`ws://${location.host}/socket/${this.token}${known}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onmessage = (event) => {
      if (socket === this.socket) this.take(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.closed(event.code);
    };
    this.giveUpAfter(this.connectMs);
    this.connectMs = Math.min(LONGEST_CONNECT_MS, this.connectMs * 1.5);
  }

  // The network or the reader is back: a connection that has been silent for so long is taken for dead.
  lookAgain(silentMs) {
    if (this.status === "open" && performance.now() - this.heardAt >= silentMs) this.dead();
    else if (this.status === "lost" || this.status === "too_many") this.open();
  }

  // Sends an intent, as {intent, slots}; returns the id that the answer will bear, or null when there is no connection.
  send(body) {
    if (this.socket.readyState !== WebSocket.OPEN) return null;
    this.lastId += 1;
    this.socket.send(JSON.stringify({ ...body, id: this.lastId }));
    return this.lastId;
  }

  // Sends an ArrayBuffer of 16 kHz mono int16.
  sendSound(buffer) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(buffer);
  }

  take(message) {
    this.heardAt = performance.now();
    this.giveUpAfter(SILENT_MS);
    if (message.type === "answer") {
      this.answered(message);
      return;
    }
    if (message.type === "snapshot") {
      this.state = message;
    } else {
      const { captions = [], ...values } = message;
      this.state = { ...this.state, ...values, captions: [...this.state.captions, ...captions].slice(-200) };
    }
    if (message.timers) this.state.timersAt = performance.now();
    this.connectMs = CONNECT_MS;
    if (this.status !== "open") this.tell("open");
    this.changed(this.state, message);
  }

  giveUpAfter(ms) {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.dead(), ms);
  }

  // Leaves a socket that says nothing; its own end may be reported late.
  dead() {
    this.socket.close();
    this.closed(1006);
  }

  async closed(code) {
    clearTimeout(this.silence);
    clearTimeout(this.retry);
    this.socket.onclose = null;
    if (FINAL_CODES.has(code)) return this.tell(FINAL_CODES.get(code));
    if (["finished", "called_off"].includes(this.state.phase)) return this.tell("evening_over");
    if (code === TOO_MANY) {
      this.retry = setTimeout(() => this.open(), TOO_MANY_RETRY_MS);
      return this.status === "too_many" || this.tell("too_many");
    }
    this.retry = setTimeout(() => this.open(), RETRY_MS);
    if (this.status !== "lost") this.tell("lost");
    if (await this.linkIsGone()) this.leave("link_replaced");
  }

  leave(status) {
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    this.socket.onclose = null;
    this.socket.close();
    this.tell(status);
  }

  tell(status) {
    this.status = status;
    this.connected(status);
  }

  // A refused socket does not say why; the page's own address does.
  async linkIsGone() {
    try {
      return (await fetch(location.pathname, { cache: "no-store", signal: AbortSignal.timeout(CONNECT_MS) })).status === 404;
    } catch {
      return false;
    }
  }
}

// Returns the seconds that a timer of the state has left now.
export function secondsLeft(state, timer) {
  const since = timer.running ? (performance.now() - state.timersAt) / 1000 : 0;
  return Math.max(0, timer.left - since);
}
