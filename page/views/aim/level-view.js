// The level as a bubble.

import { bubble, levelOf, levelSentence } from "../../core/level.js";
import { h, setText, svg } from "../../dom/element.js";
import { poll } from "../../dom/poll.js";

const INTERVAL = 500;
const RADIUS = 40;

/** The states of an accelerometer without a usable reading, in words. */
const STATES = {
  none: "This rig has no accelerometer.",
  absent: "The accelerometer cannot be read.",
  frozen: "The accelerometer is frozen.",
  implausible: "The accelerometer's readings cannot be gravity.",
};

/** Makes the level, which follows the accelerometer while the page is looked at. */
export function makeLevel({ api }, signal) {
  const dot = svg("circle", { class: "bubble", cx: 50, cy: 50, r: 9 });
  const drawing = svg("svg", { class: "level-drawing", viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("circle", { class: "rim", cx: 50, cy: 50, r: 48 }),
    svg("circle", { class: "rim", cx: 50, cy: 50, r: 11 }),
    svg("path", { class: "rim", d: "M50 2V98M2 50H98" }),
    dot);
  const text = h("p", {}, "The tilt is not known yet.");
  const element = h("div", { class: "level" }, drawing, text);

  async function read() {
    const report = await api.get("v1/accelerometer", {}, signal);
    const level = report.state === "ok" ? levelOf(report.reading?.rig) : undefined;
    element.classList.toggle("is-level", Boolean(level?.isLevel));
    dot.setAttribute("visibility", level ? "visible" : "hidden");
    setText(text, level ? levelSentence(level) : STATES[report.state] ?? levelSentence(undefined));
    if (!level) return;
    const { x, y } = bubble(level);
    dot.setAttribute("cx", (50 + x * RADIUS).toFixed(1));
    dot.setAttribute("cy", (50 + y * RADIUS).toFixed(1));
  }

  poll(read, INTERVAL, signal, (error) => {
    if (!error) return;
    element.classList.toggle("is-level", false);
    dot.setAttribute("visibility", "hidden");
    setText(text, error.message);
  });
  return element;
}
