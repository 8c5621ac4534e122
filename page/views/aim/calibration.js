// The guided calibration: each step with its picture.

import { calibrationFacts } from "../../core/controls.js";
import { PAGES } from "../../core/guides.js";
import { actionButton, choice, problemLine } from "../../dom/action.js";
import { confirmDialog, openDialog } from "../../dom/dialog.js";
import { facts, h, replace, svg } from "../../dom/element.js";

/** Returns a drawing of the rig from the side: the camera, its light, and the desk with something on it. */
function drawing(label, ...more) {
  return svg("svg", { class: "step-drawing", viewBox: "0 0 120 80", role: "img", "aria-label": label },
    svg("path", { class: "desk", d: "M6 70H114" }),
    svg("path", { class: "post", d: "M18 70V10H62" }),
    svg("rect", { class: "camera", x: 54, y: 8, width: 18, height: 12, rx: 2 }),
    svg("rect", { class: "camera", x: 59, y: 20, width: 8, height: 5 }),
    more);
}

const sheet = (name) => svg("rect", { class: name, x: 40, y: 65, width: 46, height: 4 });
const light = () => svg("path", { class: "light", d: "M95 12l-4 20M102 14l-2 20M88 12l-6 18" });
const view = () => svg("path", { class: "view-lines", d: "M63 25L40 65M63 25L86 65" });

/** The steps: title, sentence, drawing. */
const STEPS = [
  ["Lay an empty page under the camera", "The page is plain, and fills the picture as later pages do.",
    () => drawing("An empty page under the camera", sheet("page"))],
  ["Make the light of the later work", "Switch on the lamps of the work, and shade the rest.",
    () => drawing("The page in the light of a lamp", sheet("page"), light())],
  ["Let the camera find its values", "This takes up to 10 seconds; longer with slow frames.",
    () => drawing("The camera looks at the page", sheet("page"), light(), view())],
  ["Measure the scale", "Lay one sheet wholly into the picture, on a ground that differs from it.",
    () => drawing("A sheet wholly in the picture, on a dark ground",
      svg("rect", { class: "ground", x: 30, y: 67, width: 66, height: 3 }), sheet("page"), view())],
  ["Done", "The values are kept for the camera, over restarts.", () => drawing("The rig is set up", sheet("page"))],
];

/**
 * Returns the button that begins the guided calibration; undefined for who may not act.
 *
 * @param {object} context the page's context
 * @param {import("./session-model.js").SessionModel} model
 * @param {(pixelsPerInch?: number) => void} onScale called with a measured scale, and when there is none any more
 */
export function calibrationButtons(context, model, onScale, problem) {
  if (!context.mayAct) return undefined;
  return h("div", { class: "buttons" },
    h("button", { type: "button", class: "primary", on: { click: () => guide(context, model, onScale) } },
      "Calibrate…"),
    actionButton(context, {
      label: "Forget the calibration", problem,
      async work() {
        const isAgreed = await confirmDialog("Forget the calibration?",
          ["The camera's exposure, white balance and focus are its own again, and its scales are lost."],
          "Forget");
        if (!isAgreed) return;
        model.take(await context.api.delete("v1/session/calibration"));
        onScale(undefined);
      },
    }));
}

function guide(context, model, onScale) {
  const body = h("div", { class: "guide-body" });
  const dialog = openDialog("Calibrate", [body], { name: "guide-dialog" });
  const show = (number) => {
    const [title, text, picture] = STEPS[number];
    const problem = problemLine();
    const result = h("div", { role: "status" });
    const next = h("button", { type: "button", class: "primary", on: { click: () => go(number + 1) } },
      number === STEPS.length - 1 ? "Close" : "Next");
    const back = number > 0 && h("button", { type: "button", on: { click: () => go(number - 1) } }, "Back");
    const heading = h("h3", { tabindex: "-1" }, `${number + 1} of ${STEPS.length}: ${title}`);
    replace(body, heading, picture(), h("p", {}, text),
      number === 2 && calibrateStep(context, model, problem, result),
      number === 3 && scaleStep(context, onScale, problem, result),
      problem, result, h("div", { class: "buttons" }, back, next));
    if (number > 0) heading.focus();
  };
  const go = (number) => (number < STEPS.length ? show(number) : dialog.close());
  show(0);
}

function calibrateStep(context, model, problem, result) {
  return actionButton(context, {
    label: "Calibrate now", busy: "Calibrating…", problem,
    async work() {
      replace(result);
      const found = await context.api.post("v1/session/calibrate");
      replace(result, h("p", {}, "The camera has found and kept:"), facts(calibrationFacts(found)));
      await model.read();
    },
  });
}

function scaleStep(context, onScale, problem, result) {
  let page = PAGES.get("a4");
  const sheets = [...PAGES].map(([key, { name, width, height }]) => [key, `${name}, ${width} x ${height} mm`]);
  return h("div", { class: "buttons" },
    choice("Sheet", sheets, "a4", (key) => {
      page = PAGES.get(key);
    }),
    actionButton(context, {
      label: "Measure", busy: "Measuring…", problem,
      async work() {
        replace(result);
        const scale = await context.api.post("v1/session/scale",
          { widthMillimeters: page.width, heightMillimeters: page.height });
        onScale(scale.pixelsPerInch);
        replace(result, facts([
          ["Pixels to an inch", scale.pixelsPerInch.toFixed(1)],
          ["Sheet turned by", `${scale.angleDegrees.toFixed(2)}°`],
          ["Keystone", `${(scale.keystone * 100).toFixed(1)} %`],
        ]));
      },
    }));
}
