// Presses an hour over the last day.

import { forgetOld, pressesByHour, sinceTime } from "../../core/press-hours.js";
import { hourAndMinute } from "../../core/time.js";
import { problemLine, showProblem } from "../../dom/action.js";
import { h, panel, replace, svg } from "../../dom/element.js";

const SIZE = { width: 480, height: 150, bottom: 20, top: 14 };
const PAGE = 1000;
/** The most pages that are read, so that a busy day does not occupy the rig. */
const PAGES = 12;

/** Makes the panel; reads the presses of the day once, and then follows the rig. */
export function pressesPanel(context, signal) {
  const { api, store } = context;
  const problem = problemLine();
  const drawing = svg("svg", {
    class: "chart", viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img", "aria-label": "Presses an hour",
  });
  const text = h("p", {});
  const note = h("p", { class: "hint" });
  const presses = new Map();
  let isWhole = true;
  let isKnown = false;

  async function load() {
    try {
      let before;
      let pages = 0;
      do {
        const page = await api.get("v1/presses", { limit: PAGE, since: sinceTime(Date.now()), before }, signal);
        for (const press of page.presses) keep(press);
        before = page.next;
        pages += 1;
      } while (before !== undefined && pages < PAGES);
      isWhole = before === undefined;
      isKnown = true;
      showProblem(problem, undefined);
      show();
    } catch (error) {
      if (!signal.aborted) showProblem(problem, error);
    }
  }

  /** Only what is counted is kept, so that a long day takes little memory. */
  function keep({ number, time, outcome }) {
    presses.set(number, { number, time, outcome });
  }

  function show() {
    const now = Date.now();
    forgetOld(presses, now);
    const hours = pressesByHour(presses.values(), now);
    const highest = Math.max(1, ...hours.map(({ stored, refused }) => stored + refused));
    const step = SIZE.width / hours.length;
    const space = SIZE.height - SIZE.bottom - SIZE.top;
    const height = (count) => count / highest * space;
    const ground = SIZE.height - SIZE.bottom;
    replace(drawing, hours.map(({ start, stored, refused }, index) => {
      const x = index * step + 1;
      return [
        svg("rect", {
          class: "stored", x, width: step - 2, y: ground - height(stored), height: height(stored),
        }),
        svg("rect", {
          class: "refused", x, width: step - 2, y: ground - height(stored + refused), height: height(refused),
        }),
        index % 4 === 0 && svg("text", { x, y: SIZE.height - 5 }, hourAndMinute(start)),
      ];
    }), svg("text", { x: 0, y: 10 }, `${highest} an hour at most`));
    const stored = hours.reduce((sum, hour) => sum + hour.stored, 0);
    const refused = hours.reduce((sum, hour) => sum + hour.refused, 0);
    const current = hours[hours.length - 1];
    replace(text, `In the last day ${stored} stored and ${refused} refused; in this hour ${current.stored} stored and `
      + `${current.refused} refused.`);
    replace(note, isWhole ? "" : "The day has more presses than are counted here; the oldest are left out.");
  }

  store.on("open", load, signal);
  store.on("event", ({ kind, data }) => {
    if (kind === "missed") load();
    if (kind !== "press" || data.press.outcome === "pending") return;
    keep(data.press);
    show();
  }, signal);
  const timer = setInterval(() => isKnown && show(), 60_000);
  signal.addEventListener("abort", () => clearInterval(timer));
  load();
  return panel("Presses", "", problem, text, drawing, note);
}
