// The camera's controls: exposure, white balance, focus, zoom, and what is locked.

import { differences, lockAll, modeInWords } from "../../core/controls.js";
import { actionButton, problemLine, showProblem } from "../../dom/action.js";
import { h, replace, setText } from "../../dom/element.js";
import { imageControls, sizeControls } from "./more-controls.js";

/**
 * Makes the controls; a person who may only look gets their values.
 *
 * @param {object} context the page's context
 * @param {import("./session-model.js").SessionModel} model
 * @param {HTMLElement} problem the place for the sentence of a problem
 */
export function cameraControls(context, model, problem) {
  const lens = lensSlider(context, model, problem);
  const rows = [
    modeRow(context, model, problem, {
      key: "exposure", name: "Exposure",
      modes: [["auto", "Automatic"], ["locked", "Lock"]],
      fixed: { fields: [["ms"], ["gain", 1]], read: ([ms, gain]) => ({ durationMicroseconds: Math.round(ms * 1000), gain }) },
    }),
    modeRow(context, model, problem, {
      key: "whiteBalance", name: "White balance",
      modes: [["auto", "Automatic"], ["locked", "Lock"]],
      fixed: { fields: [["red"], ["blue"]], read: ([red, blue]) => ({ red, blue }) },
    }),
    modeRow(context, model, problem, {
      key: "focus", name: "Focus",
      modes: [["continuous", "Continuous"], ["locked", "Lock"]],
      more: actionButton(context, {
        label: "Focus now", busy: "Focusing…", problem, work: () => model.act("v1/session/focus"),
      }),
    }),
    zoomRow(context, model, problem),
  ];
  const notes = h("ul", { class: "notes" });
  model.onChange((overview) => {
    replace(notes, differences(overview).map((text) => h("li", {}, text)));
  });
  const locks = context.mayAct && h("div", { class: "buttons" },
    actionButton(context, {
      label: "Lock all", problem, work: () => model.change(lockAll(model.overview ?? {})),
    }),
    h("p", { class: "hint" },
      "Locked values hold until the service ends. \"Calibrate\" keeps them for the camera."));
  return h("div", { class: "camera-controls" },
    rows.map((row) => row.element), lens, locks, notes,
    imageControls(context, model, problem), sizeControls(context, model, problem), problem);
}

/** A control that has modes, and perhaps fixed values. */
function modeRow(context, model, problem, { key, name, modes, fixed, more }) {
  const state = h("span", { class: "state" }, "–");
  const buttons = modes.map(([mode, label]) => [mode, actionButton(context, {
    label, problem, attributes: { "aria-label": `${name}: ${label}` },
    work: () => model.change({ [key]: mode }),
  })]);
  const form = fixed && context.mayAct && fixedForm(name, fixed, problem,
    (value) => model.change({ [key]: value }));
  const element = h("div", { class: "control", role: "group", "aria-label": name },
    h("p", {}, h("strong", {}, name), " ", state),
    h("div", { class: "buttons" }, buttons.map(([, button]) => button), more), form);
  model.onChange(({ controls, settings, lens }) => {
    const value = controls?.[key] ?? settings[key];
    // A lens that does not move is turned by hand.
    element.hidden = key === "focus" && !lens;
    setText(state, modeInWords(value) ?? "–");
    for (const [mode, button] of buttons) button?.setAttribute("aria-pressed", String(value === mode));
  });
  return { element };
}

/** A form for two fixed values, each in a field of its own, which knows the person's decimal sign. */
function fixedForm(name, { fields, read }, problem, set) {
  const inputs = fields.map(([, start]) => h("input", { type: "number", min: 0, step: "any", value: start }));
  const form = h("form", { class: "fixed" },
    fields.map(([field], index) => h("label", { class: "field" },
      h("span", {}, `Fixed ${name.toLowerCase()}, ${field}`), inputs[index])),
    h("button", { type: "submit", "aria-label": `Set the fixed ${name.toLowerCase()}` }, "Set"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const numbers = inputs.map((input) => Number(input.value));
    if (numbers.some((number) => !(number > 0))) {
      showProblem(problem, new Error(`Enter a number above 0 for each: ${fields.map(([field]) => field).join(", ")}.`));
      return;
    }
    showProblem(problem, undefined);
    try {
      await set(read(numbers));
      for (const [index, [, start]] of fields.entries()) inputs[index].value = start ?? "";
    } catch (error) {
      showProblem(problem, error);
    }
  });
  return h("details", {}, h("summary", {}, "Fixed values"), form);
}

/** The zoom with its slider; wheel and pinch on the picture set it, too. */
function zoomRow(context, model, problem) {
  const state = h("span", { class: "state" }, "–");
  const slider = context.mayAct && h("input", {
    type: "range", min: 1, max: 8, step: 0.05, "aria-label": "Zoom",
    on: { input: () => model.setZoom(Number(slider.value)) },
  });
  const whole = actionButton(context, { label: "Whole view", problem, work: () => model.setZoom(1) });
  const element = h("div", { class: "control", role: "group", "aria-label": "Zoom" },
    h("p", {}, h("strong", {}, "Zoom"), " ", state), h("div", { class: "buttons" }, slider, whole));
  model.onChange(() => {
    setText(state, `${model.zoom.toFixed(2)} times`);
    if (slider && document.activeElement !== slider) slider.value = String(model.zoom);
  });
  return { element };
}

/** The lens position of a camera whose lens moves. */
function lensSlider(context, model, problem) {
  const slider = h("input", { type: "range", step: 0.05, "aria-label": "Lens position in diopters" });
  const element = h("div", { class: "control", hidden: true },
    h("p", {}, h("strong", {}, "Lens"), " ", h("span", { class: "hint" }, "far to near")), slider);
  slider.addEventListener("change", async () => {
    showProblem(problem, undefined);
    try {
      await model.change({ focus: { diopters: Number(slider.value) } });
    } catch (error) {
      showProblem(problem, error);
    }
  });
  model.onChange(({ lens, controls }) => {
    element.hidden = !lens || !context.mayAct;
    if (!lens || document.activeElement === slider) return;
    slider.min = String(lens.farthest);
    slider.max = String(lens.nearest);
    if (controls?.focus?.diopters !== undefined) slider.value = String(controls.focus.diopters);
  });
  return element;
}
