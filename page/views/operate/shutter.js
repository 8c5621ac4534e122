// The shutter, and the steps of each capture.

import { STEPS, captureSentence, capturesAfter, isFinished } from "../../core/capture-progress.js";
import { factsOf } from "../../core/codes.js";
import { problemLine, showProblem } from "../../dom/action.js";
import { h, replace } from "../../dom/element.js";

/**
 * Presses the shutter; returns the report, and throws the sentence of a refusal.
 *
 * @param {object} context the page's context
 * @param {{retake?: boolean}} [settings] the settings of the press; without them they are the session's
 */
export async function shoot({ api, codes }, settings) {
  const report = await api.post("v1/presses", settings, { accept: [409] });
  // A refusal is a report of the press; any other conflict is an error of the API.
  if (report.error) throw new Error(report.error.message);
  if (report.outcome === "refused") {
    const { meaning, advice } = factsOf(codes, report.reason);
    throw new Error(`Press ${report.number} was refused: ${meaning}${advice ? ` ${advice}` : ""}`);
  }
  return report;
}

/**
 * Makes the shutter with the progress of captures.
 *
 * @param {object} context the page's context
 * @param {AbortSignal} signal ends the following of captures
 */
export function shutterView(context, signal) {
  const problem = problemLine();
  const list = h("ol", { class: "captures", "aria-label": "Captures" });
  let captures = [];

  const show = () => replace(list, captures.map((capture) => captureItem(capture, context)));
  context.store.on("event", ({ kind, data }) => {
    if (kind === "restart" || kind === "missed") {
      // The end of these captures is not told any more.
      captures = captures.filter(isFinished);
      show();
    }
    if (kind !== "progress") return;
    captures = capturesAfter(captures, data.progress);
    show();
    if (data.progress.step === "captureFinished" || data.progress.step === "photoDelivered") {
      // A late report may be of a capture that is no longer shown.
      const capture = captures.find(({ press }) => press === data.progress.press);
      if (capture) context.announce(captureSentence(capture));
    }
  }, signal);

  const element = h("section", { class: "shutter-box", "aria-label": "Shutter" },
    context.mayAct && shutterButton(context, problem), problem, list);
  return element;
}

/** The button takes presses while others are on their way, as the rig's own button does. */
function shutterButton(context, problem) {
  return h("button", {
    type: "button", class: "shutter",
    on: {
      async click() {
        showProblem(problem, undefined);
        try {
          await shoot(context);
        } catch (error) {
          showProblem(problem, error);
        }
      },
    },
  }, "Take picture");
}

function captureItem(capture, { codes }) {
  const files = capture.index && capture.count ? `${capture.index} of ${capture.count}` : undefined;
  return h("li", { class: "capture", "data-press": capture.press },
    h("p", {}, h("strong", {}, `Press ${capture.press}`), files && ` · ${files}`),
    h("ol", { class: "steps" }, STEPS.map(([, name], index) => h("li", {
      class: index <= capture.step && !capture.reason ? "is-done" : "",
      "aria-current": index === capture.step && !isFinished(capture) ? "step" : undefined,
    }, name))),
    capture.reason && h("p", { class: "problem" }, factsOf(codes, capture.reason).meaning));
}
