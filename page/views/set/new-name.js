// The form that names a new target, button or lamp, so that its settings are listed.

import { faultOfName } from "../../core/settings.js";
import { problemLine, showProblem } from "../../dom/action.js";
import { h } from "../../dom/element.js";

/**
 * Returns the form.
 *
 * @param {string} section the key that the name goes below, for example `targets`
 * @param {import("../../core/settings.js").Declaration} declaration of the named settings
 * @param {string[]} known the names that there are
 * @param {(name: string) => void} onNamed called with a new name
 */
export function newNameForm(section, declaration, known, onNamed) {
  const problem = problemLine();
  const input = h("input", { type: "text", spellcheck: "false", autocapitalize: "none", autocomplete: "off" });
  return h("form", {
    class: "new-name fixed",
    on: {
      submit(event) {
        event.preventDefault();
        const name = input.value.trim();
        const fault = faultOfName(declaration, name, known);
        input.setAttribute("aria-invalid", String(Boolean(fault)));
        showProblem(problem, fault && new Error(fault));
        if (!fault) onNamed(name);
      },
    },
  },
  h("label", { class: "field" }, h("span", {}, `Name of a new one of ${section} (${declaration.range})`), input), problem,
  h("div", { class: "buttons" }, h("button", { type: "submit" }, `Add to ${section}`)));
}
