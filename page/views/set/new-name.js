// The form that names a new target, button, camera, light, lamp or thermal zone, so that its settings are listed.

import { faultOfName, nameChoicesOf, nameRuleOf } from "../../core/settings.js";
import { problemLine, showProblem } from "../../dom/action.js";
import { h } from "../../dom/element.js";

/**
 * Returns the form.
 *
 * @param {object} named the named settings, as `namedSettings` returns them
 * @param {() => string[]} known returns the names that there are
 * @param {(name: string) => void} onNamed called with a new name
 * @param {() => void} onCleared called when the field is empty again
 */
export function newNameForm({ parent, declaration, hasReserved }, known, onNamed, onCleared) {
  const problem = problemLine();
  const choices = nameChoicesOf(declaration);
  const input = choices ? h("select", {}, choices.map((name) => h("option", { value: name }, name)))
    : h("input", { type: "text", spellcheck: "false", autocapitalize: "none", autocomplete: "off" });
  const form = h("form", { class: "new-name fixed" },
    h("label", { class: "field" }, h("span", {}, `New name in ${parent} (${nameRuleOf(declaration)})`), input),
    hasReserved && h("p", { class: "hint" }, "Only an administrator sets the keys of secrets and certificates, in the file itself."),
    problem, h("div", { class: "buttons" }, h("button", { type: "submit" }, `Add to ${parent}`)));
  // A name that is being typed is not lost by what the page does by itself.
  const mark = () => form.classList.toggle("fixed", choices || input.value.trim() === "");
  input.addEventListener("input", mark);
  input.addEventListener("change", () => {
    if (input.value.trim() === "") onCleared();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = input.value.trim();
    const fault = faultOfName(declaration, name, known());
    input.setAttribute("aria-invalid", String(Boolean(fault)));
    showProblem(problem, fault && new Error(fault));
    if (fault) return;
    if (!choices) input.value = "";
    mark();
    onNamed(name);
  });
  return form;
}
