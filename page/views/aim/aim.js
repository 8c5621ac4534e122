// The view to aim, focus and calibrate by.

import { lensInWords, modeInWords } from "../../core/controls.js";
import { exposure, percent } from "../../core/words.js";
import { actionButton, problemLine, showProblem, toggleButton } from "../../dom/action.js";
import { facts, h, panel, replace } from "../../dom/element.js";
import { poll } from "../../dom/poll.js";
import { makeAssists } from "./assists.js";
import { calibrationButtons } from "./calibration.js";
import { cameraControls } from "./camera-controls.js";
import { makeFocus } from "./focus-mark.js";
import { followGestures } from "./gestures.js";
import { makeGuides } from "./guides-overlay.js";
import { makeLevel } from "./level-view.js";
import { livePicture } from "./live-picture.js";
import { makeLoupe } from "./loupe.js";
import { makePageOverlay } from "./page-overlay.js";
import { SessionModel } from "./session-model.js";

/** The time between two readings of the lens, the color temperature and the clipping of the full frame. */
const INTERVAL = 1000;

/**
 * Shows the view until a signal is aborted.
 *
 * @param {HTMLElement} root the place
 * @param {object} context the page's context
 * @param {AbortSignal} signal
 */
export function showAim(root, context, signal) {
  const { api, store } = context;
  const problem = problemLine();
  const model = new SessionModel(context, signal, (error, over) => {
    // The line may tell of something else by now.
    if (error || problem.textContent === over.message) showProblem(problem, error);
  });
  let newest = { angle: 0, isMirrored: false };
  let report;
  const isMirrored = () => newest.isMirrored;
  const guides = makeGuides();
  const page = makePageOverlay(context, signal);
  const assists = makeAssists(context);
  const loupe = makeLoupe(context, signal, isMirrored);
  const focus = makeFocus(model, () => newest);
  const figures = h("div", { class: "figures" });

  const live = livePicture(context, signal, {
    overlays: [assists.overlay, page.overlay, guides.overlay, loupe.ring, focus.mark],
    onPainted(frame, canvas) {
      newest = frame;
      assists.take(frame, canvas);
      guides.show(store.rig.status?.session.size, frame.angle);
      showFigures();
    },
  });
  const focusButton = context.mayAct && actionButton(context, {
    label: "Focus at the loupe", busy: "Focusing…", problem, work: () => focus.focusAt(loupe.place),
  });
  const showFocusButton = () => {
    if (focusButton) focusButton.hidden = loupe.element.hidden || !model.overview?.lens?.focusesAtPoint;
  };
  const loupeButton = toggleButton("Loupe", false, (isOn) => {
    loupe.show(isOn);
    showFocusButton();
  });
  model.onChange(({ session }) => guides.look([session.camera, session.size, model.zoom]));
  model.onChange(showFocusButton);
  showFocusButton();
  followGestures(live.box, {
    isMirrored,
    onTap(place) {
      loupe.moveTo(place);
      if (loupeButton.getAttribute("aria-pressed") !== "true") loupeButton.click();
      if (context.mayAct) focus.focusAt(place).catch((error) => showProblem(problem, error));
    },
    ...(context.mayAct && { zoom: () => model.zoom, onZoom: (zoom) => model.setZoom(zoom) }),
  });

  function showFigures() {
    const whiteBalance = model.overview?.controls?.whiteBalance;
    const shown = [
      ["Exposure", newest.exposureMicroseconds === undefined ? undefined
        : exposure(newest.exposureMicroseconds)],
      ["Gain", newest.gain?.toFixed(2)],
      ["Lens", lensInWords(report?.diopters, report?.focusState)],
      ["White balance", modeInWords(whiteBalance)],
      ["Color temperature", report?.colorTemperature && `${report.colorTemperature} K`],
      ["White in the full frame", report && percent(report.clippedHighlights)],
      ["Black in the full frame", report && percent(report.clippedShadows)],
    ];
    const text = JSON.stringify(shown);
    if (figures.getAttribute("data-shown") === text) return;
    figures.setAttribute("data-shown", text);
    replace(figures, facts(shown));
  }

  poll(async () => {
    report = await api.get("v1/preview", { width: 8, height: 8 }, signal);
  }, INTERVAL, signal, (error) => {
    if (error) report = undefined;
    showFigures();
  });

  replace(root,
    h("div", { class: "aim-picture" },
      live.element,
      h("div", { class: "buttons assists", role: "group", "aria-label": "Assists" },
        guides.controls, page.control, loupeButton, focusButton,
        toggleButton("Focus peaking", false, (isOn) => assists.showEdges(isOn))),
      page.note,
      guides.note,
      h("p", { class: "hint" }, tapHint(context)),
      loupe.element),
    h("div", { class: "aim-side" },
      panel("Focus and light", "", assists.sharpnessView, assists.histogramView, figures),
      panel("Level", "", makeLevel(context, signal)),
      panel("Camera", "", cameraControls(context, model, problem),
        calibrationButtons(context, model, (pixelsPerInch) => guides.measure(pixelsPerInch), problem))));
}

function tapHint({ mayAct }) {
  return mayAct ? "Tap the picture to look at a place one to one, and to focus. Turn the wheel or pinch to zoom."
    : "Tap the picture to look at a place one to one.";
}
