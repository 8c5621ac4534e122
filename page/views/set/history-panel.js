// Earlier versions of the configuration file, and the way back to them.

import { bytes } from "../../core/words.js";
import { clockTime } from "../../core/time.js";
import { actionButton, problemLine, showProblem } from "../../dom/action.js";
import { confirmDialog } from "../../dom/dialog.js";
import { h, panel, replace } from "../../dom/element.js";
import { changedLines, restartButton } from "./written.js";

/**
 * Makes the panel.
 *
 * @param {object} context the page's context
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} onWritten called after a rollback
 * @returns {{element: HTMLElement, load: () => Promise<void>}}
 */
export function historyPanel(context, signal, onWritten) {
  const { api } = context;
  const problem = problemLine();
  const result = h("div", { role: "status" });
  const list = h("ul", { class: "history" });

  async function load() {
    try {
      const { entries } = await api.get("v1/configuration/history", {}, signal);
      replace(list, entries.length ? entries.map(entryItem)
        : h("li", {}, "There is no earlier version."));
      showProblem(problem, undefined);
    } catch (error) {
      if (!signal.aborted) showProblem(problem, error);
    }
  }

  function entryItem(entry) {
    const lines = h("div", {});
    const own = problemLine();
    const name = entry.number === 0 ? "Last version that the service ran well with" : `Version ${entry.number}`;
    return h("li", { "data-number": entry.number },
      h("p", {}, h("strong", {}, name), ` ${whenOf(entry.time)}, ${bytes(entry.bytes)}`),
      entry.problem ? h("p", { class: "problem" }, entry.problem) : h("div", { class: "buttons" },
        actionButton(context, {
          label: "Show the difference", problem: own, isReading: true,
          attributes: { "aria-label": `Show the difference to ${name.toLowerCase()}` },
          async work() {
            const difference = await api.get(`v1/configuration/history/${entry.number}`, {}, signal);
            replace(lines, changedLines(difference.lines));
          },
        }),
        actionButton(context, {
          label: "Roll back…", problem: own, attributes: { "aria-label": `Roll back to ${name.toLowerCase()}` },
          work: () => rollBack(entry, name),
        })),
      own, lines);
  }

  async function rollBack({ number }, name) {
    const difference = await api.get(`v1/configuration/history/${number}`, {}, signal);
    const isAgreed = await confirmDialog("Roll back?",
      [`The file becomes: ${name}. These lines change:`, changedLines(difference.lines)], "Roll back");
    if (!isAgreed) return;
    const report = await api.post("v1/configuration/rollback", { to: number });
    const own = problemLine();
    replace(result, h("p", {}, report.note), own, report.needsRestart && restartButton(context, own));
    await load();
    await onWritten();
  }

  load();
  return { element: panel("History", "", problem, result, list), load };
}

function whenOf(time) {
  if (!time) return "";
  const date = new Date(time);
  return `of ${date.toLocaleDateString()} ${clockTime(date.getTime())}`;
}
