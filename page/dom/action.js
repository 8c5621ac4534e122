// Buttons that let the rig do something, and what they say when it does not.

import { h, setText } from "./element.js";

/** Returns a place for the sentence of a problem, which a screen reader reads out when it comes. */
export function problemLine() {
  return h("p", { class: "problem", role: "alert" });
}

/** Shows the sentence of a problem in its place; clears it without one. */
export function showProblem(line, error) {
  setText(line, error ? error.message ?? String(error) : "");
}

/**
 * Returns a button that works on its own; undefined for a person who may not act.
 *
 * While the work runs, the button is busy and takes no second press.
 *
 * @param {object} context the page's context
 * @param {object} options
 * @param {string} options.label the button's text
 * @param {() => Promise<unknown>} options.work the work
 * @param {HTMLElement} [options.problem] the place for the sentence of a problem
 * @param {string} [options.name] further classes
 * @param {string} [options.busy] the text while the work runs
 * @param {boolean} [options.isReading] whether the work changes nothing, so that everybody may
 * @param {object} [options.attributes] further attributes
 */
export function actionButton(context, {
  label, work, problem, name = "", busy, isReading = false, attributes = {},
}) {
  if (!isReading && !context.mayAct) return undefined;
  const button = h("button", { type: "button", class: name, ...attributes }, label);
  button.addEventListener("click", async () => {
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    if (busy) setText(button, busy);
    if (problem) showProblem(problem, undefined);
    try {
      await work();
    } catch (error) {
      if (problem) showProblem(problem, error);
      else context.announce(error.message);
    } finally {
      button.removeAttribute("aria-busy");
      if (busy) setText(button, label);
    }
  });
  return button;
}

/** Returns a switch with two states, for what only this page shows. */
export function toggleButton(label, isOn, onChange) {
  const button = h("button", { type: "button", class: "toggle", "aria-pressed": String(isOn) }, label);
  button.addEventListener("click", () => {
    const next = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(next));
    onChange(next);
  });
  return button;
}

/**
 * Returns a choice with its label.
 *
 * @param {string} label the label
 * @param {[string, string][]} options values with their texts
 * @param {string} value the chosen value
 * @param {(value: string) => void} onChange
 */
export function choice(label, options, value, onChange) {
  const select = h("select", { on: { change: () => onChange(select.value) } },
    options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
  return h("label", { class: "field" }, h("span", {}, label), select);
}
