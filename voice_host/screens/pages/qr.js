// Draws a QR code from its rows of 0 and 1.

import { h } from "./dom.js";

export function qrCode(rows, label) {
  const size = rows.length + 8; // four modules of quiet all round
  const path = rows.flatMap((row, y) => [...row].map((cell, x) => (cell === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return h("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label },
    h("rect", { width: size, height: size, fill: "#fff" }), h("path", { d: path, fill: "#000" }));
}
