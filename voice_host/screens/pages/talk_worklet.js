// Turns the microphone's sound into pieces of 64 ms, 16 bit.

const PIECE_SAMPLES = 1024;

class Pieces extends AudioWorkletProcessor {
  constructor() {
    super();
    this.piece = new Int16Array(PIECE_SAMPLES);
    this.filled = 0;
  }

  process([[samples]]) {
    if (!samples) return true;
    for (const sample of samples) {
      this.piece[this.filled++] = Math.max(-1, Math.min(1, sample)) * 32767;
      if (this.filled === PIECE_SAMPLES) {
        this.port.postMessage(this.piece.buffer.slice(0));
        this.filled = 0;
      }
    }
    return true;
  }
}

registerProcessor("pieces", Pieces);
