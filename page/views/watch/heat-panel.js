// Temperatures and throttling over the last day.

import { linePath, rangeOfTens, scale, ticks, timeTicks } from "../../core/chart.js";
import { hourAndMinute } from "../../core/time.js";
import { words } from "../../core/words.js";
import { facts, h, panel, replace, svg } from "../../dom/element.js";

const SIZE = { width: 640, height: 200, left: 36, right: 8, top: 8, bottom: 22 };
const DAY = 86_400_000;
/** The shortest time that is drawn. */
const LEAST = 600_000;

/** Makes the panel; follows the rig until a signal is aborted. */
export function heatPanel({ store }, signal) {
  const drawing = svg("svg", {
    class: "chart", viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img",
    "aria-label": "Temperatures of the last day; the values now are listed below",
  });
  const legend = h("ul", { class: "legend" });
  const note = h("p", { class: "hint" });
  const now = h("div", {});
  let drawn = 0;

  function show() {
    const thermal = store.rig.status?.thermal;
    if (!thermal) return;
    replace(now, facts(thermalFacts(thermal)));
    if (Date.now() - drawn < 5000) return;
    drawn = Date.now();
    draw(thermal);
  }

  function draw(thermal) {
    const log = store.temperatures;
    const lines = log.lines();
    const end = Date.now();
    const start = Math.max(end - DAY, Math.min(log.start ?? end, end - LEAST));
    const values = [...lines.values()].flatMap((points) => points.map(({ y }) => y));
    if (!values.length) return;
    const limits = limitsOf(thermal);
    const range = rangeOfTens([...values, ...limits.map(({ celsius }) => celsius)]);
    const x = scale([start, end], [SIZE.left, SIZE.width - SIZE.right]);
    const y = scale(range, [SIZE.height - SIZE.bottom, SIZE.top]);
    const bottom = SIZE.height - SIZE.bottom;
    replace(drawing,
      log.heldBack(end).map((span) => svg("rect", {
        class: "held-back", x: x(span.start), y: SIZE.top,
        width: Math.max(1, x(span.end) - x(span.start)), height: bottom - SIZE.top,
      })),
      ticks(range, range[1] - range[0] > 60 ? 20 : 10).map((value) => [
        svg("line", { class: "grid", x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: y(value), y2: y(value) }),
        svg("text", { x: SIZE.left - 4, y: y(value) + 4, "text-anchor": "end" }, `${value}°`),
      ]),
      timeTicks([start, end]).map((time) => svg("text", {
        x: x(time), y: SIZE.height - 6, "text-anchor": "middle",
      }, hourAndMinute(time))),
      limits.map(({ name, celsius }) => svg("line", {
        class: `limit limit-${name}`, x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: y(celsius), y2: y(celsius),
      })),
      [...lines.values()].map((points, index) => svg("path", {
        class: `line line-${index % 4}`, d: linePath(points, x, y),
      })));
    replace(legend,
      [...lines.keys()].map((zone, index) => h("li", { class: `line-${index % 4}` }, zone)),
      log.heldBack(end).length > 0 && h("li", { class: "held-back" }, "hot or throttled"));
    replace(note, `Since ${hourAndMinute(log.start)}. The rig keeps the highest values of each minute for a day.`);
  }

  store.on("change", show, signal);
  store.on("history", () => {
    drawn = 0;
    show();
  }, signal);
  const timer = setInterval(show, 10_000);
  signal.addEventListener("abort", () => clearInterval(timer));
  show();
  return panel("Heat and supply", "wide", drawing, legend, note, now);
}

/** Returns the limits of the hottest zone, which are drawn as lines. */
function limitsOf({ temperatures, hottest }) {
  const zone = temperatures.find((reading) => reading.zone === hottest) ?? temperatures[0];
  if (!zone?.limits) return [];
  return ["serious", "critical"].map((name) => ({ name, celsius: zone.limits[name] }));
}

/** Returns the present state of heat and supply as terms with their texts. */
export function thermalFacts(thermal) {
  const { firmware, constraints } = thermal;
  const flags = (list) => (list.length ? list.map(words).join(", ") : "none");
  return [
    ["State", thermal.state],
    ...thermal.temperatures.map(({ zone, celsius }) => (
      [zone, celsius === undefined ? "cannot be read" : `${celsius.toFixed(1)} °C`])),
    ["Throttled now", firmware && flags(firmware.now)],
    ["Since the start", firmware && flags(firmware.sinceBoot)],
    ["Firmware", thermal.firmwareProblem],
    ["Preview", constraints && constraints.preview],
    ["Uploads", constraints && constraints.uploads],
    ["Presses", constraints && pressesOf(constraints)],
    ["Power", thermal.isShuttingDown ? "the rig powers off because it is too hot" : undefined],
  ];
}

function pressesOf({ shots, spacingSeconds }) {
  return shots === "spaced" ? `one every ${spacingSeconds} s` : shots;
}
