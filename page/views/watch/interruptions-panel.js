// Interruptions and warnings as a time line.

import { factsOf } from "../../core/codes.js";
import { scale, timeLine, timeTicks } from "../../core/chart.js";
import { clockTime, hourAndMinute, spoken } from "../../core/time.js";
import { problemLine, showProblem } from "../../dom/action.js";
import { h, panel, replace, svg } from "../../dom/element.js";

const WIDTH = 480;
const ROW = 14;
const DAY = 86_400_000;
const LEAST = 3_600_000;

/** Makes the panel; reads the interruptions again after each one. */
export function interruptionsPanel(context, signal) {
  const { api, store, codes } = context;
  const problem = problemLine();
  const body = h("div", {}, h("p", { class: "hint" }, "Nothing is known yet."));
  let interruptions;
  let shownClock;

  async function load() {
    try {
      interruptions = await api.get("v1/session/interruptions", {}, signal);
      showProblem(problem, undefined);
      show();
    } catch (error) {
      if (!signal.aborted) showProblem(problem, error);
    }
  }

  function show() {
    if (!interruptions || !store.clock) return;
    shownClock = store.clock;
    const end = Date.now();
    const all = [...interruptions.lasting, ...interruptions.ended];
    const oldest = Math.min(end - LEAST, ...all.map(({ beganNanoseconds }) => store.clock.time(beganNanoseconds)));
    const window = [Math.max(end - DAY, oldest), end];
    const rows = timeLine(interruptions, store.clock, window);
    if (!rows.length) {
      replace(body, h("p", {}, "No interruption in this run of the service within the last day."));
      return;
    }
    const x = scale(window, [0, WIDTH]);
    replace(body,
      rows.map((row) => h("div", { class: "time-line", "data-refuses": String(row.refuses) },
        h("p", {}, factsOf(codes, row.reason).meaning, " ", h("span", { class: "hint" },
          row.refuses ? "presses are refused" : "a warning")),
        svg("svg", { viewBox: `0 0 ${WIDTH} ${ROW}`, preserveAspectRatio: "none", "aria-hidden": "true" },
          svg("rect", { class: "ground", width: WIDTH, height: ROW }),
          row.bars.map((bar) => svg("rect", {
            class: "bar", x: x(bar.start), width: Math.max(2, x(bar.end) - x(bar.start)), height: ROW,
          }))),
        h("ul", { class: "hint" }, row.bars.slice(0, 5).map((bar) => h("li", {}, barSentence(bar)))))),
      h("p", { class: "axis", "aria-hidden": "true" },
        timeTicks(window).map((time) => h("span", {}, hourAndMinute(time)))));
  }

  store.on("open", load, signal);
  store.on("change", () => store.clock !== shownClock && show(), signal);
  store.on("event", ({ kind }) => ["interruption", "missed"].includes(kind) && load(), signal);
  const timer = setInterval(show, 30_000);
  signal.addEventListener("abort", () => clearInterval(timer));
  load();
  return panel("Interruptions", "", problem, body);
}

/** Returns the sentence about a bar of the time line. */
export function barSentence({ start, end, isLasting, cause }) {
  const time = isLasting ? `Since ${clockTime(start)}` : `${clockTime(start)}, for ${spoken(end - start)}`;
  return `${time}${cause ? `: ${cause}` : ""}`;
}
