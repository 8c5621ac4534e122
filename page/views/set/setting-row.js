// A setting with its value, range, default and sentence, and the form that changes it.

import { choicesOf, faultOf, isEditable } from "../../core/settings.js";
import { problemLine, showProblem } from "../../dom/action.js";
import { facts, h, replace } from "../../dom/element.js";

/**
 * Returns the row of a setting.
 *
 * @param {object} context the page's context
 * @param {{key: string, value?: string, declaration: object}} setting
 * @param {import("./pending-changes.js").PendingChanges} pending
 * @param {() => void} onClosed called when the form was closed
 */
export function settingRow(context, setting, pending, onClosed) {
  const { key, value, declaration } = setting;
  const place = h("div", { class: "setting-form" });
  const change = context.mayAct && isEditable(declaration) && h("button", {
    type: "button", "aria-label": `Change ${key}`, "aria-expanded": "false",
    on: { click: () => toggle() },
  }, "Change");

  function toggle() {
    const isOpen = change.getAttribute("aria-expanded") === "true";
    change.setAttribute("aria-expanded", String(!isOpen));
    if (!isOpen) return replace(place, form(setting, pending, toggle));
    replace(place);
    return onClosed();
  }

  return h("li", { class: "setting", "data-key": key },
    h("div", { class: "setting-head" },
      h("code", {}, key),
      h("span", { class: value === undefined ? "value is-default" : "value" },
        value ?? "not set")),
    h("p", {}, declaration.meaning),
    facts([
      ["Type", declaration.type], ["Range", declaration.range], ["Default", declaration.standard],
    ], { class: "facts small" }),
    declaration.isReserved && h("p", { class: "hint" }, "Only an administrator sets this key, in the file itself."),
    change, place);
}

/** The form: checked by the declaration at once, and by the rig before the file is written. */
function form({ key, value, declaration }, pending, close) {
  const problem = problemLine();
  const choices = choicesOf(declaration);
  const start = pending.valueOf(key) ?? value ?? "";
  const input = choices
    ? h("select", {}, choices.map((word) => h("option", { value: word, selected: word === start }, word)))
    : h("input", { type: "text", value: start, placeholder: declaration.standard, spellcheck: "false" });
  const check = () => {
    const fault = faultOf(declaration, input.value);
    input.setAttribute("aria-invalid", String(Boolean(fault)));
    showProblem(problem, fault && new Error(fault));
    return !fault;
  };
  input.addEventListener("change", check);
  const element = h("form", {},
    h("label", { class: "field" }, h("span", {}, `New value of ${key}`), input), problem,
    h("div", { class: "buttons" },
      h("button", { type: "submit", class: "primary" }, "Add to the changes"),
      h("button", { type: "button", on: { click: close } }, "Cancel")));
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!check()) return;
    pending.set(key, input.value, declaration, value);
    close();
  });
  // The row is put into the page after this.
  queueMicrotask(() => input.focus());
  return element;
}
