// What is wrong with the picture just taken, while its page still lies there.

import { sentence } from "../../core/words.js";
import { actionButton, problemLine } from "../../dom/action.js";
import { h, replace } from "../../dom/element.js";
import { shoot } from "./shutter.js";

/** Makes the place for the warnings, which is hidden without one; follows the rig until a signal is aborted. */
export function warningView(context, signal) {
  const { store } = context;
  const problem = problemLine();
  const list = h("div", { role: "alert" });
  const again = actionButton(context, {
    label: "Take it again", busy: "Taking…", name: "take-again", problem, work: () => shoot(context, { retake: true }),
  });
  const element = h("section", { class: "page-warning", "aria-label": "The picture just taken", hidden: true }, list, again, problem);
  let said = "[]";

  function show() {
    const warnings = store.rig.status?.presses.warnings ?? [];
    const key = JSON.stringify(warnings);
    if (said === key) return;
    said = key;
    element.hidden = warnings.length === 0;
    replace(list, warnings.map(({ code, meaning, advice }) => h("div", { class: "reason", "data-code": code },
      h("p", { class: "meaning" }, sentence(meaning)), h("p", {}, advice))));
  }

  store.on("change", show, signal);
  show();
  return element;
}
