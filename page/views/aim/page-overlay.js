// The page over the live picture: its outline, its text, its top, and how well it is aimed at.

import { pageLines, pageSentence } from "../../core/page-view.js";
import { toggleButton } from "../../dom/action.js";
import { h, replace, setText, svg } from "../../dom/element.js";
import { poll } from "../../dom/poll.js";

/** The pause between two questions in milliseconds; the rig reads the page at its own pace. */
const INTERVAL = 350;
/** The shortest time between two sentences in milliseconds, which a screen reader reads out. */
const SENTENCE_INTERVAL = 1000;

/**
 * Makes the overlay, which follows the page until a signal is aborted.
 *
 * @param {object} context the page's context
 * @param {AbortSignal} signal
 */
export function makePageOverlay({ api }, signal) {
  const overlay = svg("svg", {
    class: "page-overlay", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true",
  });
  const score = h("meter", { min: "0", max: "1", low: "0.5", high: "0.9", optimum: "1", value: "0", "aria-label": "Aim" });
  const sentence = h("span", { "aria-live": "polite" });
  const note = h("p", { class: "aim-score" }, score, " ", sentence);
  let isOn = true;
  let said = -Infinity;

  function say(text) {
    const now = performance.now();
    if (now - said < SENTENCE_INTERVAL || sentence.textContent === text) return;
    said = now;
    setText(sentence, text);
  }

  function show(report) {
    const { outline, regions, arrow } = pageLines(report);
    replace(overlay,
      regions.map((box) => polygon("page-region", box)),
      outline && [polygon("page-ground", outline), polygon("page-outline", outline)],
      arrow && [
        svg("line", { class: "page-up", x1: arrow[0][0], y1: arrow[0][1], x2: arrow[1][0], y2: arrow[1][1] }),
        svg("circle", { class: "page-top", cx: arrow[1][0], cy: arrow[1][1], r: 1.5 }),
      ]);
    score.setAttribute("value", report.aim.toFixed(2));
    say(pageSentence(report));
  }

  function clear() {
    replace(overlay);
    score.setAttribute("value", "0");
  }

  poll(async () => {
    if (!isOn) return;
    const report = await api.get("v1/preview/page", {}, signal);
    if (isOn) show(report);
  }, INTERVAL, signal, (error) => {
    if (!error) return;
    clear();
    say(error.message);
  });

  return {
    overlay,
    note,
    control: toggleButton("Page", true, (next) => {
      isOn = next;
      note.hidden = !next;
      if (!next) clear();
    }),
  };
}

function polygon(name, corners) {
  return svg("polygon", { class: name, points: corners.map((corner) => corner.map((value) => value.toFixed(2)).join(",")).join(" ") });
}
