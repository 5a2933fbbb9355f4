// Makes what must be read in one look fit into it: a hidden word never breaks, and a television never scrolls at night.

const TELEVISION = matchMedia("(min-width: 62rem) and (min-height: 40rem)");
const SIZES = [1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6];
const ROOT = document.documentElement;

let fitted = "";

// Shrinks each hidden word until its longest part between two spaces fits into its line.
export function fitWords() {
  for (const word of document.querySelectorAll(".the-word")) {
    word.style.fontSize = "";
    const wide = word.scrollWidth / word.clientWidth;
    if (wide > 1) word.style.fontSize = `${(parseFloat(getComputedStyle(word).fontSize) / wide) * 0.98}px`;
  }
}

// Shrinks all of the television's texts together, as little as must be, until `main` needs no scrolling; where its `data-smallest`
// forbids more, it scrolls.
export function fitPage(main) {
  const now = [main.textContent.replace(/\d+:\d\d/g, ""), main.childElementCount, innerWidth, innerHeight, ROOT.dataset.size, ROOT.lang, main.clientHeight].join("\n");
  if (now === fitted) return;
  for (const size of TELEVISION.matches ? SIZES.filter((one) => one >= Number(main.dataset.smallest)) : [1]) {
    ROOT.style.setProperty("--fit", size);
    fitWords();
    if (main.scrollHeight <= main.clientHeight) break;
  }
  main.tabIndex = main.scrollHeight > main.clientHeight ? 0 : -1; // what scrolls must be reached by keyboard
  fitted = now.replace(/\d+$/, main.clientHeight);
}
