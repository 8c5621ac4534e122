// What a written file changes, and the restart that makes it hold.

import { actionButton } from "../../dom/action.js";
import { confirmDialog } from "../../dom/dialog.js";
import { h } from "../../dom/element.js";

/** Returns the changed lines of a file. */
export function changedLines(lines) {
  if (!lines.length) return h("p", { class: "hint" }, "No line differs.");
  return h("pre", { class: "difference", tabindex: "0", "aria-label": "Changed lines" },
    lines.map((line) => h("span", { class: kindOf(line) }, `${line}\n`)));
}

function kindOf(line) {
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "";
}

/** Returns the button that restarts the service; undefined for who may not act. */
export function restartButton(context, problem) {
  return actionButton(context, {
    label: "Restart the service…", problem,
    async work() {
      const { rig } = await context.api.get("v1/status");
      const isAgreed = await confirmDialog(`Restart the service of "${rig}"?`,
        ["Presses on their way get their outcome first. No press is taken for some seconds."], "Restart");
      if (!isAgreed) return;
      await context.api.post("v1/service/restart", undefined, { query: { confirm: rig } });
      context.announce("The service restarts.");
    },
  });
}
