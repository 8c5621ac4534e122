// The readiness, as large as the light of the rig.

import { readinessInWords } from "../../core/codes.js";
import { h, replace, setText } from "../../dom/element.js";

/** Makes the light with its words; follows the rig until a signal is aborted. */
export function readinessView({ store, codes, announce }, signal) {
  const light = h("div", { class: "light", "aria-hidden": "true" });
  const title = h("p", { class: "readiness-title" });
  const reasons = h("div", { class: "reasons" });
  const warnings = h("ul", { class: "warnings" });
  const element = h("section", { class: "readiness", "aria-label": "Readiness" },
    light, h("div", {}, title, reasons, warnings));
  let said;

  function show() {
    // What the rig said before the connection was lost or left is no promise for a press now.
    const isLost = ["offline", "left"].includes(store.connection.state);
    const view = readinessInWords(isLost ? undefined : store.rig.status?.readiness, codes);
    const key = JSON.stringify(view);
    if (said === key) return;
    said = key;
    element.setAttribute("data-tone", view.tone);
    setText(title, view.title);
    replace(reasons, view.reasons.map(({ meaning, advice, flashes }) => h("div", { class: "reason" },
      h("p", { class: "meaning" }, meaning),
      advice && h("p", {}, advice),
      flashes && h("p", { class: "hint" }, `The fault light flashes ${flashes}.`))));
    replace(warnings, view.warnings.map(({ meaning, advice }) => h("li", {},
      h("strong", {}, meaning), advice && ` ${advice}`)));
    // The states that pass by themselves are not read out, or each press would speak twice.
    if (view.tone !== "busy") {
      announce([view.title, ...view.reasons.map(({ meaning }) => meaning)].join(". "));
    }
  }

  store.on("change", show, signal);
  show();
  return element;
}
