// Keeps a page connected to the host: what it shows is `state`, right up to the number `n`; it reconnects by itself.

const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 700;
const SILENT_MS = 12000; // the host sends a beat every 5 s
const FINAL_CODES = new Map([[4401, "link_replaced"], [4409, "opened_elsewhere"]]);

export class Connection {
  // `changed(state, message)` is called after each message of the host, `connected(status)` with "open", "lost",
  // "link_replaced", "opened_elsewhere" or "evening_over"; `answered(answer)` with the host's answer to what was sent.
  constructor({ changed, connected, answered = () => {} }) {
    this.state = { n: null, run: null, captions: [] };
    this.changed = changed;
    this.connected = connected;
    this.answered = answered;
    this.retryMs = FIRST_RETRY_MS;
    this.token = location.pathname.split("/").pop();
    this.lastId = 0;
    this.open();
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
    this.heard();
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
    this.heard();
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
    if (this.retryMs !== 0) this.connected("open");
    this.retryMs = 0;
    this.changed(this.state, message);
  }

  heard() {
    clearTimeout(this.silence);
    const socket = this.socket;
    this.silence = setTimeout(() => {
      socket.close();
      if (socket === this.socket) this.closed(1006); // a dead connection may take long to report its end
    }, SILENT_MS);
  }

  async closed(code) {
    clearTimeout(this.silence);
    this.socket.onclose = null;
    if (FINAL_CODES.has(code)) return this.connected(FINAL_CODES.get(code));
    if (["finished", "called_off"].includes(this.state.phase)) return this.connected("evening_over");
    this.connected("lost");
    if (await this.linkIsGone()) return this.connected("link_replaced");
    this.retryMs = Math.min(LONGEST_RETRY_MS, Math.max(FIRST_RETRY_MS, this.retryMs * 1.5));
    this.retry = setTimeout(() => this.open(), this.retryMs);
  }

  // A refused socket does not say why; the page's own address does.
  async linkIsGone() {
    try {
      return (await fetch(location.pathname, { cache: "no-store", signal: AbortSignal.timeout(1500) })).status === 404;
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
